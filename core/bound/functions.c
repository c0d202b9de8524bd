#include "core/bound/reading.h"

#include "core/base/mem.h"
#include "core/expression/degree.h"

#include <math.h>
#include <stdlib.h>

/* Multiples of an angle that are written with its sin and cos. */
enum { MOST_MULTIPLE = 4 };

/* --- Which functions there are ------------------------------------------------------------------------------- */

struct expr_list { int n; expr *e; };

static void add(struct expr_list *list, expr e)
{
    if (e == EXPR_NONE)
        return;
    list->e = mem_grow(list->e, list->n, 1, sizeof *list->e);
    list->e[list->n++] = e;
}

/* Rates, forces, masses and costs. */
static void list_expressions(const struct model *m, struct expr_list *to)
{
    for (int i = 0; i < m->n_x; i++)
        add(to, m->dynamics.rhs[i]);
    for (int i = 0; i < m->mechanics.n_q; i++)
        add(to, m->mechanics.f_v[i]);
    for (int i = 0; i < m->mechanics.n_q * m->mechanics.n_q; i++)
        add(to, m->mechanics.M[i]);
    for (int k = 0; k < m->dynamics.n_group; k++) {
        for (int l = 0; l < m->dynamics.group[k].n_c; l++)
            add(to, m->dynamics.group[k].c[l]);
        for (int mode = 0; mode < m->dynamics.group[k].n_mode; mode++)
            for (int i = 0; i < m->n_x; i++)
                add(to, m->dynamics.group[k].mode[mode].rhs[i]);
    }
    for (int k = 0; k < m->costs.n_running; k++)
        add(to, m->costs.running[k].e);
    for (int k = 0; k < m->costs.n_terminal; k++)
        add(to, m->costs.terminal[k].e);
}

/* The state or the time that an argument is a multiple of, but for a constant; -1: it is of something else. A
 * velocity that impacts change has no such function. */
static int base_of(const struct reading *r, expr arg)
{
    const struct model *m = r->model;
    const int one = 1;
    for (int k = 0; k < r->out->n_var; k++) {
        const struct bound_var *var = &r->out->var[k];
        const bool is_state = var->kind == BOUND_STATE;
        const expr sym = is_state ? m->x_sym[var->index] : m->t_sym;
        const bool jumps = is_state && reading_impacts_change(m, var->index);
        if ((is_state || var->kind == BOUND_TIME) && !jumps && expr_is_of(r->g, arg, 1, &sym)
            && expr_degree(r->g, arg, 1, &sym, &one) == 1)
            return k;
    }
    return -1;
}

/* Is the state in a gap? Then contacts may close it, and it is given by others. */
static bool is_in_a_gap(const struct reading *r, int k)
{
    const struct model *m = r->model;
    for (int c = 0; c < m->contacts.n_contact && r->out->var[k].kind == BOUND_STATE; c++)
        if (expr_depends(r->g, m->contacts.contact[c].gap, 1, &m->x_sym[r->out->var[k].index]))
            return true;
    return false;
}

static struct interval argument_at(const struct reading_function *function, struct interval base)
{
    return iv_add(iv_mul(function->k, base), function->phi);
}

/* sin and cos of n times the argument of a function: of (cos + i sin)^n. */
static void name_multiple(struct reading *r, expr arg, const struct reading_function *of, int n)
{
    const struct interval_poly s = reading_variable(r, of->sine), c = reading_variable(r, of->cosine);
    struct interval_poly sine = s, cosine = c;
    for (int k = 1; k < n; k++) {
        const struct interval_poly was = cosine;
        cosine = enclosed_add(r->mem, enclosed_mul(r->mem, was, c), iv(-1), enclosed_mul(r->mem, sine, s));
        sine = enclosed_add(r->mem, enclosed_mul(r->mem, was, s), iv(1), enclosed_mul(r->mem, sine, c));
    }
    reading_name(r, expr_unary(r->g, EXPR_SIN, arg), sine);
    reading_name(r, expr_unary(r->g, EXPR_COS, arg), cosine);
}

/* Is it sin or cos of a whole multiple of what there is a function of? Then it is no new one. */
static bool is_multiple(struct reading *r, const struct reading_function *one)
{
    for (int f = 0; f < r->n_function; f++) {
        const struct reading_function *of = &r->function[f];
        const double n = one->k.lo / of->k.lo;
        if (one->is_exp || of->is_exp || of->base != one->base || !iv_is_zero(of->phi) || !iv_is_zero(one->phi)
            || one->k.lo < one->k.hi || of->k.lo < of->k.hi)
            continue;
        for (int whole = 1; whole <= MOST_MULTIPLE; whole++)
            if (!(n < whole) && !(n > whole) && !(whole * of->k.lo < one->k.lo)
                && !(whole * of->k.lo > one->k.lo)) {
                name_multiple(r, one->arg, of, whole);
                return true;
            }
    }
    return false;
}

static void add_function(struct reading *r, expr node, int base)
{
    const expr arg = expr_arg(r->g, node, 0);
    const bool is_exp = expr_op_of(r->g, node) == EXPR_EXP;
    const struct bound_var *var = &r->out->var[base];
    const struct interval_poly unscaled = enclosed_monomial(r->mem, monomial_power(0, 1), iv(1));
    const expr sym = var->kind == BOUND_STATE ? r->model->x_sym[var->index] : r->model->t_sym;
    const struct polynomial_names names = { r->g, 1, &sym, &unscaled, NULL };
    struct interval_poly line;
    if (polynomial_of(r->mem, &names, arg, (struct written){ .path = NULL }, &line, r->diag) != STATUS_OK)
        return;
    const struct reading_function one = { .arg = arg, .is_exp = is_exp, .base = base,
                                          .k = enclosed_coefficient(line, monomial_power(0, 1)),
                                          .phi = enclosed_coefficient(line, 0) };
    if (is_multiple(r, &one) || r->n_function >= READING_MAX_FUNCTION || r->out->n_var + 2 > BOUND_MAX_VAR)
        return;
    struct reading_function *f = &r->function[r->n_function++];
    *f = one;
    const struct interval range = argument_at(f, (struct interval){ var->lo, var->hi });
    const struct interval sine = is_exp ? iv_growing(exp, range) : iv_sin(range), cosine = iv_cos(range);
    const char *text = expr_to_words(r->g, arg),
               *name = arena_printf(r->mem, "%s(%s)", is_exp ? "exp" : "sin", text);
    f->sine = r->out->n_var;
    reading_add_variable(r, name, BOUND_FUNCTION, r->n_function - 1, sine.lo, sine.hi);
    reading_name(r, expr_unary(r->g, is_exp ? EXPR_EXP : EXPR_SIN, arg), reading_variable(r, f->sine));
    r->out->arguments |= 1u << f->sine;
    if (!is_exp) {
        f->cosine = r->out->n_var;
        reading_add_variable(r, arena_printf(r->mem, "cos(%s)", text), BOUND_FUNCTION, r->n_function - 1,
                             cosine.lo, cosine.hi);
        reading_name(r, expr_unary(r->g, EXPR_COS, arg), reading_variable(r, f->cosine));
        r->out->arguments |= 1u << f->cosine;
        r->out->cosines |= 1u << f->cosine;
        const struct interval_poly s = reading_variable(r, f->sine), c = reading_variable(r, f->cosine);
        struct interval_poly circle =
            enclosed_add(r->mem, enclosed_mul(r->mem, s, s), iv(1), enclosed_mul(r->mem, c, c));
        circle = enclosed_add(r->mem, circle, iv(-1), enclosed_constant(r->mem, iv(1)));
        bound_require_zero(&r->out->path, circle);
    }
    free((char *)(uintptr_t)text);
}

static bool is_known(const struct reading *r, expr arg, bool is_exp)
{
    for (int f = 0; f < r->n_function; f++)
        if (r->function[f].arg == arg && r->function[f].is_exp == is_exp)
            return true;
    return false;
}

/* y = sqrt(a) of what is a polynomial already: to conditions a control with y^2 = a. */
static void add_root(struct reading *r, expr node)
{
    struct diag *silent = diag_create(), *own = r->diag;
    struct interval_poly a;
    r->diag = silent;
    const bool is =
        reading_polynomial(r, expr_arg(r->g, node, 0), (struct written){ .path = NULL }, &a) == STATUS_OK;
    r->diag = own;
    diag_free(silent);
    const struct interval range = is ? bound_range(a) : iv(-1);
    if (!is || !(range.hi > 0) || !isfinite(range.hi) || r->out->n_var + 1 > BOUND_MAX_VAR)
        return;
    const char *text = expr_to_words(r->g, node);
    const int k = r->out->n_var;
    reading_add_variable(r, arena_printf(r->mem, "%s", text), BOUND_ROOT, 0,
                         iv_sqrt((struct interval){ fmax(0, range.lo), range.hi }).lo,
                         iv_sqrt((struct interval){ fmax(0, range.lo), range.hi }).hi);
    free((char *)(uintptr_t)text);
    r->out->controls |= 1u << k;
    const struct interval_poly y = reading_variable(r, k);
    reading_name(r, node, y);
    bound_require_zero(&r->out->path,
                       reading_unit_size(r, enclosed_add(r->mem, enclosed_mul(r->mem, y, y), iv(-1), a)));
}

/* Those of a node, of a symbol itself or of anything else. */
static void add_node(struct reading *r, expr node, bool of_symbols)
{
    const enum expr_op op = expr_op_of(r->g, node);
    const bool is_exp = op == EXPR_EXP;
    if (op == EXPR_SQRT && !of_symbols)
        add_root(r, node);
    if (op != EXPR_SIN && op != EXPR_COS && !is_exp)
        return;
    const expr arg = expr_arg(r->g, node, 0);
    const int base = base_of(r, arg);
    if (of_symbols == (expr_op_of(r->g, arg) == EXPR_SYM) && base >= 0 && !is_in_a_gap(r, base)
        && !is_known(r, arg, is_exp))
        add_function(r, node, base);
}

/* What does not fit here is refused where it is read, as no polynomial. Functions of a state itself come first:
 * those of its multiples are made of them. */
enum status reading_functions(struct reading *r)
{
    struct expr_list list = { 0, NULL };
    int count;
    list_expressions(r->model, &list);
    expr *node = expr_reach(r->g, list.n, list.e, &count);
    for (int k = 0; k < 2 * count; k++)
        add_node(r, node[k % count], k < count);
    free(node);
    free(list.e);
    return STATUS_OK;
}

/* --- How they move ------------------------------------------------------------------------------------------- */

/* sin' = k cos base', cos' = -k sin base'; exp' = k exp base'. */
void reading_function_rates(const struct reading *r, struct interval_poly *rate)
{
    for (int k = 0; k < r->n_function; k++) {
        const struct reading_function *f = &r->function[k];
        const struct interval_poly turn = enclosed_scale(r->mem, f->k, rate[f->base]),
                                   s = reading_variable(r, f->sine);
        if (f->is_exp) {
            rate[f->sine] = enclosed_mul(r->mem, s, turn);
            continue;
        }
        rate[f->sine] = enclosed_mul(r->mem, reading_variable(r, f->cosine), turn);
        rate[f->cosine] = enclosed_scale(r->mem, iv(-1), enclosed_mul(r->mem, s, turn));
    }
}

struct interval reading_function_at(const struct reading *r, const struct reading_function *function, int k,
                                    double base)
{
    const struct interval arg = argument_at(function, iv(base));
    (void)r;
    return function->is_exp ? iv_growing(exp, arg) : k == function->sine ? iv_sin(arg) : iv_cos(arg);
}

/* --- What they replace --------------------------------------------------------------------------------------- */

void reading_leave_out_bases(struct reading *r, struct interval_poly terminal)
{
    for (int f = 0; f < r->n_function; f++) {
        const int k = r->function[f].base;
        const struct bound_var *var = &r->out->var[k];
        const bool is_range = var->kind == BOUND_STATE && (r->model->x[var->index].initial.kind == END_RANGE
                                                           || r->model->x[var->index].final.kind == END_RANGE);
        if (var->kind == BOUND_STATE && !is_range && !bound_depends_on(r->out, k)
            && enclosed_degree_in(terminal, k) == 0)
            r->out->arguments &= ~(1u << k);
    }
}
