/* Runge-Kutta equations of all elements, with the algebraic rows of their points.
 * runge_kutta.md 2, derivatives.md 1 to 3
 *
 *   0 = h s F(y_i, ..) - E(y_i) sum_r Abar_ir (y_r - y_L)         runge_kutta.md (1), multiplied by E: no inverse of M
 *   0 = y_R - y_L - sum_r (b' Abar)_r (y_r - y_L)                 runge_kutta.md (2), where the last stage is not the right end
 *
 * Explicit schemes have no Abar: the rates are variables, E rate_i = s F(y_i, ..), y_i = y_L + h sum_j a_ij
 * rate_j.
 */
#include "transcription/discretize/parts.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

struct stage_kind {                 /* the function of a stage and where its outputs stand */
    struct point_block points;
    int cont, stage, n_out;         /* first output of each family; F comes before them */
    bool has_Ea;
    int *Ea;                        /* [n_y] output of (E(y) a)_i where E varies with y, else -1 */
};

/* (E a)_i, the left side of row i for rates a. */
static expr row_times(const struct dcs *dcs, int i, const expr *a)
{
    return expr_dot(dcs->g, dcs->n_y, &dcs->E[i * dcs->n_y], a);
}

/* Outputs: F, then E a in massive rows where M varies, then cont and stage. */
static struct stage_kind create_stage_kind(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    const int n_y = dcs->n_y, n_most = 2 * n_y + dcs->n_cont + dcs->n_stage;
    struct stage_kind kind = { .n_out = n_y, .Ea = arena_alloc(&tr->mem, (size_t)n_y, sizeof(int)) };
    expr *a = arena_alloc(&tr->mem, (size_t)n_y, sizeof *a), *out = mem_alloc((size_t)n_most, sizeof *out);
    for (int i = 0; i < n_y; i++)
        kind.has_Ea = kind.has_Ea || (dcs->massive[i] && !dcs->E_is_constant);
    for (int i = 0; i < n_y && kind.has_Ea; i++)
        a[i] = expr_sym(dcs->g, "rate");
    for (int i = 0; i < n_y; i++)
        out[i] = dcs->F[i].e;
    for (int i = 0; i < n_y; i++) {
        kind.Ea[i] = kind.has_Ea && dcs->massive[i] ? kind.n_out++ : -1;
        if (kind.Ea[i] >= 0)
            out[kind.Ea[i]] = row_times(dcs, i, a);
    }
    kind.cont = kind.n_out;
    for (int i = 0; i < dcs->n_cont; i++)
        out[kind.n_out++] = dcs->cont[i].e;
    kind.stage = kind.n_out;
    for (int i = 0; i < dcs->n_stage; i++)
        out[kind.n_out++] = dcs->stage[i].e;
    kind.points = tr_point_block(tr, kind.has_Ea ? n_y : 0, a, kind.n_out, out);
    free(out);
    return kind;
}

static int add_row(struct transcription *tr, const struct dcs_row *row, int j, int k)
{
    const struct mpcc_label label = tr_label(tr, row->name, row->path, row->pos, -1, j, k);
    return program_row(tr->prog, 0, row->at_least ? INFINITY : 0, label);
}

/* n rows that are outputs of the newest point, from the first one on. */
static void add_function_rows(struct transcription *tr, const struct point_block *at, int first, int n,
                              const struct dcs_row *row, int j, int k)
{
    for (int i = 0; i < n; i++)
        block_out(at->block, first + i, add_row(tr, &row[i], j, k), 1, PROGRAM_ONE, PROGRAM_ONE);
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

/* Rows of runge_kutta.md (1) at stage k; the newest point of the block is this stage. */
static void add_implicit_stage(struct transcription *tr, const struct stage_kind *kind, int j, int k)
{
    const struct dcs *dcs = tr->dcs;
    struct program_block *block = kind->points.block;
    const int s = tr->rk->s, speed = tr->s[tr->interval_of[j]], a = kind->points.slots.extra;
    const double *A_inv = &tr->rk->A_inv[(k - 1) * s];
    double sum = 0;
    for (int r = 0; r < s; r++)
        sum += A_inv[r];
    for (int i = 0; i < dcs->n_y && kind->has_Ea; i++) {        /* a_i = sum_r Abar_kr (y_r - y_L)_i */
        for (int r = 0; r < s; r++)
            block_slot_add(block, a + i, tr_y(tr, j, r + 1, i), A_inv[r]);
        block_slot_add(block, a + i, tr_y(tr, j, 0, i), -sum);
    }
    for (int i = 0; i < dcs->n_y; i++) {                        /* h s F_i - (E a)_i */
        const int row = add_row(tr, &dcs->F[i], j, k);
        block_out(block, i, row, 1, tr->h[j], speed);
        if (kind->Ea[i] >= 0) {
            block_out(block, kind->Ea[i], row, -1, PROGRAM_ONE, PROGRAM_ONE);
            continue;
        }
        for (int r = 0; r < s; r++)
            add_constant_mass(tr, row, i, j, r + 1, -A_inv[r]);
        add_constant_mass(tr, row, i, j, 0, sum);
    }
}

/* s F_i - (E a)_i with the rates a of stage k as variables, and y_k = y_L + h sum_r a_kr rate_r. */
static void add_explicit_stage(struct transcription *tr, const struct stage_kind *kind, int j, int k)
{
    const struct dcs *dcs = tr->dcs;
    struct program_block *block = kind->points.block;
    const int rate = tr_rate(tr, j, k);
    for (int i = 0; i < dcs->n_y && kind->has_Ea; i++)
        block_slot(block, kind->points.slots.extra + i, rate + i);
    for (int i = 0; i < dcs->n_y; i++) {
        const int row = add_row(tr, &dcs->F[i], j, k), at = add_row(tr, &dcs->F[i], j, k);
        block_out(block, i, row, 1, tr->s[tr->interval_of[j]], PROGRAM_ONE);
        if (kind->Ea[i] >= 0)
            block_out(block, kind->Ea[i], row, -1, PROGRAM_ONE, PROGRAM_ONE);
        else
            add_constant_mass(tr, row, i, j, k, -1);
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

/* The initial point's multipliers obey the same rows where they are not known beforehand (fesd.md 4). */
static void add_initial_rows(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    const struct point_block at = tr_cont_block(tr);
    tr_fill(tr, &at, 0, 0, 0);
    for (int i = 0; i < dcs->n_sel; i++)
        block_slot(at.block, at.slots.sel + i, tr->sel0 + i);
    add_function_rows(tr, &at, 0, dcs->n_cont, dcs->cont, 0, 0);
    for (int k = 0; k < dcs->n_group; k++) {
        const struct dcs_stewart_group *group = &dcs->group[k];
        const int row =
            program_row(tr->prog, 1, 1, tr_label(tr, "convex combination", NULL, (struct srcpos){ 0 }, -1, 0, 0));
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
                return diag_error(diag, dcs->cont[i].pos, dcs->cont[i].path, "nested nonsmooth functions, and pairs "
                                  "with forces of their own, need a scheme whose last stage is the end of the step: use scheme "
                                  "radau-iia");
    return STATUS_OK;
}

enum status tr_add_dynamics(struct transcription *tr, struct diag *diag)
{
    const struct dcs *dcs = tr->dcs;
    const bool extra_end = tr->n_point > tr->rk->s && tr->switching && dcs->n_cont;
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
            add_function_rows(tr, &kind.points, kind.cont, dcs->n_cont, dcs->cont, j, k);
            add_function_rows(tr, &kind.points, kind.stage, dcs->n_stage, dcs->stage, j, k);
        }
        if (tr->n_point > tr->rk->s)
            add_right_end(tr, j);
        if (extra_end) {
            tr_fill(tr, &end, j, tr_right(tr), tr->interval_of[j]);
            add_function_rows(tr, &end, 0, dcs->n_cont, dcs->cont, j, tr_right(tr));
        }
    }
    return STATUS_OK;
}
