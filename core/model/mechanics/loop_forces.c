/* core/model/mechanics/loop_forces.c - contacts where there are closed loops, and the forces that hold these
 *
 * A contact acts along the loops by P J, and what it has across them the loops take: with G' lambda = M v' - f - J
 * lambda_c
 *
 *   lambda = (G+)' (M v' - f - J lambda_c),   v' = (P M P + m (I - P))^-1 (f_P + P J lambda_c)
 *
 * is linear in the forces of contacts, and in impulses by the same columns. Conditions that follow from others
 * share it: of all lambda that do the same the one of least norm, C (C'C)^-1 lambda_kept, where C G_kept = G.
 */
#include "core/model/mechanics/loops.h"

#include "core/base/mem.h"
#include "core/model/kinematics.h"
#include "core/model/mass.h"

#include <stdlib.h>
#include <string.h>

struct holding {
    struct reader *r;
    struct model_loops *loops;
    int n, n_q;       /* n: conditions that are kept */
    expr *C;          /* [loops->n * n] by columns */
    bool shares;      /* some condition that follows from others is one, and not 0 = 0 */
    expr *a, *across; /* [n_q], [n] */
};

static void find_shares(struct holding *at)
{
    const struct model_loops *loops = at->loops;
    for (int k = 0; k < loops->n; k++) {
        const bool says_nothing = expr_is_const(at->r->g, loops->gap[k], NULL);
        at->shares = at->shares || (loops->follows[k] && !says_nothing);
        for (int l = 0; l < at->n; l++)
            at->C[k + l * loops->n] =
                expr_dot(at->r->g, at->n_q, loops->G + k * at->n_q, loops->plus + l * at->n_q);
    }
}

/* Forces of all conditions from those of the kept ones. */
static void share(const struct holding *at, expr *kept, expr *out)
{
    struct expr_graph *g = at->r->g;
    const int n = at->n, n_all = at->loops->n;
    if (!at->shares) {
        for (int k = 0, l = 0; k < n_all; k++)
            out[k] = at->loops->follows[k] ? expr_const(g, 0) : kept[l++];
        return;
    }
    expr *S = mem_alloc((size_t)(n * n), sizeof *S), *row = mem_alloc((size_t)n, sizeof *row);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            S[i + j * n] = expr_dot(g, n_all, at->C + i * n_all, at->C + j * n_all);
    mass_solve(g, n, S, kept);
    for (int k = 0; k < n_all; k++) {
        for (int l = 0; l < n; l++)
            row[l] = at->C[k + l * n_all];
        out[k] = expr_dot(g, n, row, kept);
    }
    free(row);
    free(S);
}

/* What the loops add where `along` moves the velocities and `whole` is the force that does it: out [n of all]. */
static void find_force(struct holding *at, const expr *along, const expr *whole, expr *out)
{
    struct model *m = at->r->model;
    struct expr_graph *g = at->r->g;
    memcpy(at->a, along, (size_t)at->n_q * sizeof *at->a);
    mass_solve(g, at->n_q, m->mechanics.M, at->a);
    expr *missing = mem_alloc((size_t)at->n_q, sizeof *missing);
    for (int i = 0; i < at->n_q; i++) /* M is symmetric */
        missing[i] = expr_sub(g, expr_dot(g, at->n_q, at->loops->free_M + i * at->n_q, at->a), whole[i]);
    for (int k = 0; k < at->n; k++)
        at->across[k] = expr_dot(g, at->n_q, at->loops->plus + k * at->n_q, missing);
    share(at, at->across, out);
    free(missing);
}

/* One column of a contact, e its velocity: it acts by P J. */
static void hold_column(struct holding *at, expr *J, expr *e, expr *out)
{
    struct model *m = at->r->model;
    const expr *v = reader_symbols(at->r, at->n_q, m->mechanics.v_index);
    expr *whole = mem_alloc((size_t)at->n_q, sizeof *whole);
    memcpy(whole, J, (size_t)at->n_q * sizeof *whole);
    kinematics_keep_loops(m, J, J);
    const expr was = expr_dot(at->r->g, at->n_q, whole, v), is = expr_dot(at->r->g, at->n_q, J, v);
    *e = expr_sub(at->r->g, *e, expr_sub(at->r->g, was, is));
    find_force(at, J, whole, out);
    free(whole);
}

static void hold_contact(struct holding *at, struct model_contact *contact, expr *out)
{
    if (reader_is_broken(at->r, contact->gap) || !contact->J_n)
        return;
    hold_column(at, contact->J_n, &contact->v_n, out);
    for (int i = 0; i < at->n_q; i++)
        contact->gap_is_linear = contact->gap_is_linear && expr_is_const(at->r->g, contact->J_n[i], NULL);
    for (int k = 0; k < contact->n_t; k++)
        if (!reader_is_broken(at->r, contact->v_t[k]))
            hold_column(at, contact->J_t + k * at->n_q, &contact->v_t[k], out + (1 + k) * at->loops->n);
}

static bool is_smooth(const struct model *m)
{
    for (int i = 0; i < m->mechanics.n_q; i++)
        if (expr_find_nonsmooth(m->graph, m->mechanics.loops.free_f[i]) != EXPR_NONE)
            return false;
    return true;
}

static void name_forces(struct reader *r)
{
    static const char *const suffix[] = { "lambda_x", "lambda_y", "lambda_z" };
    struct model_loops *loops = &r->model->mechanics.loops;
    loops->shown = arena_alloc(r->mem, (size_t)loops->n, sizeof *loops->shown);
    loops->shown_name = arena_alloc(r->mem, (size_t)loops->n, sizeof *loops->shown_name);
    for (int l = 0; l < loops->n_loop; l++) {
        reader_check_result_names(r, "loop", loops->loop[l].name, 3, suffix);
        for (int i = 0; i < 3; i++)
            if (!expr_is_const(r->g, loops->gap[loops->loop[l].first + i], NULL)) {
                loops->shown[loops->n_shown] = loops->loop[l].first + i;
                loops->shown_name[loops->n_shown++] =
                    arena_printf(r->mem, "%s_%s", loops->loop[l].name, suffix[i]);
            }
    }
}

void loop_hold_contacts(struct reader *r)
{
    struct model *m = r->model;
    struct model_loops *loops = &m->mechanics.loops;
    struct holding at = { .r = r, .loops = loops, .n = loops->n_kept, .n_q = m->mechanics.n_q };
    const int n_row = CONTACT_ROWS * m->contacts.n_contact;
    if (!loops->P)
        return;
    at.C = mem_alloc((size_t)(loops->n * at.n), sizeof *at.C);
    at.a = mem_alloc((size_t)at.n_q, sizeof *at.a);
    at.across = mem_alloc((size_t)at.n, sizeof *at.across);
    loops->per_contact = arena_alloc(r->mem, (size_t)(loops->n * n_row), sizeof *loops->per_contact);
    for (int k = 0; k < loops->n * n_row; k++)
        loops->per_contact[k] = expr_const(r->g, 0);
    find_shares(&at);
    for (int c = 0; c < m->contacts.n_contact; c++)
        hold_contact(&at, &m->contacts.contact[c], loops->per_contact + c * CONTACT_ROWS * loops->n);
    if (is_smooth(m)) {
        loops->force = arena_alloc(r->mem, (size_t)loops->n, sizeof *loops->force);
        find_force(&at, m->mechanics.f_v, loops->free_f, loops->force);
        name_forces(r);
    }
    free(at.across);
    free(at.a);
    free(at.C);
}
