/* transcription/discretize/parts.h - what transcription.c puts a program together from, in this order
 *
 * Each part has a file of its own, which tells its equations. Of FESD-J alone: what says junction.
 */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_PARTS_H
#define COCP_TRANSCRIPTION_DISCRETIZE_PARTS_H

#include "transcription/discretize/slots.h"

/* Places in the block of a junction; its variables come with the grid's. */
void tr_lay_out_junctions(struct transcription *tr);
void tr_add_junction_variables(struct transcription *tr, int j);

/* Variables of all points, with their bounds and first guesses; lays out tr->u, s, h and point. */
void tr_add_variables(struct transcription *tr);

/* Runge-Kutta equations of all elements and the algebraic rows of their points. STATUS_SPEC where the scheme does
 * not take the model (nested nonsmooth functions without a stage at the end). */
enum status tr_add_dynamics(struct transcription *tr, struct diag *diag);

/* After the dynamics: lengths add up (fesd.md 6), the clock hits the control grid (time_freezing.md 8). */
void tr_add_grid_rows(struct transcription *tr);

/* Rows and pairs of all junctions: impacts at the left boundaries of elements. */
void tr_add_junctions(struct transcription *tr);

/* Where a phase begins with a jump: variables and rows of y and lam after it. */
void tr_add_reset_variables(struct transcription *tr, int j);
void tr_add_resets(struct transcription *tr);

/* Complementarity pairs of the elements. */
void tr_add_pairs(struct transcription *tr);
/* Switches those that keep time frozen all through a jump on (as they are at first) or off. */
void tr_set_strict_jumps(struct transcription *tr, bool strict);
/* How loose the jumps of w are: the largest speed with which a contact still approaches while time runs, in one
 * element, m/s. 0 where nothing jumps, and where time stands still in all jumps. */
double tr_loose_speed(const struct transcription *tr, const double *w);

/* The user's complementarity; tr_guess_user_pairs (initial.h) starts its variables. */
void tr_add_user_pairs(struct transcription *tr);
/* How many times as large as usual the first sigma is to be: as their products are, at least 1. */
double tr_first_sigma(const struct transcription *tr);

/* What makes element lengths equal where nothing switches; beneath it the indicator of that as a point
 * function, with what the settings make of it and the difference of the lengths, and a point of it: the
 * junction between elements j - 1 and j. */
void tr_add_equilibration(struct transcription *tr);
struct program_block *tr_indicator(struct transcription *tr);
void tr_fill_indicator(struct transcription *tr, struct program_block *indicator, int j);

/* The user's cost, and what the method adds to it; the user's constraints. */
void tr_add_cost(struct transcription *tr);
void tr_add_constraints(struct transcription *tr);

/* Of time steps, where the task asks for it: gaps that bend change as their velocities say. */
void tr_add_gap_changes(struct transcription *tr);

#endif
