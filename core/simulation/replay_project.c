/* Where a control interval is simulated from: the solution's state with its closed contacts closed. */
#include "core/simulation/replay_parts.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 10 };

#define FORCE_MIN 1e-3              /* of the largest one of the contact: what relaxation leaves is less */
#define STIFFNESS_MIN 1.0           /* N/m: force over gap of a closed contact. Where gap times force is what a relaxation
                                     * leaves, 1e-6 and less, a gap of a millimetre or more is no closed one */

static double largest_force(const struct replay_solution *solution, int c)
{
    double largest = 0;
    for (int k = 0; k < solution->n_point; k++)
        largest = fmax(largest, solution->point[k].force[3 * c]);
    return largest;
}

struct replay_closing replay_closing_create(struct contact_functions *contacts,
                                            const struct replay_solution *solution)
{
    const int n_c = contacts->n, n_q = contacts->n_q;
    struct replay_closing closing = { .contacts = contacts };
    struct arena *mem = &closing.mem;
    dense_init(&closing.dense, mem, n_c);
    closing.J = arena_alloc(mem, (size_t)n_c * (size_t)n_q, sizeof(double));
    closing.miss = arena_alloc(mem, (size_t)n_c, sizeof(double));
    closing.dq = arena_alloc(mem, (size_t)n_q, sizeof(double));
    closing.closed = arena_alloc(mem, (size_t)n_c, sizeof(int));
    closing.force_min = arena_alloc(mem, (size_t)n_c, sizeof(double));
    for (int c = 0; c < n_c; c++)
        closing.force_min[c] = FORCE_MIN * largest_force(solution, c);
    return closing;
}

static void look(const struct replay_closing *closing, const double *x)
{
    inputs_set(&closing->contacts->f.inputs, 0, x, NULL);
    contact_functions_eval(closing->contacts);
}

/* One Newton step towards gap = 0 of the closed contacts, the shortest one. */
static void close_gaps(struct replay_closing *closing, int n, double *x)
{
    const struct model *model = closing->contacts->f.inputs.model;
    look(closing, x);
    for (int k = 0; k < n; k++) {
        const struct contact_at at = contact_functions_at(closing->contacts, closing->closed[k]);
        closing->miss[k] = -at.gap;
        for (int i = 0; i < model->n_q; i++)
            closing->J[k + i * n] = at.J_n[i];
    }
    dense_least_change(&closing->dense, n, model->n_q, closing->J, closing->miss, closing->dq);
    for (int i = 0; i < model->n_q; i++)
        x[model->q_index[i]] += closing->dq[i];
}

void replay_close(struct replay_closing *closing, const struct replay_point *point, double *x)
{
    const struct model *model = closing->contacts->f.inputs.model;
    int n = 0;
    memcpy(x, point->x, (size_t)model->n_x * sizeof *x);
    if (model->n_contact == 0)
        return;
    look(closing, x);
    for (int c = 0; c < model->n_contact; c++) {
        const double gap = contact_functions_at(closing->contacts, c).gap;
        if (gap < 0 || point->force[3 * c] > fmax(closing->force_min[c], STIFFNESS_MIN * gap))
            closing->closed[n++] = c;
    }
    for (int k = 0; k < MAX_ITERATIONS && n > 0; k++)
        close_gaps(closing, n, x);
}

void replay_closing_free(struct replay_closing *closing)
{
    arena_free(&closing->mem);
}
