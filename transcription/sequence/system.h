/* transcription/sequence/system.h - a model with the state of each contact, switch and machine left open
 *
 *   y_i' = F_i                               without mass
 *   M a  = f + J_n lambda_n + J_t lambda_t   a = v', contacts; f may contain steps alpha of switching functions c
 *
 * What a mode makes of it are conditions at the level at which the unknown appears (index 1): gap'' = 0 gives
 * lambda_n, v_t' = 0 the force of sticking, dc/dt = 0 the alpha of a sliding switch; phases.md "Dynamics". Slip is
 * the same formula in the plane and in space: v_t = speed dir, |dir| = 1, and the force is lambda_t - mu lambda_n
 * dir.
 *
 * A machine's state makes its signals numbers, and says which of its conditions are not to be met yet.
 *
 * All functions share one list of slots; what a mode does not have is a constant there. In an impact the slots of
 * a hold the velocity after it, those of lambda the impulses.
 * Ownership  expressions live in the graph of a fork of the model; of the model itself it borrows the rest.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_SYSTEM_H
#define COCP_TRANSCRIPTION_SEQUENCE_SYSTEM_H

#include "transcription/program/pointfun.h"
#include "transcription/system/dcs.h"

struct phase_contact {
    const struct model_contact *model;          /* its pieces as its place says */
    const struct model_contact *form;           /* as the slots of sides say, where a patch is given */
    int n_t;                        /* components of slip with friction: 0 .. SLIP_MAX */
    int lambda_n, lambda_t, dir, speed;         /* slots; the last three -1 without friction, speed -1 in the plane */
    int held, side;                 /* slots: 1 where a patch is given, and of its n_corner sides the first; -1: no corners */
    int corner;                     /* its first corner function among all */
    expr gap_rate2, v_t_rate[SLIP_MAX];     /* gap'', v_t' */
    expr v_n_plus, v_t_plus[SLIP_MAX];     /* of the velocity after an impact */
    double gap_start, v_n_start, v_t_start[SLIP_MAX];           /* at given initial values, before what jumps there; NAN: these
                                     * do not say it */
};

/* The user's complementarity is among the switches, as the last ones: G - H is positive where H
 * is 0, negative where G is. */
struct phase_switch {
    const struct dcs_switch *sw;
    int pair;                       /* of the user's complementarity, else -1: then */
    int alpha;                      /* slot */
    expr c_rate;                    /* dc/dt */
    double c_start;                 /* c at given initial values, likewise; of pairs NAN */
    bool jumps;                     /* c depends on velocities */
    bool wall;                      /* of a projection: open or closed, positive or sliding; 1 - alpha is its reaction */
    bool own;                       /* of these a pair with a force of its own: c depends on it, and c = 0 stands for dc/dt = 0 */
};

/* A side of the user's complementarity. What no state is in is constant in a control interval; what no control is
 * in is continuous, and at 0 it stays there if its time derivatives that no control reaches are 0 at first, and a
 * control holds the next one. */
enum pair_side_kind { PAIR_SIDE_CONSTANT, PAIR_SIDE_CONTINUOUS, PAIR_SIDE_JUMPS };
enum { PAIR_SIDE_RATES = 4 };
struct phase_pair_side {
    enum pair_side_kind kind;
    int u, x;                       /* the control or state that it is; -1: none */
    int n_rate;                     /* of a continuous one: it, and those derivatives */
    expr rate[PAIR_SIDE_RATES];
    bool rests;                     /* the next derivative is 0 whatever the controls are */
    bool is_polynomial;             /* it is one of controls alone, so that with them the side is a polynomial of time */
};
struct phase_pair { const struct model_pair *model; struct phase_pair_side side[2]; };

/* Combinations of the components of a contact's slip, each of length 1: sum_k of[r][k] v_t[k], r = 0 .. n - 1. */
struct slip_rows { int n; double of[SLIP_MAX][SLIP_MAX]; };

/* A transition of a machine; its condition is met where model's `when` rises above 0. */
struct phase_transition {
    const struct model_transition *model;
    int machine;
    bool commanded;                 /* by controls: it is made at once where an interval begins */
    int first_only;                 /* of its conditions besides `when`, among those of all */
};

/* Outputs of the functions: index of the first of a family. Of contact k: + k; of slip: + SLIP_MAX k, ..;
 * of cones: + 2 k, .. */
enum phase_side { PHASE_UPPER, PHASE_LOWER };                   /* of the planar cone; in space the first one */
struct phase_outputs {
    /* motion */
    int F, balance, gap_rate2, v_t_rate, c_rate, slip_rate, n_motion;
    /* state: what the inequalities of a mode are about, and the slip of space, exact and
     * smoothed (smoothed_friction.h) */
    int gap, v_n, v_t, slip, unit, smooth_dir, smooth_speed, cone, c, side, corner, n_state;
    int when;                       /* + k: of transition k, 0 where it has none */
    int only;                       /* + k: condition k of those besides `when` */
    /* impact */
    int momentum, newton, v_n_plus, v_t_plus, slip_plus, n_impact;     /* unit and cone follow: */
    int impact_unit, impact_cone, impact_smooth_dir, impact_smooth_speed;
};

/* Sides of the cone of a contact with n_t components of slip. */
static inline int phase_sides(int n_t) { return n_t == 1 ? 2 : n_t > 1; }

/* Bounds that modes keep (kept_bounds.c): whose gap, or switching function, is 0 where a state is at its bound, and
 * how it grows with the state there. */
struct kept_bound { int subject; double slope; };               /* subject -1: none */
struct kept_bounds {
    struct kept_bound *lower, *upper;           /* [n_y] */
    bool *by_gap;                               /* [n_constraint * n_contact] the constraint says that the gap is not negative */
};

struct phase_system {
    struct model *model;            /* a fork, the dcs' */
    struct dcs *dcs;                /* smooth part and switches, no contacts; owned */
    struct expr_graph *g;
    struct arena mem;
    int n_y, n_a, n_contact, n_switch, n_pair;      /* n_switch: with the n_pair of the user's complementarity */
    int n_corner;                   /* of all contacts */
    int n_machine, n_transition, n_only;
    int *a_of;                      /* [n_y] place of y_i' in a, -1: F_i */
    struct phase_contact *contact;
    struct phase_switch *sw;
    struct phase_pair *pair;
    struct phase_transition *transition;        /* [n_transition] machine after machine */
    int n_slot, y, a, u, p, T;      /* slots; T -1 if the horizon is fixed */
    int signal;                     /* first slot of the signals of machines */
    int width;                      /* slot: of smoothed friction, m/s */
    expr *slot;                     /* [n_slot] symbols */
    struct kept_bounds kept;
    struct phase_outputs out;
    expr *motion, *state, *impact;  /* [n_motion], [n_state], [n_impact] */
    struct pointfun *motion_fun, *impact_fun;   /* for starting values (point_solver.h) */
};

/* Errors: what dcs_build_switched refuses; schemes are the program's business. */
enum status phase_system_create(struct model *model, struct phase_system **out, struct diag *diag);
void phase_system_free(struct phase_system *sys);

/* Time derivative of e along the motion: of states, accelerations and inputs, alpha and u held. */
expr phase_system_rate(const struct phase_system *sys, expr e);
void phase_system_add_pairs(struct phase_system *sys);          /* pairs.c, once there are slots */
void phase_system_find_kept(struct phase_system *sys);          /* kept_bounds.c, the same */
void phase_system_hold_patches(struct phase_system *sys);       /* patches.c, the same */

/* What is left of the bounds of state i in an interval where contacts and switches have these states, without what
 * their mode keeps anyway (kept_bounds.c); sw NULL: unknown. */
void phase_system_bounds(const struct phase_system *sys, const unsigned char *contact, const unsigned char *sw,
                         int interval, int i, double *lb, double *ub);

/* Does any mode of an interval keep a constraint anyway, since it says that a gap is
 * not negative (kept_bounds.c)? */
bool phase_system_keeps(const struct phase_system *sys, const struct model_constraint *asked, int interval);

/* A function of the slots; the caller's. */
struct pointfun *phase_system_function(const struct phase_system *sys, int n, const expr *out);

/* Value of an expression of the graph at a state y [n_y] and parameters p [n_p]. */
double phase_system_value(const struct phase_system *sys, expr e, const double *y, const double *p);

/* Signals of machines in these states, [n_machine] numbers: [n_signal of the model]. */
void phase_system_signals(const struct phase_system *sys, const unsigned char *state, double *signal);

/* The same of relays, 0 or 1, before them; of all subjects' states: [n_hysteresis + n_signal]. */
void phase_system_shown_signals(const struct phase_system *sys, const unsigned char *state, double *signal);

/* Transition `made`, by its condition, has led to the state that transition k leaves: is k's condition known not
 * to be met there, whatever the state? As it is with two thresholds on one quantity. */
bool phase_system_implies(const struct phase_system *sys, int made, int k);

/* The transitions of machine m: [*first, *end). */
void phase_system_transitions(const struct phase_system *sys, int m, int *first, int *end);

/* Contacts, switches and machines; name of the one with number k. */
int phase_system_n_subject(const struct phase_system *sys);
const char *phase_subject_name(const struct phase_system *sys, int k);

#endif
