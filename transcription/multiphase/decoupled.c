#include "transcription/multiphase/decoupled.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct group { int n, m, ld, b; size_t A; };    /* columns, rows, the larger of both; where its b and A begin */

struct decoupled {
    int n, m, n_entry, n_group;
    int *member_of;                 /* [n + m] group of each column, then of each row */
    int *place;                     /* [n + m] which column, which row of its group */
    struct group *group;            /* [n_group] */
    size_t *at;                     /* [n_entry] place in A */
    double *A, *b;
    size_t A_size;
    int *pivot;                     /* [n] */
    double *work;                   /* [n_work], of LAPACK for the largest group that there may be */
    int n_work;
};

/* Asked for once: it takes as long as to solve a group of few unknowns. */
static void allocate_work(struct decoupled *de, int n_max, int m_max)
{
    const int ld = n_max > m_max ? n_max : m_max;
    double size = 1, none = 0;
    int pivot = 0, rank = 0;
    if (n_max > 0 && m_max > 0)
        (void)LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m_max, n_max, 1, &none, ld, &none, ld, &pivot, SINGULAR, &rank,
                                  &size, -1);
    de->n_work = (int)size;
    de->work = mem_alloc((size_t)de->n_work, sizeof(double));
}

struct decoupled *decoupled_create(int n_max, int m_max, int n_entry_max)
{
    const size_t both = (size_t)n_max + (size_t)m_max;
    struct decoupled *de = mem_alloc(1, sizeof *de);
    *de = (struct decoupled){ 0 };
    de->member_of = mem_alloc(both, sizeof(int));
    de->place = mem_alloc(both, sizeof(int));
    de->group = mem_alloc(both, sizeof *de->group);
    de->at = mem_alloc((size_t)n_entry_max, sizeof *de->at);
    de->b = mem_alloc(both, sizeof(double));
    de->pivot = mem_alloc((size_t)n_max, sizeof(int));
    allocate_work(de, n_max, m_max);
    return de;
}

void decoupled_free(struct decoupled *de)
{
    if (!de)
        return;
    free(de->member_of);
    free(de->place);
    free(de->group);
    free(de->at);
    free(de->A);
    free(de->b);
    free(de->pivot);
    free(de->work);
    free(de);
}

/* --- Groups -------------------------------------------------------------------------------------------------- */

/* The first member of k's group, where each one points to an earlier one or to itself. */
static int first_member(int *earlier, int k)
{
    while (earlier[k] != k)
        k = earlier[k] = earlier[earlier[k]];
    return k;
}

static void join(int *earlier, int a, int b)
{
    a = first_member(earlier, a);
    b = first_member(earlier, b);
    earlier[a > b ? a : b] = a < b ? a : b;
}

/* Numbers the groups in the order of their first members; each knows its columns and rows
 * in the order of the matrix. */
static void number_groups(struct decoupled *de)
{
    de->n_group = 0;
    for (int k = 0; k < de->n + de->m; k++) {
        const int first = first_member(de->member_of, k);
        const bool is_new = first == k;
        if (is_new)
            de->group[de->n_group] = (struct group){ 0 };
        de->place[k] = is_new ? de->n_group++ : de->place[first];
    }
    for (int k = 0; k < de->n + de->m; k++) {
        struct group *group = &de->group[de->place[k]];
        de->member_of[k] = de->place[k];
        de->place[k] = k < de->n ? group->n++ : group->m++;
    }
}

static void lay_out(struct decoupled *de)
{
    size_t A = 0;
    int b = 0;
    for (int g = 0; g < de->n_group; g++) {
        struct group *group = &de->group[g];
        group->ld = group->m > group->n ? group->m : group->n;
        group->A = A;
        group->b = b;
        A += (size_t)group->ld * (size_t)group->n;
        b += group->ld;
    }
    if (A > de->A_size) {
        free(de->A);
        de->A = mem_alloc(A, sizeof(double));
    }
    de->A_size = A > de->A_size ? A : de->A_size;
}

void decoupled_set(struct decoupled *de, int n, int m, int n_entry, const int *row, const int *column)
{
    de->n = n;
    de->m = m;
    de->n_entry = n_entry;
    for (int k = 0; k < n + m; k++)
        de->member_of[k] = k;
    for (int k = 0; k < n_entry; k++)
        join(de->member_of, column[k], n + row[k]);
    number_groups(de);
    lay_out(de);
    for (int k = 0; k < n_entry; k++) {
        const struct group *group = &de->group[de->member_of[column[k]]];
        de->at[k] = group->A + (size_t)(de->place[n + row[k]] + de->place[column[k]] * group->ld);
    }
}

int decoupled_n_groups(const struct decoupled *de)
{
    return de->n_group;
}

/* --- Solving ------------------------------------------------------------------------------------------------- */

static bool has_nan(int n, const double *a)
{
    for (int k = 0; k < n; k++)
        if (isnan(a[k]))
            return true;
    return false;
}

static bool solve_group(struct decoupled *de, const struct group *group)
{
    double *A = de->A + group->A, *b = de->b + group->b;
    int rank = 0;
    if (group->n == 0 || group->m == 0)
        return true;
    if (has_nan(group->ld * group->n, A) || has_nan(group->ld, b))
        return false;
    memset(de->pivot, 0, (size_t)group->n * sizeof *de->pivot);
    return LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, group->m, group->n, 1, A, group->ld, b, group->ld, de->pivot,
                               SINGULAR, &rank, de->work, de->n_work)
           == 0;
}

bool decoupled_solve(struct decoupled *de, const double *value, const double *b, double *x)
{
    bool solved = true;
    memset(de->A, 0, de->A_size * sizeof *de->A);
    memset(de->b, 0, (size_t)(de->n + de->m) * sizeof *de->b);
    for (int k = 0; k < de->n_entry; k++)
        de->A[de->at[k]] = value[k];
    for (int i = 0; i < de->m; i++)
        de->b[de->group[de->member_of[de->n + i]].b + de->place[de->n + i]] = b[i];
    for (int g = 0; g < de->n_group; g++)
        solved = solve_group(de, &de->group[g]) && solved;
    for (int j = 0; j < de->n; j++)
        x[j] = de->b[de->group[de->member_of[j]].b + de->place[j]];
    return solved;
}
