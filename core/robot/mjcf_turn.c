/* core/robot/mjcf_turn.c - where something is, and how it is turned: quat, axisangle, euler, xyaxes or zaxis */
#include "core/robot/mjcf.h"

#include "core/base/pi.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

double mjcf_angle(const struct mjcf *m, double given)
{
    return m->degrees ? given * (PI / 180) : given;
}

static bool has_length(struct mjcf *m, const struct xml_element *element, const char *name, int n, const double *v)
{
    double square = 0;
    for (int i = 0; i < n; i++)
        square += v[i] * v[i];
    if (square > 0 && isfinite(square))
        return true;
    robot_error(m->r, element->pos, "%s: a vector without length", name);
    return false;
}

/* Letters of the sequence in lower case turn about axes that turn along, in upper case about fixed ones. */
static void of_euler(const struct mjcf *m, const double angle[3], double R[9])
{
    struct pose sum = pose_identity();
    for (int i = 0; i < 3; i++) {
        const double axis[3] = { tolower((unsigned char)m->euler[i]) == 'x',
                                 tolower((unsigned char)m->euler[i]) == 'y',
                                 tolower((unsigned char)m->euler[i]) == 'z' };
        double turn[9], next[9];
        rotation_about(axis, mjcf_angle(m, angle[i]), turn);
        if (islower((unsigned char)m->euler[i]))
            rotation_multiply(sum.R, turn, next);
        else
            rotation_multiply(turn, sum.R, next);
        memcpy(sum.R, next, sizeof next);
    }
    memcpy(R, sum.R, sizeof sum.R);
}

/* x as it is, y made orthogonal to it. */
static void of_xyaxes(const double v[6], double R[9])
{
    const double n_x = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double along = 0, n_y = 0;
    for (int i = 0; i < 3; i++)
        R[i] = v[i] / n_x;
    for (int i = 0; i < 3; i++)
        along += R[i] * v[3 + i];
    for (int i = 0; i < 3; i++) {
        R[3 + i] = v[3 + i] - along * R[i];
        n_y += R[3 + i] * R[3 + i];
    }
    for (int i = 0; i < 3; i++)
        R[3 + i] /= sqrt(n_y);
    for (int i = 0; i < 3; i++)
        R[6 + i] = R[(i + 1) % 3] * R[3 + (i + 2) % 3] - R[(i + 2) % 3] * R[3 + (i + 1) % 3];
}

/* One of the forms, if the attribute is given; those of the element itself count before those of its class. */
static bool read_form(struct mjcf *m, const struct xml_element *element, const char *class, bool own_only,
                      const char *name, double R[9])
{
    bool own;
    double v[6];
    const char *text = mjcf_get(m, element, class, name, &own);
    const int n = name[0] == 'x' ? 6 : name[0] == 'q' || name[0] == 'a' ? 4 : 3;
    if (!text || own != own_only)
        return false;
    if (robot_numbers_of(m->r, element->pos, name, text, true, n, n, v) < 0)
        return true;
    if (name[0] != 'e' && !has_length(m, element, name, name[0] == 'q' ? 4 : 3, v))
        return true;
    switch (name[0]) {
    case 'q': rotation_of_quaternion(v, R); break;
    case 'a': rotation_about(v, mjcf_angle(m, v[3]), R); break;
    case 'e': of_euler(m, v, R); break;
    case 'x': of_xyaxes(v, R); break;
    default:  rotation_of_z(v, R); break;
    }
    return true;
}

struct pose mjcf_pose(struct mjcf *m, const struct xml_element *element, const struct mjcf_place *place)
{
    static const char *const form[] = { "axisangle", "xyaxes", "zaxis", "euler", "quat" };
    enum { N_FORM = sizeof form / sizeof *form };
    struct pose at = pose_identity();
    bool turned = false;
    mjcf_numbers(m, element, place->class, "pos", 3, 3, at.p);
    for (int own = 1; own >= 0; own--)
        for (int k = 0; k < N_FORM && !turned; k++)
            turned = read_form(m, element, place->class, own, form[k], at.R);
    if (!(fabs(at.R[0] + at.R[4] + at.R[8]) <= 4))          /* xyaxes along each other */
        robot_error(m->r, element->pos, "xyaxes: the two axes are parallel");
    return pose_compose(&place->at, &at);
}
