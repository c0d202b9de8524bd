/* transcription/phases/checks.h - what stages do not see: inequalities between them
 *
 * A program holds its inequalities at stages. Between them its polynomials may break one; where a solution does, the
 * worst point is added to the checks of the grid, and the program is solved again, until nothing is broken by more than
 * CHECK_TOL of its bound (of its value, at least of 1, where the bound is zero). Looked at are gaps, forces, cones, signs
 * of slip and of switching functions, conditions of machines, alpha, bounds of states and the user's constraints at stages or along the path.
 */
#ifndef COCP_TRANSCRIPTION_PHASES_CHECKS_H
#define COCP_TRANSCRIPTION_PHASES_CHECKS_H

#include "transcription/phases/finish.h"

/* Of every element and inequality the point of its worst violation, if that is above CHECK_TOL: appended to *check, n of
 * them before; returns how many there are now. *worst: the largest violation. */
int checks_find(const struct phases *ph, const double *w, int n, struct phase_check **check, double *worst);

/* Adds checks to a solution and solves again until there are no more violations, at most CHECK_ROUNDS times; *best is
 * replaced by each solution. *worst: what is left. */
enum status checks_enforce(const struct finish_task *task, struct finish *best, double *worst, struct diag *diag);

#endif
