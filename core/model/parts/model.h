/* core/model/parts/model.h - what a spec says, as expressions: states, dynamics, contacts, cost, constraints
 *
 * Parameters that are not optimized are constants of the graph; defines are substituted. Every command reads
 * this.
 *
 *   ode         x' = rhs(x, u, p, t)
 *   mechanical  q' = N(q) v,  M(q) v' = f_v(q, v, u, p, t) + sum_c J_n lambda_n + J_t lambda_t,  other states x' = rhs
 *               (f_v: force, minus Coriolis and potential terms when energies are given; no contact); N is the unit
 *               matrix but for orientations (kinematics.h)
 *   piecewise   x' = rhs + sum over groups of the rhs of the mode that the signs of the group's switches select
 *   projections add their reactions to rhs and f_v: x' = rhs + push lambda,  0 <= gap _|_ lambda >= 0
 *   pairs with a force of their own: rhs and f_v may depend on lambda,  0 <= H(x, u, p, t, lambda) _|_ lambda >= 0
 *
 * With phases the horizon is a row of stretches with lengths of their own, each cut into its control intervals.
 * The name of a phase is a control that is 1 in its intervals and 0 in the others: what differs from phase to
 * phase is multiplied by it.
 *
 * rhs and f_v may contain nonsmooth nodes (nonsmooth.h turns them into switching functions); M, gaps, tangents,
 * cost and constraints are smooth. Units are the spec's.
 * Shapes  n_q degrees of freedom (velocities), n_position >= n_q positions; M [n_q x n_q] by columns, symmetric;
 *         J_n [n_q]; J_t [n_q x n_t] by columns; index order = spec order.
 * Each part has a struct and a header of its own.
 */
#ifndef COCP_CORE_MODEL_PARTS_MODEL_H
#define COCP_CORE_MODEL_PARTS_MODEL_H

#include "core/base/arena.h"
#include "core/base/slip.h"
#include "core/expression/expr.h"
#include "core/model/parts/constraints.h"
#include "core/model/parts/contacts.h"
#include "core/model/parts/costs.h"
#include "core/model/parts/data.h"
#include "core/model/parts/defines.h"
#include "core/model/parts/drawing.h"
#include "core/model/parts/dynamics.h"
#include "core/model/parts/guess.h"
#include "core/model/parts/impulses.h"
#include "core/model/parts/mechanics.h"
#include "core/model/parts/switching.h"
#include "core/model/parts/tables.h"
#include "core/model/parts/time.h"
#include "core/model/parts/variables.h"
#include "core/spec/spec.h"

struct model {
    struct arena mem;
    struct expr_graph *graph;
    const struct spec *spec;                    /* borrowed */
    const char *name, *description;
    const char *file;                           /* of the spec */

    int n_x, n_u, n_p;                          /* n_p: optimized parameters */
    struct model_var *x, *u;                    /* [n_x], [n_u] */
    int n_held;
    struct model_held *held;                    /* [n_held]; their states come after those of the spec */
    int n_param;
    struct model_param *param;                  /* [n_param], all of them */
    int *p_param;                               /* [n_p] index in param of optimized parameter k */
    expr *x_sym, *u_sym, *p_sym;                /* [n_x], [n_u], [n_p] */
    expr t_sym;                                 /* physical time */
    expr T_sym;                                 /* the horizon; a constant node if it is fixed */
    expr *x_initial_sym, *x_final_sym;          /* [n_x] of boundary constraints */
    bool has_sizes;                             /* solver.scale: programs are solved in units of the sizes of variables */
    bool is_measured;                           /* the initial state is a measured one: constraints are not asked there */

    struct model_time time;
    struct model_impulses impulses;
    struct model_dynamics dynamics;
    struct model_mechanics mechanics;
    struct model_contacts contacts;
    struct model_switching switching;
    struct model_costs costs;
    struct model_constraints constraints;
    struct model_data data;
    struct model_defines defines;
    struct model_tables tables;
    struct model_drawing drawing;
    struct model_guess guess;

    expr broken;                                /* what could not be read stands as this symbol */
    bool names_known;                           /* false: a block of names is missing (reported): nothing more is
                                                 * said about names that nobody knows */
};

/* What a command needs of a spec; missing things are errors only then. */
enum model_need { MODEL_FOR_CHECK, MODEL_FOR_SOLVE, MODEL_FOR_SIMULATE, MODEL_FOR_IMPACT, MODEL_FOR_CERTIFY };

/* Forces of a point: 3 of each contact, normal and tangential, then the reaction of each projection. */
static inline int model_n_force(const struct model *model)
{
    return CONTACT_ROWS * model->contacts.n_contact + model->switching.n_projection;
}

#endif
