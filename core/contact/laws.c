#include "core/contact/laws.h"

#include "core/contact/modes.h"

#include <math.h>
#include <string.h>

/* Combinations of modes that are listed for Anitescu and Potra's LCP: eight planar contacts. */
static const double max_modes = 65536;

/* The next point of the way, if there is room; u: contact velocities at v. */
static void note_point(const struct impact_system *system, const double *u, struct impact_outcome *outcome)
{
    if (outcome->n_points < IMPACT_LAW_POINTS)
        memcpy(outcome->path + outcome->n_points++ * system->n_row, u, (size_t)system->n_row * sizeof *u);
}

/* The start: nothing has happened yet. */
static struct impact_outcome begin(const struct impact_system *system, const double *v, struct arena *mem)
{
    const size_t n_row = (size_t)system->n_row;
    double u[IMPACT_MAX_ROWS];
    struct impact_outcome outcome = {
        .v = arena_copy(mem, v, (size_t)system->n_v, sizeof *v),
        .impulse = arena_alloc(mem, n_row, sizeof(double)),
        .path = arena_alloc(mem, n_row * IMPACT_LAW_POINTS, sizeof(double)), .first = -1
    };
    impact_contact_velocity(system, v, u);
    note_point(system, u, &outcome);
    return outcome;
}

struct impact_outcomes impact_anitescu_potra(const struct impact_system *system, const double *v_minus,
                                             struct arena *mem)
{
    double u[IMPACT_MAX_ROWS];
    struct impact_solutions found;
    struct impact_outcomes out = { .n = 0 };
    if (impact_modes_count(system, false) > max_modes)
        return out;
    struct impact_modes *modes = impact_modes_create(system, false);
    impact_contact_velocity(system, v_minus, u);
    impact_modes_solve(modes, u, NULL, &found);
    impact_modes_free(modes);
    out.outcome = arena_alloc(mem, (size_t)found.n, sizeof *out.outcome);
    for (int s = 0; s < found.n; s++) {
        struct impact_outcome outcome = begin(system, v_minus, mem);
        memcpy(outcome.impulse, found.lambda[s], (size_t)system->n_row * sizeof(double));
        impact_apply(system, outcome.impulse, outcome.v);
        note_point(system, found.u_plus[s], &outcome);
        outcome.is_complete = true;
        out.outcome[out.n++] = outcome;
    }
    return out;
}

/* The contact alone, as a system of its own. */
static enum status isolate(const struct impact_system *system, int c, struct arena *mem,
                           struct impact_system *alone)
{
    const struct impact_contact *contact = &system->contact[c];
    const struct jump_impact impact = { .n_q = system->n_v, .n_c = 1, .n_t = &contact->n_t, .mu = &contact->mu,
                                        .M = system->M, .J = system->J + contact->row * system->n_v };
    struct diag *diag = diag_create();
    const enum status st = impact_system_init(alone, mem, &impact, contact->n_dir > 2 ? contact->n_dir : 3, diag);
    diag_free(diag);
    return st;
}

/* Turn by turn; where a contact's own LCP has several solutions, the one of its first mode is taken. */
static struct impact_outcome run_sequence(const struct impact_system *system, struct impact_modes *const *modes,
                                          const double *v_minus, int first, struct arena *mem)
{
    struct impact_outcome outcome = begin(system, v_minus, mem);
    double u[IMPACT_MAX_ROWS];
    struct impact_solutions found;
    int n_turns = 0;
    outcome.first = first;
    for (int c = first; n_turns < IMPACT_MAX_TURNS; c = (c + 1) % system->n_contact) {
        const struct impact_contact *contact = &system->contact[c];
        double lambda[IMPACT_MAX_ROWS] = { 0 };
        impact_contact_velocity(system, outcome.v, u);
        if (!impact_is_colliding(system, u))
            break;
        if (u[contact->row] >= 0)
            continue;
        n_turns++;
        impact_modes_solve(modes[c], u + contact->row, NULL, &found);
        if (found.n == 0)
            break;
        memcpy(lambda + contact->row, found.lambda[0], (size_t)(1 + contact->n_t) * sizeof *lambda);
        impact_apply(system, lambda, outcome.v);
        for (int r = 0; r < system->n_row; r++)
            outcome.impulse[r] += lambda[r];
        impact_contact_velocity(system, outcome.v, u);
        note_point(system, u, &outcome);
    }
    impact_contact_velocity(system, outcome.v, u);
    outcome.is_complete = !impact_is_colliding(system, u);
    return outcome;
}

struct impact_outcomes impact_sequential(const struct impact_system *system, const double *v_minus,
                                         struct arena *mem)
{
    struct impact_system alone[IMPACT_MAX_CONTACTS];
    struct impact_modes *modes[IMPACT_MAX_CONTACTS] = { NULL };
    double u[IMPACT_MAX_ROWS];
    bool can_run = true;
    struct impact_outcomes out = { .outcome = arena_alloc(mem, (size_t)system->n_contact, sizeof *out.outcome) };
    for (int c = 0; c < system->n_contact && can_run; c++) {
        can_run = isolate(system, c, mem, &alone[c]) == STATUS_OK;
        modes[c] = can_run ? impact_modes_create(&alone[c], false) : NULL;
    }
    impact_contact_velocity(system, v_minus, u);
    for (int c = 0; c < system->n_contact && can_run; c++)
        if (u[system->contact[c].row] < -IMPACT_TOL)
            out.outcome[out.n++] = run_sequence(system, modes, v_minus, c, mem);
    for (int c = 0; c < system->n_contact; c++)
        impact_modes_free(modes[c]);
    return out;
}
