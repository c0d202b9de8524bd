#include "core/bound/reading.h"

#include "core/base/mem.h"

#include <math.h>

enum status reading_polynomial(struct reading *r, expr e, struct written at, struct interval_poly *out)
{
    r->names.graph = r->g;
    r->names.divisors = NULL;
    return polynomial_of(r->mem, &r->names, e, at, out, r->diag);
}

/* Where contacts act nothing may divide: their forces are compared with 0 before divisors are cleared. */
enum status reading_rational(struct reading *r, expr e, struct written at, struct interval_poly *out)
{
    r->names.graph = r->g;
    r->divisors.first = BOUND_MAX_VAR - 1;
    r->divisors.most = BOUND_MAX_VAR - r->out->n_var < DIVISORS_MAX ? BOUND_MAX_VAR - r->out->n_var : DIVISORS_MAX;
    r->names.divisors = r->model->contacts.n_contact > 0 ? NULL : &r->divisors;
    return polynomial_of(r->mem, &r->names, e, at, out, r->diag);
}

enum status reading_sign(struct reading *r, expr e, struct written at, struct interval_poly *out)
{
    int power[DIVISORS_MAX] = { 0 };
    const enum status st = reading_rational(r, e, at, out);
    divisors_powers(&r->divisors, *out, power);
    *out = divisors_clear(r->mem, &r->divisors, power, *out);
    return st;
}

static void make_room(struct reading *r)
{
    const int room = 2 * r->room + 32;
    expr *const sym = arena_alloc(r->mem, (size_t)room, sizeof *sym);
    struct interval_poly *const is = arena_alloc(r->mem, (size_t)room, sizeof *is);
    for (int k = 0; k < r->names.n; k++) {
        sym[k] = r->sym[k];
        is[k] = r->is[k];
    }
    r->names.sym = r->sym = sym;
    r->names.is = r->is = is;
    r->room = room;
}

void reading_name(struct reading *r, expr sym, struct interval_poly is)
{
    int k = 0;
    while (k < r->names.n && r->sym[k] != sym)
        k++;
    if (k == r->room)
        make_room(r);
    r->sym[k] = sym;
    r->is[k] = is;
    r->names.n = k == r->names.n ? k + 1 : r->names.n;
}

bool reading_impacts_change(const struct model *model, int i)
{
    bool change = false;
    for (int k = 0; k < model->mechanics.n_q && model->contacts.n_contact > 0; k++)
        change = change || model->mechanics.v_index[k] == i;
    return change;
}

struct interval_poly reading_variable(const struct reading *r, int k)
{
    return enclosed_affine(r->mem, iv(r->out->var[k].mid), iv(r->out->var[k].half), k);
}

void reading_require_range(const struct reading *r, struct bound_region *region, int k, double lo, double hi)
{
    const struct bound_var *var = &r->out->var[k];
    const struct interval scale = iv_div(iv(1), iv(var->half));
    if (lo > var->lo)
        bound_require(region,
                      enclosed_scale(r->mem, scale,
                                     enclosed_affine(r->mem, iv_sub(iv(var->mid), iv(lo)), iv(var->half), k)));
    if (hi < var->hi)
        bound_require(region,
                      enclosed_scale(r->mem, scale,
                                     enclosed_affine(r->mem, iv_sub(iv(hi), iv(var->mid)), iv(-var->half), k)));
}

struct interval_poly reading_unit_size(const struct reading *r, struct interval_poly a)
{
    const double size = iv_mag(bound_range(a));
    return enclosed_scale(r->mem, iv(size > 0 && isfinite(size) ? exp2(-ceil(log2(size))) : 1), a);
}
