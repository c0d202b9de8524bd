#include "transcription/solve/fallback.h"

#include "core/mpcc/report.h"
#include "transcription/solve/recipe.h"
#include "transcription/start/presolve.h"

#include <math.h>
#include <string.h>

/* --- What kind of problem it is ------------------------------------------------------------------------------ */

static bool is_fesd_j(const struct solver *solver)
{
    return solver->task->discretization->method == METHOD_FESD_J;
}

/* What stands in the way of the last attempt that failed. */
static bool worst_row_is(const struct solve_result *out, const char *word)
{
    struct report_item item[4];
    const int n = report_worst(&out->tr->mpcc, out->homotopy.w_last ? out->homotopy.w_last : out->homotopy.w,
                               HOMOTOPY_VIOLATION_ACCEPTABLE, INFINITY, 4, item);
    for (int k = 0; k < n && k < 2; k++)
        if (strstr(item[k].label->name, word))
            return true;
    return false;
}

/* A goal to be reached through path constraints, by contacts: the direct way has never worked (attempts.md 3). */
static bool is_obstacle_course(const struct solver *solver)
{
    const struct model *model = solver->task->model;
    bool path = false;
    for (int k = 0; k < model->constraints.n_constraint; k++)
        path = path || (model->constraints.constraint[k].at & (AT_STAGES | AT_ELEMENTS | AT_INTERVALS)) != 0;
    return path && model_has_goal(solver->task->model) && solver->task->model->contacts.n_contact && !solver->guess;
}

/* Does the spec leave it to us where the homotopy starts? */
static bool start_is_ours(const struct solve_task *task)
{
    return isnan(task->homotopy->sigma_0) && task->homotopy->sigma.n == 0;
}

/* --- The first attempt --------------------------------------------------------------------------------------- */

/* Curved gaps want a slow homotopy, and a dead band that is wide at first (time_freezing.md 11). */
struct attempt fallback_plain(const struct solver *solver)
{
    const double band = solver->task->discretization->dead_band;
    struct attempt plain = { .what = "from the guess", .slope = NAN, .aggregation = -1, .scouts = is_fesd_j(solver) };
    plain.dead_band = solver->banded ? BAND_WIDE : isnan(band) ? 0 : band;
    if (solver->banded)
        plain.slope = SLOPE_SLOW;
    return plain;
}

/* What the problem and the spec make the best start. */
struct attempt fallback_first(struct solver *solver)
{
    const struct solve_task *task = solver->task;
    struct attempt first = fallback_plain(solver);
    if (solver->guess) {
        first.what = "from the given trajectory";
        first.warm = start_is_ours(task);
    } else if (is_obstacle_course(solver) && !is_fesd_j(solver)) {
        first.what = "with final values as penalties first";
        first.guided = true;
        first.extra_elements = 1;
    } else if (task->homotopy->presolve != PRESOLVE_NONE && start_is_ours(task)
               && presolve_fits(task->model, task->discretization)) {
        struct attempt presolved = first;
        presolved.what = "from the presolve";
        presolved.presolve_steps = PRESOLVE_STEPS;
        presolved.strict = true;
        presolved.guided = is_fesd_j(solver) && is_obstacle_course(solver);     /* its presolve is */
        if (solver->banded)
            presolved.dead_band = BAND_FIRST;
        if (is_fesd_j(solver) ? attempt_best_presolve(solver, &presolved, N_PRESOLVE_STARTS)
                              : attempt_presolve(solver, &presolved))
            first = presolved;
    }
    return first;
}

/* --- Time-freezing, fesd, time-stepping ---------------------------------------------------------------------- */

enum { N_FALLBACKS = 9 };

/* Fallback k after `base`; false where it does not apply. */
static bool fallback_of_freezing(const struct solver *solver, const struct attempt *base, int k,
                                 struct attempt *attempt)
{
    const struct transcription *tr = solver->out->tr;
    *attempt = fallback_plain(solver);
    switch (k) {
    case 0:
        attempt->what = "from the presolve, with an adaptive barrier";
        attempt->presolve_steps = base->presolve_steps;
        attempt->strict = attempt->adaptive = true;
        attempt->dead_band = base->dead_band;
        return base->presolve_steps && !solver->banded;
    case 1:
        return base->presolve_steps;
    case 2:
        attempt->what = "one more element per interval";
        attempt->extra_elements = 1;
        attempt->presolve_steps = base->presolve_steps;
        attempt->strict = base->presolve_steps > 0;
        return tr->dcs->freezes && worst_row_is(solver->out, "clock");
    case 3:
        attempt->what = "larger dead band";
        attempt->dead_band = BAND_LARGEST;
        return solver->banded;
    case 4:
        attempt->what = "with final values as penalties first";
        attempt->guided = true;
        if (solver->banded)
            attempt->dead_band = BAND_LARGEST;
        return model_has_goal(solver->task->model);
    case 5:
        attempt->what = "slower homotopy";
        attempt->slope = SLOPE_SLOW;
        return true;
    case 6:
        attempt->what = "other aggregation";
        attempt->aggregation = tr->settings->aggregation == AGGREGATE_FE_FE ? AGGREGATE_STAGE_FE : AGGREGATE_FE_FE;
        return tr->switching;
    default:
        attempt->what = "perturbed guess";
        attempt->seed = (unsigned)k;
        attempt->dead_band = fmin(BAND_WIDER * base->dead_band, BAND_LARGEST);
        return isnan(solver->task->homotopy->restarts);
    }
}

static bool next_of_freezing(const struct solver *solver, const struct attempt *base, int *next,
                             struct attempt *attempt)
{
    if (base->guided) {                         /* the direct ways are hopeless: the same from perturbed guesses */
        *attempt = *base;
        attempt->what = "from a perturbed guess, with final values as penalties first";
        attempt->seed = (unsigned)++*next;
        return *next <= MAX_GUIDED;
    }
    while (*next < N_FALLBACKS)
        if (fallback_of_freezing(solver, base, (*next)++, attempt))
            return true;
    return false;
}

/* --- FESD-J -------------------------------------------------------------------------------------------------- */

/* Presolve k of those that find other sequences of contacts; starts count from that of the first attempt. */
static struct attempt from_other_presolve(const struct solver *solver, const struct attempt *base, int k)
{
    const struct other_presolve *other = &other_presolves[k % N_OTHER_PRESOLVES];
    struct attempt attempt = fallback_plain(solver);
    attempt.what = other->what;
    attempt.presolve_steps = other->steps;
    attempt.product_form = other->product_form;
    attempt.guided = base->guided;
    attempt.presolve_start = (base->presolve_start + other->start) % N_PRESOLVE_STARTS
                             + (unsigned)(k / N_OTHER_PRESOLVES) * N_PRESOLVE_STARTS;
    return attempt;
}

/* The presolves one after the other, then the long way from the guess and from perturbed ones. */
static bool next_of_fesd_j(const struct solver *solver, const struct attempt *base, int *next,
                           struct attempt *attempt)
{
    const int k = (*next)++;
    if (base->presolve_steps && k < N_OTHER_PRESOLVES) {
        *attempt = from_other_presolve(solver, base, k);
        return true;
    }
    *attempt = fallback_plain(solver);
    if (k > N_OTHER_PRESOLVES + N_PERTURBED || (k == N_OTHER_PRESOLVES && !base->presolve_steps))
        return false;
    if (k > N_OTHER_PRESOLVES) {
        attempt->what = "perturbed guess";
        attempt->seed = (unsigned)k;
    }
    *next = k < N_OTHER_PRESOLVES ? N_OTHER_PRESOLVES + 1 : *next;
    return true;
}

bool fallback_next(const struct solver *solver, const struct attempt *base, int *next, struct attempt *attempt)
{
    return is_fesd_j(solver) ? next_of_fesd_j(solver, base, next, attempt)
                             : next_of_freezing(solver, base, next, attempt);
}

/* --- Restarts ------------------------------------------------------------------------------------------------ */

int fallback_restarts(const struct solver *solver)
{
    const double asked = solver->task->homotopy->restarts;
    const bool other_form = is_fesd_j(solver) && solver->out->homotopy.status == STATUS_OK && solver->coarse;
    return isnan(asked) ? other_form : (int)asked;              /* the other form needs no other presolve */
}

int fallback_most(const struct solver *solver)
{
    return 1 + N_FALLBACKS + fallback_restarts(solver);
}

struct attempt fallback_restart(const struct solver *solver, const struct attempt *base, int k)
{
    if (is_fesd_j(solver) && base->presolve_steps)
        return from_other_presolve(solver, base, k);
    struct attempt again = *base;
    again.what = "restart from a perturbed guess";
    again.seed = (unsigned)(RESTART_SEED + k);
    again.presolve_steps = 0;
    again.strict = false;
    return again;
}
