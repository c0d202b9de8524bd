#include "core/stability/functions.h"

#include "core/stability/conditions.h"
#include "core/stability/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct text { char chars[512]; int length; };

/* "+ 0.25*what"; terms that are rounding are left out. */
static void add_term(struct text *text, double coefficient, const char *what)
{
    const int room = (int)sizeof text->chars - text->length;
    if (!(fabs(coefficient) > 1e-13) || room <= 0)
        return;
    const char *sign = coefficient < 0 ? text->length ? " - " : "-" : text->length ? " + " : "";
    text->length +=
        snprintf(text->chars + text->length, (size_t)room, "%s%.10g*%s", sign, fabs(coefficient), what);
}

/* c X + k_1 gap_1 + k_2 gap_2 + v'Qv in (X, gap_1, gap_2); the basis of the rates is (dir, r_2, r_1). */
static const char *write_formula(const struct zod *zod, double c, const double k[2], const double *Q,
                                 const char *const name[2], struct arena *mem)
{
    const double *const basis[3] = { zod->dir, zod->r[1], zod->r[0] };
    struct text text = { "", 0 };
    add_term(&text, c, "X");
    for (int i = 0; i < 2; i++)
        add_term(&text, k[i], arena_printf(mem, "gap_%s", name[i]));
    const char *const rate[3] = {"X'", arena_printf(mem, "gap_%s'", name[0]),
                                 arena_printf(mem, "gap_%s'", name[1])};
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            const char *what =
                a == b ? arena_printf(mem, "%s^2", rate[a]) : arena_printf(mem, "%s*%s", rate[a], rate[b]);
            add_term(&text, (a == b ? 1 : 2) * form3(Q, basis[a], basis[b]), what);
        }
    return arena_copy_text(mem, text.chars);
}

/* z'Q z, z = (t_i v, n_j v), as a form in v. */
static void support_form(const struct zod *zod, int i, const double *q, double Q[9])
{
    const double *t = zod->t[i], *n = zod->n[1 - i];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            Q[a + 3 * b] = q[0] * t[a] * t[b] + q[1] * (t[a] * n[b] + n[a] * t[b]) + q[2] * n[a] * n[b];
}

static int modal_formulas(const struct zod *zod, const double *p, const char *const name[2], struct arena *mem,
                          struct formula *out)
{
    int n = 0;
    const double zero[2] = { 0, 0 };
    double Q[9];
    for (int i = 0; i < 2; i++) {
        const double *own = p + 2 + 11 * i;
        double k[2] = { 0, 0 };
        k[1 - i] = own[0];
        cond_unpack(own + 1, Q);
        if (body_bounces(&zod->body))
            out[n++] = (struct formula){ i == 0 ? "F1" : "F2", arena_printf(mem, "after a bounce on %s", name[i]),
                                         write_formula(zod, p[0], k, Q, name, mem) };
        k[1 - i] = own[7];
        support_form(zod, i, own + 8, Q);
        out[n++] = (struct formula){ i == 0 ? "S1" : "S2", arena_printf(mem, "supported by %s alone", name[i]),
                                     write_formula(zod, p[0], k, Q, name, mem) };
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            Q[a + 3 * b] = p[1] * zod->tau[a] * zod->tau[b];
    out[n++] = (struct formula){ "D", "both feet down", write_formula(zod, p[0], zero, Q, name, mem) };
    return n;
}

int certificate_formulas(int level, const struct certificate_side *side, const char *const name[2],
                         struct arena *mem, struct formula out[FORMULA_MAX])
{
    struct zod zod;
    double Q[9];
    if (!zod_init(&side->body, &zod))
        return 0;
    if (level == LEVEL_M)
        return modal_formulas(&zod, side->p, name, mem, out);
    cond_unpack(side->p + 3, Q);
    out[0] = (struct formula){ "V", level == LEVEL_P ? "at all times" : "after impacts and changes of mode",
                               write_formula(&zod, side->p[0], side->p + 1, Q, name, mem) };
    return 1;
}

static const char *const packed_name[6] = { "yy", "zy", "ty", "zz", "tz", "tt" };

const char *certificate_parameter_name(int level, int q, struct arena *mem)
{
    static const char *const support[3] = { "00", "10", "11" };
    if (q == 0)
        return "c";
    if (level != LEVEL_M)
        return q <= 2 ? arena_printf(mem, "k_%d", q) : arena_printf(mem, "Q_%s", packed_name[q - 3]);
    if (q == 1)
        return "q_D";
    const int i = (q - 2) / 11 + 1, k = (q - 2) % 11;
    if (k == 0 || k == 7)
        return arena_printf(mem, "k_%c%d", k == 0 ? 'F' : 'S', i);
    return k < 7 ? arena_printf(mem, "Q_F%d_%s", i, packed_name[k - 1])
                 : arena_printf(mem, "Q_S%d_%s", i, support[k - 8]);
}
