#include "transcription/finish/admissible.h"

#include "core/base/mem.h"
#include "core/model/starts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* State (starts * 2 + is_on) * age + how long, capped at `age`, which is long enough for either. */
struct automaton {
    int n_interval, n;              /* states */
    int age, least[2];              /* least stays off, on */
    int most;                       /* starts that are counted */
    int before;                     /* the state before the horizon */
};

static struct automaton automaton_of(const struct model *model, int k)
{
    const struct model_starts *starts = &model->u[k].starts;
    struct automaton at = { .n_interval = model->time.n_intervals, .most = starts->most };
    at.least[0] = starts_intervals(model, starts->min_off);
    at.least[1] = starts_intervals(model, starts->min_on);
    at.age = at.least[0] > at.least[1] ? at.least[0] : at.least[1];
    assert(at.age > 0);             /* starts_intervals */
    if (at.most < 0 || at.most >= at.n_interval)
        at.most = -1;
    at.n = (at.most < 0 ? 1 : at.most + 1) * 2 * at.age;
    at.before = starts_is_on(&model->u[k], starts->before) * at.age + at.age - 1;
    return at;
}

static bool state_is_on(const struct automaton *at, int state) { return state / at->age % 2; }

/* Where it goes as it is on or off in the next interval; -1: it may not. */
static int step(const struct automaton *at, int state, bool on)
{
    const int age = state % at->age, starts = state / at->age / 2;
    const bool was_on = state_is_on(at, state);
    if (on == was_on)
        return state + (age + 1 < at->age);
    if (age + 1 < at->least[was_on] || (on && at->most >= 0 && starts == at->most))
        return -1;
    return ((at->most < 0 ? 0 : starts + on) * 2 + on) * at->age;
}

bool admissible_narrow(const struct model *model, int k, unsigned char *may)
{
    const struct automaton at = automaton_of(model, k);
    const size_t n = (size_t)at.n;
    bool *to = mem_alloc(n * (size_t)(at.n_interval + 1), 1), *from = mem_alloc(2 * n, 1), any = false;
    to[at.before] = true;
    for (int i = 0; i < at.n_interval; i++)
        for (int s = 0; s < at.n; s++)
            for (int on = 0; on <= 1; on++)
                if (to[i * at.n + s] && may[i] & (on ? MAY_BE_ON : MAY_BE_OFF) && step(&at, s, on) >= 0)
                    to[(i + 1) * at.n + step(&at, s, on)] = true;
    memset(from, 1, n);
    for (int i = at.n_interval - 1; i >= 0; i--) {
        unsigned char left = 0;
        bool *later = from, *now = from + n;
        for (int s = 0; s < at.n; s++) {
            now[s] = false;
            for (int on = 0; on <= 1; on++) {
                const int next = to[i * at.n + s] && may[i] & (on ? MAY_BE_ON : MAY_BE_OFF) ? step(&at, s, on) : -1;
                if (next >= 0 && later[next]) {
                    now[s] = true;
                    left = (unsigned char)(left | (on ? MAY_BE_ON : MAY_BE_OFF));
                }
            }
        }
        memcpy(later, now, n);
        may[i] = left;
        any = left != 0;
    }
    free(from);
    free(to);
    return any;
}

/* --- Sum-up rounding ------------------------------------------------------------------------------------------ */

/* The best way to a state: what the integral is behind, in intervals, and the sum of its squares so far. */
struct way { double behind, sum; int from; double value; };

/* Of the values that are on, or off, the one that leaves the least behind. */
static double nearest_of(const struct model_var *u, bool on, double wanted)
{
    double best = NAN;
    for (int j = 0; j < u->n_value; j++)
        if (starts_is_on(u, u->value[j]) == on && !(fabs(u->value[j] - wanted) >= fabs(best - wanted)))
            best = u->value[j];
    return best;
}

bool admissible_round(const struct model *model, int k, const unsigned char *may, const double *u, double *value)
{
    const struct automaton at = automaton_of(model, k);
    const struct model_var *var = &model->u[k];
    struct way *way = mem_alloc((size_t)at.n * (size_t)(at.n_interval + 1), sizeof *way);
    for (int s = 0; s < at.n * (at.n_interval + 1); s++)
        way[s].sum = INFINITY;
    way[at.before].sum = 0;
    for (int i = 0; i < at.n_interval; i++)
        for (int s = 0; s < at.n; s++)
            for (int on = 0; on <= 1; on++) {
                const struct way *here = &way[i * at.n + s];
                const int next = isfinite(here->sum) && may[i] & (on ? MAY_BE_ON : MAY_BE_OFF) ? step(&at, s, on) : -1;
                if (next < 0)
                    continue;
                const double one = nearest_of(var, on, u[i] + here->behind), behind = here->behind + u[i] - one;
                struct way *there = &way[(i + 1) * at.n + next];
                if (here->sum + behind * behind < there->sum)
                    *there = (struct way){ behind, here->sum + behind * behind, s, one };
            }
    int best = 0;
    for (int s = 1; s < at.n; s++)
        if (way[at.n_interval * at.n + s].sum < way[at.n_interval * at.n + best].sum)
            best = s;
    const bool any = isfinite(way[at.n_interval * at.n + best].sum);
    for (int i = at.n_interval; i > 0 && any; i--) {
        value[i - 1] = way[i * at.n + best].value;
        best = way[i * at.n + best].from;
    }
    free(way);
    return any;
}
