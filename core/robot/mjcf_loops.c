/* core/robot/mjcf_loops.c - <connect> and <weld> as loops of two frames
 *
 * Of two sites, or of two bodies: a point, or a pose, of the first is where it is on the second where the file has
 * the bodies as they stand; a weld may say the pose of the second in the first (relpose) in its place. Without a
 * second body the other end is on the world.
 */
#include "core/robot/mjcf.h"

#include "core/base/mem.h"

#include <string.h>

/* A body in the world, as the file has it. */
static struct pose stands(const struct robot *robot, int b)
{
    struct pose at = pose_identity();
    for (; b >= 0; b = robot->body[b].parent) {
        const struct pose motion = robot_joint_motion(&robot->body[b].joint, robot->body[b].joint.reference);
        const struct pose own = pose_compose(&robot->body[b].at, &motion);
        at = pose_compose(&own, &at);
    }
    return at;
}

/* -1 (reported): there is none; -2: the attribute is absent, or names the world. */
static int find_body(struct mjcf *m, const struct xml_element *equation, const char *attribute)
{
    const char *name = xml_get(equation, attribute);
    if (!name || strcmp(name, "world") == 0)
        return -2;
    for (int b = 0; b < m->r->robot->n_body; b++)
        if (strcmp(m->r->robot->body[b].name, name) == 0)
            return b;
    robot_error(m->r, equation->pos, "there is no body \"%.60s\"", name);
    return -1;
}

static int find_site(struct mjcf *m, const struct xml_element *equation, const char *attribute)
{
    const char *name = robot_need(m->r, equation, attribute);
    for (int k = 0; name && k < m->r->robot->n_frame; k++)
        if (strcmp(m->r->robot->frame[k].name, name) == 0)
            return k;
    if (name)
        robot_error(m->r, equation->pos, "there is no site \"%.60s\" on a body", name);
    return -1;
}

static int add_frame(struct mjcf *m, const struct xml_element *equation, const char *name, const char *end,
                     int body, const struct pose *at)
{
    robot_add_frame(m->r, arena_printf(m->r->mem, "%s_%s", name, end), equation->pos, body)->at = *at;
    return m->r->robot->n_frame - 1;
}

static bool find_sites(struct mjcf *m, const struct xml_element *equation, struct robot_loop *loop)
{
    loop->a = find_site(m, equation, "site1");
    loop->b = find_site(m, equation, "site2");
    return loop->a >= 0 && loop->b >= 0;
}

/* The place on the first body: where it is joined. False: it is where the file has the second body, or after an
 * error. */
static bool read_place(struct mjcf *m, const struct xml_element *equation, bool weld, struct pose *at)
{
    double given[7] = { 0, 1 };
    const int n = weld ? mjcf_numbers(m, equation, NULL, "relpose", 7, 7, given)
                       : mjcf_numbers(m, equation, NULL, "anchor", 3, 3, given);
    if (weld && given[3] == 0 && given[4] == 0 && given[5] == 0 && given[6] == 0)
        return false;
    if (!weld && n == 0)
        robot_error(m->r, equation->pos, "\"anchor\" is missing: the point of the first body that is joined");
    *at = pose_shift(given);
    if (weld)
        rotation_of_quaternion(given + 3, at->R);
    return n > 0;
}

static bool join_bodies(struct mjcf *m, const struct xml_element *equation, struct robot_loop *loop)
{
    const int n_error = m->r->n_error;
    const int first = robot_need(m->r, equation, "body1") ? find_body(m, equation, "body1") : -1;
    const int second = find_body(m, equation, "body2");
    struct pose at = pose_identity(), world, other;
    const bool is_given = read_place(m, equation, loop->weld, &at);
    if (m->r->n_error > n_error || first == -1 || second == -1)
        return false;
    if (first == -2) {
        robot_warn(m->r, equation->pos, "an equation whose first body is the world is not taken");
        return false;
    }
    const struct pose one = stands(m->r->robot, first),
                      two = second >= 0 ? stands(m->r->robot, second) : pose_identity();
    if (loop->weld && !is_given) {
        const struct pose back = pose_inverse(&one);
        at = pose_compose(&back, &two);
    }
    loop->a = add_frame(m, equation, loop->name, "a", first, &at);
    world = pose_compose(&one, &at);
    const struct pose back = pose_inverse(&two);
    other = loop->weld ? pose_identity() : pose_compose(&back, &world);
    loop->b = second >= 0 ? add_frame(m, equation, loop->name, "b", second, &other) : -1;
    loop->at = other;
    return true;
}

void mjcf_read_loop(struct mjcf *m, const struct xml_element *equation)
{
    struct robot *robot = m->r->robot;
    const char *name = xml_get(equation, "name");
    struct robot_loop loop = { .name = name ? name : arena_printf(m->r->mem, "loop%d", robot->n_loop + 1),
                               .pos = equation->pos,
                               .weld = strcmp(equation->name, "weld") == 0,
                               .at = pose_identity() };
    if (xml_get(equation, "site1") ? !find_sites(m, equation, &loop) : !join_bodies(m, equation, &loop))
        return;
    robot->loop = mem_grow(robot->loop, robot->n_loop, 1, sizeof *robot->loop);
    robot->loop[robot->n_loop++] = loop;
}
