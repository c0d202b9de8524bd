#include "transcription/sequence/couple.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/base/vec.h"
#include "transcription/sequence/rank.h"
#include "transcription/sequence/recipe.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUPLED 1e-9                /* entry of J M^-1 J' that counts */
#define SINGULAR 1e-10

struct couple {
    const struct phase_system *sys;
    int n, n_c;
    double *J;                      /* [CONTACT_ROWS n_c * n] rows: normal and tangents of each contact */
    double *MJ;                     /* [CONTACT_ROWS n_c * n] M^-1 J', row by row */
    double *c;                      /* [n_switch * n] gradients of switching functions by v */
};

static double *row_of(double *matrix, const struct couple *couple, int c, int k)
{
    return matrix + (size_t)(CONTACT_ROWS * c + k) * (size_t)couple->n;
}

/* Gradient of e by v, taken from the one by y. */
static void read_row(const struct couple *couple, struct rank *rank, const double *y, expr e, double *row)
{
    const double *grad = rank_gradient(rank, couple->sys, e, y);
    for (int i = 0; i < couple->n; i++)
        row[i] = grad[couple->sys->model->mechanics.v_index[i]];
}

static void read_mass(const struct phase_system *sys, const double *y, double *M)
{
    const struct model *model = sys->model;
    const int n = sys->n_y + model->n_p;
    expr *sym = mem_alloc((size_t)n, sizeof *sym);
    double *val = mem_alloc((size_t)n, sizeof *val);
    for (int i = 0; i < sys->n_y; i++) {
        sym[i] = sys->slot[sys->y + i];
        val[i] = y[i];
    }
    for (int k = 0; k < model->n_p; k++)
        sym[sys->n_y + k] = model->p_sym[k];
    model_p_guess(model, val + sys->n_y);
    for (int i = 0; i < sys->n_a * sys->n_a; i++)
        M[i] = expr_eval(sys->g, model->mechanics.M[i], n, sym, val);
    free(sym);
    free(val);
}

struct couple *couple_create(const struct phase_system *sys, const double *y)
{
    struct couple *couple = mem_alloc(1, sizeof *couple);
    couple->sys = sys;
    couple->n = sys->n_a;
    couple->n_c = sys->n_contact;
    const size_t size = (size_t)(CONTACT_ROWS * couple->n_c * couple->n);
    couple->J = mem_alloc(size, sizeof(double));
    couple->MJ = mem_alloc(size, sizeof(double));
    double *M = mem_alloc((size_t)(couple->n * couple->n), sizeof *M);
    struct rank *rank = rank_create(sys->n_y);
    for (int c = 0; c < couple->n_c; c++) {
        const struct model_contact *contact = sys->contact[c].model;
        read_row(couple, rank, y, contact->v_n, row_of(couple->J, couple, c, 0));
        for (int k = 0; k < sys->contact[c].n_t; k++)
            read_row(couple, rank, y, contact->v_t[k], row_of(couple->J, couple, c, 1 + k));
    }
    couple->c = mem_alloc((size_t)(sys->n_switch * couple->n), sizeof(double));
    for (int l = 0; l < sys->n_switch - sys->n_pair; l++)
        read_row(couple, rank, y, sys->sw[l].sw->c, couple->c + (size_t)l * (size_t)couple->n);
    memcpy(couple->MJ, couple->J, size * sizeof(double));
    read_mass(sys, y, M);
    if (couple->n_c > 0)
        (void)LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', couple->n, CONTACT_ROWS * couple->n_c, M, couple->n, couple->MJ,
                            couple->n);
    rank_free(rank);
    free(M);
    return couple;
}

void couple_free(struct couple *couple)
{
    if (!couple)
        return;
    free(couple->J);
    free(couple->MJ);
    free(couple->c);
    free(couple);
}

/* Directions of the impulse of a contact: normal, and tangential where there is friction in it. */
static int n_directions(const struct couple *couple, const unsigned char *hit, int c)
{
    return hit[c] == PHASE_OPEN ? 0 : hit[c] == PHASE_CLOSED ? 1 : 1 + couple->sys->contact[c].n_t;
}

static bool reaches(const struct couple *couple, const unsigned char *hit, const double *row)
{
    for (int d = 0; d < couple->n_c; d++)
        for (int q = 0; q < n_directions(couple, hit, d); q++)
            if (fabs(vec_dot(couple->n, row, couple->MJ + (size_t)(CONTACT_ROWS * d + q) * (size_t)couple->n))
                > COUPLED)
                return true;
    return false;
}

bool couple_reaches(const struct couple *couple, const unsigned char *hit, int c)
{
    for (int k = 0; k <= couple->sys->contact[c].n_t; k++)
        if (reaches(couple, hit, row_of(couple->J, couple, c, k)))
            return true;
    return false;
}

bool couple_reaches_switch(const struct couple *couple, const unsigned char *hit, int l)
{
    return reaches(couple, hit, couple->c + (size_t)l * (size_t)couple->n);
}

void couple_add_closed(const struct couple *couple, const unsigned char *before, const unsigned char *after,
                       unsigned char *hit)
{
    for (bool more = true; more;) {
        more = false;
        for (int c = 0; c < couple->n_c; c++) {
            if (hit[c] != PHASE_OPEN || before[c] == PHASE_OPEN || after[c] == PHASE_OPEN 
                || !reaches(couple, hit, row_of(couple->J, couple, c, 0)))
                continue;
            hit[c] = after[c];
            more = true;
        }
    }
}

double couple_normal(const struct couple *couple, int c, const double *v)
{
    return vec_dot(couple->n, couple->J + (size_t)(CONTACT_ROWS * c) * (size_t)couple->n, v);
}

double couple_slip(const struct couple *couple, int c, int k, const double *v)
{
    return vec_dot(couple->n, couple->J + (size_t)(CONTACT_ROWS * c + 1 + k) * (size_t)couple->n, v);
}

void couple_velocity_after(const struct couple *couple, const unsigned char *before, const unsigned char *hit,
                           const double *v_minus, double *v_plus)
{
    const int n = couple->n, most = CONTACT_ROWS * couple->n_c;
    double *A = mem_alloc((size_t)(most * most), sizeof *A), *b = mem_alloc((size_t)most, sizeof *b);
    int *row = mem_alloc((size_t)most, sizeof *row), *pivot = mem_alloc((size_t)most, sizeof *pivot), m = 0,
        rank = 0;
    for (int c = 0; c < couple->n_c; c++)
        for (int k = 0; k < (hit[c] == PHASE_OPEN ? 0 : hit[c] == PHASE_STICK ? 1 + couple->sys->contact[c].n_t : 1); k++) {
            const double e = k == 0 && before[c] == PHASE_OPEN ? couple->sys->contact[c].model->e : 0;
            row[m] = CONTACT_ROWS * c + k;
            b[m++] = -(1 + e) * vec_dot(n, couple->J + (size_t)(CONTACT_ROWS * c + k) * (size_t)n, v_minus);
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            A[i + j * m] =
                vec_dot(n, couple->J + (size_t)row[i] * (size_t)n, couple->MJ + (size_t)row[j] * (size_t)n);
    memcpy(v_plus, v_minus, (size_t)n * sizeof *v_plus);
    if (m > 0 && LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, m, 1, A, m, b, m, pivot, SINGULAR, &rank) == 0)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++)
                v_plus[i] += b[j] * couple->MJ[(size_t)row[j] * (size_t)n + (size_t)i];
    free(A);
    free(b);
    free(row);
    free(pivot);
}

/* Tried with a velocity of no special direction that what is closed or sticks before admits. */
bool couple_drags(const struct couple *couple, const unsigned char *before, const unsigned char *hit, int c)
{
    const size_t n = (size_t)couple->n;
    double *v = mem_alloc(3 * n, sizeof *v), *v_minus = v + n, *v_plus = v_minus + n, most = 0;
    uint64_t counter = random_mix(1);
    for (size_t i = 0; i < n; i++)
        v[i] = random_signed(random_next(&counter));
    couple_velocity_after(couple, before, before, v, v_minus);
    couple_velocity_after(couple, before, hit, v_minus, v_plus);
    for (int k = 0; k < couple->sys->contact[c].n_t; k++)
        most = fmax(most, fabs(couple_slip(couple, c, k, v_plus)));
    free(v);
    return most > COUPLED;
}
