/* core/simulation/events/select.h - which mode goes on from here, at the level of accelerations; HYB, mode
 * selection
 *
 * A contact whose gap and normal velocity are 0 may open, stick or slip, a switch at c = 0 may be negative,
 * positive or slide. A combination is consistent if the forces that hold it obey its inequalities: lambda_n >=
 * 0, the friction cone, slip that starts in the direction friction allows, gaps that do not close, 0 <= alpha
 * <= 1. What is just zero is told by its time derivative along the flow. Few combinations are all tried, so
 * that paradoxes (none or several that differ) are seen; of many the present one is taken if it goes on, else
 * one is found as a complementarity problem of the contacts (jump_forces), and what that leaves undecided is
 * exchanged one by one.
 */
#ifndef COCP_CORE_SIMULATION_EVENTS_SELECT_H
#define COCP_CORE_SIMULATION_EVENTS_SELECT_H

#include "core/simulation/align.h"

#define SELECT_TOUCH 1e-11          /* m: gap of a contact that counts as closed, over max(1, its slope) */
#define SELECT_REST 1e-10           /* velocity, value of a switching function, that counts as zero */

struct select {
    struct flow *flow;
    struct mode trial, best;
    const struct mode *before;      /* borrowed while select_mode runs */
    int n_option;                   /* subjects that have a choice */
    int *subject;                   /* [n_option] */
    int (*option)[4], *n_of;        /* their modes and how many */
    int *at;                        /* [n_option] the one tried */
    double *test, *later, *tol;     /* [3 * n_subject] inequalities of a combination */
    int *owner;                     /* [3 * n_subject] */
    double *x, *dx, *dx_first;      /* [n_x] */
    struct align align;             /* directions of what slips from rest */
    double *direction;              /* [SLIP_MAX * n_c] those of now, while what is ahead is looked at */
    int n_banned;
    enum sim_mode *banned;          /* [n_banned * n_subject]; free it */
    int n_solutions;                /* consistent ones that differ in acceleration; 0: not all were looked for */
};

/* Is the contact closed, but for rounding? */
bool select_touches(const struct contact_at *at, int n_q);

void select_init(struct select *select, struct arena *mem, struct flow *flow);

/* Modes that failed at this time are not taken again; forget_banned once time has moved on. */
void select_ban(struct select *select, const struct mode *mode);
static inline void select_forget_banned(struct select *select) { select->n_banned = 0; }

/* Replaces mode by the one to go on with. False if there is no consistent one; mode is then as before. */
bool select_mode(struct select *select, struct mode *mode, double t, const double *x);

#endif
