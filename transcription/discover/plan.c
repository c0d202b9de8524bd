/* The plan: in which order what is tried, for whom, and when. One row is one call of a generator, or of what goes
 * on from candidates that are there. It is passed over where the problem lacks a trait it wants or has one that it
 * must not have (traits.h), and where its condition does not hold.
 * by_time_steps is told of, counted and switched off as `time-steps`, by `finish: {without: [time-steps]}`.
 * phases.md says why each is there, tests/study/rules.tsv what it brings. */
#include "transcription/discover/plan.h"

#include "transcription/sequence/recipe.h"

/* --- When ---------------------------------------------------------------------------------------------------- */

static bool nothing_yet(const struct discovery *at)
{
    return !pool_has_solution(&at->pool);
}

/* More than a simulation: it is not begun in the last moment. */
static bool nothing_in_time(const struct discovery *at)
{
    return nothing_yet(at) && !discovery_must_stop(at);
}

static bool has_guess(const struct discovery *at)
{
    return at->guess;
}

/* Contacts in whose solution nothing happens, though time steps have not said that nothing should: they do not
 * take the model, or exploit their grid. What dry friction holds, or never touches, is stationary, whatever waits
 * beyond (phases.md "Generators"). */
static bool holds_still(const struct discovery *at)
{
    const bool asked = (at->traits & TRAIT_STEPS) && !at->steps.exploit;
    return !(at->traits & TRAIT_RELAYS) && !asked && pool_has_solution(&at->pool) && !pool_has_motion(&at->pool);
}

/* Where motions alone show what happens the first that leads to a solution is any motion: others are aimed, unless
 * simulations break off. In space, where a goal that stands in the constraints is enough to find the way, where it
 * stands in the costs. Where there are no controls but parameters, of which few numbers say all. */
static bool any_motion_would_do(const struct discovery *at)
{
    return !at->simulations.break_off && (at->traits & (TRAIT_ONLY_MOTION_KNOWS | TRAIT_ONLY_PARAMETERS));
}

static bool motions_want_aim(const struct discovery *at)
{
    return !at->simulations.break_off && (!pool_has_motion(&at->pool) || any_motion_would_do(at));
}

static bool still_or_any_motion(const struct discovery *at)
{
    return holds_still(at) || any_motion_would_do(at);
}

static bool best_to_free(const struct discovery *at)
{
    return !discovery_must_stop(at) && free_best_is_wanted(at);
}

/* With friction in space time steps take long: not where the motion of the guess has led to a solution. */
static bool not_led_in_space(const struct discovery *at)
{
    return !((at->traits & TRAIT_SPACE_SLIP) && plan_solved_by(at, BY_GUESSED_MOTION));
}

/* Where time steps exploit their grid, or are lost on a course. */
static bool steps_no_help(const struct discovery *at)
{
    return nothing_yet(at) && time_freezing_is_wanted(at);
}

static bool freezing_no_help(const struct discovery *at)
{
    return nothing_yet(at) && plan_was_due(at, BY_FREEZING);
}

/* Steps exploit their grid, and neither stances and flights nor time-freezing have led anywhere instead. */
static bool steps_to_be_true(const struct discovery *at)
{
    const bool instead = plan_was_due(at, BY_GAIT) || plan_was_due(at, BY_FREEZING);
    return at->steps.exploit && !at->gait.instead && !(instead && pool_has_solution(&at->pool));
}

static bool simulations_to_go_on(const struct discovery *at)
{
    return nothing_in_time(at) && at->simulations.cut_short;
}

static bool not_simulated(const struct discovery *at)
{
    return nothing_yet(at) && !at->simulations.made;
}

static bool not_simulated_in_time(const struct discovery *at)
{
    return nothing_in_time(at) && !at->simulations.made;
}

static bool still_steps_no_help(const struct discovery *at)
{
    return holds_still(at) && time_freezing_is_wanted(at);
}

/* A long order of relays is that of one motion, which may be any: others are aimed. */
static bool nothing_or_long_order(const struct discovery *at)
{
    const bool is_long = pool_has_solution(&at->pool) && at->pool.found[0].ph->seq->n_event > MOST_PREFIXES;
    return nothing_yet(at) || ((at->traits & TRAIT_RELAYS) && is_long);
}

/* --- The rows ------------------------------------------------------------------------------------------------ */

enum {
    CONTACTS = TRAIT_CONTACTS, SWITCHES = TRAIT_SWITCHES, RELAYS = TRAIT_RELAYS, MACHINES = TRAIT_MACHINES,
    PRESCRIBED = TRAIT_PRESCRIBED, UNTIL = TRAIT_UNTIL, MOTION_FIRST = TRAIT_MOTION_FIRST,
    REBOUNDS = TRAIT_REBOUNDS, STEPS = TRAIT_STEPS, PATH = TRAIT_PATH, FIT = TRAIT_FIT,
    SPACE_SLIP = TRAIT_SPACE_SLIP
};

/* clang-format off: columns */
const struct plan_row plan[] = {
    /* has           lacks                         when                   try                     then */

    /* A trajectory from a file; parameters of a fit; what the user prescribes; machines, which no method takes. */
    { 0,            0,                            has_guess,             &by_given_guess,        ENOUGH },
    { FIT,          0,                            nothing_yet,           &by_fit_simulations,    ENOUGH },
    { PRESCRIBED,   0,                            NULL,                  &by_prescribed,         ON },
    { PRESCRIBED,   0,                            nothing_yet,           &by_method,             ENDS },
    { MACHINES,     0,                            NULL,                  &by_machine_orders,     ENDS },

    /* Relays remember: each order is a problem of its own. What ends when a condition does is simulated. */
    { RELAYS,       0,                            NULL,                  &by_relay_orders,       ON },
    { UNTIL,        RELAYS,                       NULL,                  &by_simulation,         ON },

    /* Contacts of which time steps know too little: simulations first. */
    { MOTION_FIRST, RELAYS | UNTIL,               NULL,                  &by_simulation,         ON },
    { MOTION_FIRST, RELAYS,                       motions_want_aim,      &by_cross_entropy,      ON },
    { SPACE_SLIP,   MOTION_FIRST,                 NULL,                  &by_guess_in_space,     ON },
    { REBOUNDS,     RELAYS,                       best_to_free,          &free_best,             ON },

    /* Contacts by time steps, and by what does not exploit a grid as these may: legs by stances and flights in
     * turn, whatever rounding does; on a course with obstacles a homotopy of time-freezing first, which is led
     * through them. */
    { STEPS,        0,                            not_led_in_space,      &by_time_steps,         ON },
    { STEPS,        PATH,                         steps_no_help,         &by_gait,               ON },
    { STEPS,        0,                            steps_no_help,         &by_time_freezing,      ON },
    { STEPS | PATH, 0,                            freezing_no_help,      &by_gait,               ON },
    { STEPS,        0,                            steps_to_be_true,      &by_true_steps,         ON },

    /* What budgets have cut short beside them. */
    { STEPS,        0,                            repairs_were_cut,      &cut_repairs,           ON },
    { STEPS,        0,                            simulations_to_go_on,  &by_simulation,         ON },

    /* Contacts where these have led nowhere, or to a solution in which nothing happens. */
    { CONTACTS,     MOTION_FIRST,                 not_simulated,         &by_simulation,         ON },
    { CONTACTS,     0,                            still_steps_no_help,   &by_time_freezing,      ON },
    { CONTACTS,     MOTION_FIRST,                 still_or_any_motion,   &by_cross_entropy,      ON },
    { CONTACTS,     0,                            holds_still,           &by_method,             ANYWAY },

    /* Without contacts: switches by fixed steps, what never switches by its guess. own_sizes tries all rows of
     * this part once more, up to its own. */
    { SWITCHES,     CONTACTS | RELAYS,            nothing_yet,           &by_fixed_steps,        ON },
    { 0,            CONTACTS | RELAYS | SWITCHES, nothing_yet,           &by_one_mode,           ON },
    { 0,            CONTACTS | SWITCHES,          not_simulated_in_time, &by_guess_simulation,   ON },
    { 0,            CONTACTS | SWITCHES,          discovery_makes_all, &by_random_simulations, ON },
    { SWITCHES,     CONTACTS,                     nothing_or_long_order, &by_cross_entropy,      ON },
    { 0,            CONTACTS,                     nothing_in_time,       &own_sizes,             ON },

    /* Even late: something is to be saved. The method's words remain where what follows it fails, too. */
    { 0,            0,                            nothing_yet,           &by_method,             ON },
    { CONTACTS,     MOTION_FIRST | MACHINES,      nothing_yet,           &by_cross_entropy,      RESCUE },

    /* Where nothing happens in the best and nothing points to a neighbour. */
    { 0,            PRESCRIBED | MACHINES,        other_starts_are_wanted, &by_other_starts,      ON },
    { .try = NULL }
};
/* clang-format on */
