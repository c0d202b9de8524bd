/* core/replay/replay_parts.h - parts of replay.h, private to replay*.c
 *
 * replay.c judges the simulation of the whole, by replay_run.c, replay_intervals.c those of single intervals, from
 * the states of replay_starts.c; replay_stability.c tells how changes grow. replay_compare.c lays a simulation
 * beside the solution, replay_impulses.c balances impacts, replay_objective.c adds up costs; replay_checks.c looks
 * at events, gaps, cones and energy; replay_demands.c asks what the spec asks, replay_constraints.c its
 * constraints; replay_worst.h says what is off, and by how much.
 *
 * Shapes  x [n_x], controls [n_u], forces [model_n_force]; events and intervals as of replay.h.
 * Units   of the spec; errors of states relative to their scales.
 */
#ifndef COCP_CORE_REPLAY_REPLAY_PARTS_H
#define COCP_CORE_REPLAY_REPLAY_PARTS_H

#include "core/contact/dense.h"
#include "core/model/contact_functions.h"
#include "core/replay/replay.h"

#include <string.h>

#define SAME_TIME 1e-9              /* of the horizon: times closer than this are one */

#define EVENT_WINDOW 1e-3           /* of the horizon: how far the time of an event may be off */
#define REPLAY_STILL 1e-6           /* m/s: a slip that is none */
#define REPLAY_TOUCHES 1e-6         /* m: a gap that is none */
#define REPLAY_NO_LOAD 1e-6         /* N: a force that is none */
#define FORCE_SLACK 30              /* times the tolerance of states: forces are their second derivatives, a Runge-Kutta
                                     * scheme has them to a lower order */

/* What simulations of all of the solution, or of its intervals one by one, differ from it. */
struct comparison {
    double state, t_state;          /* largest error of a state at a point, and when */
    int i_state;
    double force, t_force;          /* the same of J'lambda, by coordinates, then of rates by states */
    int i_force;
    double cost, cost_size;         /* integral of the running cost, and of the magnitudes of its terms */
    const char **met;               /* [n_event] how the event was met, static text; NULL: not at all */
};

struct replay {
    struct arena mem;               /* owns every array below */
    struct model *model;
    const struct replay_solution *solution;
    const struct replay_settings *settings;
    struct replay_report *report;
    double *scale;                  /* [n_x] */
    double *force_scale;            /* [n_q + n_x] largest sum of |J| |lambda|, by coordinates, then of |push| |lambda| */
    double *x, *y;                  /* [n_x] scratch */
    double *change;                 /* [model_n_force] scratch: a difference of forces */
    struct sim_contact *contact;    /* [n_contact] scratch */
    struct model *fork;             /* owned: what the checks derive goes with it */
    struct contact_functions contacts;      /* of fork */
    struct function reactions;      /* likewise: what each does to [n_q] coordinates, then [n_x] states */
    struct function running;        /* of fork: terms of the running cost */
    int *closed;                    /* contacts whose gaps are closed; how far they are, what closes them */
    double *J, *miss, *dq;
    bool *rests;                    /* [n_contact] closed ones that carry a force where a simulation starts */
    double *basis;                  /* [n_q * n_q] scratch: directions of closed contacts */
    struct dense dense;
    struct comparison whole, parts; /* with the simulation of all, and of single intervals */
    double *end;                    /* [n_interval * n_x] states at the ends of these; NAN where one did not get there */
    double start;                   /* of the clock */
    struct diag *diag;
};

static inline const struct replay_point *replay_last(const struct replay_solution *solution)
{
    return &solution->point[solution->n_point - 1];
}

static inline bool replay_is(const struct replay_event *event, enum sim_kind kind)
{
    return strcmp(event->kind, sim_kind_text(kind)) == 0;
}

/* Seconds that the time of an event may be off. */
static inline double replay_window(const struct replay_solution *solution)
{
    return EVENT_WINDOW * (replay_last(solution)->t - solution->point[0].t);
}

/* --- replay_run.c -------------------------------------------------------------------------------------------- */

/* The row of controls at t, on a jump that before it (side -1) or after it; NULL: there is none. */
const double *replay_controls(const struct replay *r, double t, int side);

/* Is contact c there at time t, on a jump before it (side -1) or after it? */
bool replay_has_contact(const struct replay *r, int c, double t, int side);
/* The time at which a part of the control intervals ends. */
double replay_time_of_part(const struct replay *r, double part);

/* From state x at t_start to t_end. is_part: after what jumps where it starts. max_steps 0: any number. */
enum status replay_simulate(struct replay *r, const double *x, double t_start, double t_end, bool is_part,
                            int max_steps, struct sim **sim);

/* --- replay_checks.c, for all that look along the solution --------------------------------------------------- */

/* Every point of the solution and places between each two on a polynomial. point: its index, of a place that before
 * it; side as of the point, 0 between. */
struct replay_place { double t; int point, side; bool is_point; const double *x; };
typedef void replay_visit(void *user, const struct replay_place *place);
/* asked: the function that the visitor asks for at each place, of states and time alone; NULL: none such. */
void replay_walk(const struct replay *r, struct function *asked, replay_visit *visit, void *user);

/* --- replay_intervals.c -------------------------------------------------------------------------------------- */

/* The last point at or before t: of a jump at t its right limit, or its left one. */
int replay_point_at(const struct replay_solution *solution, double t, bool before_jump);
double replay_end_of_interval(const struct replay *r, int i);
/* Does the interval last so short that its start and its end are one point? As a part of the whole alone it can be
 * simulated. */
bool replay_is_instant(const struct replay *r, int i);
/* Fills r->parts, r->end, and errors of intervals in the report. */
void replay_check_intervals(struct replay *r);

/* --- replay_starts.c ----------------------------------------------------------------------------------------- */

/* Lists what is closed at the point, r->closed, as it overlaps or carries a force; says what rests, r->rests.
 * Returns how many are closed. */
int replay_find_closed(struct replay *r, const struct replay_point *point);
/* x: the state of the point, moved the shortest way to where closed contacts have gap zero. They are a little open
 * or shut in a solution: dead bands of time-freezing, tolerances. Returns how many are. */
int replay_close_contacts(struct replay *r, const struct replay_point *point, double *x);
/* The same, and what carries a force, which may drift by rounding and tolerances, does not leave. */
void replay_start_part(struct replay *r, const struct replay_point *point, double *x);
/* x: one Newton step towards gap = 0 of the n closed contacts, the shortest one; orientations get their length back
 * before. */
void replay_close_gaps(struct replay *r, int n, double t, double *x);
/* x: the shortest change of velocities that takes closed contacts to v_n = 0, and what rests without a slip to
 * v_t = 0: off by rounding alone it would slip or leave, where it may, or be in no mode at all. */
void replay_stop_closing(struct replay *r, int n, double t, double *x);

/* --- replay_stability.c -------------------------------------------------------------------------------------- */

/* The amplification of the report, and whether the solution is unstable. */
void replay_judge_stability(struct replay *r);

/* --- replay_compare.c ---------------------------------------------------------------------------------------- */

/* Largest scaled difference of two states, and whose it is. NaN is infinitely far. */
struct difference { double size; int state; };
struct difference replay_difference(const struct replay *r, const double *a, const double *b);

/* How far a simulation is from a state of the solution; of events nearby it may be on either side. */
struct difference replay_error_at(struct replay *r, const struct sim *sim, double t, const double *x);

void replay_set_scales(struct replay *r);
void replay_comparison_init(struct replay *r, struct comparison *to);
/* Adds what a simulation makes of points first .. last, of forces, events and cost. */
void replay_compare(struct replay *r, const struct sim *sim, int first, int last, struct comparison *to);
/* Findings of states between the ends, forces, events and the objective. */
void replay_judge_comparison(struct replay *r, const struct comparison *found);
/* Contacts at t and x, in r->contacts; adds their J'a, or with |J|'|a| the size of its terms. */
void replay_eval_contacts(struct replay *r, double t, const double *x);
void replay_add_force(struct replay *r, const double *a, bool sizes, double *to);

/* --- replay_impulses.c --------------------------------------------------------------------------------------- */

void replay_judge_impulses(struct replay *r);

/* Impacts of the solution: what happens at one time is one. Sets state and impulses of the one that event j begins
 * with, those of closed contacts that pass it on, too; false if that is no impact. The first event behind it. */
bool replay_set_impact(struct replay *r, const struct inputs *inputs, int j);
int replay_next_impact(const struct replay *r, int j);

/* --- replay_objective.c -------------------------------------------------------------------------------------- */

/* The finding of the objective, and its field of the report. */
void replay_judge_objective(struct replay *r, const struct comparison *found);

/* --- replay_checks.c ----------------------------------------------------------------------------------------- */

/* Fill their fields of the report; gaps and cones add their findings. */
void replay_match_events(const struct replay_solution *solution, struct replay_report *report);
void replay_judge_unknown_impacts(struct replay *r);
void replay_check_gaps(struct replay *r);
void replay_check_cone(struct replay *r);
void replay_balance_energy(struct model *model, const struct replay_solution *solution,
                           struct replay_report *report);

/* Contact forces of a simulation at t in piece k, where costs or constraints speak of them. */
void replay_set_forces(const struct inputs *inputs, const struct sim *sim, int k, double t);

/* The integral of a function over the pieces of a simulation that begin before t_end: steps, over which it is
 * smooth. The sum of its n components; *size that of their magnitudes. */
double replay_integrate(struct function *f, int n, const struct sim *sim, double t_end, double *size);

/* --- replay_demands.c ---------------------------------------------------------------------------------------- */

/* Adds a finding for each demand of the spec. Without sim (unstable) constraints are looked at along the solution
 * alone. */
void replay_judge_demands(struct replay *r, const struct sim *sim);

/* --- replay_constraints.c ------------------------------------------------------------------------------------ */

/* A finding for each constraint, each complementarity of the user and each constraint of impacts; sim as above. */
void replay_judge_constraints(struct replay *r, const struct sim *sim);

#endif
