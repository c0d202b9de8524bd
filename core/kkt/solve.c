#include "core/kkt/factor.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define REFINE_ABOVE 1e-10          /* errors beyond are refined */
#define REFINE_GAIN 0.5             /* a step that does not bring the residual below this part of it is the last */
#define LARGE_X 1e6                 /* beyond this, in units of b, x does not excuse a residual */
enum { REFINE_STEPS = 3 };

/* r = b - A x; by places. */
static void residual(const struct kkt *kkt, const double *b, const double *x, double *r)
{
    const struct sparse *low = &kkt->low;
    memcpy(r, b, (size_t)low->n_cols * sizeof *r);
    for (int j = 0; j < low->n_cols; j++) {
        const double xj = x[j];
        double sum = 0.0;
        for (int k = low->colptr[j]; k < low->colptr[j + 1]; k++) {
            const int i = low->rowind[k];
            r[i] -= kkt->val[k] * xj;
            sum += i == j ? 0.0 : kkt->val[k] * x[i];
        }
        r[j] -= sum;
    }
}

/* Largest |x[i]|; NaN where there is one. Without their signs numbers have the order of their bits,
 * and NaN stands above them all: as integers they need no second look, and four maxima side by side
 * do not wait for each other. */
static double norm(int n, const double *x)
{
    enum { PARTS = 4 };
    uint64_t most[PARTS] = { 0 };
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        bits &= INT64_MAX;
        most[i % PARTS] = bits > most[i % PARTS] ? bits : most[i % PARTS];
    }
    for (int k = 1; k < PARTS; k++)
        most[0] = most[k] > most[0] ? most[k] : most[0];
    double out;
    memcpy(&out, &most[0], sizeof out);
    return out;
}

static void gather(int n, const int *place, const double *x, double *out)
{
    for (int i = 0; i < n; i++)
        out[i] = x[place[i]];
}

static void scatter(int n, const int *place, const double *x, double *out)
{
    for (int i = 0; i < n; i++)
        out[place[i]] = x[i];
}

static void divide_by_pivots(const struct kkt_pivots *pivots, int at, int n, double *x)
{
    for (int p = 0; p < n; p++) {
        const double a = x[p], d = pivots->d[at + p];
        if (pivots->kind[at + p] == 1) {
            x[p] = d * a;
            continue;
        }
        const double c = x[p + 1], e = pivots->e[at + p];
        x[p] = d * a + e * c;
        x[p + 1] = e * a + pivots->d[at + p + 1] * c;
        p++;
    }
}

/* x = S L^-T D^-1 L^-1 S x; by places. */
static void apply_factors(struct kkt *kkt, double *x)
{
    const int n = kkt->tree.n;
    for (int i = 0; i < n; i++)
        x[i] *= kkt->scale[i];
    for (int f = 0; f < kkt->tree.n_front; f++) {
        const struct front *front = &kkt->front[f];
        const int *place = kkt->front_place + front->place;
        gather(front->n_row, place, x, kkt->work);
        kkt->kernel->forward(front->n_row, front->n_pivot, kkt->L.at + front->L, kkt->work);
        scatter(front->n_row, place, kkt->work, x);
    }
    for (int f = kkt->tree.n_front - 1; f >= 0; f--) {
        const struct front *front = &kkt->front[f];
        const int *place = kkt->front_place + front->place;
        gather(front->n_row, place, x, kkt->work);
        divide_by_pivots(&kkt->pivots, front->first_pivot, front->n_pivot, kkt->work);
        kkt->kernel->backward(front->n_row, front->n_pivot, kkt->L.at + front->L, kkt->work);
        scatter(front->n_pivot, place, kkt->work, x);
    }
    for (int i = 0; i < n; i++)
        x[i] *= kkt->scale[i];
}

/* One step: x + (S L^-T ...) r into r, its residual into trial; kept where it is smaller. */
static double refine(struct kkt *kkt, double size, bool *better)
{
    const int n = kkt->tree.n;
    apply_factors(kkt, kkt->r);
    for (int i = 0; i < n; i++)
        kkt->r[i] += kkt->x[i];
    residual(kkt, kkt->b, kkt->r, kkt->trial);
    const double smaller = norm(n, kkt->trial);
    *better = smaller < size;
    if (!*better)
        return size;
    memcpy(kkt->x, kkt->r, (size_t)n * sizeof *kkt->x);
    memcpy(kkt->r, kkt->trial, (size_t)n * sizeof *kkt->r);
    return smaller;
}

/* |r| beside |b| and |x|, as kkt.h has it. */
static double error_of(const struct kkt *kkt, double size_r, double size_b)
{
    const double size_x = fmin(norm(kkt->tree.n, kkt->x), LARGE_X * size_b);
    return size_r == 0.0 ? 0.0 : size_r / (size_b + size_x);
}

double kkt_solve(struct kkt *kkt, double *b)
{
    const int n = kkt->tree.n;
    if (!kkt->has_factors)
        return NAN;
    scatter(n, kkt->tree.place, b, kkt->b);
    memcpy(kkt->x, kkt->b, (size_t)n * sizeof *kkt->x);
    apply_factors(kkt, kkt->x);
    residual(kkt, kkt->b, kkt->x, kkt->r);
    const double size_b = norm(n, kkt->b);
    double size = norm(n, kkt->r), error = error_of(kkt, size, size_b);
    for (int step = 0; step < REFINE_STEPS && error > REFINE_ABOVE; step++) {
        bool better;
        const double before = size;
        size = refine(kkt, before, &better);
        error = error_of(kkt, size, size_b);
        if (!better || size > REFINE_GAIN * before)
            break;
    }
    gather(n, kkt->tree.place, kkt->x, b);
    return error;
}
