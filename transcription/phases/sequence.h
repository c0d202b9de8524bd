/* transcription/phases/sequence.h - which contact and which switch does what, in which order
 *
 * Modes 0 .. n_event, event j between modes j and j + 1. In a mode every subject (contacts first, then switching
 * functions, then the user's complementarity, which counts as switches) is in one state. An event lies inside a control interval or on a grid point: controls jump there, and
 * most lift-offs and ends of sticking are triggered by such a jump. Its place is one number, so that places compare:
 *
 *   2 i        on the grid point where interval i begins, i >= 1
 *   2 i + 1    inside interval i
 *
 * At an event contacts may be hit. Who takes part in the impact has the state of its impulse: closed without
 * friction, sticking, slipping; the others are open there.
 *
 * Text    one letter per subject, modes and places in between: "o 0.5!k k 1 +" is open, an impact that sticks inside
 *         interval 0, sticking, from grid point 1 on slipping forward.
 */
#ifndef COCP_TRANSCRIPTION_PHASES_SEQUENCE_H
#define COCP_TRANSCRIPTION_PHASES_SEQUENCE_H

#include <stdbool.h>
#include <stdio.h>

enum phase_state {
    PHASE_OPEN,                     /* of a contact: no force */
    PHASE_CLOSED,                   /* a normal force and no friction */
    PHASE_STICK,
    PHASE_FORWARD, PHASE_BACKWARD,  /* slip in the plane, v_t > 0 and v_t < 0 */
    PHASE_SLIP,                     /* slip in space, the direction free */
    PHASE_NEGATIVE, PHASE_SLIDING, PHASE_POSITIVE,              /* of a switching function */
    PHASE_G_ZERO, PHASE_H_ZERO      /* of a complementarity: which side is 0 */
};

struct sequence {
    int n_contact, n_switch, n_event;
    int cap;                        /* events there is room for */
    unsigned char *state;           /* [(n_event + 1) * (n_contact + n_switch)] enum phase_state, mode by mode */
    int *place;                     /* [n_event] ascending; equal places only inside an interval */
    unsigned char *hit;             /* [n_event * n_contact] enum phase_state */
};

/* One mode: contacts open, switches negative. sequence_free afterwards. */
struct sequence *sequence_create(int n_contact, int n_switch);
struct sequence *sequence_copy(const struct sequence *seq);
void sequence_free(struct sequence *seq);

/* States of mode j: [n_contact + n_switch]; participants of event j: [n_contact]. */
unsigned char *sequence_mode(const struct sequence *seq, int j);
unsigned char *sequence_hit(const struct sequence *seq, int j);
bool sequence_has_impact(const struct sequence *seq, int j);
bool sequence_is_on_grid(const struct sequence *seq, int j);
/* The interval an event lies in; on a grid point the one that begins there. */
int sequence_interval(const struct sequence *seq, int j);

/* Inserts event j, without impact, and mode j + 1, a copy of mode j. */
void sequence_insert(struct sequence *seq, int j, int place);
/* Takes out event j together with mode `mode`, j or j + 1. */
void sequence_remove(struct sequence *seq, int j, int mode);

bool sequence_equal(const struct sequence *a, const struct sequence *b);
/* The same modes in the same order, whatever the places. */
bool sequence_same_order(const struct sequence *a, const struct sequence *b);
bool phase_is_closed(int state);    /* of a contact */
bool phase_slips(int state);

/* Takes out events at which nothing happens. t [n_event]: their times, kept in step; may be NULL. */
void sequence_simplify(struct sequence *seq, double *t);

/* One line, without its end; and back: NULL if it is none. */
void sequence_print(const struct sequence *seq, FILE *out);
struct sequence *sequence_read(int n_contact, int n_switch, const char *text);

/* In words: "foot: sticks 0.3 s, is open 0.31 s", a line per subject. closes [n_contact + n_switch]: of those that are open or
 * closed; t [n_event] times of the events, T the end. */
void sequence_print_story(const struct sequence *seq, const char *const *name, const bool *closes, const double *t, double T,
                          FILE *out);

const char *phase_state_word(int state);

#endif
