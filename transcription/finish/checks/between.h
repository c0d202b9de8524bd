/* transcription/finish/checks/between.h - a solution between its stages
 *
 * The polynomials of a program, at any part c of an element, 0 to 1: the state, forces and alpha, and with them
 * what the system says of the mode there (system.h) and the user's constraints.
 *
 * Shapes  contacts first, then switches: subject i < n_contact + n_switch.
 * Units   of the spec: gaps in m, times in s.
 */
#ifndef COCP_TRANSCRIPTION_FINISH_CHECKS_BETWEEN_H
#define COCP_TRANSCRIPTION_FINISH_CHECKS_BETWEEN_H

#include "transcription/multiphase/multiphase.h"
#include "transcription/multiphase/rows/inequalities.h"

struct between {
    const struct phases *ph;        /* borrowed */
    const double *w;                /* [nlp n], borrowed */
    struct arena mem;
    struct tape *state, *constraint;
    double *slot, *unknown, *state_out, *constraint_out, *work;    /* as between_evaluate leaves them */
    double *largest;                /* [n_contact + n_switch] margins: gaps, and how far switching functions get */
};

struct between between_create(const struct phases *ph, const double *w);
void between_free(struct between *at);

/* All values at part c of the point's element. */
void between_evaluate(struct between *at, const struct phase_point *point, double c);

/* How much an inequality is broken where that has been: relative to its bound; where that is zero to the value,
 * at least 1. Not positive: it holds. */
double between_violation(const struct between *at, const struct inequality *one);

/* Of an open contact its gap, of a switch beside its surface how far it is from that; evaluates at c. */
double between_margin(struct between *at, const struct phase_point *point, int i, double c);

/* May subject i, a contact or a switch after them, graze in that element? */
bool between_has_margin(const struct phases *ph, const struct phase_point *point, int i);

/* Is it, with a margin in element e, at its surface where the element begins or ends? */
bool between_touches(const struct phases *ph, int e, int i, bool end);

/* Part c of element e [s]. */
double between_time(const struct between *at, int e, double c);

#endif
