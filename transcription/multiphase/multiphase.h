/* transcription/multiphase/multiphase.h - the smooth program of a sequence as a whole: made, started, read
 *
 * layout/phases.h says what it is, rows/rows.h what it consists of.
 */
#ifndef COCP_TRANSCRIPTION_MULTIPHASE_MULTIPHASE_H
#define COCP_TRANSCRIPTION_MULTIPHASE_MULTIPHASE_H

#include "transcription/multiphase/layout/phases.h"
#include "transcription/multiphase/rows/rows.h"
#include "transcription/sequence/samples.h"

/* y_end [n_y]: about the state at the end, for the rank of final values. Errors: what the tableau refuses. The
 * sequence has the contacts and switches of the system. */
enum status phases_create(const struct phase_system *sys, const struct sequence *seq, const struct phase_grid *grid,
                          const double *y_end, struct phases **out, struct diag *diag);
void phases_free(struct phases *ph);

/* Of a solution w of the program: left boundaries and stages of all elements. */
struct samples *samples_of(const struct phases *ph, const double *w);

/* Fills the guess of the program: states, controls, lengths; forces and alpha from the conditions of the mode. */
void phases_apply_samples(struct phases *ph, const struct samples *samples);

/* held_samples.c: the same trajectory with controls that hold the state of each control interval, as far as
 * contacts can (point_solver_hold); the caller's. */
struct samples *samples_held(const struct phases *ph, const struct samples *from);
/* Of a sequence without events, with one sample for each interval: controls [n_interval * n_u] and contact forces
 * [n_interval * n_contact * (1 + SLIP_MAX)] that hold these; NAN where none do. */
void held_forces(const struct phases *ph, const struct samples *from, double *u, double *force);

/* sizes.c: sizes of the program at w, where the model has them. */
void phases_find_sizes(struct phases *ph, const double *w);

#endif
