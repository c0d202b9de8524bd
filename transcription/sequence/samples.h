/* transcription/sequence/samples.h - a trajectory with its modes: where a program of phases starts, and what
 * comes out
 *
 * Points of states, each in one mode of a sequence, controls by interval, times of events. Between points of a
 * mode states are linear; outside of them the nearest is taken.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_SAMPLES_H
#define COCP_TRANSCRIPTION_SEQUENCE_SAMPLES_H

#include "transcription/sequence/sequence.h"
#include "transcription/sequence/system.h"

struct samples {
    int n, cap, n_y, n_u, n_p, n_interval, n_event;
    double *t, *y;                  /* [n], [n * n_y]; t ascending */
    int *mode;                      /* [n] */
    double *t_event;                /* [n_event] */
    double *u;                      /* [n_interval * n_u] */
    double *t_interval;             /* [n_interval + 1] their starts and the end; NULL: those of the model */
    double *p;                      /* [n_p] */
    double horizon;
};

struct samples *samples_create(const struct phase_system *sys, int n_event);
void samples_free(struct samples *samples);
/* Room for one more point, its y to be filled: [n_y]. Points are added in the order of time. */
double *samples_add(struct samples *samples, double t, int mode);

/* State at time t in a mode: [n_y]. */
void samples_at(const struct samples *samples, double t, int mode, double *y);

/* States in the middle of each mode, [(n_event + 1) * n_y]: the caller's. */
double *samples_of_modes(const struct samples *samples);

/* The same trajectory with the modes of another sequence, t_event [n_event]: each of its modes takes the points
 * that lie in it, or the nearest one. same: the modes are the same ones, only their events moved. */
struct samples *samples_remap(const struct samples *from, int n_event, const double *t_event, bool same);

/* Its times are stretched between its events, which were at t_event [n_event], to where they are now; controls of
 * an interval of the grid [n_interval + 1] become the mean of what they were over the same part of the motion. */
void samples_stretch(struct samples *samples, const double *t_event, const double *grid);

#endif
