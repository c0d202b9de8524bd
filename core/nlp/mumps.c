#include "core/nlp/mumps.h"

#include "core/base/mem.h"

#include <dmumps_c.h>

#include <stdlib.h>

enum {
    START = -1,
    STOP = -2,
    ANALYSE = 1,
    FACTORIZE = 2,
    SOLVE = 3,
    WORLD = -987654,                /* MUMPS's word for the world communicator */
    GENERAL_SYMMETRIC = 2,
    MORE_ROOM = 1000                /* percent over the estimate, as IPOPT gives it */
};

struct mumps {
    DMUMPS_STRUC_C state;
    double *val;                    /* MUMPS takes no const */
};

static bool run(struct mumps *mumps, int job)
{
    mumps->state.job = job;
    dmumps_c(&mumps->state);
    return mumps->state.infog[0] >= 0;
}

/* ICNTL and CNTL as they are numbered in MUMPS's manual, from 1. */
static void set(struct mumps *mumps, int key, int value)
{
    mumps->state.icntl[key - 1] = value;
}

struct mumps *mumps_create(int n, int n_entry, const int *row, const int *col, int order)
{
    struct mumps *mumps = mem_alloc(1, sizeof *mumps);
    DMUMPS_STRUC_C *state = &mumps->state;
    mumps->val = mem_alloc((size_t)n_entry, sizeof *mumps->val);
    state->par = 1;
    state->sym = GENERAL_SYMMETRIC;
    state->comm_fortran = WORLD;
    run(mumps, START);
    state->n = n;
    state->nz = n_entry;
    state->irn = (int *)row;
    state->jcn = (int *)col;
    state->a = mumps->val;
    for (int key = 1; key <= 4; key++)
        set(mumps, key, 0);         /* silence */
    set(mumps, 6, 0);               /* no permutation to the diagonal: it delays pivots */
    set(mumps, 7, order);
    set(mumps, 8, 77);              /* scaling chosen by MUMPS */
    set(mumps, 10, 0);              /* no refinement: that is done outside */
    set(mumps, 13, 1);              /* the root as the others, so that its inertia is counted */
    set(mumps, 14, MORE_ROOM);
    run(mumps, ANALYSE);
    return mumps;
}

bool mumps_factorize(struct mumps *mumps, const double *val, double threshold, int *n_negative)
{
    for (int k = 0; k < mumps->state.nz; k++)
        mumps->val[k] = val[k];
    mumps->state.cntl[0] = threshold;
    const bool ok = run(mumps, FACTORIZE);
    *n_negative = mumps->state.infog[11];
    return ok;
}

bool mumps_solve(struct mumps *mumps, double *b)
{
    mumps->state.rhs = b;
    return run(mumps, SOLVE);
}

void mumps_free(struct mumps *mumps)
{
    if (!mumps)
        return;
    run(mumps, STOP);
    free(mumps->val);
    free(mumps);
}

const char *mumps_version(void)
{
    return MUMPS_VERSION;
}
