#include "cli/bounds/lower_bound.h"

#include "cli/bounds/bound_boxes.h"
#include "cli/bounds/bound_words.h"
#include "cli/ticker.h"
#include "core/base/clock.h"
#include "core/base/stop.h"
#include "core/base/visible.h"
#include "core/output/bound.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const double LEAST_SECONDS = 1;      /* in the search, however short that was */
static const double GROWTH = 8;             /* of the time from one degree to the next */
static const double SETTLED = 0.25;         /* of the gap: degrees in the search that add less are the last ones */
static const double LAST_SECONDS = 60;      /* at the end, where there is no limit */
static const double LEAST_GAIN = 0.05;      /* of the gap that is left: degrees that add less are the last ones */
enum { MOST_IDLE = 2 };
static const double LEAST_COST = 1e-9;      /* costs below are compared as they are */
static const double VERIFY_SHARE = 0.5;     /* of what is left then, for --verify */

/* --- Time ---------------------------------------------------------------------------------------------------- */

static double cpu_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* s of the CPU, and by the clock. */
struct share { double cpu, clock; };

static struct share time_left(const struct lower_bound *bound)
{
    return (struct share){ stop_cpu_left(), bound->args->max_time - (clock_seconds() - bound->start) };
}

/* As much of the CPU as the search has taken, less what the bound has; and a share of what is left. */
static struct share early_share(const struct lower_bound *bound)
{
    const struct share left = time_left(bound);
    const double search = cpu_now() - bound->start_cpu - bound->spent;
    return (struct share){ fmin(fmax(search, LEAST_SECONDS) - bound->spent, BOUND_SHARE * left.cpu),
                           BOUND_SHARE * left.clock };
}

/* What is left; where there is no limit it has one of its own. */
static struct share last_share(const struct lower_bound *bound)
{
    const struct share left = time_left(bound);
    const double part = bound->args->verify ? VERIFY_SHARE : 1;
    const bool is_limited = isfinite(left.cpu) || isfinite(left.clock);
    return (struct share){ is_limited ? part * left.cpu : LAST_SECONDS, part * left.clock };
}

/* --- One search of bounds ------------------------------------------------------------------------------------ */

static void tell(void *user, const struct bound_attempt *attempt)
{
    const struct cli_args *args = user;
    if (args->verbosity > 0)
        bound_words_tell(user, attempt);
}

/* What more degrees have come to; the better proof stays. *more is gone afterwards. */
static void take(struct lower_bound *bound, struct bound_found *more)
{
    const bool is_better =
        !bound->found.problem
        || (more->proof && (!bound->found.proof || more->proof->bound > bound->found.proof->bound));
    for (int k = 0; k < more->n_attempt; k++) {
        const struct bound_attempt *attempt = &more->attempt[k];
        const bool is_cut = more->end == BOUND_STOPPED && isnan(attempt->bound);
        bound->is_cut = is_cut;
        bound->next_degree = attempt->degree + (is_cut ? 0 : 2);
        if (!is_cut)
            bound->attempt[bound->n_attempt++] = *attempt;
    }
    if (is_better) {
        bound_found_free(&bound->found);
        bound->found = *more;
    } else {
        bound_found_free(more);
    }
}

static void forget(struct lower_bound *bound)
{
    bound_found_free(&bound->found);
    bound->found = (struct bound_found){ .gap = NAN };
    bound->target = NAN;
    bound->n_attempt = 0;
    bound->next_degree = BOUND_FIRST_DEGREE;
}

/* Why the model does not fit: the first message. */
static const char *reason(struct lower_bound *bound, struct diag *diag)
{
    const char *line = diag_line(diag, 0);
    return line ? arena_printf(&bound->mem, "%s", line) : "it does not fit";
}

/* The next degree, and those up to the last one, in their time. A model that does not fit is no mistake: it has
 * no bound. */
static void try_degrees(struct lower_bound *bound, struct bound_search *search, int last, struct share share)
{
    struct bound_found more = { .gap = NAN };
    struct diag *refused = diag_create();
    const double before = cpu_now();
    search->model = bound->model;
    search->gap = bound->gap;
    search->first_degree = bound->next_degree;
    search->max_degree = last;
    search->tell = tell;
    search->user = (void *)(uintptr_t)bound->args;
    ticker_set(bound->args->ticker, "a lower bound");
    stop_part_begin(share.cpu, share.clock);
    const enum status st = bound_search(search, &more, refused);
    stop_part_end();
    bound->none = st == STATUS_OK ? NULL : reason(bound, refused);
    if (st == STATUS_OK)
        take(bound, &more);
    else
        bound_found_free(&more);
    bound->last_seconds = cpu_now() - before;
    bound->spent += bound->last_seconds;
    diag_free(refused);
}

/* --- In the search ------------------------------------------------------------------------------------------- */

/* What is proved of all motions, beside one of that cost: such that cost more than the target were left aside. */
static double proved(const struct lower_bound *bound, double cost)
{
    const struct bound_proof *proof = bound->found.proof;
    if (!proof || proof->infeasible)
        return NAN;
    return cost > bound->target ? fmin(proof->bound, bound->target) : proof->bound;
}

static double gap_of(const struct lower_bound *bound, double cost)
{
    return (cost - proved(bound, cost)) / fmax(fabs(cost), LEAST_COST);
}

static bool is_near(const struct lower_bound *bound, double cost)
{
    const double gap = gap_of(bound, cost);
    return gap <= bound->gap && gap >= -BOUND_ABOVE;
}

/* Would the next degree take long? What is cheap is tried, even where the last one has added nothing. */
static bool is_dear(const struct lower_bound *bound)
{
    return GROWTH * bound->last_seconds > LEAST_SECONDS;
}

/* The next degree, if it is likely to end in its time. */
static bool go_on(struct lower_bound *bound, double cost)
{
    const int n = bound->n_attempt;
    const struct share share = early_share(bound);
    if (bound->early_is_over || GROWTH * bound->last_seconds > fmin(share.cpu, share.clock))
        return false;
    struct bound_search search = { .target = isnan(bound->target) ? cost : bound->target };
    bound->target = search.target;
    const double before = lower_bound_value(bound);
    try_degrees(bound, &search, bound->next_degree, share);
    const double gained = lower_bound_value(bound) - before;
    const bool is_settled = is_dear(bound) && gained > 0 && gained < SETTLED * bound->gap * fabs(before);
    bound->early_is_over = bound->none || bound->next_degree > BOUND_DEGREE || is_settled
                           || (bound->n_attempt == n && !bound->is_cut);
    return true;
}

static void tell_end(struct lower_bound *bound, double cost)
{
    if (bound->args->verbosity < 0)
        return;
    ticker_clear(bound->args->ticker);
    fprintf(bound->args->err, "the search ends here: no motion costs less than %.10g, and this one costs %.10g\n",
            bound_words_round_down(proved(bound, cost), BOUND_WORDS_DIGITS), cost);
}

bool lower_bound_is_near(void *user, double cost)
{
    struct lower_bound *bound = user;
    while (!is_near(bound, cost) && !stop_asked() && go_on(bound, cost))
        ;
    const bool ends = is_near(bound, cost);
    if (ends && !bound->ended_search)
        tell_end(bound, cost);
    bound->ended_search = ends;
    return ends;
}

/* --- Afterwards ---------------------------------------------------------------------------------------------- */

static void put_in_words(struct lower_bound *bound, double cost)
{
    struct bound_found *found = &bound->found;
    bound->is_settled = true;
    bound->cost = cost;
    if (!found->proof && !bound->none)
        bound->none = "no degree proves anything in its time";
    if (!found->proof)
        return;
    found->gap = (cost - found->proof->bound) / fmax(fabs(cost), LEAST_COST);
    bound->none = NULL;
    bound->words = bound_words_of(bound->model, found, cost, &bound->mem);
    bound->about = bound_words_about(found->problem, &bound->mem);
}

/* Of the solve's own motions none was one, or there was none. */
const char *lower_bound_refutes(struct lower_bound *bound)
{
    struct bound_search search = { .target = NAN };
    forget(bound);
    try_degrees(bound, &search, BOUND_DEGREE, last_share(bound));
    put_in_words(bound, NAN);
    return bound->found.proof && bound->found.proof->infeasible ? bound->words : NULL;
}

/* Is another degree worth while? One that proves less than the one before may be an accident of the solver; where
 * one adds little, and the next is dear, the rest of the gap is likely to be the grid's. */
static bool is_worth(struct lower_bound *bound, double cost, double before)
{
    const double value = proved(bound, cost), last = bound->attempt[bound->n_attempt - 1].bound;
    if (last > before || isnan(before)) {
        bound->n_idle = 0;
        return isnan(before) || !is_dear(bound) || last - before > LEAST_GAIN * (cost - value);
    }
    return ++bound->n_idle < MOST_IDLE;
}

/* Would the boxes around a motion be taken? */
static bool takes_boxes(const struct lower_bound *bound, const struct bound_search *search)
{
    struct arena mem = { NULL };
    struct bound_problem *problem = arena_alloc(&mem, 1, sizeof *problem);
    struct diag *silent = diag_create();
    const struct bound_wish wish = { search->lo,     search->hi, search->u_lo, search->u_hi,
                                     search->target, 1,          { 0, 0 } };
    const bool takes = bound_read(&mem, bound->model, &wish, problem, silent) == STATUS_OK
                       && !bound_is_over_all(problem);
    diag_free(silent);
    arena_free(&mem);
    return takes;
}

/* More degrees, up to where they end. */
static void go_to_end(struct lower_bound *bound, struct bound_search *search)
{
    const struct share whole = last_share(bound);
    const double cpu = cpu_now(), start = clock_seconds();
    bool goes_on = !is_near(bound, search->target);
    while (goes_on && bound->next_degree <= BOUND_DEGREE && !stop_asked()) {
        const double before = proved(bound, search->target);
        const int n = bound->n_attempt;
        const struct share share = { whole.cpu - (cpu_now() - cpu), whole.clock - (clock_seconds() - start) };
        if (!(share.cpu > 0 && share.clock > 0))
            break;
        try_degrees(bound, search, bound->next_degree, share);
        goes_on = bound->n_attempt > n && !is_near(bound, search->target)
                  && is_worth(bound, search->target, before);
    }
}

void lower_bound_settle(struct lower_bound *bound, const struct result *result, double cost)
{
    if (bound->is_settled || isnan(cost))
        return;
    const struct bound_proof *proof = bound->found.proof;
    struct bound_boxes boxes;
    bound_boxes_of(result, bound->model, &bound->mem, &boxes);
    struct bound_search search = { .target = cost,
                                   .lo = boxes.lo, .hi = boxes.hi, .u_lo = boxes.u_lo, .u_hi = boxes.u_hi };
    const bool is_of_none = proof && (proof->infeasible || proved(bound, cost) < proof->bound);
    if (is_of_none || (!is_near(bound, cost) && takes_boxes(bound, &search)))
        forget(bound);              /* a motion that was none had been its target; or a narrower box proves more */
    go_to_end(bound, &search);
    put_in_words(bound, cost);
}

/* --- What it says -------------------------------------------------------------------------------------------- */

double lower_bound_value(const struct lower_bound *bound)
{
    return bound->found.proof ? bound->found.proof->bound : NAN;
}

double lower_bound_percent(const struct lower_bound *bound)
{
    const struct bound_found *found = &bound->found;
    const bool is_known = bound->is_settled && found->proof && bound_is_over_all(found->problem)
                          && found->gap >= -BOUND_ABOVE;
    return is_known ? bound_words_percent(found->proof->bound, bound->cost) : NAN;
}

void lower_bound_tell(const struct lower_bound *bound)
{
    if (bound->args->verbosity < 0 || !bound->is_settled)
        return;
    fputs(bound->none ? "bound:    none: " : "bound:    ", bound->args->err);
    visible_print(bound->none ? bound->none : bound->words, bound->args->err);
    fputs("\n", bound->args->err);
    if (!bound->none)
        fprintf(bound->args->err, "          of the problem in %s\n", bound->about);
}

void lower_bound_write(const struct lower_bound *bound, const char *resolved, struct result *result)
{
    if (!bound->found.proof)
        return;
    const struct bound_outcome outcome = { .problem = bound->found.problem, .proof = bound->found.proof,
                                           .objective = bound->cost, .gap = bound->found.gap, .words = bound->words,
                                           .about = bound->about, .n_attempt = bound->n_attempt,
                                           .attempt = bound->attempt };
    bound_write(&outcome, resolved, result);
}

/* ------------------------------------------------------------------------------------------------------------- */

void lower_bound_init(struct lower_bound *bound, const struct cli_args *args, const struct problem *problem)
{
    *bound = (struct lower_bound){ .args = args, .model = problem->model,
                                   .start = clock_seconds(), .start_cpu = cpu_now(),
                                   .gap = isnan(args->gap) ? BOUND_GAP : args->gap };
    bound->found.gap = bound->cost = NAN;
    forget(bound);
}

void lower_bound_free(struct lower_bound *bound)
{
    bound_found_free(&bound->found);
    arena_free(&bound->mem);
}
