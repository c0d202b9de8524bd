#include "transcription/solve/attempt.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "transcription/discretize/parts.h"
#include "transcription/method/method.h"
#include "transcription/solve/recipe.h"
#include "transcription/start/perturb.h"
#include "transcription/start/presolve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Settings of one attempt --------------------------------------------------------------------------------- */

bool attempt_must_stop(const struct solver *solver)
{
    return solve_must_stop(solver->task, solver->start);
}

/* What the next steps are made for, to the user and to /homotopy. */
static void say(struct solver *solver, const char *what)
{
    solver->what = what;
    solve_note(solver->task, what);
}

static void say_attempt(struct solver *solver, const char *what)
{
    solver->what = what;
    if (solver->most)
        solve_headline(solver->task, "attempt %d of at most %d: %s", solver->out->n_attempt + 1, solver->most,
                       what);
    else
        solve_note(solver->task, what);
}

static struct homotopy_run make_run(const struct solver *solver)
{
    const struct solve_task *task = solver->task;
    struct homotopy_run run;
    homotopy_run_init(&run);
    run.max_seconds = solve_seconds_left(solver->task, solver->start);
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
static enum status run_homotopy(struct solver *solver, const struct mpcc *mpcc,
                                const struct homotopy_settings *settings, const struct homotopy_run *run,
                                struct homotopy_result *result)
{
    homotopy_result_free(result);
    const enum status st = homotopy_solve(mpcc, settings, run, result, solver->diag);
    struct solve_result *out = solver->out;
    out->step = mem_grow(out->step, out->n_step, result->n_step, sizeof *out->step);
    for (int k = 0; k < result->n_step; k++)
        out->step[out->n_step++] = (struct solve_step){ result->step[k], out->n_attempt, solver->what };
    out->iterations += result->iterations;
    out->eval_seconds += result->eval_seconds;
    nlp_add_linear_work(&out->linear, &result->linear);
    return st;
}

/* Starts later than the recipe says, and nearer to the bounds. */
static void start_at(struct homotopy_run *run, double sigma, double push)
{
    run->sigma_start = sigma;
    run->recipe.push_first = run->recipe.push = push;
}

/* At its guess: the attempt's program, or the steps of its presolve. */
static enum status create_transcription(struct solver *solver, const struct discretization *settings,
                                        const struct attempt *attempt, bool in_steps, struct transcription **out,
                                        struct diag *diag)
{
    struct model *model = solver->task->model;
    int *elements = mem_alloc((size_t)model->time.n_intervals, sizeof *elements);
    for (int i = 0; i < model->time.n_intervals; i++)
        elements[i] = in_steps && attempt->presolve_steps ? attempt->presolve_steps
                                                          : model->time.elements[i]
                                                          + (in_steps ? 0 : attempt->extra_elements);
    const struct transcription_task task = {
        .grid = { model->time.n_intervals, elements, model->time.horizon }, .optimize = true, .end = END_ON_GRID,
        .dead_band = in_steps ? 0 : attempt->dead_band, .gap_tol = in_steps ? attempt->gap_tol : 0
    };
    const enum status st = transcription_create(model, settings, &task, out, diag);
    if (st == STATUS_OK) {
        struct guess *own = solver->guess ? NULL : guess_from_waypoints(model);
        tr_apply_guess(*out, own ? own : solver->guess, solver->guess != NULL);
        guess_free(own);
    }
    free(elements);
    return st;
}

/* --- Led to the goal: attempts.md 3 -------------------------------------------------------------------------- */

struct row_bounds { double *lb, *ub; };     /* [n_row] */

/* Frees the rows [first, end), or gives them their own bounds back. */
static void bound_rows(struct transcription *tr, int first, int end, const struct row_bounds *own)
{
    for (int row = first; row < end; row++)
        program_set_row_bounds(tr->prog, row, own ? own->lb[row] : -INFINITY, own ? own->ub[row] : INFINITY);
}

static void go_on_from(struct transcription *tr, const struct homotopy_result *result)
{
    memcpy(program_guess(tr->prog), result->w, (size_t)program_n_var(tr->prog) * sizeof(double));
}

/* Stages a, b, c of attempts.md 3: without constraints along the guide; with them, the goal still soft; all hard.
 * What the last stage leaves is the guess of the true problem. */
static enum status lead_to_goal(struct solver *solver, struct transcription *tr, struct homotopy_result *result)
{
    const struct nlp *nlp = &tr->mpcc.nlp;
    const size_t n_row = (size_t)nlp->n_g;
    struct arena mem = { 0 };
    const struct row_bounds own = { arena_copy(&mem, nlp->lbg, n_row, sizeof(double)),
                                    arena_copy(&mem, nlp->ubg, n_row, sizeof(double)) };
    enum status st = STATUS_OK;
    bound_rows(tr, tr->rows.first_constraint, tr->rows.end_constraint, NULL);
    bound_rows(tr, tr->rows.first_goal, tr->rows.end_goal, NULL);
    for (int k = 0; k < N_GUIDE_STAGES && !attempt_must_stop(solver); k++) {
        const struct guide_stage *stage = &guide_stages[k];
        struct homotopy_run run = make_run(solver);
        run.is_stage = true;
        run.sigma_start = stage->from;
        run.sigma_stop = stage->to;
        run.slope = stage->slope;
        if (stage->constraints)
            bound_rows(tr, tr->rows.first_constraint, tr->rows.end_constraint, &own);
        if (stage->goal)
            bound_rows(tr, tr->rows.first_goal, tr->rows.end_goal, &own);
        program_set_weights(tr->prog, (struct program_weights){ stage->cost, 1, stage->guide });
        say(solver, stage->what);
        st = run_homotopy(solver, &tr->mpcc, solver->task->homotopy, &run, result);
        go_on_from(tr, result);
        if (result->violation > STAGE_LOST)
            break;
    }
    bound_rows(tr, tr->rows.first_constraint, tr->rows.end_constraint, &own);
    bound_rows(tr, tr->rows.first_goal, tr->rows.end_goal, &own);
    program_set_weights(tr->prog, (struct program_weights){ 1, 1, 0 });
    arena_free(&mem);
    return st;
}

/* --- Presolve ------------------------------------------------------------------------------------------------ */

/* In space a pyramid, whose pairs are linear: steps with the cone take many times as long. It has no third
 * component. What starts the method of the spec has the cone, unless that is another one: it leads a point mass
 * to 72.64 where the pyramid leads it to 89.79. */
static enum friction_form friction_of_steps(const struct solve_task *task, bool pyramid)
{
    bool fits = pyramid;
    for (int c = 0; c < task->model->contacts.n_contact; c++)
        fits = fits && task->model->contacts.contact[c].n_t <= 2;
    return fits || task->discretization->friction_form == FRICTION_POLYHEDRAL ? FRICTION_POLYHEDRAL : FRICTION_AUTO;
}

static enum status create_presolve(struct solver *solver, const struct attempt *attempt, struct transcription **out)
{
    struct discretization settings = *solver->task->discretization;
    settings.method = METHOD_TIME_STEPPING;
    settings.friction_form = friction_of_steps(solver->task, attempt->pyramid);
    if (!solver->task->model->contacts.n_contact) {             /* extract_switches wants steps */
        settings.form = FORM_STEP;
        settings.scheme = RK_RADAU_IIA;
        settings.stages = SWITCHED_STAGES;
    }
    struct diag *quiet = diag_create();         /* what keeps a presolve from working is no news for the user */
    const enum status st = create_transcription(solver, &settings, attempt, true, out, quiet);
    diag_free(quiet);
    const unsigned seed = attempt->follow ? attempt->presolve_start : attempt->presolve_start / 2;
    const unsigned by_user =
        attempt->presolve_start < N_STEP_STARTS ? DETOUR_SEED : (unsigned)solver->task->homotopy->seed;
    if (st == STATUS_OK && attempt->detour)
        tr_detour_guess(*out, seed + by_user, DETOUR);
    else if (st == STATUS_OK && seed)
        tr_perturb_guess(*out, seed, PERTURBATION);
    return st;
}

static void forget_presolve(struct solver *solver)
{
    transcription_free(solver->coarse);
    homotopy_result_free(&solver->coarse_result);
    solver->coarse = NULL;
    solver->coarse_failed = false;
}

static double miss_of(const struct homotopy_result *result)
{
    return fmax(result->violation, result->complementarity);
}

/* Has the presolve come nearer to a solution than those before it? */
static bool is_nearest(const struct solver *solver)
{
    const struct homotopy_result *result = &solver->coarse_result;
    return solver->coarse && result->w && isfinite(miss_of(result))
           && !(solver->nearest && miss_of(&solver->nearest_result) <= miss_of(result));
}

/* Clearly nearer than its guess was? */
static bool is_worth_more_than_guess(const struct solver *solver)
{
    const struct mpcc *mpcc = &solver->coarse->mpcc;
    const double *guess = program_guess(solver->coarse->prog);
    return miss_of(&solver->coarse_result)
           < NEARER_THAN_GUESS * fmax(mpcc_violation(mpcc, guess), mpcc_complementarity(mpcc, guess));
}

/* Of several without a solution the nearest is kept, for a solve that is stopped before
 * there is something better. */
static void give_up_presolve(struct solver *solver)
{
    if (is_nearest(solver) && is_worth_more_than_guess(solver)) {
        transcription_free(solver->nearest);
        homotopy_result_free(&solver->nearest_result);
        solver->nearest = solver->coarse;
        solver->nearest_result = solver->coarse_result;
        solver->coarse = NULL;
        memset(&solver->coarse_result, 0, sizeof solver->coarse_result);
    }
    forget_presolve(solver);
    solver->coarse_failed = true;
}

static bool presolve_is_solved(const struct homotopy_result *result)
{
    return result->completed && result->violation <= PRESOLVE_VIOLATION && result->complementarity <= PRESOLVE_COMP;
}

/* A presolve is that of this attempt from here on. */
static void remember_presolve(struct solver *solver, const struct attempt *attempt)
{
    forget_presolve(solver);
    solver->coarse_steps = attempt->presolve_steps;
    solver->coarse_start = attempt->presolve_start;
    solver->coarse_gap_tol = attempt->gap_tol;
    solver->coarse_follow = attempt->follow;
    solver->coarse_patient = attempt->patient;
    solver->coarse_detour = attempt->detour;
}

/* A presolve has a homotopy of its own: what the spec says of one, and of IPOPT, is meant for its method. */
static struct homotopy_settings own_settings(const struct homotopy_settings *of_method)
{
    struct homotopy_settings own = *of_method;
    own.relaxation = RELAX_SCHOLTES;
    own.elastic = ELASTIC_NONE;
    own.schedule = SCHEDULE_LINEAR;
    own.update_slope = NAN;
    own.sigma.n = 0;
    own.sigma_0 = NAN;
    own.sigma_N = PRESOLVE_SIGMA_N;
    own.comp_tol = fmax(own.comp_tol, PRESOLVE_COMP_TOL);
    return own;
}

/* Was the run given up at its scouting sigma (homotopy.h)? */
static bool was_given_up(const struct homotopy_run *run, const struct homotopy_result *result)
{
    const struct homotopy_step *last = result->n_step ? &result->step[result->n_step - 1] : NULL;
    return last && last->outcome == NLP_ITERATIONS && last->sigma >= run->give_up_sigma
           && last->infeasibility <= HOMOTOPY_VIOLATION_ACCEPTABLE;
}

bool attempt_presolve(struct solver *solver, const struct attempt *attempt)
{
    const bool same = solver->coarse_steps == attempt->presolve_steps
                      && solver->coarse_start == attempt->presolve_start
                      && solver->coarse_gap_tol == attempt->gap_tol && solver->coarse_follow == attempt->follow
                      && solver->coarse_patient == attempt->patient && solver->coarse_detour == attempt->detour;
    if (same && (solver->coarse || solver->coarse_failed))
        return solver->coarse;
    remember_presolve(solver, attempt);
    struct homotopy_settings homotopy = own_settings(solver->task->homotopy);
    struct homotopy_run run = make_run(solver);
    run.n_option = solver->task->solver->n_linear;
    const bool switched = !solver->task->model->contacts.n_contact;
    const double path_mu = switched ? PATH_MU_SWITCHED : PATH_MU_CONTACTS;
    if (attempt->follow) {
        run.is_stage = switched;                                /* no crossover */
        run.recipe = homotopy_recipe_path(path_mu);
        homotopy.sigma_N = switched ? SWITCHED_SIGMA_N : PRESOLVE_SIGMA_N;
    } else {
        run.recipe.monotone = attempt->presolve_start != 1 && attempt->presolve_start != 2;
        run.recipe.mu_of_sigma = path_mu;
        run.recipe.path_from = LATE_PATH;
    }
    say(solver, "presolve by time-stepping");
    if (attempt->scouts) {
        run.recipe.max_iter_early = SCOUT_PATIENCE;
        run.give_up_sigma = attempt->patient ? INFINITY : SCOUT_SIGMA;
    }
    const enum status st = create_presolve(solver, attempt, &solver->coarse);
    if (st == STATUS_OK && !attempt->follow)
        solver->coarse->mpcc.first_sigma = 0;                   /* other starts, other solutions */
    if (st == STATUS_OK && attempt->guided) {
        lead_to_goal(solver, solver->coarse, &solver->coarse_result);
        start_at(&run, GUIDED_SIGMA, run.recipe.push);
    }
    if (attempt->presolve_sigma > 0)
        run.sigma_start = attempt->presolve_sigma;
    if (st == STATUS_OK)
        run_homotopy(solver, &solver->coarse->mpcc, &homotopy, &run, &solver->coarse_result);
    const struct homotopy_result *result = &solver->coarse_result;
    solver->lingers = st == STATUS_OK && was_given_up(&run, result);
    const bool is_all_there_is = attempt_must_stop(solver) && is_nearest(solver);
    if (st == STATUS_OK && (presolve_is_solved(result) || is_all_there_is))     /* better than the guess */
        return true;
    give_up_presolve(solver);
    return false;
}

bool attempt_adopt_presolve(struct solver *solver, const struct attempt *attempt, struct homotopy_result *result)
{
    const bool is_solved = result->completed;
    remember_presolve(solver, attempt);
    if (!result->w || create_presolve(solver, attempt, &solver->coarse) != STATUS_OK) {
        homotopy_result_free(result);
        return false;
    }
    solver->coarse_result = *result;
    memset(result, 0, sizeof *result);
    if (!is_solved)
        give_up_presolve(solver);
    return is_solved;
}

void attempt_end(struct solver *solver)
{
    transcription_free(solver->tr);
    homotopy_result_free(&solver->result);
    transcription_free(solver->coarse);
    homotopy_result_free(&solver->coarse_result);
    transcription_free(solver->nearest);
    homotopy_result_free(&solver->nearest_result);
}

bool attempt_best_presolve(struct solver *solver, struct attempt *attempt, unsigned n)
{
    struct transcription *best = NULL;
    struct homotopy_result best_result = { 0 };
    unsigned best_start = 0;
    for (unsigned start = 0; start < n && !attempt_must_stop(solver); start++) {
        attempt->presolve_start = start;
        if (!attempt_presolve(solver, attempt))
            continue;
        const struct homotopy_result *found = &solver->coarse_result;
        if (!best || (presolve_is_solved(found) && found->objective < best_result.objective)) {
            transcription_free(best);
            homotopy_result_free(&best_result);
            best = solver->coarse;
            best_result = solver->coarse_result;
            best_start = start;
            solver->coarse = NULL;
            memset(&solver->coarse_result, 0, sizeof solver->coarse_result);
        }
    }
    forget_presolve(solver);
    attempt->presolve_start = solver->coarse_start = best_start;
    solver->coarse = best;
    solver->coarse_result = best_result;
    solver->coarse_failed = !best;
    return best;
}

/* The first step of a presolved homotopy; false if the presolve did not carry. */
static bool try_presolved(struct solver *solver, bool monotone)
{
    struct transcription *tr = solver->tr;
    tr_apply_presolve(tr, solver->coarse, solver->coarse_result.w);
    struct homotopy_run run = make_run(solver);
    run.is_stage = true;
    start_at(&run, PRESOLVED_SIGMA, PRESOLVED_PUSH);
    run.sigma_stop = PRESOLVED_SIGMA;
    run.recipe.max_iter = PRESOLVED_PATIENCE;
    run.recipe.monotone = monotone;
    run_homotopy(solver, &tr->mpcc, solver->task->homotopy, &run, &solver->result);
    go_on_from(tr, &solver->result);
    return solver->result.violation < PRESOLVED_LOST;
}

/* --- One attempt --------------------------------------------------------------------------------------------- */

enum status attempt_build(struct solver *solver, const struct attempt *attempt)
{
    struct discretization settings = *solver->task->discretization;
    if (attempt->aggregation >= 0)
        settings.aggregation = attempt->aggregation;
    if (attempt->product_form)
        settings.impact_form = settings.impact_form == IMPACT_SPLIT ? IMPACT_PRODUCT : IMPACT_SPLIT;
    transcription_free(solver->tr);
    return create_transcription(solver, &settings, attempt, false, &solver->tr, solver->diag);
}

/* Solves again from a loose solution with time frozen in all jumps. A loose solution is kept if that fails: its
 * impacts may take a little time, and a sequence of contacts can be read from it. It is no solution for that. */
static void tighten_jumps(struct solver *solver)
{
    struct transcription *tr = solver->tr;
    struct homotopy_result loose = solver->result;
    struct homotopy_run run = make_run(solver);
    memset(&solver->result, 0, sizeof solver->result);
    tr_set_strict_jumps(tr, true);
    run.w0 = loose.w;
    start_at(&run, TIGHTEN_SIGMA, run.recipe.push);
    run.max_seconds = fmin(run.max_seconds, TIGHTEN_TIME * (clock_seconds() - solver->start));
    say(solver, "with time frozen in all jumps");
    run_homotopy(solver, &tr->mpcc, solver->task->homotopy, &run, &solver->result);
    if (solver->result.status == STATUS_OK || loose.status != STATUS_OK) {
        homotopy_result_free(&loose);
        return;
    }
    homotopy_result_free(&solver->result);
    solver->result = loose;
    tr_set_strict_jumps(tr, false);
}

/* FESD-J: from the presolve's events the short recipe of mpcc.md 5, else the long way from large sigma. */
static enum status attempt_fesd_j(struct solver *solver, const struct attempt *attempt, struct homotopy_run *run)
{
    struct transcription *tr = solver->tr;
    if (attempt->presolve_steps) {
        tr_apply_presolve(tr, solver->coarse, solver->coarse_result.w);
        run->recipe = homotopy_recipe_fesd_j();
        run->lost_violation = PRESOLVED_LOST_FESD_J;
        if (method_has_curved_gap(tr->model))   /* velocities at ends of elements vanish to the scheme's order only */
            run->recipe.sigma_polish = 0;
    } else {
        run->recipe.monotone = false;
    }
    return run_homotopy(solver, &tr->mpcc, solver->task->homotopy, run, &solver->result);
}

/* Time steps, given ones or the nearest of those that failed here, tell more of a motion than the guess. */
static void apply_nearest(const struct solver *solver)
{
    const struct solve_coarse own = { solver->nearest, solver->nearest_result.w };
    const struct solve_coarse *from = solver->task->coarse.tr ? &solver->task->coarse : &own;
    if (from->tr)
        tr_apply_presolve(solver->tr, from->tr, from->w);
}

/* solver->tr and solver->result are what came of it. */
static enum status make_attempt(struct solver *solver, const struct attempt *attempt)
{
    homotopy_result_free(&solver->result);
    enum status st = attempt_build(solver, attempt);
    if (st != STATUS_OK)
        return st;
    struct transcription *tr = solver->tr;
    struct homotopy_run run = make_run(solver);
    if (!isnan(attempt->slope) && isnan(solver->task->homotopy->update_slope))
        run.slope = attempt->slope;
    run.recipe.monotone = !attempt->adaptive;
    if (attempt_must_stop(solver) && !solver->out->tr) {        /* only to be judged and saved */
        apply_nearest(solver);
        return run_homotopy(solver, &tr->mpcc, solver->task->homotopy, &run, &solver->result);
    }
    if (attempt->presolve_steps && !attempt_presolve(solver, attempt))
        return STATUS_INFEASIBLE;
    say_attempt(solver, attempt->what);
    tr_set_strict_jumps(tr, attempt->strict);
    if (attempt->seed)
        tr_perturb_guess(tr, attempt->seed + (unsigned)solver->task->homotopy->seed, PERTURBATION);
    if (tr->junctions)
        return attempt_fesd_j(solver, attempt, &run);
    if (attempt->presolve_steps) {
        if (!try_presolved(solver, !attempt->adaptive))
            return solver->result.status == STATUS_OK ? STATUS_INFEASIBLE : solver->result.status;
        start_at(&run, PRESOLVED_NEXT, PRESOLVED_PUSH);
    }
    if (attempt->warm)
        start_at(&run, WARM_SIGMA, PRESOLVED_PUSH);
    if (attempt->guided) {
        st = lead_to_goal(solver, tr, &solver->result);
        if (st == STATUS_USAGE || attempt_must_stop(solver) || solver->result.violation > STAGE_LOST)
            return st == STATUS_OK ? STATUS_INFEASIBLE : st;
        start_at(&run, GUIDED_SIGMA, run.recipe.push);
        run.slope = GUIDED_SLOPE;
    }
    st = run_homotopy(solver, &tr->mpcc, solver->task->homotopy, &run, &solver->result);
    if (st != STATUS_OK || attempt->strict || attempt->rough || tr->frozen.n == 0 || attempt_must_stop(solver))
        return st;
    tighten_jumps(solver);
    return solver->result.status;
}

/* Jumps that take time may beat physics (cross.c): whatever its objective, a loose result is
 * no better than a strict one. */
static bool is_better(const struct solver *solver, double loose_speed)
{
    const struct solve_result *out = solver->out;
    const bool loose = loose_speed > LOOSE_SPEED, was_loose = out->loose_speed > LOOSE_SPEED;
    const bool both = solver->result.status == STATUS_OK && out->homotopy.status == STATUS_OK;
    return both && loose != was_loose ? was_loose : homotopy_result_better(&solver->result, &out->homotopy);
}

/* Keeps the attempt if it is the best so far; solver->tr and result are handed over. */
static void keep_if_best(struct solver *solver, const struct attempt *attempt)
{
    struct solve_result *out = solver->out;
    const bool strict = solver->tr->frozen.n > 0 && program_ub(solver->tr->prog, solver->tr->frozen.var[0]) > 0;
    const double loose_speed = strict ? 0 : tr_loose_speed(solver->tr, solver->result.w);
    if (!out->tr || is_better(solver, loose_speed)) {
        transcription_free(out->tr);
        homotopy_result_free(&out->homotopy);
        out->tr = solver->tr;
        out->homotopy = solver->result;
        out->attempt = out->n_attempt;
        out->how = attempt->what;
        out->strict_jumps = strict;
        out->loose_speed = loose_speed;
        out->dead_band = solver->tr->dcs->n_band ? attempt->dead_band : 0;
        solver->tr = NULL;
        memset(&solver->result, 0, sizeof solver->result);
    }
    out->n_attempt++;
}

/* An attempt from start to booking. Returns true when it solved the problem. */
bool attempt_solves(struct solver *solver, const struct attempt *attempt, enum status *st)
{
    *st = make_attempt(solver, attempt);
    if (!solver->result.w && !solver->out->tr && *st != STATUS_SPEC && *st != STATUS_USAGE
        && attempt_must_stop(solver))
        *st = make_attempt(solver, attempt);    /* stopped before it came to anything: its start is judged and saved */
    if (*st == STATUS_SPEC || *st == STATUS_USAGE || !solver->result.w)
        return false;
    const bool solved = *st == STATUS_OK && solver->result.status == STATUS_OK;
    keep_if_best(solver, attempt);
    return solved;
}

/* --- Dead band ----------------------------------------------------------------------------------------------- */

/* Solves again with smaller and smaller dead bands from the solution, as long as that
 * works (time_freezing.md 11). */
void attempt_shrink_band(struct solver *solver, struct attempt attempt)
{
    struct solve_result *out = solver->out;
    attempt.what = "smaller dead band";
    attempt.presolve_steps = 0;
    attempt.guided = false;
    for (int k = 0; k < MAX_SHRINKS && !attempt_must_stop(solver); k++) {
        attempt.dead_band *= BAND_SHRINK;
        if (attempt.dead_band < BAND_ENOUGH || attempt_build(solver, &attempt) != STATUS_OK)
            return;
        struct homotopy_run run = make_run(solver);
        tr_set_strict_jumps(solver->tr, out->strict_jumps);
        run.w0 = out->homotopy.w;
        run.max_seconds = fmin(run.max_seconds, TIGHTEN_TIME * (clock_seconds() - solver->start));
        start_at(&run, SHRINK_SIGMA, run.recipe.push);
        say(solver, attempt.what);
        run_homotopy(solver, &solver->tr->mpcc, solver->task->homotopy, &run, &solver->result);
        if (solver->result.status != STATUS_OK)
            return;
        homotopy_result_free(&out->homotopy);                   /* a smaller band wins whatever the objective */
        transcription_free(out->tr);
        out->tr = NULL;
        keep_if_best(solver, &attempt);
    }
}
