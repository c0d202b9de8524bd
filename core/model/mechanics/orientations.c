/* Values of orientations at both ends: quaternions of length 1, rotation vectors below a
 * turn */
#include "core/model/mechanics/read.h"

#include "core/base/pi.h"

#include <math.h>

static const double UNIT_TOL = 1e-6;    /* of an orientation's length: as many digits people write */

/* The values of an end, of unit length: what is meant by a quaternion that has another one. */
static const char *unit_text(struct reader *r, const double *value, double length)
{
    return arena_printf(r->mem, "%.9g, %.9g, %.9g, %.9g", value[0] / length, value[1] / length, value[2] / length,
                        value[3] / length);
}

static void refuse_length(struct reader *r, const struct model_var *first, struct model_end *const *end,
                          bool is_final, const double *value, double length)
{
    const char *when = is_final ? "final" : "initial";
    int k = 0;
    while (k < 3 && end[k]->kind != END_FIXED)
        k++;
    if (!(length > 0))
        diag_error(r->diag, end[k]->pos, first->path, "the %s orientation is zero: without a turn it is 1, 0, 0, 0",
                   when);
    else
        diag_error(r->diag, end[k]->pos, first->path, "the %s orientation has the length %.9g: a unit quaternion is "
                   "cos(a/2), then sin(a/2) times the axis; along this one it is %s", when, length,
                   unit_text(r, value, length));
}

/* A quaternion that ends at given values: its length is kept by the motion, so that the largest of them follows
 * from the others but for its sign. */
static void free_largest(struct model_end *const *end)
{
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (end[i]->kind == END_FIXED && (end[k]->kind != END_FIXED || fabs(end[i]->lo) > fabs(end[k]->lo)))
            k = i;
    const bool is_positive = end[k]->lo > 0;
    end[k]->kind = END_RANGE;
    end[k]->lo = is_positive ? 0 : -INFINITY;
    end[k]->hi = is_positive ? INFINITY : 0;
}

/* Digits that are missing are put right, and nothing is left for what is not given. */
static void make_unit(struct model_end *const *end, const double *value, double length)
{
    for (int i = 0; i < 4; i++)
        if (end[i]->kind == END_FIXED || end[i]->kind == END_FREE) {
            end[i]->kind = END_FIXED;
            end[i]->lo = end[i]->hi = value[i] / length;
        }
}

static void check_quaternion(struct reader *r, struct model_end *const *end, const struct model_var *first,
                             bool is_final)
{
    double value[4], length = 0;
    int n_fixed = 0;
    for (int i = 0; i < 4; i++) {
        value[i] = end[i]->kind == END_FIXED ? end[i]->lo : 0;
        length = hypot(length, value[i]);
        n_fixed += end[i]->kind == END_FIXED;
    }
    const bool is_unit = fabs(length - 1) <= UNIT_TOL;
    if ((n_fixed == 4 && !is_unit) || length > 1 + UNIT_TOL)
        refuse_length(r, first, end, is_final, value, length);
    if (is_unit)
        make_unit(end, value, length);
    if (is_final && is_unit)
        free_largest(end);
}

static void check_vector(struct reader *r, struct model_end *const *end, const struct model_var *first,
                         bool is_final)
{
    double turn = 0;
    for (int i = 0; i < 3; i++)
        turn = hypot(turn, end[i]->kind == END_FIXED ? end[i]->lo : 0);
    if (!(turn < 2 * PI))
        diag_error(r->diag, end[0]->pos, first->path, "the %s rotation vector has the length %.9g: an angle below 2 pi "
                   "says the same", is_final ? "final" : "initial", turn);
}

/* What is fixed at one end must be an orientation. */
static void check_end(struct reader *r, const struct model_rotation *rotation, bool is_final)
{
    struct model *m = r->model;
    struct model_end *end[4];
    const struct model_var *first = &m->x[m->mechanics.q_index[rotation->q]];
    for (int i = 0; i < 4; i++) {               /* of a vector the first one again */
        struct model_var *var = &m->x[m->mechanics.q_index[rotation->q + i % rotation->n]];
        end[i] = is_final ? &var->final : &var->initial;
    }
    if (rotation->n == 4)
        check_quaternion(r, end, first, is_final);
    else
        check_vector(r, end, first, is_final);
}

/* A quaternion of which nothing is known is guessed as no turn, one that is guessed gets its length. */
static void give_guess(struct model *m, const struct model_rotation *rotation)
{
    double value[4], length = 0;
    for (int i = 0; i < 4 && rotation->n == 4; i++) {
        value[i] = model_var_guess(&m->x[m->mechanics.q_index[rotation->q + i]]);
        length = hypot(length, value[i]);
    }
    for (int i = 0; i < 4 && rotation->n == 4; i++)
        m->x[m->mechanics.q_index[rotation->q + i]].guess = length > 0 ? value[i] / length : i == 0;
}

void reader_check_orientations(struct reader *r)
{
    struct model *m = r->model;
    for (int k = 0; k < m->mechanics.n_rotation; k++) {
        check_end(r, &m->mechanics.rotation[k], false);
        check_end(r, &m->mechanics.rotation[k], true);
        give_guess(m, &m->mechanics.rotation[k]);
    }
}
