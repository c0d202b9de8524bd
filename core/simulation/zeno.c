/* Impacts that accumulate: the intervals between impacts of a contact shrink by a ratio that becomes constant, e
 * for a bouncing ball, 0.49 for a corner of the rocking block (impact.md 10). Once the geometric tail interval r /
 * (1 - r) is short it is summed, and the contact rests from its end on. */
#include "core/simulation/run.h"

#include <math.h>

static const double TAIL = 1e-5;            /* s: heights are then g TAIL^2 / 8, 1e-10 m */
static const double TAIL_ERROR = 1e-11;     /* s: of the accumulation point, by what the ratio is not known to */
static const double REGULAR = 0.02;         /* change of the ratio, relative to 1 - ratio, of a regular sequence */
enum { REGULAR_MIN = 4 };

void zeno_init(struct zeno *zeno)
{
    *zeno = (struct zeno){ NAN, NAN, NAN, NAN, INFINITY, 0, 0 };
}

void zeno_impact(struct zeno *zeno, double t)
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
}

static double tail(const struct zeno *zeno)
{
    return zeno->interval * zeno->limit / (1 - zeno->limit);
}

static bool accumulates(const struct zeno *zeno)
{
    if (zeno->n_regular < REGULAR_MIN || !(tail(zeno) < TAIL))
        return false;
    return tail(zeno) * zeno->drift / (1 - zeno->limit) < TAIL_ERROR;
}

/* Contacts that bounce in turn come to rest together: each that had an impact within the tail must accumulate. */
bool zeno_find(struct sim *sim)
{
    bool any = false;
    double longest = 0;
    for (int c = 0; c < sim->sys->n_c; c++) {
        sim->accumulates[c] = accumulates(&sim->zeno[c]);
        if (sim->accumulates[c] && sim->zeno[c].t_last >= sim->t) {
            any = true;
            longest = fmax(longest, sim->zeno[c].interval);
        }
    }
    for (int c = 0; c < sim->sys->n_c && any; c++) {
        const bool is_recent = sim->zeno[c].t_last > sim->t - 1.5 * longest;
        if (is_recent && !sim->accumulates[c])
            any = false;
        sim->accumulates[c] = sim->accumulates[c] && is_recent;
    }
    for (int c = 0; c < sim->sys->n_c; c++) {
        sim->accumulates[c] = sim->accumulates[c] && any;
        if (!sim->accumulates[c])
            continue;
        sim->t_rest[c] = sim->zeno[c].t_last + tail(&sim->zeno[c]);
        sim->n_resolved += sim->zeno[c].n_impact;
        sim_note(sim,
                 "%s: %d impacts resolved one by one, at rest from t = %.12g on (they accumulate, each interval "
                 "%.6g of the one before)",
                 sim->sys->model->contact[c].name, sim->zeno[c].n_impact, sim->t_rest[c], sim->zeno[c].limit);
        zeno_init(&sim->zeno[c]);
    }
    return any;
}
