/* core/impact/outcome.h - what contacts do after an impact, and how often
 *
 * A contact lifts (v_n > tol), else slides (|v_t| > tol) or sticks; tol is 1e-6 of the largest contact velocity
 * before the impact. A mode is one kind per contact, as the number sum_c kind_c 3^c.
 * Samples that have not ended, or whose LCPs are solved no better than IMPACT_VIOLATION, have no mode: -1.
 *
 * Shapes  u [n_row] of the system's contacts, normal and tangents.
 * Units   of the spec: velocities in m/s, energies in J.
 */
#ifndef COCP_CORE_IMPACT_OUTCOME_H
#define COCP_CORE_IMPACT_OUTCOME_H

#include "core/impact/set.h"

enum impact_kind { IMPACT_STICKS, IMPACT_SLIDES, IMPACT_LIFTS };

#define IMPACT_VIOLATION 1e-6       /* of a sample's LCPs, impact.md 4 */

/* tol of the sampler's impact. */
double impact_kind_tol(const struct impact_sampler *sampler);
/* The mode of the velocities u; and what a contact does in a mode. */
int impact_mode_of(const struct impact_system *system, const double *u, double tol);
enum impact_kind impact_kind_of(int mode, int contact);

/* "stick", "slide", "lift". */
const char *impact_kind_text(enum impact_kind kind);

/* Of the n samples with one mode the least and the largest kinetic energy after the impact. */
struct impact_share { int mode, n; double energy_min, energy_max; };

struct impact_summary {
    struct arena mem;               /* owns every array; free it */
    int n_ended;                    /* samples with a mode; all below is of these */
    int n_cut;                      /* of those that ended: gave back less than restitution says */
    int n_unsolved;                 /* samples with an LCP without a solution, or violated too much */
    int *mode;                      /* [set.n] of each sample */
    int n_share;
    struct impact_share *share;     /* [n_share] most frequent first */
    double energy_min, energy_max;  /* of all of them */
    double u_min[IMPACT_MAX_ROWS], u_max[IMPACT_MAX_ROWS];
    double lcps;                    /* mean per sample, those without a mode included */
    double multiple;                /* share of steps with several solutions */
    double violation, growth;       /* worst of all samples; growth of energy relative to that before */
};

/* Counts the set's samples by mode; free summary->mem afterwards. */
void impact_summarize(const struct impact_sampler *sampler, const struct impact_set *set,
                      struct impact_summary *summary);

#endif
