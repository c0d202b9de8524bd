/* core/model/model.h - what a spec says, as expressions: states, dynamics, contacts, cost, constraints
 *
 * Parameters that are not optimized are constants of the graph; defines are substituted. Every command reads this.
 *
 *   ode         x' = rhs(x, u, p, t)
 *   mechanical  q' = N(q) v,  M(q) v' = f_v(q, v, u, p, t) + sum_c J_n lambda_n + J_t lambda_t,  other states x' = rhs
 *               (f_v: force, minus Coriolis and potential terms when energies are given; no contact); N is the unit
 *               matrix but for orientations (kinematics.h)
 *   piecewise   x' = rhs + sum over groups of the rhs of the mode that the signs of the group's switches select
 *   projections add their reactions to rhs and f_v: x' = rhs + push lambda,  0 <= gap _|_ lambda >= 0
 *   pairs with a force of their own: rhs and f_v may depend on lambda,  0 <= H(x, u, p, t, lambda) _|_ lambda >= 0
 *
 * With phases the horizon is a row of stretches with lengths of their own, each cut into its control intervals. The name
 * of a phase is a control that is 1 in its intervals and 0 in the others: what differs from phase to phase is multiplied
 * by it.
 *
 * rhs and f_v may contain nonsmooth nodes (nonsmooth.h turns them into switching functions); M, gaps, tangents,
 * cost and constraints are smooth. Units are the spec's.
 * Shapes  n_q degrees of freedom (velocities), n_position >= n_q positions; M [n_q x n_q] by columns, symmetric;
 *         J_n [n_q]; J_t [n_q x n_t] by columns; index order = spec order.
 * Errors  model_read reports every mistake of the spec with its position and returns STATUS_SPEC.
 */
#ifndef COCP_CORE_MODEL_MODEL_H
#define COCP_CORE_MODEL_MODEL_H

#include "core/base/arena.h"
#include "core/base/slip.h"
#include "core/expression/expr.h"
#include "core/model/ground_pieces.h"
#include "core/spec/settings.h"
#include "core/spec/spec.h"

#include <stdio.h>

enum model_type { MODEL_ODE, MODEL_MECHANICAL, MODEL_PIECEWISE };

enum end_kind { END_FREE, END_FIXED, END_RANGE, END_MISSING };

struct model_end { enum end_kind kind; double lo, hi; struct srcpos pos; };     /* FIXED: lo = hi */

struct model_var {                  /* a state or a control */
    const char *name, *units, *long_name;       /* units, long_name: "" if not given */
    const char *path;               /* spec path: "states.x" */
    struct srcpos pos;
    double lb, ub;                  /* +-INFINITY: none */
    int n_value;
    const double *value;            /* [n_value] ascending: all that a control may be; 0: anything within the bounds */
    double guess;                   /* NAN: not given */
    double size;                    /* `scale`; NAN: not given */
    struct model_end initial, final;            /* states; initial MISSING: not given; final FREE if absent */
};

/* A control that is continuous (held.c): state x, whose slope is the control u of the model; of a spline the slope is
 * state x + 1, and u the slope of that. */
struct model_held { int x, order, u; };         /* order 1: linear, 2: spline */

/* An impulsive control (impulses.c): it acts at moments alone, where a state jumps by what it says. Each of its impulses
 * is a parameter: "dv_1", "dv_2", ... */
struct model_impulse {
    struct model_var var;           /* of every one: name, units, bounds, guess */
    expr sym;                       /* any one of them, in formulas that are about each; never in those of the model */
    int leader;                     /* the impulsive control whose moments these are; itself, where it has its own */
    int n;                          /* impulses */
    int *at;                        /* [n] ascending: the control interval that it is at the start of; n_intervals: the end */
    int *param;                     /* [n] among all parameters */
};

/* What jumps where control interval `at` begins, or, n_intervals, at the end of the horizon: x+ = to(x-). */
struct model_jump {
    int at;
    const char *what;               /* "flight, dv_2": for rows */
    const char *path;
    struct srcpos pos;
    int n, *x;                      /* [n] states that jump */
    expr *to;                       /* [n] what to, of what is before */
};

/* Control intervals of one length beside each other, of a phase or between impulses: `length` times the optimized
 * parameter p, times the horizon (LENGTH_OF_HORIZON), or in s (LENGTH_FIXED). */
enum { LENGTH_FIXED = -1, LENGTH_OF_HORIZON = -2 };
struct model_stretch { int first, n_interval, p; double length; };

/* Friction under a load (loads.c): a contact, its seat, whose normal force is the load, as that presses a mass of its
 * own on it, state x with velocity x + 1, both 0 at all times. The load is given, or what contact `of` presses with. */
struct model_load {
    int x, of;                      /* of: -1 where the load is given */
    const struct spec_node *node;   /* its entry; of a rolling resistance the contact's */
    bool rolls;
};

struct model_param {
    const char *name, *units, *long_name, *path;
    struct srcpos pos;
    double value;                   /* its value; of an optimized one the guess */
    bool optimize;
    double lb, ub;                  /* of an optimized one */
    expr sym;                       /* symbol of an optimized one, else EXPR_NONE */
    expr value_expr;                /* constant, or an expression of optimized ones */
    bool is_length;                 /* of a phase: written there */
    double size;                    /* `scale`; NAN: not given */
    bool is_used;                   /* some expression names it */
};

/* What a contact is in a phase: not there, so that bodies pass through; there, open or closed as the solver finds; or
 * as the user says all through it. */
enum contact_role { CONTACT_ABSENT, CONTACT_THERE, CONTACT_OPEN, CONTACT_STICKS };

/* A phase by the user. */
struct model_phase {
    const char *name, *path;
    struct srcpos pos;
    int param;                      /* its length among all parameters: "held_length" */
    int p;                          /* the optimized parameter that is its length; -1: it is fixed */
    double length;                  /* s; the guess of an optimized one */
    int first, n_interval;          /* its control intervals */
    int u;                          /* the control that is 1 in it */
    expr until;                     /* it ends as soon as this rises above 0; EXPR_NONE: with its length alone */
    struct srcpos until_pos;
    bool *has_u;                    /* [n_u] which controls act in it */
    enum contact_role *contact;    /* [n_contact] */
    int n_start;
    int *start_x;                   /* [n_start] states that jump where it begins */
    expr *start;                    /* [n_start] what to, of what is before */
};

struct model_output {               /* a define with `output: true` */
    const char *name, *units, *long_name, *path;
    struct srcpos pos;
    expr e;                         /* of x, u, p, t; may be nonsmooth */
};

/* An orientation: a unit quaternion (n = 4) or a rotation vector (3), turned by an angular velocity in the frame of the
 * body. */
struct model_rotation {
    int q, n, v;                    /* q_index[q .. q + n - 1], v_index[v .. v + 2] */
};

/* A rigid body: the place of its origin, which is its centre of mass where it has a position, and its orientation. */
struct model_body {
    const char *name, *path;
    struct srcpos pos;
    int v, rotation;                /* its first velocity in v_index, its rotation; -1: it has none */
    expr origin[3], R[9];           /* a vector p of the body is origin + R p in the world */
    expr mass, inertia[9];          /* inertia about the origin, along the axes of the body */
};

struct model_point {                /* of a body, or its origin under the name of the body */
    const char *name;
    const char *part[3];            /* "corner.x", ...: names of its coordinates in expressions */
    int body;
    expr in_body[3], at[3];         /* in the body; in the world */
};

/* A ground in the plane (grounds.c): a polyline whose ends go on straight, the solid on its right, or a closed
 * polygon. */
struct model_ground {
    const char *name;
    int n;
    double *at;                     /* [2 n] its corners */
    bool closed;
    struct ground_pieces pieces;
};

struct model_contact {
    const char *name, *path;
    const char *family;             /* what the spec calls it: a shape on a ground of several pieces is several contacts */
    struct srcpos pos;
    expr gap;                       /* of q, t, p */
    expr v_n;                       /* J_n' v + drift */
    int n_t;                        /* components of slip: 0 frictionless without a tangent, 1 planar, 2 in 3D, 3 with a
                                     * turn about the normal */
    expr v_t[SLIP_MAX];             /* slip, J_t' v + drift; of different coefficients each is weighted: friction is isotropic */
    expr weight[SLIP_MAX];          /* by which, constants or of optimized parameters: along tangent k act
                                     * weight[k] lambda_t[k], slip is v_t[k] / weight[k] */
    expr drift[CONTACT_ROWS];       /* of normal, tangents: what they are where v is 0; the surface moves */
    bool moves;                     /* any drift is not 0 */
    expr *J_n;                      /* [n_q] */
    expr *J_t;                      /* [n_q * n_t] */
    expr coefficient[SLIP_MAX];     /* of several: friction times weight[k] */
    expr friction, restitution;     /* constants or expressions of optimized parameters */
    double mu, e;                   /* their values at the guess */
    bool gap_is_linear;             /* every entry of J_n is a number */
    int n_corner;
    expr *corner;                   /* [n_corner] of q, t: where one of them changes its sign the closed contact goes on at
                                     * another face or corner; sides (expr_side) in the gap and all that follows from it */
    int n_patch;                    /* faces and corners of its ground, beside each other in this order (polygon.h); 0: it has */
    const signed char *patch;       /* no corners. [n_patch * n_corner] sign of each corner function on a patch, 0: any */
    bool turns;                     /* the normal turns around corners; of a point it jumps there */
    expr normal[2];                 /* of a shape in the plane; else EXPR_NONE */
    int load_of;                    /* a seat: the contact that presses on it; -1: the load is given, or it is no seat */
};

/* A set that first-order states are kept in: gap >= 0, by a reaction lambda >= 0 where it is 0 (projections.c). Or a pair
 * of the block complementarity whose force H determines (own_pairs.c): its gap is H, which depends on forces. */
struct model_projection {
    const char *name, *path;
    struct srcpos pos;
    bool is_pair;
    expr gap;                       /* of x without velocities, t, p; smooth. H: of x, u, p, t and lambda of pairs */
    expr lambda;                    /* 1 - state, as a nonsmooth node; of a pair a symbol, that of force_sym */
    expr state;                     /* symbol of the step of its switch: 1 while open, below while the gap stays 0 */
    expr *push;                     /* [n_x] what the reaction adds to the rates of first-order states; else 0; NULL: a pair */
};

/* A shape in the plane as a contact gives it; what films show where the spec does not say. */
struct model_shape {
    const char *name;               /* of the contact, or "name_other" */
    expr at[2], angle;
    double radius, size[2];         /* radius 0: a point; size 0: no box */
};

/* Is it one of those that the spec calls so: it, or all contacts of its shape? */
bool model_contact_is(const struct model_contact *contact, const char *name);

struct model_mode {
    const char *name;
    struct srcpos pos;
    expr *rhs;                      /* [n_x] */
};

struct model_group {                /* one family of modes of a piecewise system */
    const char *name;
    int n_c;                        /* switching functions */
    expr *c;                        /* [n_c] */
    const char **c_name;            /* [n_c] */
    struct srcpos *c_pos;           /* [n_c] */
    int n_mode;
    struct model_mode *mode;        /* [n_mode] */
    int *mode_of_pattern;           /* [2^n_c]: bit l set means c_l > 0; every pattern has its mode */
};

/* A relay with two thresholds: on from when `of` passes one until it passes the other, lower or higher. Its name stands
 * for 0 or 1 (a relay of expr.h). */
struct model_hysteresis {
    const char *name, *path;
    struct srcpos pos;
    expr state;                     /* symbol of the relay */
    bool starts_on;
};

/* A machine is in one of its states; its signals, numbers by name in right sides, are what the state says. */
struct model_transition {
    const char *name, *path;        /* "washer.full" for reports */
    struct srcpos pos;
    int from, to;
    expr when;                      /* smooth; it happens where this rises above 0; EXPR_NONE: after a time */
    double after;                   /* s in its state; NAN: by `when` */
    int n_reset;
    int *reset_x;                   /* [n_reset] states that jump */
    expr *reset;                    /* [n_reset] what to, of what is before */
};
struct model_machine {
    const char *name, *path;
    struct srcpos pos;
    int n_state, start;
    double since;                   /* s that it has been in its first state when the motion starts: a measured one; else 0 */
    const char **state;             /* [n_state] names */
    int first_signal, n_signal;     /* among the model's */
    double *value;                  /* [n_state * n_signal] */
    int n_transition;
    struct model_transition *transition;        /* [n_transition] the first that can happen does */
};

/* Weight included. Costs and constraints of contact forces are no method's: of the finish and of replays alone. */
struct model_cost { const char *name, *path; struct srcpos pos; expr e; bool of_forces; };

enum { AT_STAGES = 1, AT_ELEMENTS = 2, AT_INTERVALS = 4, AT_INITIAL = 8, AT_FINAL = 16, AT_TIMES = 32,
       AT_PATH = AT_STAGES | AT_ELEMENTS | AT_INITIAL };

/* lb <= e <= ub. A constraint whose bounds are no numbers (they depend on optimized parameters) may be two of the
 * same name here. */
struct model_constraint {
    const char *name, *path;
    struct srcpos pos;
    expr e;
    double lb, ub;
    int at;                         /* AT_ flags; 0: a boundary constraint, e of x_initial and x_final symbols */
    int n_time;                     /* of AT_TIMES: inner parts of the horizon */
    const double *time;             /* [n_time]; rows of one constraint share it */
    int first, end;                 /* control intervals it is about, those of a phase; end 0: all */
    bool of_forces;
};
/* Are two parts of the horizon the same time? Is this one of the n times? */
bool model_same_time(double a, double b);
bool model_asks_at(int n, const double *time, double fraction);

/* Complementarity by the user, along the path: 0 <= G _|_ H >= 0, or H of any sign. Outputs name_G and name_H are its
 * sides. */
enum pair_side { SIDE_G, SIDE_H };
struct model_pair {
    const char *name, *path;
    struct srcpos pos;
    expr side[2];                   /* G, H: smooth, of x, u, p, t */
    expr product;                   /* G H */
    bool any_sign;                  /* of H: written as zero */
    const char *side_name[2];       /* "push G" for reports */
};

/* Charged at each of its times: as those of a constraint, of AT_INITIAL, AT_FINAL and AT_TIMES. */
struct model_sampled { struct model_cost cost; int at, n_time; const double *time; };

/* What was measured: the cost is the sum over rows and series of ((e - value) / sigma)^2. */
struct model_series {
    const char *name;               /* of the state or define that e is */
    struct srcpos pos;
    const char *units;              /* "" if not known */
    expr e;                         /* of x, p, t; smooth */
    double *value;                  /* [n_row] NAN: missing */
    double *sigma;                  /* [n_row] standard deviation of the value; of relative ones up to a common factor */
};
struct model_data {
    int n_row, n_series;            /* n_series 0: there are no data */
    double *part;                   /* [n_row] times, parts of the horizon */
    double *t;                      /* [n_row] the same in s */
    struct model_series *series;    /* [n_series] */
    bool is_relative;               /* sigma says which value is how good beside the others, and nothing of how good */
};

struct model_reference { const char *name; expr e; };       /* what a running cost draws a quantity to */

enum draw_kind { DRAW_POINT, DRAW_LINK, DRAW_SPRING, DRAW_CIRCLE, DRAW_BOX, DRAW_GROUND, DRAW_FORCE };

/* A part of the drawing: n expressions e are a point's place, a box's angle, a contact force's normal (0: upwards) or
 * any other force itself. */
struct model_drawn {
    enum draw_kind kind;
    const char *name;
    int n_at;
    const char **at;                /* [n_at] points it is at, or goes through */
    int contact;                    /* whose force it is, n_contact + k: the reaction of projection k; -1: none */
    double size[2];                 /* radius of a circle; width and height of a box */
    double *corner;                 /* [3 * n_at] of a ground */
    int n;
    expr e[3];
};

struct model_waypoint { double fraction; int n; const int *var; const double *val; };   /* var: state index, or
                                                                                         * n_x + control index */

struct model {
    struct arena mem;
    struct expr_graph *graph;
    const char *name, *description;
    const char *file;                           /* of the spec */

    int n_x, n_u, n_p;                          /* n_p: optimized parameters */
    struct model_var *x, *u;                    /* [n_x], [n_u] */
    int n_held;
    struct model_held *held;                    /* [n_held]; their states come after those of the spec */
    int n_load;
    struct model_load *load;                    /* [n_load]; their contacts come after those of the spec, their states last */
    int n_param;
    struct model_param *param;                  /* [n_param], all of them */
    int *p_param;                               /* [n_p] index in param of optimized parameter k */
    expr *x_sym, *u_sym, *p_sym;                /* [n_x], [n_u], [n_p] */
    expr t_sym;                                 /* physical time */
    expr T_sym;                                 /* the horizon; a constant node if it is fixed */
    expr *x_initial_sym, *x_final_sym;          /* [n_x] of boundary constraints */

    bool horizon_free;
    double horizon, horizon_min, horizon_max;   /* fixed value or guess; bounds of a free one */
    struct srcpos horizon_pos;
    const char *time_unit;                      /* of t and the horizon: "s", or what time.unit says */
    bool has_sizes;                 /* solver.scale: programs are solved in units of the sizes of variables */
    bool is_measured;                           /* the initial state is a measured one: constraints are not asked there */
    int n_intervals;                            /* 0 if not given */
    int *elements;                              /* [max(1, n_intervals)] finite elements of each interval */
    int n_phase;                                /* 0: none, and all intervals have the same length */
    struct model_phase *phase;                  /* [n_phase] */
    int n_stretch;                              /* 0: all intervals have the same length */
    struct model_stretch *stretch;              /* [n_stretch] those of phases, or what impulses make */
    int n_impulse;
    struct model_impulse *impulse;              /* [n_impulse] controls that are impulsive; not among u */
    int n_impulse_param;                        /* parameters that they add, the last ones of all */
    int n_jump;
    struct model_jump *jump;                    /* [n_jump] ascending */
    bool prescribes;                            /* all say what each contact is: nothing is left to find */

    enum model_type type;
    int n_q;                                    /* degrees of freedom, velocities; 0 unless mechanical */
    int n_position;                             /* n_q, and one more for each quaternion */
    int *q_index, *v_index;                     /* [n_position], [n_q] places in x of positions and velocities: pairs of
                                                 * coordinates first, then rotations */
    expr *q_rate;                               /* [n_position] N v */
    int n_rotation;
    struct model_rotation *rotation;
    int n_body, n_point;
    struct model_body *body;
    struct model_point *point;
    expr *M;                                    /* [n_q * n_q] */
    bool M_is_constant;                         /* every entry is a number */
    expr *f_v;                                  /* [n_q] */
    struct srcpos *f_v_pos;                     /* [n_q] */
    expr *rhs;                                  /* [n_x] (0 constant: none); mechanical: q' rows hold N v, v' rows
                                                 * are EXPR_NONE */
    struct srcpos *rhs_pos;                     /* [n_x] */
    int n_group;
    struct model_group *group;

    int n_ground;
    struct model_ground *ground;                /* [n_ground] those of the spec by name, then those that contacts bring */
    int n_shape;
    struct model_shape *shape;                  /* [n_shape] */
    int n_contact;
    struct model_contact *contact;
    int n_projection;
    struct model_projection *projection;        /* [n_projection] pairs with forces of their own last */
    int n_running, n_terminal;
    struct model_cost *running, *terminal;      /* t_sym in a terminal one is the final time */
    int n_sampled;
    struct model_sampled *sampled;
    struct model_data data;                     /* of one experiment */
    int n_experiment;                           /* several: then data is empty, and each is a spec of its own (spec_take) */
    const char **experiment;                    /* [n_experiment] names */
    int n_constraint;
    struct model_constraint *constraint;
    int n_pair;
    struct model_pair *pair;                    /* [n_pair] */
    int n_moment;
    double *moment;                             /* [n_moment] inner times that sampled costs, data and constraints name,
                                                 * parts of the horizon, ascending, each once */
    bool has_forces;                            /* any of these speaks of contact forces or impulses, */
    expr *force_sym, *impulse_sym;              /* [model_n_force], [CONTACT_ROWS * n_contact] as in results */
    int n_impact_cost, n_impact_limit;
    struct model_cost *impact_cost;             /* summed over impacts, of the state before them and impulses */
    struct model_constraint *impact_limit;      /* at every impact, likewise; `at` says nothing */
    int n_output;
    struct model_output *output;

    int n_reference;
    struct model_reference *reference;          /* the first of each name */
    int n_draw;
    struct model_drawn *draw;

    int n_waypoint;
    struct model_waypoint *waypoint;            /* fractions ascending */
    const char *guess_file;                     /* or NULL */
    struct srcpos guess_pos;

    const char **define_name;                   /* for naming switches after a define: [n_define]; then relays, signals,
                                                 * "wall.gap" and "wall.lambda" of projections, "diode.H" and
                                                 * "diode.lambda" of pairs */
    expr *define_expr;
    int n_define;
    int n_hysteresis;
    struct model_hysteresis *hysteresis;        /* [n_hysteresis] */
    int n_machine, n_signal;
    struct model_machine *machine;              /* [n_machine] */
    expr *signal;                               /* [n_signal] symbols; their names are define_name's before those of projections */

    const struct spec *spec;                    /* borrowed */

    expr broken;                                /* what could not be read stands as this symbol */
    bool names_known;                           /* false: a block of names is missing (reported): nothing more is
                                                 * said about names that nobody knows */
    bool type_known, coordinates_known;         /* false: reported, and ddt and what hangs on it stay silent */
};

enum { MAX_DEPTH = 400 };           /* of names naming names: a longer chain is a generated or hostile file */

/* What a command needs of a spec; missing things are errors only then. */
enum model_need { MODEL_FOR_CHECK, MODEL_FOR_SOLVE, MODEL_FOR_SIMULATE, MODEL_FOR_IMPACT, MODEL_FOR_CERTIFY };

/* After mistakes *out is there all the same, for model_eval and model_check_controls alone, so that the mistakes
 * of settings come out in the same run; it is NULL if the spec is no mapping. model_free in any case. */
enum status model_read(const struct spec *spec, enum model_need need, struct model **out, struct diag *diag);
void model_free(struct model *model);

/* Before a spec is read: do its data name several experiments? */
bool model_has_experiments(const struct spec_node *root);

/* The same model with a graph of its own (expr_graph_fork), for what derives expressions from it; everything else is
 * borrowed. To be freed by model_free before the model itself. */
struct model *model_fork(const struct model *model);

/* simulate.controls as expressions: takes the place of control k everywhere (controls: n pairs of name and text
 * node). The control stays in the list, its expression is in *u_expr[k] (EXPR_NONE: not replaced). */
enum status model_replace_controls(struct model *model, const struct spec_node *controls, expr *u_expr,
                                   struct diag *diag);
/* Only reports their mistakes. */
enum status model_check_controls(struct model *model, const struct spec_node *controls, struct diag *diag);

/* Numbers of settings blocks: expressions of (fixed) parameters. user is the model. */
struct setting_eval model_eval(struct model *model);

/* The name of a switching function: the define it equals, else its text, with defines by their names. In model->mem. */
const char *model_switch_name(struct model *model, expr c);

/* Indices by name, -1 if there is none. */
int model_find_state(const struct model *model, const char *name);
int model_find_control(const struct model *model, const char *name);
int model_find_impulse(const struct model *model, const char *name);

/* Are there controls with values? `solve` relaxes them first. */
bool model_has_values(const struct model *model);
/* Is there a state that begins and ends where it is told to? */
bool model_has_goal(const struct model *model);
/* The value of e at the guess or at the initial values. Is e zero for all values of the symbols, up to rounding? (Tries a
 * few points.) */
enum model_when { AT_GUESS, AT_START };
double model_value_at(const struct model *model, expr e, enum model_when where);
bool model_is_zero(const struct model *model, expr e);
/* What e is at an end where time and given values alone say it, before what jumps there; else NAN. */
double model_value_at_end(const struct model *model, expr e, bool at_start);
/* The held control that state i belongs to, itself or its slope; NULL: none. */
const struct model_held *model_find_held(const struct model *model, int i);
/* Is state i there for a load alone? */
bool model_is_seat(const struct model *model, int i);
/* Where states start that have no one initial value: held controls at their guess, what a run may start from. */
double model_var_guess(const struct model_var *var);
/* A simulation starts somewhere: x [n_x], the one initial value of each state; a range or `free` is an error. */
enum status model_initial_state(const struct model *model, double *x, struct diag *diag);

/* Signal k of machines: its name, and whose it is. */
const char *model_signal_name(const struct model *model, int k);
const struct model_machine *model_signal_machine(const struct model *model, int k);
/* Typical sizes, of what `scale` says, bounds, values at both ends and guesses; NAN: these say nothing. The horizon's
 * guess. */
double model_var_size(const struct model_var *var);
double model_param_size(const struct model_param *param);

/* The relay with this state symbol; NULL: none. */
const struct model_hysteresis *model_find_relay(const struct model *model, expr state);

/* Forces of a point: 3 of each contact, normal and tangential, then the reaction of each projection. */
static inline int model_n_force(const struct model *model) { return CONTACT_ROWS * model->n_contact + model->n_projection; }

/* The first pair with a force of its own, the first one whose force e depends on; NULL: there is none. */
const struct model_projection *model_first_own_pair(const struct model *model);
const struct model_projection *model_find_own_pair(const struct model *model, expr e);
/* Errors: the switching function c, called name, depends on the force of a pair, whose place in the spec the message
 * has. */
enum status model_check_switch(const struct model *model, expr c, const char *name, struct diag *diag);
/* Do costs or constraints speak of forces that no method knows: of all but those of pairs? */
bool model_asks_of_forces(const struct model *model);

/* The projection whose switch has this step; NULL: none. */
const struct model_projection *model_find_projection(const struct model *model, expr state);

/* Value of parameters, guesses included, for p_sym: [n_p]. */
void model_p_guess(const struct model *model, double *p);

/* Seconds of one unit of time, NAN for one that is not known. */
double model_unit_seconds(const struct model *model);

/* --- Intervals and phases ------------------------------------------------------------------------------------ */

/* Length of control interval i: part times the horizon (p LENGTH_OF_HORIZON), times optimized parameter p, or part itself
 * (LENGTH_FIXED). */
struct model_interval { int p; double part; };
struct model_interval model_interval(const struct model *model, int i);
/* Starts of the control intervals and the end: t [n_intervals + 1]. T: the horizon; p [n_p], NULL: the guesses. */
void model_grid(const struct model *model, double T, const double *p, double *t);
/* The interval that time is in: of n, t [n + 1]; and the grid point, 1 .. n - 1, that it is, within near; -1: none. */
int model_grid_inside(int n, const double *t, double time);
int model_grid_point(int n, const double *t, double time, double near);
/* Does a phase end by a condition, so that its length follows from a simulation? The sum of the lengths of all
 * phases, the optimized ones those of p [n_p]; and makes them these. */
bool model_has_until(const struct model *model);
double model_length(const struct model *model, const double *p);
void model_set_lengths(struct model *model, const double *p);
/* The phase of interval i; NULL: there are none. The one that begins with it, if another comes before it, else NULL. */
const struct model_phase *model_phase_of(const struct model *model, int i);
const struct model_phase *model_phase_begins(const struct model *model, int i);
/* The phase that a row of controls [n_u] belongs to. */
const struct model_phase *model_phase_of_row(const struct model *model, const double *u);
enum contact_role model_contact_in(const struct model *model, int c, int i);
bool model_has_contact(const struct model *model, int c, int i);
/* Bounds of control k in interval i. */
void model_control_bounds(const struct model *model, int k, int i, double *lb, double *ub);
/* Is it the name of a phase? */
bool model_is_phase(const struct model *model, int k);
/* What jumps where interval i begins, n_intervals: at the end; NULL: nothing. */
const struct model_jump *model_jump_at(const struct model *model, int i);
/* The impulse of control k at the start of interval i: its number, -1: none. */
int model_impulse_at(const struct model *model, int k, int i);
/* Are lengths of intervals parameters? Then T, the sum of all, is a row of its own. */
bool model_lengths_add_up(const struct model *model);
/* When interval i begins, n_intervals: the end; of optimized lengths and the horizon. */
expr model_boundary_time(const struct model *model, struct expr_graph *g, int i);

/* Does its condition depend on controls? On nothing else but parameters then (method.h). */
bool model_is_commanded(const struct model *model, const struct model_transition *transition);

/* Weights of all contacts' tangents for these optimized parameters, NULL: their guesses: weight [SLIP_MAX *
 * n_contact]. */
void model_weights(const struct model *model, const double *p, double *weight);

/* The sum of the terminal costs in g (the model's graph or a fork's), t in it being the final time. */
expr model_terminal_cost(const struct model *model, struct expr_graph *g);

/* Are there costs at given times, data among them? */
bool model_has_samples(const struct model *model);
/* Values that are not missing. */
int model_n_values(const struct model_data *data);
/* The sum of the sampled costs at a part of the horizon, data among them, 0 and 1 being its ends, t in it being that
 * time: tables have their corners where samples are. */
expr model_sampled_cost(const struct model *model, struct expr_graph *g, double fraction);

/* The spec's own blocks as YAML, defaults filled in and numbers evaluated; settings blocks are their tables'. */
void model_print_resolved(const struct model *model, FILE *out);

#endif
