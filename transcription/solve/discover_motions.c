#include "transcription/solve/generator.h"

#include "transcription/phases/aim.h"
#include "transcription/phases/bounces.h"
#include "transcription/phases/orbit.h"
#include "transcription/phases/recipe.h"
#include "transcription/phases/simulated.h"
#include "transcription/solve/recipe.h"

#include <math.h>

/* Whether one more prefix is finished, with k events: short ones until too many in a row have had no solution, then the
 * whole; and, however many events come before, those in which bounces have come to rest. */
static bool is_tried(const struct finishing *at, const struct extract *whole, int k, int n_failed, int n_rest)
{
    if (k <= MOST_PREFIXES)
        return n_failed < PREFIX_FAILURES || k == whole->seq->n_event;
    return n_rest < MOST_RESTS && bounces_end_any(at->out->sys, whole->seq, k - 1);
}

/* A motion knows which contacts hit, not when they should: where none of its prefixes has a solution, these are set free,
 * with one event more as long as that is better. */
static enum status set_prefixes_free(struct finishing *at, const struct extract *whole)
{
    enum status st = STATUS_OK;
    bool better = true;
    for (int k = 1; k <= whole->seq->n_event && k <= MOST_PREFIXES && better && st == STATUS_OK && !finishing_must_stop(at); k++) {
        const double best = pool_has_solution(&at->pool) ? at->pool.found[0].objective : INFINITY;
        struct extract from = extract_prefix(whole, k);
        st = finishing_set_free(at, &from, false);
        better = !pool_has_solution(&at->pool) || at->pool.found[0].objective < best;
        extract_free(&from);
    }
    return st;
}

/* Is a prefix still to be finished? An order that was set free and has a solution has shown its times. */
static bool is_open(const struct finishing *at, const struct sequence *seq)
{
    bool has_solution = false;
    for (int k = 0; k < at->pool.n && !has_solution; k++)
        has_solution = at->pool.found[k].solved && sequence_same_order(at->pool.found[k].ph->seq, seq);
    return !has_solution || !finishing_was_set_free(at, seq);
}

/* Prefixes of a motion that no other one began with, the shortest first. */
static enum status finish_prefixes(struct finishing *at, const struct extract *whole)
{
    enum status st = STATUS_OK;
    int n_failed = 0, n_rest = 0;
    at->one_of_many = true;
    for (int k = 0; k <= whole->seq->n_event && st == STATUS_OK && !finishing_must_stop(at); k++) {
        if (!is_tried(at, whole, k, n_failed, n_rest))
            continue;
        const int n_finished = at->out->record.n_finished;
        struct extract from = extract_prefix(whole, k);
        if (is_open(at, from.seq) && finishing_is_new(at, from.seq)) {
            bool decided;
            st = finishing_smooth(at, &from, &decided);
            if (st == STATUS_OK && !decided)
                st = finishing_sequence(at, &from, false);
            n_failed = at->out->record.n_finished > n_finished ? 0 : n_failed + 1;
        }
        extract_free(&from);
        n_rest += k > MOST_PREFIXES;
    }
    const bool may_set_free = (at->traits & TRAIT_REBOUNDS) && finishing_may_set_free(at);
    if (st == STATUS_OK && may_set_free && !pool_has_solution(&at->pool))
        st = set_prefixes_free(at, whole);
    at->one_of_many = false;
    return st;
}

/* What the controls of time steps lead to with restitution. */
enum status discover_in_motion(struct finishing *at, const struct samples *steps)
{
    const struct simulated_limits limits = { solve_seconds_left(at->task, at->start), at->task->interrupt };
    struct counting counting;
    if (!counts_begin(finishing_counts(at), BY_STEPS_IN_MOTION, &counting))
        return STATUS_OK;
    struct sim *sim = simulated_samples(at->task->model, steps, &limits);
    struct extract whole;
    enum status st = STATUS_OK;
    finishing_begin(at, "sequence of a simulation with the controls of the time steps");
    if (sim && extract_simulation(at->out->sys, sim, &whole)) {
        st = finish_prefixes(at, &whole);
        extract_free(&whole);
    }
    counts_end(&counting);
    sim_free(sim);
    return st;
}

/* The same of switches, whole: fixed steps that are coarser than what happens leave out a crossing and its way back,
 * and tell which of two in one step came first by chance. A motion knows both. */
enum status discover_steps_in_motion(struct finishing *at, const struct samples *steps)
{
    const struct simulated_limits limits = { solve_seconds_left(at->task, at->start), at->task->interrupt };
    struct extract from;
    enum status st = STATUS_OK;
    struct counting counting;
    if (!counts_begin(finishing_counts(at), BY_STEPS_IN_MOTION, &counting))
        return STATUS_OK;
    finishing_begin(at, "sequence of a simulation with the controls of the fixed steps");
    struct sim *sim = simulated_samples(at->task->model, steps, &limits);
    if (sim && extract_simulation(at->out->sys, sim, &from)) {
        if (finishing_is_new(at, from.seq))
            st = finishing_sequence(at, &from, false);
        extract_free(&from);
    }
    counts_end(&counting);
    sim_free(sim);
    return st;
}

/* Is it of use to finish this sequence? Not once its modes, in this order, have a solution, or have none often enough. */
static bool order_is_open(const struct finishing *at, const struct sequence *seq)
{
    int tries = 0;
    for (int k = 0; k < at->pool.n; k++)
        if (at->pool.found[k].ph && sequence_same_order(at->pool.found[k].ph->seq, seq))
            tries += at->pool.found[k].solved ? ORDER_TRIES : 1;
    return tries < ORDER_TRIES;
}

bool discover_motion(const struct finishing *at, int k, struct extract *whole)
{
    const struct simulated_limits limits = { solve_seconds_left(at->task, at->start), at->task->interrupt };
    struct sim *sim = simulated_start(at->task->model, finishing_seed(at), k, &limits);
    const bool usable = sim && extract_simulation(at->out->sys, sim, whole);
    sim_free(sim);
    return usable;
}

/* The first few long ones whole, too: of what they begin with little may be left that is of use. */
static bool is_relay_tried(const struct extract *whole, int k, int n_long)
{
    return k <= MOST_PREFIXES || (k == whole->seq->n_event && n_long < RELAY_LONG);
}

/* Where relays remember, every order of switching is a problem of its own that no neighbour leads to: all that motions
 * show are finished. */
static enum status discover_orders(struct finishing *at)
{
    enum status st = STATUS_OK;
    int n_long = 0;
    for (int k = 0; k <= RELAY_MOTIONS && st == STATUS_OK && !finishing_must_stop(at); k++) {
        struct extract whole;
        finishing_begin(at, "sequence of simulation %d of at most %d", k + 1, RELAY_MOTIONS + 1);
        const bool usable = discover_motion(at, k, &whole);
        for (int n = 0; usable && n <= whole.seq->n_event && st == STATUS_OK && !finishing_must_stop(at); n++) {
            if (!is_relay_tried(&whole, n, n_long))
                continue;
            struct extract from = extract_prefix(&whole, n);
            if (order_is_open(at, from.seq)) {
                st = finishing_sequence(at, &from, false);
                n_long += n > MOST_PREFIXES;
            } else {
                counts_repeated(finishing_counts(at));
            }
            extract_free(&from);
        }
        if (usable)
            extract_free(&whole);
    }
    return st;
}

const struct generator by_relay_orders = { BY_RELAY_ORDERS, discover_orders };

/* Iterations: has the search for a second opinion cost more than it can be worth? */
static bool is_dear(int first, int second)
{
    return second > SECOND_MOTION && second > SECOND_PARTS * first;
}

/* The guess, simulated from event to event, then random motions until some have led to solutions (phases.md 6): every
 * prefix of their events is finished. */
static enum status discover_by_simulation(struct finishing *at)
{
    const unsigned seed = finishing_seed(at);
    const int *iterations = &at->out->record.work.iterations, before = *iterations;
    enum status st = STATUS_OK;
    int n = 0, n_broken = 0, first = 0;         /* iterations with the first solution */
    int n_vain = 0;                             /* random ones that have led nowhere: one line says so of all */
    at->moved = true;
    for (int k = 0; k <= SIMULATED_STARTS && n < MOTIONS_ENOUGH && st == STATUS_OK && !finishing_must_stop(at); k++) {
        const struct simulated_limits limits = { solve_seconds_left(at->task, at->start), at->task->interrupt };
        finishing_begin(at, "sequence of simulation %d of at most %d, with %s controls", k + 1, SIMULATED_STARTS + 1,
                    k ? "random" : "the guessed");
        struct sim *sim = simulated_start(at->task->model, seed, k, &limits);
        struct extract whole;
        const int n_finished = at->out->record.n_finished;
        if (sim && extract_simulation(at->out->sys, sim, &whole)) {
            st = finish_prefixes(at, &whole);
            extract_free(&whole);
        }
        if (n == 0)
            first = *iterations - before;
        n_broken += !sim;
        n += at->out->record.n_finished > n_finished;
        n_vain += k > 0 && at->out->record.n_finished == n_finished;
        if (k == 0 && at->out->record.n_finished == n_finished)
            solve_headline(at->task, "%s: no solution near it", at->what);
        sim_free(sim);
        if (n > 0 && is_dear(first, *iterations - before - first) && counts_gate(finishing_counts(at), DEAR_MOTIONS))
            break;
    }
    if (n_vain > 0)
        solve_headline(at->task, "%d simulation%s with random controls: no solution near %s", n_vain, n_vain == 1 ? "" : "s",
                       n_vain == 1 ? "it" : "any of them");
    at->breaks_off = n_broken > SIMULATED_STARTS / 2;
    return st;
}

const struct generator by_simulation = { BY_SIMULATION, discover_by_simulation };

/* Motion k; one whose order has led somewhere, or often nowhere, only where `known`. */
static enum status finish_motion(struct finishing *at, int k, bool known)
{
    struct extract from;
    enum status st = STATUS_OK;
    if (discover_motion(at, k, &from)) {
        if (from.seq->n_event <= MOST_PREFIXES && (known || order_is_open(at, from.seq)))
            st = finishing_sequence(at, &from, false);
        extract_free(&from);
    }
    return st;
}

/* The motion of the guess of switches alone, beside what fixed steps show: these come to the optimum of a program
 * that is relaxed, which may be another one (a gait of least effort that is a free motion). */
static enum status discover_guess_in_motion(struct finishing *at)
{
    at->moved = true;
    finishing_begin(at, "sequence of a simulation with the guessed controls");
    return finish_motion(at, 0, false);
}

const struct generator by_guess_simulation = { BY_GUESSED_MOTION, discover_guess_in_motion };

/* Shorter elements err less. */
static enum status discover_motion_again(struct finishing *at)
{
    at->elements = MOTION_ELEMENTS;
    finishing_begin(at, "sequence of a simulation with the guessed controls, in %d elements per control interval", at->elements);
    return finish_motion(at, 0, true);
}

const struct generator by_finer_simulation = { BY_FINER_MOTION, discover_motion_again };

/* Turns of long motions, where no control moves what is to come back to where it began. */
static enum status discover_orbit(struct finishing *at)
{
    enum status st = STATUS_OK;
    if (!(at->traits & TRAIT_ORBIT))
        return st;
    for (int k = 0; k <= SIMULATED_STARTS && st == STATUS_OK && !pool_has_solution(&at->pool)
                    && !finishing_must_stop(at); k++) {
        const struct simulated_limits limits = { solve_seconds_left(at->task, at->start), at->task->interrupt };
        finishing_begin(at, "a period of a long simulation with %s controls", k ? "random" : "the guessed");
        struct sim *sim = orbit_of_start(at->task->model, finishing_seed(at), k, &limits);
        struct extract from;
        if (sim && extract_simulation(at->out->sys, sim, &from)) {
            st = finishing_sequence(at, &from, true);
            extract_free(&from);
        } else {
            solve_headline(at->task, "%s: it does not become periodic", at->what);
        }
        sim_free(sim);
    }
    return st;
}

const struct generator by_orbit = { BY_ORBIT, discover_orbit };

/* Random motions of what never switches, as many as the user asks for: a way around obstacles is not left for another one. */
static enum status discover_other_motions(struct finishing *at)
{
    const int n = discover_starts_asked(at) - 1;
    enum status st = STATUS_OK;
    for (int k = 1; k <= n && st == STATUS_OK && !finishing_must_stop(at); k++) {
        finishing_begin(at, "sequence of a simulation with random controls, %d of %d", k, n);
        st = finish_motion(at, k, true);
    }
    return st;
}

const struct generator by_random_simulations = { BY_RANDOM_MOTIONS, discover_other_motions };

/* The sequence of the best motion so far. One that was tried is tried again from a motion that comes much nearer. */
static enum status finish_aimed(struct finishing *at, const struct aim *aim, bool repair, double *tried)
{
    struct extract from;
    enum status st = STATUS_OK;
    if (!aim_best(aim) || !extract_simulation(at->out->sys, aim_best(aim), &from))
        return STATUS_OK;
    if (finishing_is_new(at, from.seq) || repair || aim_missed(aim) < AIM_NEARER * *tried) {
        *tried = aim_missed(aim);
        st = finishing_sequence(at, &from, repair);
    }
    extract_free(&from);
    return st;
}

/* Motions aimed at the goal, generation by generation, until the sequence of one has a solution in which something
 * happens; the last with its neighbours. Where what is wanted stands in the costs, later ones may be better: all are
 * drawn. */
static enum status aim_from(struct finishing *at, unsigned seed)
{
    struct aim *aim = aim_create(at->task->model, seed);
    enum status st = STATUS_OK;
    double tried = INFINITY;
    const int n_finished = at->out->record.n_finished;
    bool enough = false;
    for (int k = 0; k < AIM_GENERATIONS && !enough && st == STATUS_OK && !finishing_must_stop(at); k++) {
        const struct simulated_limits limits = { solve_seconds_left(at->task, at->start), at->task->interrupt };
        const bool last = k + 1 == AIM_GENERATIONS;
        aim_generation(aim, &limits);
        finishing_begin(at, "search of controls by cross-entropy, round %d of at most %d; the best misses final values by %.2g", k + 1, AIM_GENERATIONS, aim_missed(aim));
        if (k >= AIM_FIRST)
            st = finish_aimed(at, aim, last, &tried);
        enough = (at->traits & TRAIT_AIM) && at->out->record.n_finished > n_finished && pool_has_motion(&at->pool);
    }
    aim_free(aim);
    return st;
}

/* A second population where nothing but motions knows what happens and no goal says when the first is enough: generations
 * gather around what they began with (phases.md 6). */
static int most_populations(const struct finishing *at)
{
    if (discover_asks_for_all(at))
        return discover_starts_asked(at);
    if (at->traits & TRAIT_AIM)
        return AIM_TRIES;
    return at->traits & TRAIT_STEPS ? 1 : 2;
}

/* Others are drawn while a goal is missed; in space, where motions take long, while nothing else has led to a solution. */
static bool is_aimed_enough(const struct finishing *at, bool led_somewhere)
{
    const bool solved = led_somewhere || ((at->traits & TRAIT_SPACE_SLIP) && pool_has_solution(&at->pool));
    return solved && (at->traits & TRAIT_AIM) && !discover_asks_for_all(at);
}

static enum status discover_by_aiming(struct finishing *at)
{
    if (!(at->traits & TRAIT_AIMED))
        return STATUS_OK;
    const int n_finished = at->out->record.n_finished, most = most_populations(at);
    enum status st = aim_from(at, finishing_seed(at));
    for (int k = 1; k < most && !is_aimed_enough(at, at->out->record.n_finished > n_finished) && st == STATUS_OK
                    && !finishing_must_stop(at); k++)
        st = aim_from(at, finishing_seed(at) + (unsigned)k * AIM_AGAIN);
    return st;
}

const struct generator by_cross_entropy = { BY_CROSS_ENTROPY, discover_by_aiming };

/* Others, until one leads to a solution: where that is not dear (phases.md 6). */
static enum status discover_by_other_aims(struct finishing *at)
{
    const unsigned n_before = 2;                /* populations of discover_by_aiming */
    enum status st = STATUS_OK;
    if (!(at->traits & TRAIT_AIMED))
        return STATUS_OK;
    for (unsigned k = 0; k < AIM_OTHERS && st == STATUS_OK && !pool_has_solution(&at->pool)
                         && !finishing_must_stop(at); k++)
        st = aim_from(at, finishing_seed(at) + (n_before + k) * AIM_AGAIN);
    return st;
}

const struct generator by_more_populations = { BY_MORE_POPULATIONS, discover_by_other_aims };
