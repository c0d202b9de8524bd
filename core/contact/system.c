#include "core/contact/system.h"

#include "core/base/pi.h"
#include "core/contact/dense.h"

#include <math.h>
#include <string.h>

static enum status factorize(struct impact_system *system, struct arena *mem, struct diag *diag)
{
    const int n_v = system->n_v, n_row = system->n_row;
    system->MinvJ = arena_alloc(mem, (size_t)(n_v * n_row), sizeof *system->MinvJ);
    system->G = arena_alloc(mem, (size_t)(n_row * n_row), sizeof *system->G);
    if (!dense_is_finite(n_v * n_v, system->M) || !dense_is_finite(n_v * n_row, system->J))
        return diag_fail(diag, STATUS_NUMERIC, "the mass matrix or a contact's gradient is not finite there");
    if (!dense_delassus(n_v, system->M, n_row, system->J, system->MinvJ, system->G))
        return diag_fail(diag, STATUS_NUMERIC, "the mass matrix is not positive definite there");
    for (int i = 0; i < n_row; i++)             /* symmetric to the last bit, as modes.c reads rows for columns */
        for (int j = 0; j < i; j++)
            system->G[j + i * n_row] = system->G[i + j * n_row];
    return STATUS_OK;
}

static void set_directions(struct impact_contact *contact)
{
    for (int k = 0; k < contact->n_dir; k++) {
        const double angle = 2 * PI * k / contact->n_dir;
        contact->d[k][0] = contact->n_t == 1 ? 1 - 2 * k : cos(angle);
        contact->d[k][1] = contact->n_t == 1 ? 0 : sin(angle);
    }
}

enum status impact_system_init(struct impact_system *system, struct arena *mem, const struct jump_impact *impact,
                               int n_dir_3d, struct diag *diag)
{
    const int n_v = impact->n_q, n_contact = impact->n_c;
    *system = (struct impact_system){ .n_v = n_v, .n_contact = n_contact };
    if (n_contact < 1 || n_contact > IMPACT_MAX_CONTACTS)
        return diag_fail(diag, STATUS_NUMERIC, "an impact has 1 to %d contacts, not %d", IMPACT_MAX_CONTACTS,
                         n_contact);
    for (int k = 0; k < CONTACT_ROWS * n_contact; k++)
        if (impact->drift && impact->drift[k] != 0)
            return diag_fail(diag, STATUS_NUMERIC,
                             "sets of outcomes are known of surfaces at rest, not of moving ones");
    for (int c = 0; c < n_contact; c++)
        if (impact->n_t[c] > 2)
            return diag_fail(diag, STATUS_NUMERIC, "sets of outcomes are known of friction along surfaces, not of limit "
                             "surfaces");
    system->contact = arena_alloc(mem, (size_t)n_contact, sizeof *system->contact);
    system->M = arena_copy(mem, impact->M, (size_t)(n_v * n_v), sizeof *system->M);
    system->J = arena_alloc(mem, (size_t)(3 * n_contact * n_v), sizeof *system->J);
    for (int c = 0; c < n_contact; c++) {
        struct impact_contact *it = &system->contact[c];
        *it = (struct impact_contact){ .n_t = impact->n_t[c], .row = system->n_row, .mu = impact->mu[c],
                                        .e = impact->e ? impact->e[c] : 0 };
        it->n_dir = it->mu > 0 && it->n_t > 0 ? (it->n_t == 1 ? 2 : n_dir_3d) : 0;
        set_directions(it);
        memcpy(system->J + it->row * n_v, impact->J + CONTACT_ROWS * c * n_v,
               (size_t)((1 + it->n_t) * n_v) * sizeof *system->J);
        system->n_row += 1 + it->n_t;
    }
    return factorize(system, mem, diag);
}

void impact_contact_velocity(const struct impact_system *system, const double *v, double *u)
{
    for (int r = 0; r < system->n_row; r++)
        u[r] = vec_dot(system->n_v, system->J + r * system->n_v, v);
}

void impact_apply(const struct impact_system *system, const double *lambda, double *v)
{
    for (int r = 0; r < system->n_row; r++)
        for (int j = 0; j < system->n_v; j++)
            v[j] += system->MinvJ[j + r * system->n_v] * lambda[r];
}

double impact_energy(const struct impact_system *system, const double *v)
{
    return dense_kinetic(system->n_v, system->M, v);
}

double impact_stopping_impulse(const struct impact_system *system, const double *u)
{
    double most = 0;
    for (int c = 0; c < system->n_contact; c++) {
        const int r = system->contact[c].row;
        most = fmax(most, -u[r] / system->G[r + r * system->n_row]);
    }
    return most;
}

bool impact_is_colliding(const struct impact_system *system, const double *u)
{
    for (int c = 0; c < system->n_contact; c++)
        if (u[system->contact[c].row] < -IMPACT_TOL)
            return true;
    return false;
}

struct cone impact_system_cone(const struct impact_system *system, int first, struct arena *mem)
{
    struct cone cone = cone_create(system->n_contact, IMPACT_MAX_DIRECTIONS, first, mem);
    for (int c = 0; c < system->n_contact; c++) {
        cone.mu[c] = system->contact[c].mu;
        cone_add(&cone, c, system->contact[c].row, 1 + system->contact[c].n_t, NULL);
    }
    for (int c = 0; c < system->n_contact; c++) {
        const struct impact_contact *contact = &system->contact[c];
        for (int k = 0; k < contact->n_dir; k++)
            cone_add(&cone, c, contact->row, 1 + contact->n_t, contact->d[k]);
    }
    cone_close(&cone);
    return cone;
}
