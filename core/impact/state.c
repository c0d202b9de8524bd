#include "core/impact/state.h"

#include "core/impact/step.h"
#include "core/model/contact_functions.h"

#include <math.h>
#include <string.h>

/* --- Which contacts ------------------------------------------------------------------------------------------ */

static enum status check_kind(const struct model *model, struct diag *diag)
{
    const struct spec_node *root = spec_root(model->spec), *dynamics = spec_get(root, "dynamics");
    if (model->dynamics.type != MODEL_MECHANICAL)
        return diag_error(diag, (dynamics ? dynamics : root)->pos, "dynamics",
                          "an impact needs a mechanical system: `type: mechanical`");
    if (model->contacts.n_contact == 0)
        return diag_error(diag, root->pos, "contacts", "an impact needs contacts; the spec has none");
    return STATUS_OK;
}

/* Indices of the closed contacts; the nearest one is named if there is none. */
static enum status find_closed(const struct model *model, const struct contact_functions *contacts, double gap_tol,
                               struct impact_state *state, int *n, struct diag *diag)
{
    int nearest = 0;
    double least = INFINITY;
    *n = 0;
    state->contact = arena_alloc(&state->mem, (size_t)model->contacts.n_contact, sizeof *state->contact);
    for (int c = 0; c < model->contacts.n_contact; c++) {
        const double gap = contact_functions_at(contacts, c).gap;
        if (gap <= gap_tol)
            state->contact[(*n)++] = c;
        if (gap < least) {
            least = gap;
            nearest = c;
        }
    }
    if (*n > 0)
        return STATUS_OK;
    return diag_error(diag, model->contacts.contact[nearest].pos, model->contacts.contact[nearest].path,
                      "no contact is closed: this is the nearest one, with a gap of %.3g m; impact.gap_tol is "
                      "%.3g m", least, gap_tol);
}

/* An impact without collision, sample.h. */
static bool presses(const struct impact_system *system, const double *u)
{
    struct impact_step *step = impact_step_create(system);
    struct impact_step_work *work = impact_step_work_create(step);
    const bool found = impact_step_presses(step, work, u);
    impact_step_work_free(work);
    impact_step_free(step);
    return found;
}

static enum status check_approach(const struct model *model, const struct impact_state *state, struct diag *diag)
{
    double u[IMPACT_MAX_ROWS], least = INFINITY;
    int fastest = 0;
    impact_contact_velocity(&state->system, state->v_minus, u);
    if (impact_is_colliding(&state->system, u) || presses(&state->system, u))
        return STATUS_OK;
    for (int c = 0; c < state->system.n_contact; c++)
        if (u[state->system.contact[c].row] < least) {
            least = u[state->system.contact[c].row];
            fastest = state->contact[c];
        }
    return diag_error(diag, model->contacts.contact[fastest].pos, model->contacts.contact[fastest].path,
                      "nothing hits: no closed contact approaches; the normal velocity of this one is %.3g m/s",
                      least);
}

/* --- The numbers --------------------------------------------------------------------------------------------- */

static enum status read_system(const struct model *model, const struct contact_functions *contacts,
                               const double *M, int n, int n_dir_3d, struct impact_state *state, struct diag *diag)
{
    const size_t n_v = (size_t)model->mechanics.n_q;
    int *n_t = arena_alloc(&state->mem, (size_t)n, sizeof *n_t);
    double *mu = arena_alloc(&state->mem, (size_t)n, sizeof *mu),
           *e = arena_alloc(&state->mem, (size_t)n, sizeof *e);
    double *J = arena_alloc(&state->mem, CONTACT_ROWS * (size_t)n * n_v, sizeof *J);
    for (int c = 0; c < n; c++) {
        const struct contact_at at = contact_functions_at(contacts, state->contact[c]);
        n_t[c] = model->contacts.contact[state->contact[c]].n_t;
        mu[c] = at.mu;
        e[c] = at.e;
        memcpy(J + CONTACT_ROWS * (size_t)c * n_v, at.J_n, CONTACT_ROWS * n_v * sizeof *J);
    }
    const struct jump_impact impact = { .n_q = model->mechanics.n_q, .n_c = n, .n_t = n_t, .M = M, .J = J, .mu = mu,
                                        .e = e };
    return impact_system_init(&state->system, &state->mem, &impact, n_dir_3d, diag);
}

enum status impact_state_read(const struct model *model, const double *x, const double *p, double gap_tol,
                              int n_dir_3d, struct impact_state *state, struct diag *diag)
{
    int n = 0;
    *state = (struct impact_state){ .v_minus = NULL };
    enum status st = check_kind(model, diag);
    if (st != STATUS_OK)
        return st;
    struct model *fork = model_fork(model);
    struct contact_functions contacts = contact_functions_of_model(fork, p);
    struct function mass = function_of(&contacts.f.inputs, model->mechanics.n_q * model->mechanics.n_q,
                                       model->mechanics.M);
    inputs_set(&contacts.f.inputs, 0, x, NULL);
    contact_functions_eval(&contacts);
    state->v_minus = arena_alloc(&state->mem, (size_t)model->mechanics.n_q, sizeof *state->v_minus);
    for (int j = 0; j < model->mechanics.n_q; j++)
        state->v_minus[j] = x[model->mechanics.v_index[j]];
    if ((st = find_closed(model, &contacts, gap_tol, state, &n, diag)) == STATUS_OK)
        st = read_system(model, &contacts, function_values(&mass), n, n_dir_3d, state, diag);
    if (st == STATUS_OK)
        st = check_approach(model, state, diag);
    function_free(&mass);
    contact_functions_free(&contacts);
    model_free(fork);
    return st;
}
