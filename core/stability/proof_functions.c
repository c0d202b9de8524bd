#include "core/stability/proof_functions.h"

#include "core/stability/settings.h"

#include <math.h>

static void add_outer(struct interval x, const struct interval *a, const struct interval *b, struct interval *Q)
{
    for (int col = 0; col < 3; col++)
        for (int row = 0; row < 3; row++)
            Q[row + 3 * col] = iv_add(Q[row + 3 * col], iv_mul(x, iv_mul(a[row], b[col])));
}

static void add_outer_both(struct interval x, const struct interval *a, const struct interval *b,
                           struct interval *Q)
{
    add_outer(x, a, b, Q);
    add_outer(x, b, a, Q);
}

/* --- The functions from their free numbers ------------------------------------------------------------------- */

static struct interval stated(const double *packed, const struct interval *a, const struct interval *b)
{
    static const int place[9] = { 0, 1, 2, 1, 3, 4, 2, 4, 5 };
    struct interval Q[9];
    for (int k = 0; k < 9; k++)
        Q[k] = iv(packed[place[k]]);
    return iv(iv_mid(iv_form3(Q, a, b))); /* a number that defines the function: its rounding is part of it */
}

static struct interval kappa(const struct enclosure *en, int i)
{
    return iv_dot3(en->n[1 - i], en->u_t[i]);
}

/* b_1 and b_2 times their share, C_1, C_2, C_12. */
static void set_form(const struct enclosure *en, struct interval q_D, const struct interval own[2],
                     const struct interval C[2], struct interval C_12, struct interval *Q)
{
    for (int k = 0; k < 9; k++)
        Q[k] = iv(0);
    add_outer(q_D, en->tau, en->tau, Q);
    for (int i = 0; i < 2; i++) {
        const struct interval b = iv_neg(iv_mul(iv_mul(kappa(en, i), own[i]), en->td[i]));
        add_outer_both(b, en->tau, en->n[1 - i], Q);
        add_outer(C[i], en->n[1 - i], en->n[1 - i], Q);
    }
    add_outer_both(C_12, en->n[0], en->n[1], Q);
}

static struct interval support_k(const struct enclosure *en, int i, const struct interval *Q)
{
    struct interval a[3];
    iv_combine3(iv(1), en->g, en->G[i], en->u_n[i], a);
    return iv_scale(-2, iv_form3(Q, en->r[i], a));
}

static struct interval bounce_k(const struct enclosure *en, int i, const struct interval *Q)
{
    struct interval a[3];
    iv_combine3(iv(2), en->g, iv_mul(iv_add(iv(1), en->e[i]), en->G[i]), en->u_n[i], a);
    return iv_neg(iv_form3(Q, en->r[i], a));
}

static void set_one_function(const struct enclosure *en, int level, const double *p, struct proof_functions *out)
{
    const double *Q = p + 3;
    if (level == LEVEL_P || en->flight) {
        const struct interval q_0 = iv(Q[3]), q_1 = iv(Q[0] - Q[3]);
        for (int k = 0; k < 9; k++)
            out->V.Q[k] = k % 4 == 0 ? q_0 : iv(0);
        add_outer(q_1, en->tau, en->tau, out->V.Q);
        for (int i = 0; i < 2; i++)
            out->V.k[i] = iv_scale(2, iv_mul(q_0, en->w[i]));
    } else {
        struct interval C[2];
        for (int i = 0; i < 2; i++)
            C[i] = stated(Q, en->r[i], en->r[i]);
        set_form(en, stated(Q, en->dir, en->dir), C, C, stated(Q, en->r[0], en->r[1]), out->V.Q);
        for (int i = 0; i < 2; i++)
            out->V.k[1 - i] = support_k(en, i, out->V.Q);
    }
    out->q_D = iv_form3(out->V.Q, en->dir, en->dir);
}

static void set_functions(const struct enclosure *en, const double *p, struct proof_functions *out)
{
    const struct interval zero = iv(0);
    struct interval own[2];
    out->q_D = iv(p[1]);
    for (int i = 0; i < 2; i++)
        own[i] = iv(p[2 + 11 * i + 10]);
    for (int i = 0; i < 2; i++) {
        const int j = 1 - i;
        const double *Q_F = p + 2 + 11 * i + 1;
        struct interval C[2], only[2];
        only[i] = own[i];
        only[j] = zero;
        set_form(en, out->q_D, only, only, zero, out->S[i].Q);
        out->S[i].k[j] = support_k(en, i, out->S[i].Q);
        C[i] = own[i];
        C[j] = stated(Q_F, en->r[j], en->r[j]);
        set_form(en, out->q_D, own, C, stated(Q_F, en->r[0], en->r[1]), out->F[i].Q);
        out->F[i].k[j] = bounce_k(en, i, out->F[i].Q);
        out->S[i].k[i] = out->F[i].k[i] = zero;
    }
}

void proof_functions_init(const struct enclosure *en, int level, const double *p, struct proof_functions *out)
{
    *out = (struct proof_functions){ .c = iv(p[0]) };
    if (level == LEVEL_M)
        set_functions(en, p, out);
    else
        set_one_function(en, level, p, out);
}

/* --- Agreement of p with them -------------------------------------------------------------------------------- */

static void compare(double *residual, double said, struct interval is)
{
    const double off = fabs(said - iv_mid(is));
    if (!(off <= *residual))
        *residual = off;                    /* NaN included */
}

static void compare_packed(double *residual, const double *packed, const struct interval *Q)
{
    static const int place[6] = { 0, 1, 2, 4, 5, 8 };
    for (int k = 0; k < 6; k++)
        compare(residual, packed[k], Q[place[k]]);
}

double proof_functions_residual(const struct enclosure *en, int level, const double *p,
                                const struct proof_functions *fn)
{
    double residual = 0, largest = 0;
    for (int q = 0; q < LEVEL_MAX_P; q++)
        largest = fmax(largest, fabs(p[q]));
    compare(&residual, largest, iv(1));
    for (int q = level_n_p(level); q < LEVEL_MAX_P; q++)
        compare(&residual, p[q], iv(0));
    if (level != LEVEL_M) {
        for (int i = 0; i < 2; i++)
            compare(&residual, p[1 + i], fn->V.k[i]);
        compare_packed(&residual, p + 3, fn->V.Q);
        return residual;
    }
    for (int i = 0; i < 2; i++) {
        const double *own = p + 2 + 11 * i;
        const struct interval *S = fn->S[i].Q, *const z[2] = { en->d[i], en->r[i] };
        static const int place[3][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 } };
        compare(&residual, own[7], fn->S[i].k[1 - i]);
        for (int k = 0; k < 3; k++)
            compare(&residual, own[8 + k], iv_form3(S, z[place[k][0]], z[place[k][1]]));
        compare(&residual, own[0], en->flight ? fn->F[i].k[1 - i] : iv(0));
        for (int k = 0; k < 6 && !en->flight; k++)
            compare(&residual, own[1 + k], iv(0));
        if (en->flight)
            compare_packed(&residual, own + 1, fn->F[i].Q);
    }
    return residual;
}
