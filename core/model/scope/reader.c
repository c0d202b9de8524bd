/* What a reader is, and values that are no formulas: words, blocks, yes and no. */
#include "core/model/scope/reader.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

struct reader reader_reopen(struct model *model, struct diag *diag)
{
    return (struct reader){ .model = model, .mem = &model->mem, .g = model->graph, .diag = diag,
                            .broken = model->broken };
}

bool reader_is_broken(const struct reader *r, expr e)
{
    return e == EXPR_NONE || expr_depends(r->g, e, 1, &r->broken);
}

expr *reader_symbols(struct reader *r, int n, const int *index)
{
    expr *sym = arena_alloc(r->mem, (size_t)n, sizeof *sym);
    for (int i = 0; i < n; i++)
        sym[i] = r->model->x_sym[index[i]];
    return sym;
}

const char *reader_word(struct reader *r, const struct spec_node *node, const char *key)
{
    const struct spec_node *child = spec_get(node, key);
    if (!child || child->kind == SPEC_NULL)
        return "";
    if (child->kind == SPEC_SCALAR)
        return child->text;
    spec_error(r->diag, child, "expected a text");
    return "";
}

int reader_choice(struct reader *r, const struct spec_node *node, const char *const *word)
{
    const char *list = "";
    int n = 0;
    for (; word[n]; n++) {
        if (node->kind == SPEC_SCALAR && strcmp(node->text, word[n]) == 0)
            return n;
        list = arena_printf(r->mem, "%s%s%s", list, n ? ", " : "", word[n]);
    }
    const char *nearest = node->kind == SPEC_SCALAR ? spec_suggest(node->text, n, word) : NULL;
    if (nearest)
        spec_error(r->diag, node, "unknown word \"%s\" (did you mean \"%s\"?)", node->text, nearest);
    else
        spec_error(r->diag, node, "must be one of: %s", list);
    return -1;
}

enum status reader_bool(struct reader *r, const struct spec_node *node, bool *out)
{
    static const char *const word[] = { "false", "true", NULL };
    const int i = reader_choice(r, node, word);
    if (i < 0)
        return STATUS_SPEC;
    *out = i == 1;
    return STATUS_OK;
}

const struct spec_node *reader_block(struct reader *r, const struct spec_node *parent, const char *key)
{
    const struct spec_node *node = spec_get(parent, key);
    if (!node || node->kind == SPEC_NULL)
        return NULL;
    if (node->kind == SPEC_MAPPING)
        return node;
    spec_error(r->diag, node, "expected a mapping \"name: ...\"");
    return NULL;
}

const struct spec_node *reader_given(const struct spec_node *parent, const char *key)
{
    const struct spec_node *node = spec_get(parent, key);
    return node && node->kind != SPEC_NULL ? node : NULL;
}

const struct spec_node *reader_main(const struct spec_node *node, const char *key)
{
    return node->kind == SPEC_MAPPING ? spec_get(node, key) : node;
}

void reader_refuse_name(struct reader *r, const struct spec_node *node, struct srcpos pos, const char *name,
                        const char *what, int n, const struct model_var *var, const int *index)
{
    const char **candidate = mem_alloc((size_t)n, sizeof *candidate);
    for (int i = 0; i < n; i++)
        candidate[i] = var[index ? index[i] : i].name;
    const char *nearest = spec_suggest(name, n, candidate);
    free(candidate);
    diag_error(r->diag, pos, node->path, "\"%s\" is no %s%s%s%s", name, what, nearest ? " (did you mean \"" : "",
               nearest ? nearest : "", nearest ? "\"?)" : "");
}
