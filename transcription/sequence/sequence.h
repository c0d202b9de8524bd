/* transcription/sequence/sequence.h - which contact, switch and machine does what, in which order
 *
 * Modes 0 .. n_event, event j between modes j and j + 1. In a mode every subject (contacts first, then switching
 * functions, then the user's complementarity, which counts as switches, then machines) is in one state. An event
 * lies inside a control interval or on a grid point: controls jump there, and most lift-offs and ends of sticking
 * are triggered by such a jump. Its place is one number, so that places compare:
 *
 *   2 i        on the grid point where interval i begins, i >= 1
 *   2 i + 1    inside interval i
 *
 * At an event contacts may be hit. Who takes part in the impact has the state of its impulse: closed without
 * friction, sticking, slipping; the others are open there.
 *
 * At an event at most one machine makes one transition, inside an interval: several at one time are events with
 * nothing in between. At once: its condition holds already when the mode before it begins, which lasts no time,
 * or, if controls command the transition, when the interval begins: what the mode before it has of that
 * interval lasts no time.
 *
 * A contact that is closed on a ground with corners touches one of its faces or corners: its patch, counted from
 * 1 on (model_contact.patch); 0 says nothing. It comes to the end of it at an event inside an interval, and there
 * either goes on on the next one, or opens: then the open mode has the patch to which it went.
 *
 * Text    one letter per subject, modes and places in between: "o 0.5!k k 1 +" is open, an impact that sticks
 *         inside interval 0, sticking, from grid point 1 on slipping forward. "A 0.5>0 B 0.5>>2 C" is a machine
 *         in its first state, its second by transition 0, and by transition 2, at once, in its third. "k1 0.5 k2"
 *         sticks on a face and then on its corner.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_SEQUENCE_H
#define COCP_TRANSCRIPTION_SEQUENCE_SEQUENCE_H

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
enum { MACHINE_STATES_MOST = 52 };  /* one letter each */

/* What a machine does at an event. */
struct sequence_step {
    int transition;                 /* of all machines, numbered through; -1: none */
    bool at_once;
};

struct sequence {
    int n_contact, n_switch, n_machine, n_event;
    int cap;                        /* events there is room for */
    unsigned char *state;           /* [(n_event + 1) * (n_subject + n_contact)] enum phase_state, of a machine the number of
                                     * its state, and then patches; mode by mode */
    int *place;                     /* [n_event] ascending; equal places only inside an interval */
    unsigned char *hit;             /* [n_event * n_contact] enum phase_state */
    struct sequence_step *step;     /* [n_event] */
};

/* One mode: contacts open, switches negative, machines in their first states. sequence_free afterwards. */
struct sequence *sequence_create(int n_contact, int n_switch, int n_machine);
struct sequence *sequence_copy(const struct sequence *seq);
void sequence_free(struct sequence *seq);

/* Contacts, switches and machines. */
int sequence_n_subject(const struct sequence *seq);
/* States of mode j: [n_subject]; its patches, and participants of event j: [n_contact]. */
unsigned char *sequence_mode(const struct sequence *seq, int j);
unsigned char *sequence_patch(const struct sequence *seq, int j);
unsigned char *sequence_hit(const struct sequence *seq, int j);
bool sequence_has_impact(const struct sequence *seq, int j);
bool sequence_is_on_grid(const struct sequence *seq, int j);
/* Does a machine make a transition at event j? */
bool sequence_fires(const struct sequence *seq, int j);
/* Does a closed contact come to the end of its patch at event j? Does contact c? */
bool sequence_turns(const struct sequence *seq, int j);
bool sequence_contact_turns(const struct sequence *seq, int j, int c);
/* Does mode j last no time, as the transition that ends it is made at once, with the event that it begins with? */
bool sequence_is_instant(const struct sequence *seq, int j);
/* The interval an event lies in; on a grid point the one that begins there. */
int sequence_interval(const struct sequence *seq, int j);

/* Inserts event j, without impact and transition, and mode j + 1, a copy of mode j. */
void sequence_insert(struct sequence *seq, int j, int place);
/* States and patches of mode j are those of mode k of another sequence with the same subjects. */
void sequence_copy_mode(struct sequence *seq, int j, const struct sequence *from, int k);
/* Takes out event j together with mode `mode`, j or j + 1. t [n_event]: times of the events, kept in step; may be
 * NULL. */
void sequence_remove(struct sequence *seq, int j, int mode, double *t);

bool sequence_equal(const struct sequence *a, const struct sequence *b);
/* The same modes and transitions in the same order, whatever the places. */
bool sequence_same_order(const struct sequence *a, const struct sequence *b);
bool phase_is_closed(int state);    /* of a contact */
bool phase_slips(int state);
unsigned char phase_opposite(unsigned char state);     /* the other side, of a switch */

/* Takes out events at which nothing happens. t as in sequence_remove. */
void sequence_simplify(struct sequence *seq, double *t);

/* One line, without its end; as a text of the caller's, "" where there is no memory for it; and back: NULL if it is
 * none. */
void sequence_print(const struct sequence *seq, FILE *out);
char *sequence_text(const struct sequence *seq);
struct sequence *sequence_read(int n_contact, int n_switch, int n_machine, const char *text);

/* What subjects are called, and their states. */
struct sequence_words {
    const char *const *subject;     /* [n_subject] */
    const bool *closes;             /* [n_contact + n_switch] those that are open or closed */
    const char *const *const *state;            /* [n_machine] the states of each machine */
    const bool *rebounds;           /* [n_contact] those with restitution: others do not bounce, they are hit; NULL: all */
    const char *time_unit;
};

/* In words: "foot: sticks 0.3 s, is hit, sticks 0.2 s, is open 0.31 s", a line per subject, without modes shorter
 * than a millionth of T; of very many the first and the last ones. t [n_event] times of the events, T the end. */
void sequence_print_story(const struct sequence *seq, const struct sequence_words *words, const double *t,
                          double T, FILE *out);

const char *phase_state_word(int state);

#endif
