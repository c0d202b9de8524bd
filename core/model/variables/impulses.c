/* Controls that are impulsive: moments at which states jump, sizes that are parameters
 *
 *   dv: {bounds: [-1, 1], impulsive: {at: [initial, {min: 1 s, max: 4 s}, final], jump: {v: dv}}}
 *   J:  {bounds: [0, 5], impulsive: {at: [0.5 s, 1 s]}}                # acts where it stands in force and rhs
 *
 * The k-th impulse is parameter dv_k; what it makes of the state is a jump at a boundary of control
 * intervals. Moments that the equidistant grid does not have cut the horizon into stretches with intervals of
 * their own. A moment that is free makes the lengths of the stretches beside it parameters, before_dv_2, and
 * its bounds are rows on their sum.
 */
#include "core/model/variables/read.h"

#include "core/model/shapes.h"
#include "core/model/variables/impulses.h"

#include <math.h>
#include <string.h>

/* --- Names --------------------------------------------------------------------------------------------------- */

bool impulse_is_meant(const struct spec_node *node)
{
    return node->kind == SPEC_MAPPING && spec_get(node, "impulsive");
}

void impulse_collect(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    struct model_impulse *one = &m->impulses.impulse[m->impulses.n_impulse];
    int n = 0;
    *one = (struct model_impulse){ .leader = m->impulses.n_impulse };
    variables_add(r, node, node->key, &n, &one->var, &one->sym);
    r->impulse_node[m->impulses.n_impulse++] = node;
}

/* Any number that an impulse may be, so that nothing that stands beside it is lost. */
expr impulse_some_number(struct reader *r)
{
    return expr_const(r->g, 0.6180339887);
}

/* --- Sizes --------------------------------------------------------------------------------------------------- */

/* One guess for all, or one each. */
static double guess_of(struct reader *r, const struct spec_node *guess, const struct model_var *var, int k, int n)
{
    double value = isnan(var->guess) ? 0 : var->guess;
    if (guess && guess->kind == SPEC_SEQUENCE && guess->n == n)
        reader_finite(r, guess->child[k], &value);
    return fmin(fmax(value, var->lb), var->ub);
}

static void add_impulses(struct reader *r, int k)
{
    struct model *m = r->model;
    struct model_impulse *one = &m->impulses.impulse[k];
    const struct moments *list = &r->impulse_moments[one->leader];
    const struct spec_node *guess = spec_get(r->impulse_node[k], "guess");
    one->n = list->n;
    one->at = arena_alloc(r->mem, (size_t)list->n, sizeof *one->at);
    one->param = arena_alloc(r->mem, (size_t)list->n, sizeof *one->param);
    if (guess && guess->kind == SPEC_SEQUENCE && guess->n != list->n)
        spec_error(r->diag, guess, "a list has one number per impulse: %d are needed, not %d", list->n, guess->n);
    for (int i = 0; i < list->n; i++) {
        one->at[i] = list->moment[i].at;
        one->param[i] =
            reader_add_parameter(r, &one->var, arena_printf(r->mem, "%s_%d", one->var.name, i + 1), one->var.units,
                                 one->var.lb, one->var.ub, guess_of(r, guess, &one->var, i, list->n));
    }
}

static void read_leader(struct reader *r, int k, const struct spec_node *with)
{
    const char *name = with->kind == SPEC_SCALAR ? with->text : "";
    const int leader = model_find_impulse(r->model, name);
    if (leader < 0)
        spec_error(r->diag, with, "\"%s\" is no impulsive control", name);
    else if (leader == k || spec_get(spec_get(r->impulse_node[leader], "impulsive"), "with"))
        spec_error(r->diag, with, "%s has no times of its own", name);
    else
        r->model->impulses.impulse[k].leader = leader;
}

static void read_one(struct reader *r, int k)
{
    const struct spec_node *node = r->impulse_node[k], *block = spec_get(node, "impulsive"),
                           *guess = spec_get(node, "guess");
    struct model_var *var = &r->model->impulses.impulse[k].var;
    static const char *const others[] = { "values", "hold", "rate", "initial", "final" };
    const char *const unit = r->model->time.unit;
    shape_check_keys(r->diag, node, &model_control_shape);
    var->initial.kind = END_FREE;
    variables_read_but_guess(r, node, var);
    if (guess && guess->kind == SPEC_SCALAR)
        reader_finite(r, guess, &var->guess);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (spec_get(node, others[i]))
            spec_error(r->diag, spec_get(node, others[i]),
                       "an impulsive control has no \"%s\": it acts at moments alone", others[i]);
    starts_refuse(r, node, "is of controls with values, as [0, 1]: this one acts at moments alone");
    if (block->kind != SPEC_MAPPING) {
        spec_error(r->diag, block, "expected {at: times}, as {at: [0.5 %s, 1 %s]}", unit, unit);
        return;
    }
    shape_check_keys(r->diag, block, &model_impulsive_shape);
    const struct spec_node *at = spec_get(block, "at"), *with = spec_get(block, "with");
    if (with && at)
        spec_error(r->diag, with, "\"at\" are times of its own, \"with\" those of another one: one of the two");
    else if (with)
        read_leader(r, k, with);
    else if (at)
        impulse_read_moments(r, k, at);
    else
        spec_error(r->diag, block,
                   "\"at\" is missing: the times, as [0.5 %s, 1 %s], or \"with\", whose times these are", unit,
                   unit);
}

/* Where nothing is known of when control intervals end there are no jumps between them. */
static void check_grid(struct reader *r)
{
    const struct model *m = r->model;
    const struct spec_node *node = spec_get(r->impulse_node[0], "impulsive");
    if (strcmp(reader_word(r, spec_get(r->root, "discretization"), "control_grid"), "free") == 0)
        spec_error(r->diag, node, "with discretization.control_grid: free no interval ends at a given time");
    for (int k = 0; k < m->n_u; k++)
        if (m->u[k].n_value)
            spec_error(r->diag, node,
                       "with %s.values control intervals end where that switches: give times of both by phases",
                       m->u[k].path);
}

void model_read_impulses(struct reader *r)
{
    struct model *m = r->model;
    if (m->impulses.n_impulse == 0 && m->time.n_steps == 0)
        return;
    r->impulse_moments = arena_alloc(r->mem, (size_t)m->impulses.n_impulse, sizeof *r->impulse_moments);
    const int before = diag_n_errors(r->diag);
    for (int k = 0; k < m->impulses.n_impulse; k++)
        read_one(r, k);
    const bool has_grid = !isnan(m->time.horizon) && m->time.n_intervals > 0;
    if (m->impulses.n_impulse > 0)
        check_grid(r);
    if (m->impulses.n_impulse > 0 && !has_grid)
        diag_error(r->diag, m->impulses.impulse[0].var.pos, m->impulses.impulse[0].var.path,
                   "an impulsive control needs time.horizon and "
                   "time.intervals, or phases");
    else if (has_grid && diag_n_errors(r->diag) == before)
        impulses_lay_out(r);
    for (int k = 0; k < m->impulses.n_impulse; k++)
        add_impulses(r, k);
}
