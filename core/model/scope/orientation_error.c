/* core/model/scope/orientation_error.c - tool.orientation_error.goal.x: how far a frame is turned from another one
 *
 * R = R_goal' R_tool turns the goal's axes into those of the tool; the error is its rotation vector (rotation.h),
 * along the axes of the goal, or of the tool: it has the same components along both.
 */
#include "core/model/scope/reader.h"

#include "core/model/multibody.h"
#include "core/model/rotation.h"

#include <string.h>

static const char *const between = ".orientation_error.";

bool orientation_error_is_meant(const char *name)
{
    return strstr(name, between);
}

/* The axes in the world of a body or a frame; false (reported): there is none. */
static bool find_axes(struct reader *r, const char *text, struct srcpos pos, expr *R)
{
    const struct spec_node here = { .kind = SPEC_SCALAR, .text = text, .pos = pos, .path = r->path };
    const struct model_point *point = reader_point_of(r, &here);
    if (!point)
        return false;
    multibody_product(r->g, r->model->mechanics.body[point->body].R, point->axes, R);
    return true;
}

expr reader_orientation_error(struct reader *r, const char *name, struct srcpos pos)
{
    const struct spec_node here = { .pos = pos, .path = r->path };
    const char *at = strstr(name, between), *goal = at + strlen(between), *last = strrchr(name, '.');
    const int axis = last > goal && last[1] && !last[2] ? last[1] - 'x' : -1;
    expr R[9], of[9], from[9], error[3];
    if (axis < 0 || axis > 2) {
        spec_error(r->diag, &here, "expected FRAME.orientation_error.TARGET.x, .y or .z: two frames or bodies");
        return r->broken;
    }
    if (!find_axes(r, arena_printf(r->mem, "%.*s", (int)(at - name), name), pos, of)
        || !find_axes(r, arena_printf(r->mem, "%.*s", (int)(last - goal), goal), pos, from)
        || !r->model->mechanics.coordinates_known)
        return r->broken;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[i + 3 * j] = expr_dot(r->g, 3, from + 3 * i, of + 3 * j);
    rotation_vector(r->g, R, error);
    return error[axis];
}
