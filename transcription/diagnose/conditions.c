#include "transcription/diagnose/conditions.h"

#include <math.h>
#include <string.h>

struct list { const struct model *model; struct arena *mem; int n; struct condition *at; };

/* The entry below a path of the spec, or NULL: an entry that stands for several has no path of its own. */
static const struct spec_node *entry_of(const struct model *model, const char *block, const char *name,
                                        const char *key)
{
    const struct spec_node *node = model->spec ? spec_get(spec_root(model->spec), block) : NULL;
    return spec_get(spec_get(node, name), key);
}

static bool is_bounded(double lo, double hi)
{
    return isfinite(lo) || isfinite(hi);
}

/* In units of which slack is measured: of what is asked for where nothing says how large it is. */
static double size_or(double size, double lo, double hi)
{
    if (isfinite(size) && size > 0)
        return size;
    size = fmax(isfinite(lo) ? fabs(lo) : 0, isfinite(hi) ? fabs(hi) : 0);
    return size > 0 ? size : 1;
}

static void add(struct list *list, enum condition_kind kind, int index, struct model_constraint row,
                const char *units, double size)
{
    list->at[list->n++] = (struct condition){ kind, index, row, units, size_or(size, row.lb, row.ub) };
}

/* A number that a variable is held to, by a key of its entry. */
static void add_of_variable(struct list *list, enum condition_kind kind, int index, const struct model_var *var,
                            expr e, const char *block, const char *key, struct srcpos pos, double lo, double hi,
                            int at)
{
    const struct spec_node *node = entry_of(list->model, block, var->name, key);
    const struct model_constraint row = {
        .name = arena_printf(list->mem, "%s of %s", key, var->name), .path = arena_printf(list->mem, "%s.%s", var->path, key),
        .pos = node && !pos.line ? node->pos : pos.line ? pos : var->pos, .e = e, .lb = lo, .ub = hi, .at = at };
    add(list, kind, index, row, var->units, model_var_size(var));
}

static void add_states(struct list *list)
{
    const struct model *model = list->model;
    const struct srcpos nowhere = { NULL, 0, 0 };
    for (int i = 0; i < model->n_x; i++) {
        const struct model_var *x = &model->x[i];
        const char *block = strncmp(x->path, "controls", strlen("controls")) == 0 ? "controls" : "states";
        if (model_is_seat(model, i))
            continue;
        if (x->final.kind == END_FIXED || x->final.kind == END_RANGE)
            add_of_variable(list, CONDITION_FINAL, i, x, model->x_sym[i], block, "final", x->final.pos, x->final.lo,
                            x->final.kind == END_FIXED ? x->final.lo : x->final.hi, AT_FINAL);
        if (x->initial.kind == END_RANGE)
            add_of_variable(list, CONDITION_INITIAL, i, x, model->x_sym[i], block, "initial", x->initial.pos, x->initial.lo,
                            x->initial.hi, AT_INITIAL);
        if (is_bounded(x->lb, x->ub))
            add_of_variable(list, CONDITION_STATE, i, x, model->x_sym[i], block, "bounds", nowhere, x->lb, x->ub, AT_PATH);
    }
}

/* Those that a phase by the user leaves out are 0 there, which must lie within the bounds. */
static bool acts_everywhere(const struct model *model, int k)
{
    bool everywhere = true;
    for (int j = 0; j < model->time.n_phase; j++)
        everywhere = everywhere && model->time.phase[j].has_u[k];
    return everywhere;
}

static void add_controls(struct list *list)
{
    const struct model *model = list->model;
    const struct srcpos nowhere = { NULL, 0, 0 };
    for (int k = 0; k < model->n_u; k++) {
        const struct model_var *u = &model->u[k];
        const bool is_held = list->model->n_held && !entry_of(model, "controls", u->name, "bounds");
        if (is_bounded(u->lb, u->ub) && u->n_value == 0 && !model_is_given(model, k)
            && (acts_everywhere(model, k) || (u->lb <= 0 && u->ub >= 0)))
            add_of_variable(list, CONDITION_CONTROL, k, u, model->u_sym[k], "controls", is_held ? "rate" : "bounds", nowhere, u->lb,
                            u->ub, AT_INTERVALS);
    }
}

static void add_parameters(struct list *list)
{
    const struct model *model = list->model;
    for (int k = 0; k < model->n_p; k++) {
        const struct model_param *p = &model->param[model->p_param[k]];
        if (!is_bounded(p->lb, p->ub))
            continue;
        const struct spec_node *node = entry_of(model, "parameters", p->name, "optimize");
        const struct model_constraint row = {
            .name = p->name, .path = node ? node->path : p->path, .pos = node ? node->pos : p->pos, .e = p->sym, .lb = p->lb,
            .ub = p->ub, .at = AT_FINAL };
        add(list, CONDITION_PARAMETER, k, row, p->units, model_param_size(p));
    }
}

/* Is it an entry of a block of constraints, or the end of a table? What else is a constraint of the model belongs
 * to the system: unit quaternions, the ends of phases. */
static bool is_asked_for(const struct model_constraint *c)
{
    return c->path && (strstr(c->path, "constraints.") || strncmp(c->path, "tables.", strlen("tables.")) == 0);
}

static void add_constraints(struct list *list, enum condition_kind kind, int n, const struct model_constraint *c)
{
    for (int k = 0; k < n; k++)
        if (is_asked_for(&c[k]))
            add(list, kind, k, c[k], "", NAN);
}

/* Of a fixed horizon: it may last longer. Not where stretches, or times that are asked for, divide it; phases
 * have lengths of their own. */
static void add_horizon(struct list *list)
{
    const struct model *model = list->model;
    bool moves = model->time.n_stretch == 0 && model->impulses.n_impulse == 0 && model->switching.n_machine == 0
                 && model->time.n_interior_time == 0;
    for (int k = 0; k < model->constraints.n_constraint; k++)
        moves = moves && model->constraints.constraint[k].n_time == 0;
    if (model->time.n_phase || (!moves && !model->time.horizon_free))
        return;
    const struct spec_node *node = entry_of(model, "time", "horizon", "max");
    const struct model_constraint row = {
        .name = "horizon", .path = "time.horizon", .pos = node ? node->pos : model->time.horizon_pos,
        .e = model->T_sym, .lb = model->time.horizon_free ? model->time.horizon_min : -INFINITY,
        .ub = model->time.horizon_free ? model->time.horizon_max : model->time.horizon, .at = AT_FINAL };
    add(list, CONDITION_HORIZON, 0, row, model->time.unit, model->time.horizon);
}

struct condition *conditions_list(const struct model *model, struct arena *mem, int *n)
{
    const int most = 3 * model->n_x + model->n_u + model->n_p + model->constraints.n_constraint
                     + model->constraints.n_impact + 1;
    struct list list = { model, mem, 0, arena_alloc(mem, (size_t)most, sizeof *list.at) };
    add_states(&list);
    add_controls(&list);
    add_parameters(&list);
    add_constraints(&list, CONDITION_CONSTRAINT, model->constraints.n_constraint, model->constraints.constraint);
    add_constraints(&list, CONDITION_IMPACT, model->constraints.n_impact, model->constraints.impact);
    add_horizon(&list);
    *n = list.n;
    return list.at;
}
