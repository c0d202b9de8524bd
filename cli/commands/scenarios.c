#include "cli/commands/scenarios.h"

#include "cli/output_file.h"
#include "cli/outputs/line.h"
#include "cli/ticker.h"
#include "core/base/mem.h"
#include "transcription/ensemble/ensemble.h"
#include "transcription/ensemble/outcome.h"
#include "transcription/report/finished.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Their problems ------------------------------------------------------------------------------------------ */

/* "mu = 0.25" of parameters.mu, "x = 0.1" of states.x.initial. */
static const char *name_of(struct arena *mem, const struct scenarios *list, int k)
{
    const char *name = "";
    for (int i = 0; i < list->n_path; i++) {
        const char *word = strchr(list->path[i], '.') + 1;
        name = arena_printf(mem, "%s%s%.*s = %.4g", name, i ? ", " : "", (int)strcspn(word, "."), word,
                            list->value[k * list->n_path + i]);
    }
    return name;
}

static enum status read_one(const struct cli_args *args, struct scenario_problems *at, int k, struct diag *diag)
{
    const struct scenarios *list = &at->list;
    const int n = args->n_override;
    struct cli_args with = *args;
    struct spec_override *all = arena_alloc(&at->mem, (size_t)(n + list->n_path + 1), sizeof *all);
    if (n)
        memcpy(all, args->override, (size_t)n * sizeof *all);
    for (int i = 0; i < list->n_path; i++)
        all[n + i] = (struct spec_override){ list->path[i],
                                             arena_printf(&at->mem, "%.17g", list->value[k * list->n_path + i]) };
    all[n + list->n_path] = (struct spec_override){ "scenarios.number", "0" };
    with.override = all;
    with.n_override = n + list->n_path + 1;
    const enum status st = problem_read(&with, MODEL_FOR_SOLVE, &at->problem[k], diag);
    at->model[k] = at->problem[k].model;
    at->name[k] = name_of(&at->mem, list, k);
    return st;
}

enum status scenario_problems_read(const struct cli_args *args, struct problem *problem,
                                   struct scenario_problems *out, struct diag *diag)
{
    *out = (struct scenario_problems){ .problem = NULL };
    enum status st =
        scenarios_read(spec_root(problem->spec), problem->model, &problem->scenarios, &out->mem, &out->list, diag);
    const size_t n = st == STATUS_OK ? (size_t)out->list.n : 0;
    out->problem = arena_alloc(&out->mem, n, sizeof *out->problem);
    out->model = arena_alloc(&out->mem, n, sizeof *out->model);
    out->name = arena_alloc(&out->mem, n, sizeof *out->name);
    for (size_t k = 0; k < n && st == STATUS_OK; k++)
        st = read_one(args, out, (int)k, diag);
    return st;
}

void scenario_problems_free(struct scenario_problems *problems)
{
    for (int k = 0; k < problems->list.n; k++)
        problem_free(&problems->problem[k]);
    arena_free(&problems->mem);
}

/* --- What was found ------------------------------------------------------------------------------------------ */

static void tell(const struct scenario_problems *problems, const struct ensemble *found, bool worst, FILE *out)
{
    const bool solved = found->one[0].solution.best.solved;
    fprintf(out, "%s one plan for %d scenarios, %s of their objectives %.8g\n", solved ? "found:   " : "nearest to",
            found->n, worst ? "the largest" : "the mean", found->objective);
    for (int k = 0; k < found->n; k++) {
        const struct finish *one = &found->one[k].solution.best;
        fprintf(out, "          %-24s objective %-12.7g %d event%s, %s\n", problems->name[k], one->objective,
                one->ph->seq->n_event, one->ph->seq->n_event == 1 ? "" : "s",
                status_text(found->one[k].solution.status));
    }
    if (solved)
        fprintf(out, "exact:    every condition holds to %.1e, complementarity exactly\n", found->violation);
    if (found->status == STATUS_OK)
        fprintf(out,
                "verified: replays of all scenarios from event to event differ by %.1e at most in their states\n",
                found->error);
    else
        fprintf(out, "%s: %s\n", solved ? "not verified" : "not solved", found->reason);
}

static enum status write(const struct cli_args *args, struct problem *problem, struct scenario_problems *problems,
                         const struct ensemble *found, struct diag *diag)
{
    const bool worst = problem->scenarios.cost == SCENARIO_WORST;
    const struct output_origin whole = problem_origin(args, problem, NULL);
    struct output_origin *scenario = arena_alloc(&problems->mem, (size_t)found->n, sizeof *scenario);
    for (int k = 0; k < found->n; k++)
        scenario[k] = problem_origin(args, &problems->problem[k], NULL);
    struct result *result = ensemble_result(
        &(struct ensemble_origin){ &whole, scenario, &problems->list, &problem->solver, problem->output.points },
        found, worst);
    if (args->verbosity >= 0)
        tell(problems, found, worst, args->err);
    const enum status st = output_file_write(args, result, diag);
    if (st != STATUS_OK)
        return st;
    run_line_print(args->out, &(struct run_line){
        .status = found->status, .name = problem->model->name, .objective = found->objective,
        .infeasibility = found->violation, .error = found->error, .steps = found->n,
        .iterations = found->work.iterations, .seconds = found->seconds,
        .out_path = args->out_path }, args->json);
    return found->status;
}

/* Without a plan for all the one for the spec as written is saved, as what it is. */
static enum status write_nominal(const struct cli_args *args, struct problem *problem, struct ensemble *found,
                                 struct diag *diag)
{
    struct solution *nominal = &found->nominal.solution;
    const struct output_origin origin = problem_origin(args, problem, NULL);
    nominal->status = found->status;
    (void)snprintf(nominal->reason, sizeof nominal->reason, "the plan for the spec as written: there is none for all "
                   "scenarios");
    if (args->verbosity >= 0)
        fprintf(args->err, "not found: %s\nwhat is saved is the plan for the spec as written\n", found->reason);
    struct result *result = finished_result(&origin, &problem->solver, &found->nominal, problem->output.points);
    const enum status st = output_file_write(args, result, diag);
    if (st != STATUS_OK)
        return st;
    run_line_print(args->out, &(struct run_line){
        .status = found->status, .name = problem->model->name, .objective = nominal->best.objective,
        .infeasibility = nominal->best.violation, .error = nominal->replay.error, .steps = 0,
        .iterations = found->work.iterations, .seconds = found->seconds, .out_path = args->out_path }, args->json);
    return found->status;
}

/* Where the spec as written could not be finished, what its method came to is saved; it is no plan. */
static enum status hand_over(const struct cli_args *args, struct ensemble *ensemble, struct solve_result *found,
                             enum status st)
{
    *found = ensemble->nominal.record.discovery;
    memset(&ensemble->nominal.record.discovery, 0, sizeof ensemble->nominal.record.discovery);
    if (!found->tr || st != STATUS_OK)
        return st;
    if (args->verbosity >= 0)
        fprintf(
            args->err,
            "no plan: scenarios begin with a finished solution of the spec as written; its raw one is saved\n");
    return found->homotopy.status = STATUS_NUMERIC;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static enum status refuse(const struct problem *problem, const char *key, const char *why, struct diag *diag)
{
    const struct spec_node *block = spec_get(spec_root(problem->spec), key);
    return diag_error(diag, block ? block->pos : (struct srcpos){ NULL, 0, 0 }, key, "%s", why);
}

static enum status check_settings(const struct problem *problem, struct diag *diag)
{
    if (problem->finish.use != FINISH_ON)
        return refuse(problem, "finish", "a plan for several scenarios needs the finish: leave `finish: off` out, or write "
                      "scenarios: {number: 0}", diag);
    if (problem->sensitivity.use)
        return refuse(problem, "sensitivity", "there are none of a plan for several scenarios: --scenarios 0 has those "
                      "of the spec as written", diag);
    return STATUS_OK;
}

enum status scenarios_solve(const struct cli_args *args, struct problem *problem, const struct solve_task *task,
                            struct scenario_problems *problems, struct solve_result *found, struct diag *diag)
{
    const struct ensemble_task all = {
        .solve = *task, .finish = &problem->finish, .n = problems->list.n, .model = problems->model, .name = problems->name,
        .weight = problems->list.weight, .distance = problems->list.distance,
        .worst = problem->scenarios.cost == SCENARIO_WORST
    };
    struct ensemble ensemble = { .n = 0 };
    memset(found, 0, sizeof *found);
    enum status st = check_settings(problem, diag);
    if (st == STATUS_OK)
        st = ensemble_check(&all, diag);
    if (st == STATUS_OK)
        st = ensemble_solve(&all, &ensemble, diag);
    ticker_end(args->ticker);
    if (st == STATUS_OK && ensemble.is_plan)
        st = write(args, problem, problems, &ensemble, diag);
    else if (st == STATUS_OK && ensemble.nominal.solution.best.solved)
        st = write_nominal(args, problem, &ensemble, diag);
    else
        st = hand_over(args, &ensemble, found, st);
    ensemble_free(&ensemble);
    return st;
}
