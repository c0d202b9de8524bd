/* cli/sweep_result.h - the grid of a sweep, and its table in /certificate
 *
 * Axes are named after the last word of their paths, or the path with _ for . where that name is taken.
 *   outcome, level, reason (text), margin, margin_p, margin_e, margin_m, growth (of --falsify) over the axes
 * Points that are not there have outcome "" and NaN. sweep: what the grid is; attrs: points, and how many of them
 * have each outcome.
 */
#ifndef COCP_CLI_SWEEP_RESULT_H
#define COCP_CLI_SWEEP_RESULT_H

#include "cli/args.h"
#include "cli/problem.h"

struct sweep_axis { char *path; double first, last; int n; };

struct sweep_point {
    int outcome;                    /* enum certify_outcome; -1: not there */
    int level;                      /* LEVEL_ bit, 0: none */
    double margin, level_margin[3], growth;
    char reason[16];
};

struct sweep {
    int n_axis, n;                  /* 1 or 2; number of points */
    struct sweep_axis axis[2];
    struct sweep_point *point;      /* [n], the second axis runs faster */
    char *name, *key;               /* of the spec; what must agree for a file to be taken up again */
    struct problem problem;         /* at the values of the spec itself */
};

/* Reads args->sweep and the spec. sweep_free afterwards, whatever came back. */
enum status sweep_init(const struct cli_args *args, struct sweep *sweep, struct diag *diag);
void sweep_free(struct sweep *sweep);

struct sweep_point sweep_point_missing(void);

/* Value on an axis at point k. */
double sweep_value(const struct sweep *sweep, int axis, int k);

/* Points by enum certify_outcome: count [4]. */
void sweep_count(const struct sweep *sweep, int *count);

/* Takes the points of an earlier run of the same sweep; returns their number. */
int sweep_resume(struct sweep *sweep, const char *path);

enum status sweep_write(const struct cli_args *args, const struct sweep *sweep, enum status st, const char *path,
                        struct diag *diag);

#endif
