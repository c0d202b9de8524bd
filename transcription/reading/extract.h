/* transcription/reading/extract.h - the sequence of a trajectory, and the trajectory as a start for its program
 *
 * Three kinds of sources. A time-stepping solution spreads an impact over two steps and knows events to a
 * step, and what switches is known up to sigma; a solution whose elements end at events (FESD, FESD-J,
 * time-freezing) has each element in one mode; a simulation knows its modes. All are cleaned: holes of one
 * step, sticks of one step between opposite slips, openings that are none, events without a change, sticks
 * that others imply; phases.md "Reading".
 *
 * Shapes  w [n_w] of the program; y [n_y] of the system, points slowest; u [n_u] by control interval.
 * Units   of the spec.
 */
#ifndef COCP_TRANSCRIPTION_READING_EXTRACT_H
#define COCP_TRANSCRIPTION_READING_EXTRACT_H

#include "transcription/discretize/transcription.h"
#include "transcription/sequence/samples.h"

struct sim;

/* exploits: of time steps that exploit their grid the fastest change of a gap, m/s (extract_steps.c); else 0. */
struct extract { struct sequence *seq; struct samples *samples; double exploits; };

/* Time-stepping knows no restitution. Where a contact with one lands it bounces once, or it touches down at rest
 * and stays, as the steps do. */
enum landing { LANDING_BOUNCES, LANDING_RESTS };

/* From a time-stepping solution w of contacts; from one whose elements end at events. extract_free afterwards. */
struct extract extract_steps(const struct phase_system *sys, const struct transcription *tr, const double *w,
                             enum landing landing);
/* From fixed steps of a switched system without contacts, in step form. */
struct extract extract_switches(const struct phase_system *sys, const struct transcription *tr, const double *w);
struct extract extract_elements(const struct phase_system *sys, struct transcription *tr, const double *w);

/* The same from what a result file shows. Points of a stretch lie in one mode, its left boundary first; a time
 * step has its end and the force in it. All is borrowed. */
struct stretch { double t_start, t_end; int interval, n; const double *t, *y; };     /* [n], [n * n_y] */
struct stretch_step { double t; struct sequence_step step; };
struct stretches {
    int n;
    const struct stretch *stretch;  /* [n] ascending, those that tell something */
    double horizon;
    bool equidistant;               /* control intervals; else no event lies on a grid point */
    double dead_band;               /* how far a closed gap may be off, m */
    const double *u, *p;            /* [n_interval * n_u], [n_p] */
    int n_step;
    const struct stretch_step *made;            /* [n_step] transitions of machines, in their order */
};
struct time_steps {
    int n;
    const double *t, *y, *force;    /* [n + 1], [(n + 1) * n_y], [(n + 1) * n_contact]: of the step that ends there */
    const double *u, *p;
    const double *alpha;            /* [(n + 1) * n_switch] of the model's switches, the same; NULL: not known */
};
struct extract extract_stretches(const struct phase_system *sys, const struct stretches *from);
struct extract extract_time_steps(const struct phase_system *sys, const struct time_steps *from,
                                  enum landing landing);
/* Adds the points of the stretches to samples, each in the mode of its stretch. */
void extract_fill(const struct stretches *from, struct samples *samples);

/* From an event-driven simulation of the whole horizon; false if it has other switches than the system. */
bool extract_simulation(const struct phase_system *sys, const struct sim *sim, struct extract *out);
/* The same where control intervals have lengths of their own: t_interval [n_intervals +
 * 1], their starts and the end. */
bool extract_simulation_on(const struct phase_system *sys, const struct sim *sim, const double *t_interval,
                           struct extract *out);
/* The same with all that slips in space sticking, and without the events that then say nothing; false if nothing
 * slips there. extract_free of *out afterwards, in either case. */
bool extract_sticking(const struct extract *from, struct extract *out);
/* Patches of closed contacts by the places of the samples, with an event more wherever a contact goes over from one
 * to the next; where it opens within `near` (m) of the end of its patch, it opens there. */
void extract_patches(const struct phase_system *sys, struct extract *extract, double near);
/* Where given initial values start in another mode than the first one that comes first, and one event in the first
 * interval leads from it to what was first (first_mode.h). */
void extract_first(const struct phase_system *sys, struct extract *extract);
/* What slides by chance (sliding.h) stays on a side instead: of what comes after it, or of what was before. */
struct extract extract_beside_sliding(const struct phase_system *sys, const struct extract *from, bool later);
/* The first n_event events, the last mode up to the end. */
struct extract extract_prefix(const struct extract *from, int n_event);
void extract_free(struct extract *extract);

/* Place of a time inside its interval; and the grid point that it is, within near (parts of that interval), else
 * inside. grid [n_interval + 1]. */
int extract_inside(const struct phase_system *sys, const double *grid, double t);
/* The control interval of time step k, from t[k - 1] to t[k]. */
int extract_step_interval(const struct phase_system *sys, const double *grid, const double *t, int k);
/* Of transition k: one that controls command is where an interval begins. */
int extract_transition(const struct phase_system *sys, const double *grid, double t, int k);
int extract_place(const struct phase_system *sys, const double *grid, double t, double near);

/* --- For both: a list of changes, which becomes the sequence --------------------------------------------------- */
struct change {
    double t;
    int place;                      /* sequence.h */
    int subject, state;             /* from then on */
    int hit;                        /* of contacts: state of its impulse, PHASE_OPEN: none */
    const struct sequence_step *step;           /* of machines: how; borrowed; NULL: of none */
};
struct changes { int n; struct change *change; };

void changes_add(struct changes *changes, struct change change);
/* Sides of the user's complementarity in stretches, each interval in one where a side depends on controls:
 * that is 0 which is smaller, by its largest magnitude of all; where both are 0, as before. start
 * [n_subject]: theirs are set. */
void changes_add_sides(const struct phase_system *sys, const struct stretches *from, struct changes *changes,
                       unsigned char *start);

/* From the states at the start; changes at one time become one event. Sorted by time first. y_at gives a state at a
 * time: closed contacts that an impact reaches are found there. */
struct extract changes_to_sequence(const struct phase_system *sys, const unsigned char *start,
                                   struct changes *changes, void (*y_at)(void *user, double t, double *y),
                                   void *user);

#endif
