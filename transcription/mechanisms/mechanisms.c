#include "transcription/mechanisms/mechanisms.h"

/* id, name, kind, help */
#define TABLE(ROW) \
    ROW(BY_GUESS, "given-guess", GENERATOR, "the sequence of the trajectory that the guess names") \
    ROW(BY_PHASES, "prescribed", GENERATOR, "the sequence that the phases of the spec prescribe") \
    ROW(BY_ONE_MODE, "one-mode", GENERATOR, "the one mode of a system that never switches, from its guess") \
    ROW(BY_TIME_STEPS, "time-steps", GENERATOR, "time-stepping problems from several starts") \
    ROW(BY_TRUE_STEPS, "true-steps", GENERATOR, "time-stepping in which a gap changes as its velocity says, where steps have exploited their grid") \
    ROW(BY_FIXED_STEPS, "fixed-steps", GENERATOR, "problems of switched systems on fixed steps, from several starts") \
    ROW(BY_SIMULATION, "simulation", GENERATOR, "simulations with the guessed and with random controls, each prefix of their events") \
    ROW(BY_GUESSED_MOTION, "guess-simulation", GENERATOR, "one simulation with the guessed controls, whole") \
    ROW(BY_RANDOM_MOTIONS, "random-simulations", GENERATOR, "simulations with random controls, as many as finish.starts asks for") \
    ROW(BY_STEPS_IN_MOTION, "simulated-steps", GENERATOR, "a simulation with the controls of time steps or fixed steps") \
    ROW(BY_RELAY_ORDERS, "relay-orders", GENERATOR, "every order in which relays switch in simulations") \
    ROW(BY_MACHINE_ORDERS, "machine-orders", GENERATOR, "orders of transitions of machines: those of simulations, then those beside them") \
    ROW(BY_FIT, "fit-simulations", GENERATOR, "parameters of a fit with events, searched by simulations alone") \
    ROW(BY_GRID_MOTIONS, "grid-motions", GENERATOR, "motions with a few values of the controls, by dynamic programming on a grid") \
    ROW(BY_CROSS_ENTROPY, "cross-entropy", GENERATOR, "controls searched by cross-entropy, round by round") \
    ROW(BY_GAIT, "gait", GENERATOR, "stances and flights in turn, more and more of them") \
    ROW(BY_FREEZING, "time-freezing", GENERATOR, "time-freezing with a homotopy that ends early") \
    ROW(BY_METHOD, "method", GENERATOR, "the method that the spec names, with its whole homotopy") \
    ROW(BY_OTHER_STARTS, "other-starts", GENERATOR, "a sequence in which nothing happens once more, from detours, until two agree") \
    ROW(MOVE_EVENT_OFF_GRID, "event-off-grid-point", MOVE, \
        "an event on a grid point into the interval before or after it") \
    ROW(MOVE_EVENT_TO_NEXT_POINT, "event-to-other-grid-point", MOVE, \
        "an event on a grid point to the points beside") \
    ROW(MOVE_EVENT_OUT, "event-off-horizon", MOVE, "an event at the start or the end of the horizon goes") \
    ROW(MOVE_EVENT_TO_POINT, "event-to-grid-point", MOVE, \
        "an event at an edge of its interval to the grid point there, where a jump of controls triggers it") \
    ROW(MOVE_EVENT_TO_INTERVAL, "event-to-interval-beside", MOVE, \
        "an event at an edge of its interval into the interval beside") \
    ROW(MOVE_MODE_OUT, "mode-without-length", MOVE, "a mode that lasts no time goes") \
    ROW(MOVE_EVENTS_JOIN, "events-joined", MOVE, \
        "two events on either side of no time at a grid point become one") \
    ROW(MOVE_STICK_AT_REVERSAL, "sticking-at-reversal", MOVE, \
        "slip that reverses on a grid point sticks in between") \
    ROW(MOVE_IMPACT_FRICTION, "friction-after-impact", MOVE, \
        "a contact sticks or slips the other way after its impact") \
    ROW(MOVE_BOUNCE_IN, "bounce-more", MOVE, "one bounce more, in any mode") \
    ROW(MOVE_BOUNCE_OUT, "bounce-fewer", MOVE, "one bounce fewer") \
    ROW(MOVE_SLIP_TO_END, "slip-after-sticking", MOVE, "sticking with its cone active to the end slips there") \
    ROW(MOVE_REST_AT_ENDS, "rest-at-ends", MOVE, "slip at the start or the end of the horizon rests there") \
    ROW(MOVE_SLIDE_FIRST, "sliding-at-start", MOVE, "a switching function that is 0 at the start slides first") \
    ROW(MOVE_CROSS_AT_END, "crossing-at-end", MOVE, "a switching function that is 0 at the end crosses before") \
    ROW(MOVE_TRANSITION_IN, "transition-more", MOVE, \
        "one transition more where its condition is nearest to being met, and the way back") \
    ROW(MOVE_TRANSITIONS_OUT, "transitions-out", MOVE, \
        "transitions left out until the state returns, or to the end") \
    ROW(MOVE_COMMAND, "command-beside", MOVE, "a command an interval earlier or later") \
    ROW(MOVE_SIDE, "side-beside", MOVE, "the side of a complementarity changes an interval earlier or later") \
    ROW(MOVE_EVENT_TO_MIDDLE, "event-to-middle", MOVE, \
        "an event at an edge of its interval to the middle of each interval around, the motion stretched") \
    ROW(MOVE_ALL_SHIFTED, "all-shifted", MOVE, "all events an interval earlier or later") \
    ROW(HELD_GUESS, "held-guess", CONTINUATION, \
        "controls and forces that hold the guess of prescribed phases where it is") \
    ROW(HELD_STEPS, "held-steps", CONTINUATION, \
        "time steps with friction in space begin with controls and forces that hold their guess") \
    ROW(PATH_HOMOTOPY, "path-homotopy", CONTINUATION, "path constraints left out, then brought back in steps") \
    ROW(FREE_INTERVALS, "free-intervals", CONTINUATION, "control intervals of free lengths on the way") \
    ROW(FREE_BEST, "free-best", CONTINUATION, "the best sequence with control intervals of free lengths") \
    ROW(BOUNCES, "bounces", CONTINUATION, "the best sequence with more and with fewer bounces") \
    ROW(SMOOTHED_FRICTION, "smoothed-friction", CONTINUATION, "friction in space smoothed less and less, to see what sticks") \
    ROW(BESIDE_SLIDING, "beside-sliding", CONTINUATION, "either side of a surface that a simulation slides on by chance") \
    ROW(GO_ON, "go-on", CONTINUATION, "more iterations for a program that was stopped next to a solution") \
    ROW(SLIPS_STICK, "slips-stick", CONTINUATION, \
        "a sequence of time steps without a solution, with all that slips in space sticking") \
    ROW(REPAIR, "repair", CONTINUATION, "neighbouring sequences of one without a solution") \
    ROW(VALUE_ORDERS, "value-orders", CONTINUATION, "orders of controls with values whose starts cost or last, by branch and bound on the grid") \
    ROW(OWN_SIZES, "own-sizes", CONTINUATION, "all once more with scaled variables") \
    ROW(NEIGHBOURS, "neighbours", CONTINUATION, "neighbouring sequences of the best candidates, as long as one is better") \
    ROW(OFF_SADDLE, "off-saddle", CONTINUATION, "the best sequence from beside its solution, where that may be a saddle point") \
    ROW(REPAIR_ON_MESH, "repair-on-mesh", CONTINUATION, "neighbouring sequences where the best has no solution with more elements") \
    ROW(NEXT_BEST, "next-best", CONTINUATION, "the next best solution where the best cannot be verified") \
    ROW(CLEAR_OPINION, "clear-opinion", GATE, "one start is enough where little happens and its time steps knew the cost") \
    ROW(DEAR_MOTIONS, "dear-simulations", GATE, "no second simulation where it has cost more than it can be worth") \
    ROW(GIVE_UP, "give-up", GATE, "neighbours are given up that will not become better than the best") \
    ROW(MORE_TRIES, "more-tries", GATE, "more neighbours may be tried after one that is much better")

#define ROW_OF(id, name, kind, help) [id] = { name, kind, help },
const struct mechanism_row mechanisms[N_MECHANISM] = { TABLE(ROW_OF) };

#define NAME_OF(id, name, kind, help) [id] = (name),
const char *const mechanism_names[N_MECHANISM + 1] = { TABLE(NAME_OF) };

#define HELP_OF(id, name, kind, help) [id] = (help),
const char *const mechanism_helps[N_MECHANISM + 1] = { TABLE(HELP_OF) };

const char *mechanism_kind_name(enum mechanism_kind kind)
{
    static const char *const names[] = { "generator", "move", "continuation", "gate" };
    return names[kind];
}

static bool names_any(const struct mechanism_set *set, enum mechanism_kind kind)
{
    bool any = false;
    for (int i = 0; i < N_MECHANISM; i++)
        any = any || (mechanisms[i].kind == kind && mechanism_is_in(set, (enum mechanism)i));
    return any;
}

struct mechanism_set mechanisms_used(struct mechanism_set without, struct mechanism_set only)
{
    struct mechanism_set used = { { 0 } };
    for (int i = 0; i < N_MECHANISM; i++) {
        const enum mechanism what = (enum mechanism)i;
        if (!mechanism_is_in(&without, what)
            && (mechanism_is_in(&only, what) || !names_any(&only, mechanisms[i].kind)))
            mechanism_add(&used, what);
    }
    return used;
}
