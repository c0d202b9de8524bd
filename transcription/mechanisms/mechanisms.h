/* transcription/mechanisms/mechanisms.h - what the search consists of, each under the name by which it is counted, told
 * of and switched off
 *
 * A generator proposes sequences of modes; a move goes from one sequence to a neighbouring one; a continuation helps a
 * program to converge or takes a solution further; a gate decides how much of the others is done. phases.md says why
 * each is there, tests/study/rules.tsv what it brings.
 */
#ifndef COCP_TRANSCRIPTION_MECHANISMS_MECHANISMS_H
#define COCP_TRANSCRIPTION_MECHANISMS_MECHANISMS_H

#include <stdbool.h>
#include <stdint.h>

enum mechanism_kind { GENERATOR, MOVE, CONTINUATION, GATE };

enum mechanism {
    MECHANISM_NONE = -1,

    BY_GUESS, BY_PHASES, BY_ONE_MODE, BY_TIME_STEPS, BY_TRUE_STEPS, BY_LED_STEPS, BY_FIXED_STEPS, BY_SIMULATION,
    BY_GUESSED_MOTION, BY_FINER_MOTION, BY_RANDOM_MOTIONS, BY_STEPS_IN_MOTION, BY_RELAY_ORDERS, BY_MACHINE_ORDERS,
    BY_CROSS_ENTROPY, BY_MORE_POPULATIONS, BY_ORBIT, BY_GAIT, BY_LANDING, BY_FREEZING, BY_METHOD,

    PATH_HOMOTOPY, FREE_INTERVALS, FREE_BEST, BOUNCES, SMOOTHED_FRICTION, BESIDE_SLIDING, OUT_OF_JAM, GO_ON, REPAIR,
    REPAIR_CHEAPER, REPAIR_SIMPLEST, OWN_SIZES, NEIGHBOURS, OFF_SADDLE, TIDY_UP, ONE_BY_ONE, PULSES, REPAIR_ON_MESH,
    NEIGHBOURS_ON_MESH, NEXT_BEST, OTHER_ROUNDS, ACCURATE_MOTION, ACCURATE_OTHERS,

    CLEAR_OPINION, RIVAL, DEAR_MOTIONS, GIVE_UP, MORE_TRIES, LONELY_START,

    N_MECHANISM
};

struct mechanism_row { const char *name; enum mechanism_kind kind; const char *help; };

extern const struct mechanism_row mechanisms[N_MECHANISM];

/* Their names in the order of the enum, NULL at the end: the words of the settings `finish.without` and `finish.only`. */
extern const char *const mechanism_names[N_MECHANISM + 1];

/* What each does, in the same order. */
extern const char *const mechanism_helps[N_MECHANISM + 1];

/* "generator", ... */
const char *mechanism_kind_name(enum mechanism_kind kind);

/* Which of them the search may use. without, only: bit i for mechanism i; of each kind that `only` names, only those it
 * names are left. */
uint64_t mechanisms_used(uint64_t without, uint64_t only);

#endif
