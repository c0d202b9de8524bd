/* core/bound/search.h - degrees raised until a lower bound is close enough
 *
 * Each degree is a program of its own, and what each proves holds; the best is kept. It ends where the gap to the
 * target is small enough, without a target where a degree adds less than the gap; at the largest degree, or where
 * a program would be too large; where two degrees in a row add nothing, as the solver's accuracy ends; or where
 * the program is asked to stop.
 *
 * Errors  STATUS_SPEC with messages: the model does not fit (read.h).
 */
#ifndef COCP_CORE_BOUND_SEARCH_H
#define COCP_CORE_BOUND_SEARCH_H

#include "core/bound/prove.h"
#include "core/bound/read.h"

enum { BOUND_DEGREE = 16, BOUND_FIRST_DEGREE = 2, BOUND_MOST_ATTEMPTS = 10 };
#define BOUND_GAP 1e-3

struct bound_attempt {
    int degree, code, equations;
    double bound, seconds;
};

struct bound_search {
    const struct model *model;
    const double *lo, *hi, *u_lo, *u_hi;        /* boxes by a motion (problem.h), or NULL */
    double target;         /* the cost of a motion; NAN: none */
    double gap;            /* relative to the target, or to the bound */
    int first_degree;      /* 0: BOUND_FIRST_DEGREE */
    int max_degree;
    void (*tell)(void *user, const struct bound_attempt *attempt);
    void *user;
};

enum bound_end { BOUND_INFEASIBLE, BOUND_REACHED, BOUND_SETTLED, BOUND_LAST_DEGREE, BOUND_ACCURACY, BOUND_STOPPED };

struct bound_found {
    struct arena mem;                    /* owns the rest; bound_found_free */
    const struct bound_problem *problem; /* of the best; NULL: no degree was read */
    const struct bound_proof *proof;     /* the best; NULL: nothing is proved */
    double gap;                          /* (target - bound) / |target|; NAN */
    enum bound_end end;
    int n_attempt;
    struct bound_attempt attempt[BOUND_MOST_ATTEMPTS];
};

/* bound_found_free afterwards, whatever came back. */
enum status bound_search(const struct bound_search *search, struct bound_found *out, struct diag *diag);
void bound_found_free(struct bound_found *found);

#endif
