/* core/robot/reader.c - what both formats need on the way from a file to a robot */
#include "core/robot/reader.h"

#include "core/base/mem.h"
#include "core/base/regular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Messages ------------------------------------------------------------------------------------------------ */

enum status robot_error(struct robot_reader *r, struct srcpos pos, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!robot_gives_up(r))
        diag_vadd(r->diag, DIAG_ERROR, STATUS_SPEC, pos, NULL, fmt, args);
    va_end(args);
    r->n_error++;
    if (r->st == STATUS_OK)
        r->st = STATUS_SPEC;
    return STATUS_SPEC;
}

bool robot_gives_up(const struct robot_reader *r)
{
    return r->n_error >= READER_MAX_ERRORS;
}

void robot_warn(struct robot_reader *r, struct srcpos pos, const char *fmt, ...)
{
    char text[200];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    for (int i = 0; i < r->n_warned; i++)
        if (strcmp(r->warned[i], text) == 0)
            return;
    if (r->n_warned == READER_MAX_WARNINGS)
        return;
    r->warned[r->n_warned++] = arena_copy_text(r->mem, text);
    diag_add(r->diag, DIAG_WARNING, STATUS_OK, pos, NULL, "%s", text);
}

/* --- Attributes ---------------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

int robot_numbers_of(struct robot_reader *r, struct srcpos pos, const char *name, const char *text, bool finite,
                     int n_min, int n_max, double *out)
{
    double value[16];
    int n = 0;
    for (const char *next = text;;) {
        while (is_blank(*next))
            next++;
        if (!*next)
            break;
        char *end = NULL;
        const double x = strtod(next, &end);
        const size_t length = strcspn(next, " \t\r\n");
        if (end != next + length || isnan(x) || (finite && isinf(x))) {
            robot_error(r, pos, "%s: \"%.*s\" is no %snumber%s", name, length < 40 ? (int)length : 40, next,
                        finite && end == next + length ? "finite " : "",
                        strchr(next, '$') ? "; xacro files become URDF by: xacro FILE > robot.urdf" : "");
            return -1;
        }
        if (n < n_max)
            value[n] = x;
        n++;
        next += length;
    }
    if (n < n_min || n > n_max) {
        robot_error(r, pos, "%s: expected %d number%s, got %d", name, n < n_min ? n_min : n_max,
                    (n < n_min ? n_min : n_max) == 1 ? "" : "s", n);
        return -1;
    }
    memcpy(out, value, (size_t)n * sizeof *out);
    return n;
}

int robot_numbers(struct robot_reader *r, const struct xml_element *element, const char *name, int n_min, int n_max,
                  double *out)
{
    const char *text = xml_get(element, name);
    return text ? robot_numbers_of(r, element->pos, name, text, true, n_min, n_max, out) : 0;
}

bool robot_number(struct robot_reader *r, const struct xml_element *element, const char *name, double *out)
{
    return robot_numbers(r, element, name, 1, 1, out) == 1;
}

bool robot_limit(struct robot_reader *r, const struct xml_element *element, const char *name, double *out)
{
    const char *text = xml_get(element, name);
    return text && robot_numbers_of(r, element->pos, name, text, false, 1, 1, out) == 1;
}

const char *robot_need(struct robot_reader *r, const struct xml_element *element, const char *name)
{
    const char *value = xml_get(element, name);
    if (!value)
        robot_error(r, element->pos, "<%s> lacks its attribute \"%s\"", element->name, name);
    return value;
}

/* --- Lists --------------------------------------------------------------------------------------------------- */

void robot_init_joint(struct robot_joint *joint)
{
    *joint = (struct robot_joint){ .type = ROBOT_FIXED,
                                   .axis = { 1, 0, 0 },
                                   .lower = -INFINITY,
                                   .upper = INFINITY,
                                   .speed = INFINITY,
                                   .effort = { -INFINITY, INFINITY },
                                   .reduction = NAN,
                                   .mimic = -1,
                                   .ratio = 1 };
}

struct robot_body *robot_add_body(struct robot_reader *r, const char *name, struct srcpos pos)
{
    struct robot *robot = r->robot;
    if (robot->n_body == ROBOT_MAX_BODIES) {
        robot_error(r, pos, "more than %d bodies", ROBOT_MAX_BODIES);
        r->n_error = READER_MAX_ERRORS;
        return NULL;
    }
    robot->body = mem_grow(robot->body, robot->n_body, 1, sizeof *robot->body);
    struct robot_body *body = &robot->body[robot->n_body++];
    *body = (struct robot_body){ .name = name, .pos = pos, .parent = -1, .at = pose_identity() };
    robot_init_joint(&body->joint);
    body->joint.pos = pos;
    return body;
}

struct robot_frame *robot_add_frame(struct robot_reader *r, const char *name, struct srcpos pos, int body)
{
    struct robot *robot = r->robot;
    robot->frame = mem_grow(robot->frame, robot->n_frame, 1, sizeof *robot->frame);
    struct robot_frame *frame = &robot->frame[robot->n_frame++];
    *frame = (struct robot_frame){ .name = name, .pos = pos, .body = body, .at = pose_identity() };
    return frame;
}

struct robot_shape *robot_add_shape(struct robot_reader *r, const char *name, struct srcpos pos, int body)
{
    struct robot *robot = r->robot;
    robot->shape = mem_grow(robot->shape, robot->n_shape, 1, sizeof *robot->shape);
    struct robot_shape *shape = &robot->shape[robot->n_shape++];
    *shape = (struct robot_shape){ .name = name, .pos = pos, .body = body, .at = pose_identity(), .friction = NAN };
    return shape;
}

/* --- What no body has ---------------------------------------------------------------------------------------- */

void robot_unit(struct robot_reader *r, struct srcpos pos, double axis[3])
{
    const double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(n > 0 && isfinite(n))) {
        robot_error(r, pos, "the axis has no length");
        return;
    }
    for (int i = 0; i < 3; i++)
        axis[i] /= n;
}

void robot_check_inertia(struct robot_reader *r, struct srcpos pos, const struct inertia *inertia)
{
    double moment[3];
    inertia_moments(inertia->tensor, moment);
    const double most = fmax(fabs(moment[0]), fabs(moment[2]));
    if (!(inertia->mass >= 0 && isfinite(inertia->mass)))
        robot_error(r, pos, "a mass of %.9g kg: it must be 0 or more", inertia->mass);
    if (!isfinite(most))
        robot_error(r, pos, "the inertia is not finite");
    else if (moment[0] < -1e-9 * most || moment[0] + moment[1] < moment[2] * (1 - 1e-6))
        robot_warn(r, pos, "no rigid body has this inertia: %s", moment[0] < -1e-9 * most
                   ? "a principal moment is negative" : "a principal moment is larger than the sum of the others");
}

/* The last one of a chain without mass and armature has no equation of motion, and then neither has the one before
 * it. */
void robot_fix_idle_ends(struct robot_reader *r)
{
    struct robot *robot = r->robot;
    bool *is_needed = arena_alloc(r->mem, (size_t)robot->n_body, sizeof *is_needed);
    const struct robot_body *first = NULL;
    int n = 0;
    for (int l = 0; l < robot->n_loop; l++) {               /* a loop moves what is on its other side */
        is_needed[robot->frame[robot->loop[l].a].body] = true;
        if (robot->loop[l].b >= 0)
            is_needed[robot->frame[robot->loop[l].b].body] = true;
    }
    for (int again = 2; again > 0; again--)                 /* what is followed may come before or behind */
        for (int b = robot->n_body - 1; b >= 0; b--) {
            const struct robot_body *body = &robot->body[b];
            const double *tensor = body->inertia.tensor;
            is_needed[b] = is_needed[b] || body->inertia.mass > 0 || tensor[0] + tensor[4] + tensor[8] > 0
                           || (body->joint.type != ROBOT_FIXED && body->joint.armature > 0);
            if (is_needed[b] && body->parent >= 0)
                is_needed[body->parent] = true;
            if (is_needed[b] && body->joint.mimic >= 0)
                is_needed[body->joint.mimic] = true;
        }
    for (int b = robot->n_body - 1; b >= 0; b--) {
        const struct robot_joint *joint = &robot->body[b].joint;
        if (is_needed[b] || !robot_joint_has_axis(joint->type))
            continue;
        first = &robot->body[b];
        n++;
        if (joint->mimic < 0)
            robot_lock(robot, b, fmin(fmax(0, joint->lower), joint->upper));
    }
    if (first)
        robot_warn(r, first->joint.pos, "%d joint%s no mass and %s fixed, as \"%s\"", n,
                   n == 1 ? " moves" : "s move", n == 1 ? "is" : "are",
                   first->joint.name ? first->joint.name : first->name);
}

void robot_follow_mimics(struct robot_reader *r)
{
    struct robot *robot = r->robot;
    for (int b = 0; b < robot->n_body; b++) {
        struct robot_joint *joint = &robot->body[b].joint;
        int steps = 0;
        for (; joint->mimic >= 0 && robot->body[joint->mimic].joint.mimic >= 0 && steps <= robot->n_body; steps++) {
            const struct robot_joint *next = &robot->body[joint->mimic].joint;
            joint->offset += joint->ratio * next->offset;
            joint->ratio *= next->ratio;
            joint->mimic = next->mimic;
        }
        if (joint->mimic >= 0 && (steps > robot->n_body || joint->mimic == b)) {
            robot_error(r, joint->pos, "joints that mimic each other go round in a circle");
            return;
        }
        if (joint->mimic >= 0 && !robot_joint_has_axis(robot->body[joint->mimic].joint.type))
            robot_error(r, joint->pos, "joint \"%.60s\" mimics one that has no axis",
                        joint->name ? joint->name : "");
    }
}

/* --- Further files ------------------------------------------------------------------------------------------- */

struct xml_element *robot_read_xml(struct robot_reader *r, const char *path, const char *what, struct srcpos pos)
{
    const char *why = NULL;
    struct xml_element *root = NULL;
    FILE *file = regular_open(path, what, r->diag, &why);
    if (!file) {
        robot_error(r, pos, "cannot read \"%s\": %s", path, why);
        return NULL;
    }
    const enum status st = xml_read(file, path, r->mem, &r->n_element, &root, r->diag);
    (void)fclose(file);
    if (st != STATUS_OK && r->st == STATUS_OK)
        r->st = st;
    return root;
}
