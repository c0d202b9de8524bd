#include "core/simulation/events/resolution.h"

#include "core/expression/degree.h"

#include <math.h>
#include <string.h>

enum { PARTS_OF_RUN = 100000 };     /* a second or some; then parts are left as they are, with a note */

/* NULL where the expressions are simple over every box. */
static struct ranges *simplicity_of(const struct system *sys, int n, const expr *e)
{
    struct ranges *ranges = ranges_create(sys->model->graph, sys->inputs.n, sys->inputs.sym, n, e, true);
    if (!ranges_always_simple(ranges))
        return ranges;
    ranges_free(ranges);
    return NULL;
}

static struct ranges *field_of(const struct system *sys, struct arena *mem)
{
    const int n_q = sys->n_q, n = n_q * n_q + n_q + sys->n_x;
    expr *all = arena_alloc(mem, (size_t)n, sizeof *all);
    for (int i = 0; i < n_q * n_q; i++)
        all[i] = sys->model->mechanics.M[i];
    for (int i = 0; i < n_q; i++)
        all[n_q * n_q + i] = sys->formula.f_v[i];
    for (int i = 0; i < sys->n_x; i++)
        all[n_q * n_q + n_q + i] = sys->formula.rhs[i];
    return simplicity_of(sys, n, all);
}

/* Accelerations of a contact: J and d/dt J v have the functions of J and v_n, v_t. */
static struct ranges *closed_of(const struct system *sys, const struct model_contact *contact, struct arena *mem)
{
    const int n_q = sys->n_q, n_t = contact->n_t;
    expr *all = arena_alloc(mem, (size_t)((1 + n_t) * n_q), sizeof *all);
    memcpy(all, contact->J_n, (size_t)n_q * sizeof *all);
    memcpy(all + n_q, contact->J_t, (size_t)(n_t * n_q) * sizeof *all);
    return simplicity_of(sys, (1 + n_t) * n_q, all);
}

/* Ranges of n guards, NULL if all are polynomials of at most exact_degree along a step. */
static struct ranges *guards_of(const struct system *sys, int n, const expr *e, const int *degree, int exact_degree)
{
    const struct inputs *in = &sys->inputs;
    bool exact = true;
    for (int i = 0; i < n && exact; i++)
        exact = expr_degree(sys->model->graph, e[i], in->n, in->sym, degree) <= exact_degree;
    return exact ? NULL : ranges_create(sys->model->graph, in->n, in->sym, n, e, false);
}

/* Degrees of the inputs along a step. */
static int *list_degrees(const struct system *sys, struct arena *mem)
{
    int *degree = arena_alloc(mem, (size_t)sys->inputs.n, sizeof *degree);
    for (int i = 0; i < sys->n_x; i++)
        degree[i] = STEP_STAGES;
    degree[sys->t - sys->inputs.value] = 1;
    for (int k = 0; k < sys->n_s; k++)
        degree[sys->inputs.n - sys->n_s + k] = EXPR_NOT_POLYNOMIAL;     /* while it slides */
    return degree;
}

void resolution_init(struct resolution *res, struct arena *mem, const struct system *sys, int exact_degree)
{
    const size_t n_c = (size_t)sys->n_c;
    const int *degree = list_degrees(sys, mem);
    *res = (struct resolution){ .sys = sys, .field = field_of(sys, mem) };
    res->closed = arena_alloc(mem, n_c, sizeof(struct ranges *));
    res->gap = arena_alloc(mem, n_c, sizeof(struct ranges *));
    res->slip = arena_alloc(mem, n_c, sizeof(struct ranges *));
    res->c = arena_alloc(mem, (size_t)sys->n_s, sizeof(struct ranges *));
    res->corner = arena_alloc(mem, (size_t)sys->corner.n, sizeof(struct ranges *));
    res->when = arena_alloc(mem, (size_t)sys->transitions.n, sizeof(struct ranges *));
    res->box = arena_alloc(mem, (size_t)sys->inputs.n, sizeof *res->box);
    for (int c = 0; c < sys->n_c; c++) {
        const struct model_contact *contact = &sys->model->contacts.contact[c];
        res->closed[c] = closed_of(sys, contact, mem);
        res->gap[c] = guards_of(sys, 1, &sys->corner.gap[c], degree, exact_degree);
        res->slip[c] = guards_of(sys, contact->n_t, contact->v_t, degree, exact_degree);
    }
    for (int k = 0; k < sys->n_s; k++)
        res->c[k] = guards_of(sys, 1, &sys->formula.c[k], degree, exact_degree);
    for (int k = 0; k < sys->corner.n; k++)
        res->corner[k] = guards_of(sys, 1, &sys->corner.c[k], degree, exact_degree);
    for (int k = 0; k < sys->transitions.n; k++)
        if (sys->transitions.of[k].of->when != EXPR_NONE)
            res->when[k] = guards_of(sys, 1, &sys->transitions.of[k].of->when, degree, exact_degree);
}

void resolution_free(struct resolution *res)
{
    if (!res->sys)
        return;
    ranges_free(res->field);
    for (int c = 0; c < res->sys->n_c; c++) {
        ranges_free(res->closed[c]);
        ranges_free(res->gap[c]);
        ranges_free(res->slip[c]);
    }
    for (int k = 0; k < res->sys->n_s; k++)
        ranges_free(res->c[k]);
    for (int k = 0; k < res->sys->corner.n; k++)
        ranges_free(res->corner[k]);
    for (int k = 0; k < res->sys->transitions.n; k++)
        ranges_free(res->when[k]);
}

bool resolution_is_simple(const struct resolution *res, const struct mode *mode)
{
    bool simple = !res->field;
    for (int c = 0; c < res->sys->n_c && simple; c++)
        simple = !mode_is_closed(mode->of[c]) || !res->closed[c];
    for (int k = 0; k < res->sys->n_s && simple; k++)
        simple = mode->of[res->sys->n_c + k] != SIM_SLIDES || !res->c[k];
    return simple;
}

void resolution_look_at(struct resolution *res, const struct mode *mode, const double *coef, double t, double h,
                        double a, double b)
{
    const struct system *sys = res->sys;
    struct interval *box = res->box, *alpha = box + sys->inputs.n - sys->n_s;
    for (int i = sys->n_x; i < sys->inputs.n; i++)
        box[i] = iv(sys->inputs.value[i]);
    step_poly_range(sys->n_x, coef, a, b, box);
    for (int k = 0; k < sys->n_u; k++)
        box[sys->n_x + k] = iv(mode->u[k]);
    box[sys->t - sys->inputs.value] = (struct interval){ t + a * h, t + b * h };
    for (int k = 0; k < sys->n_s; k++) {
        const enum sim_mode is = mode->of[sys->n_c + k];
        alpha[k] = is == SIM_SLIDES ? (struct interval){ sys->wall[k] ? -INFINITY : 0, 1 } : iv(is == SIM_POSITIVE ? 1 : 0);
    }
}

bool resolution_field(struct resolution *res, const struct mode *mode)
{
    struct interval range;
    bool simple = !res->field || ranges_eval(res->field, res->box, NULL);
    for (int c = 0; c < res->sys->n_c && simple; c++)
        simple = !mode_is_closed(mode->of[c]) || !res->closed[c] || ranges_eval(res->closed[c], res->box, NULL);
    for (int k = 0; k < res->sys->n_s && simple; k++)           /* a surface that is slid on: its gradient bends too */
        simple =
            mode->of[res->sys->n_c + k] != SIM_SLIDES || !res->c[k] || ranges_eval(res->c[k], res->box, &range);
    return simple;
}

bool resolution_may_halve(struct resolution *res, double t, double length)
{
    if (length <= res->finest)
        return false;
    if (res->n_halved++ < PARTS_OF_RUN)
        return true;
    if (res->coarsest == 0)
        res->t_coarsest = t;
    res->coarsest = fmax(res->coarsest, length);
    return false;
}
