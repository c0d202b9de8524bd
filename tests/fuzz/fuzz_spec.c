/* tests/fuzz/fuzz_spec.c - hostile specs: core/spec and core/expression must report mistakes, not crash
 *
 * The input is a spec; text behind a line `%%% PATH` is the value of an override of that path. What can be read is
 * written and read again, and must be the same tree; each scalar goes to the parsers of expressions.
 */
#include "core/expression/parse.h"
#include "core/spec/spec.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* --- Scalars as expressions ---------------------------------------------------------------------------------- */

/* A scope in which each name of one letter is known. */
static expr resolve(void *user, const char *name, struct srcpos pos, struct diag *diag, bool *reported)
{
    (void)pos;
    (void)diag;
    (void)reported;
    return name[1] ? EXPR_NONE : *(const expr *)user;
}

static expr call(void *user, const char *name, int n, const expr *arg, struct srcpos pos, struct diag *diag,
                 bool *reported)
{
    (void)user;
    (void)pos;
    (void)diag;
    (void)reported;
    return n == 1 && strcmp(name, "ddt") == 0 ? arg[0] : EXPR_NONE;
}

static const char *known_name(void *user, int i)
{
    (void)user;
    return i == 0 ? "x" : NULL;
}

static void parse_scalars(struct expr_graph *g, const struct parse_scope *scope, const struct spec_node *node,
                          struct diag *diag)
{
    if (node->kind == SPEC_SCALAR) {
        const struct parse_text src = {node->text, node->pos, node->path, node->is_made};
        struct parse_relation relation;
        expr e;
        parse_expression(g, &src, scope, &e, diag);
        parse_relation(g, &src, scope, &relation, diag);
        parse_condition(g, &src, scope, &e, diag);
    }
    for (int i = 0; i < node->n; i++) parse_scalars(g, scope, node->child[i], diag);
}

/* --- Round trip ---------------------------------------------------------------------------------------------- */

static void require(bool fact)
{
    if (!fact) abort();
}

static void require_same(const struct spec_node *a, const struct spec_node *b)
{
    require(a->kind == b->kind && a->n == b->n && strcmp(a->path, b->path) == 0);
    require(!a->text == !b->text && (!a->text || strcmp(a->text, b->text) == 0));
    require(a->pos.line >= 0 && a->pos.col >= 0);
    for (int i = 0; i < a->n; i++) require_same(a->child[i], b->child[i]);
}

static void write_and_read(const struct spec *spec)
{
    struct diag *diag = diag_create();
    struct spec *again = NULL;
    char *text = spec_to_yaml(spec_root(spec));
    require(spec_read_text("again", text, 0, NULL, &again, diag) == STATUS_OK);
    require_same(spec_root(spec), spec_root(again));
    free(text);
    spec_free(again);
    diag_free(diag);
}

/* --- One input ----------------------------------------------------------------------------------------------- */

/* Splits `spec %%% PATH newline value`, in place; 1 if there is such an override. */
static int split(char *text, struct spec_override *override)
{
    char *mark = strstr(text, "\n%%% ");
    char *end = mark ? strchr(mark + 5, '\n') : NULL;
    if (!end) return 0;
    mark[1] = *end = '\0';
    *override = (struct spec_override){mark + 5, end + 1};
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    struct spec_override override;
    const int n = split(text, &override);
    struct diag *diag = diag_create();
    struct spec *spec = NULL;
    const enum status st = spec_read_text("s", text, n, &override, &spec, diag);
    require(st == STATUS_OK ? spec && diag_n_errors(diag) == 0 : diag_n_errors(diag) > 0);
    if (st == STATUS_OK) {
        struct expr_graph *g = expr_graph_create();
        expr x = expr_sym(g, "x");
        const struct parse_scope scope = {&x, resolve, call, NULL, known_name};
        write_and_read(spec);
        parse_scalars(g, &scope, spec_root(spec), diag);
        expr_graph_free(g);
    }
    spec_free(spec);
    diag_free(diag);
    free(text);
    return 0;
}
