/* core/model/phases.c - phases by the user: stretches of the horizon with lengths, dynamics and demands of their own
 *
 *   phases:
 *     held:   {length: {min: 0.1, max: 1, guess: 0.4}, intervals: 10}
 *     flight: {length: 0.5, intervals: 5, controls: [], contacts: [], dynamics: {force: {x: 0}}, start: {v: 0.9*v}}
 *     fall:   {length: {min: 0.01, max: 2}, intervals: 1, until: z <= 0}
 *   links: {step: {q1: q2, q2: q1}}              # state at the start: expression of the states at the end
 *
 * The name of a phase is a control, 1 in its intervals and 0 in the others; "held_length" is a parameter.
 */
#include "core/model/read.h"
#include "core/model/shapes.h"

#include <math.h>
#include <string.h>

/* --- Names --------------------------------------------------------------------------------------------------- */

void model_collect_phases(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "phases");
    const int n = block ? block->n : 0;
    m->phase = arena_alloc(r->mem, (size_t)n, sizeof *m->phase);
    r->phase_node = arena_alloc(r->mem, (size_t)n, sizeof *r->phase_node);
    for (int k = 0; k < n; k++) {
        const struct spec_node *node = block->child[k];
        r->phase_node[k] = node;
        m->phase[k] = (struct model_phase){ .name = node->key, .path = node->path, .pos = node->key_pos, .p = -1,
                                            .length = 1, .n_interval = 1, .until = EXPR_NONE };
    }
    m->n_phase = n;
    if (block && n == 0)
        spec_error(r->diag, block, "names no phase: {name: {length: 0.5, intervals: 5}}");
}

/* --- Lengths and intervals ----------------------------------------------------------------------------------- */

enum { MAX_INTERVALS = 1000000 };

/* What its parameter has become: a number, or an optimized one. */
static void find_length(struct reader *r, struct model_phase *phase, const struct spec_node *length)
{
    const struct model *m = r->model;
    const struct model_param *param = &m->param[phase->param];
    phase->length = param->value;
    for (int k = 0; k < m->n_p; k++)
        if (m->p_sym[k] == param->value_expr)
            phase->p = k;
    if (reader_is_broken(r, param->value_expr))
        phase->length = 1;
    else if (phase->p < 0 && !expr_is_const(r->g, param->value_expr, NULL))
        spec_error(r->diag, length, "must be a number, an optimized parameter by its name, or {min:, max:, guess:}");
    else if (!(param->value > 0 && isfinite(param->value)))
        spec_error(r->diag, length, "must be above 0, got %.15g", param->value);
    else if (phase->p >= 0 && !(m->param[m->p_param[phase->p]].lb > 0))
        spec_error(r->diag, length, "may become %.15g: the least length must be above 0",
                   m->param[m->p_param[phase->p]].lb);
}

static void read_length(struct reader *r, struct model_phase *phase, const struct spec_node *node)
{
    const struct spec_node *length = spec_get(node, "length"), *intervals = spec_get(node, "intervals");
    if (node->kind != SPEC_NULL)
        shape_check_keys(r->diag, node, &model_phase_shape);
    if (node->kind != SPEC_MAPPING && node->kind != SPEC_NULL)
        return;
    if (length)
        find_length(r, phase, length);
    else
        spec_error(r->diag, node, "\"length\" is missing (s, or {min:, max:, guess:} if it is free)");
    if (intervals)
        reader_int(r, intervals, 1, MAX_INTERVALS, &phase->n_interval);
    else
        spec_error(r->diag, node, "\"intervals\" is missing (the number of its control intervals, as 10)");
}

/* The horizon is their sum: a number, or a symbol with bounds. */
static void add_up(struct reader *r)
{
    struct model *m = r->model;
    m->horizon = m->horizon_min = m->horizon_max = 0;
    for (int k = 0; k < m->n_phase; k++) {
        struct model_phase *phase = &m->phase[k];
        const struct model_param *p = phase->p >= 0 ? &m->param[m->p_param[phase->p]] : NULL;
        phase->first = m->n_intervals;
        if (phase->n_interval > MAX_INTERVALS - m->n_intervals) {
            diag_error(r->diag, phase->pos, phase->path, "makes more than %d control intervals in all", (int)MAX_INTERVALS);
            phase->n_interval = 1;
        }
        m->n_intervals += phase->n_interval;
        m->horizon += phase->length;
        m->horizon_min += p ? p->lb : phase->length;
        m->horizon_max += p ? p->ub : phase->length;
        m->horizon_free = m->horizon_free || p;
    }
    m->n_stretch = m->n_phase;
    m->stretch = arena_alloc(r->mem, (size_t)m->n_phase, sizeof *m->stretch);
    for (int k = 0; k < m->n_phase; k++) {
        const struct model_phase *phase = &m->phase[k];
        m->stretch[k] = (struct model_stretch){ phase->first, phase->n_interval, phase->p < 0 ? LENGTH_FIXED : phase->p,
                                                phase->p < 0 ? phase->length : 1 };
    }
    m->T_sym = m->horizon_free ? expr_sym(r->g, "horizon") : expr_const(r->g, m->horizon);
    m->horizon_pos = m->phase[0].pos;
}

void model_read_lengths(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *time = spec_get(r->root, "time");
    static const char *const theirs[] = { "horizon", "intervals" };
    for (int k = 0; k < 2; k++)
        if (spec_get(time, theirs[k]))
            spec_error(r->diag, spec_get(time, theirs[k]), "is that of the phases together: write \"%s\" in each of "
                       "them", k ? "intervals" : "length");
    for (int k = 0; k < m->n_phase; k++)
        read_length(r, &m->phase[k], r->phase_node[k]);
    add_up(r);
}

/* --- Dynamics ------------------------------------------------------------------------------------------------ */

/* What a phase says of a state in force or rhs; NULL: nothing. */
static const struct spec_node *given_of(const struct reader *r, int k, const char *kind, const char *state)
{
    return spec_get(spec_get(spec_get(r->phase_node[k], "dynamics"), kind), state);
}

bool reader_phases_give(const struct reader *r, const char *kind, const char *state)
{
    bool all = r->model->n_phase > 0;
    for (int k = 0; k < r->model->n_phase; k++)
        all = all && given_of(r, k, kind, state);
    return all;
}

/* base in the phases that say nothing else: base (1 - sum of the others) + sum name * theirs. */
expr reader_phases_blend(struct reader *r, const char *kind, const char *state, expr base)
{
    const struct model *m = r->model;
    expr sum = expr_const(r->g, 0), rest = expr_const(r->g, 1);
    for (int k = 0; k < m->n_phase; k++) {
        const struct spec_node *node = given_of(r, k, kind, state);
        expr e;
        if (!node)
            continue;
        reader_expr(r, node, &e);
        sum = expr_add(r->g, sum, expr_mul(r->g, m->u_sym[m->phase[k].u], e));
        rest = expr_sub(r->g, rest, m->u_sym[m->phase[k].u]);
    }
    return reader_phases_give(r, kind, state) ? sum : expr_add(r->g, expr_mul(r->g, base, rest), sum);
}

/* --- What acts in a phase ------------------------------------------------------------------------------------ */

/* The controls of a list; all of them without one. Names of phases, which are controls too, always act. */
static bool *read_controls(struct reader *r, const struct spec_node *list)
{
    const struct model *m = r->model;
    bool *has = arena_alloc(r->mem, (size_t)m->n_u, sizeof *has);
    for (int i = 0; i < m->n_u; i++)
        has[i] = !list || i >= r->n_plain_u;
    if (list && list->kind != SPEC_SEQUENCE)
        spec_error(r->diag, list, "expected a list of controls, as [] for none");
    for (int j = 0; list && list->kind == SPEC_SEQUENCE && j < list->n; j++) {
        const struct spec_node *one = list->child[j];
        const char *name = one->kind == SPEC_SCALAR ? one->text : "";
        const int k = model_find_control(m, name);
        if (k < 0 || k >= r->n_plain_u)
            reader_refuse_name(r, one, one->pos, name, "control", r->n_plain_u, m->u, NULL);
        else
            has[k] = true;
    }
    return has;
}

/* The contact that a scalar names, or all of a shape, get the role. */
static void set_role(struct reader *r, const struct spec_node *node, struct srcpos pos, const char *name,
                     enum contact_role role, enum contact_role *contact)
{
    const struct model *m = r->model;
    int n = 0;
    for (int c = 0; c < m->n_contact && name; c++)
        if (model_contact_is(&m->contact[c], name)) {
            contact[c] = role;
            n++;
        }
    if (n == 0)
        diag_error(r->diag, pos, node->path, "\"%s\" is no contact", name ? name : "");
    if (n > 1 && role == CONTACT_STICKS)
        diag_error(r->diag, pos, node->path, "\"%s\" is %d contacts, %s_1 and so on, with pieces of its ground: say which one sticks",
                   name, n, name);
}

/* A list of those that are there beside friction under loads, or {contact: what it is all through the phase}; without
 * it all are there. */
static enum contact_role *read_contacts(struct reader *r, const struct spec_node *node)
{
    static const enum contact_role is[] = { CONTACT_OPEN, CONTACT_STICKS };
    const int n = r->model->n_contact;
    enum contact_role *contact = arena_alloc(r->mem, (size_t)n, sizeof *contact);
    for (int c = 0; c < n; c++)
        contact[c] = node && c < n - r->model->n_load ? CONTACT_ABSENT : CONTACT_THERE;
    if (node && node->kind != SPEC_SEQUENCE && node->kind != SPEC_MAPPING)
        spec_error(r->diag, node, "expected a list of contacts, as [] for none, or {contact: open or sticks}");
    for (int j = 0; node && node->kind == SPEC_SEQUENCE && j < node->n; j++) {
        const struct spec_node *one = node->child[j];
        set_role(r, one, one->pos, one->kind == SPEC_SCALAR ? one->text : NULL, CONTACT_THERE, contact);
    }
    for (int j = 0; node && node->kind == SPEC_MAPPING && j < node->n; j++) {
        const struct spec_node *one = node->child[j];
        const int word = reader_choice(r, one, model_contact_words);
        if (word >= 0)
            set_role(r, one, one->key_pos, one->key, is[word], contact);
    }
    return contact;
}

/* All phases say what contacts are, or none does: a sequence is given, or it is found. */
static void check_prescription(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *says = NULL, *silent = NULL;
    for (int k = 0; k < m->n_phase; k++) {
        const struct spec_node *contacts = spec_get(r->phase_node[k], "contacts");
        const bool is_told = contacts && (contacts->kind == SPEC_MAPPING || contacts->n == 0);
        says = contacts && contacts->kind == SPEC_MAPPING ? contacts : says;
        silent = is_told ? silent : r->phase_node[k];
    }
    m->prescribes = says && m->n_contact;
    if (says && silent)
        diag_error(r->diag, silent->key_pos, silent->path, "does not say what its contacts are, as other phases do: "
                   "write contacts: {name: open or sticks}, or lists in all of them");
}

static void read_start(struct reader *r, const struct spec_node *block, struct model_phase *phase)
{
    if (phase == r->model->phase)
        spec_error(r->diag, block, "there is nothing before the first phase: \"initial\" of the states says where it "
                   "starts");
    phase->start_x = arena_alloc(r->mem, (size_t)block->n, sizeof *phase->start_x);
    phase->start = arena_alloc(r->mem, (size_t)block->n, sizeof *phase->start);
    for (int i = 0; i < block->n; i++) {
        const struct spec_node *one = block->child[i];
        const int x = reader_state_of(r, one, one->key_pos, one->key);
        const expr e = reader_smooth(r, one, "a jump is one smooth expression", USES_STATES | USES_TIME,
                                     "what a state jumps to, of what is before,");
        if (x < 0 || reader_is_broken(r, e))
            continue;
        phase->start_x[phase->n_start] = x;
        phase->start[phase->n_start++] = e;
    }
}

static void check_dynamics(struct reader *r, const struct spec_node *phase)
{
    const struct spec_node *block = reader_block(r, phase, "dynamics"), *rhs = spec_get(block, "rhs");
    const enum model_type type = r->model->type;
    if (!block || !r->model->type_known)
        return;
    shape_check_keys(r->diag, block, &model_phase_dynamics_shape);
    const struct spec_node *force = spec_get(block, "force");
    if (type == MODEL_PIECEWISE)
        spec_error(r->diag, block, "piecewise dynamics are those of all phases: write %s as a factor into their rhs",
                   phase->key);
    if (force && type != MODEL_MECHANICAL)
        spec_error(r->diag, force, "forces need dynamics of type mechanical: write \"rhs\"");
    for (int i = 0; rhs && i < rhs->n && type != MODEL_PIECEWISE; i++) {
        const int k = reader_state_of(r, rhs->child[i], rhs->child[i]->key_pos, rhs->child[i]->key);
        if (k >= 0)
            reader_refuse_coordinate(r, rhs->child[i], k);
    }
    for (int i = 0; force && i < force->n && type == MODEL_MECHANICAL; i++)
        reader_coordinate_of(r, force->child[i]);
}

static void read_cost(struct reader *r, const struct spec_node *cost, const struct model_phase *phase)
{
    const struct model *m = r->model;
    const int last = phase->first + phase->n_interval;
    const bool ends = last == m->n_intervals;
    double *end = arena_alloc(r->mem, 1, sizeof *end);
    *end = (double)last / m->n_intervals;
    shape_check_keys(r->diag, cost, &model_phase_cost_shape);
    reader_add_running(r, reader_block(r, cost, "running"), m->u_sym[phase->u]);
    reader_add_terminal(r, reader_block(r, cost, "terminal"),
                        &(struct model_places){ ends ? AT_FINAL : AT_TIMES, !ends, end });
}

/* Two phases that share a length cannot end by conditions of their own. */
static bool has_own_length(const struct model *m, const struct model_phase *phase)
{
    for (int k = 0; k < m->n_phase; k++)
        if (&m->phase[k] != phase && m->phase[k].p == phase->p)
            return false;
    return phase->p >= 0;
}

static void read_until(struct reader *r, const struct spec_node *node, struct model_phase *phase)
{
    const expr e = reader_condition(r, node, "the end of a phase", "z <= 0", "write a smooth function, or phases in a row");
    if (reader_is_broken(r, e))
        return;
    if (expr_depends(r->g, e, r->model->n_u, r->model->u_sym)) {
        spec_error(r->diag, node, "the end of a phase may not depend on controls, which jump (hold: linear makes them continuous)");
        return;
    }
    if (!has_own_length(r->model, phase)) {
        spec_error(r->diag, node, "needs a length of its own that is free: length: {min:, max:, guess:}");
        return;
    }
    phase->until = e;
    phase->until_pos = node->pos;
    reader_add_end(r, node, e);
}

static void read_phase(struct reader *r, const struct spec_node *node, struct model_phase *phase)
{
    const struct spec_node *cost = reader_block(r, node, "cost"), *start = reader_block(r, node, "start");
    const struct spec_node *constraints = reader_block(r, node, "constraints"), *until = spec_get(node, "until");
    phase->has_u = read_controls(r, spec_get(node, "controls"));
    phase->contact = read_contacts(r, spec_get(node, "contacts"));
    check_dynamics(r, node);
    if (start)
        read_start(r, start, phase);
    r->phase = phase;
    if (cost)
        read_cost(r, cost, phase);
    if (constraints)
        reader_add_constraints(r, constraints);
    if (until)
        read_until(r, until, phase);
    r->phase = NULL;
}

void model_read_phases(struct reader *r)
{
    for (int k = 0; k < r->model->n_phase; k++)
        if (r->phase_node[k]->kind == SPEC_MAPPING)
            read_phase(r, r->phase_node[k], &r->model->phase[k]);
        else
            read_phase(r, &(struct spec_node){ .kind = SPEC_MAPPING, .key = r->phase_node[k]->key,
                                               .path = r->phase_node[k]->path }, &r->model->phase[k]);
    check_prescription(r);
}

/* --- Links --------------------------------------------------------------------------------------------------- */

/* initial(state) - e of the final states = 0. */
static void read_link(struct reader *r, const struct spec_node *node, const char *name)
{
    struct model *m = r->model;
    const int x = reader_state_of(r, node, node->key_pos, node->key);
    expr e = reader_smooth(r, node, "a link is one smooth expression", USES_STATES,
                           "a link, of the states at the end,");
    if (x < 0 || reader_is_broken(r, e))
        return;
    expr_substitute(r->g, 1, &e, m->n_x, m->x_sym, m->x_final_sym, &e);
    m->constraint[m->n_constraint++] = (struct model_constraint){
        .name = arena_printf(r->mem, "%s, %s", name, node->key), .path = node->path, .pos = node->pos,
        .e = expr_sub(r->g, m->x_initial_sym[x], e) };
}

void model_read_links(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "links");
    int n = 0;
    for (int i = 0; block && i < block->n; i++)
        n += block->child[i]->n;
    struct model_constraint *all = arena_alloc(r->mem, (size_t)(m->n_constraint + n), sizeof *all);
    for (int k = 0; k < m->n_constraint; k++)
        all[k] = m->constraint[k];
    m->constraint = all;
    for (int i = 0; block && i < block->n; i++) {
        const struct spec_node *link = block->child[i];
        if (link->kind != SPEC_MAPPING)
            spec_error(r->diag, link, "expected {state at the start: expression of the states at the end}");
        for (int j = 0; link->kind == SPEC_MAPPING && j < link->n; j++)
            read_link(r, link->child[j], link->key);
    }
}
