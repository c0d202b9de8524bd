/* The trajectory that the guess names: of a finished solution its own program, from its point and multipliers. */
#include "transcription/generators/generator.h"

#include "core/base/mem.h"
#include "transcription/candidates/solve_candidate.h"
#include "transcription/given/given.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The values of controls that have some ------------------------------------------------------------------- */

static bool is_value(const struct model_var *var, double u)
{
    for (int j = 0; j < var->n_value; j++)
        if (fabs(var->value[j] - u) <= ROUND_EQUAL * (var->ub - var->lb))
            return true;
    return false;
}

/* [n_intervals * n_u], NAN where controls have no values; NULL where one has another. */
static double *values_of(const struct model *model, const struct result_data *u, const struct result_data *name)
{
    const int N = model->time.n_intervals, n_u = model->n_u;
    double *value = mem_alloc((size_t)(N * n_u), sizeof *value);
    bool fits = true;
    for (int k = 0; k < n_u; k++) {
        const int c = result_index_of_text(name, model->u[k].name);
        for (int i = 0; i < N; i++) {
            value[i * n_u + k] = model->u[k].n_value && c >= 0 ? u->d[i * name->n + c] : NAN;
            fits = fits && (!model->u[k].n_value || is_value(&model->u[k], value[i * n_u + k]));
        }
    }
    if (fits)
        return value;
    free(value);
    return NULL;
}

/* As many intervals as ours: `samples` takes over when they begin. */
static void take_values(struct discovery *at, struct samples *samples)
{
    const struct model *model = at->task->model;
    const struct result *file = at->guess->file;
    const struct result_data *t = result_data_of(file, "/grid", "t_interval"),
                             *u = result_data_of(file, "/grid", "u");
    const struct result_data *name = result_data_of(file, "/grid", "control"),
                             *end = result_data_of(file, "/grid", "t_end");
    const int N = model->time.n_intervals;
    if (!(at->traits & TRAIT_VALUES) || at->guess->is_shifted || !t || !t->d || t->n != N || !u || !u->d || !name
        || !name->text || u->n != (long long)N * name->n || !end || !end->d || end->n < 1)
        return;
    at->value = values_of(model, u, name);
    if (!at->value)
        return;
    const double stretch = samples->horizon / end->d[end->n - 1];
    samples->t_interval = mem_alloc((size_t)N + 1, sizeof *samples->t_interval);
    for (int i = 0; i < N; i++)
        samples->t_interval[i] = t->d[i] * stretch;
    samples->t_interval[N] = samples->horizon;
}

/* --- The sequence -------------------------------------------------------------------------------------------- */

/* The sequence of a trajectory from a file. Where it leads nowhere, the guess is not gone on with. */
static enum status discover_in_guess(struct discovery *at)
{
    struct finished *out = at->out;
    struct given given;
    struct finish one;
    const bool free_intervals = (at->traits & TRAIT_VALUES)
                                || at->task->discretization->control_grid == CONTROL_GRID_FREE;
    if (!given_read(out->sys, at->guess, free_intervals, &given))
        return STATUS_OK;
    take_values(at, given.found.samples);
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, 1);
    if (given.program.grid.scheme != task.grid.scheme || given.program.grid.stages != at->settings->stages
        || given.program.grid.elements < at->settings->elements)
        given.program.n_w = 0;                  /* another grid is asked for */
    discovery_begin(at, "the given solution");
    enum status st = given_solve(&task, &given, &out->solution.is_kept, &one, at->diag);
    out->solution.again = st == STATUS_OK && one.solved;
    if (out->solution.again) {
        discovery_note(at, &one);
        discovery_tell(at, &one);
        discovery_count(at, &one);
        out->record.n_start++;
        out->record.n_finished++;
        discovery_keep(at, &one);
    } else {
        finish_free(&one);
        if (st == STATUS_OK && !(at->task->once && candidate_is_near(at, &given.found)))
            st = candidate_solve(at, &(struct candidate){ .from = given.found, .repair = true });
    }
    out->solution.again = out->solution.again && pool_has_solution(&at->pool) && given_is_solution(at->guess);
    if (!pool_has_solution(&at->pool)) {
        at->guess = NULL;
        free(at->value);
        at->value = NULL;
    }
    given_free(&given);
    return st;
}

const struct generator by_given_guess = { .is = BY_GUESS, .run = discover_in_guess };
