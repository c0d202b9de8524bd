#include "core/model/check/unused.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

static bool is_override(struct srcpos pos)
{
    return pos.file && strncmp(pos.file, "--set ", strlen("--set ")) == 0;
}

/* The value that --set gives to a parameter, or to a key of it; NULL: there is none. */
static const struct spec_node *find_override(const struct spec_node *node)
{
    if (!node || is_override(node->pos))
        return node;
    for (int i = 0; i < node->n; i++)
        if (node->child[i]->key && is_override(node->child[i]->pos))
            return node->child[i];
    return NULL;
}

/* The nearest name of a parameter that is used, NULL if none is near. */
static const char *nearest_used(const struct model *model, const char *word)
{
    const char **name = mem_alloc((size_t)model->n_param, sizeof *name);
    int n = 0;
    for (int k = 0; k < model->n_param; k++)
        if (model->param[k].is_used)
            name[n++] = model->param[k].name;
    const char *nearest = spec_suggest(word, n, name);
    free(name);
    return nearest;
}

static enum status report(const struct model *model, const struct model_param *param, const struct spec_node *node,
                          struct diag *diag)
{
    const struct spec_node *given = find_override(node);
    const char *nearest = nearest_used(model, param->name);
    const char *before = nearest ? " (did you mean \"" : "", *after = nearest ? "\"?)" : "";
    nearest = nearest ? nearest : "";
    if (given && is_override(node->key_pos))
        return diag_error(diag, given->pos, param->path, "the spec has no parameter of this name%s%s%s", before,
                          nearest, after);
    if (given)
        return diag_error(diag, given->pos, param->path,
                          "changes nothing: no formula of the spec names this parameter%s%s%s", before, nearest,
                          after);
    if (strcmp(param->pos.file, model->file) == 0)
        diag_add(diag, DIAG_WARNING, STATUS_OK, param->pos, param->path, "is not used: no formula names it%s%s%s; name it where it "
                 "belongs, or leave it out", before, nearest, after);
    return STATUS_OK;
}

enum status model_check_unused(const struct model *model, struct diag *diag)
{
    const struct spec_node *block = spec_get(spec_root(model->spec), "parameters");
    enum status st = STATUS_OK;
    for (int k = 0; k < model->n_param && block && k < block->n; k++) {
        const struct spec_node *node = block->child[k];     /* the first ones are of the block, in its order */
        if (!model->param[k].is_used && !node->is_made && report(model, &model->param[k], node, diag) != STATUS_OK)
            st = STATUS_SPEC;
    }
    return st;
}
