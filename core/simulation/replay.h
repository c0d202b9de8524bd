/* core/simulation/replay.h - a solution of an optimal control problem, checked from outside
 *
 * The controls of the solution drive the event-driven simulation from its initial state, and both are compared:
 *
 *   error_end     of a state at the end, relative to max(1, its largest magnitude in the solution)
 *   error_worst   the same at every point of the solution; near an event the limits on both sides count, as its
 *                 time may be a little off
 *   interval      the same at the end of a control interval that is simulated from the solution's state at its
 *                 start, closed contacts moved to gap = 0
 *   events        each event of the solution and the nearest one of that kind and name in the simulation
 *   penetration   of the polynomials through the solution's points, between them as well
 *   cone          |lambda_t| - mu lambda_n of the solution, relative to max(1, its largest lambda_n); of impulses
 *                 likewise
 *   energy        kinetic energy of the simulation at the end - that at the start - the integral of
 *                 v'(f_v + M' v/2), M' the time derivative of M, + what friction and impacts took; relative to
 *                 max(1, largest kinetic energy)
 *   objective     running cost by Gauss quadrature over the pieces of the simulation, plus terminal cost
 *
 * A solution is verified if error_end is at most tol. If it is not, the initial state is changed by 1e-8: a
 * trajectory that amplifies that more than a hundred times, and the errors of single intervals enough to explain
 * the error at the end, is unstable, and the largest interval error is judged instead.
 *
 * Shapes  x [n_x], u [n_u]; points and intervals slowest.
 * Errors  a simulation that does not reach the end is a finding: STATUS_UNVERIFIED with its reason.
 */
#ifndef COCP_CORE_SIMULATION_REPLAY_H
#define COCP_CORE_SIMULATION_REPLAY_H

#include "core/simulation/simulation.h"
#include "core/spec/settings.h"

struct verify_settings {            /* the block `verify` of the spec; README.md "The spec" */
    double tol;                     /* largest error of a state at the end, relative to max(1, its largest size) */
};

extern const struct setting_table verify_table;

struct replay_point {
    double t, t_num;
    int element;                    /* its points and the one before them lie on one polynomial of t_num ... */
    bool is_polynomial;             /* ... unless they begin with a jump or the method has none */
    int side;                       /* -1, 0, 1 (README.md "The result") */
    const double *x;                /* [n_x] */
    const double *force;            /* [3 * n_contact] normal, tangential */
};

struct replay_event { double t; const char *kind, *name; double impulse[3]; };

struct replay_solution {            /* all borrowed */
    const double *p;                /* [n_p] optimized parameters */
    int n_point;
    const struct replay_point *point;       /* physical ones, t ascending */
    struct sim_controls controls;   /* a row per interval; t ascending strictly */
    int n_event;
    const struct replay_event *event;
    double objective;
};

struct replay_settings {
    double tol, rtol, atol;
    int max_events;
    double max_seconds;
    enum jump_law restitution;      /* JUMP_NEWTON or JUMP_POISSON */
    const volatile sig_atomic_t *interrupt;
};

struct replay_report {
    struct arena mem;               /* owns the arrays and the text */
    enum status status;             /* OK: verified; UNVERIFIED, INTERRUPTED, LIMIT (of max_seconds) */
    const char *reason;             /* why not; else NULL */
    struct sim *sim;                /* the simulation; owned */
    double t_end;                   /* it reached, of the solution's */
    double *error_end;              /* [n_x]; NAN if it did not get there */
    double error, error_worst, t_worst;     /* largest of error_end; error_worst and its time */
    int state, state_worst;         /* whose they are */
    bool unstable;
    double amplification;           /* largest |change at the end| / |change at the start|; NAN: not needed */
    int n_interval;
    double *interval_error;         /* [n_interval] */
    double interval_worst;
    int interval;                   /* where it is */
    int n_matched, n_missing, n_extra;      /* events: of both, of the solution alone, of the simulation alone */
    double event_error;             /* s, largest difference of matched events */
    double penetration, t_penetration;      /* largest, 0 if none */
    int contact_penetration;
    double cone, t_cone;
    int contact_cone;
    double energy;                  /* NAN: not mechanical */
    double objective, objective_error;      /* error relative to max(1, |objective|); NAN without a cost */
    double seconds;
};

/* STATUS_OK whatever the finding, which is in *out; STATUS_SPEC with messages if nothing can be simulated. */
enum status replay_verify(struct model *model, const struct replay_solution *solution,
                          const struct replay_settings *settings, struct replay_report *out, struct diag *diag);
void replay_report_free(struct replay_report *report);

#endif
