#include "core/contact/modes.h"

#include "core/base/mem.h"
#include "core/base/pi.h"
#include "core/contact/combine.h"
#include "core/contact/dense.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

/* An inequality holds down to this much rounding, relative to the terms it is the sum of. */
static const double row_tol = 1e-12;
/* Contact velocities that differ by less, relative to the largest one at the start of the step, are the same. */
static const double same_tol = 1e-9;
/* Reciprocal condition (equilibrated) below which a mode's matrix counts as singular. */
static const double singular_rcond = 1e-12;

enum { MAX_LOCAL = 3, MAX_INEQUALITIES = IMPACT_MAX_DIRECTIONS + 3,
       MAX_X = IMPACT_MAX_ROWS + IMPACT_MAX_CONTACTS };

/* One row of a contact's mode: a'lambda + b'u_plus + c lambda_max, over the rows of the contact. */
struct row { double a[MAX_LOCAL], b[MAX_LOCAL], c; };

/* What one contact does: as many equations (= 0) as it has rows, and inequalities (>= 0). */
struct contact_mode {
    struct row equation[MAX_LOCAL];
    int n_inequality;
    struct row inequality[MAX_INEQUALITIES];
};

enum normal { OPEN, CLOSING, EXHAUSTED };
enum friction { STICK, ALONG, BETWEEN };

struct impact_modes {
    struct arena mem;
    const struct impact_system *system;     /* borrowed */
    bool is_bounded;
    int n_x;                        /* n_row, plus n_contact if bounded */
    int n, n_test;
    int *tests_of;                  /* [n] inequalities of each mode; singular ones are left out */
    double *test;                   /* [n_test * n_x] inequalities of all modes, one after the other, by rows */
    double *noise_u, *noise_max;    /* [n_test] sums of the terms' sizes per unit of u and of lambda_max */
    double *lambda;                 /* [n * n_row * n_x] impulses of each mode, by rows */
};

/* --- Modes of one contact ------------------------------------------------------------------------------------ */

static int n_friction(const struct impact_contact *contact)
{
    if (contact->n_dir == 0)
        return 1;
    return 1 + contact->n_dir + (contact->n_t == 2 ? contact->n_dir : 0);
}

/* n_of [n_contact] modes of each contact. */
static void list_modes(const struct impact_system *system, bool is_bounded, int *n_of)
{
    for (int c = 0; c < system->n_contact; c++)
        n_of[c] = 1 + (is_bounded ? 2 : 1) * n_friction(&system->contact[c]);
}

double impact_modes_count(const struct impact_system *system, bool is_bounded)
{
    int n_of[IMPACT_MAX_CONTACTS];
    list_modes(system, is_bounded, n_of);
    return combine_count(system->n_contact, n_of);
}

static struct row *new_inequality(struct contact_mode *mode)
{
    struct row *row = &mode->inequality[mode->n_inequality++];
    *row = (struct row){ .c = 0 };
    return row;
}

static void set_open(const struct impact_contact *contact, struct contact_mode *mode)
{
    for (int i = 0; i <= contact->n_t; i++)
        mode->equation[i].a[i] = 1;
    new_inequality(mode)->b[0] = 1;
}

static void set_normal(const struct impact_contact *contact, enum normal normal, enum friction friction,
                       bool is_bounded, struct contact_mode *mode)
{
    if (normal == EXHAUSTED) {
        mode->equation[0].a[0] = 1;
        mode->equation[0].c = -1;
        new_inequality(mode)->b[0] = -1;
        return;
    }
    mode->equation[0].b[0] = 1;
    if (contact->n_dir == 0 || friction != STICK)       /* the cone of a sticking impulse says as much */
        new_inequality(mode)->a[0] = 1;
    if (is_bounded) {
        struct row *row = new_inequality(mode);
        row->a[0] = -1;
        row->c = 1;
    }
}

/* v_t' = 0 and lambda_t in mu lambda_n conv{d}: in 3D the middles between directions are the facets' normals. */
static void set_stick(const struct impact_contact *contact, struct contact_mode *mode)
{
    const double half = PI / contact->n_dir;
    for (int i = 1; i <= contact->n_t; i++)
        mode->equation[i].b[i] = 1;
    for (int k = 0; k < contact->n_dir; k++) {
        struct row *row = new_inequality(mode);
        if (contact->n_t == 1) {
            row->a[0] = contact->mu;
            row->a[1] = k == 0 ? 1 : -1;
        } else {
            row->a[0] = contact->mu * cos(half);
            row->a[1] = -cos(half * (2 * k + 1));
            row->a[2] = -sin(half * (2 * k + 1));
        }
    }
}

/* lambda_t = mu lambda_n d_k, where no other direction is more against the slip. */
static void set_along(const struct impact_contact *contact, int k, struct contact_mode *mode)
{
    const double *d = contact->d[k];
    for (int i = 0; i < contact->n_t; i++) {
        mode->equation[1 + i].a[0] = -contact->mu * d[i];
        mode->equation[1 + i].a[1 + i] = 1;
    }
    for (int side = 1; side <= contact->n_t; side++) {
        const int neighbour = side == 1 ? (k + 1) % contact->n_dir : (k + contact->n_dir - 1) % contact->n_dir;
        struct row *row = new_inequality(mode);
        for (int i = 0; i < contact->n_t; i++)
            row->b[1 + i] = contact->d[neighbour][i] - d[i];
    }
}

/* lambda_t = a d_k + b d_(k+1), a + b = mu lambda_n, where both are equally against the slip. */
static void set_between(const struct impact_contact *contact, int k, struct contact_mode *mode)
{
    const double *d = contact->d[k], *next = contact->d[(k + 1) % contact->n_dir];
    const double cosine = d[0] * next[0] + d[1] * next[1];
    struct row *facet = &mode->equation[1], *slip = &mode->equation[2];
    struct row *a_holds = new_inequality(mode), *b_holds = new_inequality(mode), *against = new_inequality(mode);
    facet->a[0] = -contact->mu * (1 + cosine);          /* (d_k + d_(k+1))'lambda_t = (1 + cosine)(a + b) */
    a_holds->a[0] = b_holds->a[0] = contact->mu;
    for (int i = 0; i < 2; i++) {
        const double across = (next[i] - d[i]) / (1 - cosine);      /* across'lambda_t = b - a */
        facet->a[1 + i] = d[i] + next[i];
        slip->b[1 + i] = next[i] - d[i];
        a_holds->a[1 + i] = -across;
        b_holds->a[1 + i] = across;
        against->b[1 + i] = -(d[i] + next[i]);
    }
}

/* Mode k of 0 .. n_of - 1. */
static void contact_mode(const struct impact_contact *contact, int k, bool is_bounded, struct contact_mode *mode)
{
    *mode = (struct contact_mode){ .n_inequality = 0 };
    if (k == 0) {
        set_open(contact, mode);
        return;
    }
    const enum normal normal = (k - 1) / n_friction(contact) == 0 ? CLOSING : EXHAUSTED;
    const int f = (k - 1) % n_friction(contact);
    const enum friction friction = f == 0 ? STICK : f <= contact->n_dir ? ALONG : BETWEEN;
    set_normal(contact, normal, friction, is_bounded, mode);
    if (contact->n_dir == 0)
        for (int i = 1; i <= contact->n_t; i++)
            mode->equation[i].a[i] = 1;
    else if (friction == STICK)
        set_stick(contact, mode);
    else if (friction == ALONG)
        set_along(contact, f - 1, mode);
    else
        set_between(contact, f - 1 - contact->n_dir, mode);
}

/* --- Combinations -------------------------------------------------------------------------------------------- */

/* Impulses of the combination as a linear function of x, out [n_row x n_x] by rows; false if it is singular. */
static bool solve_combination(const struct impact_modes *modes, const struct contact_mode *contact_modes,
                              double *out)
{
    const struct impact_system *system = modes->system;
    const int n = system->n_row, n_x = modes->n_x;
    double A[IMPACT_MAX_ROWS * IMPACT_MAX_ROWS], factor[IMPACT_MAX_ROWS * IMPACT_MAX_ROWS];
    double B[IMPACT_MAX_ROWS * MAX_X], X[IMPACT_MAX_ROWS * MAX_X];
    double row_scale[IMPACT_MAX_ROWS], col_scale[IMPACT_MAX_ROWS];
    double rcond, forward[MAX_X], backward[MAX_X], growth;
    lapack_int pivot[IMPACT_MAX_ROWS];
    char equilibrated = 'N';
    memset(A, 0, sizeof(double) * (size_t)(n * n));
    memset(B, 0, sizeof(double) * (size_t)(n * n_x));
    for (int c = 0; c < system->n_contact; c++) {
        const struct impact_contact *contact = &system->contact[c];
        for (int i = 0; i <= contact->n_t; i++) {
            const struct row *row = &contact_modes[c].equation[i];
            const int r = contact->row + i;
            for (int l = 0; l <= contact->n_t; l++) {
                A[r + (contact->row + l) * n] += row->a[l];
                for (int j = 0; j < n; j++)
                    A[r + j * n] += row->b[l] * system->G[contact->row + l + j * n];
                B[r + (contact->row + l) * n] -= row->b[l];
            }
            if (modes->is_bounded)
                B[r + (n + c) * n] -= row->c;
        }
    }
    const lapack_int info = LAPACKE_dgesvx(LAPACK_COL_MAJOR, 'E', 'N', n, n_x, A, n, factor, n, pivot,
                                           &equilibrated, row_scale, col_scale, B, n, X, n, &rcond, forward,
                                           backward, &growth);
    if (info != 0 || !(rcond > singular_rcond))
        return false;
    for (int r = 0; r < n; r++)
        for (int j = 0; j < n_x; j++)
            out[r * n_x + j] = X[r + j * n];
    return true;
}

/* One inequality as a function of x, its noise beside it. */
static void add_test(struct impact_modes *modes, const struct row *row, int c, const double *lambda)
{
    const struct impact_system *system = modes->system;
    const struct impact_contact *contact = &system->contact[c];
    const int n = system->n_row, n_x = modes->n_x, k = modes->n_test++;
    double *test = modes->test + k * n_x;
    for (int j = 0; j < n_x; j++) {
        double size = j == n + c ? fabs(row->c) : 0;
        test[j] = j == n + c ? row->c : 0;
        for (int l = 0; l <= contact->n_t; l++) {
            const int r = contact->row + l;
            const double start = r == j ? row->b[l] : 0;
            test[j] += row->a[l] * lambda[r * n_x + j] + start;
            size += fabs(row->a[l] * lambda[r * n_x + j]) + fabs(start);
            for (int i = 0; i < n; i++) {
                const double term = row->b[l] * system->G[r + i * n] * lambda[i * n_x + j];
                test[j] += term;
                size += fabs(term);
            }
        }
        (j < n ? modes->noise_u : modes->noise_max)[k] += row_tol * size;
    }
}

static void add_combination(struct impact_modes *modes, const int *pick)
{
    const struct impact_system *system = modes->system;
    struct contact_mode contact_modes[IMPACT_MAX_CONTACTS];
    double *lambda = modes->lambda + modes->n * system->n_row * modes->n_x;
    for (int c = 0; c < system->n_contact; c++)
        contact_mode(&system->contact[c], pick[c], modes->is_bounded, &contact_modes[c]);
    if (!solve_combination(modes, contact_modes, lambda))
        return;
    const int before = modes->n_test;
    for (int c = 0; c < system->n_contact; c++)
        for (int k = 0; k < contact_modes[c].n_inequality; k++)
            add_test(modes, &contact_modes[c].inequality[k], c, lambda);
    modes->tests_of[modes->n++] = modes->n_test - before;
}

struct impact_modes *impact_modes_create(const struct impact_system *system, bool is_bounded)
{
    struct impact_modes *modes = mem_alloc(1, sizeof *modes);
    const size_t n = (size_t)impact_modes_count(system, is_bounded);
    int pick[IMPACT_MAX_CONTACTS] = { 0 }, n_of[IMPACT_MAX_CONTACTS] = { 0 }, most = 0;
    list_modes(system, is_bounded, n_of);
    modes->system = system;
    modes->is_bounded = is_bounded;
    modes->n_x = system->n_row + (is_bounded ? system->n_contact : 0);
    for (int k = 0; k < system->n_contact; k++)
        most += 2 + (system->contact[k].n_dir > 3 ? system->contact[k].n_dir : 3);
    const size_t n_x = (size_t)modes->n_x, n_test = n * (size_t)most;
    modes->tests_of = arena_alloc(&modes->mem, n, sizeof *modes->tests_of);
    modes->lambda = arena_alloc(&modes->mem, n * (size_t)system->n_row * n_x, sizeof *modes->lambda);
    modes->test = arena_alloc(&modes->mem, n_test * n_x, sizeof *modes->test);
    modes->noise_u = arena_alloc(&modes->mem, n_test, sizeof *modes->noise_u);
    modes->noise_max = arena_alloc(&modes->mem, n_test, sizeof *modes->noise_max);
    do
        add_combination(modes, pick);
    while (combine_next(system->n_contact, n_of, pick));
    return modes;
}

void impact_modes_free(struct impact_modes *modes)
{
    if (!modes)
        return;
    arena_free(&modes->mem);
    free(modes);
}

/* --- A step -------------------------------------------------------------------------------------------------- */

/* Adds the solution of mode k at x if its u_plus is new. */
static void add_solution(const struct impact_modes *modes, int k, const double *x, double same,
                         struct impact_solutions *found)
{
    const int n = modes->system->n_row;
    if (found->n == IMPACT_MAX_SOLUTIONS)
        return;
    double *lambda = found->lambda[found->n], *u_plus = found->u_plus[found->n];
    for (int r = 0; r < n; r++)
        lambda[r] = vec_dot(modes->n_x, modes->lambda + (k * n + r) * modes->n_x, x);
    for (int r = 0; r < n; r++)
        u_plus[r] = x[r] + vec_dot(n, modes->system->G + r * n, lambda);
    for (int s = 0; s < found->n; s++) {
        int r = 0;
        while (r < n && fabs(found->u_plus[s][r] - u_plus[r]) <= same)
            r++;
        if (r == n)
            return;
    }
    found->n++;
}

void impact_modes_solve(const struct impact_modes *modes, const double *u, const double *lambda_max,
                        struct impact_solutions *found)
{
    const int n = modes->system->n_row, n_x = modes->n_x;
    double x[MAX_X];
    memcpy(x, u, (size_t)n * sizeof *x);
    if (modes->is_bounded)
        memcpy(x + n, lambda_max, (size_t)(n_x - n) * sizeof *x);
    const double size_u = dense_largest(n, x), size_max = dense_largest(n_x - n, x + n);
    found->n = 0;
    for (int k = 0, first = 0; k < modes->n; first += modes->tests_of[k++]) {
        const int end = first + modes->tests_of[k];
        int r = first;
        while (r < end && vec_dot(n_x, modes->test + r * n_x, x) >= -(modes->noise_u[r] * size_u
                                                                  + modes->noise_max[r] * size_max))
            r++;
        if (r == end)
            add_solution(modes, k, x, same_tol * size_u, found);
    }
}
