/* Time-freezing: a mechanical system with impacts as a Filippov system in numerical time (time_freezing.md).
 *
 *   rate = prod_l w_l,   w_l = 1 where contact l does not jump        dt/dt_num
 *   q'   = rate v  + elastic contacts: their oscillator
 *   M v' = rate f_v + sum_l J_n aux_n + J_t aux_t
 *
 * Inelastic contact: w = aq + av - aq av with aq, av the steps of the gap and the normal velocity (1), and in the
 * frozen mode a constant acceleration pushes out, tilted by friction (2). Elastic contact: w = step of the gap,
 * and a damped oscillator lets the body bounce out (3), (4). Simultaneous frozen modes are added (5).
 */
#include "transcription/system/build.h"

#include "core/base/mem.h"
#include "core/base/pi.h"
#include "core/expression/diff.h"
#include "core/model/kinematics.h"
#include "core/model/values.h"
#include "transcription/method/method.h"

#include <math.h>
#include <stdlib.h>

struct freezing {                   /* what the builder collects before the form is chosen */
    struct dcs *dcs;
    const struct discretization *settings;
    struct dcs_switch *sw;          /* [n_sw] */
    expr *alpha;                    /* [n_sw] their steps */
    int n_sw;
    expr *w;                        /* [n_contact] 1 where the contact does not jump */
    expr *push;                     /* [n_y] added to F: elastic contacts on q' and v' */
};

static struct dcs_switch contact_switch(struct dcs *dcs, int c, const char *what, expr e)
{
    const struct model_contact *contact = &dcs->model->contacts.contact[c];
    return (struct dcs_switch){ .name = dcs_name(dcs, contact->name, what), .path = contact->path,
                                .pos = contact->pos, .c = e, .sel = -1, .lam_p = -1, .lam_n = -1, .contact = c };
}

static expr add_switch(struct freezing *fz, struct dcs_switch sw)
{
    fz->sw[fz->n_sw] = sw;
    return fz->alpha[fz->n_sw++] = expr_sym(fz->dcs->g, dcs_name(fz->dcs, sw.name, ", step"));
}

static expr one_minus(struct expr_graph *g, expr a)
{
    return expr_sub(g, expr_const(g, 1), a);
}

/* Friction of the frozen mode: planar (2), or in 3D with a smooth norm and an outward inner mode (section 4). */
static void add_friction(struct freezing *fz, int c, expr kap)
{
    struct expr_graph *g = fz->dcs->g;
    const struct model_contact *contact = &fz->dcs->model->contacts.contact[c];
    struct dcs_contact *force = &fz->dcs->contact[c];
    const expr strength = expr_scale(g, fz->settings->a_n, contact->friction);
    if (contact->n_t == 1) {
        const expr at = add_switch(fz, contact_switch(fz->dcs, c, " slip", contact->v_t[0]));
        const expr sign = one_minus(g, expr_scale(g, 2, at));           /* th_aux- minus th_aux+ over kap */
        force->aux_t[0] = expr_mul(g, expr_mul(g, strength, kap), sign);
        return;
    }
    const double eps_t = fz->settings->eps_t, d = 0.1 * eps_t;
    const expr square = expr_add(g, expr_dot(g, contact->n_t, contact->v_t, contact->v_t), expr_const(g, d * d));
    const expr rho = expr_sqrt(g, square);
    const expr at =
        add_switch(fz, contact_switch(fz->dcs, c, " slip speed", expr_sub(g, rho, expr_const(g, eps_t))));
    const expr sign = one_minus(g, expr_scale(g, 2, at));               /* outside -1, inside 1 */
    const expr factor = expr_div(g, expr_mul(g, expr_mul(g, strength, kap), sign), rho);
    for (int k = 0; k < contact->n_t; k++)
        force->aux_t[k] = expr_mul(g, factor, contact->v_t[k]);
}

static void add_inelastic(struct freezing *fz, int c)
{
    struct dcs *dcs = fz->dcs;
    struct expr_graph *g = dcs->g;
    const struct model_contact *contact = &dcs->model->contacts.contact[c];
    expr gap = contact->gap;
    if (contact_needs_band(contact))
        gap = expr_sub(g, gap, dcs_add_band(dcs, contact));
    const expr aq = add_switch(fz, contact_switch(dcs, c, " gap", gap));
    const expr av = add_switch(fz, contact_switch(dcs, c, " normal velocity", contact->v_n));
    const expr kap = expr_mul(g, one_minus(g, aq), one_minus(g, av));
    fz->w[c] = one_minus(g, kap);                                       /* (1): aq + av - aq av */
    dcs->contact[c].aux_n = expr_scale(g, fz->settings->a_n, kap);
    if (contact->n_t > 0 && contact->mu > 0)
        add_friction(fz, c, kap);
}

/* M^-1 J_n: by elimination where M is constant, else as lifted variables with M z = J_n. */
static void inverse_times_normal(struct dcs *dcs, const struct model_contact *contact, expr *out)
{
    struct expr_graph *g = dcs->g;
    const struct model *model = dcs->model;
    const int n = model->mechanics.n_q;
    if (!dcs->E_is_constant) {
        for (int i = 0; i < n; i++) {
            const char *name = dcs_name(dcs, contact->name, " normal, M^-1 J_n");
            /* By the diagonal of M: what is divided by J_n'M^-1 J_n is finite at the guess. */
            const expr rough = expr_div(g, contact->J_n[i], model->mechanics.M[i + i * n]);
            const double guess = model_value_at(model, rough, AT_GUESS);
            struct dcs_var z = { name,      contact->path, contact->pos, expr_sym(g, name),
                                 -INFINITY, INFINITY,      guess,        false };
            out[i] = z.sym;
            dcs_add_z(dcs, z);
        }
        for (int i = 0; i < n; i++) {
            expr row = expr_neg(g, contact->J_n[i]);
            for (int j = 0; j < n; j++)
                row = expr_add(g, row, expr_mul(g, model->mechanics.M[i + j * n], out[j]));
            dcs_add_stage(dcs, (struct dcs_row){ dcs_name(dcs, contact->name, " normal, M^-1 J_n"), contact->path,
                                                 contact->pos, row, false, false });
        }
        return;
    }
    /* Cholesky-free Gauss elimination on numbers, right-hand side carried as expressions; M is positive definite */
    double *M = mem_alloc((size_t)n * (size_t)n, sizeof *M);
    for (int k = 0; k < n * n; k++)
        expr_is_const(g, model->mechanics.M[k], &M[k]);
    for (int i = 0; i < n; i++)
        out[i] = contact->J_n[i];
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const double factor = M[i + k * n] / M[k + k * n];
            for (int j = k; j < n; j++)
                M[i + j * n] -= factor * M[k + j * n];
            out[i] = expr_sub(g, out[i], expr_scale(g, factor, out[k]));
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            out[i] = expr_sub(g, out[i], expr_scale(g, M[i + j * n], out[j]));
        out[i] = expr_scale(g, 1 / M[i + i * n], out[i]);
    }
    free(M);
}

/* Gap below zero: q' = N M^-1 J_n v_n / D, D v_n' = -(k gap + damping v_n), D = J_n'M^-1 J_n time_freezing.md (3),
 * (4). */
static enum status add_elastic(struct freezing *fz, int c, struct diag *diag)
{
    struct dcs *dcs = fz->dcs;
    struct expr_graph *g = dcs->g;
    const struct model *model = dcs->model;
    const struct model_contact *contact = &model->contacts.contact[c];
    if (contact->mu > 0)
        return diag_error(diag, contact->pos, contact->path, "time-freezing has no friction at elastic contacts "
                          "(restitution > 0)");
    const int n = model->mechanics.n_q;
    expr *w = arena_alloc(&dcs->mem, (size_t)n, sizeof *w);
    expr *q = arena_alloc(&dcs->mem, 2 * (size_t)model->mechanics.n_position, sizeof *q),
          *q_rate = q + model->mechanics.n_position;
    inverse_times_normal(dcs, contact, w);
    const expr D = expr_dot(g, n, contact->J_n, w);
    for (int i = 0; i < n; i++)
        w[i] = expr_div(g, expr_mul(g, w[i], contact->v_n), D);
    kinematics_along(model, w, q_rate);
    for (int i = 0; i < model->mechanics.n_position; i++)
        q[i] = model->x_sym[model->mechanics.q_index[i]];
    const double log_e = log(contact->e), k = fz->settings->k_aux;
    const double damping = 2 * fabs(log_e) * sqrt(k / (PI * PI + log_e * log_e));    /* (3) */
    const expr aq = add_switch(fz, contact_switch(dcs, c, " gap", contact->gap));
    const expr jumping = one_minus(g, aq);
    const expr curvature = expr_directional(g, contact->v_n, model->mechanics.n_position, q, q_rate);
    expr pull = expr_add(g, expr_scale(g, k, contact->gap), expr_scale(g, damping, contact->v_n));
    pull = expr_neg(g, expr_div(g, expr_add(g, pull, curvature), D));   /* (4) */
    fz->w[c] = aq;
    dcs->contact[c].aux_n = expr_mul(g, jumping, pull);
    for (int i = 0; i < model->mechanics.n_position; i++) {
        expr *push = &fz->push[model->mechanics.q_index[i]];
        *push = expr_add(g, *push, expr_mul(g, jumping, q_rate[i]));
    }
    return STATUS_OK;
}

/* rate = prod w_l; from the third contact on the partial products are lifted, so that rows stay of low degree. */
static expr product_of(struct freezing *fz)
{
    struct dcs *dcs = fz->dcs;
    struct expr_graph *g = dcs->g;
    const int n = dcs->model->contacts.n_contact;
    expr product = n ? fz->w[0] : expr_const(g, 1);
    for (int c = 1; c < n; c++) {
        product = expr_mul(g, product, fz->w[c]);
        if (c == n - 1 || fz->settings->form == FORM_STEWART)
            continue;
        const char *name = "no jump at the first contacts";
        const struct dcs_var z = { name, "contacts", dcs->model->contacts.contact[c].pos, expr_sym(g, name),
                                   -INFINITY, INFINITY, 0.5, false };
        dcs_add_z(dcs, z);
        dcs_add_stage(dcs, (struct dcs_row){ name, "contacts", z.pos, expr_sub(g, z.sym, product), false, false });
        product = z.sym;
    }
    return product;
}

/* F = rate f + pushes of elastic contacts + J_n aux_n + J_t aux_t. */
static void assemble_F(struct freezing *fz)
{
    struct dcs *dcs = fz->dcs;
    struct expr_graph *g = dcs->g;
    for (int i = 0; i < dcs->n_y; i++) {
        expr e = i == dcs->clock ? dcs->rate : expr_mul(g, dcs->rate, dcs->F[i].e);
        dcs->F[i].e = expr_add(g, e, fz->push[i]);
    }
    for (int c = 0; c < dcs->model->contacts.n_contact; c++)
        dcs_add_contact_force(dcs, c);
}

/* e(alpha) as sum over modes of theta_m e(alpha = pattern m): all sign patterns, dense:
 * fesd.md 2, time_freezing.md 6. */
static expr over_modes(struct freezing *fz, const expr *theta, expr e)
{
    struct expr_graph *g = fz->dcs->g;
    expr *pattern = mem_alloc((size_t)fz->n_sw, sizeof *pattern);
    expr sum = expr_const(g, 0);
    if (!expr_depends(g, e, fz->n_sw, fz->alpha)) {
        free(pattern);
        return e;
    }
    for (int m = 0; m < 1 << fz->n_sw; m++) {
        expr field;
        for (int l = 0; l < fz->n_sw; l++)
            pattern[l] = expr_const(g, m >> l & 1);
        expr_substitute(g, 1, &e, fz->n_sw, fz->alpha, pattern, &field);
        sum = expr_add(g, sum, expr_mul(g, theta[m], field));
    }
    free(pattern);
    return sum;
}

static enum status choose_form(struct freezing *fz, struct diag *diag)
{
    enum { MAX_STEWART_SWITCHES = 8 };          /* 256 modes */
    struct dcs *dcs = fz->dcs;
    dcs->kind = fz->settings->form == FORM_STEWART ? DCS_STEWART : DCS_STEP;
    if (dcs->kind == DCS_STEP) {
        for (int l = 0; l < fz->n_sw; l++)
            dcs_add_step(dcs, fz->sw[l], fz->alpha[l]);
        return STATUS_OK;
    }
    if (fz->n_sw > MAX_STEWART_SWITCHES)
        return diag_error(diag, dcs->model->contacts.contact[0].pos, "contacts",
                          "%d switching functions make 2^%d modes in "
                          "Stewart's form; use `form: step`", fz->n_sw, fz->n_sw);
    expr *theta = mem_alloc((size_t)1 << fz->n_sw, sizeof *theta);
    dcs_add_stewart(dcs, fz->n_sw, fz->sw, theta);
    dcs->rate = over_modes(fz, theta, dcs->rate);
    for (int i = 0; i < dcs->n_y; i++)
        dcs->F[i].e = over_modes(fz, theta, dcs->F[i].e);
    for (int c = 0; c < dcs->model->contacts.n_contact; c++) {
        dcs->contact[c].aux_n = over_modes(fz, theta, dcs->contact[c].aux_n);
        for (int k = 0; k < SLIP_MAX; k++)
            dcs->contact[c].aux_t[k] = over_modes(fz, theta, dcs->contact[c].aux_t[k]);
    }
    free(theta);
    return STATUS_OK;
}

enum status dcs_build_time_freezing(struct dcs *dcs, const struct discretization *settings, struct diag *diag)
{
    const struct model *model = dcs->model;
    struct expr_graph *g = dcs->g;
    const size_t n_c = (size_t)model->contacts.n_contact;
    struct freezing fz = { dcs, settings, arena_alloc(&dcs->mem, 3 * n_c, sizeof *fz.sw),
                           arena_alloc(&dcs->mem, 3 * n_c, sizeof *fz.alpha), 0,
                           arena_alloc(&dcs->mem, n_c, sizeof *fz.w),
                           arena_alloc(&dcs->mem, (size_t)dcs->n_y, sizeof *fz.push) };
    dcs->freezes = true;
    dcs->contact = arena_alloc(&dcs->mem, n_c, sizeof *dcs->contact);
    for (int i = 0; i < dcs->n_y; i++)
        fz.push[i] = expr_const(g, 0);
    enum status st = dcs_lower_nonsmooth(dcs, diag);    /* friction laws in `force` stay steps beside the contacts' */
    for (int c = 0; c < model->contacts.n_contact && st == STATUS_OK; c++) {
        dcs->contact[c] = (struct dcs_contact){ .aux_n = expr_const(g, 0) };
        for (int k = 0; k < SLIP_MAX; k++)
            dcs->contact[c].aux_t[k] = expr_const(g, 0);
        if (model->contacts.contact[c].e > 0)
            st = add_elastic(&fz, c, diag);
        else
            add_inelastic(&fz, c);
    }
    if (st != STATUS_OK)
        return st;
    dcs->rate = product_of(&fz);
    assemble_F(&fz);
    return choose_form(&fz, diag);
}
