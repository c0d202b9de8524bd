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
        if (w >= BOUND_MAX_WALL)
            return diag_error(r->diag, at.pos, at.path, "bounds do not know so many projections yet");
        st = reading_sign(r, projection->gap, at, &gap);
        if (st != STATUS_OK)
            return st;
        place->wall[place->n_wall].gap = reading_unit_size(r, gap);
        if (place == &r->out->place[0])
            bound_require(&r->out->path, place->wall[place->n_wall].gap);
        place->n_wall++;
    }
    return st;
}
