/* transcription/discretize/slots.h - point functions of a transcription: which variables fill which of their slots
 *
 * Every point function has the same slots, y, lam, sel, z, u, p, T, and extra ones of its own behind them.
 */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_SLOTS_H
#define COCP_TRANSCRIPTION_DISCRETIZE_SLOTS_H

#include "transcription/discretize/places.h"

struct tr_slots {                   /* first slot of each, how many there are, and their symbols [n] */
    int n, y, lam, sel, z, u, p, T, extra;
    expr *sym;
};
struct tr_slots tr_slots(struct transcription *tr, int n_extra, const expr *extra);

/* A block of points at which the n_out expressions are evaluated, and its slots. */
struct point_block {
    struct tr_slots slots;
    struct program_block *block;
};
struct point_block tr_point_block(struct transcription *tr, int n_extra, const expr *extra, int n_out,
                                  const expr *out);

/* The rows of cont alone, for points that are not stages. */
struct point_block tr_cont_block(struct transcription *tr);

/* Fills the slots of a new point of the block from point k of element j (j = 0, k = 0: the initial point), with
 * the controls of `interval`. sel and z are 0 where the point has none. */
void tr_fill(struct transcription *tr, const struct point_block *at, int j, int k, int interval);

/* The same inside a control interval, at a part of the horizon, elements having their nominal lengths: y alone,
 * by its polynomial, between the ends of an element where the scheme has none. */
void tr_fill_inside(struct transcription *tr, const struct point_block *at, double fraction);
/* Is the part of the horizon not the end of a control interval? */
bool tr_is_inside(const struct transcription *tr, double fraction);

/* Output o of the newest point is a row of its own: returns it. */
int tr_add_row(struct transcription *tr, const struct point_block *at, int out, double lb, double ub,
               struct mpcc_label label);

#endif
