/* Time steps of contacts, and fixed steps of switches, from several starts until they agree: solved side by side
 * (presolves.h), so that the generator looks ahead itself. */
#include "transcription/generators/generator.h"

#include "core/base/mem.h"
#include "transcription/candidates/continuations.h"
#include "transcription/candidates/solve_candidate.h"
#include "transcription/finish/better.h"
#include "transcription/proposals/gait.h"
#include "transcription/sequence/recipe.h"
#include "transcription/sequence/sliding.h"
#include "transcription/solve/attempt.h"
#include "transcription/solve/fallback.h"
#include "transcription/solve/presolves.h"
#include "transcription/solve/recipe.h"
#include "transcription/start/guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Starts of discoveries: along the path, which is cheap, then with NLPs solved each to its end, an adaptive
 * barrier or a monotone one: two of one kind agree too easily (a ball that is driven through its box: 0.237,
 * 0.142 the other way; the hopper: 7.16, 8.2 along the path, 6.64). Of switches the monotone one finds better
 * ones more often (crawlers: 0.33, 1.79 instead of 0.75, 2.55). The last ones are for where others lead nowhere.
 * Where the first one leads nowhere, or to a motion in which nothing happens, as a symmetric guess may, guesses
 * are perturbed at once: three carts come to 145.77 with the second start instead of 179, discs to 653 with the
 * third instead of the fifth. */
struct step_start { bool follow; unsigned start; };
enum {
    STARTS_STRAIGHT = 2,            /* from the guess, of switches: others take detours (phases.md "Generators") */
    STARTS_ALONE = 2,               /* one after the other: the first shows what the next may cost, which is often enough; */
    STARTS_ABREAST = 2,             /* later ones at a time */
    STARTS_BESIDE_DRAWN = 3,        /* where the first led nowhere and drawn stances did (leg_jump: 36,000 iterations with all) */
    STARTS_BESIDE_MOTION = 2,       /* without a solution of time steps, beside a motion that bounces, or slips in space */
    STARTS_ENOUGH = 2,              /* solutions that are enough, even where no two agree, */
    STARTS_INTRICATE = 3,           /* and with more events than CLEAR_EVENTS */
};
static const struct step_start starts_of_contacts[N_STEP_STARTS] = {
    { true, 0 }, { false, 1 }, { false, 0 }, { true, 2 }, { false, 2 }
};
static const struct step_start starts_where_still[N_STEP_STARTS] = {
    { true, 0 }, { false, 2 }, { true, 2 }, { false, 1 }, { false, 0 }
};
static const struct step_start starts_of_switches[N_STEP_STARTS] = {
    { true, 0 }, { false, 0 }, { false, 1 }, { true, 2 }, { false, 2 }
};

/* One start is enough where few things happen, and cost what time steps promised (phases.md "Gates"): */
enum { CLEAR_EVENTS = 3 };
#define CLEAR_DEARER 3e-2           /* relative, at most, for all events; those that no sequence keeps to promise too much */
#define EXPECTED 0.1                /* the same, either way, of what steps show beside motions: then they know what happens */
#define CLEAR_CHEAPER 0.1           /* the same the other way: steps are damped */
#define IDLE 1e-7                   /* of a control: it does nothing */
/* A start is given up on its way to more than the best objective and */
#define TRUE_CHANGE 0.03            /* of a gap's fastest change in steps that exploit their grid: how far changes and velocities
                                     * may differ where they are kept from it; 0.1 finds ladder for 31.2, this and less for 24.4 */
enum { GAIT_FEW = 8 };          /* events of a gait: with more of them neighbours take as long as all before
                                     * (monoped_tracking: 3 % for 4,300 iterations) */

/* Has the sequence been finished, or has that failed from another start? The best again
 * is one more that led there. */
static bool is_finished(struct discovery *at, const struct sequence *seq)
{
    const char *what =
        pool_knows(&at->pool, POOL_FAILED, seq) ? "it leads to a sequence again that has no solution" : NULL;
    for (int k = 0; k < at->pool.n && !what; k++)
        if (at->pool.found[k].solved && sequence_equal(at->pool.found[k].ph->seq, seq)) {
            at->pool.n_repeated += k == 0;
            what = k == 0 ? "it leads to the best sequence again" : "it leads to a sequence that was solved before";
        }
    if (what) {
        counts_repeated(discovery_counts(at));
        solve_headline(at->task, "%s: %s", at->what, what);
    }
    return what;
}

/* One that no start has led to before. */
static enum status finish_new(struct discovery *at, const struct extract *from, bool repair)
{
    const int n_start = at->out->record.n_start, n_finished = at->out->record.n_finished;
    if (is_finished(at, from->seq))
        return STATUS_OK;
    const struct candidate candidate = { .from = *from, .repair = repair, .others_follow = true };
    const enum status st = candidate_solve(at, &candidate);
    if (at->out->record.n_start > n_start && at->out->record.n_finished == n_finished)
        (void)pool_is_new(&at->pool, POOL_FAILED, from->seq);
    return st;
}

/* Where their sequence has no solution, or one that they do not show, the motion that their controls lead to. */
static enum status finish_switches(struct discovery *at, const struct solver *solver)
{
    struct extract from = extract_switches(at->out->sys, solver->coarse, solver->coarse_result.w);
    const int n_finished = at->out->record.n_finished;
    enum status st = finish_new(at, &from, false);
    const bool is_refused = sliding_on_controls(at->out->sys, from.seq);            /* the spec has to be another one */
    const bool by_chance = sliding_by_chance(at->out->sys, from.seq);
    if (st == STATUS_OK && (by_chance || at->out->record.n_finished == n_finished) && !is_refused
        && !discovery_must_stop(at))
        st = generate_from(at, &by_simulated_fixed_steps, from.samples);
    extract_free(&from);
    return st;
}

/* How starts are made. */
struct starting {
    bool patient;                   /* those of `lingers` that wander about at first are not given up this time */
    double gap_tol;                 /* of steps that are kept from exploiting their grid (places.h); 0: they are
                                     * not */
    const bool *lingers;            /* NULL: all starts, but for those that */
    struct step_starts before;      /* were made already */
    const char *what;
};

/* With restitution also at rest where they land, and as the motion that their controls lead to. */
static enum status finish_steps(struct discovery *at, const struct solver *solver, const struct starting *how)
{
    struct extract from = extract_steps(at->out->sys, solver->coarse, solver->coarse_result.w, LANDING_BOUNCES);
    at->steps.exploit = from.exploits > 0 && how->gap_tol == 0 && !(at->traits & TRAIT_REBOUNDS);
    if (at->steps.exploit) {
        at->steps.fastest = from.exploits;
        solve_headline(at->task, "%s: not used, as a contact moves fast while its gap stays closed: "
                       "an error of the time steps", at->what);
    }
    enum status st = at->steps.exploit ? STATUS_OK : finish_new(at, &from, true);
    if (st == STATUS_OK && (at->traits & TRAIT_REBOUNDS)) {
        struct extract resting =
            extract_steps(at->out->sys, solver->coarse, solver->coarse_result.w, LANDING_RESTS);
        if (discovery_is_new(at, resting.seq))
            st = candidate_solve(at, &(struct candidate){ .from = resting });
        extract_free(&resting);
        if (st == STATUS_OK && !discovery_must_stop(at))
            st = generate_from(at, &by_simulated_steps, from.samples);
    }
    extract_free(&from);
    return st;
}

/* Start k of discoveries by time-stepping. */
static struct attempt step_attempt(const struct discovery *at, const struct solver *solver, int k,
                                   const struct starting *how)
{
    const bool has_contacts = at->traits & TRAIT_CONTACTS;
    const struct step_start *moving = at->steps.still ? starts_where_still : starts_of_contacts;
    const struct step_start *list = has_contacts ? moving : starts_of_switches;
    const struct step_start start = k < N_STEP_STARTS ? list[k] : (struct step_start){ true, (unsigned)k };
    struct attempt attempt = fallback_plain(solver);
    attempt.presolve_steps = has_contacts ? PRESOLVE_STEPS : 0;
    attempt.gap_tol = how->gap_tol;
    attempt.follow = start.follow;
    attempt.scouts = attempt.pyramid = has_contacts;
    attempt.detour = k >= (has_contacts ? N_STEP_STARTS : STARTS_STRAIGHT);
    attempt.presolve_start = start.start;
    attempt.presolve_sigma = at->steps.held ? HELD_SIGMA : 0;
    attempt.patient = how->patient;
    return attempt;
}

/* --- Several starts ------------------------------------------------------------------------------------------ */

/* What starts have come to. */
struct harvest {
    int n_made;                     /* starts so far */
    int n_used;                     /* starts with a solution */
    bool *lingers;                  /* start k was given up early, as it wandered about; the caller's */
    bool improved;                  /* a later one's solution is better than what was known before */
    double steps_objective;         /* of the time steps that led to the best; NAN: others did */
};

/* Does a control do nothing in the best, though it may? Beside others that do something that tells of a symmetric
 * guess: a disc pushes another one straight ahead of it, never past it. */
static bool is_idle(const struct finish *best, int i)
{
    const struct phases *ph = best->ph;
    const struct nlp *nlp = &ph->mpcc.nlp;
    bool idle = true;
    for (int k = 0; k < ph->n_interval && idle; k++) {
        const int var = ph->at.u[k] + i;
        idle = nlp->lbw[var] < -IDLE && nlp->ubw[var] > IDLE && fabs(best->w[var]) <= IDLE;
    }
    return idle;
}

static bool is_symmetric(const struct discovery *at)
{
    int n = 0;
    const int n_u = at->task->model->n_u;
    for (int i = 0; i < n_u && pool_has_solution(&at->pool); i++)
        n += is_idle(&at->pool.found[0], i);
    return n > 0 && n < n_u;
}

/* Is the first opinion clear? Few things happen in the best solution, and what its time steps promised holds
 * (phases.md "Gates"). Relaxed controls have other orders beside theirs, and a motion in which nothing happens may
 * just not have been told that something could. */
static bool is_clear(const struct discovery *at, const struct harvest *harvest)
{
    if (!pool_has_solution(&at->pool) || is_symmetric(at) || at->pool.by_chance
        || (at->traits & (TRAIT_ONLY_MOTION_KNOWS | TRAIT_VALUES | TRAIT_CYCLE)))
        return false;
    const struct finish *best = &at->pool.found[0];
    const int n = best->ph->seq->n_event;
    const double dearer = (best->objective - harvest->steps_objective) / fabs(best->objective);  /* NAN: others showed it */
    return n > 0 && n <= CLEAR_EVENTS && n * dearer <= CLEAR_DEARER && dearer >= -CLEAR_CHEAPER
           && counts_gate(discovery_counts(at), CLEAR_OPINION);
}

/* Does the best cost about what its time steps promised, whatever happens in it? */
static bool is_expected(const struct discovery *at, const struct harvest *harvest)
{
    const double cost = pool_has_solution(&at->pool) ? at->pool.found[0].objective : NAN;
    return fabs(cost - harvest->steps_objective) <= EXPECTED * fabs(cost);
}

/* Finished ones, even where no two agree. */
static int most_opinions(const struct discovery *at)
{
    const bool intricate = pool_has_solution(&at->pool) && at->pool.found[0].ph->seq->n_event > CLEAR_EVENTS;
    return intricate ? STARTS_INTRICATE : STARTS_ENOUGH;
}

/* Those that are asked for are all made. Else along the path and the other way are two opinions. Where much happens
 * there are many orders, and a third is asked: of switches always, of contacts where the second was not better
 * (hoppers; a finger that spins a disc). Time steps that jump onto a step of a ground are one of several solutions,
 * and others may not. They know no restitution: what has to bounce to get anywhere has none, and they are not asked
 * again and again where a motion has been found; nor in space, where they take long. */
static bool is_enough(const struct discovery *at, const struct harvest *harvest)
{
    const bool exploits = at->steps.exploit && !(at->traits & TRAIT_CORNERS),
               contacts = at->traits & TRAIT_CONTACTS;
    const bool by_motion = at->traits & TRAIT_REBOUNDS;
    const bool leads_nowhere = harvest->n_made >= STARTS_BESIDE_MOTION && harvest->n_used == 0 && by_motion
                               && pool_has_motion(&at->pool);
    if (exploits || (leads_nowhere && !discovery_makes_all(at)) || discovery_must_stop(at))
        return true;
    if (harvest->n_made == 0 || !pool_has_solution(&at->pool))
        return false;
    if (discovery_is_near_optimum(at))
        return true;
    if (at->gait.instead && harvest->n_made >= STARTS_BESIDE_DRAWN)
        return true;
    if (discovery_makes_all(at))
        return false;
    if (pool_is_confirmed(&at->pool))
        return true;
    const bool many = harvest->n_used >= most_opinions(at);
    return many || (contacts && harvest->improved) || is_clear(at, harvest);
}

/* What time steps promise: without a crossover their objective where sigma is 0, by that of the last two. */
static double promised_by(const struct solver *solver)
{
    const struct solve_result *out = solver->out;
    const double objective = solver->coarse_result.objective;
    if (out->n_step < 2 || out->step[out->n_step - 1].step.is_polish)
        return objective;
    const struct homotopy_step *last = &out->step[out->n_step - 1].step, *before = &out->step[out->n_step - 2].step;
    const bool follows = before->sigma > last->sigma && last->objective == objective;
    return follows ? objective + (objective - before->objective) * last->sigma / (before->sigma - last->sigma)
                   : objective;
}

/* One start, of which the presolve has been begun. */
static enum status take_start(struct discovery *at, struct solver *solver, struct presolves *presolves, int k,
                              int start, const struct starting *how, struct harvest *harvest)
{
    const int n_repeated = at->pool.n_repeated;
    const bool found = presolves_take(presolves, k, solver);
    const struct phases *before = pool_has_solution(&at->pool) ? at->pool.found[0].ph : NULL;
    enum status st = STATUS_OK;
    harvest->n_made++;
    harvest->n_used += found;
    harvest->lingers[start] = !found && solver->lingers;
    if (found)
        st = at->traits & TRAIT_CONTACTS ? finish_steps(at, solver, how) : finish_switches(at, solver);
    else
        solve_headline(at->task, "%s: the problem in time steps was not solved", at->what);
    if (harvest->n_made == 1)
        at->steps.still = (at->traits & TRAIT_CONTACTS) && (!pool_has_motion(&at->pool) || is_symmetric(at));
    if (pool_has_solution(&at->pool) && at->pool.found[0].ph != before) {
        harvest->steps_objective = promised_by(solver);
        harvest->improved = harvest->n_made > 1 && before;
        at->pool.n_repeated = at->pool.n_repeated > n_repeated;           /* those before were of another one */
    }
    return st;
}

/* Where the first fixed steps lead nowhere: of switches the motion of the guess, of legs stances and flights in
 * turn. Both are cheap, and others are measured by them. */
static enum status discover_instead(struct discovery *at)
{
    if (at->steps.exploit || pool_has_solution(&at->pool) || discovery_must_stop(at))
        return STATUS_OK;
    if (!(at->traits & TRAIT_CONTACTS))
        return at->simulations.made ? STATUS_OK : generate(at, &by_guess_simulation);
    if ((at->traits & TRAIT_PATH) && !(at->traits & TRAIT_FLIES))
        return STATUS_OK;                       /* a course with obstacles wants to be led (plan.c) */
    const enum status st = generate(at, &by_gait);
    at->gait.instead = at->gait.led;
    at->gait.led = at->gait.instead && at->pool.found[0].ph->seq->n_event > GAIT_FEW;
    return st;
}

/* Where time steps have shown a sequence to which neither itself nor a neighbour has a solution: motions, which
 * take a tenth of the time of another one's neighbours. */
static enum status discover_beside_steps(struct discovery *at, const struct harvest *harvest)
{
    const bool in_vain = harvest->n_used > 0 && (at->traits & TRAIT_CONTACTS) && !pool_has_solution(&at->pool);
    const bool wanted =
        in_vain && !at->steps.exploit && !at->simulations.made && !discovery_must_stop(at);
    return wanted ? generate(at, &by_simulation_beside_steps) : STATUS_OK;
}

static int most_starts(const struct discovery *at)
{
    const int asked = discovery_starts(at);
    return asked < N_STEP_STARTS ? N_STEP_STARTS : asked;
}

/* Sequences of solutions on fixed steps from different starts (attempt.h), until two lead to the same. lingers
 * [most_starts]: those that were given up early. made: may be NULL. */
static enum status discover_from_starts(struct discovery *at, struct solver *solver, const struct starting *how,
                                        bool *lingers, struct step_starts *made)
{
    const int starts = discovery_starts(at), most = most_starts(at);
    struct harvest harvest = { .n_made = how->before.made, .n_used = how->before.used, .steps_objective = NAN,
                               .lingers = lingers };
    int *start = mem_alloc((size_t)most, sizeof *start), n = 0;
    enum status st = STATUS_OK;
    for (int k = 0; k < most; k++)
        if (!how->lingers || how->lingers[k])
            start[n++] = k;
    for (int first = how->before.made, n_now;
         first < n && harvest.n_used < starts && st == STATUS_OK && !is_enough(at, &harvest); first += n_now) {
        struct attempt attempt[STARTS_ABREAST];
        struct presolves presolves;
        const bool alone = first < STARTS_ALONE || harvest.n_used + 1 >= most_opinions(at);     /* the next will be enough */
        n_now = alone ? 1 : n - first < STARTS_ABREAST ? n - first : STARTS_ABREAST;
        for (int k = 0; k < n_now; k++)
            attempt[k] = step_attempt(at, solver, start[first + k], how);
        presolves_start(solver, n_now, attempt, &presolves);
        for (int k = 0; k < n_now && harvest.n_used < starts && st == STATUS_OK && !is_enough(at, &harvest); k++) {
            discovery_begin(at, "discovery %d of at most %d, by %s%s", first + k + 1, n,
                            at->traits & TRAIT_CONTACTS ? "time-stepping" : "fixed steps", how->what);
            st = take_start(at, solver, &presolves, k, start[first + k], how, &harvest);
        }
        if (first == 0 && st == STATUS_OK)
            st = discover_instead(at);
        if (st == STATUS_OK)
            st = discover_beside_steps(at, &harvest);
        presolves_end(&presolves);
    }
    free(start);
    if (made)
        *made = (struct step_starts){ harvest.n_made, harvest.n_used };
    at->pool.clear = is_clear(at, &harvest);
    at->pool.expected = is_expected(at, &harvest);
    return st;
}

/* The last solution, or what came nearest to one, is what is saved where no time is left. */
static void hand_over_steps(struct discovery *at, struct solver *solver)
{
    struct transcription **from = solver->coarse ? &solver->coarse : &solver->nearest;
    struct homotopy_result *result = solver->coarse ? &solver->coarse_result : &solver->nearest_result;
    transcription_free(at->steps.coarse);
    homotopy_result_free(&at->steps.coarse_result);
    at->steps.coarse = *from;
    at->steps.coarse_result = *result;
    *from = NULL;
    memset(result, 0, sizeof *result);
    attempt_end(solver);
}

/* NULL: steps begin from the guess as it is. */
static struct guess *hold_guess_of_steps(struct discovery *at)
{
    struct counting counting;
    if (!counts_begin(discovery_counts(at), HELD_STEPS, &counting))
        return NULL;
    struct guess *held = held_guess_of_steps(at);
    counts_end(&counting);
    return held;
}

/* Where all starts were given up early, as with FESD-J (attempt.c), they are taken to their ends. */
static enum status by_steps(struct discovery *at, double gap_tol)
{
    struct solver solver = discovery_solver(at);
    struct guess *held = hold_guess_of_steps(at);
    if (held)
        solver.guess = held;
    at->steps.held = held;
    const int n = at->pool.n;
    const char *what = gap_tol > 0 ? " whose gaps change as their velocities say" : "";
    const size_t most = (size_t)most_starts(at);
    bool *lingers = mem_alloc(2 * most, sizeof *lingers);
    struct step_starts *made = gap_tol > 0 ? &at->steps.true_gaps : &at->steps.plain;
    const struct starting straight = { .gap_tol = gap_tol, .before = *made, .what = what };
    enum status st = discover_from_starts(at, &solver, &straight, lingers, made);
    if (st == STATUS_OK && at->pool.n == n && !pool_has_solution(&at->pool) && !at->steps.exploit)
        st = discover_from_starts(at, &solver,
                                  &(struct starting){ .patient = true,
                                                      .gap_tol = gap_tol,
                                                      .lingers = lingers,
                                                      .what = " with the homotopy carried to its end" },
                                  lingers + most, NULL);
    free(lingers);
    hand_over_steps(at, &solver);
    guess_free(held);
    return st;
}

static enum status discover_by_steps(struct discovery *at)
{
    return by_steps(at, 0);
}

const struct generator by_time_steps = { .is = BY_TIME_STEPS, .goes_on = true, .run = discover_by_steps };

/* Steps that have exploited their grid once more, now without: gaps change as their velocities say. */
static enum status discover_by_true_steps(struct discovery *at)
{
    if (!(at->steps.fastest > AT_REST))               /* what moves that little was no exploit of a motion */
        return STATUS_OK;
    const int n_finished = at->out->record.n_finished;
    solve_note(at->task, "time-stepping once more: in each step a gap changes as its velocity says");
    at->steps.exploit = false;
    const enum status st = by_steps(at, TRUE_CHANGE * at->steps.fastest);
    at->steps.exploit = at->out->record.n_finished == n_finished;   /* else these have said what should happen
                                                                     * (plan.c) */
    return st;
}

const struct generator by_true_steps = { .is = BY_TRUE_STEPS, .goes_on = true, .run = discover_by_true_steps };

/* The same of switches without contacts, from fixed steps of the spec's grid. */
static enum status discover_by_switches(struct discovery *at)
{
    struct solver solver = discovery_solver(at);
    bool *lingers = mem_alloc((size_t)most_starts(at), sizeof *lingers);
    const struct starting straight = { .before = at->steps.plain, .what = "" };
    const enum status st = discover_from_starts(at, &solver, &straight, lingers, &at->steps.plain);
    free(lingers);
    attempt_end(&solver);
    const bool wants_motion =
        st == STATUS_OK && !at->pool.clear && !at->simulations.made && !discovery_must_stop(at);
    return wants_motion ? generate(at, &by_guess_simulation) : st;
}

const struct generator by_fixed_steps = { .is = BY_FIXED_STEPS, .goes_on = true, .run = discover_by_switches };
