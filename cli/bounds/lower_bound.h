/* cli/bounds/lower_bound.h - solve --bound: how far what is found is from the global optimum; that may end the
 * search
 *
 *   in the search    once there is a solution, one degree after the other, as long as all of them together take no
 *                    more time than the search has. It is over all motions: boxes are those of the spec and of
 *                    rates. Where none are proved it waits for the end
 *   at the end       more degrees, until the gap is reached or the time is over; where boxes are missing, those
 *                    around the motion that was found
 *   after a failure  is there any motion at all?
 */
#ifndef COCP_CLI_BOUNDS_LOWER_BOUND_H
#define COCP_CLI_BOUNDS_LOWER_BOUND_H

#include "cli/problem.h"
#include "core/bound/search.h"
#include "core/results/results.h"

#define BOUND_SHARE 0.25            /* of --max-time and --max-cpu: what a search leaves for it, and for replays */

struct lower_bound {
    const struct cli_args *args;
    const struct model *model;
    double gap;                     /* that is near enough */
    double start, start_cpu;        /* of the solve: by clock_seconds; s of the CPU */
    double spent;                   /* s of the CPU, on it */
    double target;                  /* the cost that `found` was compared with at first; NAN: none */
    int next_degree;
    double last_seconds;            /* s of the CPU, that the last one took */
    bool is_cut;                    /* its time was over before it came to anything */
    bool early_is_over;             /* no more degrees in the search */
    int n_idle;                     /* degrees in a row that added nothing */
    bool ended_search;
    bool is_settled;                /* the rest is there: */
    double cost;                    /* of the motion; NAN: none */
    struct bound_found found;       /* the best */
    int n_attempt;
    struct bound_attempt attempt[2 * BOUND_MOST_ATTEMPTS];
    const char *words, *about;      /* what is proved, of which problem */
    const char *none;               /* why nothing is; NULL: it is */
    struct arena mem;
};

/* lower_bound_free afterwards. */
void lower_bound_init(struct lower_bound *bound, const struct cli_args *args, const struct problem *problem);
void lower_bound_free(struct lower_bound *bound);

/* Is a motion of that cost proved to be near the global optimum? user: a struct lower_bound; solve_task's. */
bool lower_bound_is_near(void *user, double cost);

/* Of a solve that has failed: the proof that it cannot be done, in words; NULL: there is none. */
const char *lower_bound_refutes(struct lower_bound *bound);

/* Beside the motion of a result, of that cost; once. */
void lower_bound_settle(struct lower_bound *bound, const struct result *result, double cost);

/* Where it is over all motions, not just over those around the one that was found: how far the cost of that is from
 * the optimum at most, in percent, rounded up; NAN: not known. */
double lower_bound_percent(const struct lower_bound *bound);

/* /bound of the result. */
void lower_bound_write(const struct lower_bound *bound, const char *resolved, struct result *result);

/* In lines on what is proved, or why nothing is. */
void lower_bound_tell(const struct lower_bound *bound);

/* What is proved, NAN: nothing. */
double lower_bound_value(const struct lower_bound *bound);

#endif
