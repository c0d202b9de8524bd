/* core/replay/replay.h - a solution of an optimal control problem, judged from outside
 *
 * The controls of the solution drive the event-driven simulation from its initial state, and both are compared. A
 * state is measured on its own scale: its largest magnitude in the solution, at least the floor, or the width of
 * its bounds where that is less.
 *
 *   error_end     of a state at the end, relative to its scale
 *   error_worst   the same at every point of the solution; near an event the limits on both sides count, as its
 *                 time may be a little off
 *   interval      the same at the end of a control interval that is simulated from the solution's state at its
 *                 start, closed contacts moved to gap = 0, at rest where they carry a force; what may leave as
 *                 well as stay stays there, as in the solution
 *   forces        J'lambda of the solution and of the simulation: what contacts do together, as redundant ones
 *                 may share it in any way; relative to the largest sum of its terms in that coordinate
 *   impulses      J'Lambda of the solution and M (v_plus - v_minus) of its states, likewise; but for what closed
 *                 contacts without an event may pass on
 *   events        each event of the solution and the nearest one of that kind and name in the simulation: an
 *                 impact within a thousandth of the horizon, others, which may be badly conditioned in time,
 *                 within a twentieth, as long as the states at the time of the solution agree
 *   penetration   of the polynomials through the solution's points, between them as well; judged relative to what
 *                 the scales of the positions make of the gap
 *   cone          |lambda_t| - mu lambda_n and -lambda_n of the solution, relative to its largest
 *                 lambda_n; of impulses likewise
 *   energy        kinetic energy of the simulation at the end - that at the start - the integral of
 *                 v'(f_v + M' v/2), M' the time derivative of M, + what friction and impacts took; relative to
 *                 max(1, largest kinetic energy)
 *   objective     running cost by Gauss quadrature over the pieces of the simulation, plus sampled and terminal
 *                 costs; relative to the sum of the magnitudes of its terms
 *   the spec      initial and final values, horizon, bounds of states, controls and parameters, constraints: at
 *                 the solution's points, those along the path between them and along the simulation too
 *
 * A solution is verified if every finding is at most its tolerance. If any misses its own, the start of every
 * interval is changed by 1e-8: where that grows more than a hundred times to the end, and the errors of single
 * intervals, or of their simulation, enough to explain the error there, the trajectory is unstable, and the
 * simulations of single intervals are judged instead. One change is followed from interval to interval, which
 * costs a simulation; every state is changed, which costs one each, only where the one does not tell and comes
 * near it. Intervals that have no length, and are there for a command to a machine, belong to the whole alone. So
 * what a strict tolerance accepts a loose one does.
 *
 * Shapes  x [n_x], u [n_u]; points and intervals slowest.
 * Errors  a simulation that does not reach the end is a finding: STATUS_UNVERIFIED with its reason.
 */
#ifndef COCP_CORE_SIMULATION_REPLAY_H
#define COCP_CORE_SIMULATION_REPLAY_H

#include "core/simulation/finding.h"
#include "core/simulation/simulation.h"
#include "core/spec/settings.h"

/* The program's own settings of a judgement: a file may ask for stricter ones, the command line for any. */
#define REPLAY_TOL 1e-3
#define REPLAY_FLOOR 1e-3           /* a state that stays at 0 is right to 1e-6 in SI units */
#define REPLAY_RTOL 1e-12           /* of its flow: a simulation of the user's may be coarser, a judgement is not */
#define REPLAY_ATOL 1e-14
#define REPLAY_EVENTS 10000         /* most of them */

struct verify_settings {            /* the block `verify` of the spec; README.md "The spec" */
    double tol;                     /* largest error of a state, relative to its scale */
    double floor;                   /* least scale of a state, in its own unit */
};



extern const struct setting_table verify_table;

struct replay_point {
    double t, t_num;
    int element;                    /* its points and the one before them lie on one polynomial of t_num ... */
    bool is_polynomial;             /* ... unless they begin with a jump or the method has none */
    int side;                       /* -1, 0, 1 (results.md) */
    const double *x;                /* [n_x] */
    const double *force;            /* [model_n_force] */
};

struct replay_event {
    double t;
    const char *kind, *name;
    double impulse[CONTACT_ROWS];
    const double *x_minus, *x_plus; /* [n_x] before and after; NULL: not known */
};

struct replay_solution {            /* all borrowed */
    const double *p;                /* [n_p] optimized parameters */
    const expr *u_expr;             /* [n_u] what took a control's place; NULL: nothing */
    int n_point;
    const struct replay_point *point;       /* physical ones, t ascending */
    struct sim_controls controls;   /* a row per interval; t ascending strictly; u NULL: intervals alone */
    int n_event;
    const struct replay_event *event;
    double objective;               /* NAN: it has none, and nothing is said about it */
};

struct replay_settings {
    double tol;                     /* of states at the end, of all and of single intervals */
    double tol_others;              /* of everything else */
    double floor, rtol, atol;
    int max_events;
    double max_seconds;
    enum jump_law restitution;      /* JUMP_NEWTON or JUMP_POISSON */
    bool brief;                     /* whether it is unstable is asked only where that may accept it */
    const volatile sig_atomic_t *interrupt;
};

struct replay_report {
    struct arena mem;               /* owns the arrays and the text */
    enum status status;             /* OK: verified; UNVERIFIED, INTERRUPTED, LIMIT (of max_seconds) */
    struct findings findings;       /* what was judged; none if the simulation was stopped early */
    const char *reason;             /* why not: that of the first finding that fails; else NULL */
    struct sim *sim;                /* the simulation; owned */
    double t_end;                   /* it reached, of the solution's */
    double *error_end;              /* [n_x]; NAN if it did not get there */
    double error, error_worst, t_worst;     /* largest of error_end; error_worst and its time */
    int state, state_worst;         /* whose they are */
    bool unstable;
    double amplification;           /* |change at the end| / |change at the start|, the largest of all states, or about the root mean
                                     * square of theirs, where that tells enough; NAN: not needed */
    int n_interval;
    double *interval_error;         /* [n_interval] */
    double *interval_between;       /* [n_interval] the same at its points */
    double interval_worst;
    int interval;                   /* where it is */
    int n_matched, n_missing, n_extra;      /* events: of both, of the solution alone, of the simulation alone */
    double event_error;             /* s, largest difference of matched events */
    int event_farthest;             /* of which one */
    const char **event_unjudged;      /* [n_event] why an event of the solution need not happen in the simulation, static text; NULL: it
                                     * has to */
    double penetration, t_penetration;      /* largest, 0 if none; as the next one NAN where the simulation broke off */
    int contact_penetration;
    double cone, t_cone;            /* relative */
    int contact_cone;
    double energy;                  /* NAN: not mechanical */
    double objective, objective_error;      /* NAN without a cost */
    double seconds;
};

/* The controls of n intervals as a replay takes them, from a file or a program: of intervals that begin
 * at one time the last. That is up to rounding, as in frozen time; but machines see each command that
 * lasts at all. Arrays in mem. */
struct sim_controls replay_rows(const struct model *model, int n, const double *t, const double *u,
                                struct arena *mem);

/* What every judgement starts from, so that those of `solve` and of `verify` differ in
 * what they are told to alone. */
struct replay_settings replay_settings_default(void);

/* STATUS_OK whatever the finding, which is in *out; STATUS_SPEC with messages if nothing can be simulated. */
enum status replay_verify(struct model *model, const struct replay_solution *solution,
                          const struct replay_settings *settings, struct replay_report *out, struct diag *diag);
/* What needs no simulation: gaps and what the spec asks, at the solution's points and between them. The report's
 * status and reason follow from these findings alone. */
void replay_inspect(struct model *model, const struct replay_solution *solution,
                    const struct replay_settings *settings, struct replay_report *out);

void replay_report_free(struct replay_report *report);

#endif
