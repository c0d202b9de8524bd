/* transcription/finish/checks/checks.h - what stages do not see: inequalities between them
 *
 * A program holds its inequalities at stages. Between them its polynomials may break one; where a solution does,
 * the worst point is added to the checks of the grid, and the program is solved again, until nothing is broken by
 * more than CHECK_TOL of its bound (of its value, at least of 1, where the bound is zero). Looked at are gaps,
 * forces, cones, signs of slip and of switching functions, conditions of machines, alpha, bounds of states and
 * the user's constraints at stages or along the path.
 */
#ifndef COCP_TRANSCRIPTION_FINISH_CHECKS_CHECKS_H
#define COCP_TRANSCRIPTION_FINISH_CHECKS_CHECKS_H

#include "transcription/finish/finish.h"

/* What is broken most. What switches do between stages, the sign they have and how they slide, a replay judges:
 * whether it changes the motion. What the spec asks for, gaps and forces it does not. */
struct check_worst {
    double all, asked;              /* of all; of what no replay judges */
    char what[112];                 /* that: "floor gap at t = 0.35 s" */
};

/* Of every element and inequality the point of its worst violation, if that is above CHECK_TOL: appended to
 * *check, n of them before; returns how many there are now. */
int checks_find(const struct phases *ph, const double *w, int n, struct phase_check **check,
                struct check_worst *worst);

/* The same of what is at an edge in intervals that are marked [n_interval]: switches that stay next to their
 * surface are to be off it by SIDE_CLEAR; as contacts close, impacts softer than SOFT_LANDING are to have that
 * speed, what begins to stick is to be FIRM_STICK inside its cone. A replay that is off by any little misses an
 * impact without speed; and at the edge of the cone, under a straight leg, a foot that cannot stick cannot slip
 * either but leaves the ground for a moment. */
int checks_find_edges(const struct phases *ph, const double *w, const bool *interval, int n,
                      struct phase_check **check);

/* Adds checks to a solution and solves again until there are no more violations, at most CHECK_ROUNDS times;
 * *best is replaced by each solution. *worst: what is left. */
enum status checks_enforce(const struct finish_task *task, struct finish *best, struct check_worst *worst,
                           struct diag *diag);

#endif
