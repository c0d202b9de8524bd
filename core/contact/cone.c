#include "core/contact/cone.h"

#include <string.h>

struct cone cone_create(int n_contact, int n_directions, int first, struct arena *mem)
{
    const size_t n = (size_t)n_contact;
    struct cone cone = {.n_contact = n_contact, .first = first};
    cone.ray = arena_alloc(mem, n * (1 + (size_t)n_directions), sizeof *cone.ray);
    cone.slip = arena_alloc(mem, n, sizeof *cone.slip);
    cone.mu = arena_alloc(mem, n, sizeof *cone.mu);
    return cone;
}

struct cone_ray *cone_add(struct cone *cone, int contact, int row, int size, const double *t)
{
    struct cone_ray *ray = &cone->ray[cone->n_ray++];
    *ray = (struct cone_ray){contact, row, size, {t ? 0 : 1}, {t ? 0 : 1}};
    for (int k = 1; k < size && t; k++) ray->force[k] = ray->along[k] = t[k - 1];
    return ray;
}

void cone_close(struct cone *cone)
{
    cone->n = cone->first + cone->n_ray;
    for (int c = 0; c < cone->n_contact; c++) cone->slip[c] = -1;
    for (int k = cone->n_contact; k < cone->n_ray; k++)
        if (cone->slip[cone->ray[k].contact] < 0) cone->slip[cone->ray[k].contact] = cone->n++;
}

/* along_a'G force_b. */
static double coupling(const struct cone_ray *a, const struct cone_ray *b, int ld, const double *G)
{
    double sum = 0;
    for (int i = 0; i < a->size; i++)
        for (int j = 0; j < b->size; j++) sum += a->along[i] * b->force[j] * G[a->row + i + (b->row + j) * ld];
    return sum;
}

void cone_fill(const struct cone *cone, int ld, const double *G, double *M)
{
    const int n = cone->n;
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    for (int k = 0; k < cone->n_ray; k++) {
        const int c = cone->ray[k].contact, at = cone->first + k, slip = cone->slip[c];
        for (int l = 0; l < cone->n_ray; l++)
            M[at + (cone->first + l) * n] = coupling(&cone->ray[k], &cone->ray[l], ld, G);
        if (slip < 0) continue;
        M[slip + at * n] = k < cone->n_contact ? cone->mu[c] : -1;
        M[at + slip * n] = k < cone->n_contact ? 0 : 1;
    }
}

void cone_set_q(const struct cone *cone, const double *u, double *q)
{
    memset(q, 0, (size_t)cone->n * sizeof *q);
    for (int k = 0; k < cone->n_ray; k++)
        for (int i = 0; i < cone->ray[k].size; i++)
            q[cone->first + k] += cone->ray[k].along[i] * u[cone->ray[k].row + i];
}

void cone_add_impulse(const struct cone *cone, const double *z, double *r)
{
    for (int k = 0; k < cone->n_ray; k++)
        for (int i = 0; i < cone->ray[k].size; i++)
            r[cone->ray[k].row + i] += z[cone->first + k] * cone->ray[k].force[i];
}
