#include "cli/commands.h"
#include "cli/commands/experiments.h"
#include "cli/commands/scenarios.h"
#include "cli/problem.h"
#include "cli/ticker.h"
#include "core/base/stop.h"
#include "core/model/check/surfaces.h"
#include "core/model/check/tables.h"
#include "transcription/method/method.h"
#include "transcription/program/check.h"
#include "transcription/proposals/landing.h"
#include "transcription/solve/solve.h"
#include "transcription/start/guess.h"
#include "transcription/system/create.h"

#include <math.h>
#include <string.h>

/* The grid of the problem, or one step of a simulation where the spec has no control intervals. */
static struct transcription_task make_task(const struct problem *problem)
{
    const struct model *model = problem->model;
    const bool optimize = model->time.n_intervals > 0;
    const double dead_band = problem->discretization.dead_band;
    return (struct transcription_task){
        .grid = {.n_interval = optimize ? model->time.n_intervals : 1, .elements = model->time.elements,
                 .horizon = model->time.horizon},
        .optimize = optimize,
        .end = optimize ? END_ON_GRID : END_OF_NUMERICAL_TIME,
        .dead_band = isfinite(dead_band) ? dead_band : 0,
    };
}

/* "dynamics of y", where it stands on the grid, and by what. */
static const char *entry_text(const struct mpcc *mpcc, const struct derivative_entry *entry, struct arena *mem)
{
    const bool is_row = entry->of == DERIVATIVE_OF_ROW;
    const struct mpcc_label *label = is_row ? &mpcc->row[entry->index] : &mpcc->var[entry->index];
    const char *by = entry->var < 0 ? "several variables" : mpcc->var[entry->var].name;
    const char *what = entry->of == DERIVATIVE_OF_COST ? "the cost"
                       : is_row                        ? label->name
                                                       : arena_printf(mem, "the Lagrangian by %s", label->name);
    const char *place = entry->of == DERIVATIVE_OF_COST || label->element < 0
                            ? "" : arena_printf(mem, ", element %d, stage %d,", label->element, label->stage);
    return arena_printf(mem, "%s%s by %s at %s = %.6g", what, place, by, entry->var < 0 ? "w" : by, entry->w);
}

/* Of what has no place of its own: the first cost, or where the spec begins. */
static struct srcpos entry_pos(const struct model *model, const struct mpcc *mpcc,
                               const struct derivative_entry *entry)
{
    const struct srcpos begin = spec_root(model->spec)->pos;
    const struct srcpos pos = entry->of == DERIVATIVE_OF_ROW    ? mpcc->row[entry->index].pos
                              : entry->of != DERIVATIVE_OF_COST ? mpcc->var[entry->index].pos
                              : model->costs.n_running                ? model->costs.running[0].pos
                              : model->costs.n_terminal               ? model->costs.terminal[0].pos
                                                                      : begin;
    return pos.line ? pos : begin;
}

static enum status check_derivatives(const struct model *model, const struct mpcc *mpcc,
                                     const struct derivative_check *check, struct diag *diag)
{
    const struct derivative_entry *worst = &check->worst;
    if (check->grad <= DERIVATIVE_TOL && check->jac <= DERIVATIVE_TOL && check->hess <= DERIVATIVE_TOL)
        return STATUS_OK;
    struct arena mem = { NULL };
    diag_add(diag, DIAG_ERROR, STATUS_NUMERIC, entry_pos(model, mpcc, worst), NULL, "derivative of %s is %.9g, central "
             "differences say %.9g (errors: gradient %.1e, Jacobian %.1e, Hessian %.1e)", entry_text(mpcc, worst, &mem),
             worst->exact, worst->difference, check->grad, check->jac, check->hess);
    arena_free(&mem);
    return STATUS_NUMERIC;
}

static const char *type_text(enum model_type type)
{
    switch (type) {
    case MODEL_ODE:        return "ode";
    case MODEL_MECHANICAL: return "mechanical";
    case MODEL_PIECEWISE:  return "piecewise";
    }
    return "";
}

/* What `solve` asks for beyond what every command does, and a spec for others may lack. */
static bool may_lack_for_solve(const struct problem *problem)
{
    const struct model *model = problem->model;
    return model->time.n_intervals == 0 || (isnan(model->time.horizon) && !model->time.horizon_free)
           || model->switching.n_machine > 0
           || problem_is_for_others(problem);
}

/* Control intervals and costs are what only a solve has a use for. */
static bool is_to_be_solved(const struct problem *problem)
{
    const struct model *model = problem->model;
    return !problem_is_for_others(problem)
           && (model->time.n_intervals > 0 || model->costs.n_running || model->costs.n_terminal);
}

/* Would `solve` refuse the spec? Of one that is to be solved that is a mistake, of one for another command it is
 * told: *why, in mem, else NULL. */
static enum status check_for_solve(const struct cli_args *args, const struct problem *problem, struct arena *mem,
                                   const char **why, struct diag *diag)
{
    struct problem again;
    struct diag *silent = diag_create();
    *why = NULL;
    if (!may_lack_for_solve(problem)) {
        diag_free(silent);
        return STATUS_OK;
    }
    const enum status st = problem_read(args, MODEL_FOR_SOLVE, &again, is_to_be_solved(problem) ? diag : silent);
    for (int k = 0; diag_line(silent, k) && !*why; k++)
        if (diag_level_of(silent, k) == DIAG_ERROR)
            *why = arena_printf(mem, "%s:%d:%d: %s", diag_pos(silent, k).file, diag_pos(silent, k).line, diag_pos(silent, k).col,
                                diag_text(silent, k));
    problem_free(&again);
    diag_free(silent);
    return is_to_be_solved(problem) ? st : STATUS_OK;
}

static int count_warnings(struct diag *diag)
{
    int n = 0;
    const char *line;
    for (int k = 0; (line = diag_line(diag, k)); k++)
        n += strstr(line, ": warning: ") != NULL;
    return n;
}

/* Phases are controls in the program alone. */
static void print_model(const struct cli_args *args, const struct model *model, struct diag *diag)
{
    const int n = count_warnings(diag),
              n_control = model->n_u - model->time.n_phase - model->time.n_steps + model->impulses.n_impulse;
    if (n)
        fprintf(args->out, "%s: %d warning%s\n", args->input[0], n, n == 1 ? "" : "s");
    else
        fprintf(args->out, "%s: no findings\n", args->input[0]);
    fprintf(args->out, "  model        %s, states %d, controls %d, contacts %d, constraints %d\n",
            type_text(model->dynamics.type), model->n_x, n_control, model->contacts.n_contact,
            model->constraints.n_constraint + model->constraints.n_impact);
}

static void print_program(enum method method, const struct model *model, const struct mpcc *mpcc,
                          const struct derivative_check *check, FILE *out)
{
    fprintf(out, "  program      %s, variables %d, constraints %d, pairs %d\n", method_name(method), mpcc->nlp.n_w,
            mpcc->nlp.n_g, mpcc->n_pair);
    if (check->finite)
        fprintf(out, "  derivatives  off central differences by %.1e (gradient), %.1e (Jacobian), %.1e (Hessian)\n",
                check->grad, check->jac, check->hess);
    else
        fprintf(out, "  derivatives  not compared everywhere: values near the guess are not finite\n");
    if (check->n_kink == 0)
        return;
    struct arena mem = { NULL };
    const struct srcpos pos = entry_pos(model, mpcc, &check->kink);
    fprintf(out, "  note         %d rows bend near the guess, so that coarse differences are off: %s (%s:%d)\n",
            check->n_kink, entry_text(mpcc, &check->kink, &mem), pos.file, pos.line);
    arena_free(&mem);
}

/* "x 4, ~v 0.5": ~ where bounds, ends and guess say nothing, so that it is found. */
static void print_size(FILE *out, const char *name, double known, const struct nlp *nlp, int var, bool *first)
{
    fprintf(out, "%s%s%s %.3g", *first ? "" : ", ", isnan(known) ? "~" : "", name, nlp->sizes->w[var]);
    *first = false;
}

/* With solver.scale: in units of what each variable, the rows and the cost are solved. */
static void print_sizes(const struct transcription *tr, FILE *out)
{
    const struct nlp *nlp = &tr->mpcc.nlp;
    const struct model *model = tr->model;
    double least = INFINITY, most = 0;
    bool first = true;
    if (!nlp->sizes)
        return;
    fputs("  scales       ", out);
    for (int i = 0; i < model->n_x; i++)
        print_size(out, model->x[i].name, model_var_size(&model->x[i]), nlp,
                   tr_y(tr, tr->n_element - 1, tr->n_point, i), &first);
    for (int k = 0; k < model->n_u; k++)
        print_size(out, model->u[k].name, model_var_size(&model->u[k]), nlp, tr->u[0] + k, &first);
    for (int k = 0; k < model->n_p; k++) {
        const struct model_param *param = &model->param[model->p_param[k]];
        print_size(out, param->name, model_param_size(param), nlp, tr->p + k, &first);
    }
    if (tr->T >= 0)
        print_size(out, "horizon", tr->task.grid.horizon, nlp, tr->T, &first);
    for (int i = 0; i < nlp->n_g; i++) {
        least = fmin(least, nlp->sizes->g[i]);
        most = fmax(most, nlp->sizes->g[i]);
    }
    fprintf(out, "; cost %.3g, rows %.3g to %.3g\n", nlp->sizes->f, least, most);
}

/* Where a control that jumps switches its method has no program, and a solve goes on
 * without it: that is warned of. */
static bool goes_without_method(const struct problem *problem, struct diag *diag)
{
    struct diag *silent = diag_create();
    struct dcs *dcs = NULL;
    const bool solves = problem->finish.use == FINISH_ON && problem->model->time.n_intervals > 0
                        && problem->discretization.method != METHOD_TIME_STEPPING;
    const bool goes = solves
                      && dcs_create(problem->model, &problem->discretization, false, &dcs, silent) == STATUS_OK
                      && dcs_check_controls(dcs, DIAG_WARNING, diag) != STATUS_OK;
    dcs_free(dcs);
    diag_free(silent);
    return goes;
}

static bool takes_steps(const struct model *model, const struct discretization *steps)
{
    struct diag *silent = diag_create();
    const bool takes = method_check(model, steps, silent) == STATUS_OK;
    diag_free(silent);
    return takes;
}

/* What the method makes of the problem at its guess, or fixed steps where a solve goes without it, and derivatives;
 * *tr NULL: there is no method. */
static enum status check_program(struct problem *problem, struct transcription **tr,
                                 struct derivative_check *derivatives, struct diag *diag)
{
    *tr = NULL;
    const bool has_time = problem->model->time.horizon_free || isfinite(problem->model->time.horizon);
    if ((enum method)problem->discretization.method == METHOD_AUTO || !has_time)
        return STATUS_OK;
    const struct transcription_task task = make_task(problem);
    struct discretization settings = problem->discretization;
    if (goes_without_method(problem, diag)) {
        settings.method = METHOD_TIME_STEPPING;
        if (!takes_steps(problem->model, &settings))
            return STATUS_OK;
    }
    enum status st = transcription_create(problem->model, &settings, &task, tr, diag);
    if (st != STATUS_OK)
        return st;
    struct guess *guess = guess_from_waypoints(problem->model);
    tr_apply_guess(*tr, guess, false);
    guess_free(guess);
    st = solve_check_start(*tr, diag);
    if (st != STATUS_OK)
        return st;
    *derivatives = derivative_check(&(*tr)->mpcc.nlp, (*tr)->mpcc.w0, 3, 1);
    return check_derivatives(problem->model, &(*tr)->mpcc, derivatives, diag);
}

/* The same of every scenario. */
static enum status check_scenarios(const struct cli_args *args, struct problem *problem, struct diag *diag)
{
    struct scenario_problems scenarios;
    enum status st = scenario_problems_read(args, problem, &scenarios, diag);
    for (int k = 0; k < scenarios.list.n && st == STATUS_OK; k++) {
        struct transcription *tr;
        struct derivative_check derivatives = { .finite = false };
        st = check_program(&scenarios.problem[k], &tr, &derivatives, diag);
        transcription_free(tr);
    }
    if (st == STATUS_OK && scenarios.list.n && args->verbosity >= 0)
        fprintf(args->out, "  scenarios    %d, from %s to %s\n", scenarios.list.n, scenarios.name[0],
               scenarios.name[scenarios.list.n - 1]);
    scenario_problems_free(&scenarios);
    return st;
}

/* Costs and constraints of contact forces are no method's, nor are machines: in the program of a landing. */
static enum status check_quantities(struct problem *problem, struct derivative_check *derivatives,
                                    struct diag *diag)
{
    struct phase_system *sys = NULL;
    struct finish landing;
    enum status st = landing_build(problem->model, &sys, &landing, diag);
    if (st == STATUS_OK) {
        *derivatives = derivative_check(&landing.ph->mpcc.nlp, landing.ph->mpcc.w0, 3, 1);
        st = check_derivatives(problem->model, &landing.ph->mpcc, derivatives, diag);
    }
    finish_free(&landing);
    phase_system_free(sys);
    return st;
}

/* Checks the program, if there is a method, else the model alone; then the scenarios. */
static enum status check(const struct cli_args *args, struct problem *problem, struct diag *diag)
{
    struct transcription *tr = NULL;
    const bool has_quantities = (model_asks_of_forces(problem->model) || problem->model->switching.n_machine
                                 || model_first_own_pair(problem->model)) && problem->model->time.n_intervals > 0;
    struct derivative_check derivatives = { .finite = false }, landing = { .finite = false };
    struct arena mem = { NULL };
    const char *why;                            /* solve refuses it */
    model_check_ends(problem->model, diag);
    model_check_tables(problem->model, diag);
    enum status st = check_for_solve(args, problem, &mem, &why, diag);
    if (st == STATUS_OK)
        st = experiments_check(args, problem->model, diag);
    if (st == STATUS_OK)
        st = check_program(problem, &tr, &derivatives, diag);
    if (st == STATUS_OK && has_quantities)
        st = check_quantities(problem, &landing, diag);
    ticker_end(args->ticker);
    if (st == STATUS_OK && stop_asked())
        st = diag_fail(diag, stop_status(), "stopped before all was checked");
    if (st == STATUS_OK && args->verbosity >= 0) {
        print_model(args, problem->model, diag);
        if (tr)
            print_program((enum method)tr->settings->method, problem->model, &tr->mpcc, &derivatives, args->out);
        if (tr)
            print_sizes(tr, args->out);
        if (has_quantities)
            fprintf(args->out,
                    "  %s: off central differences by %.1e (gradient), %.1e (Jacobian), %.1e (Hessian)\n",
                    problem->model->switching.n_machine ? "machines     with all transitions"
                                                        : "contacts     of a landing",
                    landing.grad, landing.jac, landing.hess);
        if (why)
            fprintf(args->out, "  solve        refuses this spec: %s\n", why);
    }
    arena_free(&mem);
    transcription_free(tr);
    return st == STATUS_OK ? check_scenarios(args, problem, diag) : st;
}

enum status cmd_check(const struct cli_args *args, struct diag *diag)
{
    struct problem problem;
    enum status st = problem_read(args, MODEL_FOR_CHECK, &problem, diag);
    if (st == STATUS_OK && args->resolved)
        fputs(problem_resolved(&problem), args->out);
    else if (st == STATUS_OK)
        st = check(args, &problem, diag);
    problem_free(&problem);
    return st;
}
