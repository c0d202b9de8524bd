/* The life of a model, and what its switching functions are called. */
#include "core/model/model.h"

#include "core/base/mem.h"
#include "core/expression/tape.h"

#include <stdlib.h>

void model_free(struct model *model)
{
    if (!model)
        return;
    expr_graph_free(model->graph);
    tape_free(model->mechanics.loops.owned_tape);
    struct arena mem = model->mem;              /* it owns the model too */
    arena_free(&mem);
}

struct model *model_fork(const struct model *model)
{
    struct arena mem = { NULL };
    struct model *fork = arena_copy(&mem, model, 1, sizeof *model);
    fork->graph = expr_graph_fork(model->graph);
    fork->mem = mem;
    fork->mechanics.loops.owned_tape = NULL;
    return fork;
}

/* e with what equals a define by that name: `load - sun` instead of what tables and numbers these are. */
static expr in_words(struct model *model, expr e)
{
    const size_t n_most = (size_t)model->defines.n_define;
    expr *part = mem_alloc(2 * n_most, sizeof *part), *name = part + n_most;
    int n = 0;
    for (int k = 0; k < model->defines.n_define; k++) {
        const expr define = model->defines.e[k];
        if (expr_is_const(model->graph, define, NULL) || expr_op_of(model->graph, define) == EXPR_SYM)
            continue;
        part[n] = define;
        name[n++] = expr_sym(model->graph, model->defines.name[k]);
    }
    expr_substitute(model->graph, 1, &e, n, part, name, &e);
    free(part);
    return e;
}

/* A switching function of the modes has a name; one that comes from sign(c) and the like may equal a define, or
 * be its negative. */
const char *model_switch_name(struct model *model, expr c)
{
    for (int i = 0; i < model->dynamics.n_group; i++)
        for (int l = 0; l < model->dynamics.group[i].n_c; l++)
            if (model->dynamics.group[i].c[l] == c)
                return model->dynamics.group[i].c_name[l];
    for (int k = 0; k < model->defines.n_define; k++) {
        if (model->defines.e[k] == c)
            return model->defines.name[k];
        if (model->defines.e[k] == expr_neg(model->graph, c))
            return arena_printf(&model->mem, "-%s", model->defines.name[k]);
    }
    char *text = expr_to_words(model->graph, in_words(model, c));
    const char *name = arena_copy_text(&model->mem, text);
    free(text);
    return name;
}
