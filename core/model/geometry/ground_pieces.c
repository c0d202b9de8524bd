#include "core/model/geometry/ground_pieces.h"

#include "core/base/vec.h"

#include <math.h>
#include <string.h>

static const double STRAIGHT = 1e-12;       /* sine of an angle that is none; how far a segment may go back */
static const double NEAR = 1e-9;            /* of a length: where a ray starts it does not come out */

struct line {                       /* the polyline without the corners at which it does not turn */
    struct arena *mem;
    int n;                          /* segments */
    struct polygon_face *face;      /* [n] */
    bool closed;
    double e[2];                    /* the direction in which it goes on */
};

static double cross(const double *a, const double *b)
{
    return a[0] * b[1] - a[1] * b[0];
}

/* --- Segments ------------------------------------------------------------------------------------------------ */

/* The twice enclosed area, positive where it is on the left. */
static double area(int n, const double *at)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += cross(&at[2 * k], &at[2 * ((k + 1) % n)]);
    return sum;
}

/* The corners in the sense in which the solid is on the right; corner i of them is
 * given corner *from + i * *step. */
static double *turn(struct arena *mem, int n, const double *at, bool reversed)
{
    double *out = arena_alloc(mem, 2 * (size_t)n, sizeof *out);
    for (int k = 0; k < n; k++)
        memcpy(&out[2 * k], &at[2 * (reversed ? n - 1 - k : k)], 2 * sizeof *out);
    return out;
}

static enum ground_fault add_segment(struct line *line, const double *from, const double *to)
{
    struct polygon_face *face = &line->face[line->n];
    const double d[2] = { to[0] - from[0], to[1] - from[1] }, length = hypot(d[0], d[1]);
    if (!(length > 0))
        return GROUND_REPEATS;
    *face = (struct polygon_face){ { from[0], from[1] }, { d[0] / length, d[1] / length } };
    if (line->n == 0 || fabs(cross(line->face[line->n - 1].t, face->t)) > STRAIGHT) {
        line->n++;
        return GROUND_FINE;
    }
    const bool goes_on = vec_dot(2, line->face[line->n - 1].t, face->t) > 0;    /* in the same direction: no corner */
    return goes_on ? GROUND_FINE : GROUND_FOLDS;
}

/* Where a closed one starts it may not turn either. */
static void join_ends(struct line *line)
{
    if (line->n > 1 && fabs(cross(line->face[line->n - 1].t, line->face[0].t)) <= STRAIGHT) {
        memcpy(line->face[0].a, line->face[line->n - 1].a, sizeof line->face[0].a);
        line->n--;
    }
}

static enum ground_fault make_segments(struct line *line, int n, const double *at, int *k)
{
    line->face = arena_alloc(line->mem, (size_t)n, sizeof *line->face);
    for (*k = 1; *k < n + line->closed; ++*k) {
        const enum ground_fault fault = add_segment(line, &at[2 * (*k - 1)], &at[2 * (*k % n)]);
        if (fault != GROUND_FINE) {
            *k = fault == GROUND_FOLDS ? *k - 1 : *k % n;
            return fault;
        }
    }
    if (line->closed)
        join_ends(line);
    return GROUND_FINE;
}

static bool turns_left(const struct line *line, int j)
{
    return cross(line->face[j].t, line->face[(j + 1) % line->n].t) > 0;
}

static bool goes_on(const struct line *line, const double *e)
{
    for (int j = 0; j < line->n; j++)
        if (vec_dot(2, e, line->face[j].t) < -STRAIGHT)
            return false;
    return true;
}

/* To the right, to the left, up, down, or in the middle of all directions in which it goes on: at right angles to
 * some segment is where they end. */
static bool find_direction(struct line *line)
{
    static const double axis[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
    double sum[2] = { 0, 0 };
    for (int i = 0; i < 4; i++)
        if (goes_on(line, axis[i])) {
            memcpy(line->e, axis[i], sizeof line->e);
            return true;
        }
    for (int i = 0; i < 2 * line->n; i++) {
        const double *t = line->face[i / 2].t, sign = i % 2 ? 1 : -1, across[2] = { -sign * t[1], sign * t[0] };
        if (goes_on(line, across))
            for (int k = 0; k < 2; k++)
                sum[k] += across[k];
    }
    const double length = hypot(sum[0], sum[1]);
    line->e[0] = sum[0] / length;
    line->e[1] = sum[1] / length;
    return length > NEAR;
}

/* --- Pieces -------------------------------------------------------------------------------------------------- */

/* How far from p the ray along u meets segment j; INFINITY: nowhere. */
static double meets(const struct line *line, int j, const double *p, const double *u)
{
    const struct polygon_face *face = &line->face[j];
    const double sine = cross(u, face->t);
    if (fabs(sine) <= STRAIGHT)
        return INFINITY;
    const double d[2] = { face->a[0] - p[0], face->a[1] - p[1] };
    const double far = cross(d, face->t) / sine, s = cross(d, u) / sine;
    const double last = j + 1 < line->n ? (line->face[j + 1].a[0] - face->a[0]) * face->t[0]
                                              + (line->face[j + 1].a[1] - face->a[1]) * face->t[1]
                                        : INFINITY;
    const double size = fmax(1, fmax(fabs(far), hypot(d[0], d[1])));
    const bool is_on = (j == 0 || s >= -NEAR * size) && s <= last + NEAR * size;
    return is_on && far > NEAR * size ? far : INFINITY;
}

/* How far the ray runs within the ground. */
static double runs(const struct line *line, const double *p, const double *u)
{
    double least = INFINITY;
    for (int j = 0; j < line->n; j++)
        least = fmin(least, meets(line, j, p, u));
    return least;
}

/* Faces first to last, prolonged at both ends if the line goes on there. */
static struct polygon make_piece(const struct line *line, int first, int last)
{
    const struct polygon_face *face = line->face;
    struct polygon piece = { .face = arena_alloc(line->mem, (size_t)(last - first + 3), sizeof *piece.face) };
    const double up[2] = { -line->e[1], line->e[0] };
    if (first > 0) {
        const double back[2] = { -face[first].t[0], -face[first].t[1] }, far = runs(line, face[first].a, back);
        const double q[2] = { face[first].a[0] + 0.5 * far * back[0], face[first].a[1] + 0.5 * far * back[1] };
        if (isfinite(far)) {
            piece.face[piece.n_face++] = (struct polygon_face){ { q[0], q[1] }, { up[0], up[1] } };
            piece.face[piece.n_face] =
                (struct polygon_face){ { q[0], q[1] }, { face[first].t[0], face[first].t[1] } };
        } else {
            piece.face[piece.n_face] = face[first];
        }
        piece.n_face++;
        first++;
    }
    for (int j = first; j <= last; j++)
        piece.face[piece.n_face++] = face[j];
    if (last + 1 < line->n) {
        const double *corner = face[last + 1].a, *t = face[last].t, far = runs(line, corner, t);
        if (isfinite(far))
            piece.face[piece.n_face++] =
                (struct polygon_face){ { corner[0] + 0.5 * far * t[0], corner[1] + 0.5 * far * t[1] },
                                       { -up[0], -up[1] } };
    }
    return piece;
}

static void cut(const struct line *line, struct ground_pieces *out)
{
    int first = 0;
    for (int j = 0; j < line->n; j++)
        if (j + 1 == line->n || turns_left(line, j)) {
            out->piece[out->n++] = make_piece(line, first, j);
            first = j + 1;
        } else {
            memcpy(&out->vertex[2 * out->n_vertex++], line->face[j + 1].a, 2 * sizeof(double));
        }
}

static enum ground_fault make_closed(const struct line *line, bool reversed, int n, const double *at,
                                     struct ground_pieces *out, int *k)
{
    for (int j = 0; j < line->n; j++) {
        const double *corner = line->face[(j + 1) % line->n].a;
        memcpy(&out->vertex[2 * out->n_vertex++], corner, 2 * sizeof(double));
        for (*k = 0; *k < n && !(at[2 * *k] == corner[0] && at[2 * *k + 1] == corner[1]); ++*k) { }
        *k = reversed ? n - 1 - *k : *k;
        if (turns_left(line, j))
            return GROUND_POINTS_INWARD;
    }
    out->piece[out->n++] = (struct polygon){ line->n, line->face, true };
    return GROUND_FINE;
}

enum ground_fault ground_cut(struct arena *mem, int n, const double *at, bool closed, struct ground_pieces *out,
                             int *k)
{
    struct line line = { .mem = mem, .closed = closed };
    const bool reversed = closed && area(n, at) > 0;
    const double *corner = turn(mem, n, at, reversed);
    const enum ground_fault fault = make_segments(&line, n, corner, k);
    if (fault != GROUND_FINE) {
        *k = reversed ? n - 1 - *k : *k;
        return fault;
    }
    *out = (struct ground_pieces){ .piece = arena_alloc(mem, (size_t)line.n, sizeof *out->piece),
                                   .vertex = arena_alloc(mem, 2 * (size_t)line.n, sizeof *out->vertex) };
    if (closed)
        return make_closed(&line, reversed, n, corner, out, k);
    *k = 0;
    if (!find_direction(&line))
        return GROUND_GOES_BACK;
    cut(&line, out);
    return GROUND_FINE;
}
