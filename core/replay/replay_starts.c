/* States of a solution to start simulations from: what is closed there is closed, what rests there rests. */
#include "core/model/kinematics.h"
#include "core/replay/replay_parts.h"

#include <math.h>
#include <string.h>

#define FORCE_MIN 1e-3              /* of the largest one of the contact: what relaxation leaves is less */
#define STIFFNESS_MIN 1.0           /* N/m: force over gap of a closed contact. Where gap times force is what a
                                     * relaxation leaves, 1e-6 and less, a gap of a millimetre is no closed one */
enum { CLOSING_ROUNDS = 10 };

void replay_close_gaps(struct replay *r, int n, double t, double *x)
{
    const int n_position = r->model->mechanics.n_position;
    kinematics_normalize(r->model, x);
    inputs_set(&r->contacts.f.inputs, t, x, NULL);
    contact_functions_eval(&r->contacts);
    for (int k = 0; k < n; k++) {
        const struct contact_at at = contact_functions_at(&r->contacts, r->closed[k]);
        r->miss[k] = -at.gap;
        memcpy(r->J + k * n_position, at.slope, (size_t)n_position * sizeof *r->J);
    }
    dense_least_change(&r->dense, n, n_position, r->J, r->miss, r->dq);
    for (int i = 0; i < n_position; i++)
        x[r->model->mechanics.q_index[i]] += r->dq[i];
}

static void add_row(struct replay *r, int *n, const double *J, double speed)
{
    const int n_q = r->model->mechanics.n_q;
    memcpy(r->J + *n * n_q, J, (size_t)n_q * sizeof *r->J);
    r->miss[(*n)++] = -speed;
}

void replay_stop_closing(struct replay *r, int n, double t, double *x)
{
    int n_row = 0;
    inputs_set(&r->contacts.f.inputs, t, x, NULL);
    contact_functions_eval(&r->contacts);
    for (int k = 0; k < n; k++) {
        const int c = r->closed[k], n_t = r->rests[c] ? r->model->contacts.contact[c].n_t : 0;
        const struct contact_at at = contact_functions_at(&r->contacts, c);
        add_row(r, &n_row, at.J_n, at.v_n);
        for (int i = 0; i < n_t && slip_size(at.v_t) <= REPLAY_STILL; i++)
            add_row(r, &n_row, at.J_t[i], at.v_t[i]);
    }
    dense_least_change(&r->dense, n_row, r->model->mechanics.n_q, r->J, r->miss, r->dq);
    for (int i = 0; i < r->model->mechanics.n_q; i++)
        x[r->model->mechanics.v_index[i]] += r->dq[i];
}

/* Does the contact carry a force, other than what a relaxation leaves of one in flight? */
static bool carries_force(const struct replay *r, const struct replay_point *point, int c, double gap)
{
    double largest = 0;
    for (int k = 0; k < r->solution->n_point; k++)
        largest = fmax(largest, r->solution->point[k].force[CONTACT_ROWS * c]);
    return point->force[CONTACT_ROWS * c] > fmax(FORCE_MIN * largest, STIFFNESS_MIN * gap);
}

int replay_find_closed(struct replay *r, const struct replay_point *point)
{
    int n = 0;
    inputs_set(&r->contacts.f.inputs, point->t, point->x, NULL);
    contact_functions_eval(&r->contacts);
    for (int c = 0; c < r->model->contacts.n_contact; c++) {
        const double gap = contact_functions_at(&r->contacts, c).gap;
        const bool is_there = replay_has_contact(r, c, point->t, 1);
        r->rests[c] = is_there && carries_force(r, point, c, gap);
        if (is_there && (gap < 0 || r->rests[c]))
            r->closed[n++] = c;
    }
    return n;
}

int replay_close_contacts(struct replay *r, const struct replay_point *point, double *x)
{
    const int n = replay_find_closed(r, point);
    memcpy(x, point->x, (size_t)r->model->n_x * sizeof *x);
    for (int k = 0; k < CLOSING_ROUNDS && n > 0; k++)
        replay_close_gaps(r, n, point->t, x);
    return n;
}

void replay_start_part(struct replay *r, const struct replay_point *point, double *x)
{
    const int n = replay_close_contacts(r, point, x);
    int n_rest = 0;
    for (int k = 0; k < n; k++)
        if (r->rests[r->closed[k]])
            r->closed[n_rest++] = r->closed[k];
    if (n_rest > 0)
        replay_stop_closing(r, n_rest, point->t, x);
}
