/* transcription/mechanisms/mechanisms.h - what the search consists of, each under the name by which it is
 * counted, told of and switched off
 *
 * A generator proposes sequences of modes; a move goes from one sequence to a neighbouring one; a continuation
 * helps a program to converge or takes a solution further; a gate decides how much of the others is done.
 * phases.md says why each is there, transcription/discover/plan.c in which order generators are tried,
 * tests/study/rules.tsv what it brings.
 */
#ifndef COCP_TRANSCRIPTION_MECHANISMS_MECHANISMS_H
#define COCP_TRANSCRIPTION_MECHANISMS_MECHANISMS_H

#include <stdbool.h>
#include <stdint.h>

enum mechanism_kind { GENERATOR, MOVE, CONTINUATION, GATE };

enum mechanism {
    MECHANISM_NONE = -1,

    BY_GUESS, BY_PHASES, BY_ONE_MODE, BY_TIME_STEPS, BY_TRUE_STEPS, BY_FIXED_STEPS, BY_SIMULATION,
    BY_GUESSED_MOTION, BY_RANDOM_MOTIONS, BY_STEPS_IN_MOTION, BY_RELAY_ORDERS, BY_MACHINE_ORDERS, BY_FIT, BY_GRID_MOTIONS,
    BY_CROSS_ENTROPY, BY_GAIT, BY_FREEZING, BY_METHOD, BY_OTHER_STARTS,

    MOVE_EVENT_OFF_GRID, MOVE_EVENT_TO_NEXT_POINT, MOVE_EVENT_OUT, MOVE_EVENT_TO_POINT, MOVE_EVENT_TO_INTERVAL,
    MOVE_MODE_OUT, MOVE_EVENTS_JOIN, MOVE_STICK_AT_REVERSAL, MOVE_IMPACT_FRICTION, MOVE_BOUNCE_IN, MOVE_BOUNCE_OUT,
    MOVE_SLIP_TO_END, MOVE_REST_AT_ENDS, MOVE_SLIDE_FIRST, MOVE_CROSS_AT_END, MOVE_TRANSITION_IN,
    MOVE_TRANSITIONS_OUT, MOVE_COMMAND, MOVE_SIDE, MOVE_EVENT_TO_MIDDLE, MOVE_ALL_SHIFTED,

    HELD_GUESS, HELD_STEPS, GOAL_CONTINUATION, PATH_HOMOTOPY, FREE_INTERVALS, FREE_BEST, BOUNCES, SMOOTHED_FRICTION,
    BESIDE_SLIDING, GO_ON, SLIPS_STICK, REPAIR,
    VALUE_ORDERS, OWN_SIZES, NEIGHBOURS, DESCENT, OFF_SADDLE, REPAIR_ON_MESH,
    NEXT_BEST,
    CLEAR_OPINION, DEAR_MOTIONS, GIVE_UP, MORE_TRIES,

    N_MECHANISM
};

struct mechanism_row { const char *name; enum mechanism_kind kind; const char *help; };

extern const struct mechanism_row mechanisms[N_MECHANISM];

/* Their names in the order of the enum, NULL at the end: the words of the settings
 * `finish.without` and `finish.only`. */
extern const char *const mechanism_names[N_MECHANISM + 1];

/* What each does, in the same order. */
extern const char *const mechanism_helps[N_MECHANISM + 1];

/* "generator", ... */
const char *mechanism_kind_name(enum mechanism_kind kind);

/* Bit i % 64 of word i / 64 for mechanism i. */
enum { MECHANISM_WORDS = (N_MECHANISM + 63) / 64 };
struct mechanism_set { uint64_t word[MECHANISM_WORDS]; };

static inline bool mechanism_is_in(const struct mechanism_set *set, enum mechanism what)
{
    return set->word[(unsigned)what / 64] >> (unsigned)what % 64 & 1;
}

static inline void mechanism_add(struct mechanism_set *set, enum mechanism what)
{
    set->word[(unsigned)what / 64] |= (uint64_t)1 << (unsigned)what % 64;
}

/* Which of them the search may use: of each kind that `only` names, only those it names are left. */
struct mechanism_set mechanisms_used(struct mechanism_set without, struct mechanism_set only);

#endif
