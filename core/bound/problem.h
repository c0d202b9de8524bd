/* core/bound/problem.h - a model as a hybrid problem in polynomials: where its state is, how it moves, how it
 * jumps
 *
 * All variables are scaled: variable k is mid + half s_k with s_k in [-1, 1], so that [-1, 1] is its box. A state
 * is at one of the places:
 *
 *   place 0        any state of the box that obeys `path`
 *   other places   contacts are closed and stay so: gap = 0 and gap' = 0 give some of the variables (`gone`)
 *
 * Relays and machines make a place of each combination of what they may be in; all places are then like place 0.
 *
 * Rates and running cost of a pattern are multiplied by `weight`, which is positive: what divided them.
 *
 * Walls (projections) are kept by reactions: where gap = 0 rates may be added a multiple, 0 or more, of `push`.
 *
 * At a place the signs of its switching functions c_l (a pattern: bit l set means c_l >= 0) select the rates; on
 * c_l = 0 any convex combination of the rates beside it may act (Filippov), and so friction does where nothing
 * slips. A guard is where states jump: an impact. What a motion costs is
 *
 *   integral of running dt + the cost of its end,        of its end the part `per_time` times the final time apart
 *
 * sin, cos and exp of a multiple of one state, or of time, are variables of their own, with rates that follow: a
 * state on the circle. The state itself is left out where nothing else depends on it.
 *
 * Coefficients enclose the exact ones, of the model's own numbers. Costs are divided by cost_scale, a power of
 * two. Everything lives in mem.
 */
#ifndef COCP_CORE_BOUND_PROBLEM_H
#define COCP_CORE_BOUND_PROBLEM_H

#include "core/sos/enclosed.h"

#include <stdbool.h>

enum {
    BOUND_MAX_SWITCH = 4,
    BOUND_MAX_PATTERN = 16,
    BOUND_MAX_REGION = 24,
    BOUND_MAX_PLACE = 16,
    BOUND_MAX_GUARD = 40,
    BOUND_MAX_CONTACT = 3,
    BOUND_MAX_WALL = 3,
    BOUND_NAME = 64,
    BOUND_RHO = POLY_MAX_VAR - 1,
    BOUND_SIGMA = POLY_MAX_VAR - 2,
    BOUND_MAX_VAR = BOUND_SIGMA
}; /* rho and sigma of guards come after all others */

enum bound_kind {
    BOUND_TIME,
    BOUND_STATE,
    BOUND_PARAMETER,
    BOUND_CONTROL,
    BOUND_FUNCTION,
    BOUND_ROOT,  /* of other variables, by an equation of `path`: to conditions it is one more control */
    BOUND_CLOCK, /* since a machine came into its state */
    BOUND_START, /* where a state starts: it stays */
    BOUND_FORCE  /* of a pair of complementarity; to conditions a control */
};

/* Whose the box of a variable is: of the spec; of its rates over the horizon, which proves that no motion leaves
 * it; of rates and costs, no motion that costs less than `below` leaves it; of a motion that was given: the bound
 * is one over motions in it. */
enum bound_box { BOX_SPEC, BOX_RATES, BOX_COST, BOX_MOTION };

struct bound_var {
    const char *name;
    enum bound_kind kind;
    int index; /* among the model's states, optimized parameters or controls */
    enum bound_box box;
    double lo, hi; /* its box, in the model's units */
    double mid, half;
    int n_value; /* of a control: all that counts, scaled; 0: anything in its box does */
    const struct interval *value;
};

/* Polynomials that must not be negative, and those that are 0. */
struct bound_region {
    int n, n_zero;
    struct interval_poly at_least_0[BOUND_MAX_REGION], zero[BOUND_MAX_REGION];
};

/* Variables that others give: x_k = with[k] where bit k of `gone` is set. */
struct bound_frame {
    unsigned gone;
    struct interval_poly with[POLY_MAX_VAR];
};

struct bound_wall {
    struct interval_poly gap;                /* 0 or more: in `path`, too */
    struct interval_poly push[POLY_MAX_VAR]; /* of the scaled variables */
};

struct bound_place {
    char name[BOUND_NAME];
    bool own; /* V has polynomials of its own here; else it is that of place `like` */
    int like;
    struct bound_frame frame;
    struct bound_region region;
    int n_switch; /* of a place without polynomials of its own the first ones are those of place 0 */
    struct interval_poly c[BOUND_MAX_SWITCH];
    struct interval_poly rate[BOUND_MAX_PATTERN][POLY_MAX_VAR]; /* of the scaled variables; in those that stay */
    struct interval_poly running[BOUND_MAX_PATTERN];            /* cost */
    struct interval_poly weight[BOUND_MAX_PATTERN];             /* of both; {0}: 1 */
    double weight_least[BOUND_MAX_PATTERN];                     /* on [-1, 1], above 0 */
    int n_wall;
    struct bound_wall wall[BOUND_MAX_WALL];
};

/* From one place to another, both in coordinates of the guard: x- by the frame `before`, x+ by `after`, signs
 * staying as they are but for those of to_bits, which become positive. Where it is not `once`, x+ = x- for rho =
 * 0, rho in [0, 1] being how hard it hits. The box of the other coordinates is that of their variables. */
struct bound_guard {
    char name[BOUND_NAME];
    int from, to;
    bool once;  /* a motion jumps here no more than one time */
    bool level; /* of relays and machines: nothing hits, there is no rho */
    struct interval_poly cost;
    unsigned to_bits;
    unsigned of_mask, of_bits;      /* signs of place 0 that it takes: those of the mask are these bits */
    bool sticks;                    /* x+ = x- where both rho = 0 and the slip, sigma in [0, 1], is 0; it is there where */
    struct interval reach, slip;    /* reach rho >= slip sigma */
    struct bound_frame before, after;
    struct bound_region region;
};

/* Where motions start or end, and what that costs. */
struct bound_set {
    char name[BOUND_NAME];
    int place;
    struct bound_frame frame; /* of the place, too */
    struct bound_region region;
    struct interval_poly cost;
};

/* V has pieces: the box of a variable, or time, is cut into n + 1 equal ones. */
struct bound_cut { int variable, n; };

struct bound_problem {
    struct arena *mem;
    int n_var, time;                /* time: its variable; -1: nothing depends on it and the horizon is free */
    struct bound_var var[POLY_MAX_VAR];
    unsigned cosines;               /* those whose square is 1 minus another one: no basis needs it */
    unsigned arguments, controls;   /* bits of the variables: of V; of controls */
    double horizon_max;
    double below;                   /* motions that cost more were left aside: they are longer, or leave the box; NAN:
                                     * none were */
    double cost_scale;
    double cost_max;                /* no motion within the box costs more, in the scale of costs */
    struct interval per_time;
    bool is_short;                  /* the horizon is only as long as motions that cost no more than `below` are */
    struct bound_cut cut;           /* of those that were wished, as far as there is room: n = 0 or all */
    struct bound_region path;       /* holds at all times: gaps and path constraints; those of controls too */
    int n_place, n_guard, n_start, n_end;
    struct bound_place place[BOUND_MAX_PLACE];
    struct bound_guard guard[BOUND_MAX_GUARD];
    struct bound_set start[BOUND_MAX_PLACE], end[BOUND_MAX_PLACE];
    int n_left_out;
    const char **left_out;          /* [n_left_out] paths of constraints that are not asked for: it holds without them */
};

/* What is known of the motions that the bound is over. */
struct bound_wish {
    const double *lo, *hi;          /* [n_x] boxes for states without bounds; NULL, or NAN: not known */
    const double *u_lo, *u_hi;      /* [n_u] the same for controls */
    double below;                   /* only motions that cost no more than this count; NAN: all */
    double cost_scale;              /* a power of two */
    struct bound_cut cut;
};

/* a with the frame's variables put in. */
struct interval_poly bound_in_frame(struct arena *mem, const struct bound_frame *frame, struct interval_poly a);

/* Makes a = 0 give one of the variables in `among`: a must be affine, with a coefficient of it that is not 0.
 * False: it is not, and nothing has changed. */
bool bound_frame_solve(struct arena *mem, struct bound_frame *frame, struct interval_poly a, unsigned among);

/* Controls that may be anything in their boxes; and of the others which combinations of values there are: each as a
 * frame. */
unsigned bound_free_controls(const struct bound_problem *problem);
int bound_n_corner(const struct bound_problem *problem);
struct bound_frame bound_corner(struct arena *mem, const struct bound_problem *problem, int corner);

/* Does anything but the cost of the end depend on variable k: rates, switches, running cost,
 * constraints along the way? */
bool bound_depends_on(const struct bound_problem *problem, int k);

/* Over all motions of the spec, or in a box around one that was given? */
bool bound_is_over_all(const struct bound_problem *problem);

/* What a can be on [-1, 1]. */
struct interval bound_range(struct interval_poly a);

void bound_require(struct bound_region *region, struct interval_poly at_least_0);
void bound_require_zero(struct bound_region *region, struct interval_poly zero);

#endif
