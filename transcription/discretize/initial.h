/* transcription/discretize/initial.h - what the program is given where the horizon
 * begins, and guesses of junctions */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_INITIAL_H
#define COCP_TRANSCRIPTION_DISCRETIZE_INITIAL_H

#include "transcription/discretize/places.h"

/* Sets the initial state (fixed) and its multipliers; x [n_x]; t the clock. */
void tr_set_initial(struct transcription *tr, const double *x, double t);

/* An expression of states, parameters and the horizon at x [n_x], the latter as in w [n_w]; and at the
 * guess of point k of element j. */
double tr_value_of(const struct transcription *tr, expr what, double t, const double *x, const double *w);
double tr_value_at(const struct transcription *tr, expr what, int j, int k);

/* FESD-J: no impulse at any junction, velocities after it as at the first stage. Nothing without junctions. */
void tr_guess_junctions(struct transcription *tr);
/* sizes.c: sizes of the program at its guess, where the model has them. */
void tr_find_sizes(struct transcription *tr);
/* The parts of the restitution law at junction j as the velocities on both sides say. */
void tr_guess_parts(struct transcription *tr, int j);

/* Variables that are sides of the user's complementarity (pairs.c), as the guesses of states and controls say. */
void tr_guess_user_pairs(struct transcription *tr);

/* FESD-J: fixes the first junction as far as the initial state, where it is fixed, tells that nothing happens there
 * (fesd_j.md 7), and sets its guess. */
void tr_hold_first_junction(struct transcription *tr);

#endif
