/* Runge-Kutta equations of all elements, with the algebraic rows of their points.
 * runge_kutta.md 2, derivatives.md 1 to 3
 *
 *   0 = h s F(y_i, ..) - E(y_i) sum_r Abar_ir (y_r - y_L)         runge_kutta.md (1), multiplied by E: no inverse of M
 *   0 = y_R - y_L - sum_r (b' Abar)_r (y_r - y_L)                 runge_kutta.md (2), where the last stage is not the right end
 *
 * Explicit schemes have no Abar: the rates are variables, E rate_i = s F(y_i, ..), y_i = y_L + h sum_j a_ij rate_j.
 */
#include "transcription/discretize/dynamics.h"

#include "core/base/mem.h"
#include "transcription/discretize/slots.h"

#include <math.h>
#include <stdlib.h>

struct stage_kind {                 /* the function of a stage and where its outputs stand */
    struct point_block points;
    int F, Ea, cont, stage, n_out;  /* first output of each family */
    int n_Ea, *Ea_row;              /* rows of E that are not constant */
};

/* Rows of E(y) a that go through the tape: massive ones, where M varies. */
static void list_varying_rows(struct transcription *tr, struct stage_kind *kind)
{
    const struct dcs *dcs = tr->dcs;
    kind->Ea_row = arena_alloc(&tr->mem, (size_t)dcs->n_y, sizeof(int));
    for (int i = 0; i < dcs->n_y && !dcs->E_is_constant; i++)
        if (dcs->massive[i])
            kind->Ea_row[kind->n_Ea++] = i;
}

static expr row_times(const struct dcs *dcs, int row, const expr *a)
{
    expr sum = expr_const(dcs->g, 0);
    for (int j = 0; j < dcs->n_y; j++)
        sum = expr_add(dcs->g, sum, expr_mul(dcs->g, dcs->E[row * dcs->n_y + j], a[j]));
    return sum;
}

static struct stage_kind create_stage_kind(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    struct stage_kind kind = { 0 };
    list_varying_rows(tr, &kind);
    const int n_a = kind.n_Ea ? dcs->n_y : 0;
    expr *a = arena_alloc(&tr->mem, (size_t)dcs->n_y, sizeof *a);
    for (int j = 0; j < n_a; j++)
        a[j] = expr_sym(dcs->g, "rate");
    kind.F = 0;
    kind.Ea = dcs->n_y;
    kind.cont = kind.Ea + kind.n_Ea;
    kind.stage = kind.cont + dcs->n_cont;
    kind.n_out = kind.stage + dcs->n_stage;
    expr *out = mem_alloc((size_t)kind.n_out, sizeof *out);
    for (int i = 0; i < dcs->n_y; i++)
        out[kind.F + i] = dcs->F[i].e;
    for (int i = 0; i < kind.n_Ea; i++)
        out[kind.Ea + i] = row_times(dcs, kind.Ea_row[i], a);
    for (int i = 0; i < dcs->n_cont; i++)
        out[kind.cont + i] = dcs->cont[i].e;
    for (int i = 0; i < dcs->n_stage; i++)
        out[kind.stage + i] = dcs->stage[i].e;
    kind.points = tr_point_block(tr, n_a, a, kind.n_out, out);
    free(out);
    return kind;
}

static int add_row(struct transcription *tr, const struct dcs_row *row, int j, int k)
{
    return program_row(tr->prog, 0, row->at_least ? INFINITY : 0, tr_label(tr, row->name, row->path, row->pos, -1, j, k));
}

/* Row that is output `out` of the newest point. */
static void add_function_row(struct transcription *tr, const struct point_block *at, int out, const struct dcs_row *row,
                             int j, int k)
{
    block_out(at->block, out, add_row(tr, row, j, k), 1, PROGRAM_ONE, PROGRAM_ONE);
}

/* row += coef * E_il summed over l, E constant, with y_l of point k, or the rates of an explicit stage. */
static void add_constant_mass(struct transcription *tr, int row, int i, int j, int k, double coef)
{
    const struct dcs *dcs = tr->dcs;
    for (int l = 0; l < dcs->n_y; l++) {
        double E = 0;
        expr_is_const(dcs->g, dcs->E[i * dcs->n_y + l], &E);
        if (E != 0)
            program_linear(tr->prog, row, tr->rk->A_inv ? tr_y(tr, j, k, l) : tr_rate(tr, j, k) + l, coef * E);
    }
}

static bool goes_through_tape(const struct stage_kind *kind, int i)
{
    for (int k = 0; k < kind->n_Ea; k++)
        if (kind->Ea_row[k] == i)
            return true;
    return false;
}

/* Rows of runge_kutta.md (1) at stage k; the newest point of the block is this stage. */
static void add_implicit_stage(struct transcription *tr, const struct stage_kind *kind, int j, int k)
{
    const struct dcs *dcs = tr->dcs;
    const int s = tr->rk->s, speed = tr->s[tr->interval_of[j]];
    const double *A_inv = &tr->rk->A_inv[(k - 1) * s];
    double sum = 0;
    for (int r = 0; r < s; r++)
        sum += A_inv[r];
    for (int l = 0; l < dcs->n_y && kind->n_Ea; l++) {
        for (int r = 0; r < s; r++)
            block_slot_add(kind->points.block, kind->points.slots.extra + l, tr_y(tr, j, r + 1, l), A_inv[r]);
        block_slot_add(kind->points.block, kind->points.slots.extra + l, tr_y(tr, j, 0, l), -sum);
    }
    for (int i = 0; i < dcs->n_y; i++) {
        const int row = add_row(tr, &dcs->F[i], j, k);
        block_out(kind->points.block, kind->F + i, row, 1, tr->h[j], speed);
        if (goes_through_tape(kind, i)) {
            for (int q = 0; q < kind->n_Ea; q++)
                if (kind->Ea_row[q] == i)
                    block_out(kind->points.block, kind->Ea + q, row, -1, PROGRAM_ONE, PROGRAM_ONE);
            continue;
        }
        for (int r = 0; r < s; r++)
            add_constant_mass(tr, row, i, j, r + 1, -A_inv[r]);
        add_constant_mass(tr, row, i, j, 0, sum);
    }
}

static void add_explicit_stage(struct transcription *tr, const struct stage_kind *kind, int j, int k)
{
    const struct dcs *dcs = tr->dcs;
    const int rate = tr_rate(tr, j, k);
    for (int l = 0; l < dcs->n_y && kind->n_Ea; l++)
        block_slot(kind->points.block, kind->points.slots.extra + l, rate + l);
    for (int i = 0; i < dcs->n_y; i++) {
        const int row = add_row(tr, &dcs->F[i], j, k), at = add_row(tr, &dcs->F[i], j, k);
        block_out(kind->points.block, kind->F + i, row, 1, tr->s[tr->interval_of[j]], PROGRAM_ONE);
        if (!goes_through_tape(kind, i))
            add_constant_mass(tr, row, i, j, k, -1);
        for (int q = 0; q < kind->n_Ea; q++)
            if (kind->Ea_row[q] == i)
                block_out(kind->points.block, kind->Ea + q, row, -1, PROGRAM_ONE, PROGRAM_ONE);
        program_linear(tr->prog, at, tr_y(tr, j, k, i), -1);
        program_linear(tr->prog, at, tr_y(tr, j, 0, i), 1);
        for (int r = 1; r < k; r++)
            program_bilinear(tr->prog, at, tr->h[j], tr_rate(tr, j, r) + i, tr->rk->A[(k - 1) * tr->rk->s + r - 1]);
    }
}

/* The right end of an element whose last stage is not it: runge_kutta.md (2). */
static void add_right_end(struct transcription *tr, int j)
{
    const struct dcs *dcs = tr->dcs;
    const struct rk *rk = tr->rk;
    const int right = tr_right(tr);
    for (int i = 0; i < dcs->n_y; i++) {
        const int row = add_row(tr, &dcs->F[i], j, right);
        program_linear(tr->prog, row, tr_y(tr, j, right, i), -1);
        double rest = 1;
        for (int r = 0; r < rk->s; r++) {
            if (!rk->A_inv) {
                program_bilinear(tr->prog, row, tr->h[j], tr_rate(tr, j, r + 1) + i, rk->b[r]);
                continue;
            }
            program_linear(tr->prog, row, tr_y(tr, j, r + 1, i), rk->bA_inv[r]);
            rest -= rk->bA_inv[r];
        }
        program_linear(tr->prog, row, tr_y(tr, j, 0, i), rest);
    }
}

/* Rows of cont at a point; the newest point of the block is it. */
static void add_cont_rows(struct transcription *tr, const struct point_block *at, int first_out, int j, int k)
{
    for (int i = 0; i < tr->dcs->n_cont; i++)
        add_function_row(tr, at, first_out + i, &tr->dcs->cont[i], j, k);
}

/* The initial point's multipliers obey the same rows where they are not known beforehand (fesd.md 4). */
static void add_initial_rows(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    const struct point_block at = tr_cont_block(tr);
    tr_fill(tr, &at, 0, 0, 0);
    for (int i = 0; i < dcs->n_sel; i++)
        block_slot(at.block, at.slots.sel + i, tr->sel0 + i);
    add_cont_rows(tr, &at, 0, 0, 0);
    for (int k = 0; k < dcs->n_group; k++) {
        const struct dcs_stewart_group *group = &dcs->group[k];
        const int row = program_row(tr->prog, 1, 1, tr_label(tr, "convex combination", NULL, (struct srcpos){ 0 }, -1, 0, 0));
        for (int m = 0; m < 1 << group->n_switch; m++)
            program_linear(tr->prog, row, tr->sel0 + group->sel + m, 1);
    }
}

static enum status refuse_nested(const struct transcription *tr, struct diag *diag)
{
    const struct dcs *dcs = tr->dcs;
    for (int i = 0; i < dcs->n_cont; i++)
        for (int k = 0; k < dcs->n_sel; k++)
            if (expr_depends(dcs->g, dcs->cont[i].e, 1, &dcs->sel[k].sym))
                return diag_error(diag, dcs->cont[i].pos, dcs->cont[i].path, "nested nonsmooth functions need a scheme "
                                  "whose last stage is the end of the step: use scheme radau-iia");
    return STATUS_OK;
}

enum status tr_add_dynamics(struct transcription *tr, struct diag *diag)
{
    const bool extra_end = tr->n_point > tr->rk->s && tr->switching && tr->dcs->n_cont;
    if (extra_end && refuse_nested(tr, diag) != STATUS_OK)
        return STATUS_SPEC;
    struct stage_kind kind = create_stage_kind(tr);
    const struct point_block end = extra_end ? tr_cont_block(tr) : (struct point_block){ .block = NULL };
    if (tr->sel0 >= 0)
        add_initial_rows(tr);
    for (int j = 0; j < tr->n_element; j++) {
        for (int k = 1; k <= tr->rk->s; k++) {
            tr_fill(tr, &kind.points, j, k, tr->interval_of[j]);
            if (tr->rk->A_inv)
                add_implicit_stage(tr, &kind, j, k);
            else
                add_explicit_stage(tr, &kind, j, k);
            add_cont_rows(tr, &kind.points, kind.cont, j, k);
            for (int i = 0; i < tr->dcs->n_stage; i++)
                add_function_row(tr, &kind.points, kind.stage + i, &tr->dcs->stage[i], j, k);
        }
        if (tr->n_point > tr->rk->s)
            add_right_end(tr, j);
        if (extra_end) {
            tr_fill(tr, &end, j, tr_right(tr), tr->interval_of[j]);
            add_cont_rows(tr, &end, 0, j, tr_right(tr));
        }
    }
    return STATUS_OK;
}
