#include "core/model/check/units.h"

#include "core/base/arena.h"
#include "core/base/dictionary.h"
#include "core/base/mem.h"
#include "core/expression/parse.h"
#include "core/model/model.h"
#include "core/model/tables.h"
#include "core/model/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a text is, and what it should be, but for the unit of time. */
struct rate { const struct spec_node *node; const char *what, *other; struct dimension is, wanted; };

/* A graph of its own, in which parameters are symbols with units and not numbers. */
struct checker {
    const struct model *model;
    struct expr_graph *g;
    int n_sym;
    expr *sym;                      /* [n_sym] */
    struct dimension *of;           /* [n_sym] */
    struct dictionary named;        /* place in sym of what has a name */
    struct arena mem;               /* names in texts that are no defines of the spec */
    struct dictionary define;       /* what defines have become: each text is read once */
    const struct spec_node *defines;
    struct dictionary place;        /* of each among these */
    int depth;
    int n_rate;
    struct rate *rate;              /* [n_rate] that have the powers they should have */
    char state_per_time[80], position_per_time[80];         /* "the state per second in" */
    struct diag *silent, *diag;
};

static expr add_symbol(struct checker *at, const char *name, struct dimension of)
{
    at->sym = mem_grow(at->sym, at->n_sym, 1, sizeof *at->sym);
    at->of = mem_grow(at->of, at->n_sym, 1, sizeof *at->of);
    at->sym[at->n_sym] = expr_sym(at->g, name);
    at->of[at->n_sym] = of;
    return at->sym[at->n_sym++];
}

static void add_name(struct checker *at, const char *name, struct dimension of)
{
    (void)dictionary_add(&at->named, name, at->n_sym);
    (void)add_symbol(at, name, of);
}

static struct dimension dimension_of(struct checker *at, expr e, struct units_conflict *conflict)
{
    return units_of(at->g, e, at->n_sym, at->sym, at->of, conflict);
}

/* --- Texts --------------------------------------------------------------------------------------------------- */

static enum status parse(struct checker *at, const struct spec_node *node, struct parse_relation *out,
                         bool relation);

/* A define stands for its text; one without, or deeper than models may be, for what its units say. */
static expr read_define(struct checker *at, const char *name, const struct spec_node *node)
{
    const struct spec_node *text = node && node->kind == SPEC_MAPPING ? spec_get(node, "expr") : node;
    const struct spec_node *units = spec_get(node, "units");
    struct parse_relation out;
    if (text && text->kind == SPEC_SCALAR && at->depth < MAX_DEPTH && parse(at, text, &out, false) == STATUS_OK)
        return out.body;
    const struct dimension of = units && units->kind == SPEC_SCALAR ? units_read(units->text)
                                                                    : (struct dimension){ .known = false };
    return add_symbol(at, name, of);
}

static expr define_of(struct checker *at, const char *name)
{
    const int known = dictionary_find(&at->define, name), place = dictionary_find(&at->place, name);
    if (known >= 0)
        return known;
    const struct spec_node *node = place >= 0 ? at->defines->child[place] : NULL;
    const expr e = read_define(at, name, node);
    (void)dictionary_add(&at->define, node ? node->key : arena_copy_text(&at->mem, name), e);
    return e;
}

/* In the order of the spec, as the model reads them: what names another is rarely deep then. */
static void read_defines(struct checker *at, const struct spec_node *block)
{
    const int n = block && block->kind == SPEC_MAPPING ? block->n : 0;
    for (int k = 0; k < n; k++)
        (void)dictionary_add(&at->place, block->child[k]->key, k);
    for (int k = 0; k < n; k++)
        (void)define_of(at, block->child[k]->key);
}

static expr resolve(void *user, const char *name, struct srcpos pos, struct diag *diag, bool *reported)
{
    struct checker *at = user;
    (void)pos;
    (void)diag;
    *reported = true;
    const int place = dictionary_find(&at->named, name);
    return place >= 0 ? at->sym[place] : define_of(at, name);
}

static void warn(struct checker *at, const struct spec_node *node, const char *what, const struct dimension *is,
                 const char *other_is, const struct dimension *other)
{
    char a[100], b[100];
    units_text(is, a, sizeof a);
    units_text(other, b, sizeof b);
    diag_add(at->diag, DIAG_WARNING, STATUS_OK, node->pos, node->path, "units disagree: %s %s, %s %s", what, a,
             other_is, b);
}

static struct dimension unit_in(const struct spec_node *units, const char *name)
{
    const struct spec_node *unit = spec_get(units, name);
    return unit && unit->kind == SPEC_SCALAR ? units_read(unit->text) : (struct dimension){ .known = false };
}

/* A table in the units of its values, at arguments in those of its axes. */
static expr call_table(struct checker *at, const struct model_table *table, int n, const expr *arg,
                       struct srcpos pos)
{
    const struct spec_node *block = spec_get(spec_root(at->model->spec), "tables");
    const struct spec_node *units = spec_get(spec_get(block, table->name), "units");
    const struct spec_node here = { .pos = pos, .path = table->path };
    for (int k = 0; k < n && k < table->n_arg; k++) {
        struct units_conflict conflict = { .at = EXPR_NONE };
        const struct dimension is = dimension_of(at, arg[k], &conflict), wanted = unit_in(units, table->arg[k]);
        if (is.known && wanted.known && !units_agree(&is, &wanted))
            warn(at, &here, "the argument is in", &is, "the axis of the table in", &wanted);
    }
    return add_symbol(at, table->name, unit_in(units, table->name));
}

static expr call(void *user, const char *name, int n, const expr *arg, struct srcpos pos, struct diag *diag,
                 bool *reported)
{
    struct checker *at = user;
    struct units_conflict conflict = { .at = EXPR_NONE };
    const int table = model_find_table(at->model, name);
    (void)diag;
    *reported = true;
    if (table >= 0)
        return call_table(at, &at->model->tables.table[table], n, arg, pos);
    if (n == 1 && (strcmp(name, "initial") == 0 || strcmp(name, "final") == 0))
        return arg[0];
    if (n == 1 && strcmp(name, "ddt") == 0)
        return add_symbol(at, "ddt",
                          units_times(dimension_of(at, arg[0], &conflict), units_read(at->model->time.unit), -1));
    return EXPR_NONE;
}

/* Does the text have a factor 1, as in 1*(v - w)? It has a unit that nobody has written, and is gone in an
 * expression. */
static bool has_factor_one(const char *text)
{
    bool found = false;
    for (size_t k = 0, n; text[k]; k += n) {
        n = strspn(text + k, "0123456789.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        size_t before = k, after = k + n;
        while (before > 0 && text[before - 1] == ' ') before--;
        while (text[after] == ' ') after++;
        const bool factor = (before > 0 && text[before - 1] == '*') || text[after] == '*' || text[after] == '/';
        char *end = NULL;
        found = found || (n > 0 && factor && strtod(text + k, &end) == 1 && end == text + k + n);
        n += n == 0;
    }
    return found;
}

static enum status parse(struct checker *at, const struct spec_node *node, struct parse_relation *out,
                         bool relation)
{
    if (has_factor_one(node->text))
        return STATUS_SPEC;
    struct srcpos pos = node->pos;
    pos.col += node->quoted;
    const struct parse_text src = { node->text, pos, node->path, node->is_made };
    const struct parse_scope scope = { at, resolve, call, NULL, NULL };
    at->depth++;
    const enum status st = relation ? parse_relation(at->g, &src, &scope, out, at->silent)
                                    : parse_expression(at->g, &src, &scope, &out->body, at->silent);
    at->depth--;
    return st;
}

/* --- Places -------------------------------------------------------------------------------------------------- */

/* The dimension of a text, whose own terms agree or are warned of. */
static struct dimension look_at(struct checker *at, const struct spec_node *node, bool relation)
{
    const struct dimension unknown = { .known = false };
    struct parse_relation found = { EXPR_NONE, EXPR_NONE, EXPR_NONE };
    struct units_conflict conflict = { .at = EXPR_NONE };
    if (!node || node->kind != SPEC_SCALAR || parse(at, node, &found, relation) != STATUS_OK)
        return unknown;
    const struct dimension of = dimension_of(at, found.body, &conflict);
    const struct dimension number = { .known = true, .factor = 1 };
    if (conflict.at != EXPR_NONE && expr_n_args(at->g, conflict.at) == 1)
        warn(at, node, "the argument of a function is in", &conflict.a, "and should be in", &number);
    else if (conflict.at != EXPR_NONE)
        warn(at, node, "what is added or compared is in", &conflict.a, "and in", &conflict.b);
    return conflict.at == EXPR_NONE ? of : unknown;
}

/* A rate, and what it should be per unit of time. */
static void compare(struct checker *at, const struct rate *rate)
{
    if (!units_same_powers(&rate->is, &rate->wanted)) {
        warn(at, rate->node, rate->what, &rate->is, rate->other, &rate->wanted);
    } else if (rate->is.known && rate->wanted.known && !rate->is.loose && !rate->wanted.loose) {
        at->rate = mem_grow(at->rate, at->n_rate, 1, sizeof *at->rate);
        at->rate[at->n_rate++] = *rate;
    }
}

/* Without time.unit time may be in hours, but then it is for all rates: where some are per second, or else where
 * the first one is in another unit of time, those that differ have lost a factor. */
static void compare_paces(struct checker *at)
{
    const bool is_given = spec_get(spec_get(spec_root(at->model->spec), "time"), "unit");
    double pace = at->n_rate && !is_given ? at->rate[0].is.factor / at->rate[0].wanted.factor : 1;
    for (int k = 0; k < at->n_rate; k++)
        if (units_agree(&at->rate[k].is, &at->rate[k].wanted))
            pace = 1;
    for (int k = 0; k < at->n_rate; k++) {
        const struct rate *rate = &at->rate[k];
        struct dimension paced = rate->wanted;
        paced.factor *= pace;
        if (!units_agree(&rate->is, &paced))
            warn(at, rate->node, rate->what, &rate->is, rate->other, &rate->wanted);
    }
}

static struct dimension named(const struct checker *at, const char *name)
{
    const int place = name ? dictionary_find(&at->named, name) : -1;
    return place >= 0 ? at->of[place] : (struct dimension){ .known = false };
}

/* {state: rate} */
static void look_at_rates(struct checker *at, const struct spec_node *block)
{
    for (int k = 0; block && block->kind == SPEC_MAPPING && k < block->n; k++) {
        const struct dimension is = look_at(at, block->child[k], false);
        const struct dimension wanted = units_times(named(at, block->child[k]->key),
                                                    units_read(at->model->time.unit), -1);
        compare(at, &(struct rate){ block->child[k], "the rate is in", at->state_per_time, is, wanted });
    }
}

static void look_at_modes(struct checker *at, const struct spec_node *block)
{
    const struct spec_node *modes = spec_get(block, "modes");
    look_at_rates(at, spec_get(block, "rhs"));
    for (int k = 0; modes && k < modes->n; k++)
        look_at_rates(at, spec_get(modes->child[k], "rhs"));
}

/* {position: velocity} */
static void look_at_coordinates(struct checker *at, const struct spec_node *block)
{
    for (int k = 0; block && block->kind == SPEC_MAPPING && k < block->n; k++) {
        const struct spec_node *node = block->child[k];
        const struct dimension is = node->kind == SPEC_SCALAR ? named(at, node->text) : (struct dimension){ .known = false };
        const struct dimension wanted = units_times(named(at, node->key), units_read(at->model->time.unit), -1);
        compare(at, &(struct rate){ node, "the velocity is in", at->position_per_time, is, wanted });
    }
}

/* Mass times acceleration: of coordinate k with a diagonal mass. Of energies: energy by length. */
static struct dimension force_wanted(struct checker *at, const struct spec_node *dynamics, const char *coordinate)
{
    const struct spec_node *coordinates = spec_get(dynamics, "coordinates"),
                           *energy = spec_get(dynamics, "kinetic");
    const struct spec_node *mass = spec_get(spec_get(dynamics, "mass"), "diag");
    const struct dimension unknown = { .known = false }, s = units_read(at->model->time.unit);
    for (int k = 0; mass && coordinates && k < mass->n && k < coordinates->n; k++)
        if (strcmp(coordinates->child[k]->key, coordinate) == 0) {
            const struct dimension velocity = named(at, coordinates->child[k]->text);
            return units_times(units_times(look_at(at, mass->child[k], false), velocity, 1), s, -1);
        }
    return energy ? units_times(look_at(at, energy, false), named(at, coordinate), -1) : unknown;
}

static void look_at_forces(struct checker *at, const struct spec_node *dynamics)
{
    const struct spec_node *force = spec_get(dynamics, "force");
    const struct dimension kinetic = look_at(at, spec_get(dynamics, "kinetic"), false);
    const struct dimension potential = look_at(at, spec_get(dynamics, "potential"), false);
    if (!units_agree(&potential, &kinetic))
        warn(at, spec_get(dynamics, "potential"), "the potential energy is in", &potential, "the kinetic in",
             &kinetic);
    for (int k = 0; force && force->kind == SPEC_MAPPING && k < force->n; k++) {
        const struct dimension is = look_at(at, force->child[k], false);
        const struct dimension wanted = force_wanted(at, dynamics, force->child[k]->key);
        compare(at, &(struct rate){ force->child[k], "the force is in", "mass times acceleration in", is, wanted });
    }
}

static void look_at_dynamics(struct checker *at, const struct spec_node *dynamics)
{
    const struct spec_node *groups = spec_get(dynamics, "groups");
    look_at_coordinates(at, spec_get(dynamics, "coordinates"));
    look_at_modes(at, dynamics);
    for (int k = 0; groups && k < groups->n; k++)
        look_at_modes(at, groups->child[k]);
    look_at_forces(at, dynamics);
}

static void look_at_others(struct checker *at, const struct spec_node *root)
{
    const struct spec_node *projection = spec_get(root, "projection");
    const struct spec_node *contacts = spec_get(root, "contacts"), *constraints = spec_get(root, "constraints");
    const struct spec_node *pairs = spec_get(root, "complementarity");
    for (int k = 0; contacts && k < contacts->n; k++) {
        (void)look_at(at, spec_get(contacts->child[k], "gap"), false);
        (void)look_at(at, spec_get(contacts->child[k], "tangent"), false);
        (void)look_at(at, spec_get(contacts->child[k], "slip"), false);
    }
    for (int k = 0; projection && k < projection->n; k++)
        (void)look_at(at, spec_get(projection->child[k], "gap"), false);
    for (int k = 0; constraints && k < constraints->n; k++) {
        const struct spec_node *node = constraints->child[k];
        (void)look_at(at, node->kind == SPEC_MAPPING ? spec_get(node, "expr") : node, true);
    }
    for (int k = 0; pairs && k < pairs->n; k++) {
        (void)look_at(at, spec_get(pairs->child[k], "G"), false);
        (void)look_at(at, spec_get(pairs->child[k], "H"), false);
        (void)look_at(at, spec_get(pairs->child[k], "zero"), false);
    }
}

static void name_all(struct checker *at)
{
    const struct model *model = at->model;
    for (int k = 0; k < model->n_param; k++)
        add_name(at, model->param[k].name, units_read(model->param[k].units));
    for (int k = 0; k < model->n_x; k++)
        add_name(at, model->x[k].name, units_read(model->x[k].units));
    for (int k = 0; k < model->n_u; k++)
        add_name(at, model->u[k].name, units_read(model->u[k].units));
    add_name(at, "t", (struct dimension){ .known = false });         /* sin(t) is meant as it stands */
}

void model_check_units(const struct model *model, struct diag *diag)
{
    struct checker at = { .model = model, .g = expr_graph_create(), .silent = diag_create(), .diag = diag };
    const struct spec_node *root = spec_root(model->spec);
    const char *const unit = strcmp(model->time.unit, "s") == 0 ? "second" : model->time.unit;
    (void)snprintf(at.state_per_time, sizeof at.state_per_time, "the state per %.40s in", unit);
    (void)snprintf(at.position_per_time, sizeof at.position_per_time, "the position per %.40s in", unit);
    at.defines = spec_get(root, "define");
    name_all(&at);
    read_defines(&at, at.defines);
    look_at_dynamics(&at, spec_get(root, "dynamics"));
    look_at_others(&at, root);
    compare_paces(&at);
    diag_free(at.silent);
    expr_graph_free(at.g);
    free(at.sym);
    free(at.of);
    dictionary_free(&at.named);
    dictionary_free(&at.define);
    dictionary_free(&at.place);
    arena_free(&at.mem);
    free(at.rate);
}
