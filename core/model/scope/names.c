/* Names that a spec gives: are they legal and free; and states by their names. */
#include "core/model/scope/reader.h"

#include "core/expression/names.h"

#include <string.h>

/* By what else a name is taken; NULL: by nothing. */
static const char *taken_by(const char *name)
{
    static const char *const column[] = { "stage", "element", "side", "t_num", "point", "is_physical", "dt_dt_num" };
    if (strcmp(name, "t") == 0)
        return "it is the time";
    for (size_t i = 0; i < sizeof column / sizeof column[0]; i++)
        if (strcmp(column[i], name) == 0)
            return "it is a column of result files";
    return names_is_taken(name) ? "it is a function or a constant of formulas" : NULL;
}

enum status reader_check_letters(struct reader *r, const struct spec_node *node)
{
    if (spec_is_name(node->key))
        return STATUS_OK;
    return diag_error(r->diag, node->key_pos, node->path,
                      "a name is letters, digits and _, and does not start with a digit");
}

void reader_check_name(struct reader *r, const struct spec_node *node)
{
    const char *name = node->key;
    const char *taken = taken_by(name);
    if (reader_check_letters(r, node) == STATUS_OK && taken)
        diag_error(r->diag, node->key_pos, node->path, "the name \"%s\" is taken: %s", name, taken);
    const struct name other = known_names_find(r->names, r->model, name);
    if (other.kind != NAME_NONE)
        diag_error(r->diag, node->key_pos, node->path, "there is a %s of this name already",
                   name_kind_text[other.kind]);
}

void reader_check_result_names(struct reader *r, const char *what, const char *owner, int n,
                               const char *const *suffix)
{
    const struct model *m = r->model;
    for (int i = 0; i < n; i++) {
        const char *name = arena_printf(r->mem, "%s_%s", owner, suffix[i]);
        const char *said = "the name is taken: the result file has it for %s \"%s\"";
        for (int k = 0; k < m->n_param; k++)
            if (strcmp(m->param[k].name, name) == 0)
                diag_error(r->diag, m->param[k].pos, m->param[k].path, said, what, owner);
        int k = model_find_state(m, name);
        if (k >= 0)
            diag_error(r->diag, m->x[k].pos, m->x[k].path, said, what, owner);
        k = model_find_control(m, name);
        if (k >= 0)
            diag_error(r->diag, m->u[k].pos, m->u[k].path, said, what, owner);
        for (k = 0; k < m->defines.n_define; k++)
            if (strcmp(m->defines.name[k], name) == 0)
                diag_error(r->diag, r->define.node[k]->key_pos, r->define.node[k]->path, said, what, owner);
    }
}

/* Room is doubled when it is used up. */
void reader_add_quantity(struct reader *r, const char *name, expr e)
{
    struct model_mechanics *all = &r->model->mechanics;
    const int n = all->n_quantity;
    if ((n & (n - 1)) == 0) {
        const struct model_quantity *before = all->quantity;
        all->quantity = arena_alloc(r->mem, n ? 2 * (size_t)n : 1, sizeof *all->quantity);
        for (int k = 0; k < n; k++)
            all->quantity[k] = before[k];
    }
    all->quantity[all->n_quantity++] = (struct model_quantity){ name, e };
}

int reader_state_of(struct reader *r, const struct spec_node *node, struct srcpos pos, const char *name)
{
    const struct model *m = r->model;
    const struct name found = known_names_find(r->names, m, name);
    const int k = found.kind == NAME_STATE ? found.index : model_find_state(m, name);
    if (k < 0 && r->model->names_known)
        reader_refuse_name(r, node, pos, name, "state", m->n_x, m->x, NULL);
    return k;
}
