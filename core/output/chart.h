/* core/output/chart.h - a sweep over one or two values of a spec: its grid, and its table in /certificate
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

enum { CHART_MAX_POINTS = 1000000 };

struct chart_axis { const char *path; double first, last; int n; };        /* path: of the spec, borrowed */

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
    const char *key;                /* what must agree for a file to be taken up again */
    struct arena mem;               /* owns both */
};

/* No point is there yet. is_falsified: motions that grow are looked for. n is the product of the axes' n. */
void chart_init(struct chart *chart, int n_axis, const struct chart_axis *axis, bool is_falsified,
                const struct output_origin *origin);
void chart_free(struct chart *chart);

struct chart_point chart_point_missing(void);
int chart_n_missing(const struct chart *chart);

/* Value on an axis at point k. */
double chart_value(const struct chart *chart, int axis, int k);

/* Points by enum certify_outcome: count [4]. */
void chart_count(const struct chart *chart, int *count);

enum { CHART_OF_ANOTHER = -1 };

/* Takes the points of an earlier run of the same sweep; returns their number. CHART_OF_ANOTHER: the file holds a sweep
 * over another grid or of another spec. */
int chart_resume(struct chart *chart, const char *path);

/* result_free it. */
struct result *chart_result(const struct output_origin *origin, const struct chart *chart, enum status st);

#endif
