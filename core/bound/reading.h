/* core/bound/reading.h - what the parts of read.h share: the model without nonsmooth nodes, names of its symbols
 *
 * Errors  STATUS_SPEC with a message in diag.
 */
#ifndef COCP_CORE_BOUND_READING_H
#define COCP_CORE_BOUND_READING_H

#include "core/bound/polynomial_of.h"
#include "core/bound/problem.h"
#include "core/expression/nonsmooth.h"
#include "core/model/model.h"

enum { READING_MAX_FUNCTION = 4 };

/* sin and cos, or exp, of k times variable `base` plus phi, in the model's units, as variables of their own. */
struct reading_function { expr arg; bool is_exp; int base, sine, cosine; struct interval k, phi; };

enum { READING_MAX_RELAY = 3, READING_MAX_MACHINE = 3 };

/* Relays and machines: a mode is one of the combinations of what they are in, and a place of the problem. */
struct reading_modes {
    int n;                              /* 1: there are none */
    int n_relay, n_machine;
    expr on[READING_MAX_RELAY], off[READING_MAX_RELAY], state[READING_MAX_RELAY];
    const struct model_hysteresis *relay[READING_MAX_RELAY];
    int clock[READING_MAX_MACHINE];     /* variable of the time in a state; -1: none is left after a time */
};

struct reading {
    struct arena *mem;
    const struct model *whole;      /* the fork */
    const struct model *model;      /* the same, reduced (reduce.c) */
    struct expr_graph *g; /* of a fork of the model */
    const struct bound_wish *wish;
    struct bound_problem *out;
    struct diag *diag;
    struct reading_modes modes;
    struct divisors divisors;
    struct interval_poly running;   /* cost along the way, before divisors are cleared */
    struct switch_set set; /* of nonsmooth functions; the switches of groups come before them */
    int n_group_switch;
    int of_state[POLY_MAX_VAR];   /* its variable */
    int start_of[POLY_MAX_VAR];   /* the variable that keeps where the state starts; -1: there is none */
    struct interval M_inverse[POLY_MAX_VAR * POLY_MAX_VAR]; /* [n_q * n_q] */
    struct interval_poly acceleration[BOUND_MAX_PATTERN][POLY_MAX_VAR];  /* [n_q] without contact, in its units */
    int n_function;
    struct reading_function function[READING_MAX_FUNCTION];
    struct polynomial_names names;
    int room;                     /* for that many names */
    expr *sym;                    /* [room] */
    struct interval_poly *is;     /* [room] */
};

/* a must not depend on anything that has no name yet. */
enum status reading_polynomial(struct reading *r, expr e, struct written at, struct interval_poly *out);
/* The same, where divisors may stay as variables of their own (polynomial_of.h). */
enum status reading_rational(struct reading *r, expr e, struct written at, struct interval_poly *out);
/* The same, multiplied by what divides it, which is positive. */
enum status reading_sign(struct reading *r, expr e, struct written at, struct interval_poly *out);
/* From now on the symbol stands for this. */
void reading_name(struct reading *r, expr sym, struct interval_poly is);
/* The variable in the model's units. */
struct interval_poly reading_variable(const struct reading *r, int k);
/* (lo .. hi) - v or v - lo, scaled to about 1; for a range of a variable within its box. */
void reading_require_range(const struct reading *r, struct bound_region *region, int k, double lo, double hi);

/* a by a power of two, so that it is of about size 1. */
struct interval_poly reading_unit_size(const struct reading *r, struct interval_poly a);
/* A constraint as polynomials of about size 1 of the region. False: it is none, and is left out. */
bool reading_constraint(struct reading *r, const struct model_constraint *constraint, struct bound_region *region);

/* A constraint that is not asked for, by its path. */
void reading_leave_out(struct reading *r, const char *path);

/* Do impacts change state i? It is the velocity of a coordinate, and there are contacts. */
bool reading_impacts_change(const struct model *model, int i);

/* States that motions have: those of the model but for held controls and seats of loads, which come last. */
int bound_n_states(const struct model *model);

/* reduce.c: the model without the states of held controls and of loads, whose friction
 * becomes part of the forces. */
enum status reading_reduce(struct reading *r);

/* reach.c: narrows what states may be [n_x] by their rates; true: by costs, too, so that only motions that cost no
 * more than `below` of the wish are within. */
bool reading_reach(struct reading *r, struct interval *box);
/* box.c: variables and their boxes; one more. */
struct bound_var *reading_add_variable(struct reading *r, const char *name, enum bound_kind kind, int index,
                                       double lo, double hi);
enum status reading_variables(struct reading *r);
/* functions.c: variables for functions of a state or of time; their rates, in the model's units, by those of the
 * others; what they are where their argument is this number: false if variable k is none. */
enum status reading_functions(struct reading *r);
void reading_function_rates(const struct reading *r, struct interval_poly *rate);
struct interval reading_function_at(const struct reading *r, const struct reading_function *function, int k,
                                    double base);
/* States that nothing depends on but their functions are no arguments of V. */
void reading_leave_out_bases(struct reading *r, struct interval_poly terminal);

/* modes.c: which there are, and their clocks; signals stand for what they are in one; its name, frame and region,
 * and whose V it has; whether an expression, its relays being symbols, looks at any; the guards between them.
 * Digits of a mode: relays first, 0 or 1, then machines. */
enum status reading_modes(struct reading *r);
void reading_name_mode(struct reading *r, int mode);
bool reading_depends_on_mode(const struct reading *r, expr e);
enum status reading_mode_place(struct reading *r, int mode, struct bound_place *place);
enum status reading_mode_guards(struct reading *r);
/* May motions start here, and end? What that asks for is added to the region of the set. */
bool reading_mode_starts(struct reading *r, int mode, struct bound_region *region);
bool reading_mode_ends(const struct reading *r, int mode);
/* Where a machine's clock stands at the start. */
double reading_clock_at_start(const struct reading *r, int k);

/* walls.c: projections. The walls of a place; steps of walls stand for no reaction from here on. */
enum status reading_walls(struct reading *r, struct bound_place *place);
void reading_open_walls(struct reading *r);
/* Pairs with a force of their own: it is a control, as large as the pair allows, and neither side is negative. */
enum status reading_pairs(struct reading *r);

/* boundary.c: variables for where motions start, as far as constraints ask for it; these in the sets of starts and
 * ends. */
void reading_boundary(struct reading *r);
void reading_start_boundary(const struct reading *r, struct bound_set *set);
void reading_end_boundary(struct reading *r, struct bound_set *set);

/* motion.c: place 0, or one for each mode; running cost and path constraints. */
enum status reading_motion(struct reading *r);
/* cuts.c: what is wished, as switches of the place behind its own. */
void reading_cuts(struct reading *r, struct bound_place *place);
/* corners.c: values of controls: those that they have, or, where rates and cost are affine in all the others, both
 * ends of their boxes. */
void reading_corners(struct reading *r);
/* contacts.c: places and guards of contacts. */
enum status reading_contacts(struct reading *r);
/* ends.c: where motions start and end. */
enum status reading_ends(struct reading *r);

#endif
