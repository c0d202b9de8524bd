#include "core/mpcc/homotopy.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/mpcc/iterate.h"
#include "core/mpcc/polish.h"
#include "core/mpcc/relax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct work {
    struct arena mem;               /* owns the iterates and decision */
    const struct mpcc *mpcc;
    const struct homotopy_settings *settings;
    const struct homotopy_run *run;
    struct homotopy_recipe recipe;  /* of the run; a path that has no end in sight is left */
    struct homotopy_result *out;
    struct diag *diag;
    struct relax *relax;
    struct nlp_memory *memory;
    enum polish_decision *decision; /* [n_group] */
    struct iterate now, good, best; /* good: the next NLP starts there; best: to be returned */
    double start;                   /* on the clock of clock_seconds */
    double sigma_stop, slope, pair_scale;
    double polish_below;            /* the next crossover comes at or below this sigma */
    double polished_at;             /* sigma of the last crossover */
    int n_solved;                   /* NLPs so far */
    int n_infeasible;               /* in a row */
    int n_back_off;
    int n_capped;                   /* NLPs in a row that ended at their cap */
    bool interrupted, completed;
    enum status st;                 /* STATUS_USAGE ends everything */
};

void homotopy_run_init(struct homotopy_run *run)
{
    *run = (struct homotopy_run){ .sigma_start = NAN, .sigma_stop = NAN, .slope = NAN, .give_up_sigma = INFINITY,
                                  .lost_violation = INFINITY, .max_seconds = INFINITY,
                                  .recipe = homotopy_recipe_default() };
}

/* --- The sequence of sigmas --------------------------------------------------------------------------------- */

static double first_given(double a, double b, double c)
{
    return !isnan(a) ? a : !isnan(b) ? b : c;
}

/* The first entry of the list that is clearly below sigma; NAN if there is none. */
static double next_in_list(const struct setting_list *list, double sigma)
{
    for (int k = 0; k < list->n; k++)
        if (list->val[k] < sigma * (1.0 - SIGMA_EQUAL))
            return list->val[k];
    return NAN;
}

static double last_sigma(const struct work *work)
{
    const struct setting_list *list = &work->settings->sigma;
    return first_given(work->run->sigma_stop, list->n > 0 ? list->val[list->n - 1] : NAN, work->settings->sigma_N);
}

static double first_sigma(const struct work *work)
{
    const struct homotopy_run *run = work->run;
    const struct setting_list *list = &work->settings->sigma;
    if (work->mpcc->n_pair == 0)
        return last_sigma(work);                /* a smooth problem: one NLP */
    if (list->n > 0 && isnan(run->sigma_start))
        return list->val[0];
    if (list->n > 0)
        return next_in_list(list, run->sigma_start * (1.0 + 3.0 * SIGMA_EQUAL));
    const double more = work->mpcc->first_sigma > 0 ? work->mpcc->first_sigma : 1;
    return first_given(run->sigma_start, work->settings->sigma_0, more * run->recipe.sigma_0);
}

/* mpcc.md 4; NAN after the last. */
static double next_sigma(const struct work *work, double sigma)
{
    if (sigma <= work->sigma_stop * (1.0 + SIGMA_EQUAL))
        return NAN;
    if (work->settings->sigma.n > 0)
        return next_in_list(&work->settings->sigma, sigma);
    double next = work->slope * sigma;
    if (work->settings->schedule == SCHEDULE_SUPERLINEAR)
        next = fmin(next, pow(sigma, SUPERLINEAR));
    return fmax(work->sigma_stop, next);
}

/* --- One NLP ------------------------------------------------------------------------------------------------ */

static double seconds_left(const struct work *work)
{
    return work->run->max_seconds - (clock_seconds() - work->start);
}

static bool is_interrupted(const struct work *work)
{
    return work->run->interrupt && *work->run->interrupt;
}

static bool watch(void *user, int iteration, double f, double violation, double dual_inf, double mu)
{
    const struct work *work = user;
    if (is_interrupted(work))
        return false;
    return !work->run->monitor || work->run->monitor(work->run->user, iteration, f, violation, dual_inf, mu);
}

static struct nlp_settings nlp_settings_at(const struct work *work, double sigma, bool again)
{
    const struct homotopy_recipe *recipe = &work->recipe;
    const bool follows = homotopy_recipe_follows(recipe, sigma) && !iterate_nlp_is_solved(work->now.outcome);
    struct nlp_settings settings = homotopy_nlp_settings(
        recipe, sigma, work->n_solved == 0 ? HOMOTOPY_GUESS : again || follows ? HOMOTOPY_POINT : HOMOTOPY_SOLUTION);
    settings.print_level = work->run->print_level;
    settings.max_seconds = seconds_left(work);
    settings.n_option = work->run->n_option;
    settings.option = work->run->option;
    settings.memory = work->memory;
    return settings;
}

static void record_step(struct work *work, const struct iterate *point, const struct nlp_info *info)
{
    struct homotopy_result *out = work->out;
    const struct homotopy_step step = {
        .sigma = point->sigma, .complementarity = point->complementarity, .infeasibility = point->violation,
        .objective = point->objective, .iterations = info->iterations, .wall_time = info->seconds,
        .outcome = point->outcome, .is_polish = point->polished
    };
    out->step = mem_grow(out->step, out->n_step, 1, sizeof *out->step);
    out->step[out->n_step++] = step;
    out->iterations += info->iterations;
    out->eval_seconds += info->eval_seconds;
    nlp_add_linear_work(&out->linear, &info->linear);
    work->interrupted |= info->outcome == NLP_INTERRUPTED;
    if (work->run->progress)
        work->run->progress(work->run->user, &step, out->n_step - 1);
}

static void announce_sigma(const struct work *work, double sigma, bool is_polish)
{
    const bool last = is_polish || sigma <= work->sigma_stop * (1.0 + SIGMA_EQUAL) ||
                      sigma * work->pair_scale <= work->settings->comp_tol;
    if (work->mpcc->set_sigma)
        work->mpcc->set_sigma(work->mpcc->nlp.user, sigma, last && !work->run->is_stage);
}

static void keep_if_better(struct work *work, const struct iterate *point)
{
    if (iterate_is_better(point, &work->best))
        iterate_copy(point, &work->best);
}

/* A path that is followed late is not one yet where its NLP has no end in sight: it is solved to its own. */
static void leave_path(struct work *work, double sigma)
{
    if (isfinite(work->recipe.path_from) && homotopy_recipe_follows(&work->recipe, sigma) && work->n_capped > 0) {
        work->recipe.path_from = 0;
        work->n_capped = 0;
    }
}

/* Solves the NLP of sigma from work->now.w; work->now is then its last iterate, judged and recorded. */
static void solve_nlp(struct work *work, double sigma, bool again)
{
    struct iterate *now = &work->now;
    const struct nlp_settings settings = nlp_settings_at(work, sigma, again);
    struct nlp_point point = { now->w, now->lambda, now->z_lower, now->z_upper };
    struct nlp_info info;
    announce_sigma(work, sigma, false);
    relax_set_sigma(work->relax, sigma);
    const enum status st = nlp_solve(relax_nlp(work->relax), &settings, &point, watch, work, &info, work->diag);
    if (st != STATUS_OK) {
        work->st = st;
        return;
    }
    for (int m = 0; m < work->mpcc->n_pair; m++) {
        const int row = relax_pair_row(work->relax, m);
        now->lambda_pair[m] = row >= 0 ? now->lambda[row] : 0.0;
    }
    now->sigma = sigma;
    now->outcome = info.outcome;
    now->polished = false;
    iterate_judge(work->mpcc, work->settings->comp_tol, now);
    work->n_solved++;
    work->n_capped = info.outcome == NLP_ITERATIONS ? work->n_capped + 1 : 0;
    record_step(work, now, &info);
    keep_if_better(work, now);
    leave_path(work, sigma);
}

static bool must_stop(const struct work *work)
{
    return work->st != STATUS_OK || work->interrupted || is_interrupted(work) || seconds_left(work) <= 0.0;
}

/* Is the last iterate worth going on from? A cap in the early steps is no failure, and a point that is feasible
 * and complementary to sigma is one whatever IPOPT says of its multipliers. */
static bool is_good(const struct work *work)
{
    const struct iterate *now = &work->now;
    if (iterate_nlp_is_solved(now->outcome))
        return true;
    if (now->outcome == NLP_ITERATIONS && now->sigma >= work->recipe.sigma_early)
        return isfinite(now->violation);
    const bool stopped = now->outcome == NLP_ITERATIONS || now->outcome == NLP_SMALL_STEP
                         || now->outcome == NLP_RESTORATION_FAILED;
    return stopped && now->violation <= HOMOTOPY_VIOLATION_ACCEPTABLE
           && now->complementarity <= SLACK_COMP * now->sigma * work->pair_scale;
}

/* One sigma, tried twice if that may help: a capped NLP from where it stopped, others
 * from the last good iterate. */
static bool try_sigma(struct work *work, double sigma)
{
    solve_nlp(work, sigma, false);
    const enum nlp_outcome outcome = work->now.outcome;
    const bool hopeless = outcome == NLP_INFEASIBLE || outcome == NLP_UNBOUNDED || outcome == NLP_REFUSED;
    if (must_stop(work) || is_good(work))
        return work->st == STATUS_OK && is_good(work);
    if (hopeless)
        return false;
    if (outcome != NLP_ITERATIONS || !isfinite(work->now.violation))
        iterate_copy(&work->good, &work->now);
    solve_nlp(work, sigma, true);
    return work->st == STATUS_OK && is_good(work);
}

/* --- Crossover ---------------------------------------------------------------------------------------------- */

static void solve_polish(struct work *work, enum polish_goal goal)
{
    struct iterate *now = &work->now;
    const struct homotopy_run *run = work->run;
    const struct nlp_settings settings = { .max_seconds = seconds_left(work), .print_level = run->print_level,
                                           .n_option = run->n_option, .option = run->option,
                                           .memory = work->memory };
    const double objective = now->objective;
    struct nlp_info info;
    struct diag *quiet = diag_create();         /* that a crossover is over-determined is no news for the user */
    work->st = polish_solve(work->mpcc, work->decision, goal, &settings, now, watch, work, &info, quiet);
    diag_free(quiet);
    if (work->st != STATUS_OK)
        return;
    now->outcome = info.outcome;
    now->polished = true;
    iterate_judge(work->mpcc, work->settings->comp_tol, now);
    if (goal == POLISH_FEASIBILITY && fabs(now->objective - objective) > SMALL_MEND * fmax(1, fabs(objective)))
        now->rank = RANK_TRIED;                 /* feasible, but somewhere else: nothing says that it is optimal */
    record_step(work, now, &info);
    keep_if_better(work, now);
}

/* One crossover from the last good iterate; *n_kept is in and out: nothing is done if that many groups stay
 * undecided again. */
static bool polish_once(struct work *work, double ambiguity, int *n_kept)
{
    const int n_before = *n_kept;
    *n_kept = polish_decide(work->mpcc, work->good.w, ambiguity, work->decision);
    if (*n_kept == n_before)
        return false;
    iterate_copy(&work->good, &work->now);
    solve_polish(work, POLISH_COST);
    const bool just_short = work->now.rank < RANK_STRICT && work->now.violation < NEARLY_FEASIBLE
                            && work->now.complementarity <= work->settings->comp_tol;
    if (work->st == STATUS_OK && just_short && !must_stop(work))
        solve_polish(work, POLISH_FEASIBILITY);
    return work->st == STATUS_OK && work->now.rank == RANK_STRICT;
}

/* A crossover, and if it fails another one: with fewer decisions if the first ones were infeasible, with all of
 * them if the product rows of the undecided groups were in the way. True if the result is a solution. */
static bool try_polish(struct work *work)
{
    int n_kept = -1;
    work->polished_at = work->good.sigma;
    work->polish_below = POLISH_EVERY * work->good.sigma;
    announce_sigma(work, work->good.sigma, true);
    if (polish_once(work, POLISH_AMBIGUITY, &n_kept))
        return true;
    if (must_stop(work))
        return false;
    const bool infeasible = work->now.outcome == NLP_INFEASIBLE || work->now.outcome == NLP_REFUSED;
    return polish_once(work, infeasible ? POLISH_LESS_AMBIGUITY : POLISH_DECIDE_ALL, &n_kept);
}

/* A crossover fixes what an iterate suggests; one that costs much more than the iterate did suggests wrongly, and
 * the homotopy goes on. It stays a solution among others (keep_if_better). */
static bool is_too_dear(const struct work *work)
{
    return work->now.objective - work->good.objective > MUCH_DEARER * (fabs(work->good.objective) + TINY_OBJECTIVE);
}

static bool may_polish(const struct work *work, double below)
{
    return work->settings->polish == POLISH_AUTO && !work->run->is_stage && work->mpcc->n_pair > 0 &&
           work->good.rank != RANK_NONE && work->good.sigma <= below * (1.0 + SIGMA_EQUAL) && !must_stop(work);
}

/* --- The run ------------------------------------------------------------------------------------------------ */

/* Good enough to stop early: strict, and from an NLP whose tolerance was tight. */
static bool is_final(const struct work *work)
{
    const double loosest = EARLY_END * fmax(work->recipe.tol_min, work->settings->comp_tol);
    return !work->run->is_stage && work->good.rank == RANK_STRICT && iterate_nlp_is_solved(work->good.outcome) &&
           work->good.sigma <= loosest;
}

/* The sigma to try after a failure, NAN if the case is hopeless; mpcc.md 4, 5. */
static double recover(struct work *work, double sigma)
{
    work->n_infeasible = work->now.outcome == NLP_INFEASIBLE ? work->n_infeasible + 1 : 0;
    const bool hopeless = work->n_infeasible >= MAX_INFEASIBLE || work->n_back_off >= MAX_BACK_OFF
                          || must_stop(work) || work->now.outcome == NLP_UNBOUNDED
                          || work->now.outcome == NLP_REFUSED;
    if (hopeless)
        return NAN;
    work->n_back_off++;
    const bool has_good = work->good.outcome != NLP_REFUSED;
    if (!has_good && (work->now.outcome != NLP_ITERATIONS || work->now.violation > work->run->lost_violation))
        return NAN;                             /* nothing to go back to, and no progress to build on */
    if (!has_good)
        return next_sigma(work, sigma);
    work->slope = sqrt(work->slope);            /* gentler from here on */
    iterate_copy(&work->good, &work->now);
    return sqrt(work->good.sigma * sigma);
}

/* In a saddle: feasible, and at the cap above the sigma to give up at; following the path, at the cap twice in a
 * row. */
static bool is_stuck(const struct work *work, double sigma)
{
    if (homotopy_recipe_follows(&work->recipe, sigma) && work->n_capped >= PATH_MAX_CAPPED)
        return true;
    return work->now.outcome == NLP_ITERATIONS && sigma >= work->run->give_up_sigma
           && work->now.violation <= HOMOTOPY_VIOLATION_ACCEPTABLE;
}

static void run_sequence(struct work *work)
{
    double sigma = first_sigma(work);
    while (!isnan(sigma) && !must_stop(work)) {
        if (!try_sigma(work, sigma)) {
            sigma = work->st == STATUS_OK ? recover(work, sigma) : NAN;
            continue;
        }
        work->n_infeasible = 0;
        iterate_copy(&work->now, &work->good);
        if (is_stuck(work, sigma))
            return;
        work->completed = is_final(work)
                          || (may_polish(work, work->polish_below) && try_polish(work) && !is_too_dear(work));
        if (work->completed)
            return;
        iterate_copy(&work->good, &work->now);
        sigma = next_sigma(work, sigma);
        work->completed = isnan(sigma);
    }
}

/* What the best point is worth; if it is no solution, what the last NLP has come to. */
static enum status status_of(const struct work *work)
{
    const struct iterate *best = &work->best;
    const double comp_acceptable = HOMOTOPY_COMP_ACCEPTABLE * work->settings->comp_tol;
    if (work->interrupted || is_interrupted(work))
        return stop_status();
    if (best->rank == RANK_STRICT || (work->run->is_stage && work->completed))
        return STATUS_OK;
    if (best->rank == RANK_FEASIBLE && best->complementarity <= comp_acceptable)
        return STATUS_ACCEPTABLE;
    switch (work->out->outcome) {
    case NLP_INFEASIBLE:
    case NLP_REFUSED:               return STATUS_INFEASIBLE;
    case NLP_UNBOUNDED:             return STATUS_UNBOUNDED;
    case NLP_SOLVED:
    case NLP_ACCEPTABLE:
    case NLP_ITERATIONS:
    case NLP_TIME:                  return STATUS_LIMIT;
    case NLP_SMALL_STEP:
    case NLP_RESTORATION_FAILED:    return work->out->violation_last > HOMOTOPY_VIOLATION_ACCEPTABLE
                                           ? STATUS_INFEASIBLE : STATUS_NUMERIC;
    case NLP_NUMERIC:               return STATUS_NUMERIC;
    case NLP_INTERRUPTED:           return STATUS_INTERRUPTED;
    }
    return STATUS_INTERNAL;
}

static void fill_result(struct work *work)
{
    struct homotopy_result *out = work->out;
    const size_t n_w = (size_t)work->mpcc->nlp.n_w, n_g = (size_t)work->mpcc->nlp.n_g;
    const struct iterate *point = work->run->is_stage && work->completed ? &work->good : &work->best;
    out->w = arena_copy(&out->mem, point->w, n_w, sizeof *out->w);
    out->lambda = arena_copy(&out->mem, point->lambda, n_g, sizeof *out->lambda);
    out->lambda_pair =
        arena_copy(&out->mem, point->lambda_pair, (size_t)work->mpcc->n_pair, sizeof *out->lambda_pair);
    out->z_lower = arena_copy(&out->mem, point->z_lower, n_w, sizeof *out->z_lower);
    out->z_upper = arena_copy(&out->mem, point->z_upper, n_w, sizeof *out->z_upper);
    out->sigma = point->sigma;
    out->complementarity = point->complementarity;
    out->violation = point->violation;
    out->objective = point->objective;
    out->polished = point->polished;
    out->completed = work->completed;
    out->status = status_of(work);
    out->nnz_jac = relax_nlp(work->relax)->jac.nnz;
    out->nnz_hess = relax_nlp(work->relax)->hess.nnz;
    out->n_relaxed_g = relax_nlp(work->relax)->n_g;
    out->n_relaxed_w = relax_nlp(work->relax)->n_w;
    out->seconds = clock_seconds() - work->start;
}

/* The end of the homotopy proper, before a last crossover: what a failure is explained with. */
static void note_last(struct work *work)
{
    struct homotopy_result *out = work->out;
    out->outcome = seconds_left(work) <= 0.0 ? NLP_TIME : work->now.outcome;
    out->w_last = arena_copy(&out->mem, work->now.w, (size_t)work->mpcc->nlp.n_w, sizeof *out->w_last);
    out->violation_last = work->now.violation;
    out->sigma_last = work->now.sigma;
}

static void init_work(struct work *work)
{
    const struct mpcc *mpcc = work->mpcc;
    work->relax = relax_create(mpcc, (enum relax_kind)work->settings->relaxation,
                               (enum relax_elastic)work->settings->elastic, NULL);
    relax_free_fixed_rows(work->relax);
    work->memory = nlp_memory_create();
    work->decision = arena_alloc(&work->mem, (size_t)mpcc->n_group, sizeof *work->decision);
    work->now = iterate_create(&work->mem, relax_nlp(work->relax), mpcc);
    work->good = iterate_create(&work->mem, relax_nlp(work->relax), mpcc);
    work->best = iterate_create(&work->mem, relax_nlp(work->relax), mpcc);
    for (int m = 0; m < mpcc->n_pair; m++)
        work->pair_scale = fmax(work->pair_scale, mpcc->pair[m].scale);
    work->sigma_stop = last_sigma(work);
    work->slope = first_given(work->run->slope, work->settings->update_slope, work->recipe.slope);
    work->polish_below = work->recipe.sigma_polish;

    relax_start(work->relax, work->run->w0 ? work->run->w0 : mpcc->w0, work->now.w);
    work->now.outcome = NLP_REFUSED;            /* no NLP yet */
    work->now.sigma = first_sigma(work);
    iterate_judge(mpcc, work->settings->comp_tol, &work->now);
    work->now.rank = RANK_NONE;                 /* any iterate is better */
    iterate_copy(&work->now, &work->best);
    iterate_copy(&work->now, &work->good);
}

enum status homotopy_solve(const struct mpcc *mpcc, const struct homotopy_settings *settings,
                           const struct homotopy_run *run, struct homotopy_result *out, struct diag *diag)
{
    struct work work = { .mpcc = mpcc, .settings = settings, .run = run, .out = out, .diag = diag,
                         .recipe = run->recipe, .start = clock_seconds(), .st = STATUS_OK };
    *out = (struct homotopy_result){ .status = STATUS_INTERNAL };
    init_work(&work);
    run_sequence(&work);
    note_last(&work);
    if (!work.completed || work.best.rank != RANK_STRICT)
        if (may_polish(&work, POLISH_LAST_SIGMA) && work.polished_at != work.good.sigma)
            try_polish(&work);
    fill_result(&work);
    if (work.st != STATUS_OK)
        out->status = work.st;
    relax_free(work.relax);
    nlp_memory_free(work.memory);
    arena_free(&work.mem);
    return out->status;
}

void homotopy_result_free(struct homotopy_result *result)
{
    arena_free(&result->mem);
    free(result->step);
    *result = (struct homotopy_result){ 0 };
}

static int status_rank(enum status st)
{
    return st == STATUS_OK ? 2 : st == STATUS_ACCEPTABLE ? 1 : 0;
}

bool homotopy_result_better(const struct homotopy_result *a, const struct homotopy_result *b)
{
    if (status_rank(a->status) != status_rank(b->status))
        return status_rank(a->status) > status_rank(b->status);
    const bool same = fabs(a->objective - b->objective) <= SAME_OBJECTIVE * fabs(b->objective);
    if (status_rank(a->status) > 0)
        return same ? a->complementarity <= b->complementarity : a->objective < b->objective;
    return fmax(a->violation, a->complementarity) <= fmax(b->violation, b->complementarity);
}
