/* Places and axes of frames in a body: points, fixed turns, axes of joints, as expressions of parameters
 *
 *   roll, pitch, yaw    R = R_z(yaw) R_y(pitch) R_x(roll), as URDF has it
 *   four numbers        a unit quaternion, scalar first
 */
#include "core/model/mechanics/read.h"

#include "core/model/multibody.h"
#include "core/model/rotation.h"

#include <math.h>

static const double UNIT_TOL = 1e-6;   /* of the length of a quaternion: as many digits people write */
static const double ANGLE_TOL = 1e-11; /* of an entry of R that is meant to be 0, as the cosine of 1.57079632679 */

bool frame_read_vector(struct reader *r, const struct spec_node *node, expr *out)
{
    bool good = node->kind == SPEC_SEQUENCE && node->n == 3;
    for (int i = 0; i < 3; i++)
        out[i] = r->broken;
    if (!good)
        spec_error(r->diag, node, "expected three coordinates, [x, y, z]");
    for (int i = 0; i < 3 && node->kind == SPEC_SEQUENCE && node->n == 3; i++)
        good = reader_parameter_expr(r, node->child[i], &out[i]) == STATUS_OK && good;
    return good;
}

bool frame_read_axis(struct reader *r, const struct spec_node *node, const char *no_length, expr *out)
{
    if (!frame_read_vector(r, node, out))
        return false;
    const expr length = expr_sqrt(r->g, expr_dot(r->g, 3, out, out));
    const double value = model_value_at(r->model, length, AT_GUESS);
    if (!(value > 0) || !isfinite(value))
        return spec_error(r->diag, node, "%s", no_length) == STATUS_OK;
    for (int i = 0; i < 3; i++)
        out[i] = expr_div(r->g, out[i], length);
    return true;
}

/* Turns by angles that are multiples of a quarter leave zeros: what is one but for rounding becomes one. */
static void clean(struct reader *r, expr *R)
{
    double value;
    for (int i = 0; i < 9; i++)
        if (expr_is_const(r->g, R[i], &value) && fabs(value) < ANGLE_TOL)
            R[i] = expr_const(r->g, 0);
}

void frame_turn_about(struct reader *r, const expr *axis, expr angle, expr *R)
{
    struct expr_graph *g = r->g;
    const expr sine = expr_unary(g, EXPR_SIN, angle), cosine = expr_unary(g, EXPR_COS, angle);
    const expr rest = expr_sub(g, expr_const(g, 1), cosine);
    for (int i = 0; i < 3; i++) { /* Rodrigues: cos E + (1 - cos) a a' + sin [a]x */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const expr mixed = expr_mul(g, rest, expr_mul(g, axis[j], axis[k])), turned = expr_mul(g, sine, axis[i]);
        const expr square = expr_square(g, axis[i]);
        R[i + 3 * i] = expr_add(g, square, expr_mul(g, cosine, expr_sub(g, expr_const(g, 1), square)));
        R[k + 3 * j] = expr_add(g, mixed, turned);
        R[j + 3 * k] = expr_sub(g, mixed, turned);
    }
}

static bool quaternion_turn(struct reader *r, const struct spec_node *node, const expr *q, expr *R)
{
    const expr square = expr_dot(r->g, 4, q, q);
    const double length = sqrt(model_value_at(r->model, square, AT_GUESS));
    if (!(fabs(length - 1) <= UNIT_TOL))
        return spec_error(r->diag, node,
                          "the quaternion has the length %.9g: a unit quaternion is cos(a/2), then sin(a/2) times "
                          "the axis",
                          length)
               == STATUS_OK;
    rotation_matrix(r->g, 4, q, R);
    for (int i = 0; i < 9; i++)
        R[i] = expr_div(r->g, R[i], square);
    return true;
}

bool frame_read_turn(struct reader *r, const struct spec_node *node, expr *R)
{
    expr value[4], about[9];
    bool good =
        !node || node->kind == SPEC_NULL || (node->kind == SPEC_SEQUENCE && (node->n == 3 || node->n == 4));
    for (int i = 0; i < 9; i++)
        R[i] = expr_const(r->g, i % 4 == 0);
    if (!good)
        return spec_error(r->diag, node,
                          "expected roll, pitch and yaw, or a unit quaternion with its scalar first")
               == STATUS_OK;
    const int n = node && node->kind == SPEC_SEQUENCE ? node->n : 0;
    for (int i = 0; i < n; i++)
        good = reader_parameter_expr(r, node->child[i], &value[i]) == STATUS_OK && good;
    if (!good)
        return false;
    if (n == 4)
        good = quaternion_turn(r, node, value, R);
    for (int i = 0; n == 3 && i < 3; i++) { /* roll is the first turn, and stands on the right */
        const expr axis[] = { expr_const(r->g, i == 0), expr_const(r->g, i == 1), expr_const(r->g, i == 2) };
        frame_turn_about(r, axis, value[i], about);
        clean(r, about);
        multibody_product(r->g, about, R, R);
    }
    clean(r, R);
    return good;
}
