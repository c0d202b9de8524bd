#include "transcription/solve/ladder.h"

#include "core/mpcc/report.h"
#include "transcription/start/presolve.h"

#include <math.h>
#include <string.h>

/* --- The ladder ---------------------------------------------------------------------------------------------- */

#define N_START 3u                  /* presolves to choose from */

static bool is_fesd_j(const struct solver *solver)
{
    return solver->task->discretization->method == METHOD_FESD_J;
}

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
    return path && has_goal(solver) && solver->task->model->n_contact && !solver->task->guess;
}

/* The homotopy from the guess. Curved gaps want a slow one, and a dead band that is wide at first (homotopy.md 1.1,
 * 4.3). */
struct attempt ladder_plain(const struct solver *solver)
{
    const double band = solver->task->discretization->dead_band;
    struct attempt plain = { .what = "from the guess", .slope = NAN, .aggregation = -1 };
    plain.dead_band = solver->banded ? 5 * ATTEMPT_FIRST_BAND : isnan(band) ? 0 : band;
    if (solver->banded)
        plain.slope = 0.5;
    return plain;
}

/* The rungs, in order; `next` is where to go on. Returns false past the last. */
static bool next_of_freezing(const struct solver *solver, const struct attempt *base, int *next, struct attempt *rung)
{
    if (base->guided) {                         /* the direct ways are hopeless: the same from perturbed guesses */
        enum { MAX_GUIDED = 5 };
        *rung = *base;
        rung->what = "led to the goal from a perturbed guess";
        rung->seed = (unsigned)++*next;
        return *next <= MAX_GUIDED;
    }
    for (;; ++*next) {
        *rung = ladder_plain(solver);
        switch (*next) {
        case 0:
            rung->what = "from the presolve, with an adaptive barrier";
            rung->presolve_steps = base->presolve_steps;
            rung->strict = rung->adaptive = true;
            rung->dead_band = base->dead_band;
            if (base->presolve_steps && !solver->banded)
                return ++*next, true;
            break;
        case 1:
            if (base->presolve_steps || base->warm)
                return ++*next, true;
            break;
        case 2:
            rung->what = "one more element per interval";
            rung->extra_elements = 1;
            rung->presolve_steps = base->presolve_steps;
            rung->strict = base->presolve_steps > 0;
            if (solver->out->tr->dcs->freezes && worst_row_is(solver->out, "clock"))
                return ++*next, true;
            break;
        case 3:
            rung->what = "larger dead band";
            rung->dead_band = ATTEMPT_LARGEST_BAND;
            if (solver->banded)
                return ++*next, true;
            break;
        case 4:
            rung->what = "led to the goal first";
            rung->guided = true;
            if (solver->banded)
                rung->dead_band = ATTEMPT_LARGEST_BAND;
            if (has_goal(solver))
                return ++*next, true;
            break;
        case 5:
            rung->what = "slower homotopy";
            rung->slope = 0.5;
            return ++*next, true;
        case 6:
            rung->what = "other aggregation";
            rung->aggregation = solver->task->discretization->aggregation == AGGREGATE_FE_FE ? AGGREGATE_STAGE_FE
                                                                                              : AGGREGATE_FE_FE;
            if (solver->out->tr->switching)
                return ++*next, true;
            break;
        case 7: case 8:
            rung->what = "perturbed guess";
            rung->seed = (unsigned)*next;
            rung->dead_band = fmin(5 * base->dead_band, ATTEMPT_LARGEST_BAND);
            if (isnan(solver->task->homotopy->restarts))
                return ++*next, true;
            break;
        default:
            return false;
        }
    }
}

bool ladder_wants_band(const struct solve_task *task)
{
    const struct model *model = task->model;
    bool curved = false;
    for (int c = 0; c < model->n_contact; c++)
        curved = curved || (!model->contact[c].gap_is_linear && model->contact[c].e <= 0);
    return curved && isnan(task->discretization->dead_band) && task->discretization->method == METHOD_TIME_FREEZING;
}

/* Does the spec leave it to us where the homotopy starts? */
static bool start_is_ours(const struct solve_task *task)
{
    return isnan(task->homotopy->sigma_0) && task->homotopy->sigma.n == 0;
}

/* The attempt to begin with: what the problem and the spec make the best start. */
struct attempt ladder_first(struct solver *solver)
{
    const struct solve_task *task = solver->task;
    struct attempt first = ladder_plain(solver);
    if (task->guess) {
        first.what = "from the given trajectory";
        first.warm = start_is_ours(task);
    } else if (is_obstacle_course(solver) && !is_fesd_j(solver)) {
        first.what = "led to the goal first";
        first.guided = true;
        first.extra_elements = 1;
    } else if (task->homotopy->presolve != PRESOLVE_NONE && start_is_ours(task)
               && presolve_fits(task->model, task->discretization)) {
        struct attempt presolved = first;
        presolved.what = "from the presolve";
        presolved.presolve_steps = ATTEMPT_PRESOLVE_STEPS;
        presolved.strict = true;
        presolved.guided = is_fesd_j(solver) && is_obstacle_course(solver);     /* its presolve is */
        if (solver->banded)
            presolved.dead_band = ATTEMPT_FIRST_BAND;
        if (is_fesd_j(solver) ? attempt_best_presolve(solver, &presolved, N_START) : attempt_presolve(solver, &presolved))
            first = presolved;
    }
    return first;
}

/* --- Restarts ------------------------------------------------------------------------------------------------ */

/* FESD-J from other presolves: they find other sequences of contacts (homotopy_fesdj.md 4). */
static const struct { const char *what; int steps; unsigned start; bool product; } presolves[] = {
    { "from the presolve, other restitution form", ATTEMPT_PRESOLVE_STEPS, 0, true },
    { "from a finer presolve", 8, 0, false },
    { "from the presolve of another guess", ATTEMPT_PRESOLVE_STEPS, 1, false },
    { "from a coarser presolve", 2, 0, false },
    { "from the presolve of another guess", ATTEMPT_PRESOLVE_STEPS, 2, false },
};
enum { N_PRESOLVES = sizeof presolves / sizeof presolves[0] };

/* Starts count from that of the first attempt. */
static void choose_presolve(const struct solver *solver, const struct attempt *base, int k, struct attempt *attempt)
{
    *attempt = ladder_plain(solver);
    attempt->what = presolves[k % N_PRESOLVES].what;
    attempt->presolve_steps = presolves[k % N_PRESOLVES].steps;
    attempt->product_form = presolves[k % N_PRESOLVES].product;
    attempt->guided = base->guided;
    const unsigned turn = (unsigned)(base->presolve_start + presolves[k % N_PRESOLVES].start) % N_START;
    attempt->presolve_start = turn + (unsigned)(k / N_PRESOLVES) * N_START;
}

/* FESD-J: the presolves one after the other, then the long way from the guess. */
static bool next_of_fesd_j(const struct solver *solver, const struct attempt *base, int *next, struct attempt *rung)
{
    const int k = (*next)++;
    if (base->presolve_steps && k < N_PRESOLVES) {
        choose_presolve(solver, base, k, rung);
        return true;
    }
    *rung = ladder_plain(solver);
    if (k > N_PRESOLVES + 2 || (k == N_PRESOLVES && !base->presolve_steps && !base->warm))
        return false;
    if (k > N_PRESOLVES) {
        rung->what = "perturbed guess";
        rung->seed = (unsigned)k;
    }
    *next = k < N_PRESOLVES ? N_PRESOLVES + 1 : *next;
    return true;
}

bool ladder_next(const struct solver *solver, const struct attempt *base, int *next, struct attempt *rung)
{
    return is_fesd_j(solver) ? next_of_fesd_j(solver, base, next, rung) : next_of_freezing(solver, base, next, rung);
}

int ladder_restarts(const struct solver *solver)
{
    const double asked = solver->task->homotopy->restarts;
    const bool other_form = is_fesd_j(solver) && solver->out->homotopy.status == STATUS_OK && solver->coarse;
    return isnan(asked) ? other_form : (int)asked;              /* the other form needs no other presolve */
}

void ladder_restart(const struct solver *solver, const struct attempt *base, int k, struct attempt *again)
{
    if (is_fesd_j(solver) && base->presolve_steps) {
        choose_presolve(solver, base, k, again);
        return;
    }
    *again = *base;
    again->what = "restart from a perturbed guess";
    again->seed = (unsigned)(100 + k);
    again->presolve_steps = 0;
    again->strict = false;
}

