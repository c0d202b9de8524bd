#include "transcription/finish/finish.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/mpcc/iterate.h"
#include "transcription/multiphase/mesh.h"
#include "transcription/sequence/legal.h"
#include "transcription/sequence/recipe.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MU_COLD 1e-2                /* barrier at the start, from a discovery ... */
#define MU_WARM 1e-4                /* ... and from the solution of a neighbour */
#define MU_NEAR 1e-6                /* ... and from one with fewer rows, multipliers included, */
#define NEAR_PUSH 1e-6              /* which leaves bounds that far */
#define MU_SAME 1e-10               /* ... and from a solution of the same program, multipliers included */
#define FINISH_PUSH 1e-3            /* from bounds at the start */
#define FINISH_TOL 1e-9             /* of IPOPT */
#define LOOSE_TOL 1e-3              /* of IPOPT, on the way */
#define TRY_STILL 1e-4              /* relative change of the objective by an iteration of what has converged, */
#define TRY_FALL 1e-6               /* and no fall like this, as saddles are left slowly at first */
#define TRY_BEHIND 0.4              /* relative, feasible or not: of 44 that ended better the farthest, with two hops, was 0.25 then */
enum {
    FINISH_PATIENCE = 250,          /* of those that stall (core/nlp/stall.h): with 60 monoped_tracking is not solved within
                                     * 60 CPU s, instead of 41 */
    TRY_CONVERGED = 2,              /* iterations that look converged, or dear, before a neighbour is given up */
    TRY_LATE = 10                   /* iterations after which one that is far behind is dear: what is violated makes cheaper */
};

/* Of one run: to be stopped by the user, or because it will not do. */
struct watch {
    const struct finish_task *task;
    double before;                  /* objective of the iteration before */
    int n_converged;                /* iterations in a row next to feasible, next to still, and not good enough: what
                                     * is violated may cost as much as it is behind */
    int n_dear;                     /* late iterations in a row that are far behind, feasible or not */
};

static bool has_switches(const struct phase_system *sys)
{
    return sys->n_contact + sys->n_switch + sys->model->switching.n_machine > 0;
}

bool finish_must_stop(const struct finish_task *task)
{
    return (task->interrupt && *task->interrupt) || clock_seconds() >= task->deadline;
}

static bool go_on(void *user, int iteration, double f, double violation, double dual_inf, double mu)
{
    struct watch *watch = user;
    const struct finish_task *task = watch->task;
    (void)dual_inf;
    (void)mu;
    const double size = fmax(1, fabs(f)), change = (f - watch->before) / size, behind = (f - task->beat) / size;
    const bool still = change >= -TRY_FALL && change <= TRY_STILL && violation <= TRY_FEASIBLE;
    watch->n_converged = task->must_beat && still && !(behind < violation) ? watch->n_converged + 1 : 0;
    watch->n_dear = task->must_beat && !task->starts_far && iteration >= TRY_LATE && behind > TRY_BEHIND
                        ? watch->n_dear + 1
                        : 0;
    watch->before = f;
    return watch->n_converged < TRY_CONVERGED && watch->n_dear < TRY_CONVERGED
           && !(task->interrupt && *task->interrupt);
}

void finish_make_room(struct finish *out)
{
    const struct nlp *nlp = &out->ph->mpcc.nlp;
    const size_t n_w = (size_t)nlp->n_w, n_g = (size_t)nlp->n_g;
    out->w = mem_alloc(3 * n_w + n_g, sizeof(double));
    out->z_lower = out->w + n_w;
    out->z_upper = out->z_lower + n_w;
    out->lambda = out->z_upper + n_w;
}

static void begin_at_guess(struct finish *out)
{
    finish_make_room(out);
    memcpy(out->w, out->ph->mpcc.w0, (size_t)out->ph->mpcc.nlp.n_w * sizeof(double));
}

static void count(struct finish_work *work, const struct nlp_info *info)
{
    work->iterations += info->iterations;
    work->eval_seconds += info->eval_seconds;
    nlp_add_linear_work(&work->linear, &info->linear);
}

struct member finish_member(const struct finish *finish)
{
    return (struct member){ finish->ph, finish->w, finish->lambda, finish->z_lower, finish->z_upper };
}

static enum finish_given_up given_up(const struct watch *watch)
{
    return watch->n_converged >= TRY_CONVERGED ? GIVEN_UP_CONVERGED
           : watch->n_dear >= TRY_CONVERGED ? GIVEN_UP_DEAR : GIVEN_UP_NOT;
}

/* Where something switches, or controls have been given values, the program is one of many: that it is
 * over-determined is no news for the user. */
static bool is_one_of_many(const struct finish_task *task)
{
    return has_switches(task->sys) || task->grid.value;
}

/* One run of the program, or of the whole that it is part of. */
static enum status run(const struct finish_task *task, const struct nlp_settings *settings, struct finish *out,
                       struct nlp_info *info, struct diag *diag)
{
    struct watch watch = { .task = task, .before = INFINITY };
    phases_weigh_free_forces(out->ph, out->w);
    if (!task->company) {
        struct nlp_point point = { out->w, out->lambda, out->z_lower, out->z_upper };
        if (!out->ph->mpcc.nlp.sizes)
            phases_find_sizes(out->ph, out->w);
        const enum status st = nlp_solve(&out->ph->mpcc.nlp, settings, &point, go_on, &watch, info, diag);
        out->given_up = given_up(&watch);
        out->objective = program_cost(out->ph->prog, out->w);
        out->violation = phases_violation(out->ph, out->w);
        return st;
    }
    const struct member one = finish_member(out);
    struct together *whole = together_create(task->company, &one);
    struct nlp_point point = together_point(whole);
    const enum status st = nlp_solve(together_nlp(whole), settings, &point, go_on, &watch, info, diag);
    free(out->others);
    out->given_up = given_up(&watch);
    out->others = together_share(whole);
    out->objective = together_cost(whole);
    out->violation = together_violation(whole);
    together_free(whole);
    return st;
}

void finish_take_options(struct finish_task *task, const struct solver_settings *solver)
{
    task->option = solver->option;
    task->n_option = has_switches(task->sys) ? solver->n_linear : solver->n_option;
}

struct nlp_settings finish_nlp_settings(const struct finish_task *task, enum finish_start start, int max_iter)
{
    static const double mu[] = { [FINISH_COLD] = MU_COLD, [FINISH_WARM] = MU_WARM, [FINISH_NEAR] = MU_NEAR,
                                 [FINISH_SAME] = MU_SAME };
    const bool loose = task->loose > 0;
    return (struct nlp_settings){
        .tol = loose ? LOOSE_TOL : FINISH_TOL, .dual_inf_tol = NAN, .constr_viol_tol = loose ? task->loose : FINISH_TOL,
        .compl_inf_tol = NAN, .acceptable_tol = NAN, .max_iter = max_iter,
        .patience = FINISH_PATIENCE, .monotone = true, .mu_init = mu[start],
        .mu_target = loose ? MU_WARM : 0, .push = FINISH_PUSH, .warm_duals = start == FINISH_NEAR || start == FINISH_SAME,
        .warm_push = start == FINISH_NEAR ? NEAR_PUSH : 0,
        .print_level = task->print_level, .max_seconds = task->deadline - clock_seconds(), .n_option = task->n_option,
        .option = task->option
    };
}

static enum status run_once(const struct finish_task *task, enum finish_start start, int max_iter,
                            struct finish *out, struct diag *diag)
{
    const struct nlp_settings settings = finish_nlp_settings(task, start, max_iter);
    struct nlp_info info = { .outcome = NLP_REFUSED };
    struct diag *quiet = is_one_of_many(task) ? diag_create() : NULL;
    const enum status st = run(task, &settings, out, &info, quiet ? quiet : diag);
    diag_free(quiet);
    out->outcome = info.outcome;
    out->iterations = info.iterations;
    if (task->work)
        count(task->work, &info);
    out->solved = st == STATUS_OK && iterate_nlp_is_solved(info.outcome)
                  && out->violation <= fmax(task->loose, FINISH_VIOLATION_OK) && isfinite(out->objective);
    return st;
}

/* --- Times inside control intervals, each in its element (phases.h) -------------------------------------------- */

enum status finish_place_interior_times(const struct finish_task *task, bool stay, struct finish *out,
                                        struct diag *diag)
{
    struct phase_grid grid = out->ph->grid;
    struct phases *placed;
    double *part = phases_event_parts(out->ph, out->w);
    grid.slack = task->grid.slack;
    grid.event_part = part;
    grid.interior_times_stay = stay;
    grid.mode_y = out->ph->guess.mode;
    const enum status st = phases_create(task->sys, out->ph->seq, &grid, out->ph->guess.end, &placed, diag);
    free(part);
    if (st != STATUS_OK)
        return st;
    phases_free(out->ph);
    out->ph = placed;
    phases_set_interior_times(placed, out->w);
    return STATUS_OK;
}

enum status finish_run(const struct finish_task *task, enum finish_start start, int max_iter, struct finish *out,
                       struct diag *diag)
{
    enum status st = run_once(task, start, max_iter, out, diag);
    for (int round = 1; round < INTERIOR_TIME_ROUNDS && st == STATUS_OK && out->outcome != NLP_INTERRUPTED
                        && !finish_must_stop(task) && phases_interior_times_moved(out->ph, out->w); round++) {
        const int before = out->iterations;
        if ((st = finish_place_interior_times(task, round >= INTERIOR_TIME_FREE, out, diag)) == STATUS_OK)
            st = run_once(task, out->solved ? FINISH_WARM : FINISH_COLD, max_iter, out, diag);
        out->iterations += before;
    }
    out->solved =
        out->solved && !phases_interior_times_moved(out->ph, out->w) && sequence_ends(task->sys, out->ph->seq);
    return st;
}

/* --------------------------------------------------------------------------------------------------------------- */

enum status finish_build(const struct finish_task *task, const struct sequence *seq, const struct samples *samples,
                         struct finish *out, struct diag *diag)
{
    *out = (struct finish){ .objective = NAN, .violation = INFINITY };
    double *y = mem_alloc((size_t)task->sys->n_y, sizeof *y);
    samples_at(samples, samples->horizon, seq->n_event, y);
    struct phase_grid grid = task->grid;
    double *part = mem_alloc((size_t)seq->n_event, sizeof *part);
    for (int j = 0; j < seq->n_event; j++)
        part[j] = samples->t_event[j] / samples->horizon;
    grid.event_part = part;
    double *mode_y = samples_of_modes(samples);
    grid.mode_y = mode_y;
    const enum status st = phases_create(task->sys, seq, &grid, y, &out->ph, diag);
    free(mode_y);
    free(part);
    free(y);
    if (st != STATUS_OK)
        return st;
    phases_apply_samples(out->ph, samples);
    begin_at_guess(out);
    return STATUS_OK;
}

void finish_set_point(struct finish *out, const double *w, const double *lambda, const double *z)
{
    const struct nlp *nlp = &out->ph->mpcc.nlp;
    for (int k = 0; k < nlp->n_w; k++) {
        out->w[k] = fmin(fmax(w[k], nlp->lbw[k]), nlp->ubw[k]);
        out->z_lower[k] = fmax(-z[k], 0);
        out->z_upper[k] = fmax(z[k], 0);
    }
    memcpy(out->lambda, lambda, (size_t)nlp->n_g * sizeof *lambda);
}

enum status finish_solve(const struct finish_task *task, const struct sequence *seq, const struct samples *samples,
                         enum finish_start start, int max_iter, struct finish *out, struct diag *diag)
{
    const enum status st = finish_build(task, seq, samples, out, diag);
    return st == STATUS_OK ? finish_run(task, start, max_iter, out, diag) : st;
}

/* The program of the same sequence on another grid, at the same point. */
static enum status build_again(const struct finish_task *task, const struct finish *from, struct finish *out,
                               struct diag *diag)
{
    *out = (struct finish){ .objective = NAN, .violation = INFINITY };
    struct phase_grid grid = task->grid;
    double *part = phases_event_parts(from->ph, from->w);
    grid.event_part = part;
    grid.mode_y = from->ph->guess.mode;
    const enum status st = phases_create(task->sys, from->ph->seq, &grid, from->ph->guess.end, &out->ph, diag);
    free(part);
    if (st != STATUS_OK)
        return st;
    begin_at_guess(out);
    finish_descend(out, from);
    mesh_transfer(from->ph, from->w, out->ph, out->w);
    return STATUS_OK;
}

enum status finish_again(const struct finish_task *task, const struct finish *from, int max_iter,
                         struct finish *out, struct diag *diag)
{
    const enum status st = build_again(task, from, out, diag);
    return st == STATUS_OK ? finish_run(task, FINISH_WARM, max_iter, out, diag) : st;
}

/* Checked points have the last rows. */
static void copy_multipliers(const struct finish *from, struct finish *to)
{
    const struct nlp *nlp = &from->ph->mpcc.nlp;
    const size_t n_w = (size_t)nlp->n_w;
    assert(to->ph->mpcc.nlp.n_w == nlp->n_w && to->ph->mpcc.nlp.n_g >= nlp->n_g);
    memcpy(to->z_lower, from->z_lower, n_w * sizeof(double));
    memcpy(to->z_upper, from->z_upper, n_w * sizeof(double));
    memcpy(to->lambda, from->lambda, (size_t)nlp->n_g * sizeof(double));
}

enum status finish_checked(const struct finish_task *task, const struct finish *from, int max_iter,
                           struct finish *out, struct diag *diag)
{
    enum status st = STATUS_OK;
    if (!task->company && !from->started_anew) {        /* of company multipliers are not kept */
        if ((st = build_again(task, from, out, diag)) != STATUS_OK)
            return st;
        copy_multipliers(from, out);
        st = finish_run(task, FINISH_NEAR, GIVEN_MAX_ITER, out, diag);
        if (st != STATUS_OK || out->solved)
            return st;
        finish_free(out);
    }
    st = finish_again(task, from, max_iter, out, diag);
    out->started_anew = !task->company;
    return st;
}

void finish_descend(struct finish *out, const struct finish *from)
{
    out->found_by = from->found_by;
    out->n_move = from->n_move;
    free(out->move);
    out->move = NULL;
    if (from->n_move == 0)
        return;
    out->move = mem_grow(NULL, 0, from->n_move, sizeof *out->move);
    memcpy(out->move, from->move, (size_t)from->n_move * sizeof *out->move);
}

void finish_add_move(struct finish *finish, const char *what)
{
    finish->move = mem_grow(finish->move, finish->n_move, 1, sizeof *finish->move);
    (void)snprintf(finish->move[finish->n_move++].what, sizeof finish->move->what, "%s", what);
}

void finish_free(struct finish *finish)
{
    phases_free(finish->ph);
    free(finish->move);
    free(finish->w);
    free(finish->others);
    *finish = (struct finish){ .objective = NAN, .violation = INFINITY };
}

