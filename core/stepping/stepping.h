/* core/stepping/stepping.h - time-stepping schemes for contact: references for the event-driven simulation
 *
 * Both take steps of a given length through impacts and find an impulse per step by complementarity
 * (friction.h); no event is located, the error is of the size of a step.
 *
 *   Moreau-Jean, theta = 1/2 (Jean 1999)
 *     M(q_m) (v+ - v) = h f_v(x_m, u, t_m) + J impulse,     q+ = q + h N(q_m) (v + v+)/2,     x_m = (x + x+)/2
 *     contacts whose gap at q + h N v/2 is not positive:  0 <= v_n+ + e v_n, impulse_n >= 0, complementary
 *   Stewart-Trinkle (1996)
 *     M(q) (v+ - v) = h f_v(x, u, t) + J impulse,           q+ = q + h N(q) v+, of unit length again
 *     0 <= gap + h v_n+, impulse_n >= 0, complementary; a contact that is met leaves with at least -e v_n
 *
 * Friction is Coulomb's at the velocity v+. States beyond positions and velocities take the midpoint rule with
 * the first scheme and Euler's with the second. Steps end where controls jump.
 *
 * Shapes  as in simulation.h.
 * Errors  stepping_run returns STATUS_SPEC with a message in `diag` for models the schemes do not take (not
 *         mechanical, switches in forces; initial penetration); what happens on the way is a result.
 */
#ifndef COCP_CORE_SIMULATION_STEPPING_H
#define COCP_CORE_SIMULATION_STEPPING_H

#include "core/simulation/simulation.h"

enum stepping_scheme { STEPPING_MOREAU, STEPPING_STEWART_TRINKLE };

struct stepping_task {
    struct model *model;            /* its graph grows by derivatives */
    enum stepping_scheme scheme;
    const double *p;                /* [n_p]; NULL: their guesses */
    const double *x_initial;        /* [n_x] */
    double t_start, t_end;
    int n_steps;                    /* of equal length over the whole time; more where controls jump */
    struct sim_controls controls;
    double max_seconds;             /* of wall time; INFINITY: none */
    const volatile sig_atomic_t *interrupt;     /* nonzero: stop; or NULL */
};

struct stepping {
    struct arena mem;               /* owns the arrays and the message */
    enum status status;             /* OK: reached the end */
    const char *message;            /* why it did not; or NULL */
    int n_x, n_contact;
    int n;                          /* steps taken */
    double *t;                      /* [n + 1] */
    double *x;                      /* [(n + 1) * n_x] */
    double *u;                      /* [(n + 1) * n_u] from t[k] on */
    double *impulse;                /* [n * CONTACT_ROWS n_contact] of a step: normal, tangential */
    double *v;                      /* [n * CONTACT_ROWS n_contact] contact velocities at its end; INFINITY if it is far from
                                     * its contact */
    int n_lcp, n_pivots, n_newton;  /* of all steps */
    double seconds;
};

/* Simulates. *out is there unless the status is STATUS_SPEC. */
enum status stepping_run(const struct stepping_task *task, struct stepping **out, struct diag *diag);
void stepping_free(struct stepping *run);

/* What contacts do from step to step, as events at the end of the step where it is first seen: [*n], malloc'ed;
 * states are borrowed from the run. A bounce within one step is an impact without a liftoff. */
struct sim_event *stepping_events(const struct stepping *run, int *n);

#endif
