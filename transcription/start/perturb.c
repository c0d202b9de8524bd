#include "transcription/start/perturb.h"

#include "core/base/mem.h"
#include "core/base/pi.h"
#include "core/base/random.h"
#include "core/model/kinematics.h"
#include "transcription/discretize/initial.h"
#include "transcription/start/guess.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Optimized parameters within their bounds, by up to `size` of these; by all of them where there is no control, and
 * nothing else that starts could differ by. */
static void vary_parameters(struct transcription *tr, uint64_t *state, double size)
{
    const struct model *model = tr->model;
    const double part = model->n_u > 0 ? size : 1;
    const double *w0 = program_guess(tr->prog);
    for (int k = 0; k < model->n_p; k++) {
        const struct model_param *p = &model->param[model->p_param[k]];
        const double width = p->ub - p->lb, by = isfinite(width) ? width : fmax(1, fabs(p->value));
        const double moved = w0[tr->p + k] + part * by * random_signed(random_next(state));
        program_set_guess(tr->prog, tr->p + k, fmin(fmax(moved, p->lb), p->ub));
    }
}

void tr_perturb_guess(struct transcription *tr, unsigned seed, double size)
{
    uint64_t state = seed;
    const struct model *model = tr->model;
    double *w0 = program_guess(tr->prog);
    for (int j = 0; j < tr->n_element; j++)
        for (int k = 1; k <= tr->n_point; k++)
            for (int i = 0; i < model->n_x; i++) {
                const double width = model->x[i].ub - model->x[i].lb;
                const double scale = isfinite(width) ? fmin(width, 1) : 1;
                const int var = tr_y(tr, j, k, i);
                program_set_guess(tr->prog, var, w0[var] + size * scale * random_signed(random_next(&state)));
            }
    for (int i = 0; i < tr->n_interval; i++)
        for (int k = 0; k < model->n_u; k++) {
            const double width = model->u[k].ub - model->u[k].lb;
            const double scale = isfinite(width) ? width : 1;
            program_set_guess(tr->prog, tr->u[i] + k,
                              w0[tr->u[i] + k] + size * scale * random_signed(random_next(&state)));
        }
    vary_parameters(tr, &state, size);
    tr_guess_junctions(tr);
}

/* Of a state, for detours: the width of its bounds, or of what its guess goes through. */
static double width_of_state(const struct transcription *tr, const double *w0, int i)
{
    const double width = tr->model->x[i].ub - tr->model->x[i].lb;
    double most = 0;
    if (isfinite(width))
        return width;
    for (int j = 0; j < tr->n_element; j++)
        for (int k = 1; k <= tr->n_point; k++)
            most = fmax(most, fabs(w0[tr_y(tr, j, k, i)]));
    return fmax(1, 2 * most);
}

enum { WAVES = 3 };

/* The sum of a[m] sin((m + 1) pi s), 0 at both ends. */
static double waves(const double *a, double s)
{
    double sum = 0;
    for (int m = 0; m < WAVES; m++)
        sum += a[m] * sin((m + 1) * PI * s);
    return sum;
}

/* [n_x * WAVES] how far each state is led away by each wave. */
static double *amplitudes(const struct transcription *tr, unsigned seed, double size)
{
    const int n_x = tr->model->n_x;
    const double *w0 = program_guess(tr->prog);
    double *a = mem_alloc((size_t)(n_x * WAVES), sizeof *a);
    uint64_t state = seed;
    for (int i = 0; i < n_x; i++) {
        const double width = width_of_state(tr, w0, i);
        for (int m = 0; m < WAVES; m++)
            a[i * WAVES + m] = size * width / (m + 1) * random_signed(random_next(&state));
    }
    return a;
}

void tr_detour_guess(struct transcription *tr, unsigned seed, double size)
{
    const int n_x = tr->model->n_x;
    const double *w0 = program_guess(tr->prog);
    double *a = amplitudes(tr, seed, size), *x = mem_alloc((size_t)n_x, sizeof *x);
    for (int j = 0; j < tr->n_element; j++)
        for (int k = 1; k <= tr->n_point; k++) {
            const double s = tr_fraction(tr, j, k);
            for (int i = 0; i < n_x; i++)
                x[i] = w0[tr_y(tr, j, k, i)] + waves(a + i * WAVES, s);
            kinematics_normalize(tr->model, x);
            for (int i = 0; i < n_x; i++)
                program_set_guess(tr->prog, tr_y(tr, j, k, i), x[i]);
        }
    uint64_t state = random_mix(seed);
    vary_parameters(tr, &state, size);
    free(x);
    free(a);
    tr_guess_junctions(tr);
}
