/* transcription/finish/pool.h - what a search for sequences has come to: candidates, and what was tried
 *
 * An empty one is all zeros. Several searches may share one; each remembers under its own key. Programs in it are
 * its own: what is kept or passed is taken over, what is taken is the caller's.
 */
#ifndef COCP_TRANSCRIPTION_FINISH_POOL_H
#define COCP_TRANSCRIPTION_FINISH_POOL_H

#include "transcription/finish/finish.h"

/* As what a sequence is remembered. */
enum pool_key {
    POOL_SEQUENCE,                  /* its program was run */
    POOL_STRETCHED,                 /* its program was run from a motion that was stretched to its events */
    POOL_ORDER,                     /* its program was run with intervals of free lengths: wherever its events are */
    POOL_UNDECIDED,                 /* its friction in space was decided: what sticks and slips in it is left open */
    POOL_FAILED,                    /* a start has led to it, and it has no solution */
    POOL_DESCENT,                   /* its program was run from a motion from which it descends */
    POOL_DRAWN,                     /* stances and flights in turn that were drawn, as long as these are compared */
    N_POOL_KEYS
};

enum { POOL_PASSED = 4 };

struct pool {
    int n;
    struct finish *found;           /* [n] candidates with their programs, the best first, without a solution last */
    int n_passed;
    struct finish passed[POOL_PASSED];          /* [n_passed] solutions that a search left, or did not go on to: the
                                                 * best of them, the best first */
    /* What is known of the best: */
    int n_repeated;                 /* starts with its sequence again */
    bool expected;                  /* it is of time steps, and costs about what they promised */
    bool by_chance;                 /* a sequence slid on a switch by chance (sliding.c): another opinion is wanted */
    bool clear;                     /* one opinion is enough: few things happen in it, and steps knew its price */
    struct pool_memory { int n; struct sequence **seq; } tried[N_POOL_KEYS];
};

void pool_free(struct pool *pool);

/* --- Candidates ---------------------------------------------------------------------------------------------- */

/* Takes over one more, in its place. */
void pool_keep(struct pool *pool, const struct finish *one);

/* Takes number k out. */
struct finish pool_take(struct pool *pool, int k);
void pool_drop_first(struct pool *pool);
void pool_empty(struct pool *pool);

static inline bool pool_has_solution(const struct pool *pool)
{
    return pool->n && pool->found[0].solved;
}

/* One in which something happens? Where contacts stay open all the time, nothing may have told the solver that they
 * need not: a ball that is never hit. */
bool pool_has_motion(const struct pool *pool);

/* Is it a solution, and better than all of them? */
bool pool_is_best(const struct pool *pool, const struct finish *one);

/* Has the best objective been found by two starts? */
bool pool_is_confirmed(const struct pool *pool);

/* --- Solutions that were passed ------------------------------------------------------------------------------ */

/* Takes over what was not, or is no longer, the best; what is no solution, or none of the best few, goes. */
void pool_pass(struct pool *pool, struct finish *one);

/* The best of them, the caller's from then on; false: there is none left. */
bool pool_take_passed(struct pool *pool, struct finish *out);
void pool_drop_passed(struct pool *pool);

/* --- What was tried ------------------------------------------------------------------------------------------ */

/* Remembers a sequence; false if it was known. */
bool pool_is_new(struct pool *pool, enum pool_key key, const struct sequence *seq);

/* Is it known? Nothing is remembered. */
bool pool_knows(const struct pool *pool, enum pool_key key, const struct sequence *seq);

/* Is one with its modes in their order known, whatever its impacts and the places of its events? */
bool pool_knows_order(const struct pool *pool, enum pool_key key, const struct sequence *seq);

/* Forgets what is under that key: from another start a sequence that led nowhere may have a solution. */
void pool_forget(struct pool *pool, enum pool_key key);

#endif
