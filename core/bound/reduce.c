#include "core/bound/reading.h"

#include "core/base/mem.h"

#include <string.h>

/* The mass matrix of the first n of n_all velocities, which the others do not share. */
static expr *corner_of(struct arena *mem, const expr *M, int n, int n_all)
{
    expr *out = arena_alloc(mem, (size_t)(n * n), sizeof *out);
    for (int col = 0; col < n; col++)
        memcpy(out + n * col, M + n_all * col, (size_t)n * sizeof *out);
    return out;
}

/* What friction coefficient times load does against the slip, as part of the forces: -J_t' mu N sign(slip). A
 * seat is pressed by the load alone, -N. */
static enum status add_friction(struct reading *r, const struct model_contact *seat, expr pressed, int n, expr *f_v)
{
    struct expr_graph *g = r->g;
    if (seat->n_t != 1)
        return diag_error(r->diag, seat->pos, seat->path, "bounds do not know friction of several components yet");
    const expr sign = expr_unary(g, EXPR_SIGN, seat->v_t[0]), most = expr_mul(g, seat->friction, pressed);
    expr_set_pos(g, sign, seat->pos);
    for (int i = 0; i < n; i++)
        if (!expr_is_zero(g, seat->J_t[i]))
            f_v[i] = expr_add(g, f_v[i], expr_mul(g, seat->J_t[i], expr_mul(g, most, sign)));
    return STATUS_OK;
}

int bound_n_states(const struct model *model)
{
    int n = model->n_x - 2 * model->contacts.n_load;
    for (int k = 0; k < model->n_held; k++)
        n -= model->held[k].order;
    return n;
}

enum status reading_reduce(struct reading *r)
{
    const struct model *whole = r->whole;
    struct model *m = arena_copy(r->mem, whole, 1, sizeof *m);
    enum status st = STATUS_OK;
    r->model = m;
    m->n_x = bound_n_states(whole);
    if (whole->contacts.n_load == 0)
        return st;
    m->mechanics.n_q -= whole->contacts.n_load;
    m->mechanics.n_position -= whole->contacts.n_load;
    m->contacts.n_contact -= whole->contacts.n_load;
    m->mechanics.M = corner_of(r->mem, whole->mechanics.M, m->mechanics.n_q, whole->mechanics.n_q);
    m->mechanics.f_v = arena_copy(r->mem, whole->mechanics.f_v, (size_t)m->mechanics.n_q, sizeof *m->mechanics.f_v);
    for (int k = 0; k < whole->contacts.n_load && st == STATUS_OK; k++) {
        const int seat = m->mechanics.n_q + k;                /* seats come last of all coordinates */
        if (whole->mechanics.q_index[m->mechanics.n_position + k] != whole->contacts.load[k].x
            || whole->mechanics.v_index[seat] != whole->contacts.load[k].x + 1)
            return diag_error(r->diag, whole->contacts.contact[m->contacts.n_contact + k].pos, "friction",
                              "bounds do not know this load yet");
        reading_name(r, whole->x_sym[whole->contacts.load[k].x], (struct interval_poly){ 0, NULL });
        reading_name(r, whole->x_sym[whole->contacts.load[k].x + 1], (struct interval_poly){ 0, NULL });
        st = add_friction(r, &whole->contacts.contact[m->contacts.n_contact + k], whole->mechanics.f_v[seat],
                          m->mechanics.n_q, m->mechanics.f_v);
    }
    return st;
}
