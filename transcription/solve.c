#include "transcription/solve.h"

#include "core/base/mem.h"
#include "core/mpcc/report.h"
#include "transcription/attempt.h"
#include "transcription/presolve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* The homotopy from the guess. Curved gaps want a slow one, and a dead band that is wide at first (homotopy.md 1.1,
 * 4.3). */
static struct attempt plain_attempt(const struct solver *solver)
{
    const double band = solver->task->discretization->dead_band;
    struct attempt plain = { .what = "from the guess", .slope = NAN, .aggregation = -1 };
    plain.dead_band = solver->banded ? 5 * ATTEMPT_FIRST_BAND : isnan(band) ? 0 : band;
    if (solver->banded)
        plain.slope = 0.5;
    return plain;
}

/* The rungs, in order; `next` is where to go on. Returns false past the last. */
static bool next_rung(const struct solver *solver, const struct attempt *base, int *next, struct attempt *rung)
{
    if (base->guided) {                         /* the direct ways are hopeless: the same from perturbed guesses */
        enum { MAX_GUIDED = 5 };
        *rung = *base;
        rung->what = "led to the goal from a perturbed guess";
        rung->seed = (unsigned)++*next;
        return *next <= MAX_GUIDED;
    }
    for (;; ++*next) {
        *rung = plain_attempt(solver);
        switch (*next) {
        case 0:
            rung->what = "from the presolve, with an adaptive barrier";
            rung->presolved = rung->strict = rung->adaptive = true;
            rung->dead_band = base->dead_band;
            if (base->presolved)
                return ++*next, true;
            break;
        case 1:
            if (base->presolved || base->warm)
                return ++*next, true;
            break;
        case 2:
            rung->what = "one more element per interval";
            rung->extra_elements = 1;
            rung->presolved = rung->strict = base->presolved;
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

static enum status climb(struct solver *solver, const struct attempt *base)
{
    struct attempt rung = *base;
    enum status st;
    bool solved = attempt_solves(solver, base, &st);
    if (!solver->out->tr)
        return st;
    const bool unbounded = solver->out->homotopy.status == STATUS_UNBOUNDED;       /* no start would change that */
    for (int next = 0; !solved && !unbounded && !attempt_must_stop(solver) && next_rung(solver, base, &next, &rung);)
        solved = attempt_solves(solver, &rung, &st);
    if (solved && solver->banded && rung.dead_band > ATTEMPT_FIRST_BAND)
        attempt_shrink_band(solver, rung);
    return solver->out->homotopy.status;
}

/* The starts that `homotopy.restarts` asks for, each from another perturbed guess. */
static void restart(struct solver *solver, const struct attempt *base)
{
    const double n = solver->task->homotopy->restarts;
    for (int k = 0; k < n && !attempt_must_stop(solver); k++) {
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
    struct attempt first = plain_attempt(solver);
    if (task->guess) {
        first.what = "from the given trajectory";
        first.warm = start_is_ours(task);
    } else if (is_obstacle_course(solver)) {
        first.what = "led to the goal first";
        first.guided = true;
        first.extra_elements = 1;
    } else if (task->homotopy->presolve != PRESOLVE_NONE && start_is_ours(task)
               && presolve_fits(task->model, task->discretization) && attempt_presolve(solver)) {
        first.what = "from the presolve";
        first.presolved = first.strict = true;
        if (solver->banded)
            first.dead_band = ATTEMPT_FIRST_BAND;
    }
    return first;
}

/* Builds the problem once and looks at its start, before anything is solved. */
static enum status preflight(struct solver *solver)
{
    const struct attempt plain = plain_attempt(solver);
    const enum status st = attempt_build(solver, &plain);
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
