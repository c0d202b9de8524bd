/* core/robot/mjcf_geoms.c - shapes of an MJCF, and the masses of those that have a density or a mass */
#include "core/robot/mjcf.h"

#include "core/base/pi.h"

#include <math.h>
#include <string.h>

enum { N_TYPE = 7 };
static const char *const type_word[N_TYPE] = {
    [ROBOT_SPHERE] = "sphere", [ROBOT_CAPSULE] = "capsule", [ROBOT_CYLINDER] = "cylinder", [ROBOT_BOX] = "box",
    [ROBOT_ELLIPSOID] = "ellipsoid", [ROBOT_PLANE] = "plane", [ROBOT_MESH] = "mesh"
};

/* --- Masses -------------------------------------------------------------------------------------------------- */

static double volume(const struct robot_shape *s)
{
    const double *h = s->half, r = s->radius;
    switch (s->type) {
    case ROBOT_SPHERE:    return 4 * PI / 3 * r * r * r;
    case ROBOT_CAPSULE:   return PI * r * r * 2 * h[2] + 4 * PI / 3 * r * r * r;
    case ROBOT_CYLINDER:  return PI * r * r * 2 * h[2];
    case ROBOT_BOX:       return 8 * h[0] * h[1] * h[2];
    case ROBOT_ELLIPSOID: return 4 * PI / 3 * h[0] * h[1] * h[2];
    case ROBOT_PLANE:
    case ROBOT_MESH:      break;
    }
    return 0;
}

/* The halves of the ball at the ends of a capsule have their centres 3 r/8 beyond the ends of its axis. */
static void capsule_moments(const struct robot_shape *s, double mass, double moment[3])
{
    const double r = s->radius, l = 2 * s->half[2], ball = mass * 4 * r / (4 * r + 3 * l), tube = mass - ball;
    moment[0] = moment[1] = tube * (3 * r * r + l * l) / 12 + ball * (2 * r * r / 5 + l * (2 * l + 3 * r) / 8);
    moment[2] = tube * r * r / 2 + ball * 2 * r * r / 5;
}

static void moments(const struct robot_shape *s, double mass, double moment[3])
{
    const double r = s->radius, *h = s->half;
    for (int i = 0; i < 3; i++) {
        const double *a = &h[(i + 1) % 3], *b = &h[(i + 2) % 3];
        moment[i] = s->type == ROBOT_SPHERE ? mass * 2 * r * r / 5
                    : s->type == ROBOT_BOX  ? mass * (*a * *a + *b * *b) / 3
                                            : mass * (*a * *a + *b * *b) / 5;       /* an ellipsoid */
    }
    if (s->type == ROBOT_CYLINDER) {
        moment[0] = moment[1] = mass * (3 * r * r + 4 * h[2] * h[2]) / 12;
        moment[2] = mass * r * r / 2;
    } else if (s->type == ROBOT_CAPSULE) {
        capsule_moments(s, mass, moment);
    }
}

static void add_mass(struct mjcf *m, const struct xml_element *geom, const char *class,
                     const struct robot_shape *shape, struct inertia *sum)
{
    double density = 1000, mass, group = 0, moment[3];
    mjcf_number(m, geom, class, "group", &group);
    mjcf_number(m, geom, class, "density", &density);
    const bool by_mass = mjcf_number(m, geom, class, "mass", &mass);
    if (group < m->group[0] || group > m->group[1] || shape->type == ROBOT_PLANE
        || (by_mass ? mass == 0 : density == 0))
        return;
    if (shape->type == ROBOT_MESH) {
        robot_warn(m->r, geom->pos, "the mass of meshes is not known here: their bodies need an <inertial>");
        return;
    }
    if (mjcf_flag(m, geom, class, "shellinertia", 0) > 0)
        robot_warn(m->r, geom->pos, "shellinertia is not taken: the mass fills the shape");
    if (!by_mass)
        mass = density * volume(shape);
    moments(shape, mass, moment);
    const struct inertia own = { .mass = mass, .tensor = { moment[0], 0, 0, 0, moment[1], 0, 0, 0, moment[2] } };
    const struct inertia seen = inertia_seen(&shape->at, &own);
    robot_check_inertia(m->r, geom->pos, &own);
    inertia_add(sum, &seen);
}

/* --- Shapes -------------------------------------------------------------------------------------------------- */

static enum robot_shape_type shape_type(struct mjcf *m, const struct xml_element *geom, const char *class)
{
    bool own;
    const char *given = mjcf_get(m, geom, class, "type", &own);
    if (mjcf_get(m, geom, class, "mesh", &own))
        return ROBOT_MESH;
    for (int k = 0; given && k < N_TYPE; k++)
        if (strcmp(given, type_word[k]) == 0)
            return (enum robot_shape_type)k;
    if (given)
        robot_warn(m->r, geom->pos, "shapes of type %.40s are not taken", given);
    return given ? ROBOT_MESH : ROBOT_SPHERE;
}

/* Along the line between two points in place of pos and an orientation, as thick as the first size; z points back,
 * as MuJoCo has it. */
static void read_fromto(struct mjcf *m, const struct xml_element *geom, const struct mjcf_place *place,
                        struct robot_shape *shape)
{
    double end[6], along[3], square = 0;
    struct pose at = pose_identity();
    if (mjcf_numbers(m, geom, place->class, "fromto", 6, 6, end) != 6)
        return;
    for (int i = 0; i < 3; i++) {
        at.p[i] = (end[i] + end[3 + i]) / 2;
        along[i] = end[i] - end[3 + i];
        square += along[i] * along[i];
    }
    if (!(square > 0)) {
        robot_error(m->r, geom->pos, "fromto: the two points are the same");
        return;
    }
    rotation_of_z(along, at.R);
    shape->half[2] = sqrt(square) / 2;
    shape->at = pose_compose(&place->at, &at);
}

static void read_size(struct mjcf *m, const struct xml_element *geom, const struct mjcf_place *place,
                      struct robot_shape *shape)
{
    double size[3] = { 0 };
    const bool is_round =
        shape->type == ROBOT_SPHERE || shape->type == ROBOT_CAPSULE || shape->type == ROBOT_CYLINDER;
    const int n = mjcf_numbers(m, geom, place->class, "size", 1, 3, size);
    bool own;
    const bool by_ends = mjcf_get(m, geom, place->class, "fromto", &own) != NULL;
    if (shape->type == ROBOT_PLANE || shape->type == ROBOT_MESH || n < 0)
        return;
    if (by_ends && !is_round)
        size[1] = size[0];
    if (!(size[0] > 0) || (!is_round && !(size[1] > 0)))
        robot_error(m->r, geom->pos, "the size of a %s must be above 0", type_word[shape->type]);
    shape->radius = is_round ? size[0] : 0;
    shape->half[0] = is_round ? 0 : size[0];
    shape->half[1] = is_round ? 0 : size[1];
    shape->half[2] = is_round ? size[1] : size[2];
    if (by_ends)
        read_fromto(m, geom, place, shape);
}

void mjcf_read_geom(struct mjcf *m, const struct xml_element *geom, const struct mjcf_place *place,
                    struct inertia *sum)
{
    double contype = 1, conaffinity = 1, friction[3] = { 1 };
    bool own;
    struct robot_shape *shape = robot_add_shape(m->r, xml_get(geom, "name"), geom->pos, place->body);
    mjcf_number(m, geom, place->class, "contype", &contype);
    mjcf_number(m, geom, place->class, "conaffinity", &conaffinity);
    mjcf_numbers(m, geom, place->class, "friction", 1, 3, friction);
    shape->type = shape_type(m, geom, place->class);
    shape->at = mjcf_pose(m, geom, place);
    shape->collides = contype != 0 || conaffinity != 0;
    shape->friction = friction[0];
    shape->mesh = mjcf_get(m, geom, place->class, "mesh", &own);
    read_size(m, geom, place, shape);
    if (sum)
        add_mass(m, geom, place->class, shape, sum);
}
