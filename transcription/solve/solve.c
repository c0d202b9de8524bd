#include "transcription/solve/solve.h"

#include "core/base/clock.h"
#include "transcription/discretize/initial.h"
#include "transcription/method/method.h"
#include "transcription/solve/fallback.h"
#include "transcription/solve/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double largest_shift(const struct solve_result *out)
{
    const struct transcription *tr = out->tr;
    double most = 0;
    for (int b = 0; b < tr->dcs->n_band; b++)
        for (int j = 0; j < tr->n_element; j++)
            for (int k = 1; k <= tr->n_point; k++)
                most = fmax(most, fabs(out->homotopy.w[tr_lam(tr, j, k, tr->dcs->band[b])]));
    return most;
}

/* --- Attempts ------------------------------------------------------------------------------------------------ */

/* The first attempt, and if it fails the fallbacks until one works. */
static enum status solve_somehow(struct solver *solver, const struct attempt *base)
{
    struct attempt attempt = *base;
    enum status st;
    bool solved = attempt_solves(solver, base, &st);
    if (!solver->out->tr)
        return st;
    const bool unbounded = solver->out->homotopy.status == STATUS_UNBOUNDED;       /* no start would change that */
    int next = 0;
    while (!solved && !unbounded && !base->warm && !attempt_must_stop(solver)
           && fallback_next(solver, base, &next, &attempt))
        solved = attempt_solves(solver, &attempt, &st);
    if (solved && solver->banded && attempt.dead_band > BAND_FIRST)
        attempt_shrink_band(solver, attempt);
    return solver->out->homotopy.status;
}

/* Starts beside the first one, as many as `homotopy.restarts` asks for: the best result is kept. */
static void restart(struct solver *solver, const struct attempt *base)
{
    for (int k = 0; k < fallback_restarts(solver) && !attempt_must_stop(solver); k++) {
        enum status st;
        const struct attempt again = fallback_restart(solver, base, k);
        attempt_solves(solver, &again, &st);
    }
}

/* --- Pre-flight ---------------------------------------------------------------------------------------------- */

static enum status check_gaps(const struct transcription *tr, struct diag *diag)
{
    const struct model *model = tr->model;
    enum status st = STATUS_OK;
    /* of a free start a constraint sees to it */
    for (int c = 0; c < model->contacts.n_contact && !tr->start_is_free; c++) {
        if (!tr_has_contact(tr, c, 0))
            continue;
        const double gap = tr_value_at(tr, model->contacts.contact[c].gap, -1, tr_right(tr));
        if (gap < -START_PENETRATION)
            st = diag_error(diag, model->contacts.contact[c].pos, model->contacts.contact[c].path,
                            "the gap at the start is %g; it may not "
                            "be negative", gap);
    }
    return st;
}

/* The first of these costs that is not finite at a point of the guess, or the first one; its
 * place if there is none yet. */
static void place_of_cost(const struct transcription *tr, int n, const struct model_cost *cost, struct srcpos *pos)
{
    for (int k = n - 1; k >= 0 && !pos->line; k--)
        for (int j = 0; j < tr->n_element && !pos->line; j++)
            if (k == 0 || !isfinite(tr_value_at(tr, cost[k].e, j, tr_right(tr))))
                *pos = cost[k].pos;
}

/* Of a cost that lost its place on its way into a sum. */
static struct srcpos find_cost(const struct transcription *tr)
{
    const struct model *model = tr->model;
    struct srcpos pos = { NULL, 0, 0 };
    place_of_cost(tr, model->costs.n_running, model->costs.running, &pos);
    place_of_cost(tr, model->costs.n_terminal, model->costs.terminal, &pos);
    for (int k = 0; k < model->costs.n_sampled; k++)
        place_of_cost(tr, 1, &model->costs.sampled[k].cost, &pos);
    return pos;
}

enum status solve_check_start(struct transcription *tr, struct diag *diag)
{
    const enum status st = check_gaps(tr, diag);
    struct mpcc_label label;
    struct srcpos pos;
    char text[400];
    if (!program_trace(tr->prog, tr->mpcc.w0, &label, &pos, text, sizeof text))
        return st;
    if (!pos.line)
        pos = label.pos.line ? label.pos : find_cost(tr);
    return diag_error(diag, pos, label.path, "at the guess, in %s: %s", label.name, text);
}

/* Builds the problem once and looks at its start, before anything is solved. */
static enum status preflight(struct solver *solver)
{
    const struct attempt plain = fallback_plain(solver);
    const enum status st = attempt_build(solver, &plain);
    return st == STATUS_OK ? solve_check_start(solver->tr, solver->diag) : st;
}

/* Jumps that take time are none: physics that cannot be, which may cost less. */
static bool is_loose(const struct solve_result *out)
{
    return out->tr && out->loose_speed > LOOSE_SPEED;
}

static struct solver begin(const struct solve_task *task, struct solve_result *out, struct diag *diag)
{
    memset(out, 0, sizeof *out);
    struct solver solver = { .task = task, .out = out, .diag = diag, .start = clock_seconds(), .guess = task->guess };
    solver.banded = method_needs_band(task->model) && isnan(task->discretization->dead_band)
                    && task->discretization->method == METHOD_TIME_FREEZING;
    solver.most = fallback_most(&solver);
    return solver;
}

static enum status end(struct solver *solver, enum status st)
{
    struct solve_result *out = solver->out;
    if (out->tr) {
        out->largest_shift = largest_shift(out);
        if (is_loose(out)
            && (out->homotopy.status == STATUS_OK || out->homotopy.status == STATUS_ACCEPTABLE))
            out->homotopy.status = STATUS_UNVERIFIED;
        st = out->homotopy.status;
    }
    out->seconds = clock_seconds() - solver->start;
    attempt_end(solver);
    return st;
}

enum status solve_ocp(const struct solve_task *task, struct solve_result *out, struct diag *diag)
{
    struct solver solver = begin(task, out, diag);
    enum status st = preflight(&solver);
    if (st == STATUS_OK) {
        struct attempt first = fallback_first(&solver);
        st = solve_somehow(&solver, &first);
        const bool failed = st != STATUS_OK || is_loose(out);
        if (first.warm && failed && st != STATUS_UNBOUNDED && out->tr && !attempt_must_stop(&solver)) {
            solver.guess = NULL;                /* as if it had not been given */
            first = fallback_first(&solver);
            st = solve_somehow(&solver, &first);
        }
        if (out->tr)
            restart(&solver, &first);
    }
    return end(&solver, st);
}

enum status solve_roughly(const struct solve_task *task, struct solve_result *out, struct diag *diag)
{
    struct solve_task rough = *task;
    struct discretization settings = *task->discretization;
    struct homotopy_settings homotopy = *task->homotopy;
    settings.method = METHOD_TIME_FREEZING;
    homotopy.presolve = PRESOLVE_NONE;          /* time steps have failed by now */
    rough.discretization = &settings;
    rough.homotopy = &homotopy;
    struct solver solver = begin(&rough, out, diag);
    enum status st = preflight(&solver);
    if (st == STATUS_OK) {
        struct attempt first = fallback_first(&solver);
        first.rough = true;
        homotopy.sigma_N = homotopy.comp_tol = first.guided ? ROUGH_GUIDED : ROUGH_SIGMA;
        attempt_solves(&solver, &first, &st);
    }
    return end(&solver, st);
}

void solve_result_free(struct solve_result *result)
{
    transcription_free(result->tr);
    homotopy_result_free(&result->homotopy);
    free(result->step);
}
