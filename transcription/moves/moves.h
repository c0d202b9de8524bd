/* transcription/moves/moves.h - from one sequence to those beside it: the table of moves
 *
 * A move looks at one spot of a program that was solved, or was not, for a sign that another sequence would be
 * better; where it sees one it makes that sequence (neighbours_add). Neighbours are tried in the order of their
 * priorities, the surest sign first; of equal ones in the order of kinds of spots, then of spots, then of the
 * table.
 *
 * moves.c is the table; the functions of its rows, with what they count as a sign, are in the file of their
 * family:
 *
 *   events.c          an event at the edge of its interval or on the grid; a mode without length
 *   friction.c        sticking and slip
 *   crossings.c       switching functions that are zero at the start or the end
 *   sides.c           the user's complementarity
 *   middles.c         an event at the edge of its interval in the middle of those around
 *   all_events.c      all events at once
 *   orders.c          transitions of machines
 *   bounces.c         one bounce more or fewer
 */
#ifndef COCP_TRANSCRIPTION_MOVES_MOVES_H
#define COCP_TRANSCRIPTION_MOVES_MOVES_H

#include "transcription/finish/checks/between.h"
#include "transcription/finish/finish.h"

struct neighbours;

/* What a move is for. */
enum move_use {
    FOR_BETTER = 1,                 /* a better sequence, or one that has a solution */
    FOR_SHIFT = 2,                  /* the same, where all events are moved, too */
    FOR_ORDER = 4,                  /* another order of transitions */
    FOR_BOUNCE = 8                  /* another number of bounces, with events at free times */
};

/* What a move needs beside that. */
enum move_needs {
    NEEDS_SOLUTION = 1,             /* the program was solved */
    NEEDS_GRID = 2                  /* control intervals have their lengths from the spec */
};

/* What it is tried at, one after the other. */
enum move_over { OVER_EVENTS, OVER_PIECES, OVER_CONTACTS, OVER_SWITCHES, OVER_STAYS, OVER_ALL, N_MOVE_OVER };

struct spot {
    int event, piece;               /* an event and the piece that begins with it; a piece */
    int subject;                    /* number of the contact, of the switch or of the machine */
};

struct finder {
    const struct finish *finish;
    const struct phases *ph;
    const struct sequence *seq;
    double near;                    /* s: what is shorter has no length */
    double H;                       /* of a control interval, on the average */
    double *grid;                   /* [n_interval + 1] */
    double *start, *t;              /* [n_piece + 1], [n_event] */
    struct between *between;        /* neighbours_between; NULL: nobody has asked yet */
    const struct move *move;        /* whose turn it is */
    struct neighbours *out;
};

struct move {
    enum mechanism is;              /* its name, and what it does, in words */
    double priority;                /* higher: a surer sign */
    unsigned use, needs;            /* enum move_use, enum move_needs */
    enum move_over over;
    void (*make)(struct finder *at, const struct spot *spot);           /* adds what it sees a sign of */
    bool stretches;                 /* the motion that it starts from goes with the events (samples_stretch): another
                                     * start of a sequence whose program may have been run */
};

enum { N_MOVES = 21 };
extern const struct move move_table[N_MOVES];

/* --- What moves share (neighbours.c, events.c) ---------------------------------------------------------------- */

/* Takes over seq and t; drops what is not legal. surer: on top of the move's priority. what: of event j, "moved
 * into the interval before it". */
void neighbours_add(struct finder *at, double surer, struct sequence *seq, double *t, const char *what, int j);
/* The time of a place in units of intervals. */
double neighbours_time(const struct finder *at, double place);
/* The times of the events, with room for extra more; free() them. */
double *neighbours_times(const struct finder *at, int extra);
/* A value at the state that it starts from. */
double neighbours_value_at_start(const struct finder *at, expr e);
/* The solution between its stages. */
struct between *neighbours_between(struct finder *at);
/* Without event j and one of the modes beside it. */
void neighbours_drop(struct finder *at, int j, int mode, const char *what);
/* Does piece k begin with an event inside its interval, as good as at the start of it? At its end? */
bool neighbours_is_at_left_edge(const struct finder *at, int k);
bool neighbours_is_at_right_edge(const struct finder *at, int k);
/* Event j, or the one from which on all up to it happen at once. */
int neighbours_first_at_once(const struct sequence *seq, int j);
/* Can a jump of the controls trigger event j: lift-off, the end of sticking or sliding? */
bool neighbours_is_soft(const struct sequence *seq, int j);

/* --- Rows of the table --------------------------------------------------------------------------------------- */

typedef void move_function(struct finder *at, const struct spot *spot);
move_function move_event_off_grid, move_event_to_next_point, move_event_out, move_event_to_point,
              move_event_to_interval, move_mode_out, move_events_join,
              move_stick_at_reversal, move_impact_friction, move_slip_to_end,
              move_rest_at_ends, move_slide_first, move_cross_at_end,
              move_side, move_event_to_middle,
              move_all_shifted,
              move_transition_in, move_transitions_out, move_command,
              move_bounce_in, move_bounce_out;

#endif
