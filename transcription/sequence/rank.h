/* transcription/sequence/rank.h - which conditions repeat others: rank of their gradients, one after the other
 *
 * Gram-Schmidt on rows of length n; a row counts as dependent when less than RANK_TOL (recipe.h) of it is left.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_RANK_H
#define COCP_TRANSCRIPTION_SEQUENCE_RANK_H

#include "transcription/sequence/sequence.h"
#include "transcription/sequence/system.h"

struct rank;

struct rank *rank_create(int n);
void rank_free(struct rank *rank);

/* A row to be filled, [n], all 0; then taken in by rank_add: true if it is independent of those before. */
double *rank_row(struct rank *rank);
bool rank_add(struct rank *rank);

/* Rows are gradients of what is to be 0; its value now, of the row to be filled: 0 if nothing is said. Then y [n]
 * takes the shortest step after which all of them are 0 by their gradients. */
void rank_value(struct rank *rank, double value);
void rank_correct(const struct rank *rank, double *y);

/* The gradient of an expression of y and p at y [n_y], p at its guess: as rank_row. */
double *rank_gradient(struct rank *rank, const struct phase_system *sys, expr e, const double *y);

/* What a mode keeps true, as rows by y: closed loops, gap and gap' of closed contacts, v_t of sticking ones; c of
 * sliding switches, and of the user's complementarity the continuous side at 0, with its derivatives that no
 * control reaches. */
void rank_add_contacts(struct rank *rank, const struct phase_system *sys, const unsigned char *state,
                       const double *y);
void rank_add_mode(struct rank *rank, const struct phase_system *sys, const unsigned char *state, const double *y);

/* Tangential conditions of sticking in the plane that closed gaps alone imply are given up: such a contact is
 * closed without friction, which fixes a force that is not determined (phases.md "Repeated rows"). What other feet
 * that stick imply has its force, and no condition (rank_slip_rows). state [n_contact]. */
void rank_drop_implied_sticks(const struct phase_system *sys, unsigned char *state, const double *y);

/* What nothing else implies of the rest of contacts, `asks`, where what is not open, `state`, stays closed, and
 * what `rests` already does not slip. All [n_contact]; rests may be NULL. */
void rank_slip_rows(const struct phase_system *sys, const unsigned char *state, const bool *rests, const bool *asks,
                    const double *y, struct slip_rows *rows);

#endif
