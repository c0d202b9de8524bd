/* Quantities of contacts in costs and constraints: foot.gap, foot.v_n, foot.v_t are expressions of the state;
 * foot.lambda_n, foot.lambda_t and what wrenches.c makes of them are forces, foot.impulse_n, foot.impulse_t
 * impulses, symbols of what a solution has there. Tangential ones have numbers where there are more: v_t1, v_t2.
 * Signs and units are those of results. pin.lambda_x, pin.impulse_x and so on are what holds a loop along the axes
 * of the world, a function of the state, controls and the forces, or impulses, of contacts. wall.lambda, the
 * reaction of a projection, is a force there; in right sides it is what its switch makes of it (projections.c). */
#include "core/model/scope/reader.h"

#include <string.h>

static const struct { const char *name; bool tangential; } known[] = {
    { "gap", false }, { "v_n", false }, { "v_t", true }, { "lambda_n", false }, { "lambda_t", true },
    { "impulse_n", false }, { "impulse_t", true },
};
enum { GAP, V_N, V_T, LAMBDA_N, LAMBDA_T, IMPULSE_N, IMPULSE_T, N_KNOWN };

/* A contact of the shape that this names; NULL: there is none, or it has one contact alone. */
static const char *member_of(const struct model *m, const char *name, size_t len)
{
    for (int c = 0; c < m->contacts.n_contact; c++)
        if (strlen(m->contacts.contact[c].family) == len && strncmp(m->contacts.contact[c].family, name, len) == 0)
            return m->contacts.contact[c].name;
    return NULL;
}

static int find_contact(const struct model *m, const char *name, size_t len)
{
    for (int c = 0; c < m->contacts.n_contact; c++)
        if (strlen(m->contacts.contact[c].name) == len && strncmp(m->contacts.contact[c].name, name, len) == 0)
            return c;
    return -1;
}

/* What it is, and along which tangent; N_KNOWN: nothing. */
static int find_quantity(const struct model_contact *contact, const char *name, int *tangent)
{
    for (int q = 0; q < N_KNOWN; q++) {
        const size_t len = strlen(known[q].name);
        const char *rest = name + len;
        if (strncmp(name, known[q].name, len) != 0)
            continue;
        *tangent = contact->n_t > 1 && known[q].tangential ? *rest - '1' : 0;
        const bool numbered = contact->n_t > 1 && known[q].tangential;
        if (numbered ? *tangent >= 0 && *tangent < contact->n_t && rest[1] == '\0'
                     : *rest == '\0' && (!known[q].tangential || contact->n_t == 1))
            return q;
    }
    return N_KNOWN;
}

static expr value_of(const struct model *m, int c, int q, int tangent)
{
    const struct model_contact *contact = &m->contacts.contact[c];
    switch (q) {
    case GAP:       return contact->gap;
    case V_N:       return contact->v_n;
    case V_T:       return expr_div(m->graph, contact->v_t[tangent], contact->weight[tangent]);
    case LAMBDA_N:  return m->contacts.force_sym[CONTACT_ROWS * c];
    case LAMBDA_T:  return expr_mul(m->graph, contact->weight[tangent],
                                    m->contacts.force_sym[CONTACT_ROWS * c + 1 + tangent]);
    case IMPULSE_N: return m->contacts.impulse_sym[CONTACT_ROWS * c];
    default:        return expr_mul(m->graph, contact->weight[tangent],
                                    m->contacts.impulse_sym[CONTACT_ROWS * c + 1 + tangent]);
    }
}

void model_name_forces(struct reader *r)
{
    static const char *const part[] = { "n", "t1", "t2", "t3" };
    struct model *m = r->model;
    const int n = CONTACT_ROWS * m->contacts.n_contact;
    m->contacts.force_sym = arena_alloc(r->mem, (size_t)model_n_force(m), sizeof *m->contacts.force_sym);
    m->contacts.impulse_sym = arena_alloc(r->mem, (size_t)n, sizeof *m->contacts.impulse_sym);
    for (int k = 0; k < n; k++) {
        const char *name = m->contacts.contact[k / CONTACT_ROWS].name;
        m->contacts.force_sym[k] = expr_sym(r->g,
                                            arena_printf(r->mem, "%s.lambda_%s", name, part[k % CONTACT_ROWS]));
        m->contacts.impulse_sym[k] = expr_sym(r->g,
                                              arena_printf(r->mem, "%s.impulse_%s", name, part[k % CONTACT_ROWS]));
    }
    for (int k = 0; k < m->switching.n_projection; k++) {
        const struct model_projection *one = &m->switching.projection[k];
        m->contacts.force_sym[n + k] = one->is_pair ? one->lambda
                                                    : expr_sym(r->g, arena_printf(r->mem, "%s.lambda", one->name));
        m->contacts.has_forces = m->contacts.has_forces || one->is_pair;
    }
}

expr reader_reaction(struct reader *r, int k)
{
    struct model *m = r->model;
    if (!r->contacts_allowed || m->switching.projection[k].is_pair || !m->switching.projection[k].name
        || reader_is_broken(r, m->switching.projection[k].gap))
        return m->switching.projection[k].lambda;
    m->contacts.has_forces = true;
    return m->contacts.force_sym[CONTACT_ROWS * m->contacts.n_contact + k];
}

static const char *what_there_is(const struct model_contact *contact)
{
    return contact->n_t == 0   ? "gap, v_n, lambda_n, impulse_n"
           : contact->n_t == 1 ? "gap, v_n, v_t, lambda_n, lambda_t, impulse_n, impulse_t"
           : contact->n_t == 2 ? "gap, v_n, v_t1, v_t2, lambda_n, lambda_t1, lambda_t2, impulse_n, impulse_t1, impulse_t2"
                               : "gap, v_n, v_t1, v_t2, v_t3, lambda_n, lambda_t1 .. lambda_t3, impulse_n, impulse_t1 .. "
                                 "impulse_t3";
}

static const char *nearest_contact(struct reader *r, const char *word)
{
    const struct model_contacts *all = &r->model->contacts;
    const char **name = arena_alloc(r->mem, (size_t)all->n_contact, sizeof *name);
    for (int c = 0; c < all->n_contact; c++)
        name[c] = all->contact[c].name;
    return spec_suggest(word, all->n_contact, name);
}

/* --- Of loops ------------------------------------------------------------------------------------------------- */

static const char *const of_loops[] = { "lambda_x", "lambda_y", "lambda_z", "impulse_x", "impulse_y", "impulse_z" };
enum { N_OF_LOOPS = sizeof of_loops / sizeof *of_loops };

/* Its place in of_loops; N_OF_LOOPS: it is none of them. */
static int find_of_loops(const char *name)
{
    int q = 0;
    while (q < N_OF_LOOPS && strcmp(name, of_loops[q]) != 0)
        q++;
    return q;
}

static const struct model_loop *find_loop(const struct model *m, const char *name, size_t len)
{
    for (int l = 0; l < m->mechanics.loops.n_loop; l++)
        if (strlen(m->mechanics.loops.loop[l].name) == len
            && strncmp(m->mechanics.loops.loop[l].name, name, len) == 0)
            return &m->mechanics.loops.loop[l];
    return NULL;
}

/* Along axis q % 3: a force, from 3 on an impulse. */
static expr loop_value(struct model *m, const struct model_loop *loop, int q)
{
    const struct model_loops *loops = &m->mechanics.loops;
    const int k = loop->first + q % 3, n = CONTACT_ROWS * m->contacts.n_contact;
    const expr *of = q < 3 ? m->contacts.force_sym : m->contacts.impulse_sym;
    expr sum = q < 3 ? loops->force[k] : expr_const(m->graph, 0);
    for (int c = 0; c < n; c++)
        sum = expr_add(m->graph, sum, expr_mul(m->graph, loops->per_contact[k + c * loops->n], of[c]));
    m->contacts.has_forces = m->contacts.has_forces || expr_depends(m->graph, sum, n, of);
    return sum;
}

static expr loop_quantity(struct reader *r, const struct model_loop *loop, const char *what, struct srcpos pos,
                          struct diag *diag)
{
    struct model *m = r->model;
    const int q = find_of_loops(what);
    if (!r->contacts_allowed)
        diag_error(diag, pos, r->path, "what holds loops (\"%s.\") may only stand in costs and constraints",
                   loop->name);
    else if (q == N_OF_LOOPS)
        diag_error(diag, pos, r->path,
                   "loop \"%s\" has no \"%s\"; it has lambda_x, lambda_y, lambda_z, impulse_x, impulse_y, "
                   "impulse_z",
                   loop->name, what);
    else if (!m->mechanics.loops.P)
        return r->broken;
    else if (q < 3 && !m->mechanics.loops.force)
        diag_error(diag, pos, r->path,
                   "the forces of loops are no functions of the state where forces switch, as dry friction in "
                   "joints does");
    else
        return loop_value(m, loop, q);
    return r->broken;
}

/* --- By name -------------------------------------------------------------------------------------------------- */

/* "foot.gap" of any foot, or anything of a contact. */
bool quantity_is_meant(const struct model *m, const char *name)
{
    static const struct model_contact tangents[2] = { { .n_t = 1 }, { .n_t = SLIP_MAX } };
    const char *dot = strchr(name, '.');
    int tangent;
    return dot && (find_loop(m, name, (size_t)(dot - name)) || find_contact(m, name, (size_t)(dot - name)) >= 0
                   || member_of(m, name, (size_t)(dot - name)) || wrench_is_meant(dot + 1)
                   || find_quantity(&tangents[0], dot + 1, &tangent) < N_KNOWN
                   || find_quantity(&tangents[1], dot + 1, &tangent) < N_KNOWN);
}

expr reader_quantity(struct reader *r, const char *name, struct srcpos pos, struct diag *diag)
{
    struct model *m = r->model;
    const char *dot = strchr(name, '.');
    const struct model_loop *loop = find_loop(m, name, (size_t)(dot - name));
    if (loop)
        return loop_quantity(r, loop, dot + 1, pos, diag);
    const int c = find_contact(m, name, (size_t)(dot - name));
    const char *member = member_of(m, name, (size_t)(dot - name));
    int tangent = 0;
    if (r->contacts_allowed && member && wrench_is_meant(dot + 1))
        return reader_wrench(r, find_contact(m, member, strlen(member)), dot + 1, pos);
    if (r->contacts_allowed && c < 0 && member) {
        diag_error(diag, pos, r->path, "\"%.*s\" is several contacts, with pieces of its ground: write one of them, \"%s%s\", or "
                   "the sum", (int)(dot - name), name, member, dot);
        return r->broken;
    }
    if (r->contacts_allowed && c < 0) {
        const char *near = nearest_contact(r, arena_printf(r->mem, "%.*s", (int)(dot - name), name));
        diag_error(diag, pos, r->path,
                   near ? "\"%.*s\" is no contact (did you mean \"%s\"?)" : "\"%.*s\" is no contact%s",
                   (int)(dot - name), name, near ? near : "");
        return r->broken;
    }
    if (!r->contacts_allowed) {
        diag_error(diag, pos, r->path,
                   "what contacts do (\"%.*s.\") may only stand in costs and constraints, and lambda_n "
                   "alone as the load of an entry of \"friction\"",
                   (int)(dot - name), name);
        return r->broken;
    }
    const int q = find_quantity(&m->contacts.contact[c], dot + 1, &tangent);
    if (q == N_KNOWN) {
        const bool in_space = m->contacts.contact[c].axis[0][0] != EXPR_NONE;
        diag_error(diag, pos, r->path, "contact \"%s\" has no \"%s\"; it has %s%s", m->contacts.contact[c].name,
                   dot + 1, what_there_is(&m->contacts.contact[c]),
                   in_space ? "; force.x .. moment.z, normal_force, cop.x, cop.y" : "");
        return r->broken;
    }
    m->contacts.has_forces = m->contacts.has_forces || q >= LAMBDA_N;
    return value_of(m, c, q, tangent);
}

bool quantity_is_force(const struct model *m, expr e)
{
    return m->contacts.has_forces && expr_depends(m->graph, e, model_n_force(m), m->contacts.force_sym);
}

bool quantity_is_impulse(const struct model *m, expr e)
{
    return m->contacts.has_forces
           && expr_depends(m->graph, e, CONTACT_ROWS * m->contacts.n_contact, m->contacts.impulse_sym);
}

enum status quantity_refuse(struct reader *r, const struct spec_node *node, expr e, const char *what)
{
    const bool impulse = quantity_is_impulse(r->model, e);
    return impulse || quantity_is_force(r->model, e)
               ? spec_error(r->diag, node, "%s may not depend on %s", what, impulse ? "impulses" : "contact forces")
               : STATUS_OK;
}
