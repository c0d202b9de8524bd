#include "core/impact/hull.h"

#include "core/base/mem.h"
#include "core/base/pi.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N_DIRECTIONS = 8 };

/* Positive if c lies left of the line from a to b. */
static double turn(struct hull_point a, struct hull_point b, struct hull_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int by_place(const void *a, const void *b)
{
    const struct hull_point *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

static int drop_missing(int n, struct hull_point *point)
{
    int kept = 0;
    for (int k = 0; k < n; k++)
        if (!isnan(point[k].x) && !isnan(point[k].y))
            point[kept++] = point[k];
    return kept;
}

/* Drops the points that lie inside of the octagon of extreme ones; where that is a point or a line, none does. */
static int drop_inner(int n, struct hull_point *point)
{
    struct hull_point far[N_DIRECTIONS];
    int kept = 0;
    for (int d = 0; d < N_DIRECTIONS; d++) {
        const double angle = 2 * PI * d / N_DIRECTIONS, c = cos(angle), s = sin(angle);
        double most = -INFINITY;
        for (int k = 0; k < n; k++)
            if (c * point[k].x + s * point[k].y > most) {
                most = c * point[k].x + s * point[k].y;
                far[d] = point[k];
            }
    }
    for (int k = 0; k < n; k++) {
        int n_left = 0, n_edges = 0;
        for (int d = 0; d < N_DIRECTIONS; d++) {
            const struct hull_point next = far[(d + 1) % N_DIRECTIONS];
            const bool is_edge = by_place(&far[d], &next) != 0;
            n_edges += is_edge;
            n_left += is_edge && turn(far[d], next, point[k]) > 0;
        }
        if (n_edges == 0 || n_left < n_edges)
            point[kept++] = point[k];
    }
    return kept;
}

/* One side of the hull over the points in this order; chain takes all but the last corner. */
static int chain_side(int n, const struct hull_point *point, int step, struct hull_point *chain)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        const struct hull_point p = point[step > 0 ? i : n - 1 - i];
        while (m >= 2 && turn(chain[m - 2], chain[m - 1], p) <= 0)
            m--;
        chain[m++] = p;
    }
    return m - 1;
}

int hull_convex(int n, struct hull_point *point)
{
    n = drop_missing(n, point);
    if (n > N_DIRECTIONS)
        n = drop_inner(n, point);
    if (n == 0)
        return 0;
    qsort(point, (size_t)n, sizeof *point, by_place);
    struct hull_point *chain = mem_alloc(2 * (size_t)n + 1, sizeof *chain);
    int m = chain_side(n, point, 1, chain);
    m += chain_side(n, point, -1, chain + m);
    if (m == 2 && by_place(&chain[0], &chain[1]) == 0)
        m = 1;
    if (m == 0)
        chain[m++] = point[0];
    memcpy(point, chain, (size_t)m * sizeof *point);
    free(chain);
    return m;
}
