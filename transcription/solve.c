#include "transcription/solve.h"

#include "core/base/mem.h"
#include "core/mpcc/report.h"
#include "transcription/presolve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BAND 1e-3             /* m; homotopy.md 1.1 */
#define LARGEST_BAND 1e-2
#define BAND_SHRINK 0.4
#define PRESOLVE_STEPS 4            /* time steps per control interval */
#define PRESOLVED_SIGMA 1e-2        /* where a presolved homotopy starts */
#define TIGHTEN_SIGMA 1e-3         /* where jumps are made strict */
#define PRESOLVE_LOST 1e-3          /* violation after its first step that says the presolve did not carry */

struct attempt {
    const char *what;               /* for the user */
    int extra_elements;             /* per interval */
    double dead_band;
    double slope;                   /* NAN: default */
    int aggregation;                /* -1: the spec's */
    bool presolved, guided;
    bool warm;                      /* from a given trajectory: late in the homotopy */
    bool strict;                    /* jumps strict from the first step on; else once the rest is solved */
    unsigned seed;                  /* 0: no perturbation */
};

struct solver {
    const struct solve_task *task;
    struct solve_result *out;
    struct diag *diag;
    double start;
    bool banded;                    /* the gap is curved and the spec leaves the dead band to us */
    struct transcription *coarse;   /* time-stepping presolve, once made */
    struct homotopy_result coarse_result;
    bool coarse_failed;
    /* the attempt that was just made */
    struct transcription *tr;
    struct homotopy_result result;
};

/* --- Settings of one attempt --------------------------------------------------------------------------------- */

static void note(const struct solver *solver, const char *text)
{
    if (solver->task->hooks.note)
        solver->task->hooks.note(solver->task->hooks.user, text);
}

static double seconds_left(const struct solver *solver)
{
    return solver->task->max_seconds - (nlp_wall_time() - solver->start);
}

static bool must_stop(const struct solver *solver)
{
    return (solver->task->interrupt && *solver->task->interrupt) || seconds_left(solver) <= 0;
}

static struct homotopy_run make_run(const struct solver *solver)
{
    const struct solve_task *task = solver->task;
    struct homotopy_run run;
    homotopy_run_init(&run);
    run.max_seconds = seconds_left(solver);
    run.interrupt = task->interrupt;
    run.progress = task->hooks.step;
    run.monitor = task->hooks.iteration;
    run.user = task->hooks.user;
    run.n_option = task->solver->n_option;
    run.option = task->solver->option;
    run.print_level = task->print_level;
    return run;
}

/* Runs the homotopy and books its steps; replaces *result. */
static enum status run_homotopy(struct solver *solver, const struct mpcc *mpcc, const struct homotopy_settings *settings,
                                const struct homotopy_run *run, struct homotopy_result *result)
{
    homotopy_result_free(result);
    const enum status st = homotopy_solve(mpcc, settings, run, result, solver->diag);
    struct solve_result *out = solver->out;
    out->step = mem_resize(out->step, (size_t)(out->n_step + result->n_step), sizeof *out->step);
    for (int k = 0; k < result->n_step; k++)
        out->step[out->n_step++] = (struct solve_step){ result->step[k], out->n_attempt };
    out->iterations += result->iterations;
    out->eval_seconds += result->eval_seconds;
    return st;
}

static enum status create_transcription(struct solver *solver, const struct discretization *settings, const int *elements,
                                        double dead_band, struct transcription **out)
{
    const struct model *model = solver->task->model;
    const struct transcription_task task = {
        .grid = { model->n_intervals, elements, model->horizon }, .optimize = true, .end = END_ON_GRID,
        .dead_band = dead_band
    };
    const enum status st = transcription_create(solver->task->model, settings, &task, out, solver->diag);
    if (st == STATUS_OK) {
        struct guess *own = solver->task->guess ? NULL : guess_from_waypoints(model);
        tr_apply_guess(*out, own ? own : solver->task->guess, solver->task->guess != NULL);
        guess_free(own);
    }
    return st;
}

/* --- Led to the goal: homotopy.md 5 -------------------------------------------------------------------------- */

/* Takes away (or gives back, from `saved`) the user's constraints. */
static void free_rows(struct transcription *tr, int first, int end, double *saved, bool give_back)
{
    for (int row = first; row < end; row++) {
        double *lb = &saved[2 * (row - first)], *ub = lb + 1;
        if (give_back) {
            program_set_row_bounds(tr->prog, row, *lb, *ub);
            continue;
        }
        *lb = tr->mpcc.nlp.lbg[row];
        *ub = tr->mpcc.nlp.ubg[row];
        program_set_row_bounds(tr->prog, row, -INFINITY, INFINITY);
    }
}

static void free_goal(struct transcription *tr, bool give_back)
{
    for (int i = 0; i < tr->model->n_x; i++) {
        const struct model_end *final = &tr->model->x[i].final;
        if (tr->final_row[i] >= 0)
            program_set_row_bounds(tr->prog, tr->final_row[i], give_back ? final->lo : -INFINITY,
                                   give_back ? final->hi : INFINITY);
    }
}

static void go_on_from(struct transcription *tr, const struct homotopy_result *result)
{
    memcpy(program_guess(tr->prog), result->w, (size_t)program_n_var(tr->prog) * sizeof(double));
}

/* Stages a, b, c of homotopy.md 5: without constraints along the guide; with them, the goal still soft; all hard. What
 * the last stage leaves is the guess of the true problem. */
static enum status lead_to_goal(struct solver *solver, struct transcription *tr, struct homotopy_result *result)
{
    static const struct { double from, to, slope, cost, guide; bool constraints, goal; const char *what; } stage[] = {
        { 1, 0.027, 0.3, 0.01, 1, false, false, "led to the goal, without constraints" },
        { 0.1, 2.7e-3, 0.3, 0.01, 1, true, false, "led to the goal, with constraints" },
        { 2.7e-3, 1e-4, 0.5, 0.02, 0.3, true, true, "led to the goal, which now has to be met" },
    };
    const int n_row = tr->end_constraint - tr->first_constraint;
    double *saved = mem_alloc(2 * (size_t)n_row, sizeof *saved);
    enum status st = STATUS_OK;
    free_rows(tr, tr->first_constraint, tr->end_constraint, saved, false);
    free_goal(tr, false);
    for (size_t k = 0; k < sizeof stage / sizeof *stage && !must_stop(solver); k++) {
        struct homotopy_run run = make_run(solver);
        run.is_stage = true;
        run.sigma_start = stage[k].from;
        run.sigma_stop = stage[k].to;
        run.slope = stage[k].slope;
        if (stage[k].constraints)
            free_rows(tr, tr->first_constraint, tr->end_constraint, saved, true);
        if (stage[k].goal)
            free_goal(tr, true);
        program_set_weights(tr->prog, (struct program_weights){ stage[k].cost, 1, stage[k].guide });
        note(solver, stage[k].what);
        st = run_homotopy(solver, &tr->mpcc, solver->task->homotopy, &run, result);
        go_on_from(tr, result);
    }
    free_rows(tr, tr->first_constraint, tr->end_constraint, saved, true);
    free_goal(tr, true);
    program_set_weights(tr->prog, (struct program_weights){ 1, 1, 0 });
    free(saved);
    return st;
}

/* --- Presolve ------------------------------------------------------------------------------------------------ */

/* A time-stepping solution of the same problem, made once. */
static bool presolve(struct solver *solver)
{
    if (solver->coarse)
        return true;
    if (solver->coarse_failed)
        return false;
    const struct model *model = solver->task->model;
    struct discretization settings = *solver->task->discretization;
    settings.method = METHOD_TIME_STEPPING;
    int *elements = mem_alloc((size_t)model->n_intervals, sizeof *elements);
    for (int i = 0; i < model->n_intervals; i++)
        elements[i] = PRESOLVE_STEPS;
    struct transcription *tr = NULL;
    struct homotopy_settings homotopy = *solver->task->homotopy;
    homotopy.sigma.n = 0;
    homotopy.sigma_0 = NAN;
    homotopy.sigma_N = 1e-5;
    struct homotopy_run run = make_run(solver);
    note(solver, "presolve by time-stepping");
    enum status st = create_transcription(solver, &settings, elements, 0, &tr);
    free(elements);
    if (st == STATUS_OK)
        run_homotopy(solver, &tr->mpcc, &homotopy, &run, &solver->coarse_result);
    const struct homotopy_result *result = &solver->coarse_result;
    if (st != STATUS_OK || result->violation > 1e-5 || result->complementarity > 1e-2) {
        solver->coarse_failed = true;
        transcription_free(tr);
        return false;
    }
    solver->coarse = tr;
    return true;
}

/* The first step of a presolved homotopy; false if the presolve did not carry. */
static bool try_presolved(struct solver *solver)
{
    enum { FEW_ITERATIONS = 250 };
    struct transcription *tr = solver->tr;
    tr_apply_presolve(tr, solver->coarse, solver->coarse_result.w);
    struct homotopy_run run = make_run(solver);
    run.is_stage = true;
    run.sigma_start = run.sigma_stop = PRESOLVED_SIGMA;
    run.recipe.push_first = run.recipe.push = 1e-3;
    run.recipe.max_iter = FEW_ITERATIONS;
    run_homotopy(solver, &tr->mpcc, solver->task->homotopy, &run, &solver->result);
    go_on_from(tr, &solver->result);
    return solver->result.violation < PRESOLVE_LOST;
}

/* --- One attempt --------------------------------------------------------------------------------------------- */

static enum status build_attempt(struct solver *solver, const struct attempt *attempt)
{
    const struct model *model = solver->task->model;
    struct discretization settings = *solver->task->discretization;
    if (attempt->aggregation >= 0)
        settings.aggregation = attempt->aggregation;
    int *elements = mem_alloc((size_t)model->n_intervals, sizeof *elements);
    for (int i = 0; i < model->n_intervals; i++)
        elements[i] = model->elements[i] + attempt->extra_elements;
    transcription_free(solver->tr);
    const enum status st = create_transcription(solver, &settings, elements, attempt->dead_band, &solver->tr);
    free(elements);
    return st;
}

/* Solves again from a loose solution with time frozen in all jumps. A loose solution is kept if that fails: its
 * impacts may take a little time. */
static void tighten_jumps(struct solver *solver)
{
    struct transcription *tr = solver->tr;
    struct homotopy_result loose = solver->result;
    struct homotopy_run run = make_run(solver);
    memset(&solver->result, 0, sizeof solver->result);
    tr_set_strict_jumps(tr, true);
    run.w0 = loose.w;
    run.sigma_start = TIGHTEN_SIGMA;
    run.recipe.push_first = run.recipe.push;
    run.max_seconds = fmin(run.max_seconds, 0.5 * (nlp_wall_time() - solver->start));     /* not at any price */
    note(solver, "time frozen in all jumps");
    run_homotopy(solver, &tr->mpcc, solver->task->homotopy, &run, &solver->result);
    if (solver->result.status == STATUS_OK || loose.status != STATUS_OK) {
        homotopy_result_free(&loose);
        return;
    }
    homotopy_result_free(&solver->result);
    solver->result = loose;
    tr_set_strict_jumps(tr, false);
}

/* Makes the attempt; solver->tr and solver->result are what came of it. */
static enum status make_attempt(struct solver *solver, const struct attempt *attempt)
{
    enum status st = build_attempt(solver, attempt);
    if (st != STATUS_OK)
        return st;
    struct transcription *tr = solver->tr;
    struct homotopy_run run = make_run(solver);
    if (!isnan(attempt->slope) && isnan(solver->task->homotopy->update_slope))
        run.slope = attempt->slope;
    note(solver, attempt->what);
    tr_set_strict_jumps(tr, attempt->strict);
    if (attempt->seed)
        tr_perturb_guess(tr, attempt->seed + (unsigned)solver->task->homotopy->seed, 0.05);
    if (attempt->presolved) {
        if (!try_presolved(solver))
            return solver->result.status == STATUS_OK ? STATUS_INFEASIBLE : solver->result.status;
        run.sigma_start = 0.3 * PRESOLVED_SIGMA;
        run.recipe.push_first = run.recipe.push = 1e-3;
    }
    if (attempt->warm) {
        run.sigma_start = PRESOLVED_SIGMA;
        run.recipe.push_first = run.recipe.push = 1e-3;
    }
    if (attempt->guided) {
        st = lead_to_goal(solver, tr, &solver->result);
        if (st == STATUS_USAGE || must_stop(solver))
            return st;
        run.sigma_start = 1e-4;
        run.slope = 0.5;
        run.recipe.push_first = run.recipe.push;
    }
    st = run_homotopy(solver, &tr->mpcc, solver->task->homotopy, &run, &solver->result);
    if (st != STATUS_OK || attempt->strict || tr->n_jump == 0 || must_stop(solver))
        return st;
    tighten_jumps(solver);
    return solver->result.status;
}

/* Keeps the attempt if it is the best so far; solver->tr and result are handed over. */
static void keep_if_best(struct solver *solver, const struct attempt *attempt)
{
    struct solve_result *out = solver->out;
    if (!out->tr || homotopy_result_better(&solver->result, &out->homotopy)) {
        transcription_free(out->tr);
        homotopy_result_free(&out->homotopy);
        out->tr = solver->tr;
        out->homotopy = solver->result;
        out->attempt = out->n_attempt;
        out->how = attempt->what;
        out->strict_jumps = solver->tr->n_jump > 0 && program_ub(solver->tr->prog, solver->tr->jump_var[0]) > 0;
        out->dead_band = solver->tr->dcs->n_band ? attempt->dead_band : 0;
        solver->tr = NULL;
        memset(&solver->result, 0, sizeof solver->result);
    }
    out->n_attempt++;
}

/* An attempt from start to booking. Returns true when it solved the problem. */
static bool attempt_solves(struct solver *solver, const struct attempt *attempt, enum status *st)
{
    *st = make_attempt(solver, attempt);
    if (*st == STATUS_SPEC || *st == STATUS_USAGE || !solver->result.w)
        return false;
    const bool solved = *st == STATUS_OK && solver->result.status == STATUS_OK;
    keep_if_best(solver, attempt);
    return solved;
}

/* --- Dead band ----------------------------------------------------------------------------------------------- */

/* Solves again with smaller and smaller dead bands from the solution, as long as that works (homotopy.md 1.1). */
static void shrink_band(struct solver *solver, struct attempt attempt)
{
    enum { MAX_SHRINKS = 3 };
    struct solve_result *out = solver->out;
    attempt.what = "smaller dead band";
    attempt.presolved = attempt.guided = false;
    for (int k = 0; k < MAX_SHRINKS && !must_stop(solver); k++) {
        attempt.dead_band *= BAND_SHRINK;
        if (attempt.dead_band < 0.5 * FIRST_BAND || build_attempt(solver, &attempt) != STATUS_OK)
            return;
        struct homotopy_run run = make_run(solver);
        tr_set_strict_jumps(solver->tr, out->strict_jumps);
        run.w0 = out->homotopy.w;
        run.max_seconds = fmin(run.max_seconds, 0.5 * (nlp_wall_time() - solver->start));
        run.sigma_start = 1e-3;
        run.recipe.push_first = run.recipe.push;
        note(solver, attempt.what);
        run_homotopy(solver, &solver->tr->mpcc, solver->task->homotopy, &run, &solver->result);
        if (solver->result.status != STATUS_OK)
            return;
        homotopy_result_free(&out->homotopy);                   /* a smaller band wins whatever the objective */
        transcription_free(out->tr);
        out->tr = NULL;
        keep_if_best(solver, &attempt);
    }
}

static double largest_shift(const struct solve_result *out)
{
    const struct transcription *tr = out->tr;
    double most = 0;
    for (int b = 0; b < tr->dcs->n_band; b++)
        for (int e = 0; e < tr->n_element; e++)
            for (int k = 1; k <= tr->n_point; k++)
                most = fmax(most, fabs(out->homotopy.w[tr_lam(tr, e, k) + tr->dcs->band[b]]));
    return most;
}

/* --- The ladder ---------------------------------------------------------------------------------------------- */

/* What stands in the way of the last attempt that failed. */
static bool worst_row_is(const struct solve_result *out, const char *word)
{
    struct report_item item[4];
    const int n = report_worst(&out->tr->mpcc, out->homotopy.w_last ? out->homotopy.w_last : out->homotopy.w, 1e-6,
                               INFINITY, 4, item);
    for (int k = 0; k < n && k < 2; k++)
        if (strstr(item[k].label->name, word))
            return true;
    return false;
}

static bool has_goal(const struct solver *solver)
{
    const struct model *model = solver->task->model;
    for (int i = 0; i < model->n_x; i++)
        if (model->x[i].final.kind == END_FIXED && model->x[i].initial.kind == END_FIXED)
            return true;
    return false;
}

/* A goal to be reached through path constraints, by contacts: the direct way has never worked (homotopy.md 5). */
static bool is_obstacle_course(const struct solver *solver)
{
    const struct model *model = solver->task->model;
    bool path = false;
    for (int k = 0; k < model->n_constraint; k++)
        path = path || (model->constraint[k].at & (AT_STAGES | AT_ELEMENTS | AT_INTERVALS)) != 0;
    return path && has_goal(solver) && solver->task->discretization->method == METHOD_TIME_FREEZING && !solver->task->guess;
}

/* The rungs, in order; `next` is where to go on. Returns false past the last. */
static bool next_rung(const struct solver *solver, const struct attempt *base, int *next, struct attempt *rung)
{
    for (;; ++*next) {
        *rung = *base;
        rung->presolved = rung->guided = rung->warm = rung->strict = false;
        rung->extra_elements = 0;
        switch (*next) {
        case 0:
            rung->what = "from the guess";
            rung->slope = 0.5;
            if (solver->banded)
                rung->dead_band = 5 * base->dead_band;
            if (base->presolved || base->guided || base->warm)
                return ++*next, true;
            break;
        case 1:
            rung->what = "one more element per interval";
            rung->extra_elements = 1;
            rung->presolved = rung->strict = base->presolved;
            if (solver->out->tr->dcs->freezes && worst_row_is(solver->out, "clock"))
                return ++*next, true;
            break;
        case 2:
            rung->what = "larger dead band";
            rung->slope = 0.5;
            rung->dead_band = LARGEST_BAND;
            if (solver->banded)
                return ++*next, true;
            break;
        case 3:
            rung->what = "led to the goal first";
            rung->guided = true;
            if (solver->banded)
                rung->dead_band = LARGEST_BAND;
            if (has_goal(solver) && !base->guided)
                return ++*next, true;
            break;
        case 4:
            rung->what = "slower homotopy";
            rung->slope = 0.5;
            return ++*next, true;
        case 5:
            rung->what = "other aggregation";
            rung->aggregation = solver->task->discretization->aggregation == AGGREGATE_FE_FE ? AGGREGATE_STAGE_FE
                                                                                              : AGGREGATE_FE_FE;
            if (solver->out->tr->switching)
                return ++*next, true;
            break;
        case 6: case 7:
            rung->what = "perturbed guess";
            rung->seed = (unsigned)*next;
            rung->dead_band = fmin(5 * base->dead_band, LARGEST_BAND);
            if (isnan(solver->task->homotopy->restarts))
                return ++*next, true;
            break;
        default:
            return false;
        }
    }
}

static enum status climb(struct solver *solver, const struct attempt *base)
{
    struct attempt rung = *base;
    enum status st;
    bool solved = attempt_solves(solver, base, &st);
    if (!solver->out->tr)
        return st;
    for (int next = 0; !solved && !must_stop(solver) && next_rung(solver, base, &next, &rung);)
        solved = attempt_solves(solver, &rung, &st);
    if (solved && solver->banded && rung.dead_band > FIRST_BAND)
        shrink_band(solver, rung);
    return solver->out->homotopy.status;
}

/* The starts that `homotopy.restarts` asks for, each from another perturbed guess. */
static void restart(struct solver *solver, const struct attempt *base)
{
    const double n = solver->task->homotopy->restarts;
    for (int k = 0; k < n && !must_stop(solver); k++) {
        struct attempt again = *base;
        enum status st;
        again.what = "restart from a perturbed guess";
        again.seed = (unsigned)(100 + k);
        again.presolved = again.strict = false;
        attempt_solves(solver, &again, &st);
    }
}

static bool wants_band(const struct solver *solver)
{
    const struct model *model = solver->task->model;
    bool curved = false;
    for (int c = 0; c < model->n_contact; c++)
        curved = curved || (!model->contact[c].gap_is_linear && model->contact[c].e <= 0);
    return curved && solver->task->discretization->method == METHOD_TIME_FREEZING;
}

/* Does the spec leave it to us where the homotopy starts? */
static bool start_is_ours(const struct solve_task *task)
{
    return isnan(task->homotopy->sigma_0) && task->homotopy->sigma.n == 0;
}

/* The attempt to begin with: what the problem and the spec make the best start. */
static struct attempt first_attempt(struct solver *solver)
{
    const struct solve_task *task = solver->task;
    const double band = task->discretization->dead_band;
    struct attempt first = { .what = "from the guess", .slope = NAN, .aggregation = -1 };
    first.dead_band = solver->banded ? FIRST_BAND : isnan(band) ? 0 : band;
    if (task->guess) {
        first.what = "from the given trajectory";
        first.warm = start_is_ours(task);
    } else if (is_obstacle_course(solver)) {
        first.what = "led to the goal first";
        first.guided = true;
        first.extra_elements = 1;
        first.dead_band *= solver->banded ? 5 : 1;
    } else if (task->homotopy->presolve != PRESOLVE_NONE && start_is_ours(task)
               && presolve_fits(task->model, task->discretization) && presolve(solver)) {
        first.what = "from the presolve";
        first.presolved = first.strict = true;
    }
    return first;
}

/* Builds the problem once and looks at its start, before anything is solved. */
static enum status preflight(struct solver *solver)
{
    const struct attempt plain = { .what = "", .slope = NAN, .aggregation = -1 };
    const enum status st = build_attempt(solver, &plain);
    return st == STATUS_OK ? solve_check_start(solver->tr, solver->diag) : st;
}

enum status solve_ocp(const struct solve_task *task, struct solve_result *out, struct diag *diag)
{
    memset(out, 0, sizeof *out);
    struct solver solver = { .task = task, .out = out, .diag = diag, .start = nlp_wall_time() };
    solver.banded = isnan(task->discretization->dead_band) && wants_band(&solver);
    enum status st = preflight(&solver);
    if (st == STATUS_OK) {
        const struct attempt first = first_attempt(&solver);
        st = climb(&solver, &first);
        if (out->tr)
            restart(&solver, &first);
    }
    if (out->tr) {
        out->largest_shift = largest_shift(out);
        st = out->homotopy.status;
    }
    out->seconds = nlp_wall_time() - solver.start;
    transcription_free(solver.tr);
    homotopy_result_free(&solver.result);
    transcription_free(solver.coarse);
    homotopy_result_free(&solver.coarse_result);
    return st;
}

void solve_result_free(struct solve_result *result)
{
    transcription_free(result->tr);
    homotopy_result_free(&result->homotopy);
    free(result->step);
}

/* --- Pre-flight ---------------------------------------------------------------------------------------------- */

static enum status check_gaps(const struct transcription *tr, struct diag *diag)
{
    const double penetration = -1e-8;           /* m; interface.md, "States and controls" */
    const struct model *model = tr->model;
    const double *w0 = tr->mpcc.w0;
    enum status st = STATUS_OK;
    if (tr->sel0 >= 0)
        return st;                              /* the start is free: a constraint sees to it */
    double *p = mem_alloc((size_t)model->n_p, sizeof *p);
    model_p_guess(model, p);
    for (int c = 0; c < model->n_contact; c++) {
        expr gap = model->contact[c].gap;
        for (int k = 0; k < model->n_p; k++) {
            const expr value = expr_const(model->graph, p[k]);
            expr_substitute(model->graph, 1, &gap, 1, &model->p_sym[k], &value, &gap);
        }
        const double at_start = expr_eval(model->graph, gap, model->n_x, model->x_sym, &w0[tr->y0]);
        if (at_start < penetration)
            st = diag_error(diag, model->contact[c].pos, model->contact[c].path, "the gap at the start is %g; it may not "
                            "be negative", at_start);
    }
    free(p);
    return st;
}

enum status solve_check_start(struct transcription *tr, struct diag *diag)
{
    enum status st = check_gaps(tr, diag);
    struct mpcc_label label;
    struct srcpos pos;
    char text[400];
    if (program_trace(tr->prog, tr->mpcc.w0, &label, &pos, text, sizeof text))
        st = diag_error(diag, pos.line ? pos : label.pos, label.path, "%s at the guess: %s", label.name, text);
    return st;
}
