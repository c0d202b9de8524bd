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

enum { READING_MAX_NAME = 5 * POLY_MAX_VAR, READING_MAX_FUNCTION = 4 };

/* sin and cos, or exp, of k times variable `base` plus phi, in the model's units, as variables of their own. */
struct reading_function { expr arg; bool is_exp; int base, sine, cosine; struct interval k, phi; };

struct reading {
    struct arena *mem;
    const struct model *whole;      /* the fork */
    const struct model *model;      /* the same, reduced (reduce.c) */
    struct expr_graph *g; /* of a fork of the model */
    const struct bound_wish *wish;
    struct bound_problem *out;
    struct diag *diag;
    struct switch_set set; /* of nonsmooth functions; the switches of groups come before them */
    int n_group_switch;
    int of_state[POLY_MAX_VAR];   /* its variable */
    struct interval M_inverse[POLY_MAX_VAR * POLY_MAX_VAR]; /* [n_q * n_q] */
    struct interval_poly acceleration[BOUND_MAX_PATTERN][POLY_MAX_VAR];  /* [n_q] without contact, in its units */
    int n_function;
    struct reading_function function[READING_MAX_FUNCTION];
    struct polynomial_names names;
    expr sym[READING_MAX_NAME];
    struct interval_poly is[READING_MAX_NAME];
};

/* a must not depend on anything that has no name yet. */
enum status reading_polynomial(struct reading *r, expr e, struct written at, struct interval_poly *out);
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

/* States that motions have: those of the model but for held controls and seats of loads, which come last. */
int bound_n_states(const struct model *model);

/* reduce.c: the model without the states of held controls and of loads, whose friction becomes part of the forces. */
enum status reading_reduce(struct reading *r);

/* box.c: variables and their boxes; one more. */
struct bound_var *reading_add_variable(struct reading *r, const char *name, enum bound_kind kind, int index,
                                       double lo, double hi);
enum status reading_variables(struct reading *r);
/* functions.c: variables for functions of a state or of time; their rates, in the model's units, by those of the others; what
 * they are where their argument is this number: false if variable k is none. */
enum status reading_functions(struct reading *r);
void reading_function_rates(const struct reading *r, struct interval_poly *rate);
struct interval reading_function_at(const struct reading *r, const struct reading_function *function, int k,
                                    double base);
/* States that nothing depends on but their functions are no arguments of V. */
void reading_leave_out_bases(struct reading *r, struct interval_poly terminal);

/* motion.c: place 0, running cost and path constraints. */
enum status reading_motion(struct reading *r);
/* contacts.c: places and guards of contacts. */
enum status reading_contacts(struct reading *r);
/* ends.c: where motions start and end. */
enum status reading_ends(struct reading *r);

#endif
