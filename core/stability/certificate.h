/* core/stability/certificate.h - a proof of stability, and its check
 *
 * The check is written apart from what builds the program (conditions.c): other formulas, interval arithmetic, no
 * matrices of the solver. It proves that every body whose parameters lie within BOX of the stated ones, relative
 * to max(1, magnitude), is stable under zero-order dynamics in the sense of stability.md 2 and 4:
 *   - the preconditions 1 to 5 hold with a margin;
 *   - from the free numbers in p, the rest of p follows by formulas that make the equalities of stability.md 4
 *     identities; what is stated must agree with that to RESIDUAL;
 *   - each condition holds for the enclosure of these functions, strictly: values have positive lower bounds,
 *     matrices (copositive ones minus their multipliers) only positive pivots.
 * Each condition's margin is stated, and found again. proof_functions.h says how the formulas follow.
 *
 * Errors  certificate_check says what it refused.
 */
#ifndef COCP_CORE_STABILITY_CERTIFICATE_H
#define COCP_CORE_STABILITY_CERTIFICATE_H

#include "core/stability/body.h"
#include "core/stability/settings.h"

#include <stddef.h>

enum { CERTIFICATE_MAX_COND = 80, CERTIFICATE_MAX_NU = 10, CERTIFICATE_NAME = 32 };

struct certificate_cond {
    char name[CERTIFICATE_NAME];    /* as conditions.h calls it */
    int n;                          /* 1: a number; else the size of the matrix */
    double scale;                   /* margins are relative to it */
    double nu[CERTIFICATE_MAX_NU];  /* of a copositive matrix K: K/scale - N(nu) is positive definite */
    double margin;                  /* lower bound of the number, or of the eigenvalues, over scale */
    double sum;                     /* of entries k = 0, 1, ... (by columns, over scale) times k + 1: any change
                                     * of a multiplier shows in it */
};

/* One proof; on flat ground (gs = 0) there is a second one, for the mirror image. */
struct certificate_side {
    struct body body;
    double p[LEVEL_MAX_P];    /* conditions.h */
    int n_cond;
    struct certificate_cond cond[CERTIFICATE_MAX_COND];
};

struct certificate {
    int level;                      /* a LEVEL_ bit */
    int n_side;
    struct certificate_side side[2];
    double margin;                  /* the least of all conditions */
    double residual;                /* largest violation of an equality */
};

/* Writes the margins and the residual that the check finds. False if a condition does not hold. why [size] says
 * which. */
bool certificate_measure(struct certificate *certificate, char *why, size_t size);

/* Is everything as stated? */
bool certificate_check(const struct certificate *certificate, char *why, size_t size);

#endif
