/* core/model/mechanics/piecewise.c - modes, and which of them the signs of the switching functions select
 *
 * A pattern is one sign for each switch of a family: bit l set means c_l > 0. Every pattern needs exactly one
 * mode, found by evaluating the conditions at all 2^n_c patterns.
 */
#include "core/model/mechanics/read.h"

#include "core/base/mem.h"
#include "core/model/shapes.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SWITCHES = 12 };         /* of one family: 4096 patterns; independent ones belong in groups */

struct family {                     /* a group being read, and the symbols of its switches in conditions */
    struct reader *reader;
    struct model_group *group;
    expr *sym;                      /* [n_c] */
    const char *path;
};

/* --- Switches ----------------------------------------------------------------------------------------------- */
static void read_switch(struct reader *r, const struct spec_node *node, struct model_group *group, int l)
{
    expr e;
    group->c_name[l] = node->key;
    group->c_pos[l] = node->pos;
    reader_check_letters(r, node);
    if (reader_expr(r, node, &e) != STATUS_OK || check_smooth(r, node, e, "write one switch per smooth function")
        != STATUS_OK)
        e = r->broken;
    else if (expr_is_const(r->g, e, NULL))
        spec_error(r->diag, node, "is constant: it never switches");
    group->c[l] = e;
}

static bool read_switches(struct reader *r, const struct spec_node *block, struct model_group *group)
{
    const struct spec_node *node = reader_block(r, block, "switches");
    if (!node || node->n == 0) {
        if (!node == !spec_get(block, "switches"))
            spec_error(r->diag, block, "\"switches\" is missing: {name: expression}");
        return false;
    }
    if (node->n > MAX_SWITCHES) {
        spec_error(r->diag, node, "%d switches are more than %d; independent families go in \"groups\"", node->n,
                   (int)MAX_SWITCHES);
        return false;
    }
    group->n_c = node->n;
    group->c = arena_alloc(r->mem, (size_t)node->n, sizeof *group->c);
    group->c_name = arena_alloc(r->mem, (size_t)node->n, sizeof *group->c_name);
    group->c_pos = arena_alloc(r->mem, (size_t)node->n, sizeof *group->c_pos);
    for (int l = 0; l < node->n; l++)
        read_switch(r, node->child[l], group, l);
    return true;
}

/* --- Conditions --------------------------------------------------------------------------------------------- */
static expr resolve_switch(void *user, const char *name, struct srcpos pos, struct diag *diag, bool *reported)
{
    const struct family *f = user;
    const char *list = "";
    *reported = false;
    for (int l = 0; l < f->group->n_c; l++) {
        if (strcmp(f->group->c_name[l], name) == 0)
            return f->sym[l];
        list = arena_printf(f->reader->mem, "%s%s%s", list, l ? ", " : "", f->group->c_name[l]);
    }
    diag_error(diag, pos, f->path, "\"%s\" is no switch of this family (%s)", name, list);
    *reported = true;
    return EXPR_NONE;
}

static expr refuse_call(void *user, const char *name, int n, const expr *arg, struct srcpos pos, struct diag *diag,
                        bool *reported)
{
    const struct family *f = user;
    (void)n;
    (void)arg;
    diag_error(diag, pos, f->path, "%s(...) has no place in a condition: make it a switch", name);
    *reported = true;
    return EXPR_NONE;
}

static const char *switch_name(void *user, int i)
{
    const struct family *f = user;
    return i < f->group->n_c ? f->group->c_name[i] : NULL;
}

static bool is_switch(const struct family *f, expr e)
{
    if (expr_op_of(f->reader->g, e) == EXPR_NEG)
        e = expr_arg(f->reader->g, e, 0);
    for (int l = 0; l < f->group->n_c; l++)
        if (f->sym[l] == e)
            return true;
    return false;
}

/* Is the condition made of comparisons of one switch with zero, joined by and, or, not? Long chains hang on the
 * left argument, so that one is followed in a loop. */
static bool compares_with_zero(const struct family *f, expr condition)
{
    const struct expr_graph *g = f->reader->g;
    enum expr_op op;
    while ((op = expr_op_of(g, condition)) == EXPR_AND || op == EXPR_OR || op == EXPR_NOT) {
        if (op != EXPR_NOT && !compares_with_zero(f, expr_arg(g, condition, 1)))
            return false;
        condition = expr_arg(g, condition, 0);
    }
    if (op != EXPR_LT && op != EXPR_LE)
        return false;
    const expr a = expr_arg(g, condition, 0), b = expr_arg(g, condition, 1);
    return (expr_is_zero(g, a) && is_switch(f, b)) || (is_switch(f, a) && expr_is_zero(g, b));
}

/* Condition of a mode; EXPR_NONE for `else` and after an error, which *good tells apart. */
static expr read_condition(struct family *f, const struct spec_node *node, bool *good)
{
    struct reader *r = f->reader;
    expr condition;
    const struct parse_text src = reader_text(node);
    const struct parse_scope scope = { f, resolve_switch, refuse_call, NULL, switch_name };
    f->path = node->path;
    if (node->kind == SPEC_SCALAR && strcmp(node->text, "else") == 0)
        return EXPR_NONE;
    *good = false;
    if (node->kind != SPEC_SCALAR) {
        spec_error(r->diag, node, "expected a condition on switches, as \"c > 0\", or else");
        return EXPR_NONE;
    }
    if (parse_condition(r->g, &src, &scope, &condition, r->diag) != STATUS_OK)
        return EXPR_NONE;
    if (!compares_with_zero(f, condition)) {
        spec_error(r->diag, node, "a condition compares switches with 0, as \"%s > 0\"; and, or, not join them",
                   f->group->c_name[0]);
        return EXPR_NONE;
    }
    *good = true;
    return condition;
}

/* --- Modes -------------------------------------------------------------------------------------------------- */
/* "c > 0, d < 0" */
static const char *pattern_text(struct family *f, int pattern)
{
    const char *text = "";
    for (int l = 0; l < f->group->n_c; l++)
        text = arena_printf(f->reader->mem, "%s%s%s %c 0", text, l ? ", " : "", f->group->c_name[l],
                            pattern >> l & 1 ? '>' : '<');
    return text;
}

static bool holds(const struct family *f, expr condition, int pattern)
{
    double sign[MAX_SWITCHES];
    for (int l = 0; l < f->group->n_c; l++)
        sign[l] = pattern >> l & 1 ? 1 : -1;
    return expr_eval(f->reader->g, condition, f->group->n_c, f->sym, sign) > 0.5;
}

/* Gives mode i the patterns of its condition; the first overlap with an earlier mode is an error. */
static void claim(struct family *f, const struct spec_node *where, int i, expr condition)
{
    struct model_group *group = f->group;
    bool claimed = false, reported = false;
    for (int pattern = 0; pattern < 1 << group->n_c; pattern++) {
        if (!holds(f, condition, pattern))
            continue;
        const int other = group->mode_of_pattern[pattern];
        claimed = true;
        if (other >= 0 && !reported) {
            spec_error(f->reader->diag, where, "modes \"%s\" and \"%s\" both hold where %s",
                       group->mode[other].name, group->mode[i].name, pattern_text(f, pattern));
            reported = true;
        }
        group->mode_of_pattern[pattern] = i;
    }
    if (!claimed)
        spec_error(f->reader->diag, where, "holds for no signs of the switches");
}

static void check_cover(struct family *f, const struct spec_node *modes, int otherwise)
{
    struct model_group *group = f->group;
    bool taken = false, reported = false;
    for (int pattern = 0; pattern < 1 << group->n_c; pattern++) {
        if (group->mode_of_pattern[pattern] >= 0)
            continue;
        taken = true;
        if (otherwise < 0 && !reported) {
            spec_error(f->reader->diag, modes, "no mode holds where %s (\"where: else\" takes the rest)",
                       pattern_text(f, pattern));
            reported = true;
        }
        group->mode_of_pattern[pattern] = otherwise > 0 ? otherwise : 0;
    }
    if (otherwise >= 0 && !taken)
        spec_error(f->reader->diag, modes->child[otherwise], "nothing is left for \"else\": the other modes hold "
                   "for all signs");
}

static void read_conditions(struct family *f, const struct spec_node *modes)
{
    struct reader *r = f->reader;
    bool good = true;
    int otherwise = -1;
    for (int i = 0; i < modes->n; i++) {
        const struct spec_node *where = spec_get(modes->child[i], "where");
        if (!where) {
            if (modes->child[i]->kind == SPEC_MAPPING)
                spec_error(r->diag, modes->child[i], "\"where\" is missing: a condition on switches, or else");
            good = false;
            continue;
        }
        bool readable = true;
        const expr condition = read_condition(f, where, &readable);
        good = good && readable;
        if (condition != EXPR_NONE) {
            claim(f, where, i, condition);
        } else if (readable) {
            if (otherwise >= 0)
                spec_error(r->diag, where, "there is an \"else\" already, in \"%s\"",
                           f->group->mode[otherwise].name);
            otherwise = i;
        }
    }
    if (good)
        check_cover(f, modes, otherwise);
}

static void read_mode(struct reader *r, const struct spec_node *node, struct model_mode *mode)
{
    const int n_x = r->model->n_x;
    *mode = (struct model_mode){ node->key, node->key_pos, arena_alloc(r->mem, (size_t)n_x, sizeof *mode->rhs) };
    for (int k = 0; k < n_x; k++)
        mode->rhs[k] = expr_const(r->g, 0);
    shape_check_keys(r->diag, node, &model_mode_shape);
    const struct spec_node *rhs = reader_block(r, node, "rhs");
    if (rhs)
        reader_rhs(r, rhs, mode->rhs, NULL, NULL);
}

static void read_family(struct reader *r, const struct spec_node *block, const char *name,
                        struct model_group *group)
{
    group->name = name;
    const bool has_switches = read_switches(r, block, group);
    const struct spec_node *modes = reader_block(r, block, "modes");
    if (!modes || modes->n == 0) {
        if (!modes == !spec_get(block, "modes"))
            spec_error(r->diag, block, "\"modes\" is missing: {name: {where: condition, rhs: {...}}}");
        return;
    }
    group->n_mode = modes->n;
    group->mode = arena_alloc(r->mem, (size_t)modes->n, sizeof *group->mode);
    for (int i = 0; i < modes->n; i++)
        read_mode(r, modes->child[i], &group->mode[i]);
    if (!has_switches)
        return;
    group->mode_of_pattern = arena_alloc(r->mem, (size_t)1 << group->n_c, sizeof *group->mode_of_pattern);
    for (int pattern = 0; pattern < 1 << group->n_c; pattern++)
        group->mode_of_pattern[pattern] = -1;
    struct family family = { r, group, mem_alloc((size_t)group->n_c, sizeof(expr)), block->path };
    for (int l = 0; l < group->n_c; l++)
        family.sym[l] = expr_sym(r->g, group->c_name[l]);
    read_conditions(&family, modes);
    free(family.sym);
}

/* Do all modes of the family in `block` name state `name`? If only some do, *silent is the first that does not. */
static bool all_modes_move(const struct spec_node *block, const char *name, const struct spec_node **silent)
{
    const struct spec_node *modes = spec_get(block, "modes"), *without = NULL;
    const int n = modes ? modes->n : 0;
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (spec_get(spec_get(modes->child[i], "rhs"), name))
            count++;
        else if (!without)
            without = modes->child[i];
    }
    if (count > 0 && count < n && !*silent)
        *silent = without;
    return n > 0 && count == n;
}

/* A state moves by the common right-hand side or by all modes of a family. One that only some modes name is a
 * forgotten line, unless it moves otherwise. */
static void check_states_move(struct reader *r, const struct spec_node *block)
{
    const struct model *m = r->model;
    const struct spec_node *groups = spec_get(block, "groups");
    for (int k = 0; k < m->n_x; k++) {
        const char *name = m->x[k].name;
        const struct spec_node *silent = NULL;
        bool moves = model_find_held(m, k) || spec_get(spec_get(block, "rhs"), name)
                     || all_modes_move(block, name, &silent);
        for (int i = 0; groups && i < groups->n; i++)
            moves = all_modes_move(groups->child[i], name, &silent) || moves;
        if (!moves && silent)
            diag_error(r->diag, silent->key_pos, silent->path, "has no right-hand side for \"%s\", which other "
                       "modes have (0 if it stands still)", name);
        else if (!moves)
            diag_error(r->diag, m->x[k].pos, m->x[k].path, "has no right-hand side in dynamics");
    }
}

void model_read_piecewise(struct reader *r, const struct spec_node *block)
{
    struct model *m = r->model;
    const struct spec_node *groups = reader_block(r, block, "groups");
    if (groups && (spec_get(block, "switches") || spec_get(block, "modes")))
        spec_error(r->diag, groups, "either \"switches\" and \"modes\" (one family) or \"groups\", not both");
    m->dynamics.n_group = groups ? groups->n : 1;
    m->dynamics.group = arena_alloc(r->mem, (size_t)m->dynamics.n_group, sizeof *m->dynamics.group);
    for (int i = 0; groups && i < groups->n; i++) {
        shape_check_keys(r->diag, groups->child[i], &model_family_shape);
        read_family(r, groups->child[i], groups->child[i]->key, &m->dynamics.group[i]);
    }
    if (!groups)
        read_family(r, block, "modes", &m->dynamics.group[0]);
    check_states_move(r, block);
}
