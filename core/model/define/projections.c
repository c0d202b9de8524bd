/* core/model/define/projections.c - sets that first-order states are kept in
 *
 *   projection: {wall: {gap: x - a*sin(w*t), mobility: {x: 1/d}}}
 *
 * is the projected dynamical system, where the gap depends on time Moreau's sweeping process,
 *
 *   x' = f + sum of push lambda,  push = mobility * d gap/d x,       0 <= gap  _|_  lambda >= 0
 *
 * The reaction lambda is of the level of velocities: while the gap is 0 it follows from d/dt gap = 0. So it is
 * the step of a switch that has a wall where others have a negative side: lambda = 1 - alpha, alpha = 1 where
 * the gap is open, and not bounded below while it slides. Everything that knows switches knows this one. On
 * bodies, whose positions the gap depends on, the same reaction is a force J' lambda: what is between them has
 * no mass, and nothing is hit.
 */
#include "core/model/define/read.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "core/model/kinematics.h"
#include "core/model/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double GAP_TOL = 1e-8;     /* a gap at the start may be below zero by rounding */

const struct spec_node *projection_node(struct reader *r, int k)
{
    const struct spec_node *block = reader_block(r, r->root, "projection");
    const int n = block ? block->n : 0;
    return block && k < n ? block->child[k] : own_pair_node(r, k - n);
}

/* --- Gap and reaction: names in expressions ------------------------------------------------------------------- */

static expr read_gap(struct reader *r, const struct spec_node *node)
{
    const struct spec_node *gap = spec_get(node, "gap");
    if (node->kind != SPEC_MAPPING) {
        spec_error(r->diag, node, "expected {gap: an expression that stays >= 0}");
        return r->broken;
    }
    shape_check_keys(r->diag, node, &model_projection_shape);
    if (!gap) {
        spec_error(r->diag, node, "\"gap\" is missing: an expression of states and t that stays >= 0");
        return r->broken;
    }
    const expr e = reader_smooth(r, gap, "write an entry for each smooth part of the boundary",
                                 USES_POSITIONS | USES_OTHER_STATES | USES_TIME,
                                 "the gap, a function of positions, first-order states and time,");
    if (!reader_is_broken(r, e) && !expr_depends(r->g, e, r->model->n_x, r->model->x_sym)) {
        spec_error(r->diag, gap, "the gap depends on no state");
        return r->broken;
    }
    if (!reader_is_broken(r, e) && check_is_power(r->g, e))
        spec_error(r->diag, gap, "the gap is a power, whose gradient vanishes where the gap is 0: no reaction has a direction "
                   "there; give it a slope, as q in place of q^2");
    return e;
}

void reader_read_projection(struct reader *r, int k)
{
    struct model *m = r->model;
    const struct spec_node *node = projection_node(r, k);
    struct model_projection *one = &m->switching.projection[k];
    if (one->is_pair) {
        own_pair_read(r, node, one);
        return;
    }
    *one = (struct model_projection){ .name = node->key, .path = node->path, .pos = node->key_pos, .gap = r->broken,
                                      .lambda = r->broken, .state = expr_sym(r->g, node->key) };
    const expr gap = read_gap(r, node);
    if (reader_is_broken(r, gap))
        return;
    one->gap = gap;
    const expr alpha = expr_relay(r->g, one->gap, one->gap, one->state);        /* both thresholds are 0: a switch */
    expr_set_pos(r->g, alpha, node->key_pos);
    one->lambda = expr_sub(r->g, expr_const(r->g, 1), alpha);
}

/* --- What the reaction pushes --------------------------------------------------------------------------------- */

static bool is_coordinate(const struct reader *r, int k)
{
    return r->is_coordinate && r->is_coordinate[k];
}

/* The first-order state that a key names; -1 after an error. */
static int pushed_state(struct reader *r, const struct spec_node *node)
{
    const int k = reader_state_of(r, node, node->key_pos, node->key);
    if (k >= 0 && is_coordinate(r, k)) {
        spec_error(r->diag, node, "\"%s\" is a position or velocity: on bodies the reaction is a force, along the gradient of "
                   "the gap", node->key);
        return -1;
    }
    if (k >= 0 && model_find_held(r->model, k)) {
        spec_error(r->diag, node, "\"%s\" is a control: nothing pushes it", node->key);
        return -1;
    }
    return k;
}

/* push = mobility d gap/d x of the states that are no coordinates; the mobility is 1 where it is not given. */
static void push_by_mobility(struct reader *r, const struct spec_node *block, const struct model_projection *one,
                             expr *push)
{
    struct model *m = r->model;
    expr_gradient(r->g, one->gap, m->n_x, m->x_sym, push);
    for (int k = 0; k < m->n_x; k++)
        if (is_coordinate(r, k) || model_find_held(m, k))
            push[k] = expr_const(r->g, 0);
    for (int i = 0; block && i < block->n; i++) {
        const struct spec_node *node = block->child[i];
        const int k = pushed_state(r, node);
        const expr mobility = reader_smooth(r, node, "a mobility is smooth", USES_STATES | USES_TIME, "a mobility");
        if (k < 0 || reader_is_broken(r, mobility))
            continue;
        if (model_value_at(m, mobility, AT_START) >= 0)
            push[k] = expr_mul(r->g, mobility, push[k]);
        else
            spec_error(r->diag, node, "a mobility may not be negative, and is %.6g at the start",
                       model_value_at(m, mobility, AT_START));
    }
}

static void push_by_direction(struct reader *r, const struct spec_node *block, expr *push)
{
    for (int k = 0; k < r->model->n_x; k++)
        push[k] = expr_const(r->g, 0);
    for (int i = 0; i < block->n; i++) {
        const struct spec_node *node = block->child[i];
        const int k = pushed_state(r, node);
        const expr e = reader_smooth(r, node, "a direction is smooth", USES_STATES | USES_TIME, "a direction");
        if (k >= 0)
            push[k] = e;
    }
}

/* Rate of the gap per unit of the reaction, but for what goes through the mass of bodies. */
static expr opening(struct reader *r, const struct model_projection *one, const expr *push)
{
    const struct model *m = r->model;
    expr *gradient = mem_alloc((size_t)m->n_x, sizeof *gradient);
    expr_gradient(r->g, one->gap, m->n_x, m->x_sym, gradient);
    const expr sum = expr_dot(r->g, m->n_x, gradient, push);
    free(gradient);
    return sum;
}

static void check_push(struct reader *r, const struct spec_node *node, const struct model_projection *one,
                       const expr *push)
{
    const expr opens = opening(r, one, push);
    if (reader_is_broken(r, opens))
        return;
    if (model_is_zero(r->model, opens))
        spec_error(r->diag, node, "its reaction does not open the gap: the gap depends on no first-order state that it pushes "
                   "(between bodies alone it is a contact)");
    else if (model_value_at(r->model, opens, AT_START) < 0)
        spec_error(r->diag, node, "the reaction closes the gap (d/dt gap = %.6g per unit of it at the start): change the sign "
                   "of \"direction\"", model_value_at(r->model, opens, AT_START));
}

/* Once the start is fixed, so is the gap there. */
static void check_start(struct reader *r, const struct spec_node *node, expr gap)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->n_x; k++)
        if (m->x[k].initial.kind != END_FIXED && expr_depends(r->g, gap, 1, &m->x_sym[k]))
            return;
    if (expr_depends(r->g, gap, m->n_p, m->p_sym))
        return;
    const double at_start = model_value_at(m, gap, AT_START);
    if (!isfinite(at_start))
        spec_error(r->diag, node, "the gap is not finite at the initial values");
    else if (at_start < -GAP_TOL)
        spec_error(r->diag, node, "the gap is %.6g at the initial values: it starts outside", at_start);
}

/* x' += push lambda, force += J' lambda. */
static void add_reaction(struct reader *r, const struct model_projection *one, const expr *push)
{
    struct model *m = r->model;
    for (int k = 0; k < m->n_x; k++)
        if (m->dynamics.rhs[k] != EXPR_NONE && !is_coordinate(r, k))
            m->dynamics.rhs[k] = expr_add(r->g, m->dynamics.rhs[k], expr_mul(r->g, push[k], one->lambda));
    if (m->mechanics.n_q == 0)
        return;
    expr *J = mem_alloc((size_t)m->mechanics.n_q, sizeof *J);
    kinematics_gradient(m, one->gap, J);
    kinematics_keep_loops(m, J, J);
    for (int i = 0; i < m->mechanics.n_q; i++)
        m->mechanics.f_v[i] = expr_add(r->g, m->mechanics.f_v[i], expr_mul(r->g, J[i], one->lambda));
    free(J);
}

static void read_push(struct reader *r, const struct spec_node *node, struct model_projection *one)
{
    struct model *m = r->model;
    const struct spec_node *mobility = reader_block(r, node, "mobility"),
                           *direction = reader_block(r, node, "direction");
    expr *push = one->push = arena_alloc(r->mem, (size_t)m->n_x, sizeof *push);
    if (mobility && direction)
        spec_error(r->diag, mobility, "either \"mobility\" or \"direction\", not both");
    if (direction)
        push_by_direction(r, direction, push);
    else
        push_by_mobility(r, mobility, one, push);
    check_push(r, node, one, push);
    check_start(r, spec_get(node, "gap"), one->gap);
    if (m->names_known)
        add_reaction(r, one, push);
}

/* The result file has columns named after the entry. */
static void check_names(struct reader *r, const struct spec_node *node)
{
    static const char *const suffix[] = { "gap", "lambda" };
    const struct model *m = r->model;
    for (int c = 0; c < m->contacts.n_contact; c++)
        if (strcmp(m->contacts.contact[c].name, node->key) == 0)
            diag_error(r->diag, node->key_pos, node->path, "there is a contact of this name already");
    reader_check_letters(r, node);
    reader_check_result_names(r, "projection", node->key, 2, suffix);
}

void model_read_projections(struct reader *r)
{
    struct model *m = r->model;
    if (m->switching.n_projection && (r->need == MODEL_FOR_IMPACT || r->need == MODEL_FOR_CERTIFY))
        diag_error(r->diag, m->switching.projection[0].pos, m->switching.projection[0].path,
                   "impact and certify are about bodies and their contacts alone: "
                   "leave it out; simulate and solve take it");
    own_pairs_check(r);
    for (int k = 0; k < m->switching.n_projection && !m->switching.projection[k].is_pair; k++) {
        const struct spec_node *node = projection_node(r, k);
        check_names(r, node);
        if (m->dynamics.type_known && m->mechanics.coordinates_known
            && !reader_is_broken(r, m->switching.projection[k].gap))
            read_push(r, node, &m->switching.projection[k]);
    }
}
