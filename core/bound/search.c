#include "core/bound/search.h"

#include "core/base/clock.h"
#include "core/base/stop.h"

#include <math.h>

enum { IDLE_DEGREES = 2 };
static const double LEAST = 1e-9;           /* costs below are compared as they are */

/* One degree in an arena of its own. */
struct
try {
    struct arena mem;
    struct bound_problem *problem;
    struct bound_proof *proof;
};

static double power_of_two_near(double value)
{
    return isfinite(value) && fabs(value) > LEAST ? exp2(round(log2(fabs(value)))) : 1;
}

static enum status try_degree(const struct bound_search *search, int degree, double cost_scale, struct try *out,
                              struct diag *diag)
{
    const struct bound_wish wish = { search->lo,   search->hi,     search->u_lo,
                                     search->u_hi, search->target, cost_scale };
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

/* Has it come to an end after this degree? before: the best bound until then, NAN. */
static bool has_ended(const struct bound_search *search, double before, int idle, struct bound_found *out)
{
    const double bound = out->proof ? out->proof->bound : NAN;
    out->gap = gap_of(search, bound);
    if (out->proof && out->proof->infeasible)
        out->end = BOUND_INFEASIBLE;
    else if (out->gap <= search->gap)
        out->end = BOUND_REACHED;
    else if (isnan(search->target) && bound - before <= search->gap * fabs(bound) && idle == 0)
        out->end = BOUND_SETTLED;
    else if (stop_asked())
        out->end = BOUND_STOPPED;
    else if (idle >= IDLE_DEGREES)
        out->end = BOUND_ACCURACY;
    else
        return false;
    return true;
}

enum status bound_search(const struct bound_search *search, struct bound_found *out, struct diag *diag)
{
    double cost_scale = power_of_two_near(search->target);
    int idle = 0;
    *out = (struct bound_found){ .gap = NAN, .end = BOUND_LAST_DEGREE };
    const int first_degree = search->first_degree > 0 ? search->first_degree : BOUND_FIRST_DEGREE;
    for (int degree = first_degree; degree <= search->max_degree && out->n_attempt < BOUND_MOST_ATTEMPTS;
         degree += 2) {
        const double start = clock_seconds(), before = out->proof ? out->proof->bound : NAN;
        struct try try;
        const enum status st = try_degree(search, degree, cost_scale, &try, diag);
        if (st != STATUS_OK) {
            arena_free(&try.mem);
            return st;
        }
        const struct bound_attempt attempt = { degree, try.proof->code, try.proof->n_equation, try.proof->bound,
                                               clock_seconds() - start };
        const bool is_better = keep_better(out, &try);
        if (attempt.code == BOUND_TOO_LARGE)
            break;
        out->attempt[out->n_attempt++] = attempt;
        if (search->tell && !(stop_asked() && isnan(attempt.bound)))
            search->tell(search->user, &attempt);
        if (out->proof)
            stop_keep();
        idle = is_better || !out->proof ? 0 : idle + 1;
        if (isnan(search->target) && is_better)
            cost_scale = power_of_two_near(out->proof->bound);
        if (has_ended(search, before, idle, out))
            break;
    }
    return STATUS_OK;
}

void bound_found_free(struct bound_found *found)
{
    arena_free(&found->mem);
}
