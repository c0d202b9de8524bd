/* transcription/discretize/places.h - where everything stands: the grid and the places of variables and rows
 *
 * Grid  control intervals i = 0..N-1, finite elements j = 0..n_element-1 over the whole horizon, in each
 *       element the points k = 0 (left boundary), 1..s (stages) and s + 1 (right end, where the last stage is
 *       not it). Point 0 is the right end of the element before: no variables of its own, but for what jumps
 *       there (FESD-J: junction.c). Point 0 of element n_element is the end of the horizon, the right end of
 *       element -1 its start.
 * Loops  i is an interval or a component of a vector, j an element, k a point, r a stage in a sum, c a contact, m
 *        a
 *       mode, l a second component or element beside i or j. e is the coefficient of restitution.
 * Variables  see struct transcription; the accessors give the first index of a block in w.
 * Units  of the spec; element lengths h in numerical time (= physical time unless time is frozen).
 */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_PLACES_H
#define COCP_TRANSCRIPTION_DISCRETIZE_PLACES_H

#include "transcription/system/dcs.h"
#include "transcription/program/program.h"
#include "transcription/method/rk.h"
#include "transcription/method/settings.h"

struct grid_shape {
    int n_interval;
    const int *elements;            /* [n_interval] finite elements of each */
    double horizon;                 /* physical; of a free one the nominal value */
};

enum transcription_end {
    END_ON_GRID,                    /* element lengths of an interval add up to its numerical length; the clock hits
                                     * the control grid in physical time, if there is one */
    END_OF_NUMERICAL_TIME,          /* lengths add up, nothing said of the clock (a step of a simulation) */
    END_OF_PHYSICAL_TIME            /* the clock ends at t_end, the lengths are free (the last step of one) */
};

struct transcription_task {
    struct grid_shape grid;
    bool optimize;                  /* costs, constraints, bounds of states, controls free; else one step of a
                                     * simulation: initial state and controls fixed */
    enum transcription_end end;
    double t_end;                   /* of END_OF_PHYSICAL_TIME */
    double dead_band;               /* half width at curved gaps, m; 0: none */
    double gap_tol;                 /* of time steps: m/s by which a bending gap may change otherwise than its velocity
                                     * at their ends says; 0: as it likes */
};

/* row: var - side = 0; of any sign var - (var + 1) - side. */
struct tr_lift { int var, row; bool any_sign; };

/* The indicator of step equilibration, beside dh. */
struct tr_indicator {
    int *var, *row;                 /* [n_element] the indicator there, and the row indicator - var = 0 */
    int *raw_var, *raw_row;         /* [n_element] the same of the indicator before it is saturated; simulations alone */
};

/* Rows that others ask for. */
struct tr_rows {
    int *clock;                     /* [n_interval] row of the clock, or -1 */
    int first_goal, end_goal;       /* of final values */
    int first_constraint, end_constraint;       /* of the user's constraints */
};

/* Pairs that keep time frozen in jumps (cross.c). */
struct tr_frozen { int n, *row, *var; };

struct transcription {
    struct model *model;            /* borrowed */
    const struct discretization *settings;      /* a copy; its lists are borrowed */
    struct transcription_task task;
    struct dcs *dcs;
    struct rk *rk;
    struct program *prog;
    struct mpcc mpcc;               /* of prog */
    struct arena mem;
    bool switching;                 /* FESD: element lengths are variables, cross complementarity */

    int n_interval, n_element, n_point;         /* n_point: highest k of an element, s or s + 1 */
    int *elements, *first;          /* [n_interval]: elements, the first one */
    int *interval_of;               /* [n_element] */
    double *h0;                     /* [n_element] nominal lengths */
    int *reset;                     /* [n_element] first variable of y and lam after the jump of a phase at its left; -1: none */

    int p, T;                       /* first optimized parameter; free horizon or -1 */
    int y0, lam0, sel0;             /* the start; sel0: FESD, where lam0 is not known beforehand; else -1 */
    bool start_is_free;             /* lam0 is not known beforehand: states or parameters at the start are free */
    int *u, *s;                     /* [n_interval] first control; speed of time or -1 (one) */
    int *h;                         /* [n_element] */
    struct tr_indicator indicator;
    int *dh;                        /* [n_element] h_j - h_(j-1), -1 at the left of an interval; NULL but with exact
                                     * equilibration of FESD-J (equilibration.c) */
    int *point;                     /* [n_element * (n_point + 1)] first variable of point k >= 1: y, lam, sel, z, rate;
                                     * at the extra right end y and lam only */
    struct tr_rows rows;
    struct tr_frozen frozen;
    int n_lift;
    struct tr_lift *lift;           /* [n_lift] sides of the user's complementarity as variables (pairs.c) */
    struct junctions *junctions;    /* FESD-J, else NULL */
};

/* The left boundaries where velocities may jump: of every element, and the end of the horizon where
 * the settings say so. Each has a block of variables: what jumps of y and lam, the impulses, and the
 * parts of the restitution law. */
struct junctions {
    int n;                          /* n_element, or one more */
    int *first;                     /* [n] first variable */
    int *y_place, *lam_place;       /* [n_y], [n_lam]: place in the block, -1 for what does not jump */
    int impulse, part;              /* place of the n_sel impulses, and of 2 parts per contact */
    int *row;                       /* [n] first of its impact rows: balance of momentum, then restitution */
    int n_row;                      /* of these; none else can hold nothing */
};

/* Length of interval i: coef times the variable, which may be PROGRAM_ONE. */
struct tr_length { int var; double coef; };
struct tr_length tr_length(const struct transcription *tr, int i);
double tr_nominal_length(const struct transcription *tr, int i);
/* Is contact c there in the interval of element j (n_element: the end)? */
bool tr_has_contact(const struct transcription *tr, int c, int j);
/* The contact that a pair of dcs is of; -1: of none. */
int tr_contact_of_pair(const struct transcription *tr, int pair);
/* Component i of y at the left of element j, before velocities jump by an impact. */
int tr_y_before(const struct transcription *tr, int j, int i);

/* Component i of a point; k as above. Components of a point k >= 1 stand in a row. */
int tr_y(const struct transcription *tr, int j, int k, int i);
int tr_lam(const struct transcription *tr, int j, int k, int i);
/* Copies y of a point, or its first n components. */
void tr_get_y(const struct transcription *tr, const double *w, int j, int k, int n, double *y);
/* First variable of a block; k as above. */
int tr_sel(const struct transcription *tr, int j, int k);       /* k = 1..s */
int tr_z(const struct transcription *tr, int j, int k);         /* k = 1..s */
int tr_rate(const struct transcription *tr, int j, int k);      /* k = 1..s, explicit schemes: y' at the stage */
/* Junction at the left of element j (n_element: the end): first of the impulses that stand beside sel, and the part
 * of contact c's restitution law, side 0 or 1. */
int tr_impulse(const struct transcription *tr, int j);
int tr_part(const struct transcription *tr, int j, int c, int side);
bool tr_has_junction(const struct transcription *tr, int j);
bool tr_is_stage(const struct transcription *tr, int k);
int tr_right(const struct transcription *tr);                   /* k of the right end: s or s + 1 */
double tr_c(const struct transcription *tr, int k);             /* where point k is in its element: 0 left, 1 right */
bool tr_horizon_moves(const struct transcription *tr);      /* a free horizon stretches the elements */
bool tr_splits_restitution(const struct transcription *tr);  /* FESD-J: is its law in two parts, P - N? */
bool tr_last_of_interval(const struct transcription *tr, int j);

/* A label at a place; k = -1: the whole element, j = -1: the whole interval. */
struct mpcc_label tr_label(const struct transcription *tr, const char *name, const char *path, struct srcpos pos,
                           int interval, int j, int k);

/* Where a label is in physical time at w: the point's, or the interval's or element's left end; NAN if nowhere. */
double tr_time_of(const struct transcription *tr, const struct mpcc_label *label, const double *w);

#endif
