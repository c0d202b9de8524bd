/* transcription/start/guess.h - where the solver starts
 *
 * A guess is a sampled trajectory: states and controls at fractions of the horizon, NAN where it says nothing of a
 * variable. It comes from a result file (--guess), from the spec's waypoints, or from a presolve; without one, each
 * variable keeps its own guess, else its initial value, at all times.
 */
#ifndef COCP_TRANSCRIPTION_START_GUESS_H
#define COCP_TRANSCRIPTION_START_GUESS_H

#include "core/results/results.h"
#include "transcription/discretize/transcription.h"

struct guess {
    struct arena mem;               /* owns the arrays */
    int n;
    double *fraction;               /* [n] ascending, of the horizon */
    double *x, *u;                  /* [n * n_x], [n * n_u]; NAN: not given */
    double *force;                  /* [n * n_contact * (1 + SLIP_MAX)] N, each normal force with its friction; NAN:
                                     * not given; NULL: none is */
    double horizon;                 /* s; NAN: not given */
    double *p;                      /* [n_p of the model]; NAN: not given */
    const struct result *file;      /* where it comes from; NULL: no file */
    struct result *owned;           /* the same where it was read for the guess; NULL: borrowed */
    bool is_shifted;                /* FILE@T: begins at time `from` of the file, and is not stretched */
    double from, rest;              /* s of the file: 0 without T; what follows from there on */
};

/* From a result file, "FILE.h5" or "FILE.h5@T": from its time T on. Variables are matched by name; a note in diag
 * says which states the file does not have. Without T a fixed horizon is reached by stretching; with T it is cut,
 * or its rest holds the last state, and a free horizon is what is left. Errors: STATUS_IO. */
enum status guess_from_file(const struct model *model, const char *path, struct guess **out, struct diag *diag);

/* The same from a result in memory, which is borrowed: from its time `from` on, or NAN for the whole of it,
 * stretched. name: of the result in messages. */
enum status guess_from_result(const struct model *model, const struct result *result, const char *name, double from,
                              struct guess **out, struct diag *diag);

/* From the waypoints of the spec; NULL if it has none. */
struct guess *guess_from_waypoints(const struct model *model);

/* What *from says, or nothing where it is NULL, with room for more at n fractions. *place [n]: their points. */
struct guess *guess_with_room(const struct model *model, const struct guess *from, int n, const double *fraction,
                              int *place);

void guess_free(struct guess *guess);

/* State at a fraction of the horizon, x [n_x]; guess may be NULL. */
void guess_state(const struct model *model, const struct guess *guess, double fraction, double *x);

/* Where a variable starts without a guess: its own guess, else its initial value, else 0. */
double guess_of_variable(const struct model_var *x);

/* Writes states, controls, horizon and parameters of the guess into the program's starting point, moved into the
 * bounds; lam and sel follow the states where `consistent`. guess may be NULL: the variables' own guesses. */
void tr_apply_guess(struct transcription *tr, const struct guess *guess, bool consistent);

/* Where point k of element j lies, as a part of the horizon at its nominal lengths: 0 to 1; j = -1: the start. */
double tr_fraction(const struct transcription *tr, int j, int k);

#endif
