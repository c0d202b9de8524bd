/* transcription/multiphase/phase_trace.h - a solution of a program of phases as a trajectory: points, events,
 * controls
 *
 * What results, plots and the replay by events want to know, and nothing of the program. Points ascend in time:
 * the start, then the stages of every element; where velocities or controls jump the point before has side -1 and
 * one after it follows, with side 1 and the element that begins. Pieces of no length have no points.
 *
 * Shapes  x [n_x], u [n_u], force [model_n_force] of contacts and projections, signal [n_hysteresis + n_signal]
 *         of relays and machines.
 */
#ifndef COCP_TRANSCRIPTION_MULTIPHASE_PHASE_TRACE_H
#define COCP_TRANSCRIPTION_MULTIPHASE_PHASE_TRACE_H

#include "core/replay/replay.h"
#include "transcription/multiphase/multiphase.h"

struct phase_trace_point {
    double t;
    int element, side, interval;    /* element of the program, as /grid has them */
    const double *x, *u, *force, *signal;
};

struct phase_trace {
    struct arena mem;               /* owns everything */
    int n_point;
    struct phase_trace_point *point;
    int n_event;
    struct sim_event *event;        /* subjects: contacts, switches, transitions, phases by the user */
    const char **subject;           /* their names */
    int n_interval;
    double *t_interval, *u;         /* [n_interval] start; [n_interval * n_u] */
    double *p;                      /* [n_p] */
    double horizon;
};

struct phase_trace *phase_trace_create(const struct phases *ph, const double *w);
void phase_trace_free(struct phase_trace *trace);

/* What happens to a contact or switch at event j of the sequence, an enum sim_kind; -1: nothing that is told. */
int phase_trace_kind(const struct phase_system *sys, const struct sequence *seq, int j, int subject);

/* State and forces at time t, by the polynomial of its element: x [n_x], force [model_n_force]; returns the
 * interval. On an event the right limit. */
int phase_trace_at(const struct phases *ph, const double *w, double t, double *x, double *force);

/* Signals then. */
void phase_trace_signals(const struct phases *ph, const double *w, double t, double *signal);

/* The same where a control interval begins, right limits. */
void phase_trace_start(const struct phases *ph, const double *w, int interval, double *x, double *force);

/* Impulses of an event, [CONTACT_ROWS n_contact]; it has an impact. */
void phase_trace_impulses(const struct phases *ph, const double *w, int event, double *impulse);

/* Forces at a stage of an element, [CONTACT_ROWS n_contact]. */
void phase_trace_forces(const struct phases *ph, const double *w, int element, int stage, double *force);

/* The trajectory as the replay by events takes it, what verify reads back from a file; borrowed from the trace,
 * its points and controls allocated there. */
struct replay_solution phase_trace_replay(struct phase_trace *trace, const struct model *model, double objective);

#endif
