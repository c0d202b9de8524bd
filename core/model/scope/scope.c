/* core/model/scope/scope.c - what a name stands for, and the expressions and numbers made of names */
#include "core/model/scope/reader.h"

#include "core/base/stop.h"
#include "core/expression/names.h"
#include "core/expression/trace.h"
#include "core/model/kinematics.h"
#include "core/model/tables.h"

#include <math.h>
#include <string.h>

/* The i-th name that an expression may use: the parser asks for "did you mean". */
static const char *known_name(void *user, int i)
{
    const struct reader *r = user;
    const struct model *m = r->model;
    if (i < m->n_param)
        return m->param[i].name;
    i -= m->n_param;
    if (r->numbers_only)
        return NULL;
    if (i < m->n_x)
        return m->x[i].name;
    i -= m->n_x;
    if (i < m->n_u)
        return m->u[i].name;
    i -= m->n_u;
    if (i < m->impulses.n_impulse)
        return m->impulses.impulse[i].var.name;
    i -= m->impulses.n_impulse;
    if (i < m->defines.n_define)
        return m->defines.name[i];
    i -= m->defines.n_define;
    return i < m->mechanics.n_quantity ? m->mechanics.quantity[i].name : NULL;
}

/* --- Resolving ---------------------------------------------------------------------------------------------- */
/* "a -> b -> a", from the first time that the name was opened. */
static const char *cycle_text(struct reader *r, const char *name)
{
    int first = r->depth - 1;
    while (first > 0 && strcmp(r->stack[first], name) != 0)
        first--;
    const char *text = r->stack[first];
    for (int i = first + 1; i < r->depth; i++)
        text = arena_printf(r->mem, "%s -> %s", text, r->stack[i]);
    return arena_printf(r->mem, "%s -> %s", text, name);
}

/* Reads a parameter or define, remembering the texts around it that are being read. */
static void read_now(struct reader *r, const char *name, const struct late_names *late, int k)
{
    const struct reader outer = *r;
    r->ends_allowed = false;
    r->stack[r->depth++] = name;
    late->state[k] = READING;
    late->read(r, k);
    late->state[k] = READ;
    r->depth--;
    r->path = outer.path;
    r->numbers_only = outer.numbers_only;
    r->ends_allowed = outer.ends_allowed;
}

void reader_need_parameter(struct reader *r, int k)
{
    if (r->param.state[k] == UNREAD)
        read_now(r, r->model->param[k].name, &r->param, k);
}

void reader_need_define(struct reader *r, int k)
{
    if (r->define.state[k] == UNREAD)
        read_now(r, r->model->defines.name[k], &r->define, k);
}

/* Can value k of those be used now? Reads it if that has not been done. */
static bool make_ready(struct reader *r, const char *name, struct srcpos pos, const struct late_names *late, int k)
{
    if (!late->state || late->state[k] == READ)
        return true;
    if (late->state[k] == READING) {
        diag_error(r->diag, pos, r->path, "defined by itself: %s", cycle_text(r, name));
        return false;
    }
    if (r->depth == MAX_DEPTH) {
        diag_error(r->diag, pos, r->path, "more than %d names that need each other", (int)MAX_DEPTH);
        return false;
    }
    read_now(r, name, late, k);
    return true;
}

bool reader_table_is_ready(struct reader *r, int k, struct srcpos pos)
{
    return make_ready(r, r->model->tables.table[k].name, pos, &r->table, k);
}

/* A reaction is one thing in right sides and another in costs and constraints. */
static expr define_value(struct reader *r, int k)
{
    const struct model *m = r->model;
    const int first = m->defines.n_define - 2 * m->switching.n_projection;
    return k > first && (k - first) % 2 == 1 ? reader_reaction(r, (k - first) / 2) : m->defines.e[k];
}

/* The horizon has no name of its own; these are what it is called elsewhere. */
static bool means_horizon(const char *name)
{
    static const char *const word[] = { "T", "tf", "t_f", "Tf", "T_f", "t_final", "horizon" };
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcmp(name, word[i]) == 0)
            return true;
    return false;
}

static expr resolve(void *user, const char *name, struct srcpos pos, struct diag *diag, bool *reported)
{
    struct reader *r = user;
    const struct model *m = r->model;
    const struct name found = known_names_find(r->names, m, name);
    const bool is_time = strcmp(name, "t") == 0;
    *reported = false;
    if (found.kind == NAME_NONE && !r->numbers_only && orientation_error_is_meant(name))
        return reader_orientation_error(r, name, pos);
    if (found.kind == NAME_NONE && quantity_is_meant(m, name))
        return reader_quantity(r, name, pos, diag);
    if (r->numbers_only && (is_time || (found.kind != NAME_NONE && found.kind != NAME_PARAMETER))) {
        diag_error(diag, pos, r->path, "a number may only depend on parameters, and \"%s\" is %s%s", name,
                   is_time ? "the time" : "a ", is_time ? "" : name_kind_text[found.kind]);
        return r->broken;
    }
    switch (found.kind) {
    case NAME_PARAMETER:
        m->param[found.index].is_used = true;
        return make_ready(r, name, pos, &r->param, found.index) ? m->param[found.index].value_expr : r->broken;
    case NAME_STATE:     return m->x_sym[found.index];
    case NAME_CONTROL:   return m->u_sym[found.index];
    case NAME_DEFINE:
        return make_ready(r, name, pos, &r->define, found.index) ? define_value(r, found.index) : r->broken;
    case NAME_POINT:     return m->mechanics.quantity[found.index].e;
    case NAME_IMPULSE:   return m->impulses.impulse[found.index].sym;
    case NAME_NONE:      break;
    }
    if (is_time)
        return m->t_sym;
    const int table = model_find_table(m, name);
    if (table >= 0) {
        const struct spec_node here = { .pos = pos, .path = r->path };
        spec_error(r->diag, &here, "\"%s\" is a table: its arguments are missing", name);
        return r->broken;
    }
    if (r->model->names_known && !r->numbers_only && means_horizon(name)) {
        diag_error(diag, pos, r->path, "unknown name \"%s\"; time is t, and in a terminal cost, or in a constraint with "
                   "\"at: final\", that is the horizon", name);
        *reported = true;
        return r->broken;
    }
    return r->model->names_known ? EXPR_NONE : r->broken;      /* the parser reports EXPR_NONE, with the nearest name */
}

/* --- ddt(e), initial(e), final(e) --------------------------------------------------------------------------- */

/* ddt(e) = de/dt + sum_i de/dq_i q'_i of an expression of positions. */
static expr time_derivative(struct reader *r, expr e, struct srcpos pos)
{
    const struct spec_node here = { .pos = pos, .path = r->path };
    const struct model *m = r->model;
    if (!r->model->dynamics.type_known || !r->model->mechanics.coordinates_known)
        return r->broken;
    if (m->dynamics.type != MODEL_MECHANICAL) {
        spec_error(r->diag, &here, "ddt needs positions and velocities (dynamics of type mechanical)");
        return r->broken;
    }
    if (reader_is_broken(r, e) || check_smooth(r, &here, e, "ddt needs a smooth argument") != STATUS_OK
        || check_uses(r, &here, e, USES_POSITIONS | USES_TIME, "ddt, of an expression of positions and time,")
               != STATUS_OK)
        return r->broken;
    return kinematics_rate(m, e);
}

/* e with the states of one end in place of the states; t is 0 or the horizon there. */
static expr at_end(struct reader *r, expr e, bool is_final, struct srcpos pos)
{
    const struct model *m = r->model;
    const struct spec_node here = { .pos = pos, .path = r->path };
    if (!r->ends_allowed) {
        spec_error(r->diag, &here, is_final
                   ? "final(e) may only stand in constraints with \"at: boundary\"; a terminal cost is of the end anyway"
                   : "initial(e) may only stand in constraints with \"at: boundary\"; for a cost take an optimized "
                     "parameter p and the constraint {expr: p == initial(e), at: boundary}");
        return r->broken;
    }
    if (reader_is_broken(r, e)
        || check_uses(r, &here, e, USES_STATES | USES_TIME, "a boundary value") != STATUS_OK)
        return r->broken;
    const expr *end = is_final ? m->x_final_sym : m->x_initial_sym;
    expr_substitute(r->g, 1, &e, m->n_x, m->x_sym, end, &e);
    const expr t_end = is_final ? m->T_sym : expr_const(r->g, 0);
    expr_substitute(r->g, 1, &e, 1, &m->t_sym, &t_end, &e);
    return e;
}

/* x(t - 0.2): a variable that is called, as functions of time are elsewhere. False: it is no such thing. */
static bool refuse_time(struct reader *r, const char *name, expr arg, struct srcpos pos)
{
    const struct spec_node here = { .pos = pos, .path = r->path };
    const enum name_kind kind = known_names_find(r->names, r->model, name).kind;
    if (kind == NAME_NONE || kind == NAME_PARAMETER || !expr_depends(r->g, arg, 1, &r->model->t_sym))
        return false;
    if (arg == r->model->t_sym)
        spec_error(r->diag, &here, "\"%s\" is its value at the time t already: write %s alone", name, name);
    else
        spec_error(r->diag, &here, "delays are not supported, only values at the time t: let a state follow \"%s\", as rhs: "
                   "{late: (%s - late)/0.2} for 0.2 s, or several in a row, which come closer; a product needs *", name, name);
    return true;
}

/* A table whose name is a slip away. */
static bool suggest_table(struct reader *r, const char *name, struct srcpos pos)
{
    const struct spec_node here = { .pos = pos, .path = r->path };
    const bool is_free = known_names_find(r->names, r->model, name).kind == NAME_NONE;
    const char *nearest = is_free ? reader_nearest_table(r, name) : NULL;
    if (nearest)
        spec_error(r->diag, &here, "unknown function \"%s\" (did you mean \"%s\", a table?)", name, nearest);
    return nearest;
}

static expr call(void *user, const char *name, int n, const expr *arg, struct srcpos pos, struct diag *diag,
                 bool *reported)
{
    struct reader *r = user;
    const int table = model_find_table(r->model, name);
    (void)diag;                     /* the reader's own */
    *reported = false;
    if (table >= 0)
        return reader_table_is_ready(r, table, pos) ? reader_call_table(r, table, n, arg, pos) : r->broken;
    if (r->numbers_only && names_is_taken(name)) {
        diag_error(r->diag, pos, r->path, "a number may only depend on parameters: there is no %s of it", name);
        return r->broken;
    }
    if (strcmp(name, "ddt") == 0)
        return time_derivative(r, arg[0], pos);
    if (strcmp(name, "initial") == 0 || strcmp(name, "final") == 0)
        return at_end(r, arg[0], name[0] == 'f', pos);
    *reported = (n == 1 && refuse_time(r, name, arg[0], pos)) || suggest_table(r, name, pos);
    return EXPR_NONE;
}

static bool is_called(void *user, const char *name)
{
    const struct reader *r = user;
    return model_find_table(r->model, name) >= 0;
}

/* --- Expressions and numbers -------------------------------------------------------------------------------- */
static enum status expect_scalar(struct reader *r, const struct spec_node *node)
{
    if (node->kind == SPEC_SCALAR)
        return STATUS_OK;
    return spec_error(r->diag, node, node->kind == SPEC_NULL ? "the value is missing" : "expected an expression, "
                      "not a %s", node->kind == SPEC_SEQUENCE ? "list" : "mapping");
}

struct parse_text reader_text(const struct spec_node *node)
{
    struct srcpos pos = node->pos;
    pos.col += node->quoted;
    return (struct parse_text){ node->text, pos, node->path, node->is_made };
}

static enum status parse_node(struct reader *r, const struct spec_node *node, bool numbers_only, expr *out)
{
    *out = r->broken;
    if (expect_scalar(r, node) != STATUS_OK || stop_leaves_nothing())        /* nobody waits for the rest, model_read says so */
        return STATUS_SPEC;
    r->path = node->path;
    r->numbers_only = numbers_only;
    const struct parse_text src = reader_text(node);
    const struct parse_scope scope = { r, resolve, call, is_called, known_name };
    expr e;
    if (parse_expression(r->g, &src, &scope, &e, r->diag) != STATUS_OK)
        return STATUS_SPEC;
    *out = e;
    return reader_is_broken(r, e) ? STATUS_SPEC : STATUS_OK;
}

enum status reader_expr(struct reader *r, const struct spec_node *node, expr *out)
{
    const enum status st = parse_node(r, node, false, out);
    if (st != STATUS_OK || !expr_is_never_finite(r->g, *out))
        return st;
    *out = r->broken;
    return spec_error(r->diag, node, "is not finite, whatever the variables are");
}

enum status reader_parameter_expr(struct reader *r, const struct spec_node *node, expr *out)
{
    return parse_node(r, node, true, out);
}

expr reader_smooth(struct reader *r, const struct spec_node *node, const char *hint, int allowed, const char *what)
{
    expr e;
    if (reader_expr(r, node, &e) != STATUS_OK || check_smooth(r, node, e, hint) != STATUS_OK
        || check_uses(r, node, e, allowed, what) != STATUS_OK)
        return r->broken;
    return e;
}

enum status reader_relation(struct reader *r, const struct spec_node *node, struct parse_relation *out)
{
    *out = (struct parse_relation){ r->broken, EXPR_NONE, EXPR_NONE };
    if (expect_scalar(r, node) != STATUS_OK)
        return STATUS_SPEC;
    r->path = node->path;
    r->numbers_only = false;
    const struct parse_text src = reader_text(node);
    const struct parse_scope scope = { r, resolve, call, is_called, known_name };
    if (parse_relation(r->g, &src, &scope, out, r->diag) != STATUS_OK) {
        out->body = r->broken;
        return STATUS_SPEC;
    }
    const expr part[] = { out->body, out->lb, out->ub };
    for (int i = 0; i < 3; i++)
        if (part[i] != EXPR_NONE && reader_is_broken(r, part[i]))
            return STATUS_SPEC;
    return STATUS_OK;
}

expr reader_condition(struct reader *r, const struct spec_node *node, const char *what, const char *example,
                      const char *hint)
{
    struct parse_relation rel;
    if (reader_relation(r, node, &rel) != STATUS_OK)
        return r->broken;
    if ((rel.lb == EXPR_NONE) == (rel.ub == EXPR_NONE)) {
        spec_error(r->diag, node, "expected one inequality, as %s", example);
        return r->broken;
    }
    const expr e = rel.lb != EXPR_NONE ? expr_sub(r->g, rel.body, rel.lb) : expr_sub(r->g, rel.ub, rel.body);
    if (check_smooth(r, node, e, hint) != STATUS_OK
        || check_uses(r, node, e, USES_ALL, what) != STATUS_OK)
        return r->broken;
    if (expr_is_const(r->g, e, NULL)) {
        spec_error(r->diag, node, "is constant");
        return r->broken;
    }
    return e;
}

enum status reader_number(struct reader *r, const struct spec_node *node, double *out)
{
    expr e;
    double value;
    if (reader_parameter_expr(r, node, &e) != STATUS_OK)
        return STATUS_SPEC;
    if (!expr_is_const(r->g, e, &value)) {
        const struct model *m = r->model;
        for (int k = 0; k < m->n_param; k++)
            if (m->param[k].optimize && expr_depends(r->g, e, 1, &m->param[k].sym))
                return spec_error(r->diag, node, "a number must be known before solve and may not depend on "
                                  "\"%s\", which is optimized; give a range, and tie the two by a constraint",
                                  m->param[k].name);
        return spec_error(r->diag, node, "must be a number");
    }
    if (isnan(value))
        return spec_error(r->diag, node, "is not a number (NaN)");
    *out = value;
    return STATUS_OK;
}

enum status reader_finite(struct reader *r, const struct spec_node *node, double *out)
{
    double value;
    if (reader_number(r, node, &value) != STATUS_OK)
        return STATUS_SPEC;
    if (!isfinite(value))
        return spec_error(r->diag, node, "must be finite");
    *out = value;
    return STATUS_OK;
}

enum status reader_int(struct reader *r, const struct spec_node *node, int min, int max, int *out)
{
    double value;
    if (reader_number(r, node, &value) != STATUS_OK)
        return STATUS_SPEC;
    if (!(value >= min && value <= max && value == floor(value)))
        return spec_error(r->diag, node, "must be a whole number from %d to %d, got %.15g", min, max, value);
    *out = (int)value;
    return STATUS_OK;
}

enum status reader_range(struct reader *r, const struct spec_node *node, double *lo, double *hi)
{
    if (node->kind != SPEC_SEQUENCE || node->n != 2)
        return spec_error(r->diag, node, "must be a range [lo, hi]");
    double a = NAN, b = NAN;
    const enum status st_a = reader_number(r, node->child[0], &a);
    const enum status st_b = reader_number(r, node->child[1], &b);
    if (st_a != STATUS_OK || st_b != STATUS_OK)
        return STATUS_SPEC;
    if (a > b)
        return spec_error(r->diag, node, "the lower end %.15g is above the upper end %.15g", a, b);
    if (a == INFINITY || b == -INFINITY)
        return spec_error(r->diag, node, "the range [%g, %g] is empty", a, b);
    *lo = a;
    *hi = b;
    return STATUS_OK;
}
