#include "transcription/solve/finishing_parts.h"

#include "transcription/sequence/recipe.h"
#include "transcription/solve/recipe.h"

/* Contacts in whose solution nothing happens, though time steps have not said that nothing should: they do not take the
 * model, or exploit their grid. What dry friction holds, or never touches, is stationary, whatever waits beyond
 * (phases.md 6, 19). */
static bool holds_still(const struct finishing *at)
{
    const bool asked = (at->traits & TRAIT_STEPS) && !at->exploits;
    return (at->traits & TRAIT_CONTACTS) && !(at->traits & TRAIT_RELAYS) && !asked && pool_has_solution(&at->pool)
           && !pool_has_motion(&at->pool);
}

/* Where motions alone show what happens the first that leads to a solution is any motion: others are aimed, unless
 * simulations break off. In space, where a goal that stands in the constraints is enough to find the way, where it
 * stands in the costs. Where there are no controls but parameters, of which few numbers say all. */
static bool wants_aim(const struct finishing *at)
{
    const bool in_space = (at->traits & TRAIT_SPACE_SLIP) && !(at->traits & TRAIT_AIM);
    return at->round == 0 && !at->breaks_off
           && (in_space || (at->traits & (TRAIT_ONLY_MOTION_KNOWS | TRAIT_ONLY_PARAMETERS)));
}

/* Of one sequence other starts: where the guess led nowhere its motion, of which shorter elements err less, and
 * random ones that the user asks for. */
static enum status discover_unswitched(struct finishing *at)
{
    enum status st = STATUS_OK;
    if (!pool_has_solution(&at->pool) && !finishing_must_stop(at))
        st = finishing_by(at, BY_GUESSED_MOTION, discover_guess_in_motion);
    if (st == STATUS_OK && !pool_has_solution(&at->pool) && !finishing_must_stop(at)) {
        at->elements = MOTION_ELEMENTS;
        st = finishing_by(at, BY_FINER_MOTION, discover_motion_again);
    }
    if (st == STATUS_OK && discover_asks_for_all(at))
        st = finishing_by(at, BY_RANDOM_MOTIONS, discover_other_motions);
    return st;
}

/* Is the best order of relays a long one? Then it is that of one motion, which may be any: others are aimed. */
static bool has_long_order(const struct finishing *at)
{
    return (at->traits & TRAIT_RELAYS) && at->round == 0 && at->pool.found[0].ph->seq->n_event > MOST_PREFIXES;
}

/* Switches alone. */
static enum status discover_switched(struct finishing *at)
{
    const bool switches = at->traits & TRAIT_SWITCHES;
    enum status st = STATUS_OK;
    if (!(at->traits & TRAIT_RELAYS) && !pool_has_solution(&at->pool))
        st = switches ? finishing_by(at, BY_FIXED_STEPS, discover_by_switches) : finishing_by(at, BY_ONE_MODE, discover_smooth);
    if (st == STATUS_OK)
        st = switches ? finishing_repair_cheaper(at) : discover_unswitched(at);
    if (st == STATUS_OK && !pool_has_solution(&at->pool) && at->round == 0)
        st = finishing_by(at, BY_ORBIT, discover_orbit);
    if (st == STATUS_OK && switches && (!pool_has_solution(&at->pool) || has_long_order(at)))
        st = finishing_by(at, BY_CROSS_ENTROPY, discover_by_aiming);
    return st;
}

/* What moves in a solution, by motions where time steps know too little: of restitution, or of slip in space. *leads: a
 * motion that was not aimed has led to one, as it is. */
static enum status discover_motion_first(struct finishing *at, bool *leads)
{
    enum status st = STATUS_OK;
    if (at->traits & TRAIT_RELAYS)
        return STATUS_OK;
    if (!(at->traits & TRAIT_UNTIL))
        st = finishing_by(at, BY_SIMULATION, discover_by_simulation);
    *leads = pool_has_solution(&at->pool);
    if (st == STATUS_OK && !*leads)
        st = finishing_repair_simplest(at);
    if (st == STATUS_OK && !at->breaks_off && (!pool_has_motion(&at->pool) || wants_aim(at)))
        st = finishing_by(at, BY_CROSS_ENTROPY, discover_by_aiming);
    if (st == STATUS_OK && (at->traits & TRAIT_REBOUNDS) && !finishing_must_stop(at))
        st = finishing_set_best_free(at);
    return st;
}

/* Legs by stances and flights in turn, whatever rounding does; on a course with obstacles a homotopy of time-freezing
 * comes first, which is led through them. */
static enum status discover_beyond_steps(struct finishing *at)
{
    const bool drawn_first = !(at->traits & TRAIT_PATH);
    enum status st = drawn_first ? finishing_by(at, BY_GAIT, discover_by_schedules) : finishing_by(at, BY_FREEZING, discover_roughly);
    if (st == STATUS_OK && !pool_has_solution(&at->pool))
        st = drawn_first ? finishing_by(at, BY_FREEZING, discover_roughly) : finishing_by(at, BY_GAIT, discover_by_schedules);
    return st;
}

/* By time steps, and where these exploit their grid by time-freezing, and by steps that do not. */
static enum status discover_in_steps(struct finishing *at)
{
    enum status st = finishing_by(at, BY_TIME_STEPS, discover_by_steps);
    const bool rough = !pool_has_solution(&at->pool) && discover_wants_rough(at);
    if (st == STATUS_OK && rough)
        st = discover_beyond_steps(at);
    if (st == STATUS_OK && at->exploits && !at->drawn && !(rough && pool_has_solution(&at->pool)))
        st = finishing_by(at, BY_TRUE_STEPS, discover_by_true_steps);
    return st;
}

/* Where neither steps nor motions have led anywhere, though there is a place to be led to. */
static bool may_be_led(const struct finishing *at)
{
    return at->round == 0 && !pool_has_solution(&at->pool) && !at->exploits && (at->traits & TRAIT_GOAL)
           && (at->traits & TRAIT_STEPS) && !finishing_must_stop(at);
}

/* Contacts, beside switches or alone. */
static enum status discover_contacts(struct finishing *at)
{
    const bool motions_first = at->traits & TRAIT_MOTION_FIRST;
    bool leads = false;
    enum status st = motions_first ? discover_motion_first(at, &leads) : STATUS_OK;
    if (st == STATUS_OK && (at->traits & TRAIT_STEPS) && !((at->traits & TRAIT_SPACE_SLIP) && leads))
        st = discover_in_steps(at);
    if (st == STATUS_OK && !motions_first && !pool_has_solution(&at->pool)) {
        st = discover_motions_once(at);
        if (st == STATUS_OK && !pool_has_solution(&at->pool))
            st = finishing_repair_simplest(at);
    }
    if (st == STATUS_OK && holds_still(at) && discover_wants_rough(at))
        st = finishing_by(at, BY_FREEZING, discover_roughly);
    if (st == STATUS_OK && !motions_first && may_be_led(at))
        st = finishing_by(at, BY_LED_STEPS, discover_by_led_steps);
    if (st == STATUS_OK && !motions_first && (holds_still(at) || wants_aim(at)))
        st = finishing_by(at, BY_CROSS_ENTROPY, discover_by_aiming);
    if (st == STATUS_OK && holds_still(at) && at->round == 0)
        (void)finishing_by(at, BY_METHOD, discover_by_method);
    return st == STATUS_OK && at->round == 0 && !at->pool.clear ? finishing_by(at, BY_LANDING, discover_landing) : st;
}

/* As if nothing had been tried: what had no solution may have one now. */
static void forget_all(struct finishing *at)
{
    pool_forget(&at->pool, POOL_SEQUENCE);
    pool_forget(&at->pool, POOL_FAILED);
    pool_empty(&at->pool);
    at->pool.n_repeated = 0;
    at->moved = false;
}

/* Where nothing leads to a solution of a system without contacts its units may be far apart: once more, every program
 * in units of its own sizes, as with `solver: {scale: auto}` (a heart that pumps 1500 ml/s against 100 mmHg).
 * Solutions stay in these. */
static enum status discover_in_own_sizes(struct finishing *at)
{
    struct model *model = at->task->model;
    if (model->has_sizes)
        return STATUS_OK;
    solve_headline(at->task, "no candidate has led to a solution: once more with scaled variables, as with solver.scale: auto");
    model->has_sizes = at->out->sys->model->has_sizes = true;
    forget_all(at);
    const enum status st = discover_switched(at);
    if (!pool_has_solution(&at->pool))
        model->has_sizes = at->out->sys->model->has_sizes = false;
    return st;
}

enum status discover(struct finishing *at)
{
    const bool contacts = at->traits & TRAIT_CONTACTS, motions_first = at->traits & TRAIT_MOTION_FIRST;
    bool enough = false;
    enum status st = discover_in_guess(at, &enough);
    if (enough || at->task->guess_alone)
        return st;
    if (st == STATUS_OK && (at->traits & TRAIT_PRESCRIBED))
        return finishing_by(at, BY_PHASES, discover_prescribed);
    if (at->traits & TRAIT_MACHINES)            /* no method takes them */
        return st == STATUS_OK ? finishing_by(at, BY_MACHINE_ORDERS, discover_transitions) : st;
    if (st == STATUS_OK && (at->traits & TRAIT_RELAYS))
        st = finishing_by(at, BY_RELAY_ORDERS, discover_orders);
    else if (st == STATUS_OK && (at->traits & TRAIT_UNTIL))
        st = finishing_by(at, BY_SIMULATION, discover_by_simulation);
    if (st == STATUS_OK)
        st = contacts ? discover_contacts(at) : discover_switched(at);
    if (st == STATUS_OK && contacts && !pool_has_solution(&at->pool) && at->round == 0)
        st = finishing_by(at, BY_ORBIT, discover_orbit);
    if (st == STATUS_OK && !pool_has_solution(&at->pool) && at->round == 0 && !contacts && !finishing_must_stop(at))
        st = finishing_by(at, OWN_SIZES, discover_in_own_sizes);
    if (st == STATUS_OK && !pool_has_solution(&at->pool) && at->round == 0 && !contacts)   /* motions cost little */
        st = finishing_by(at, BY_MORE_POPULATIONS, discover_by_other_aims);
    if (st == STATUS_OK && !pool_has_solution(&at->pool) && at->round == 0)   /* even late: something is to be saved */
        st = finishing_by(at, BY_METHOD, discover_by_method);
    if (st != STATUS_SPEC && !motions_first && contacts && !pool_has_solution(&at->pool))
        (void)finishing_by(at, BY_CROSS_ENTROPY, discover_by_aiming);               /* where the method has failed, too; its words remain if this does */
    return st;
}
