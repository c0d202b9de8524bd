/* core/sweep/points.h - the points of a sweep: which values of the spec differ, and what they are at each
 *
 *   grid      PATH=FIRST:LAST:NUMBER or PATH=VALUE,VALUE,...; several of them: all combinations, the last fastest
 *   random    N draws at each point of the grid, PATH evenly from value - SIZE to value + SIZE; a draw depends on
 *             the seed and its number alone, so that all points of the grid see the same draws
 *   table     a CSV file: its first line names the paths, each further one is a point
 *
 * Points are numbered from 0; a value is text, as for --set.
 * Errors  STATUS_USAGE with the text that cannot be read; STATUS_SPEC with file and line for a table; STATUS_IO.
 */
#ifndef COCP_CORE_SWEEP_POINTS_H
#define COCP_CORE_SWEEP_POINTS_H

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/spec/spec.h"

#include <stdbool.h>
#include <stdint.h>

enum { SWEEP_MAX_POINTS = 10000000, SWEEP_VALUE_SIZE = 40 };

struct sweep_request {
    int n_axis, n_random, n_perturb;
    const char *const *axis;        /* [n_axis] PATH=... */
    const char *const *perturb;     /* [n_perturb] PATH=SIZE */
    const char *table;              /* a CSV file, or NULL */
    uint64_t seed;
    const struct spec_node *root;   /* of the spec, overrides applied: the values that are perturbed */
};

struct sweep_axis {
    int n;
    const char *const *value;       /* [n]; NULL: evenly from first to last */
    const double *place;            /* [n] where each of these lies in [0, 1] among them; NULL: evenly */
    double first, last;
};

struct sweep_points {
    int n, n_path;                  /* points; paths that differ */
    const char **path;              /* [n_path]: of the axes or columns, then those that are perturbed */
    int n_axis, n_random;           /* n_random 1 where nothing is drawn */
    bool is_table;                  /* the axes are columns that go together */
    struct sweep_axis *axis;        /* [n_axis] */
    double *value, *size;           /* [n_path - n_axis] of what is perturbed */
    uint64_t seed;
    struct arena mem;               /* owns all of it */
};

/* FIRST:LAST:NUMBER; is it one? */
bool sweep_axis_read(const char *text, struct sweep_axis *axis);

/* sweep_points_free it, whatever came back. */
enum status sweep_points_read(const struct sweep_request *request, struct sweep_points *points, struct diag *diag);
void sweep_points_free(struct sweep_points *points);

/* Value of path i at point k; text [SWEEP_VALUE_SIZE] may be used for it. */
const char *sweep_points_value(const struct sweep_points *points, int k, int i, char *text);

/* The square of the distance between two points, each path on a scale where its values fill [0, 1]; values that are
 * no numbers are as far apart as their places in the list. */
double sweep_points_distance(const struct sweep_points *points, int k, int l);

#endif
