/* core/model/demands/constraints.c - what must hold along the path, at its ends, or between them */
#include "core/model/demands/read.h"

#include "core/model/mechanics/read.h"

#include <math.h>

#define GIVEN_TOL 1e-6              /* of a bound, at least of 1: what a solution may be off by */

static const char *const constraint_hint =
    "write one constraint per smooth function (abs(e) <= a is -a <= e <= a)";

static const char *const branch_hint =
    "a constraint of one part of the motion stands in that part of \"phases\", one of given times has \"at\"; a bound that "
    "depends on the state is a smooth function of it, as v <= 1 + x^2";

/* For `if` and conditions it is another one. */
static const char *hint_for(const struct reader *r, expr e)
{
    const expr rough = expr_find_nonsmooth(r->g, e);
    const enum expr_op op = rough == EXPR_NONE ? EXPR_CONST : expr_op_of(r->g, rough);
    return op == EXPR_IF || (op >= EXPR_LT && op <= EXPR_NOT) ? branch_hint : constraint_hint;
}

/* A boundary constraint speaks of the ends alone, the others of one point in time. */
static enum status check_places(struct reader *r, const struct spec_node *node, expr e, int at)
{
    const struct model *m = r->model;
    if (at == AT_BOUNDARY) {
        for (int k = 0; k < m->n_x; k++)
            if (expr_depends(r->g, e, 1, &m->x_sym[k]))
                return spec_error(r->diag, node, "at a boundary say which end: initial(%s) or final(%s)",
                                  m->x[k].name, m->x[k].name);
        if (quantity_refuse(r, node, e, "a boundary constraint") != STATUS_OK)
            return STATUS_SPEC;
        return check_uses(r, node, e, USES_STATES, "a boundary constraint");
    }
    if (quantity_is_force(m, e) && at & AT_INITIAL && (at & AT_PATH) != AT_PATH)
        return spec_error(r->diag, node,
                          "contact forces are known from the first stage on: not at the initial time");
    return STATUS_OK;
}

/* One of impulses holds at every impact, and nowhere else. */
static enum status check_impulse(struct reader *r, const struct spec_node *node, expr e)
{
    if (spec_get(node, "at"))
        return spec_error(r->diag, spec_get(node, "at"),
                          "a constraint of impulses holds at every impact: no \"at\"");
    if (r->phase)
        return spec_error(r->diag, node, "a constraint of impulses holds at every impact of the whole: write it under "
                          "\"constraints\" of the spec");
    if (quantity_is_force(r->model, e))
        return spec_error(r->diag, node, "forces and impulses are not there at the same time: two constraints");
    return check_uses(r, node, e, USES_STATES | USES_TIME, "a constraint of impulses");
}

/* Polynomials tell the state inside control intervals, not the forces. */
static enum status check_force_times(struct reader *r, const struct spec_node *node, expr e,
                                     const struct model_places *places)
{
    const int n = r->model->time.n_intervals;
    for (int k = 0; k < places->n_time && n > 0 && quantity_is_force(r->model, e); k++)
        if (!model_same_time(places->time[k], round(places->time[k] * n) / n))
            return spec_error(r->diag, node, "contact forces are known at ends of control intervals, and none ends at %.6g of "
                              "the horizon", places->time[k]);
    return STATUS_OK;
}

static void add_conditional(struct reader *r, const struct spec_node *node, const struct model_constraint *one)
{
    struct model_constraints *to = &r->model->constraints;
    if (one->of_forces || quantity_is_impulse(r->model, one->e)) {
        spec_error(r->diag, node,
                   "a constraint with a condition is of states and controls, not of contact forces or impulses");
        return;
    }
    to->conditional[to->n_conditional] = *r->condition;
    to->conditional[to->n_conditional++].of = *one;
}

static void add(struct reader *r, const struct spec_node *node, expr e, double lb, double ub,
                const struct model_places *places)
{
    struct model *m = r->model;
    const int at = places->at == AT_BOUNDARY ? 0 : places->at;
    if (check_smooth(r, node, e, hint_for(r, e)) != STATUS_OK || check_places(r, node, e, places->at) != STATUS_OK
        || check_force_times(r, node, e, places) != STATUS_OK)
        return;
    const int first = r->phase ? r->phase->first : 0, n_interval = r->phase ? r->phase->n_interval : 0;
    struct model_constraint one = { node->key, node->path, node->pos, e, lb, ub, at, places->n_time, places->time,
                                    first,
                                    first + n_interval, quantity_is_force(m, e) };
    if (r->condition) {
        add_conditional(r, node, &one);
    } else if (!quantity_is_impulse(m, e)) {
        m->constraints.constraint[m->constraints.n_constraint++] = one;
    } else if (check_impulse(r, node, e) == STATUS_OK) {
        one.at = 0;
        m->constraints.impact[m->constraints.n_impact++] = one;
    }
}

/* Bounds that are no numbers move to the other side: lb(p) <= e <= ub(p) is two rows then. */
static void add_relation(struct reader *r, const struct spec_node *node, const struct parse_relation *rel,
                         const struct model_places *places)
{
    double lb = -INFINITY, ub = INFINITY;
    const bool lb_moves = rel->lb != EXPR_NONE && !expr_is_const(r->g, rel->lb, &lb);
    const bool ub_moves = rel->ub != EXPR_NONE && !expr_is_const(r->g, rel->ub, &ub);
    if (isnan(lb) || isnan(ub)) {
        spec_error(r->diag, node, "a bound is not a number (NaN)");
    } else if (lb > ub) {
        spec_error(r->diag, node, "the lower bound %.15g is above the upper bound %.15g", lb, ub);
    } else if (lb_moves && rel->lb == rel->ub) {
        add(r, node, expr_sub(r->g, rel->body, rel->lb), 0, 0, places);
    } else if (!lb_moves && !ub_moves) {
        add(r, node, rel->body, lb, ub, places);
    } else {
        const expr above = lb_moves ? expr_sub(r->g, rel->body, rel->lb) : rel->body;
        const expr below = ub_moves ? expr_sub(r->g, rel->body, rel->ub) : rel->body;
        if (rel->lb != EXPR_NONE)
            add(r, node, above, lb_moves ? 0 : lb, INFINITY, places);
        if (rel->ub != EXPR_NONE)
            add(r, node, below, -INFINITY, ub_moves ? 0 : ub, places);
    }
}

/* A constraint of nothing but numbers: either always true, and there is nothing to add, or never. */
static bool is_settled(struct reader *r, const struct spec_node *node, const struct parse_relation *rel)
{
    double body, lb = -INFINITY, ub = INFINITY;
    if (!expr_is_const(r->g, rel->body, &body)
        || (rel->lb != EXPR_NONE && !expr_is_const(r->g, rel->lb, &lb))
        || (rel->ub != EXPR_NONE && !expr_is_const(r->g, rel->ub, &ub)))
        return false;
    if (!(body >= lb && body <= ub))
        spec_error(r->diag, node, "is false whatever the variables are");
    return true;
}

/* `if`: one condition, or a list of which all hold. */
static enum status read_condition(struct reader *r, const struct spec_node *node, int at,
                                  struct model_conditional *out)
{
    const int n = node->kind == SPEC_SEQUENCE ? node->n : 1;
    *out = (struct model_conditional){ .only = arena_alloc(r->mem, (size_t)n, sizeof *out->only), .when = expr_const(r->g, 1) };
    if (at != AT_PATH)
        return spec_error(r->diag, node, "a condition belongs to a constraint along the path, which has no \"at\"");
    if (n == 0)
        return spec_error(r->diag, node, "the list of conditions is empty");
    for (int k = 0; k < n; k++) {
        const struct spec_node *one = node->kind == SPEC_SEQUENCE ? node->child[k] : node;
        const char *what = "the condition of a constraint";
        const expr c = reader_condition(r, one, what, "h >= 100", "list those that hold together, [h >= 100, v >= 5]; for others "
                                        "write one constraint each");
        if (reader_is_broken(r, c) || check_uses(r, one, c, USES_STATES | USES_TIME, what) != STATUS_OK)
            return STATUS_SPEC;
        const expr step = expr_unary(r->g, EXPR_STEP, c);
        expr_set_pos(r->g, step, one->pos);
        out->when = expr_mul(r->g, out->when, step);
        out->only[out->n_if++] = c;
    }
    return STATUS_OK;
}

static void read_constraint(struct reader *r, const struct spec_node *node)
{
    struct parse_relation rel;
    if (node->kind == SPEC_MAPPING)
        shape_check_keys(r->diag, node, &model_constraint_shape);
    const bool is_noted = reader_is_optimized_time(spec_get(node, "at"));
    struct model_places places = { .at = AT_FINAL };
    if (!is_noted)
        places = reader_places(r, spec_get(node, "at"));
    const struct spec_node *text = reader_main(node, "expr");
    if (!text) {
        spec_error(r->diag, node, "\"expr\" is missing: a relation, as \"x >= 0\"");
        return;
    }
    if (places.at == AT_BOUNDARY && r->phase) {
        spec_error(r->diag, spec_get(node, "at"), "both ends are those of the whole: write it under \"constraints\" "
                   "of the spec");
        return;
    }
    r->ends_allowed = places.at == AT_BOUNDARY;
    r->contacts_allowed = true;
    const enum status st = reader_relation(r, text, &rel);
    r->ends_allowed = r->contacts_allowed = false;
    if (st != STATUS_OK || places.at == 0 || is_settled(r, text, &rel))
        return;
    struct model_conditional condition;
    const struct spec_node *only = spec_get(node, "if");
    if (only && read_condition(r, only, places.at, &condition) != STATUS_OK)
        return;
    if (is_noted && reader_note_value(r, node, &rel.body) != STATUS_OK)
        return;
    r->condition = only ? &condition : NULL;
    if (places.at == AT_IMPULSES)
        impulse_add_relation(r, node, &rel, add_relation);
    else
        add_relation(r, node, &rel, &places);
    r->condition = NULL;
}

/* --- At ends that are given ---------------------------------------------------------------------------------- */

static void check_end(struct reader *r, const struct model_constraint *c, bool at_start)
{
    const struct model *m = r->model;
    const int at = (at_start ? AT_INITIAL : AT_FINAL) | AT_ELEMENTS | AT_INTERVALS;
    const bool in_phase = c->end > 0 && (at_start ? c->first > 0 : c->end < m->time.n_intervals);
    if (!(c->at & at) || in_phase || c->of_forces || reader_is_broken(r, c->e))
        return;
    const double value = model_value_at_end(m, c->e, at_start), bound = value < c->lb ? c->lb : c->ub;
    if (fmax(c->lb - value, value - c->ub) > GIVEN_TOL * fmax(1, fabs(bound)))
        diag_error(r->diag, c->pos, c->path,
                   "cannot hold at the %s: it is %.7g at the %s values, and must be at %s %.7g",
                   at_start ? "start" : "end", value, at_start ? "initial" : "final",
                   value < c->lb ? "least" : "most", bound);
}

void reader_check_given_ends(struct reader *r)
{
    for (int k = 0; k < r->model->constraints.n_constraint; k++) {
        check_end(r, &r->model->constraints.constraint[k], true);
        check_end(r, &r->model->constraints.constraint[k], false);
    }
}

/* Where a quaternion starts as `solve` likes, it starts as a unit quaternion; then its motion keeps the length. */
static void add_unit_length(struct reader *r, const struct model_body *body)
{
    struct model *m = r->model;
    const struct model_rotation *rotation = &m->mechanics.rotation[body->rotation];
    bool is_fixed = true;
    for (int i = 0; i < rotation->n; i++)
        is_fixed = is_fixed && m->x[m->mechanics.q_index[rotation->q + i]].initial.kind == END_FIXED;
    const expr *q = reader_symbols(r, rotation->n, m->mechanics.q_index + rotation->q);
    if (rotation->n == 4 && !is_fixed)
        m->constraints.constraint[m->constraints.n_constraint++] = (struct model_constraint){
            .name = arena_printf(r->mem, "%s_unit_quaternion", body->name), .path = body->path, .pos = body->pos,
            .e = expr_dot(r->g, 4, q, q), .lb = 1, .ub = 1, .at = AT_INITIAL };
}

void reader_add_constraints(struct reader *r, const struct spec_node *block)
{
    reader_make_constraint_room(r, 2 * block->n);
    for (int i = 0; i < block->n; i++)
        read_constraint(r, block->child[i]);
}

/* Along the path with a slack, so that there is room beside the end, and a start where it holds just no more. */
void reader_add_end(struct reader *r, const struct spec_node *node, expr e)
{
    static const double slack = 1e-6;           /* of what the user compares */
    reader_make_constraint_room(r, 2);
    add(r, node, e, 0, 0, &(struct model_places){ .at = AT_FINAL });
    add(r, node, e, -INFINITY, slack, &(struct model_places){ .at = AT_PATH });
}

void model_read_constraints(struct reader *r)
{
    const struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "constraints");
    if (block)
        reader_add_constraints(r, block);
    reader_make_constraint_room(r, m->mechanics.n_body + 2 * m->mechanics.loops.n);
    loop_add_start(r);
    for (int b = 0; b < m->mechanics.n_body; b++)
        if (m->mechanics.body[b].rotation >= 0)
            add_unit_length(r, &m->mechanics.body[b]);
}
