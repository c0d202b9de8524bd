#include "core/base/interval.h"

#include "core/base/pi.h"

#include <assert.h>
#include <float.h>
#include <math.h>

enum { MAX_N = 5 };

static double down(double x)
{
    return nextafter(x, -INFINITY);
}

static double up(double x)
{
    return nextafter(x, INFINITY);
}

static struct interval nowhere(void)
{
    return (struct interval){ NAN, NAN };
}

static bool is_nan(struct interval a)
{
    return isnan(a.lo) || isnan(a.hi);
}

struct interval iv(double x)
{
    return (struct interval){ x, x };
}

struct interval iv_around(double x, double radius)
{
    return (struct interval){ down(x - radius), up(x + radius) };
}

struct interval iv_add(struct interval a, struct interval b)
{
    return (struct interval){ down(a.lo + b.lo), up(a.hi + b.hi) };
}

struct interval iv_sub(struct interval a, struct interval b)
{
    return (struct interval){ down(a.lo - b.hi), up(a.hi - b.lo) };
}

struct interval iv_neg(struct interval a)
{
    return (struct interval){ -a.hi, -a.lo };
}

/* From the least to the largest of four numbers; NaN if one is, which fmin and fmax would pass over: 0 times
 * infinity may be any number. */
static struct interval hull4(double p, double q, double r, double s)
{
    if (isnan(p) || isnan(q) || isnan(r) || isnan(s))
        return nowhere();
    return (struct interval){ down(fmin(fmin(p, q), fmin(r, s))), up(fmax(fmax(p, q), fmax(r, s))) };
}

struct interval iv_mul(struct interval a, struct interval b)
{
    return hull4(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi);
}

struct interval iv_scale(double x, struct interval a)
{
    return iv_mul(iv(x), a);
}

struct interval iv_div(struct interval a, struct interval b)
{
    if (!(b.lo > 0 || b.hi < 0))
        return nowhere();
    return hull4(a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi);
}

struct interval iv_square(struct interval a)
{
    const struct interval product = iv_mul(a, a);
    if (a.lo > 0 || a.hi < 0 || is_nan(product))
        return product;
    return (struct interval){ 0, product.hi };
}

struct interval iv_sqrt(struct interval a)
{
    if (!(a.lo >= 0))
        return nowhere();
    return (struct interval){ fmax(0, down(sqrt(a.lo))), up(sqrt(a.hi)) };
}

/* What a function of the C library says, four units in its last place to either side; an infinity may be an
 * overflow. */
static double lower(double x)
{
    return isinf(x) ? down(x) : down(x - 4 * DBL_EPSILON * fabs(x));
}

static double higher(double x)
{
    return isinf(x) ? up(x) : up(x + 4 * DBL_EPSILON * fabs(x));
}

struct interval iv_growing(double (*f)(double), struct interval a)
{
    return (struct interval){ lower(f(a.lo)), higher(f(a.hi)) };
}

struct interval iv_hull(struct interval a, struct interval b)
{
    return is_nan(a) || is_nan(b) ? nowhere() : (struct interval){ fmin(a.lo, b.lo), fmax(a.hi, b.hi) };
}

/* Is one of the points first + 2 pi k in a? One just outside may count as well. */
static bool has_point(struct interval a, double first)
{
    const double turn = 2 * PI, slack = 1e-9 + 4 * DBL_EPSILON * iv_mag(a);
    return floor((a.hi + slack - first) / turn) >= ceil((a.lo - slack - first) / turn);
}

/* f is sin or cos, 1 at top and -1 half a turn later. */
static struct interval wave(double (*f)(double), double top, struct interval a)
{
    if (is_nan(a))
        return nowhere();
    if (!(iv_mag(a) < 1e9))
        return (struct interval){ -1, 1 };
    const double at_lo = f(a.lo), at_hi = f(a.hi);
    const double least = fmax(-1, down(fmin(at_lo, at_hi) - 4 * DBL_EPSILON));
    const double most = fmin(1, up(fmax(at_lo, at_hi) + 4 * DBL_EPSILON));
    return (struct interval){ has_point(a, top + PI) ? -1 : least, has_point(a, top) ? 1 : most };
}

struct interval iv_sin(struct interval a)
{
    return wave(sin, acos(0), a);
}

struct interval iv_cos(struct interval a)
{
    return wave(cos, 0, a);
}

bool iv_is_zero(struct interval a)
{
    return a.lo <= 0 && a.lo >= 0 && a.hi <= 0 && a.hi >= 0;
}

double iv_mid(struct interval a)
{
    return 0.5 * (a.lo + a.hi);
}

double iv_mag(struct interval a)
{
    return is_nan(a) ? NAN : fmax(fabs(a.lo), fabs(a.hi));
}

struct interval iv_dot3(const struct interval *a, const struct interval *b)
{
    return iv_add(iv_add(iv_mul(a[0], b[0]), iv_mul(a[1], b[1])), iv_mul(a[2], b[2]));
}

void iv_cross3(const struct interval *a, const struct interval *b, struct interval *out)
{
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        out[k] = iv_sub(iv_mul(a[p], b[q]), iv_mul(a[q], b[p]));
    }
}

void iv_combine3(struct interval x, const struct interval *a, struct interval y, const struct interval *b,
                 struct interval *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = iv_add(iv_mul(x, a[k]), iv_mul(y, b[k]));
}

struct interval iv_form3(const struct interval *Q, const struct interval *x, const struct interval *y)
{
    struct interval Qy[3];
    for (int row = 0; row < 3; row++) {
        Qy[row] = iv(0);
        for (int col = 0; col < 3; col++)
            Qy[row] = iv_add(Qy[row], iv_mul(Q[row + 3 * col], y[col]));
    }
    return iv_dot3(x, Qy);
}

bool iv_positive_definite(int n, const struct interval *A, double shift)
{
    struct interval S[MAX_N * MAX_N] = { { 0, 0 } };
    assert(n <= MAX_N);
    for (int k = 0; k < n * n; k++)
        S[k] = k % (n + 1) == 0 ? iv_sub(A[k], iv(shift)) : A[k];
    for (int p = 0; p < n; p++) {
        if (!(S[p + n * p].lo > 0))
            return false;
        for (int row = p + 1; row < n; row++) {
            const struct interval factor = iv_div(S[row + n * p], S[p + n * p]);
            for (int col = p + 1; col < n; col++)
                S[row + n * col] = iv_sub(S[row + n * col], iv_mul(factor, S[p + n * col]));
        }
    }
    return true;
}
