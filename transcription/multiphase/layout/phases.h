/* transcription/multiphase/layout/phases.h - the smooth program of a sequence: one phase after the other, no complementarity
 *
 *   pieces     stretches of a control interval between events; lengths s >= 0 are variables where there are events,
 *              and add up to the interval; each is cut into elements, equal ones or those of a
 *              mesh (mesh.h)
 *   elements   Radau IIA or Gauss-Legendre, s stages:  sum_r Abar_ir (y_r - y_L) = h y_i',  y' of the mode (system.h);
 *              accelerations, forces and alpha are variables of the stage, given by the conditions of the mode. Gauss'
 *              stages end before the element does: its end is one more point, y_R - y_L = b' Abar (y_r - y_L), with
 *              unknowns of its own, where events and inequalities are held as at a last stage
 *   events     what closes, opens, starts or stops is an equation at the end of the piece before; impacts have
 *              velocities and impulses of their own; what a jump of the controls triggers is an inequality after it
 *   bounds     gap, lambda_n, cone, sign of slip and of switching functions, 0 <= alpha <= 1: at stages, as are the
 *              user's bounds and constraints
 *
 * phases.md "Dynamics" says why in this form. With s = 0 all rows stay consistent, so that a piece may vanish.
 * Units  of the spec; all rows absolute.
 */
#ifndef COCP_TRANSCRIPTION_MULTIPHASE_LAYOUT_PHASES_H
#define COCP_TRANSCRIPTION_MULTIPHASE_LAYOUT_PHASES_H

#include "transcription/method/rk.h"
#include "transcription/program/program.h"
#include "transcription/sequence/sequence.h"
#include "transcription/sequence/system.h"

/* A point between stages where inequalities are to hold, too: at part c of an element. Where the gap of an open
 * contact only just does not touch, it is to stay clear, as what touches is hit; so is a switching function that
 * only just keeps its sign. At c = 1, where a contact closes, it alone is held to approach, with the speed
 * `clear` (m/s) at least; where it sticks, it keeps `clear` (N) away from its cone. */
struct phase_check { int element; double c; int subject; double clear; };      /* a contact, a switch after them; -1: none */

struct phase_grid {
    enum rk_family scheme;          /* Radau IIA or Gauss-Legendre */
    int stages;                     /* of it */
    int elements;                   /* of every piece, equal ones */
    int n_end;                      /* of all elements, of their own lengths; 0: equal ones */
    const double *end;              /* [n_end] where each ends, as a part of its piece: the last one of a piece at 1. Of no
                                     * use for a sequence of other pieces; borrowed like check */
    bool free_intervals;            /* lengths of control intervals are free: control_grid */
    const double *value;            /* [n_interval * n_u] what controls are, NAN: variable; NULL: all are; borrowed like
                                     * check. Intervals with equal values beside each other are equally long */
    const double *slack;            /* [n_constraint] what constraints along the path may be broken by, INFINITY: left
                                     * out; NULL: nothing; borrowed like check */
    const double *event_part;       /* [n_event] about when events are, parts of the horizon: says in which pieces the
                                     * model's interior times are; NULL: pieces are equally long; borrowed like check */
    const double *mode_y;           /* [(n_event + 1) * n_y] states in its modes, about; NULL: y_end; borrowed like check */
    bool interior_times_stay;       /* none of them may leave its element */
    double yield;                   /* that slip keeps at least (slip.h), so that it does not jam; 0: whatever it has */
    double width;                   /* m/s, of friction in space that is smoothed (smoothed_friction.h): how fast slip
                                     * is where it comes near its full force; 0: that is exact */
    int n_check;
    const struct phase_check *check;            /* [n_check]; borrowed while phases_create runs, then a copy */
};

struct phase_piece {
    int interval, mode;
    int before, after;              /* event at its start and end, -1: none */
    bool ends_inside;               /* its end is an event inside the interval */
    int first, n_element;
    int length;                     /* variable; the piece's length is coef * w[length]; -1: coef alone */
    double coef;
};

/* Where the unknowns of a mode stand in the block of a point: accelerations first; -1 for what it does not have. */
struct phase_layout { int n, *lambda_n, *lambda_t, *dir, *speed, *alpha; };

/* Does an impact reach a closed contact that takes no part in it, in its tangent alone? If so, it may be left
 * slipping, or momentum and restitution alone say that it stops. */
enum phase_carried { CARRIED_NOT, CARRIED_SLIPS, CARRIED_STOPS };

/* A time inside a control interval that costs or constraints name. Where the lengths of pieces are variables, its
 * part of the element and the state there are variables too, so that all stays smooth while events move past it;
 * what leaves its element is put into another one, and the program solved again (finish.h). */
struct phase_interior_time {
    double fraction;                /* of the horizon */
    int interval, piece, element;
    double c;                       /* part of the element, where tau is none */
    int tau, *y;                    /* variables, [n_y]; -1 and NULL: lengths are known */
    int n_row, *row;                /* of the user's constraints there */
};

/* A point at which functions are evaluated: variables of y, the block of unknowns and its layout. */
struct phase_point {
    const int *y;                   /* [n_y] variables */
    int first;                      /* of the block; -1: none, all of it 0 */
    const struct phase_layout *layout;
    const unsigned char *contact, *sw;          /* states: directions of planar slip, steps; sw NULL: all 0 */
    const unsigned char *machine;   /* states, for their signals; NULL: all 0 */
    const unsigned char *patch;     /* of contacts; NULL: none is given */
    bool turns;                     /* right after an event: patches of open contacts are those to which they went */
    int interval, element, stage;   /* element -1: none */
};

/* The places of the variables. */
struct phase_places {
    int p, T, y0;                   /* first optimized parameter; free horizon or -1; state at the start */
    int *u;                         /* [n_interval] first control */
    int *stage;                     /* [n_element * n_point] first variable of a stage: y, then the block */
    int *stage_y;                   /* [n_element * n_point * n_y] variables of y */
    int *impact;                    /* [n_event] first variable of an impact's block, or -1 */
    int *start_y;                   /* [n_y] variables of y at the start, before what jumps there */
    int *reset;                     /* [n_piece + 1] first variable of y after what jumps where a piece begins, the last one: at
                                     * the end of the horizon; or -1 */
    int *before;                    /* [n_piece * n_y] variables of y where a piece begins, before what hits there */
    int *left;                      /* [n_element * n_y] variables of y at the left boundary of an element */
};

/* What other rows imply already, and what follows from the conditions of sticking, so
 * that it is no row of its own. */
struct phase_implied {
    enum phase_determined { DETERMINED_NOT, DETERMINED_AT_END, DETERMINED_IN_MODE, DETERMINED_AT_REST }
        *switches;                  /* [n_switch] determined.c */
    bool *slip;                     /* [n_contact] of slip in space: final values say that it is at rest */
    bool *side_repeats;             /* [(n_event + 1) * n_pair * PAIR_SIDE_RATES] sides.c */
    bool *final;                    /* [n_x] final_values.c: the value is fixed, and has no row */
    struct slip_rows *stick;        /* [(n_event + 1) * n_contact] sticks.c: conditions of what sticks in each mode, */
    struct slip_rows *stop, *hit;   /* [n_event * n_contact] of what comes to rest at each event, and in its impact */
};

/* What the guesses start from, and where ranks are judged. */
struct phase_guess {
    double horizon;
    double *end;                    /* [n_y] state at the end: where the rank of final values is judged */
    double *mode;                   /* [(n_event + 1) * n_y] states in its modes: where that of sticking is; NULL: end */
};

struct phases {
    const struct phase_system *sys; /* borrowed */
    struct sequence *seq;           /* a copy */
    struct phase_grid grid;
    struct rk *rk;
    struct program *prog;
    struct mpcc mpcc;               /* of prog; without pairs */
    struct arena mem;
    int n_interval, n_piece, n_element;
    int n_point;                    /* of an element: its stages, and its end where none of them is there */
    double *b, *c;                  /* [n_point] weights and places of its points */
    struct phase_piece *piece;      /* [n_piece] */
    int *piece_of;                  /* [n_element] */
    double *from, *part;            /* [n_element] where it begins and how long it is, as parts of its piece */
    struct phase_layout *layout;    /* [n_event + 1] of the modes */
    struct phase_layout *hit;       /* [n_event] of impacts; n = 0 without one */
    struct phase_places at;
    unsigned char *carried;         /* [n_event * n_contact] enum phase_carried */
    int n_instant, cap_instant;     /* points right after an event on which something hangs (events.c) */
    struct phase_instant { int element, first, row, end; } *instant;     /* at the left of an element; its block, and
                                                                         * the rows that say what has to follow */
    int n_free_force, cap_free_force;           /* of stages: forces of friction that nothing determines (sticks.c) */
    struct phase_free_force { int force, load; } *free_force;   /* lambda_t, lambda_n: variables */
    int n_interior_time;
    struct phase_interior_time *interior_time; /* [n_interior_time] ascending; not those where control intervals end */
    struct program_block *motion, *state, *shock;       /* functions motion, state and impact of system.h */
    struct phase_implied implied;
    int *constraint_row;            /* [n_constraint + 1] rows of the user's constraints, one after the other */
    struct phase_guess guess;
};

/* States that jump where piece k begins, to what they jump, of what is before, and whose doing it is: a phase by
 * the user, or a transition. n 0: none. */
struct phase_jump { int n; const int *x; const expr *to; const char *name, *path; struct srcpos pos; };
struct phase_jump phases_jump(const struct phases *ph, int k);
/* Does e depend on any of them? */
bool phases_jump_reaches(const struct phases *ph, int k, expr e);
/* Is it one of a phase or of impulses, where an interval begins? */
bool phases_jump_is_given(const struct phases *ph, int k);
/* --- Asking -------------------------------------------------------------------------------------------------- */
double phases_horizon(const struct phases *ph, const double *w);
double phases_length(const struct phases *ph, const double *w, int piece);
double phases_element_length(const struct phases *ph, const double *w, int element);
/* Start of every piece and the end: [n_piece + 1]; times of events: [n_event]. */
void phases_times(const struct phases *ph, const double *w, double *start, double *event);
/* First variable of y at stage k = 0 .. n_point - 1 of an element; its block follows. */
int phases_stage(const struct phases *ph, int element, int k);
/* Variables of y at the left boundary, [n_y]; element n_element: the end of the horizon. */
const int *phases_left(const struct phases *ph, int element);
/* Unknown of a contact or switch in a block: w[block + offset], 0 where offset is -1. */
double phases_value(const double *w, int block, int offset);
struct phase_point phases_stage_point(const struct phases *ph, int element, int k);
/* The point at the end of the horizon, or at the left of any element: states alone. */
struct phase_point phases_boundary_point(const struct phases *ph, int e);
struct phase_point phases_impact_point(const struct phases *ph, int event);
/* The piece that begins with an event. */
int phases_piece_after(const struct phases *ph, int event);
struct phase_point phases_interior_time_point(const struct phases *ph, const struct phase_interior_time *at);
/* The one at this part of the horizon; NULL: a control interval ends there, or nothing asks for it. */
const struct phase_interior_time *phases_interior_time(const struct phases *ph, double fraction);
/* The polynomials of y at part c of its element: [n_y]. */
void phases_interior_time_state(const struct phases *ph, const struct phase_interior_time *at, double c,
                                const double *w, double *y);
/* The state at a part of the horizon: y_i is the sum of weight_k w[y_k[i]]. */
struct phase_mix { int n; const int *y[10]; double weight[10]; };       /* rk.h: at most 9 stages */
struct phase_mix phases_state_at(const struct phases *ph, double fraction);
/* Sets the variables of interior times by the lengths and stages in w. */
void phases_set_interior_times(const struct phases *ph, double *w);
/* Events at w, for event_part of another grid: [n_event], the caller's. */
double *phases_event_parts(const struct phases *ph, const double *w);
/* Is one of them outside its element? */
bool phases_interior_times_moved(const struct phases *ph, const double *w);

/* Their parts of elements without bounds, in those lb, ub of a program at w that has the variables at var; NULL:
 * of this one. True if a bound held any. */
bool phases_free_interior_times(const struct phases *ph, const double *w, const int *var, double *lb, double *ub);

/* A state in mode j, about: [n_y]. */
const double *phases_mode_guess(const struct phases *ph, int j);

/* --- Parts, in the order in which phases_create calls them (multiphase.c) ------------------------------------ */
void phases_lay_out(struct phases *ph);                         /* layout.c */
void phases_lay_out_interior_times(struct phases *ph);          /* interior_times.c */
void phases_add_variables(struct phases *ph);                   /* layout.c */
void phases_add_lengths(struct phases *ph);                     /* layout.c */
void phases_add_interior_times(struct phases *ph);              /* interior_times.c: their variables and rows */

/* Length of interval i: coef times the variable, or coef alone where var is -1. */
struct phases_length { int var; double coef; };
struct phases_length phases_interval(const struct phases *ph, int i);

/* Is the patch of contact c given at the point (patches.h)? Sides of the patches that are, as values of slots. */
bool phases_holds_patch(const struct phase_point *point, int c);
void phases_set_patches(const struct phase_system *sys, const struct phase_point *point, double *slot);

/* A new point of the block, its slots filled; in program order of the rows that follow. */
void phases_fill(struct phases *ph, struct program_block *block, const struct phase_point *point);
/* The same at part c of the point's element: the polynomials of y and of the unknowns. */
void phases_fill_between(struct phases *ph, struct program_block *block, const struct phase_point *point, double c);
void phases_fill_interior_time(struct phases *ph, struct program_block *block,
                               const struct phase_interior_time *at);
/* A row: lb <= time from event j (-1: the start) to event `end` (n_event: the end of the horizon) <= ub, in s.
 * Its label gets the place of the last piece. */
void phases_add_duration(struct phases *ph, int j, int end, double lb, double ub, struct mpcc_label label);
/* A row named after contact or switch `subject`, from output `out` of the newest point of the block; -1: still of
 * nothing. */
int phases_subject_row(struct phases *ph, struct program_block *block, int out, double lb, double ub, int subject,
                       const char *what, const struct phase_point *point);
/* The unknowns of a mode, or of an impact, as variables; returns the first. */
int phases_add_block(struct phases *ph, const struct phase_layout *layout, bool impact, int interval, int element, int k);
struct mpcc_label phases_label(const char *name, const char *path, struct srcpos pos, const struct phase_point *point);

#endif
