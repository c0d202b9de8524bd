/* core/output/chart.h - verdicts over one or two values of a spec, as a table in /certificate
 *
 * Axes are named after the last word of their paths, or the path with _ for . where that name is taken.
 *   outcome, level, reason (text), margin, margin_p, margin_e, margin_m, growth (of --falsify) over the axes
 * Points that are not there have outcome "" and NaN. sweep: what the grid is; attrs: points, and how many of them
 * have each outcome.
 */
#ifndef COCP_CORE_OUTPUT_CHART_H
#define COCP_CORE_OUTPUT_CHART_H

#include "core/output/head.h"
#include "core/stability/certify.h"

struct chart_axis { const char *path; int n; const double *value; };       /* [n]; borrowed, path: of the spec */

struct chart_point {
    int outcome;                    /* enum certify_outcome; -1: not there */
    int level;                      /* LEVEL_ bit, 0: none */
    double margin, level_margin[3], growth;
    char reason[16];
};

struct chart {
    int n_axis, n;                  /* 1 or 2; number of points */
    struct chart_axis axis[2];
    struct chart_point *point;      /* [n], the second axis runs faster */
    struct arena mem;               /* owns it */
};

/* No point is there yet. n is the product of the axes' n. */
void chart_init(struct chart *chart, int n_axis, const struct chart_axis *axis);
void chart_free(struct chart *chart);

/* Point k is what the result of `certify` says; one that says nothing leaves it as it is. */
void chart_take(struct chart *chart, int k, const struct result *result);

int chart_n_missing(const struct chart *chart);

/* result_free it. */
struct result *chart_result(const struct output_origin *origin, const struct chart *chart, enum status st);

#endif
