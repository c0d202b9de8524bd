/* core/simulation/events/dip.h - a function on [0, 1] by its values at Chebyshev points: where does it become
 * negative?
 *
 * Ownership  private to core/simulation.
 */
#ifndef COCP_CORE_SIMULATION_EVENTS_DIP_H
#define COCP_CORE_SIMULATION_EVENTS_DIP_H

#include <stdbool.h>

enum { DIP_SAMPLES = 16 };          /* Chebyshev points, less one: polynomials up to this degree are told exactly */

#define DIP_GRAZE 1e-9              /* m: a gap that comes nearer and opens again is worth a note */

/* cos(pi k / DIP_SAMPLES), all that is needed of them. */
struct dip_cosines { double of[2 * DIP_SAMPLES]; };
void dip_cosines_init(struct dip_cosines *cosines);

/* Point j = 0 .. n of n + 1, ascending. */
double dip_point(int j, int n);

/* Chebyshev coefficients coef [DIP_SAMPLES + 1] of the values at the points, value[j * stride]. */
void dip_interpolate(const struct dip_cosines *cosines, const double *value, int stride, double *coef);

/* What the interpolant may be off by: the size of its last coefficients. */
double dip_error(const double *coef);

/* Is it above `least` all along, as the size of the coefficients tells? */
bool dip_stays_above(const double *coef, double least);

struct dip {                        /* the first place below -noise */
    bool found;
    double inside, outside;         /* the function is >= 0 at the first, < -noise at the second; both 0: from the
                                     * start */
    bool grazes;
    double tau, least;              /* of a minimum near zero */
    double lowest;                  /* of all that was looked at */
};

struct dip dip_find(const double *coef, double noise);

#endif
