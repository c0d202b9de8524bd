/* core/base/slip.h - slip and the friction against it are vectors of 1 to SLIP_MAX components
 *
 *   one    in the plane
 *   two    along a surface
 *   three  along it and about its normal: a limit surface, an ellipsoid of two forces and a moment
 *
 * A contact has the rows normal, first, second, third component of slip; those it has not are 0.
 */
#ifndef COCP_CORE_BASE_SLIP_H
#define COCP_CORE_BASE_SLIP_H

#include <math.h>

enum { SLIP_MAX = 3, CONTACT_ROWS = 1 + SLIP_MAX };

static inline double slip_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* |v|, that of the plane alone exact. */
static inline double slip_size(const double *v)
{
    return v[2] == 0 ? hypot(v[0], v[1]) : hypot(hypot(v[0], v[1]), v[2]);
}

/* d = v / |v|; v is not 0. */
static inline void slip_unit(const double *v, double *d)
{
    const double size = slip_size(v);
    for (int k = 0; k < SLIP_MAX; k++)
        d[k] = v[k] / size;
}

#endif
