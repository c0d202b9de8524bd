#include "core/simulation/stepping_model.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "core/expression/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void find_extra_states(struct stepping_model *at)
{
    const struct model *model = at->model;
    at->is_extra = arena_alloc(&at->mem, (size_t)model->n_x, sizeof *at->is_extra);
    for (int i = 0; i < model->n_x; i++)
        at->is_extra[i] = true;
    for (int i = 0; i < model->n_q; i++)
        at->is_extra[model->q_index[i]] = at->is_extra[model->v_index[i]] = false;
}

/* M, f_v, and the right-hand sides of extra states. */
static void build_flow(struct stepping_model *at)
{
    const struct model *model = at->model;
    const int n_q = model->n_q, n = n_q * n_q + n_q + model->n_x;
    expr *out = at->flow_expr = arena_alloc(&at->mem, (size_t)n, sizeof *out);
    memcpy(out, model->M, (size_t)(n_q * n_q) * sizeof *out);
    memcpy(out + n_q * n_q, model->f_v, (size_t)n_q * sizeof *out);
    for (int i = 0; i < model->n_x; i++)
        out[n_q * n_q + n_q + i] = at->is_extra[i] ? model->rhs[i] : expr_const(model->graph, 0);
    at->flow = tape_create(model->graph, at->inputs.n, at->inputs.sym, n, out);
    at->M = arena_alloc(&at->mem, (size_t)n, sizeof(double));
    at->f_v = at->M + n_q * n_q;
    at->rhs = at->f_v + n_q;
}

static void build_slopes(struct stepping_model *at)
{
    const struct model *model = at->model;
    struct expr_sparse jac = expr_jacobian(model->graph, model->n_q, model->f_v, model->n_x, model->x_sym);
    at->slopes = tape_create(model->graph, at->inputs.n, at->inputs.sym, jac.nnz, jac.val);
    at->slope = arena_alloc(&at->mem, (size_t)(model->n_q * model->n_x), sizeof(double));
    at->slope_place = arena_alloc(&at->mem, (size_t)jac.nnz, sizeof(int));
    at->n_slope = jac.nnz;
    for (int k = 0; k < jac.nnz; k++)
        at->slope_place[k] = jac.row[k] + jac.col[k] * model->n_q;
    expr_sparse_free(&jac);
}

/* Per contact gap, friction, restitution, then the three columns of J. */
static void build_contacts(struct stepping_model *at)
{
    const struct model *model = at->model;
    const int n_q = model->n_q, n = 3 + 3 * n_q;
    expr *out = mem_alloc((size_t)(n * model->n_contact), sizeof *out), *to = out;
    for (int c = 0; c < model->n_contact; c++) {
        const struct model_contact *contact = &model->contact[c];
        *to++ = contact->gap;
        *to++ = contact->friction;
        *to++ = contact->restitution;
        for (int i = 0; i < n_q; i++)
            *to++ = contact->J_n[i];
        for (int i = 0; i < 2 * n_q; i++)
            *to++ = i < n_q * contact->n_t ? contact->J_t[i] : expr_const(model->graph, 0);
    }
    at->contacts = tape_create(model->graph, at->inputs.n, at->inputs.sym, n * model->n_contact, out);
    at->contact = arena_alloc(&at->mem, (size_t)model->n_contact, sizeof *at->contact);
    at->J = arena_alloc(&at->mem, (size_t)(3 * n_q * model->n_contact), sizeof(double));
    free(out);
}

struct stepping_model *stepping_model_create(struct model *model, const double *p)
{
    struct stepping_model *at = mem_alloc(1, sizeof *at);
    at->model = model;
    at->inputs = inputs_create(model, p, &at->mem);
    find_extra_states(at);
    build_flow(at);
    build_slopes(at);
    build_contacts(at);
    const struct tape *const tapes[] = { at->flow, at->slopes, at->contacts };
    size_t n_out = 0, n_work = 0;
    for (int k = 0; k < 3; k++) {
        const size_t out = (size_t)tape_n_out(tapes[k]), work = tape_work_size(tapes[k]);
        n_out = out > n_out ? out : n_out;
        n_work = work > n_work ? work : n_work;
    }
    at->out = arena_alloc(&at->mem, n_out, sizeof(double));
    at->work = arena_alloc(&at->mem, n_work, sizeof(double));
    return at;
}

void stepping_model_free(struct stepping_model *at)
{
    if (!at)
        return;
    tape_free(at->flow);
    tape_free(at->slopes);
    tape_free(at->contacts);
    arena_free(&at->mem);
    free(at);
}

/* Says which of the functions of the flow is not finite, in the words of the spec. */
static void explain(const struct stepping_model *at, char *text, size_t size)
{
    const struct model *model = at->model;
    const int n = tape_n_out(at->flow);
    (void)snprintf(text, size, "a force is not finite");
    for (int k = 0; k < n; k++)
        if (!isfinite(at->M[k])) {
            char what[300];
            const struct srcpos pos = expr_trace(model->graph, at->flow_expr[k], at->inputs.n, at->inputs.sym,
                                                 at->inputs.value, what, sizeof what);
            if (pos.line > 0)
                (void)snprintf(text, size, "%s (%s:%d:%d)", what, pos.file, pos.line, pos.col);
            else if (what[0])
                (void)snprintf(text, size, "%s", what);
            return;
        }
}

bool stepping_model_flow(struct stepping_model *at, const double *x, const double *u, double t, bool with_slopes,
                         char *text, size_t size)
{
    const int n = tape_n_out(at->flow);
    bool finite = true;
    inputs_set(&at->inputs, t, x, u);
    tape_eval(at->flow, 1, at->inputs.value, 1, at->M, 1, at->work);
    for (int k = 0; k < n; k++)
        finite = finite && isfinite(at->M[k]);
    if (!finite)
        explain(at, text, size);
    if (finite && with_slopes) {
        tape_eval(at->slopes, 1, at->inputs.value, 1, at->out, 1, at->work);
        for (int k = 0; k < at->n_slope; k++)
            at->slope[at->slope_place[k]] = at->out[k];
    }
    return finite;
}

void stepping_model_contacts(struct stepping_model *at, const double *x)
{
    const struct model *model = at->model;
    const size_t n_J = 3 * (size_t)model->n_q;
    inputs_set(&at->inputs, 0, x, NULL);
    if (model->n_contact == 0)
        return;
    tape_eval(at->contacts, 1, at->inputs.value, 1, at->out, 1, at->work);
    const double *from = at->out;
    for (int c = 0; c < model->n_contact; c++) {
        at->contact[c] = (struct stepping_contact){ from[0], from[1], from[2] };
        memcpy(at->J + (size_t)c * n_J, from + 3, n_J * sizeof *from);
        from += 3 + n_J;
    }
}

const double *stepping_model_J(const struct stepping_model *at, int c)
{
    return at->J + (size_t)(3 * at->model->n_q * c);
}

bool stepping_model_is_extra(const struct stepping_model *at, int i)
{
    return at->is_extra[i];
}
