/* Simulations from event to event, one driver for all: whose controls they follow, how many there may be, and what
 * of each motion is proposed. */
#include "transcription/generators/generator.h"

#include "core/base/mem.h"
#include "transcription/candidates/budget.h"
#include "transcription/candidates/continuations.h"
#include "transcription/multiphase/rows/bounces.h"
#include "transcription/reading/simulated.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>

enum {
    PREFIX_FAILURES = 4,            /* prefixes in a row without a solution: more have led to nothing (157 problems) */
    MOST_RESTS = 2,                 /* prefixes beyond MOST_PREFIXES, ends of bounces that come to rest */
    SECOND_MOTION = 1000,           /* iterations after the first solution, at least, and */
    SECOND_PARTS = 4,               /* times as many as it took, before a second one is given up (coin_steer: 350, then 6,000) */
    RELAY_LONG = 3,                 /* motions with more events than MOST_PREFIXES that are finished as a whole: two rooms and a
                                     * thermostat 37.58, whose guess has ten; 120.2 from its first eight */
    RELAY_MOTIONS = 100,            /* random ones where relays remember: a second or less; one in 16 switches twice */
    ORDER_TRIES = 3                 /* programs of one order of modes, from different motions, while none is solved */
};

#define BESIDE_SHARE 0.5            /* of all work before: motions while time steps have more starts */

enum controls {
    OF_START,                       /* the guess's, then random ones (simulated.h) */
    OF_STEPS                        /* those of a trajectory */
};

enum parts {
    PREFIXES,                       /* each beginning, the shortest first; then these with free intervals, where
                                     * nothing is solved */
    ORDERS,                         /* beginnings whose modes, in their order, are not known */
    WHOLE,
    WHOLE_IF_NEW,
    WHOLE_IF_OPEN                   /* unless its modes, in their order, are known */
};

struct simulations {
    enum controls controls;
    enum parts parts;
    int first, most;                /* starts, the last one included */
    bool once;                      /* it says that simulations have been made */
    bool counts_vain;               /* until two have led to solutions; what led nowhere is told of in the end */
    bool brief;                     /* a motion whose first prefix has no solution is left at once */
    bool as_asked;                  /* as many as the user asks for, at most */
    double share;                   /* of all work before, until one leads to a solution; 0: whatever they take */
    const char *what;               /* one of them, in words; NULL: by its number */
};

/* On its way through them. */
struct simulating {
    const struct simulations *how;
    const struct samples *of;
    int k, last;                    /* the next start; the last one */
    bool enough;
    /* The motion at work: */
    bool is_open;
    bool came_to_end;               /* its simulation did */
    struct extract whole;           /* seq NULL: it shows none */
    int part;                       /* the next one */
    bool frees;                     /* parts are those with free intervals now */
    double best, below;             /* objective before the last of these; that with free intervals
                                     * (candidate.h) */
    int n_failed, n_rest;           /* prefixes in a row without a solution; with bounces that come to rest */
    int n_finished;                 /* solutions before it */
    /* All of them: */
    int n_long;                     /* orders with many events */
    int n_led, n_broken, n_vain;    /* that led to a solution; did not come to their end; random ones that led
                                     * nowhere */
    int before, until_first;        /* iterations before all; with the first solution */
    double budget;                  /* work of the solve at which they are cut short; INFINITY: never */
};

/* --- What of a motion is proposed ---------------------------------------------------------------------------- */

/* Whether one more prefix is finished, with k events: short ones until too many in a row have had no solution,
 * then the whole; and, however many events come before, those in which bounces have come to rest. */
static bool is_prefix_tried(const struct discovery *at, const struct simulating *now)
{
    const struct extract *whole = &now->whole;
    const int k = now->part;
    if (now->how->brief && now->n_failed > 0 && at->out->record.n_finished == now->n_finished)
        return false;
    if (k <= MOST_PREFIXES)
        return now->n_failed < PREFIX_FAILURES || k == whole->seq->n_event;
    return now->n_rest < MOST_RESTS && bounces_end_any(at->out->sys, whole->seq, k - 1);
}

/* Is a prefix still to be finished? An order that was set free and has a solution has shown its times. */
static bool is_open(const struct discovery *at, const struct sequence *seq)
{
    bool has_solution = false;
    for (int k = 0; k < at->pool.n && !has_solution; k++)
        has_solution = at->pool.found[k].solved && sequence_same_order(at->pool.found[k].ph->seq, seq);
    return !has_solution || !free_intervals_know(at, seq);
}

/* The next prefix that no other motion began with. */
static bool next_prefix(struct discovery *at, struct simulating *now, struct candidate *out)
{
    for (; now->part <= now->whole.seq->n_event && !discovery_must_stop(at); now->part++) {
        if (!is_prefix_tried(at, now))
            continue;
        struct extract from = extract_prefix(&now->whole, now->part);
        now->n_rest += now->part > MOST_PREFIXES;
        if (is_open(at, from.seq) && discovery_is_new(at, from.seq)) {
            now->part++;
            *out = (struct candidate){ .from = from, .undecided = true, .one_of_many = true };
            return true;
        }
        extract_free(&from);
    }
    return false;
}

/* A motion knows which contacts hit, not when they should: where none of its prefixes has a solution, these are
 * set free, with one event more as long as that is better. */
static bool next_free_prefix(struct discovery *at, struct simulating *now, struct candidate *out)
{
    const bool has_solution = pool_has_solution(&at->pool);
    if (!now->frees) {
        if (has_solution || !(at->traits & TRAIT_REBOUNDS) || !free_intervals_fit(at))
            return false;
        now->frees = true;
        now->part = 1;
    } else if (has_solution && !(at->pool.found[0].objective < now->best))
        return false;
    if (now->part > now->whole.seq->n_event || now->part > MOST_PREFIXES || discovery_must_stop(at))
        return false;
    now->best = has_solution ? at->pool.found[0].objective : INFINITY;
    now->below = INFINITY;
    *out = (struct candidate){ .from = extract_prefix(&now->whole, now->part++),
                               .free_below = &now->below,
                               .one_of_many = true };
    return true;
}

/* Is it of use to finish this sequence? Not once its modes, in this order, have a solution,
 * or have none often enough. */
static bool order_is_open(const struct discovery *at, const struct sequence *seq)
{
    int tries = 0;
    for (int k = 0; k < at->pool.n; k++)
        if (at->pool.found[k].ph && sequence_same_order(at->pool.found[k].ph->seq, seq))
            tries += at->pool.found[k].solved ? ORDER_TRIES : 1;
    return tries < ORDER_TRIES;
}

/* The first few long ones whole, too: of what they begin with little may be left that is of use. */
static bool is_order_tried(const struct simulating *now)
{
    const int k = now->part;
    return k <= MOST_PREFIXES || (k == now->whole.seq->n_event && now->n_long < RELAY_LONG);
}

/* Where relays remember, every order of switching is a problem of its own that no neighbour leads to: all
 * that motions show are solved. */
static bool next_order(struct discovery *at, struct simulating *now, struct candidate *out)
{
    for (; now->part <= now->whole.seq->n_event && !discovery_must_stop(at); now->part++) {
        if (!is_order_tried(now))
            continue;
        struct extract from = extract_prefix(&now->whole, now->part);
        if (order_is_open(at, from.seq)) {
            now->n_long += now->part++ > MOST_PREFIXES;
            *out = (struct candidate){ .from = from };
            return true;
        }
        counts_repeated(discovery_counts(at));
        extract_free(&from);
    }
    return false;
}

static bool is_whole_wanted(struct discovery *at, const struct simulating *now)
{
    const struct sequence *seq = now->whole.seq;
    if (now->how->parts == WHOLE_IF_NEW)
        return discovery_is_new(at, seq);
    return seq->n_event <= MOST_PREFIXES && (now->how->parts == WHOLE || order_is_open(at, seq));
}

static bool take_whole(struct discovery *at, struct simulating *now, struct candidate *out)
{
    if (now->part++ > 0 || !is_whole_wanted(at, now))
        return false;
    *out = (struct candidate){ .from = now->whole };
    now->whole = (struct extract){ NULL, NULL, 0 };
    return true;
}

static bool next_part(struct discovery *at, struct simulating *now, struct candidate *out)
{
    if (!now->whole.seq)
        return false;
    if (now->how->parts == PREFIXES)
        return (!now->frees && next_prefix(at, now, out)) || next_free_prefix(at, now, out);
    return now->how->parts == ORDERS ? next_order(at, now, out) : take_whole(at, now, out);
}

/* --- One motion ---------------------------------------------------------------------------------------------- */

bool simulation_whole(const struct discovery *at, int k, struct extract *whole)
{
    const struct simulated_limits limits = discovery_limits(at);
    struct sim *sim = simulated_start(at->task->model, discovery_seed(at), k, &limits);
    const bool usable = sim && extract_simulation(at->out->sys, sim, whole);
    sim_free(sim);
    return usable;
}

static struct sim *simulate(const struct discovery *at, const struct simulating *now)
{
    const struct simulated_limits limits = discovery_limits(at);
    struct model *model = at->task->model;
    switch (now->how->controls) {
        case OF_START: return simulated_start(model, discovery_seed(at), now->k, &limits);
        case OF_STEPS: return simulated_samples(model, now->of, &limits);
    }
    return NULL;
}

static void tell(struct discovery *at, const struct simulating *now)
{
    const int number = now->k - now->how->first + 1, most = now->last - now->how->first + 1;
    const char *whose = now->k ? "random" : "the guessed", *what = now->how->what;
    if (now->how->counts_vain)
        discovery_begin(at, "sequence of simulation %d of at most %d, with %s controls", number, most, whose);
    else if (now->how->parts == ORDERS)
        discovery_begin(at, "sequence of simulation %d of at most %d", number, most);
    else if (now->how->as_asked)
        discovery_begin(at, "sequence of a simulation with random controls, %d of %d", number, most);
    else
        discovery_begin(at, "%s", what);
}

static void open_motion(struct discovery *at, struct simulating *now)
{
    tell(at, now);
    struct sim *sim = simulate(at, now);
    now->whole = (struct extract){ NULL, NULL, 0 };
    if (!sim || !extract_simulation(at->out->sys, sim, &now->whole))
        now->whole.seq = NULL;
    now->came_to_end = sim;
    now->is_open = true;
    now->part = now->n_failed = now->n_rest = 0;
    now->frees = false;
    now->n_finished = at->out->record.n_finished;
    sim_free(sim);
}

/* Iterations: has the search for a second opinion cost more than it can be worth? */
static bool is_dear(int first, int second)
{
    return second > SECOND_MOTION && second > SECOND_PARTS * first;
}

/* What the guess and random controls have come to, up to a second opinion (phases.md "Gates"). */
static void count_motion(struct discovery *at, struct simulating *now)
{
    const int spent = at->out->record.work.iterations - now->before;
    const bool solved = at->out->record.n_finished > now->n_finished;
    if (now->n_led == 0)
        now->until_first = spent;
    now->n_broken += !now->came_to_end;
    now->n_led += solved;
    now->n_vain += now->k > 0 && !solved;
    if (now->k == 0 && !solved)
        solve_headline(at->task, "%s: no solution near it", at->what);
    now->enough = now->n_led > 0 && is_dear(now->until_first, spent - now->until_first)
                  && counts_gate(discovery_counts(at), DEAR_MOTIONS);
}

static void close_motion(struct discovery *at, struct simulating *now)
{
    if (now->how->counts_vain)
        count_motion(at, now);
    if (now->whole.seq)
        extract_free(&now->whole);
    now->whole.seq = NULL;
    now->is_open = false;
    now->k++;
}

/* --- All of them --------------------------------------------------------------------------------------------- */

static void *begin(struct discovery *at, const void *how, const struct samples *of)
{
    struct simulating *now = mem_alloc(1, sizeof *now);
    const struct simulations *simulations = how;
    *now = (struct simulating){ .how = simulations, .of = of, .k = simulations->first, .last = simulations->most,
                                .before = at->out->record.work.iterations, .budget = INFINITY };
    if (simulations->as_asked)
        now->last = discovery_starts(at) - 1;
    if (simulations->share > 0)
        now->budget = budget_spent(at) + budget_share(at, simulations->share);
    if (simulations->counts_vain)
        now->k += at->simulations.next;
    if (simulations->once)
        at->simulations.made = true;
    return now;
}

static bool is_cut_short(const struct discovery *at, const struct simulating *now)
{
    return now->n_led == 0 && budget_spent(at) > now->budget;
}

static bool wants_motion(const struct discovery *at, const struct simulating *now)
{
    return now->k <= now->last && !now->enough && now->n_led < MOTIONS_ENOUGH && !discovery_must_stop(at);
}

static bool next(struct discovery *at, void *state, struct candidate *out, enum status *st)
{
    struct simulating *now = state;
    bool any = false;
    (void)st;
    while (!any && !is_cut_short(at, now) && (now->is_open || wants_motion(at, now))) {
        if (!now->is_open)
            open_motion(at, now);
        any = next_part(at, now, out);
        if (!any)
            close_motion(at, now);
    }
    return any;
}

static void learn(struct discovery *at, void *state, bool solved)
{
    struct simulating *now = state;
    (void)at;
    now->n_failed = solved ? 0 : now->n_failed + 1;
}

static void end(struct discovery *at, void *state)
{
    struct simulating *now = state;
    const bool cut_short = is_cut_short(at, now);
    const int next_start = cut_short ? now->k : 0;              /* of what is open more parts may follow */
    if (now->is_open)
        close_motion(at, now);
    if (now->n_vain > 0)
        solve_headline(at->task, "%d simulation%s with random controls: no solution near %s", now->n_vain,
                       now->n_vain == 1 ? "" : "s", now->n_vain == 1 ? "it" : "any of them");
    if (now->how->counts_vain) {
        at->simulations.cut_short = cut_short;
        at->simulations.next = next_start;
        at->simulations.break_off = now->n_broken > SIMULATED_STARTS / 2;
    }
    free(now);
}

/* --- The ways of simulation ---------------------------------------------------------------------------------- */

#define GUESSED "sequence of a simulation with the guessed controls"

static const struct simulations until_two_led = {
    .parts = PREFIXES, .most = SIMULATED_STARTS, .once = true, .counts_vain = true
};
static const struct simulations beside_steps = {
    .parts = PREFIXES, .most = SIMULATED_STARTS, .once = true, .counts_vain = true, .share = BESIDE_SHARE
};
static const struct simulations with_restitution = {
    .controls = OF_STEPS, .parts = PREFIXES, .what = "sequence of a simulation with the controls of the time steps"
};
/* Fixed steps that are coarser than what happens leave out a crossing and its way back, and tell which of two in
 * one step came first by chance. A motion knows both. */
static const struct simulations of_fixed_steps = {
    .controls = OF_STEPS,
    .parts = WHOLE_IF_NEW,
    .what = "sequence of a simulation with the controls of the fixed steps"
};
static const struct simulations of_relays = { .parts = ORDERS, .most = RELAY_MOTIONS };
/* Of switches alone, beside what fixed steps show: these come to the optimum of a program that is relaxed, which
 * may be another one (a gait of least effort that is a free motion). */
static const struct simulations of_guess = { .parts = WHOLE_IF_OPEN, .once = true, .what = GUESSED };
/* Of friction in space, before time steps: what lies or slides as its guess does is found at once (coin_steer: 488
 * iterations in place of 10,800), and elsewhere the motion of the guess has led nowhere by its first prefix. */
static const struct simulations of_guess_in_space = { .parts = PREFIXES, .brief = true, .what = GUESSED };
/* A way around obstacles is not left for another one. */
static const struct simulations at_random = { .parts = WHOLE, .first = 1, .as_asked = true };
#define WAY(name, what) { .is = (name), .how = &(what), .begin = begin, .next = next, .learn = learn, .end = end }

const struct generator by_simulation = WAY(BY_SIMULATION, until_two_led);
const struct generator by_simulation_beside_steps = WAY(BY_SIMULATION, beside_steps);
const struct generator by_simulated_steps = WAY(BY_STEPS_IN_MOTION, with_restitution);
const struct generator by_simulated_fixed_steps = WAY(BY_STEPS_IN_MOTION, of_fixed_steps);
const struct generator by_relay_orders = WAY(BY_RELAY_ORDERS, of_relays);
const struct generator by_guess_simulation = WAY(BY_GUESSED_MOTION, of_guess);
const struct generator by_guess_in_space = WAY(BY_GUESSED_MOTION, of_guess_in_space);
const struct generator by_random_simulations = {
    .is = BY_RANDOM_MOTIONS, .how = &at_random, .begin = begin, .next = next, .learn = learn, .end = end, .goes_on = true
};
