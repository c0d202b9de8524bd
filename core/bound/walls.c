#include "core/bound/reading.h"

#include <math.h>

/* Pairs with forces of their own come after projections. */
static int n_wall(const struct model *m)
{
    int n = 0;
    while (n < m->switching.n_projection && !m->switching.projection[n].is_pair)
        n++;
    return n;
}

void reading_open_walls(struct reading *r)
{
    for (int w = 0; w < n_wall(r->model); w++)
        reading_name(r, r->model->switching.projection[w].state, enclosed_constant(r->mem, iv(1)));
}

enum status reading_walls(struct reading *r, struct bound_place *place)
{
    const struct model *m = r->model;
    enum status st = STATUS_OK;
    for (int w = 0; w < n_wall(m) && st == STATUS_OK; w++) {
        const struct model_projection *projection = &m->switching.projection[w];
        const struct written at = { projection->pos, projection->path };
        struct interval_poly gap;
        if (w >= BOUND_MAX_WALL || m->contacts.n_contact > 0)
            return diag_error(r->diag, at.pos, at.path, "bounds do not know %s yet",
                              w >= BOUND_MAX_WALL ? "so many projections" : "projections beside contacts");
        st = reading_sign(r, projection->gap, at, &gap);
        if (st == STATUS_OK && (enclosed_variables(gap) & r->out->controls))
            st = diag_error(r->diag, at.pos, at.path, "bounds do not know gaps with square roots yet");
        if (st != STATUS_OK)
            return st;
        place->wall[place->n_wall].gap = reading_unit_size(r, gap);
        if (place == &r->out->place[0])
            bound_require(&r->out->path, place->wall[place->n_wall].gap);
        place->n_wall++;
    }
    return st;
}

/* --- Pairs with forces of their own -------------------------------------------------------------------------- */

/* H = a + b lambda: where lambda is not 0, H is, so that lambda is no more than the largest -a / b. */
static enum status add_force(struct reading *r, const struct model_projection *pair)
{
    const struct written at = { pair->pos, pair->path };
    struct interval_poly H, a = { 0, NULL };
    reading_name(r, pair->lambda, enclosed_monomial(r->mem, monomial_power(BOUND_RHO, 1), iv(1)));
    enum status st = reading_polynomial(r, pair->gap, at, &H);
    if (st != STATUS_OK)
        return st;
    const struct interval_poly nothing[POLY_MAX_VAR] = { { 0, NULL } };
    a = enclosed_substitute(r->mem, H, 1u << BOUND_RHO, nothing);
    const struct interval b = enclosed_coefficient(H, monomial_power(BOUND_RHO, 1));
    const struct interval_poly slope = enclosed_divide(r->mem, H, BOUND_RHO);
    if (!(b.lo > 0) || slope.n != 1)
        return diag_error(r->diag, at.pos, at.path,
                          "bounds do not know pairs whose H does not grow with their force at one rate yet");
    if (r->out->n_var + 1 > BOUND_MAX_VAR)
        return diag_error(r->diag, at.pos, at.path, "bounds do not know so many states and forces yet");
    const double most = fmax(0, iv_div(iv_neg(bound_range(a)), b).hi);
    const int k = r->out->n_var;
    reading_add_variable(r, pair->name, BOUND_FORCE, 0, 0, most);
    r->out->controls |= 1u << k;
    const struct interval_poly lambda = reading_variable(r, k);
    reading_name(r, pair->lambda, lambda);
    H = enclosed_add(r->mem, a, b, lambda);
    bound_require(&r->out->path, reading_unit_size(r, lambda));
    bound_require(&r->out->path, reading_unit_size(r, H));
    bound_require_zero(&r->out->path, reading_unit_size(r, enclosed_mul(r->mem, lambda, H)));
    return STATUS_OK;
}

enum status reading_pairs(struct reading *r)
{
    const struct model *m = r->model;
    enum status st = STATUS_OK;
    for (int k = n_wall(m); k < m->switching.n_projection && st == STATUS_OK; k++)
        st = add_force(r, &m->switching.projection[k]);
    return st;
}
