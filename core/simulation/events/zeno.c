#include "core/simulation/events/zeno.h"

#include <math.h>

static const double TAIL = 1e-5;            /* s: heights are then g TAIL^2 / 8, 1e-10 m */
static const double TAIL_ERROR = 1e-11;     /* s: of the accumulation point, by what the ratio is not known to */
static const double REGULAR = 0.02;         /* change of the ratio, relative to 1 - ratio, of a regular sequence */
/* s and m/s: shorter and slower is the end of a sequence without a ratio, whose flights of 1e-13 m are noise of gaps */
static const double FLIGHT = 1e-6, SLOW = 1e-6;
enum { REGULAR_MIN = 4 };

void zeno_init(struct zeno *zeno)
{
    *zeno = (struct zeno){ NAN, NAN, NAN, NAN, INFINITY, 0, 0, NAN };
}

void zeno_impact(struct zeno *zeno, double t, double v_n)
{
    const double interval = t - zeno->t_last, ratio = interval / zeno->interval, drift = fabs(ratio - zeno->ratio);
    const bool shrinks = ratio < 1, is_regular = shrinks && drift < REGULAR * (1 - ratio);
    /* later ratios are nearer to the limit, until rounding of ever shorter flights makes them worse again */
    if (!is_regular)
        zeno->drift = INFINITY;
    if (is_regular && drift < zeno->drift) {
        zeno->drift = drift;
        zeno->limit = ratio;
    }
    zeno->n_impact = shrinks || isnan(ratio) ? zeno->n_impact + 1 : 2;
    zeno->n_regular = is_regular ? zeno->n_regular + 1 : 0;
    zeno->t_last = t;
    zeno->interval = interval;
    zeno->ratio = ratio;
    zeno->speed = v_n;
}

bool zeno_is_regular(const struct zeno *zeno)
{
    return zeno->n_regular >= REGULAR_MIN;
}

bool zeno_is_slow(double v_n)
{
    return v_n < SLOW;
}

static double tail(const struct zeno *zeno)
{
    return zeno_is_regular(zeno) ? zeno->interval * zeno->limit / (1 - zeno->limit) : zeno->interval;
}

static bool accumulates(const struct zeno *zeno)
{
    if (!zeno_is_regular(zeno))
        return zeno->interval < FLIGHT && zeno_is_slow(zeno->speed);
    if (!(tail(zeno) < TAIL))
        return false;
    return tail(zeno) * zeno->drift / (1 - zeno->limit) < TAIL_ERROR;
}

double zeno_end(const struct zeno *zeno)
{
    return zeno->t_last + tail(zeno);
}

bool zeno_find(int n, const struct zeno *zeno, double t, bool *rests)
{
    bool any = false;
    double longest = 0;
    for (int c = 0; c < n; c++) {
        rests[c] = accumulates(&zeno[c]);
        if (rests[c] && zeno[c].t_last >= t) {
            any = true;
            longest = fmax(longest, zeno[c].interval);
        }
    }
    for (int c = 0; c < n && any; c++) {
        const bool is_recent = zeno[c].t_last > t - 1.5 * longest;
        if (is_recent && !rests[c])
            any = false;
        rests[c] = rests[c] && is_recent;
    }
    for (int c = 0; c < n; c++)
        rests[c] = rests[c] && any;
    return any;
}
