#include "core/bound/search.h"

#include "core/base/clock.h"
#include "core/base/stop.h"

#include <math.h>
#include <stdio.h>

enum { IDLE_DEGREES = 2, FIRST_IN_PIECES = 4 };
static const double LEAST = 1e-9;           /* costs below are compared as they are */

/* One degree in an arena of its own. */
struct try {
    struct arena mem;
    struct bound_problem *problem;
    struct bound_proof *proof;
};

static double power_of_two_near(double value)
{
    return isfinite(value) && fabs(value) > LEAST ? exp2(round(log2(fabs(value)))) : 1;
}

static enum status try_degree(const struct bound_search *search, int degree, struct bound_cut cut,
                              double cost_scale, struct try *out, struct diag *diag)
{
    const struct bound_wish wish = { search->lo,   search->hi,     search->u_lo,
                                     search->u_hi, search->target, cost_scale, cut };
    out->mem = (struct arena){ NULL };
    out->problem = arena_alloc(&out->mem, 1, sizeof *out->problem);
    out->proof = arena_alloc(&out->mem, 1, sizeof *out->proof);
    const enum status st = bound_read(&out->mem, search->model, &wish, out->problem, diag);
    if (st == STATUS_OK && !bound_solve(&out->mem, out->problem, degree, out->proof))
        out->proof->bound = NAN;
    return st;
}

static double gap_of(const struct bound_search *search, double bound)
{
    return (search->target - bound) / fmax(fabs(search->target), LEAST);
}

/* The better one stays. */
static bool keep_better(struct bound_found *out, struct try *try)
{
    const bool is_better = isfinite(try->proof->bound) && (!out->proof || try->proof->bound > out->proof->bound);
    if (!is_better && out->problem) {
        arena_free(&try->mem);
        return false;
    }
    arena_free(&out->mem);
    out->mem = try->mem;
    out->problem = try->problem;
    out->proof = isfinite(try->proof->bound) ? try->proof : NULL;
    return is_better;
}

/* Is there nothing left to look for? */
static bool has_ended(const struct bound_search *search, struct bound_found *out)
{
    out->gap = gap_of(search, out->proof ? out->proof->in_box : NAN);
    if (out->proof && out->proof->infeasible)
        out->end = BOUND_INFEASIBLE;
    else if (out->gap <= search->gap)
        out->end = BOUND_REACHED;
    else if (stop_asked())
        out->end = BOUND_STOPPED;
    else
        return false;
    return true;
}

/* A search on its way: what the last attempt was, and whether it was better than all before. */
struct course {
    const struct bound_search *search;
    struct bound_found *out;
    struct diag *diag;
    double cost_scale, bound;
    bool is_better, is_too_large, is_cut;
};

static enum status attempt(struct course *course, int degree, struct bound_cut cut)
{
    const struct bound_search *search = course->search;
    struct bound_found *out = course->out;
    const double start = clock_seconds();
    struct try try;
    const enum status st = try_degree(search, degree, cut, course->cost_scale, &try, course->diag);
    if (st != STATUS_OK) {
        arena_free(&try.mem);
        return st;
    }
    struct bound_attempt done = { .degree = degree,
                                  .code = try.proof->code,
                                  .equations = try.proof->n_equation,
                                  .cuts = try.problem->cut.n,
                                  .bound = try.proof->bound,
                                  .seconds = clock_seconds() - start };
    course->is_cut = done.cuts > 0;
    if (course->is_cut)
        (void)snprintf(done.cut, sizeof done.cut, "%s", try.problem->var[cut.variable].name);
    course->bound = done.bound;
    course->is_better = keep_better(out, &try);
    course->is_too_large = done.code == BOUND_TOO_LARGE;
    if (course->is_too_large || done.cuts != cut.n)
        return STATUS_OK;
    out->attempt[out->n_attempt++] = done;
    if (search->tell && !(stop_asked() && isnan(done.bound)))
        search->tell(search->user, &done);
    if (out->proof)
        stop_keep();
    if (isnan(search->target) && course->is_better)
        course->cost_scale = power_of_two_near(out->proof->bound);
    return STATUS_OK;
}

static bool has_room(const struct bound_found *out)
{
    return out->n_attempt < BOUND_MOST_ATTEMPTS;
}

/* Degrees of V in pieces, as long as each is better than the one before. True: nothing is left to look for. */
static bool raise_in_pieces(struct course *course, struct bound_cut cut, int last, enum status *st)
{
    double before = -INFINITY;
    for (int degree = FIRST_IN_PIECES; degree <= last && has_room(course->out); degree += 2) {
        *st = attempt(course, degree, cut);
        if (*st != STATUS_OK || has_ended(course->search, course->out))
            return true;
        if (!course->is_cut || course->is_too_large || !(course->bound > before))
            return false;
        before = course->bound;
    }
    return false;
}

/* Pieces of time, or of a state. */
static enum status cut_and_raise(struct course *course, int last)
{
    const struct bound_found *out = course->out;
    const int n_var = out->problem->n_var, time = out->problem->time;
    enum bound_kind kind[POLY_MAX_VAR];
    enum status st = STATUS_OK;
    for (int k = 0; k < n_var; k++)
        kind[k] = out->problem->var[k].kind;
    for (int n = 1; n <= BOUND_MOST_CUTS; n++)
        for (int k = 0; k < n_var; k++)
            if (k == time || (time < 0 && kind[k] == BOUND_STATE))
                if (raise_in_pieces(course, (struct bound_cut){ k, n }, last, &st))
                    return st;
    return st;
}

enum status bound_search(const struct bound_search *search, struct bound_found *out, struct diag *diag)
{
    struct course course = { search, out, diag, power_of_two_near(search->target), NAN, false, false, false };
    const bool in_pieces = search->in_pieces && !isnan(search->target);
    int idle = 0, degree = search->first_degree > 0 ? search->first_degree : BOUND_FIRST_DEGREE;
    *out = (struct bound_found){ .gap = NAN, .end = BOUND_LAST_DEGREE };
    for (; degree <= search->max_degree && idle < IDLE_DEGREES; degree += 2) {
        const double before = out->proof ? out->proof->bound : NAN;
        const enum status st = attempt(&course, degree, (struct bound_cut){ 0, 0 });
        if (st != STATUS_OK || has_ended(search, out))
            return st;
        if (course.is_too_large)
            break;
        idle = course.is_better || !out->proof ? 0 : idle + 1;
        if (isnan(search->target) && course.is_better
            && out->proof->bound - before <= search->gap * fabs(out->proof->bound)) {
            out->end = BOUND_SETTLED;
            return st;
        }
    }
    if (idle >= IDLE_DEGREES)
        out->end = BOUND_ACCURACY;
    return in_pieces && out->proof ? cut_and_raise(&course, degree - 2) : STATUS_OK;
}

void bound_found_free(struct bound_found *found)
{
    arena_free(&found->mem);
}
