/* transcription/record/record.h - from the variables of a program back to physics: trajectory, grid, events
 *
 * A record takes the elements of one solve, or of the steps of a simulation one after the other, and writes the
 * groups /trajectory, /uniform, /grid and /events of results.md. Contact forces are recovered from the
 * multipliers: lambda = aux / rate where time runs, impulses are the integral of aux over frozen elements
 * (time_freezing.md 10); with time-stepping a force acts all through its step.
 *
 * An element is frozen when physical time advances by less than RECORD_FROZEN of its numerical length. Frozen
 * elements in a row are one jump: their ends are two points of the trajectory with equal t, what lies between is
 * kept with is_physical = 0.
 */
#ifndef COCP_TRANSCRIPTION_RECORD_RECORD_H
#define COCP_TRANSCRIPTION_RECORD_RECORD_H

#include "core/results/results.h"
#include "transcription/discretize/transcription.h"

#define RECORD_FROZEN 1e-2          /* mean rate below which an element counts as frozen */

struct record;

/* u_expr [n_u] or NULL, borrowed: controls given as expressions of t and x, EXPR_NONE where there is none. */
struct record *record_create(const struct model *model, const expr *u_expr);
void record_free(struct record *record);

/* Appends all elements of tr at w, elements and numerical time counted on from what is there. sigma of the last
 * relaxation, or the complementarity that a crossover leaves, sets what counts as zero. */
void record_add(struct record *record, struct transcription *tr, const double *w, double sigma);

/* Switching times found so far are part of the events. Writes the groups, with n_uniform points of /uniform;
 * nothing of an empty record. */
void record_write(struct record *record, struct result *result, int n_uniform);

#endif
