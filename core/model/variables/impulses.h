/* core/model/variables/impulses.h - moments at which impulses act, while a spec is read */
#ifndef COCP_CORE_MODEL_VARIABLES_IMPULSES_H
#define COCP_CORE_MODEL_VARIABLES_IMPULSES_H

#include "core/model/scope/reader.h"

static const double SAME_MOMENT = 1e-9;     /* of the horizon: two moments are one, or one that the grid has */
enum { MOST_IMPULSES = 10000 };

struct bound { double value; bool has_unit; };          /* in s, or a part of the horizon */
struct impulse_moment {
    const struct spec_node *node;
    double part;                    /* of the horizon: where it is, or is guessed to be */
    bool is_free;                   /* between lo and hi */
    struct bound lo, hi;
    int at;                         /* the boundary of control intervals that it becomes */
};
struct moments { int n; struct impulse_moment *moment; };

/* impulse_moments.c: one more, to be freed with the list; the times of control k, `impulsive.at`. */
struct impulse_moment *impulse_add_moment(struct moments *list, struct impulse_moment moment);
void impulse_read_moments(struct reader *r, int k, const struct spec_node *at);
/* impulse_grid.c: control intervals such that all of them are at boundaries, which they know afterwards. */
void impulses_lay_out(struct reader *r);

#endif
