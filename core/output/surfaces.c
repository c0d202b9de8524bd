#include "core/output/surfaces.h"

#include "core/base/mem.h"
#include "core/base/vec.h"
#include "core/model/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_SAMPLE = 7, MOST_PAIRS = 4000, STEPS_ACROSS = 60, MOST_STEPS = 400, MOST_CORRECTIONS = 12 };
static const double SLOPE_STEP = 1e-5;      /* of central differences, of the size of a position */
static const double SAME_SLOPE = 1e-5;      /* relative: what is left of a gap's slopes without those of the point */
static const double ON_LINE = 1e-2;         /* of the picture's size: a drawn line this close shows the surface */
static const double STRAIGHT = 1e-4;        /* of the picture's size */
static const double MARGIN = 0.15;          /* around what moves, of its size */
static const double NEAR = 0.5;             /* of the size: how far from what moves a surface is still shown */

struct frame { double low[2], high[2], size; };

/* Gap of a contact and place of a point, where the motion is and beside it. */
struct place {
    struct function f;              /* gap, x, z */
    const struct model *model;
    double t, *x, *u;               /* [n_x], copies; [n_u] */
    double gap, at[2];
    double *slope[3];               /* [n_position] of gap, x, z */
    double normal[2];               /* d gap / d at */
    double gram[3];                 /* slopes of x and z: xx, xz, zz */
    bool is_flat;                   /* one coordinate is constant */
};

/* --- Slopes -------------------------------------------------------------------------------------------------- */

static void place_eval(struct place *place)
{
    const double *value = function_eval(&place->f, place->t, place->x, place->u);
    place->gap = value[0];
    memcpy(place->at, value + 1, sizeof place->at);
}

static void find_slopes(struct place *place)
{
    const struct model *model = place->model;
    for (int k = 0; k < model->mechanics.n_position; k++) {
        double *q = &place->x[model->mechanics.q_index[k]];
        const double before = *q, step = SLOPE_STEP * fmax(1, fabs(before));
        double value[2][3];
        for (int side = 0; side < 2; side++) {
            *q = side ? before + step : before - step;
            memcpy(value[side], function_eval(&place->f, place->t, place->x, place->u), sizeof value[side]);
        }
        *q = before;
        for (int i = 0; i < 3; i++)
            place->slope[i][k] = (value[1][i] - value[0][i]) / (2 * step);
    }
}

/* y with gram y = r; a coordinate that is constant gets 0. */
static bool solve_gram(const struct place *place, const double *r, double *y)
{
    const double xx = place->gram[0], xz = place->gram[1], zz = place->gram[2], det = xx * zz - xz * xz;
    if (place->is_flat) {
        y[0] = xx > zz ? r[0] / xx : 0;
        y[1] = xx > zz ? 0 : r[1] / zz;
        return true;
    }
    y[0] = (zz * r[0] - xz * r[1]) / det;
    y[1] = (xx * r[1] - xz * r[0]) / det;
    return det > 1e-10 * xx * zz;
}

/* Does the gap depend on positions as the place of the point does? Then the normal is there. */
static bool place_slopes(struct place *place)
{
    const int n = place->model->mechanics.n_position;
    double *const *s = place->slope;
    place_eval(place);
    find_slopes(place);
    place->gram[0] = vec_dot(n, s[1], s[1]);
    place->gram[1] = vec_dot(n, s[1], s[2]);
    place->gram[2] = vec_dot(n, s[2], s[2]);
    const double most = fmax(place->gram[0], place->gram[2]), size = vec_dot(n, s[0], s[0]);
    place->is_flat = fmin(place->gram[0], place->gram[2]) <= 1e-12 * most;
    const double r[2] = { vec_dot(n, s[0], s[1]), vec_dot(n, s[0], s[2]) };
    if (!(most > 0) || !(size > 0) || !solve_gram(place, r, place->normal))
        return false;
    double left = 0;
    for (int k = 0; k < n; k++)
        left += pow(s[0][k] - place->normal[0] * s[1][k] - place->normal[1] * s[2][k], 2);
    return left <= SAME_SLOPE * SAME_SLOPE * size;
}

/* Moves the point by `way` with the least change of positions. */
static bool place_move(struct place *place, const double *way)
{
    const struct model *model = place->model;
    double y[2];
    if (!solve_gram(place, way, y))
        return false;
    for (int k = 0; k < model->mechanics.n_position; k++)
        place->x[model->mechanics.q_index[k]] += y[0] * place->slope[1][k] + y[1] * place->slope[2][k];
    return true;
}

/* To where the gap is 0, along its normal. */
static bool place_close(struct place *place, double size)
{
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        if (!place_slopes(place))
            return false;
        const double length2 = vec_dot(2, place->normal, place->normal);
        if (fabs(place->gap) <= 1e-7 * size * sqrt(length2))
            return true;
        const double way[2] = { -place->gap * place->normal[0] / length2, -place->gap * place->normal[1] / length2 };
        if (!(hypot(way[0], way[1]) < 4 * size) || !place_move(place, way))
            return false;
    }
    return false;
}

static void place_set(struct place *place, const struct surface_motion *motion, int k)
{
    const struct model *model = place->model;
    place->t = motion->t[k];
    memcpy(place->x, motion->x + (size_t)k * (size_t)model->n_x, (size_t)model->n_x * sizeof *place->x);
    memcpy(place->u, motion->u + (size_t)k * (size_t)model->n_u, (size_t)model->n_u * sizeof *place->u);
}

static void place_create(struct place *place, const struct surface_motion *motion, expr gap, const expr *at,
                         struct arena *mem)
{
    const struct model *model = motion->model;
    const expr e[3] = { gap, at[0], at[1] };
    *place = (struct place){ .f = function_create(model, motion->p, 3, e), .model = model };
    place->x = arena_alloc(mem, (size_t)model->n_x, sizeof *place->x);
    place->u = arena_alloc(mem, (size_t)model->n_u, sizeof *place->u);
    for (int i = 0; i < 3; i++)
        place->slope[i] = arena_alloc(mem, (size_t)model->mechanics.n_position, sizeof(double));
}

/* --- Which point --------------------------------------------------------------------------------------------- */

static bool is_still(struct place *place, const struct surface_motion *motion)
{
    const double gap = place->gap, *at = place->at, place_before[2] = { at[0], at[1] };
    place->t += 0.37 * (motion->t[motion->n_t - 1] - motion->t[0]);
    place_eval(place);
    return fabs(place->gap - gap) <= 1e-9 * (1 + fabs(gap))
           && hypot(at[0] - place_before[0], at[1] - place_before[1]) <= 1e-9 * (1 + hypot(at[0], at[1]));
}

/* Does the point say what the gap is, at all samples? Then the place is where the gap is smallest. */
static bool fits(struct place *place, const struct surface_motion *motion)
{
    int lowest = 0;
    double least = INFINITY;
    for (int i = 0; i < N_SAMPLE; i++) {
        place_set(place, motion, i * (motion->n_t - 1) / (N_SAMPLE - 1));
        if (!place_slopes(place) || !is_still(place, motion))
            return false;
    }
    for (int k = 0; k < motion->n_t; k++) {
        place_set(place, motion, k);
        place_eval(place);
        if (place->gap < least) {
            least = place->gap;
            lowest = k;
        }
    }
    place_set(place, motion, lowest);
    return place_slopes(place);
}

/* Is the gap 0 where the point is at the origin? Then its formula has no length in it, and knows of no radius. */
static bool has_no_length(struct place *place, double size)
{
    const struct place before = *place;
    double *x = mem_alloc((size_t)place->model->n_x, sizeof *x), off = INFINITY;
    memcpy(x, place->x, (size_t)place->model->n_x * sizeof *x);
    for (int k = 0; k < MOST_CORRECTIONS && off > 1e-9 * size && place_slopes(place); k++) {
        const bool by_x = !place->is_flat || place->gram[0] > place->gram[2], by_z = !place->is_flat || !by_x;
        const double way[2] = { by_x ? -place->at[0] : 0, by_z ? -place->at[1] : 0 };
        off = hypot(way[0], way[1]);
        if (!place_move(place, way))
            break;
        place_eval(place);
    }
    const bool found = off <= 1e-9 * size && fabs(place->gap) <= 1e-7 * size;
    memcpy(place->x, x, (size_t)place->model->n_x * sizeof *x);
    memcpy(place->at, before.at, sizeof before.at);
    (void)place_slopes(place);
    free(x);
    return found;
}

/* How far the circles and boxes around the point reach against the unit normal. */
static double reach_of(const struct surface_motion *motion, const struct place *place, const char *point,
                       const double *normal)
{
    const struct model *model = motion->model;
    double most = 0;
    for (int k = 0; k < model->drawing.n_draw; k++) {
        const struct model_drawn *drawn = &model->drawing.draw[k];
        if ((drawn->kind != DRAW_CIRCLE && drawn->kind != DRAW_BOX) || strcmp(drawn->at[0], point) != 0)
            continue;
        double reach = drawn->size[0];
        if (drawn->kind == DRAW_BOX) {
            struct function f = function_create(model, motion->p, 1, drawn->e);
            const double turn = *function_eval(&f, place->t, place->x, place->u);
            reach = 0.5 * drawn->size[0] * fabs(cos(turn) * normal[0] + sin(turn) * normal[1])
                    + 0.5 * drawn->size[1] * fabs(cos(turn) * normal[1] - sin(turn) * normal[0]);
            function_free(&f);
        }
        most = fmax(most, reach);
    }
    return most;
}

/* 2: a force of the contact is drawn there; 1: it has its name. */
static int claim_of(const struct model *model, int c, const char *point)
{
    for (int k = 0; k < model->drawing.n_draw; k++)
        if (model->drawing.draw[k].kind == DRAW_FORCE && model->drawing.draw[k].contact == c
            && strcmp(model->drawing.draw[k].at[0], point) == 0)
            return 2;
    return strcmp(point, model->contacts.contact[c].name) == 0
           || strcmp(point, model->contacts.contact[c].family) == 0;
}

/* --- Along the surface --------------------------------------------------------------------------------------- */

struct line { int n; double *at; };         /* [2 * n], grown by mem_grow in pairs */

static void add_point(struct line *line, const double *at)
{
    line->at = mem_grow(line->at, line->n, 1, 2 * sizeof *line->at);
    memcpy(line->at + 2 * line->n++, at, 2 * sizeof *at);
}

static bool is_inside(const struct frame *frame, const double *at)
{
    return at[0] >= frame->low[0] && at[0] <= frame->high[0] && at[1] >= frame->low[1] && at[1] <= frame->high[1];
}

static void unit_normal(const struct place *place, double *out)
{
    const double length = hypot(place->normal[0], place->normal[1]);
    out[0] = place->normal[0] / length;
    out[1] = place->normal[1] / length;
}

/* Where the edge of what is around the point touches. */
static void add_touched(struct line *line, const struct place *place, double reach)
{
    double normal[2];
    unit_normal(place, normal);
    add_point(line, (double[]){ place->at[0] - reach * normal[0], place->at[1] - reach * normal[1] });
}

/* From a closed place to the edge of the frame, with the solid on the right (side 1) or on the left (-1). */
static void follow(struct place *place, const struct frame *frame, double reach, int side, struct line *line)
{
    const double step = side * frame->size / STEPS_ACROSS;
    double normal[2], start[2] = { place->at[0], place->at[1] };
    for (int k = 0; k < MOST_STEPS && is_inside(frame, place->at); k++) {
        unit_normal(place, normal);
        const double way[2] = { step * normal[1], -step * normal[0] };
        if (place->is_flat) {
            place->at[0] += way[0];
            place->at[1] += way[1];
        } else if (!place_move(place, way) || !place_close(place, frame->size)) {
            return;
        }
        add_touched(line, place, reach);
        if (k > 3 && hypot(place->at[0] - start[0], place->at[1] - start[1]) < 0.5 * fabs(step))
            return;
    }
}

/* The frame with room for a line that starts near it. */
static bool take_in(struct frame *frame, const double *at)
{
    for (int i = 0; i < 2; i++) {
        if (!(at[i] > frame->low[i] - NEAR * frame->size && at[i] < frame->high[i] + NEAR * frame->size))
            return false;
        frame->low[i] = fmin(frame->low[i], at[i] - 1e-6 * frame->size);
        frame->high[i] = fmax(frame->high[i], at[i] + 1e-6 * frame->size);
    }
    return true;
}

/* Both ways from where the gap is smallest, which is where the place is; it is used up. NULL at: nothing near. */
static struct line line_of(struct place *place, struct frame frame, double reach)
{
    struct line back = { 0, NULL }, line = { 0, NULL };
    if (!place_close(place, frame.size) || !take_in(&frame, place->at))
        return line;
    const struct place start = *place;
    double *x = mem_alloc((size_t)place->model->n_x, sizeof *x);
    memcpy(x, place->x, (size_t)place->model->n_x * sizeof *x);
    follow(place, &frame, reach, -1, &back);
    for (int k = back.n - 1; k >= 0; k--)
        add_point(&line, back.at + 2 * k);
    memcpy(place->x, x, (size_t)place->model->n_x * sizeof *x);
    memcpy(place->at, start.at, sizeof start.at);
    (void)place_slopes(place);
    add_touched(&line, place, reach);
    follow(place, &frame, reach, 1, &line);
    free(back.at);
    free(x);
    return line;
}

/* --- What is shown already ----------------------------------------------------------------------------------- */

/* From p to the stretch from a to b. */
static double distance(const double *p, const double *a, const double *b)
{
    const double along[2] = { b[0] - a[0], b[1] - a[1] }, to[2] = { p[0] - a[0], p[1] - a[1] };
    const double length2 = vec_dot(2, along, along), part = length2 > 0 ? vec_dot(2, to, along) / length2 : 0;
    const double s = fmin(1, fmax(0, part));
    return hypot(to[0] - s * along[0], to[1] - s * along[1]);
}

/* Is more than half of the points on the line through others, which are `stride` numbers apart? */
static bool is_on(int n_point, const double *point, int n, const double *other, int stride, double near)
{
    int on = 0;
    for (int k = 0; k < n_point; k++) {
        double least = INFINITY;
        for (int i = 0; i + 1 < n; i++)
            least = fmin(least, distance(point + 2 * k, other + stride * i, other + stride * (i + 1)));
        on += least <= near;
    }
    return 2 * on > n_point;
}

/* Does one show the other? They need not be equally long. */
static bool shows(int n, const double *other, int stride, const struct line *line, double near)
{
    struct line dense = { 0, NULL };
    for (int i = 0; i + 1 < n; i++)
        for (int k = 0; k <= STEPS_ACROSS; k++) {
            const double s = (double)k / STEPS_ACROSS, *a = other + stride * i, *b = a + stride;
            add_point(&dense, (double[]){ a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]) });
        }
    const bool found = is_on(line->n, line->at, n, other, stride, near)
                       || is_on(dense.n, dense.at, line->n, line->at, 2, near);
    free(dense.at);
    return found;
}

static bool is_shown(const struct model *model, const struct line *line, int n, const struct surface *surface,
                     double near)
{
    for (int k = 0; k < model->drawing.n_draw; k++)
        if (model->drawing.draw[k].kind == DRAW_GROUND && model->drawing.draw[k].n == 2
            && shows(model->drawing.draw[k].n_at, model->drawing.draw[k].corner, 3, line, near))
            return true;
    for (int k = 0; k < n; k++)
        if (shows(surface[k].n, surface[k].corner, 2, line, near))
            return true;
    return false;
}

/* A straight line is its ends. */
static void shorten(struct line *line, double near)
{
    const double *first = line->at, *last = line->at + 2 * (line->n - 1);
    for (int k = 1; k < line->n - 1; k++)
        if (distance(line->at + 2 * k, first, last) > near)
            return;
    memcpy(line->at + 2, last, 2 * sizeof *last);
    line->n = 2;
}

/* --- Contacts ------------------------------------------------------------------------------------------------ */

struct search {
    const struct surface_motion *motion;
    struct frame frame;             /* around what moves */
    struct arena *mem;
    int n;
    struct surface *found;
};

/* How far out the line is along the normal at its place. */
static double height_of(const struct place *place, double reach)
{
    double normal[2];
    unit_normal(place, normal);
    return vec_dot(2, normal, place->at) - place->gap / hypot(place->normal[0], place->normal[1]) - reach;
}

/* The point whose line is the contact's surface, with its place where the gap is smallest; -1: none. */
static int choose_point(const struct search *in, int c, struct place *chosen, double *reach)
{
    const struct model *model = in->motion->model;
    int best = -1, best_claim = 0;
    for (int k = 0; k < model->drawing.n_draw; k++) {
        const struct model_drawn *drawn = &model->drawing.draw[k];
        const int claim = drawn->kind == DRAW_POINT ? claim_of(model, c, drawn->name) : 0;
        struct place place;
        if (drawn->kind != DRAW_POINT || drawn->n != 2 || claim < best_claim)
            continue;
        place_create(&place, in->motion, model->contacts.contact[c].gap, drawn->e, in->mem);
        double normal[2] = { 0 }, reach_here = 0;
        bool better = fits(&place, in->motion);
        if (better) {
            unit_normal(&place, normal);
            if (!has_no_length(&place, in->frame.size))
                reach_here = reach_of(in->motion, &place, drawn->name, normal);
            better = best < 0 || claim > best_claim || height_of(&place, reach_here) < height_of(chosen, *reach);
        }
        if (!better) {
            function_free(&place.f);
            continue;
        }
        if (best >= 0)
            function_free(&chosen->f);
        *chosen = place;
        *reach = reach_here;
        best = k;
        best_claim = claim;
    }
    return best;
}

/* A shape on grounds with corners, which are drawn as they are. */
static bool has_drawn_ground(const struct model *model, int c)
{
    for (int k = 0; k < model->contacts.n_ground; k++)
        if (model->contacts.ground[k].n > 0 && model->contacts.contact[c].normal[0] != EXPR_NONE)
            return true;
    return false;
}

static void find_one(struct search *in, int c)
{
    const struct model *model = in->motion->model;
    struct place place;
    double reach = 0;
    if (has_drawn_ground(model, c) || choose_point(in, c, &place, &reach) < 0)
        return;
    struct line line = line_of(&place, in->frame, reach), center = { line.n, NULL };
    if (line.n >= 2) {
        double normal[2];
        unit_normal(&place, normal);
        center.at = mem_alloc(2 * (size_t)line.n, sizeof *center.at);
        for (int k = 0; k < 2 * line.n; k++)
            center.at[k] = line.at[k] + reach * normal[k % 2];
        const double near = ON_LINE * in->frame.size;
        if (!is_shown(model, &line, in->n, in->found, near) && !is_shown(model, &center, 0, NULL, near)) {
            shorten(&line, STRAIGHT * in->frame.size);
            in->found[in->n++] =
                (struct surface){ model->contacts.contact[c].name, line.n,
                                  arena_copy(in->mem, line.at, 2 * (size_t)line.n, sizeof *line.at) };
        }
    }
    free(center.at);
    free(line.at);
    function_free(&place.f);
}

/* Around all points at all times. */
static struct frame frame_of(const struct surface_motion *motion)
{
    const struct model *model = motion->model;
    struct frame frame = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY }, 0 };
    for (int k = 0; k < model->drawing.n_draw; k++) {
        if (model->drawing.draw[k].kind != DRAW_POINT || model->drawing.draw[k].n != 2)
            continue;
        struct function f = function_create(model, motion->p, 2, model->drawing.draw[k].e);
        for (int i = 0; i < motion->n_t; i++) {
            const double *at = function_eval(&f, motion->t[i], motion->x + (size_t)i * (size_t)model->n_x,
                                             motion->u + (size_t)i * (size_t)model->n_u);
            for (int j = 0; j < 2; j++) {
                frame.low[j] = fmin(frame.low[j], at[j]);
                frame.high[j] = fmax(frame.high[j], at[j]);
            }
        }
        function_free(&f);
    }
    frame.size = fmax(frame.high[0] - frame.low[0], frame.high[1] - frame.low[1]);
    for (int j = 0; j < 2; j++) {
        frame.low[j] -= MARGIN * frame.size;
        frame.high[j] += MARGIN * frame.size;
    }
    return frame;
}

int surfaces_find(const struct surface_motion *motion, struct arena *mem, struct surface **out)
{
    const struct model *model = motion->model;
    struct search in = { .motion = motion, .mem = mem };
    *out = in.found = arena_alloc(mem, (size_t)model->contacts.n_contact, sizeof *in.found);
    if (model->contacts.n_contact == 0 || motion->n_t < 2
        || (double)model->contacts.n_contact * model->drawing.n_draw > MOST_PAIRS)
        return 0;
    in.frame = frame_of(motion);
    for (int c = 0; c < model->contacts.n_contact && in.frame.size > 0 && isfinite(in.frame.size); c++)
        find_one(&in, c);
    return in.n;
}
