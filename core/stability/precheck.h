/* core/stability/precheck.h - what must hold before a Lyapunov function is looked for; stability.md 2
 *
 * Units   those of body.h; margins are forces and accelerations over that of the load, lengths squared over the
 *         radius of gyration, or energies of unit velocities: how far the nearest quantity is from deciding
 *         otherwise.
 * Errors  none; a body that is not regular is inconclusive.
 */
#ifndef COCP_CORE_STABILITY_PRECHECK_H
#define COCP_CORE_STABILITY_PRECHECK_H

#include "core/stability/body.h"

enum certify_outcome { CERTIFY_CERTIFIED, CERTIFY_INCONCLUSIVE, CERTIFY_UNSTABLE, CERTIFY_NO_EQUILIBRIUM };

/* "certified", "inconclusive", "unstable", "no-equilibrium" */
const char *certify_outcome_text(enum certify_outcome outcome);

struct verdict {
    enum certify_outcome outcome;
    const char *reason;             /* one word; "" if certified */
    double margin;                  /* NAN where there is none */
    char words[240];                /* a sentence */
};

/* Fills a verdict; the words are printf-formatted. */
void verdict_set(struct verdict *verdict, enum certify_outcome outcome, const char *reason, double margin,
                 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The five checks, in their order; gs >= 0. CERTIFY_CERTIFIED: all hold, margin is the least. name [2]: contacts.
 * */
void precheck(const struct body *body, const char *const *name, struct verdict *out);

/* 1e-9: a quantity closer to 0 decides nothing. */
extern const double PRECHECK_MARGINAL;

#endif
