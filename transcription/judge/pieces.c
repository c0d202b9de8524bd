#include "transcription/judge/pieces.h"

#include <limits.h>
#include <math.h>

#define NEAR 1e-9                  /* of the horizon, at least of 1 s: at the same time */

enum { MOST_STAGES = 64 };

static const double *doubles(const struct solution_file *file, const char *name, long long n)
{
    return n <= INT_MAX ? result_doubles_of(file->result, "/grid", name, (int)n) : NULL;
}

bool pieces_read(const struct solution_file *file, struct pieces *out)
{
    static const char *const names[CONTACT_ROWS] = { "lambda_n", "lambda_t", "lambda_t2", "lambda_t3" };
    const int n = result_axis_size(file->result, "/grid", "element"),
              s = result_axis_size(file->result, "/grid", "stage");
    const long long n_x = file->model->n_x, n_c = file->model->contacts.n_contact;
    if (n < 1 || s < 1 || s > MOST_STAGES)
        return false;
    const double *start = doubles(file, "t_num_start", n), *end = doubles(file, "t_num_end", n);
    *out = (struct pieces){
        .n = n, .n_x = (int)n_x, .n_contact = (int)n_c, .n_stage = s, .start = start ? start : doubles(file, "t_start", n),
        .end = end ? end : doubles(file, "t_end", n), .x_start = doubles(file, "x_start", n * n_x),
        .x_end = doubles(file, "x_end", n * n_x), .x_stage = doubles(file, "x_stage", n_x * n * s),
        .c = doubles(file, "c", s), .is_physical_time = !start
    };
    for (int q = 0; q < CONTACT_ROWS; q++)
        out->force[q] = doubles(file, names[q], n_c * n * s);
    return out->start && out->end && out->x_start && out->x_end && out->x_stage && out->c;
}

/* Elements of no length, as at events that follow at once, have no states of their own. */
int pieces_find(const struct pieces *pieces, double t, bool before)
{
    const double near = NEAR * fmax(1, pieces->end[pieces->n - 1]);
    int found = -1;
    for (int e = 0; e < pieces->n; e++)
        if (pieces->start[e] <= t + near && t <= pieces->end[e] + near
            && pieces->end[e] - pieces->start[e] > 2 * near && (found < 0 || !before))
            found = e;
    return found;
}

/* Lagrange's polynomial of node k at `part`; the nodes are c, and 0 as node -1 where it is one. */
static double lagrange(const struct pieces *pieces, int k, double part, bool has_start)
{
    const double at = k < 0 ? 0 : pieces->c[k];
    double value = 1;
    for (int i = has_start ? -1 : 0; i < pieces->n_stage; i++) {
        const double other = i < 0 ? 0 : pieces->c[i];
        value *= i == k ? 1 : (part - other) / (at - other);
    }
    return value;
}

bool pieces_has(const struct pieces *pieces, int e, double t)
{
    const double near = NEAR * fmax(1, pieces->end[pieces->n - 1]);
    return e >= 0 && e < pieces->n && pieces->start[e] <= t + near && t <= pieces->end[e] + near;
}

static double part_of(const struct pieces *pieces, int e, double t)
{
    return fmin(fmax((t - pieces->start[e]) / (pieces->end[e] - pieces->start[e]), 0), 1);
}

double pieces_x(const struct pieces *pieces, int e, double t, int i)
{
    const double part = part_of(pieces, e, t),
                 *stage = pieces->x_stage + (size_t)e * (size_t)(pieces->n_stage * pieces->n_x);
    const bool has_start = pieces->c[0] != 0;       /* one that begins with it has no other node there */
    double value = has_start ? lagrange(pieces, -1, part, true) * pieces->x_start[e * pieces->n_x + i] : 0;
    for (int k = 0; k < pieces->n_stage; k++)
        value += lagrange(pieces, k, part, has_start) * stage[k * pieces->n_x + i];
    return value;
}

double pieces_force(const struct pieces *pieces, int e, double t, int part, int contact)
{
    const double *force = pieces->force[part] + (size_t)e * (size_t)(pieces->n_stage * pieces->n_contact);
    double value = 0;
    for (int k = 0; k < pieces->n_stage; k++)
        value += lagrange(pieces, k, part_of(pieces, e, t), false) * force[k * pieces->n_contact + contact];
    return value;
}
