#include "core/impact/outcome.h"

#include "core/contact/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double impact_kind_tol(const struct impact_sampler *sampler)
{
    return 1e-6 * dense_largest(sampler->system->n_row, sampler->u_minus);
}

int impact_mode_of(const struct impact_system *system, const double *u, double tol)
{
    int mode = 0;
    for (int c = system->n_contact - 1; c >= 0; c--) {
        const struct impact_contact *contact = &system->contact[c];
        double slip = 0;
        for (int i = 1; i <= contact->n_t; i++)
            slip = hypot(slip, u[contact->row + i]);
        mode = 3 * mode + (u[contact->row] > tol ? IMPACT_LIFTS : slip > tol ? IMPACT_SLIDES : IMPACT_STICKS);
    }
    return mode;
}

enum impact_kind impact_kind_of(int mode, int contact)
{
    while (contact-- > 0)
        mode /= 3;
    return (enum impact_kind)(mode % 3);
}

const char *impact_kind_text(enum impact_kind kind)
{
    static const char *const text[] = { [IMPACT_STICKS] = "stick", [IMPACT_SLIDES] = "slide", [IMPACT_LIFTS] = "lift" };
    return text[kind];
}

/* --- The summary --------------------------------------------------------------------------------------------- */

static int by_mode(const void *a, const void *b)
{
    const struct impact_share *x = a, *y = b;
    return (x->mode > y->mode) - (x->mode < y->mode);
}

static int by_frequency(const void *a, const void *b)
{
    const struct impact_share *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : by_mode(a, b);
}

/* One share per mode: samples sorted by mode, equal ones merged, then sorted by frequency. */
static void count_modes(const struct impact_set *set, struct impact_summary *summary)
{
    struct impact_share *share = arena_alloc(&summary->mem, (size_t)summary->n_ended, sizeof *share);
    int n = 0;
    for (int k = 0; k < set->n; k++) {
        const double energy = set->sample[k].energy;
        if (summary->mode[k] >= 0)
            share[n++] = (struct impact_share){ summary->mode[k], 1, energy, energy };
    }
    qsort(share, (size_t)n, sizeof *share, by_mode);
    for (int k = 0; k < n; k++) {
        struct impact_share *last = summary->n_share > 0 ? &share[summary->n_share - 1] : NULL;
        if (!last || last->mode != share[k].mode) {
            share[summary->n_share++] = share[k];
            continue;
        }
        last->n++;
        last->energy_min = fmin(last->energy_min, share[k].energy_min);
        last->energy_max = fmax(last->energy_max, share[k].energy_max);
    }
    qsort(share, (size_t)summary->n_share, sizeof *share, by_frequency);
    summary->share = share;
}

static void add_ended(const struct impact_sampler *sampler, const struct impact_set *set, int k, double tol,
                      struct impact_summary *summary)
{
    const struct impact_system *system = sampler->system;
    double u[IMPACT_MAX_ROWS];
    impact_contact_velocity(system, set->v + (size_t)k * (size_t)system->n_v, u);
    summary->mode[k] = impact_mode_of(system, u, tol);
    summary->n_ended++;
    summary->n_cut += set->sample[k].is_cut;
    for (int r = 0; r < system->n_row; r++) {
        summary->u_min[r] = fmin(summary->u_min[r], u[r]);
        summary->u_max[r] = fmax(summary->u_max[r], u[r]);
    }
    summary->energy_min = fmin(summary->energy_min, set->sample[k].energy);
    summary->energy_max = fmax(summary->energy_max, set->sample[k].energy);
}

void impact_summarize(const struct impact_sampler *sampler, const struct impact_set *set,
                      struct impact_summary *summary)
{
    const double tol = impact_kind_tol(sampler);
    double n_lcps = 0, n_multiple = 0;
    *summary = (struct impact_summary){ .energy_min = NAN, .energy_max = NAN };
    summary->mode = arena_alloc(&summary->mem, (size_t)set->n, sizeof *summary->mode);
    for (int r = 0; r < IMPACT_MAX_ROWS; r++)
        summary->u_min[r] = summary->u_max[r] = NAN;    /* fmin and fmax skip NAN */
    for (int k = 0; k < set->n; k++) {
        const struct impact_sample *sample = &set->sample[k];
        const bool is_solved = sample->solved && sample->violation <= IMPACT_VIOLATION;
        n_lcps += sample->n_steps;
        n_multiple += sample->n_multiple;
        summary->violation = fmax(summary->violation, sample->violation);
        summary->growth = fmax(summary->growth, sample->growth);
        summary->n_unsolved += !is_solved;
        summary->mode[k] = -1;
        if (is_solved && sample->terminated)
            add_ended(sampler, set, k, tol, summary);
    }
    summary->lcps = n_lcps / set->n;
    summary->multiple = n_multiple / n_lcps;
    count_modes(set, summary);
}
