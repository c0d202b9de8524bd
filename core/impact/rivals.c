#include "core/impact/rivals.h"

#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/impact/compliant.h"
#include "core/contact/laws.h"

#include <math.h>
#include <stdlib.h>

/* The sweeps of SVI 5.4.1: the ratio of stiffnesses over +-MAX_EXPONENT powers of ten, and the gap that one of two
 * corners 1 m apart has at +-0.01 degrees. */
enum { N_SWEEP = 51, MAX_EXPONENT = 5 };
static const double max_gap = 1.7453292510e-4;      /* m, sin(0.01 degrees) */

static const struct srcpos nowhere = { NULL, 0, 0 };

static void add_rival(struct impact_rivals *rivals, const struct impact_system *system, struct impact_rival rival)
{
    rival.energy = impact_energy(system, rival.v);
    rivals->rival = mem_grow(rivals->rival, rivals->n, 1, sizeof *rivals->rival);
    rivals->rival[rivals->n++] = rival;
}

static const char *contact_name(const struct model *model, const struct impact_state *state, int c)
{
    return model->contacts.contact[state->contact[c]].name;
}

/* --- Rigid laws ---------------------------------------------------------------------------------------------- */

/* "left right": the order of turns that begins with that contact. */
static const char *order_text(const struct model *model, const struct impact_state *state, int first,
                              struct arena *mem)
{
    const int m = state->system.n_contact;
    const char *text = "";
    if (first < 0)
        return "all at once";
    for (int c = 0; c < m; c++)
        text = arena_printf(mem, "%s%s%s", text, c ? " " : "", contact_name(model, state, (first + c) % m));
    return text;
}

static void add_outcomes(const struct model *model, const struct impact_state *state, const char *law,
                         const struct impact_outcomes *outcomes, struct impact_rivals *rivals)
{
    for (int k = 0; k < outcomes->n; k++) {
        const struct impact_outcome *outcome = &outcomes->outcome[k];
        add_rival(rivals, &state->system, (struct impact_rival){
            .law = law, .order = order_text(model, state, outcome->first, &rivals->mem), .parameter = NAN,
            .first_share = NAN, .v = outcome->v, .is_complete = outcome->is_complete,
            .n_points = outcome->n_points, .path = outcome->path });
    }
}

static void add_rigid_laws(const struct model *model, uint64_t compare, const struct impact_state *state,
                           struct impact_rivals *rivals, struct diag *diag)
{
    struct impact_outcomes outcomes;
    if (compare & COMPARE_ANITESCU_POTRA) {
        outcomes = impact_anitescu_potra(&state->system, state->v_minus, &rivals->mem);
        if (outcomes.n == 0)
            diag_add(diag, DIAG_WARNING, STATUS_OK, nowhere, "impact.compare",
                     "anitescu-potra: too many contacts to list its solutions");
        add_outcomes(model, state, "anitescu-potra", &outcomes, rivals);
    }
    if (compare & COMPARE_SEQUENTIAL) {
        outcomes = impact_sequential(&state->system, state->v_minus, &rivals->mem);
        add_outcomes(model, state, "sequential", &outcomes, rivals);
    }
}

/* --- Springs and dampers ------------------------------------------------------------------------------------- */

typedef struct impact_collision sweep_point(struct impact_compliant *compliant, double parameter, double *v);

static void add_collision(struct impact_compliant *compliant, const struct impact_state *state, const char *law,
                          const char *order, sweep_point *collide, double parameter, struct impact_rivals *rivals)
{
    double *v = arena_alloc(&rivals->mem, (size_t)state->system.n_v, sizeof *v);
    const struct impact_collision collision = collide(compliant, parameter, v);
    if (stop_asked())
        return;                         /* it was cut short */
    add_rival(rivals, &state->system, (struct impact_rival){
        .law = law, .order = order, .parameter = parameter, .first_share = collision.first_share, .v = v,
        .is_complete = collision.is_complete });
}

static void add_sweeps(struct model *model, const struct impact_state *state, const double *x,
                       const double *p, struct impact_rivals *rivals, struct diag *diag)
{
    const char *why;
    struct impact_compliant *compliant = impact_compliant_create(model, state, x, p, &why);
    if (!compliant) {
        diag_add(diag, DIAG_WARNING, STATUS_OK, nowhere, "impact.compare", "compliant is left out: %s", why);
        return;
    }
    const char *a = contact_name(model, state, 0), *b = contact_name(model, state, 1);
    const char *ratio = arena_printf(&rivals->mem, "stiffness %s / %s", a, b);
    const char *gap = arena_printf(&rivals->mem, "gap %s - %s", a, b);
    for (int k = 0; k < N_SWEEP && !stop_asked(); k++)
        add_collision(compliant, state, "compliant-stiffness", ratio, impact_compliant_stiffness,
                      pow(10, MAX_EXPONENT * (2.0 * k / (N_SWEEP - 1) - 1)), rivals);
    for (int k = 0; k < N_SWEEP && !stop_asked(); k++)
        add_collision(compliant, state, "compliant-gap", gap, impact_compliant_gap,
                      max_gap * (2.0 * k / (N_SWEEP - 1) - 1), rivals);
    impact_compliant_free(compliant);
}

/* --- All ----------------------------------------------------------------------------------------------------- */

void impact_rivals_find(struct model *model, uint64_t compare, const struct impact_state *state, const double *x,
                        const double *p, struct impact_rivals *rivals, struct diag *diag)
{
    *rivals = (struct impact_rivals){ .n = 0 };
    if (stop_asked())
        return;
    add_rigid_laws(model, compare, state, rivals, diag);
    if (compare & COMPARE_COMPLIANT)
        add_sweeps(model, state, x, p, rivals, diag);
}

void impact_rivals_free(struct impact_rivals *rivals)
{
    free(rivals->rival);
    arena_free(&rivals->mem);
}
