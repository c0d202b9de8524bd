#include "core/impact/state.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct point { int n; expr *sym; double *val; };        /* every symbol that M, gaps and friction may have */

static struct point point_create(const struct model *model, const double *x, const double *p)
{
    const size_t n = (size_t)model->n_x + (size_t)model->n_p;
    struct point at = { (int)n, mem_alloc(n, sizeof *at.sym), mem_alloc(n, sizeof *at.val) };
    memcpy(at.sym, model->x_sym, (size_t)model->n_x * sizeof *at.sym);
    memcpy(at.val, x, (size_t)model->n_x * sizeof *at.val);
    if (model->n_p > 0)
        memcpy(at.sym + model->n_x, model->p_sym, (size_t)model->n_p * sizeof *at.sym);
    if (p)
        memcpy(at.val + model->n_x, p, (size_t)model->n_p * sizeof *at.val);
    else
        model_p_guess(model, at.val + model->n_x);
    return at;
}

static double value(const struct model *model, const struct point *at, expr e)
{
    return expr_eval(model->graph, e, at->n, at->sym, at->val);
}

/* --- Which contacts ------------------------------------------------------------------------------------------ */

static enum status check_kind(const struct model *model, struct diag *diag)
{
    const struct spec_node *root = spec_root(model->spec), *dynamics = spec_get(root, "dynamics");
    if (model->type != MODEL_MECHANICAL)
        return diag_error(diag, (dynamics ? dynamics : root)->pos, "dynamics",
                          "an impact needs a mechanical system: `type: mechanical`");
    if (model->n_contact == 0)
        return diag_error(diag, root->pos, "contacts", "an impact needs contacts; the spec has none");
    return STATUS_OK;
}

/* Indices of the closed contacts; the nearest one is named if there is none. */
static enum status find_closed(const struct model *model, const struct point *at, double gap_tol,
                               struct impact_state *state, int *n, struct diag *diag)
{
    int nearest = 0;
    double least = INFINITY;
    *n = 0;
    state->contact = arena_alloc(&state->mem, (size_t)model->n_contact, sizeof *state->contact);
    for (int c = 0; c < model->n_contact; c++) {
        const double gap = value(model, at, model->contact[c].gap);
        if (gap <= gap_tol)
            state->contact[(*n)++] = c;
        if (gap < least) {
            least = gap;
            nearest = c;
        }
    }
    if (*n > 0)
        return STATUS_OK;
    return diag_error(diag, model->contact[nearest].pos, model->contact[nearest].path,
                      "no contact is closed: this is the nearest one, with a gap of %.3g m; impact.gap_tol is "
                      "%.3g m", least, gap_tol);
}

static enum status check_approach(const struct model *model, const struct impact_state *state, struct diag *diag)
{
    double u[IMPACT_MAX_ROWS], least = INFINITY;
    int fastest = 0;
    impact_contact_velocity(&state->system, state->v_minus, u);
    if (impact_is_colliding(&state->system, u))
        return STATUS_OK;
    for (int c = 0; c < state->system.n_contact; c++)
        if (u[state->system.contact[c].row] < least) {
            least = u[state->system.contact[c].row];
            fastest = state->contact[c];
        }
    return diag_error(diag, model->contact[fastest].pos, model->contact[fastest].path,
                      "nothing hits: no closed contact approaches; the normal velocity of this one is %.3g m/s",
                      least);
}

/* --- The numbers --------------------------------------------------------------------------------------------- */

static void read_contact(const struct model *model, const struct point *at, const struct model_contact *from,
                         struct impact_contact *contact, double *J)
{
    *contact = (struct impact_contact){ .n_t = from->n_t, .mu = value(model, at, from->friction) };
    for (int j = 0; j < model->n_q; j++)
        J[j] = value(model, at, from->J_n[j]);
    for (int j = 0; j < model->n_q * from->n_t; j++)
        J[model->n_q + j] = value(model, at, from->J_t[j]);
}

static enum status read_system(const struct model *model, const struct point *at, int n, int n_dir_3d,
                               struct impact_state *state, struct diag *diag)
{
    const int n_v = model->n_q;
    struct impact_contact *contact = arena_alloc(&state->mem, (size_t)n, sizeof *contact);
    double *M = arena_alloc(&state->mem, (size_t)(n_v * n_v), sizeof *M);
    double *J = arena_alloc(&state->mem, (size_t)(3 * n * n_v), sizeof *J);
    int row = 0;
    for (int k = 0; k < n_v * n_v; k++)
        M[k] = value(model, at, model->M[k]);
    for (int c = 0; c < n; c++) {
        read_contact(model, at, &model->contact[state->contact[c]], &contact[c], J + row * n_v);
        row += 1 + contact[c].n_t;
    }
    return impact_system_init(&state->system, &state->mem, n_v, M, n, contact, J, n_dir_3d, diag);
}

enum status impact_state_read(const struct model *model, const double *x, const double *p, double gap_tol,
                              int n_dir_3d, struct impact_state *state, struct diag *diag)
{
    int n = 0;
    *state = (struct impact_state){ .v_minus = NULL };
    enum status st = check_kind(model, diag);
    if (st != STATUS_OK)
        return st;
    struct point at = point_create(model, x, p);
    state->v_minus = arena_alloc(&state->mem, (size_t)model->n_q, sizeof *state->v_minus);
    for (int j = 0; j < model->n_q; j++)
        state->v_minus[j] = x[model->v_index[j]];
    if ((st = find_closed(model, &at, gap_tol, state, &n, diag)) == STATUS_OK)
        st = read_system(model, &at, n, n_dir_3d, state, diag);
    if (st == STATUS_OK)
        st = check_approach(model, state, diag);
    free(at.sym);
    free(at.val);
    return st;
}

void impact_state_free(struct impact_state *state)
{
    arena_free(&state->mem);
}
