/* transcription/candidates/traits.h - what kind of problem it is, asked once: which ways of discovery take it, in
 * which order
 *
 * Bits of an unsigned. They are of the model, and of what the spec says of its discretization; what a search finds
 * out is none of them.
 */
#ifndef COCP_TRANSCRIPTION_CANDIDATES_TRAITS_H
#define COCP_TRANSCRIPTION_CANDIDATES_TRAITS_H

#include "transcription/sequence/system.h"
#include "transcription/solve/task.h"

enum trait {
    /* What there is. */
    TRAIT_CONTACTS = 1 << 0,
    TRAIT_SWITCHES = 1 << 1,        /* beside contacts or alone */
    TRAIT_RELAYS = 1 << 2,          /* with thresholds: they remember */
    TRAIT_MACHINES = 1 << 3,
    TRAIT_PRESCRIBED = 1 << 4,      /* the sequence, by phases of the user */
    TRAIT_UNTIL = 1 << 5,           /* a phase that ends when a condition does */
    TRAIT_VALUES = 1 << 6,          /* controls with values */
    TRAIT_ONLY_PARAMETERS = 1 << 7, /* no controls: few numbers say all */
    /* What is asked for. */
    TRAIT_PATH = 1 << 8,            /* constraints along the path: a course with obstacles */
    TRAIT_AIM = 1 << 9,             /* what is wanted at the end, or at given times, stands in the constraints */
    TRAIT_CYCLE = 1 << 10,          /* constraints tie both ends to each other: where it begins, and how much happens in
                                     * it, is anything at first */
    /* What contacts do. */
    TRAIT_REBOUNDS = 1 << 11,       /* time-stepping knows no restitution */
    TRAIT_SPACE_SLIP = 1 << 12,     /* friction in space: the motion of the guess comes before time steps */
    TRAIT_CORNERS = 1 << 13,        /* a ground with steps */
    TRAIT_FLIES = 1 << 14,          /* nothing is closed at the start; asked of gaits, and of courses */
    /* Motions come before time steps, which know too little: nothing of restitution, and of what switches
     * beside contacts one way alone. */
    TRAIT_MOTION_FIRST = 1 << 15,
    /* Motions alone show what contacts do: they rebound, or time steps do not take the model. */
    TRAIT_ONLY_MOTION_KNOWS = 1 << 16,
    /* What takes the model. */
    TRAIT_STEPS = 1 << 17,          /* time-stepping, of contacts */
    TRAIT_ROUGH = 1 << 18,          /* a homotopy of time-freezing that ends early */
    TRAIT_AIMED = 1 << 19,          /* motions that are aimed at what is asked */
    TRAIT_GAIT = 1 << 20,           /* stances and flights in turn */
    TRAIT_GRID = 1 << 21,           /* a grid of control intervals that may be set free on the way */
    TRAIT_FIT = 1 << 22             /* a fit with events, whose parameters simulations search */
};

unsigned traits_of(const struct solve_task *task, const struct phase_system *sys);

#endif
