/* core/mpcc/report.h - why a point is no solution: which rows, which pairs, and what to try
 *
 * Names come from the labels of the MPCC; when in time a place is, the caller knows.
 */
#ifndef COCP_CORE_MPCC_REPORT_H
#define COCP_CORE_MPCC_REPORT_H

#include "core/mpcc/homotopy.h"

enum report_kind { REPORT_ROW, REPORT_BOUND, REPORT_PAIR_SIGN, REPORT_PAIR_PRODUCT };

struct report_item {
    enum report_kind kind;
    const struct mpcc_label *label; /* borrowed from the MPCC */
    int index;                      /* row, variable or pair */
    double value, lower, upper;     /* of a product: G H, 0, 0 */
    double violation;
};

/* The worst of each kind of trouble at w: first the rows, bounds and signs that are violated by more than tol,
 * largest first, one per label name; then the worst products above comp_tol, one per label name. At most n_max
 * each, so that item has room for 2 n_max; returns how many. */
int report_worst(const struct mpcc *mpcc, const double *w, double tol, double comp_tol, int n_max,
                 struct report_item *item);

/* Variables at one of their bounds (within tol, fixed ones left out), at most n_max of them, one per label name
 * with how many share it. Shows what stands in the way of an infeasible problem. */
struct report_bound { const struct mpcc_label *label; bool at_upper; int count, var; };
int report_bounds(const struct mpcc *mpcc, const double *w, double tol, int n_max, struct report_bound *out);

/* Physical time of a place, NAN if it has none, and its unit. */
typedef double report_time(void *user, const struct mpcc_label *label, const char **unit);

/* "clock, interval 3, element 2 at t = 0.35 s: 0.41, must be 0.4 (off by 1e-2)", as snprintf. time may be NULL. */
void report_item_text(const struct report_item *item, report_time *time, void *user, char *text, size_t size);

/* What stands most in the way of a point, in words of what is asked for where any of that is broken: the rows of
 * a method say nothing to a user but that there is no such motion. False: nothing is broken by more than tol. */
bool report_obstacle(const struct mpcc *mpcc, const double *w, double tol, report_time *time, void *user,
                     char *text, size_t size);

/* What to try, by the kind of the failure; a sentence, or NULL for a solved run. Static text. */
const char *report_advice(const struct homotopy_result *result, const struct report_item *item, int n_item);

#endif
