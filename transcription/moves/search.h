/* transcription/moves/search.h - from one sequence to better ones
 *
 * search_repair goes on from a program without a solution to the neighbour that violates least, until one is
 * solved; search_improve from a solution to the first neighbour that is better, until none is (phases.md "Moves").
 * Both remember what was tried, and stop after max_tries, or when their patience is over.
 */
#ifndef COCP_TRANSCRIPTION_MOVES_SEARCH_H
#define COCP_TRANSCRIPTION_MOVES_SEARCH_H

#include "transcription/finish/pool.h"
#include "transcription/moves/neighbours.h"

struct search {
    struct finish_task task;
    struct pool *pool;              /* gets what it passes, and remembers what was tried; others may, too */
    int max_tries;
    int max_iter;                   /* of one try */
    double patience;                /* work (nlp.h: entries) of a repair, or of an improvement since the last
                                     * neighbour that was better, after which no more are tried; INFINITY: what it
                                     * takes */
    bool shifts;                    /* are all events moved, too (FOR_SHIFT)? */
    /* Called after each try; may be NULL. */
    void (*note)(void *user, const char *what, const struct finish *tried);
    void *user;
    /* what came of it */
    int tries, moves;               /* tries are those of all calls */
    double since;                   /* work of the task when patience began */
    bool impatient;                 /* the last call ended as its patience was over */
    bool exhausted;                 /* no neighbour is better: not stopped by max_tries or time */
};

void search_init(struct search *search, const struct finish_task *task, struct pool *pool);

/* A program of the search's task that was stopped at its last iteration next to a solution goes on from there. */
enum status search_go_on(const struct search *search, struct finish *one, struct diag *diag);

/* Replaces *best, which the caller owns. */
enum status search_repair(struct search *search, struct finish *best, struct diag *diag);
enum status search_improve(struct search *search, struct finish *best, struct diag *diag);

#endif
