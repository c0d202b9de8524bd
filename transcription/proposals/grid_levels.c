#include "transcription/proposals/grid_levels.h"

#include "core/base/mem.h"
#include "core/model/inputs.h"
#include "core/model/time.h"
#include "core/model/variables.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define BESIDE 1e-3                 /* of the bounds: how far a value is from the threshold beside it */
enum {
    LEVELS_MOST = 32,               /* combinations */
    LEVELS_OF_ONE = 12,             /* values of one control */
    THRESHOLD_PARTS = 64            /* of the bounds, in each of which at most one threshold of a transition lies */
};

struct values { int n; double value[LEVELS_OF_ONE]; };

static void add(struct values *to, double value)
{
    int place = to->n;
    while (place > 0 && to->value[place - 1] > value) place--;
    if (to->n == LEVELS_OF_ONE || (place > 0 && to->value[place - 1] == value))
        return;
    for (int j = to->n++; j > place; j--)
        to->value[j] = to->value[j - 1];
    to->value[place] = value;
}

/* --- Thresholds ----------------------------------------------------------------------------------------------- */

/* A condition of control k alone, as a function of it. */
struct command { struct function f; const struct model *model; double *x, *u; int k; };

static double command_at(struct command *at, double value)
{
    at->u[at->k] = value;
    return *function_eval(&at->f, 0, at->x, at->u);
}

static double find_root(struct command *at, double a, double b)
{
    const bool above = command_at(at, a) > 0;
    for (int n = 0; n < 60; n++) {
        const double middle = 0.5 * (a + b);
        if ((command_at(at, middle) > 0) == above)
            a = middle;
        else
            b = middle;
    }
    return 0.5 * (a + b);
}

static void add_roots(const struct phase_system *sys, int k, expr when, struct values *to)
{
    const struct model *model = sys->model;
    const double lb = model->u[k].lb, ub = model->u[k].ub, step = (ub - lb) / THRESHOLD_PARTS;
    struct command at = { function_create(model, NULL, 1, &when), model, mem_alloc((size_t)model->n_x, sizeof(double)),
                          mem_alloc((size_t)model->n_u, sizeof(double)), k };
    for (int j = 0; j < THRESHOLD_PARTS; j++)
        if ((command_at(&at, lb + j * step) > 0) != (command_at(&at, lb + (j + 1) * step) > 0))
            add(to, find_root(&at, lb + j * step, lb + (j + 1) * step));
    function_free(&at.f);
    free(at.x);
    free(at.u);
}

static struct values thresholds_of(const struct phase_system *sys, int k)
{
    struct values out = { .n = 0 };
    for (int i = 0; i < sys->n_transition; i++)
        if (sys->transition[i].commanded
            && expr_depends(sys->model->graph, sys->transition[i].model->when, 1, &sys->model->u_sym[k]))
            add_roots(sys, k, sys->transition[i].model->when, &out);
    return out;
}

/* Does the motion, the cost or a constraint depend on control k, beside commands? */
static bool does_more(const struct phase_system *sys, int k)
{
    const struct model *model = sys->model;
    const expr u = model->u_sym[k], slot = sys->slot[sys->u + k];
    bool found = false;
    for (int i = 0; i < sys->out.n_motion; i++)
        found = found || expr_depends(sys->g, sys->motion[i], 1, &slot);
    for (int i = 0; i < model->costs.n_running; i++)
        found = found || expr_depends(model->graph, model->costs.running[i].e, 1, &u);
    for (int i = 0; i < model->constraints.n_constraint; i++)
        found = found || expr_depends(model->graph, model->constraints.constraint[i].e, 1, &u);
    return found;
}

/* --- Values of one control ------------------------------------------------------------------------------------- */

/* thrift: 0 all, 1 without those in the middle, 2 without those beside thresholds. */
static struct values values_of(const struct phase_system *sys, int k, int thrift)
{
    const struct model_var *u = &sys->model->u[k];
    struct values out = { .n = 0 };
    for (int j = 0; j < u->n_value; j++)
        add(&out, u->value[j]);
    if (u->n_value)
        return out;
    if (model_is_given(sys->model, k) || !isfinite(u->lb) || !isfinite(u->ub) || u->lb == u->ub) {
        add(&out, model_is_given(sys->model, k) ? NAN : model_var_guess(u));
        return out;
    }
    const struct values threshold = thresholds_of(sys, k);
    const bool commands = threshold.n > 0, more = !commands || does_more(sys, k);
    for (int j = 0; j <= threshold.n; j++) {
        const double lo = j > 0 ? threshold.value[j - 1] : u->lb, hi = j < threshold.n ? threshold.value[j] : u->ub;
        const double beside = BESIDE * (u->ub - u->lb);
        if (!more || thrift < 1)
            add(&out, 0.5 * (lo + hi));
        if (more && j == 0)
            add(&out, lo);
        if (more && j == threshold.n)
            add(&out, hi);
        if (more && commands && thrift < 2 && hi - lo > 2 * beside) {
            add(&out, j > 0 ? lo + beside : lo);
            add(&out, j < threshold.n ? hi - beside : hi);
        } else if (more && commands && j > 0 && j < threshold.n) {
            add(&out, 0.5 * (lo + hi));
        }
    }
    if (more && thrift < 2 && u->lb < 0 && u->ub > 0)
        add(&out, 0);
    return out;
}

/* --- All of them ----------------------------------------------------------------------------------------------- */

struct grid_levels grid_levels_of(const struct phase_system *sys)
{
    const int n_u = sys->model->n_u;
    struct values *one = mem_alloc((size_t)n_u, sizeof *one);
    struct grid_levels levels = { .n_u = n_u };
    for (int thrift = 0; thrift <= 2 && levels.n == 0; thrift++) {
        double n = 1;
        for (int k = 0; k < n_u; k++) {
            one[k] = values_of(sys, k, thrift);
            n *= one[k].n;
        }
        levels.n = n <= LEVELS_MOST ? (int)n : 0;
    }
    levels.u = mem_alloc((size_t)(levels.n * n_u), sizeof *levels.u);
    for (int c = 0; c < levels.n; c++)
        for (int k = 0, rest = c; k < n_u; rest /= one[k++].n) {
            assert(one[k].n > 0);
            levels.u[c * n_u + k] = one[k].value[rest % one[k].n];
        }
    free(one);
    return levels;
}

void grid_levels_free(struct grid_levels *levels)
{
    free(levels->u);
    levels->u = NULL;
}
