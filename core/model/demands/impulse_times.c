/* Bounds of times of impulses that are free: rows on the lengths of the stretches before them. */
#include "core/model/demands/read.h"

#include "core/model/variables/impulses.h"

#include <math.h>
#include <stdlib.h>

static expr length_of(struct reader *r, const struct model_stretch *stretch)
{
    const struct model *m = r->model;
    return stretch->p >= 0 ? m->p_sym[stretch->p] : expr_scale(r->g, stretch->length, m->T_sym);
}

/* time - b, a number where b is one. */
static double bound_row(struct reader *r, struct bound b, expr time, expr *e)
{
    const struct model *m = r->model;
    *e = b.has_unit || !m->time.horizon_free ? time : expr_sub(r->g, time, expr_scale(r->g, b.value, m->T_sym));
    return b.has_unit ? b.value : m->time.horizon_free ? 0 : b.value * m->time.horizon;
}

static void add_row(struct reader *r, const struct impulse_moment *one, const char *name, expr e, double lb,
                    double ub)
{
    struct model *m = r->model;
    reader_make_constraint_room(r, 1);
    m->constraints.constraint[m->constraints.n_constraint++] = (struct model_constraint){
        .name = name, .path = one->node->path, .pos = one->node->pos, .e = e, .lb = lb, .ub = ub, .at = AT_FINAL };
}

static void bound_times(struct reader *r, const struct model_impulse *of, const struct moments *list)
{
    const struct model *m = r->model;
    for (int k = 0; k < list->n; k++) {
        const struct impulse_moment *one = &list->moment[k];
        expr time = expr_const(r->g, 0), above, below;
        bool is_known = true;
        for (int j = 0; j < m->time.n_stretch && m->time.stretch[j].first < one->at; j++) {
            time = expr_add(r->g, time, length_of(r, &m->time.stretch[j]));
            is_known = is_known && m->time.stretch[j].p < 0;
        }
        if (is_known || one->at == m->time.n_intervals)
            continue;
        const char *name = arena_printf(r->mem, "time of %s_%d", of->var.name, k + 1);
        const double lb = bound_row(r, one->lo, time, &above), ub = bound_row(r, one->hi, time, &below);
        if (above == below) {
            add_row(r, one, name, above, lb, ub);
        } else {
            add_row(r, one, name, above, lb, INFINITY);
            add_row(r, one, name, below, -INFINITY, ub);
        }
    }
}

void model_bound_impulses(struct reader *r)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->impulses.n_impulse && m->time.n_stretch && !m->time.n_phase; k++)
        if (m->impulses.impulse[k].leader == k)
            bound_times(r, &m->impulses.impulse[k], &r->impulse_moments[k]);
    for (int k = 0; k < m->impulses.n_impulse; k++)
        free(r->impulse_moments[k].moment);
}
