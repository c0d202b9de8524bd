#include "core/sos/sos.h"

#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/sos/semidefinite.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double GONE = 1e-13;               /* a coefficient after elimination, relative to the largest of its row */
static const double LEFT = 1e-9;                /* coefficients of a number that others make up for: rounding */
enum { CSDP_STUCK = 4 };                        /* codes from here on: it gave up at what it had */
static const double PIVOT = 0.05;               /* the least pivot, relative to the largest of its column */

/* --- Identities ---------------------------------------------------------------------------------------------- */

struct sos_identity sos_nonnegative(struct arena *mem, struct sos_affine p, int n_region, const struct poly *region,
                                    int n_zero, const struct poly *zero, unsigned variables, int degree)
{
    struct sos_basis *gram = arena_alloc(mem, (size_t)n_region + 1, sizeof *gram);
    struct sos_basis *free_part = arena_alloc(mem, (size_t)n_zero, sizeof *free_part);
    struct sos_identity out = { .p = p, .gram = gram, .free = free_part };
    for (int j = -1; j < n_region; j++) {
        const struct poly times = j < 0 ? poly_constant(mem, 1) : region[j];
        const int room = degree - poly_degree(times);
        uint64_t *monomial;
        if (room < 0)
            continue;
        const int n = monomial_basis(mem, variables, room / 2, &monomial);
        gram[out.n_gram++] = (struct sos_basis){ times, n, monomial };
    }
    for (int l = 0; l < n_zero; l++) {
        const int room = degree - poly_degree(zero[l]);
        uint64_t *monomial;
        if (room < 0)
            continue;
        const int n = monomial_basis(mem, variables, room, &monomial);
        free_part[out.n_free++] = (struct sos_basis){ zero[l], n, monomial };
    }
    return out;
}

struct poly sos_value(struct arena *mem, const struct sos_affine *p, const double *y)
{
    struct poly sum = p->constant;
    for (int k = 0; k < p->n_part; k++)
        sum = poly_add(mem, sum, y[p->part[k].unknown], p->part[k].poly);
    return sum;
}

/* --- Equations ----------------------------------------------------------------------------------------------- */

/* Columns: the free numbers first (y, then coefficients of f_l), then the entries on and above the diagonals of
 * the Gram matrices. An equation is a row of them, by ascending column. */
struct cell { int col; double val; };
struct equation { int n; struct cell *cell; double rhs; bool is_spent; };         /* cell: of its own, free it */

struct gram_entry { int block, i, j; };

struct system {
    struct arena mem;
    int n_free, n_gram, n_equation, n_block;
    int *size;                                  /* [n_block] */
    struct gram_entry *entry;                   /* [n_gram] */
    struct equation *equation;                  /* [n_equation]; one more behind it is the objective */
    int *pivot;                                 /* [n_free] equation that gives the number, -1: it is 0 */
};

/* A coefficient on its way to its row. */
struct loose { uint64_t monomial; int col; double val; };
struct loose_list { int n; struct loose *item; };

static void put(struct loose_list *list, uint64_t monomial, int col, double val)
{
    list->item = mem_grow(list->item, list->n, 1, sizeof *list->item);
    list->item[list->n++] = (struct loose){ monomial, col, val };
}

static int compare_loose(const void *a, const void *b)
{
    const struct loose *x = a, *y = b;
    if (x->monomial != y->monomial)
        return x->monomial < y->monomial ? -1 : 1;
    return x->col < y->col ? -1 : x->col > y->col;
}

enum { RHS = -1 };                              /* the column of p_0 */

/* The sum of squares and the free polynomials on one side, y_k p_k with a minus beside them, p_0 on the other. */
static void put_identity(const struct sos_identity *identity, int first_free, int first_gram,
                         struct loose_list *list)
{
    const struct sos_affine *p = &identity->p;
    for (int k = 0; k < p->constant.n; k++)
        put(list, p->constant.term[k].monomial, RHS, p->constant.term[k].coefficient);
    for (int part = 0; part < p->n_part; part++)
        for (int k = 0; k < p->part[part].poly.n; k++)
            put(list, p->part[part].poly.term[k].monomial, p->part[part].unknown,
                -p->part[part].poly.term[k].coefficient);
    for (int l = 0; l < identity->n_free; l++)
        for (int a = 0; a < identity->free[l].n; a++, first_free++)
            for (int k = 0; k < identity->free[l].times.n; k++)
                put(list, identity->free[l].monomial[a] + identity->free[l].times.term[k].monomial, first_free,
                    identity->free[l].times.term[k].coefficient);
    for (int j = 0; j < identity->n_gram; j++) {
        const struct sos_basis *z = &identity->gram[j];
        for (int b = 0; b < z->n; b++)
            for (int a = 0; a <= b; a++, first_gram++)
                for (int k = 0; k < z->times.n; k++)
                    put(list, z->monomial[a] + z->monomial[b] + z->times.term[k].monomial, first_gram,
                        (a == b ? 1 : 2) * z->times.term[k].coefficient);
    }
}

/* One equation for each monomial, scaled to the largest coefficient 1. */
static void take_equations(struct system *sys, struct loose_list *list)
{
    if (list->n > 0)
        qsort(list->item, (size_t)list->n, sizeof *list->item, compare_loose);
    for (int k = 0; k < list->n;) {
        int end = k;
        double largest = 0;
        while (end < list->n && list->item[end].monomial == list->item[k].monomial)
            end++;
        struct equation eq = { .cell = mem_alloc((size_t)(end - k), sizeof *eq.cell) };
        for (; k < end; k++) {
            const struct loose *item = &list->item[k];
            if (item->col == RHS)
                eq.rhs += item->val;
            else if (eq.n > 0 && eq.cell[eq.n - 1].col == item->col)
                eq.cell[eq.n - 1].val += item->val;
            else
                eq.cell[eq.n++] = (struct cell){ item->col, item->val };
        }
        for (int c = 0; c < eq.n; c++)
            largest = fmax(largest, fabs(eq.cell[c].val));
        for (int c = 0; c < eq.n; c++)
            eq.cell[c].val /= largest;
        eq.rhs /= largest > 0 ? largest : 1;
        sys->equation = mem_grow(sys->equation, sys->n_equation, 1, sizeof *sys->equation);
        sys->equation[sys->n_equation++] = eq;
    }
    list->n = 0;
}

static void count_columns(struct system *sys, const struct sos_program *program)
{
    sys->n_free = program->n_y;
    for (int i = 0; i < program->n_identity; i++) {
        for (int l = 0; l < program->identity[i].n_free; l++)
            sys->n_free += program->identity[i].free[l].n;
        for (int j = 0; j < program->identity[i].n_gram; j++)
            sys->n_gram += program->identity[i].gram[j].n * (program->identity[i].gram[j].n + 1) / 2;
        sys->n_block += program->identity[i].n_gram;
    }
}

static void list_gram_entries(struct system *sys, const struct sos_program *program)
{
    int block = 0, entry = 0;
    sys->size = arena_alloc(&sys->mem, (size_t)sys->n_block, sizeof *sys->size);
    sys->entry = arena_alloc(&sys->mem, (size_t)sys->n_gram, sizeof *sys->entry);
    for (int i = 0; i < program->n_identity; i++)
        for (int j = 0; j < program->identity[i].n_gram; j++, block++) {
            sys->size[block] = program->identity[i].gram[j].n;
            for (int col = 0; col < sys->size[block]; col++)
                for (int row = 0; row <= col; row++)
                    sys->entry[entry++] = (struct gram_entry){ block, row, col };
        }
}

static void write_equations(struct system *sys, const struct sos_program *program)
{
    struct loose_list list = { 0, NULL };
    count_columns(sys, program);
    list_gram_entries(sys, program);
    int first_free = program->n_y, first_gram = sys->n_free;
    for (int i = 0; i < program->n_identity; i++) {
        const struct sos_identity *identity = &program->identity[i];
        put_identity(identity, first_free, first_gram, &list);
        for (int l = 0; l < identity->n_free; l++)
            first_free += identity->free[l].n;
        for (int j = 0; j < identity->n_gram; j++)
            first_gram += identity->gram[j].n * (identity->gram[j].n + 1) / 2;
        take_equations(sys, &list);
    }
    free(list.item);
    struct equation objective = { .cell = mem_alloc((size_t)program->n_y, sizeof *objective.cell) };
    for (int k = 0; k < program->n_y; k++)
        if (fabs(program->objective[k]) > 0)
            objective.cell[objective.n++] = (struct cell){ k, program->objective[k] };
    sys->equation = mem_grow(sys->equation, sys->n_equation, 1, sizeof *sys->equation);
    sys->equation[sys->n_equation] = objective;
}

/* --- Elimination of the free numbers ------------------------------------------------------------------------- */

static double value_at(const struct equation *eq, int col)
{
    int lo = 0, hi = eq->n;
    while (lo < hi) {
        const int middle = (lo + hi) / 2;
        if (eq->cell[middle].col < col)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < eq->n && eq->cell[lo].col == col ? eq->cell[lo].val : 0;
}

/* eq -= factor * pivot; column `gone` vanishes, and so does what is rounding. */
static void subtract(struct equation *eq, double factor, const struct equation *pivot, int gone)
{
    struct cell *cell = mem_alloc((size_t)(eq->n + pivot->n), sizeof *cell);
    int n = 0, a = 0, b = 0;
    while (a < eq->n || b < pivot->n) {
        const int col_a = a < eq->n ? eq->cell[a].col : INT32_MAX, col_b = b < pivot->n ? pivot->cell[b].col : INT32_MAX;
        const int col = col_a < col_b ? col_a : col_b;
        const double was = col_a == col ? eq->cell[a].val : 0, change = col_b == col ? factor * pivot->cell[b].val : 0;
        if (col != gone && fabs(was - change) > GONE * fmax(fabs(was), fabs(change)))
            cell[n++] = (struct cell){ col, was - change };
        a += col_a == col;
        b += col_b == col;
    }
    free(eq->cell);
    eq->cell = mem_resize(cell, (size_t)n, sizeof *cell);
    eq->n = n;
    eq->rhs -= factor * pivot->rhs;
}

/* The number is 0: what others make up for has coefficients that are rounding. */
static void drop(struct equation *eq, int col)
{
    int n = 0;
    for (int c = 0; c < eq->n; c++)
        if (eq->cell[c].col != col)
            eq->cell[n++] = eq->cell[c];
    eq->n = n;
}

/* The shortest equation of those whose coefficient is large enough; -1: the number is in none, but for rounding. */
static int choose_pivot(const struct system *sys, int col)
{
    double largest = 0;
    int best = -1;
    for (int r = 0; r < sys->n_equation; r++)
        if (!sys->equation[r].is_spent)
            largest = fmax(largest, fabs(value_at(&sys->equation[r], col)));
    for (int r = 0; r < sys->n_equation && largest > LEFT; r++)
        if (!sys->equation[r].is_spent && fabs(value_at(&sys->equation[r], col)) >= PIVOT * largest
            && (best < 0 || sys->equation[r].n < sys->equation[best].n))
            best = r;
    return best;
}

/* Coefficients of f_l are in one identity only and go first; the last pivots are those of y. */
static void eliminate(struct system *sys)
{
    sys->pivot = arena_alloc(&sys->mem, (size_t)sys->n_free, sizeof *sys->pivot);
    for (int col = sys->n_free - 1; col >= 0 && !stop_asked(); col--) {
        const int r = sys->pivot[col] = choose_pivot(sys, col);
        for (int other = 0; other < sys->n_equation && r < 0; other++)
            drop(&sys->equation[other], col);
        if (r < 0)
            continue;
        sys->equation[r].is_spent = true;
        const double pivot = value_at(&sys->equation[r], col);
        for (int other = 0; other <= sys->n_equation; other++) {
            struct equation *eq = &sys->equation[other];
            const double val = eq->is_spent ? 0 : value_at(eq, col);
            if (fabs(val) > 0)
                subtract(eq, val / pivot, &sys->equation[r], col);
        }
    }
}

/* --- The semidefinite program -------------------------------------------------------------------------------- */

struct sdp { struct lmi_program program; struct lmi_entry *entry; double *b; };

static void put_entry(struct sdp *sdp, const struct system *sys, int k, const struct cell *cell, double scale)
{
    const struct gram_entry *at = &sys->entry[cell->col - sys->n_free];
    sdp->entry = mem_grow(sdp->entry, sdp->program.n_entry, 1, sizeof *sdp->entry);
    sdp->entry[sdp->program.n_entry++]
        = (struct lmi_entry){ k, at->block, at->i, at->j, scale * cell->val * (at->i == at->j ? 1 : 0.5) };
}

static double largest_of(const struct equation *eq)
{
    double largest = 0;
    for (int c = 0; c < eq->n; c++)
        largest = fmax(largest, fabs(eq->cell[c].val));
    return largest;
}

/* What is left of the equations, and of the objective. False: one of them says 0 = 1, or
 * a free number is unbounded. */
static bool write_program(const struct system *sys, struct sdp *sdp, int *code)
{
    const struct equation *objective = &sys->equation[sys->n_equation];
    sdp->program.n_block = sys->n_block;
    sdp->program.size = sys->size;
    for (int r = 0; r < sys->n_equation; r++) {
        const struct equation *eq = &sys->equation[r];
        const double largest = largest_of(eq);
        if (eq->is_spent)
            continue;
        if (!(largest > GONE)) {
            *code = fabs(eq->rhs) > 1e-12 ? -1 : *code;
            continue;
        }
        for (int c = 0; c < eq->n; c++)
            put_entry(sdp, sys, sdp->program.n_y, &eq->cell[c], 1 / largest);
        sdp->b = mem_grow(sdp->b, sdp->program.n_y, 1, sizeof *sdp->b);
        sdp->b[sdp->program.n_y++] = eq->rhs / largest;
    }
    for (int c = 0; c < objective->n; c++)
        if (objective->cell[c].col < sys->n_free)
            *code = fabs(objective->cell[c].val) > LEFT ? -2 : *code;
        else
            put_entry(sdp, sys, -1, &objective->cell[c], -1);
    sdp->program.entry = sdp->entry;
    sdp->program.b = sdp->b;
    return *code == 0;
}

/* --- Reading the solution ------------------------------------------------------------------------------------ */

/* Numbers whose pivot came last have equations of Gram entries alone, so that they are found first. */
static void free_numbers(const struct system *sys, const double *gram, double *number)
{
    for (int col = 0; col < sys->n_free; col++) {
        const struct equation *eq = sys->pivot[col] >= 0 ? &sys->equation[sys->pivot[col]] : NULL;
        double sum = eq ? eq->rhs : 0;
        number[col] = 0;
        for (int c = 0; eq && c < eq->n; c++) {
            const int other = eq->cell[c].col;
            if (other != col)
                sum -= eq->cell[c].val * (other < sys->n_free ? number[other] : gram[other - sys->n_free]);
        }
        if (eq)
            number[col] = sum / value_at(eq, col);
    }
}

static void take_answer(struct arena *mem, const struct sos_program *program, const struct system *sys,
                        const double *X, struct sos_answer *out)
{
    double *gram = mem_alloc((size_t)sys->n_gram, sizeof *gram),
           *number = mem_alloc((size_t)sys->n_free, sizeof *number);
    const double *block = X;
    for (int b = 0, entry = 0; b < sys->n_block; b++) {
        for (; entry < sys->n_gram && sys->entry[entry].block == b; entry++)
            gram[entry] = block[sys->entry[entry].i + sys->size[b] * sys->entry[entry].j];
        block += sys->size[b] * sys->size[b];
    }
    free_numbers(sys, gram, number);
    const double *next = number + program->n_y;
    out->y = arena_copy(mem, number, (size_t)program->n_y, sizeof *number);
    out->weights = arena_alloc(mem, (size_t)program->n_identity, sizeof *out->weights);
    for (int i = 0; i < program->n_identity; i++) {
        const struct sos_identity *identity = &program->identity[i];
        struct sos_weights *w = &out->weights[i];
        w->gram = arena_alloc(mem, (size_t)identity->n_gram, sizeof *w->gram);
        w->free = arena_alloc(mem, (size_t)identity->n_free, sizeof *w->free);
        for (int j = 0; j < identity->n_gram; j++) {
            const size_t n = (size_t)identity->gram[j].n * (size_t)identity->gram[j].n;
            w->gram[j] = arena_copy(mem, X, n, sizeof *X);
            X += n;
        }
        for (int l = 0; l < identity->n_free; l++) {
            w->free[l] = arena_copy(mem, next, (size_t)identity->free[l].n, sizeof *next);
            next += identity->free[l].n;
        }
    }
    free(gram);
    free(number);
}

static void free_equations(struct system *sys)
{
    for (int k = 0; k <= sys->n_equation; k++)
        free(sys->equation[k].cell);
    free(sys->equation);
}

bool sos_solve(struct arena *mem, const struct sos_program *program, struct sos_answer *out)
{
    struct system sys = { 0 };
    struct sdp sdp = { .entry = NULL };
    *out = (struct sos_answer){ 0 };
    write_equations(&sys, program);
    eliminate(&sys);
    bool solved = !stop_asked() && write_program(&sys, &sdp, &out->code);
    out->n_equation = sdp.program.n_y;
    if (solved) {
        size_t n = 0;
        for (int b = 0; b < sys.n_block; b++)
            n += (size_t)sys.size[b] * (size_t)sys.size[b];
        double *y = mem_alloc((size_t)sdp.program.n_y, sizeof *y), *X = mem_alloc(n, sizeof *X);
        out->code = lmi_solve(&sdp.program, y, X);
        solved = out->code == 0 || out->code == 3;
        if (solved || out->code >= CSDP_STUCK)
            take_answer(mem, program, &sys, X, out);
        free(y);
        free(X);
    }
    free(sdp.entry);
    free(sdp.b);
    free_equations(&sys);
    arena_free(&sys.mem);
    return solved;
}
