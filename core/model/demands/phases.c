/* Phases by the user: stretches of the horizon with lengths, dynamics and demands of their own
 *
 *   phases:
 *     held:   {length: {min: 0.1, max: 1, guess: 0.4}, intervals: 10}
 *     flight: {length: 0.5, intervals: 5, controls: [], contacts: [], dynamics: {force: {x: 0}}, start: {v: 0.9*v}}
 *     fall:   {length: {min: 0.01, max: 2}, intervals: 1, until: z <= 0}
 *   links: {step: {q1: q2, q2: q1}}              # state at the start: expression of the states at the end
 *
 * The name of a phase is a control, 1 in its intervals and 0 in the others; "held_length" is a parameter.
 */
#include "core/model/demands/read.h"

#include "core/model/mechanics/read.h"

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
    for (int c = 0; c < m->contacts.n_contact && name; c++)
        if (model_contact_is(&m->contacts.contact[c], name)) {
            contact[c] = role;
            n++;
        }
    if (n == 0)
        diag_error(r->diag, pos, node->path, "\"%s\" is no contact", name ? name : "");
    if (n > 1 && role == CONTACT_STICKS)
        diag_error(r->diag, pos, node->path,
                   "\"%s\" is %d contacts, %s_1 and so on, with pieces of its ground: say which one sticks", name,
                   n, name);
}

/* A list of those that are there beside friction under loads, or {contact: what it is all through the
 * phase}; without it all are there. */
static enum contact_role *read_contacts(struct reader *r, const struct spec_node *node)
{
    static const enum contact_role is[] = { CONTACT_OPEN, CONTACT_STICKS };
    const int n = r->model->contacts.n_contact;
    enum contact_role *contact = arena_alloc(r->mem, (size_t)n, sizeof *contact);
    for (int c = 0; c < n; c++)
        contact[c] = node && c < n - r->model->contacts.n_load ? CONTACT_ABSENT : CONTACT_THERE;
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
    for (int k = 0; k < m->time.n_phase; k++) {
        const struct spec_node *contacts = spec_get(r->phase_node[k], "contacts");
        const bool is_told = contacts && (contacts->kind == SPEC_MAPPING || contacts->n == 0);
        says = contacts && contacts->kind == SPEC_MAPPING ? contacts : says;
        silent = is_told ? silent : r->phase_node[k];
    }
    m->time.prescribes = says && m->contacts.n_contact;
    if (says && silent)
        diag_error(r->diag, silent->key_pos, silent->path, "does not say what its contacts are, as other phases do: "
                   "write contacts: {name: open or sticks}, or lists in all of them");
}

static void read_start(struct reader *r, const struct spec_node *block, struct model_phase *phase)
{
    if (phase == r->model->time.phase)
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
    const enum model_type type = r->model->dynamics.type;
    if (!block || !r->model->dynamics.type_known)
        return;
    shape_check_keys(r->diag, block, &model_phase_dynamics_shape);
    const struct spec_node *force = spec_get(block, "force");
    if (type == MODEL_PIECEWISE)
        spec_error(r->diag, block,
                   "piecewise dynamics are those of all phases: write %s as a factor into their rhs", phase->key);
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
    const bool ends = last == m->time.n_intervals;
    double *end = arena_alloc(r->mem, 1, sizeof *end);
    *end = (double)last / m->time.n_intervals;
    shape_check_keys(r->diag, cost, &model_phase_cost_shape);
    reader_add_running(r, reader_block(r, cost, "running"), m->u_sym[phase->u]);
    reader_add_terminal(r, reader_block(r, cost, "terminal"),
                        &(struct model_places){ ends ? AT_FINAL : AT_TIMES, !ends, end });
}

/* Two phases that share a length cannot end by conditions of their own. */
static bool has_own_length(const struct model *m, const struct model_phase *phase)
{
    for (int k = 0; k < m->time.n_phase; k++)
        if (&m->time.phase[k] != phase && m->time.phase[k].p == phase->p)
            return false;
    return phase->p >= 0;
}

static void read_until(struct reader *r, const struct spec_node *node, struct model_phase *phase)
{
    const expr e =
        reader_condition(r, node, "the end of a phase", "z <= 0", "write a smooth function, or phases in a row");
    if (reader_is_broken(r, e))
        return;
    if (expr_depends(r->g, e, r->model->n_u, r->model->u_sym)) {
        spec_error(
            r->diag, node,
            "the end of a phase may not depend on controls, which jump (hold: linear makes them continuous)");
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
    for (int k = 0; k < r->model->time.n_phase; k++)
        if (r->phase_node[k]->kind == SPEC_MAPPING)
            read_phase(r, r->phase_node[k], &r->model->time.phase[k]);
        else
            read_phase(r, &(struct spec_node){ .kind = SPEC_MAPPING, .key = r->phase_node[k]->key,
                                               .path = r->phase_node[k]->path }, &r->model->time.phase[k]);
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
    m->constraints.constraint[m->constraints.n_constraint++] = (struct model_constraint){
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
    struct model_constraint *all = arena_alloc(r->mem, (size_t)(m->constraints.n_constraint + n), sizeof *all);
    for (int k = 0; k < m->constraints.n_constraint; k++)
        all[k] = m->constraints.constraint[k];
    m->constraints.constraint = all;
    for (int i = 0; block && i < block->n; i++) {
        const struct spec_node *link = block->child[i];
        if (link->kind != SPEC_MAPPING)
            spec_error(r->diag, link, "expected {state at the start: expression of the states at the end}");
        for (int j = 0; link->kind == SPEC_MAPPING && j < link->n; j++)
            read_link(r, link->child[j], link->key);
    }
}
