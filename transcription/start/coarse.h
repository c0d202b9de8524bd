/* transcription/start/coarse.h - a time-stepping solution read as steps: when contacts are closed, where they hit
 *
 * Private to the presolves (presolve.c and what it calls). Implicit Euler (fesd_j.md 10) spreads an impact over two
 * steps; what is read here puts it together again (presolve.md 3).
 */
#ifndef COCP_TRANSCRIPTION_START_COARSE_H
#define COCP_TRANSCRIPTION_START_COARSE_H

#include "transcription/discretize/transcription.h"

enum { COARSE_MAX_CONTACTS = 16 };  /* of a presolve */

struct coarse_step {
    double t_start, t_end;
    const double *x_start, *x_end;  /* [n_x] */
    const double *lam, *sel;        /* [n_lam], [n_sel] of the step's end */
    double gap[COARSE_MAX_CONTACTS], v_n[COARSE_MAX_CONTACTS], v_t[COARSE_MAX_CONTACTS];    /* at its end */
    double lambda_n[COARSE_MAX_CONTACTS], lambda_t[COARSE_MAX_CONTACTS];    /* mean forces; lambda_t planar */
};

struct coarse {
    const struct transcription *from;       /* borrowed, as w */
    const double *w;
    int n, n_contact;
    double h;
    struct coarse_step *step;       /* [n] */
};

/* Reads the solution w of the time-stepping transcription `from`, which is borrowed; coarse_free afterwards. */
struct coarse coarse_read(const struct transcription *from, const double *w);
void coarse_free(struct coarse *coarse);

bool coarse_is_closed(const struct coarse_step *step, int c);

/* Force of contact c once the impact in step j has passed. */
double coarse_steady_force(const struct coarse *coarse, int j, int c);

/* The step that holds time t; of two that meet there the earlier one. */
int coarse_step_at(const struct coarse *coarse, double t);

/* x [n_x] at t, linear in step j. */
void coarse_state(const struct coarse *coarse, int j, double t, double *x);

/* When the first contact hits in step j; NAN: none does. */
double coarse_first_hit(const struct coarse *coarse, int j);

/* Impulse if contact c hits in step j, else 0; and when it hits. */
double coarse_impulse(const struct coarse *coarse, int j, int c);
double coarse_impact_time(const struct coarse *coarse, int j, int c);

/* Element lengths and all points of tr, whose parameters are written by then: as the phases of
 * time-freezing, with the speeds of time (presolve_phases.c), or with events on the element boundaries of
 * FESD-J (presolve_impacts.c). */
void coarse_write_phases(const struct coarse *steps, struct transcription *tr);
void coarse_write_impacts(const struct coarse *coarse, struct transcription *tr);

#endif
