/* core/model/piecewise.c - modes, and which of them the signs of the switching functions select
 *
 * A pattern is one sign for each switch of a family: bit l set means c_l > 0. Every pattern needs exactly one
 * mode, found by evaluating the conditions at all 2^n_c patterns.
 */
#include "core/model/read.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SWITCHES = 12 };         /* of one family: 4096 patterns; independent ones belong in groups */

struct family {                     /* a group being read, and the symbols of its switches in conditions */
    struct reader *reader;
    struct model_group *group;
    expr *sym;                      /* [n_c] */
    const char *path;
};

/* --- Switches -------------------------------------------------------------------------------------------------- */
static void read_switch(struct reader *r, const struct spec_node *node, struct model_group *group, int l)
{
    expr e;
    group->c_name[l] = node->key;
    group->c_pos[l] = node->pos;
    if (!spec_is_name(node->key))
        diag_error(r->diag, node->key_pos, node->path,
                   "a name is letters, digits and _, and does not start with a digit");
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

/* --- Conditions ------------------------------------------------------------------------------------------------ */
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

static expr refuse_call(void *user, const char *name, expr arg, struct srcpos pos, struct diag *diag, bool *reported)
{
    const struct family *f = user;
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

/* Is the condition made of comparisons of one switch with zero, joined by and, or, not? */
static bool compares_with_zero(const struct family *f, expr condition)
{
    const struct expr_graph *g = f->reader->g;
    const enum expr_op op = expr_op_of(g, condition);
    if (op == EXPR_AND || op == EXPR_OR)
        return compares_with_zero(f, expr_arg(g, condition, 0)) && compares_with_zero(f, expr_arg(g, condition, 1));
    if (op == EXPR_NOT)
        return compares_with_zero(f, expr_arg(g, condition, 0));
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
    struct srcpos pos = node->pos;
    pos.col += node->quoted;
    const struct parse_text src = { node->text, pos, node->path };
    const struct parse_scope scope = { f, resolve_switch, refuse_call, switch_name };
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

/* --- Modes ------------------------------------------------------------------------------------------------------ */
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
            spec_error(f->reader->diag, where, "modes \"%s\" and \"%s\" both hold where %s", group->mode[other].name,
                       group->mode[i].name, pattern_text(f, pattern));
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

/* Right-hand sides of the modes. In a family that is alone in moving a state, a mode without a word about that
 * state is a forgotten line: complete[k] tells that all modes speak of state k, partial[k] the first that does not. */
static void read_modes(struct reader *r, const struct spec_node *modes, struct model_group *group, bool *complete,
                       const struct spec_node **partial)
{
    static const char *const known[] = { "where", "rhs", NULL };
    const int n_x = r->model->n_x;
    int *count = mem_alloc((size_t)n_x, sizeof *count);
    bool *given = mem_alloc((size_t)n_x, sizeof *given);
    struct srcpos *pos = mem_alloc((size_t)n_x, sizeof *pos);
    group->n_mode = modes->n;
    group->mode = arena_alloc(r->mem, (size_t)modes->n, sizeof *group->mode);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < modes->n; i++) {
            const struct spec_node *node = modes->child[i], *rhs = spec_get(node, "rhs");
            struct model_mode *mode = &group->mode[i];
            memset(given, 0, (size_t)n_x * sizeof *given);
            if (pass == 0) {
                spec_check_keys(r->diag, node, known);
                *mode = (struct model_mode){ node->key, node->key_pos, arena_alloc(r->mem, (size_t)n_x, sizeof(expr)) };
                for (int k = 0; k < n_x; k++)
                    mode->rhs[k] = expr_const(r->g, 0);
                rhs = reader_block(r, node, "rhs");
                if (rhs)
                    reader_rhs(r, rhs, mode->rhs, pos, given);
                for (int k = 0; k < n_x; k++)
                    count[k] += given[k];
                continue;
            }
            for (int k = 0; k < n_x; k++)
                if (count[k] > 0 && count[k] < modes->n && !partial[k] && !spec_get(rhs, r->model->x[k].name))
                    partial[k] = node;
        }
    for (int k = 0; k < n_x; k++)
        complete[k] = complete[k] || count[k] == modes->n;
    free(count);
    free(given);
    free(pos);
}

static void read_family(struct reader *r, const struct spec_node *block, const char *name,
                        struct model_group *group, bool *complete, const struct spec_node **partial)
{
    group->name = name;
    const bool has_switches = read_switches(r, block, group);
    const struct spec_node *modes = reader_block(r, block, "modes");
    if (!modes || modes->n == 0) {
        if (!modes == !spec_get(block, "modes"))
            spec_error(r->diag, block, "\"modes\" is missing: {name: {where: condition, rhs: {state: expression}}}");
        return;
    }
    read_modes(r, modes, group, complete, partial);
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

static void check_states_move(struct reader *r, const struct spec_node *block, const bool *complete,
                              const struct spec_node *const *partial)
{
    const struct model *m = r->model;
    const struct spec_node *common = spec_get(block, "rhs");
    for (int k = 0; k < m->n_x; k++) {
        if (complete[k] || spec_get(common, m->x[k].name))
            continue;
        if (partial[k])
            spec_error(r->diag, partial[k], "has no right-hand side for \"%s\", which other modes have (0 if it "
                       "stands still)", m->x[k].name);
        else
            diag_error(r->diag, m->x[k].pos, m->x[k].path, "has no right-hand side in dynamics");
    }
}

void model_read_piecewise(struct reader *r, const struct spec_node *block)
{
    static const char *const known[] = { "switches", "modes", NULL };
    struct model *m = r->model;
    const struct spec_node *groups = reader_block(r, block, "groups");
    const bool single = spec_get(block, "switches") || spec_get(block, "modes");
    bool *complete = mem_alloc((size_t)m->n_x, sizeof *complete);
    const struct spec_node **partial = mem_alloc((size_t)m->n_x, sizeof *partial);
    if (groups && single)
        spec_error(r->diag, groups, "either \"switches\" and \"modes\" (one family) or \"groups\", not both");
    const int n = groups ? groups->n : 1;
    m->group = arena_alloc(r->mem, (size_t)n, sizeof *m->group);
    m->n_group = n;
    for (int i = 0; groups && i < n; i++) {
        spec_check_keys(r->diag, groups->child[i], known);
        read_family(r, groups->child[i], groups->child[i]->key, &m->group[i], complete, partial);
    }
    if (!groups)
        read_family(r, block, "modes", &m->group[0], complete, partial);
    check_states_move(r, block, complete, partial);
    free(complete);
    free(partial);
}
