/* core/robot/mjcf_forces.c - what drives the joints of an MJCF, and equations between them */
#include "core/robot/mjcf.h"

#include <math.h>
#include <string.h>

/* --- Actuators ----------------------------------------------------------------------------------------------- */

/* One whose force is its signal, up to a factor. */
static bool is_motor(struct mjcf *m, const struct xml_element *actuator)
{
    bool own;
    const char *gain, *bias, *dyn;
    if (strcmp(actuator->name, "motor") == 0)
        return true;
    gain = mjcf_get(m, actuator, NULL, "gaintype", &own);
    bias = mjcf_get(m, actuator, NULL, "biastype", &own);
    dyn = mjcf_get(m, actuator, NULL, "dyntype", &own);
    return strcmp(actuator->name, "general") == 0 && (!gain || strcmp(gain, "fixed") == 0)
           && (!bias || strcmp(bias, "none") == 0) && (!dyn || strcmp(dyn, "none") == 0);
}

static bool is_servo(const struct xml_element *actuator)
{
    return strcmp(actuator->name, "general") == 0 || strcmp(actuator->name, "position") == 0
           || strcmp(actuator->name, "velocity") == 0;
}

/* Least and largest force, before the gear. */
static void read_force_range(struct mjcf *m, const struct xml_element *actuator, double range[2])
{
    double gain[10] = { 1 }, force[2], control[2];
    range[0] = -INFINITY;
    range[1] = INFINITY;
    if (!is_motor(m, actuator))
        robot_warn(m->r, actuator->pos, "the law of <%s> is not taken: the control is the force or torque itself",
                   actuator->name);
    else if (mjcf_is_limited(m, actuator, NULL, "ctrllimited", "ctrlrange")
             && mjcf_numbers(m, actuator, NULL, "ctrlrange", 2, 2, control) == 2) {
        if (strcmp(actuator->name, "general") == 0)
            mjcf_numbers(m, actuator, NULL, "gainprm", 1, 10, gain);
        range[0] = fmin(gain[0] * control[0], gain[0] * control[1]);
        range[1] = fmax(gain[0] * control[0], gain[0] * control[1]);
    }
    if (mjcf_is_limited(m, actuator, NULL, "forcelimited", "forcerange")
        && mjcf_numbers(m, actuator, NULL, "forcerange", 2, 2, force) == 2) {
        range[0] = fmax(range[0], force[0]);
        range[1] = fmin(range[1], force[1]);
    }
}

static void add_actuator(struct mjcf *m, const struct xml_element *actuator, struct robot_joint *joint)
{
    double range[2], gear[6] = { 1 };
    read_force_range(m, actuator, range);
    mjcf_numbers(m, actuator, NULL, "gear", 1, 6, gear);
    if (gear[0] == 0) {
        robot_warn(m->r, actuator->pos, "an actuator whose gear is 0 is not taken");
        return;
    }
    const double low = fmin(gear[0] * range[0], gear[0] * range[1]),
                 high = fmax(gear[0] * range[0], gear[0] * range[1]);
    joint->effort[0] = joint->has_actuator ? joint->effort[0] + low : fmax(joint->effort[0], low);
    joint->effort[1] = joint->has_actuator ? joint->effort[1] + high : fmin(joint->effort[1], high);
    joint->has_actuator = true;
    if (!(joint->effort[0] < joint->effort[1]))
        robot_error(m->r, actuator->pos, "the least force of the actuator must be below its largest");
}

void mjcf_read_actuators(struct mjcf *m, const struct xml_element *actuators)
{
    for (const struct xml_element *each = actuators->first; each && !robot_gives_up(m->r); each = each->next) {
        bool own;
        const char *name = mjcf_get(m, each, NULL, "joint", &own);
        const int b = name ? robot_find_joint(m->r->robot, name) : -1;
        if (name && b < 0)
            robot_error(m->r, each->pos, "there is no joint \"%.60s\"", name);
        else if (!is_motor(m, each) && !is_servo(each))
            robot_warn(m->r, each->pos, "<%s> is not taken", each->name);
        else if (!name)
            robot_warn(m->r, each->pos, "actuators of tendons, sites, bodies and slider-cranks are not taken");
        else if (!robot_joint_has_axis(m->r->robot->body[b].joint.type))
            robot_warn(m->r, each->pos, "actuators of ball and free joints are not taken");
        else
            add_actuator(m, each, &m->r->robot->body[b].joint);
    }
}

/* --- Equations ----------------------------------------------------------------------------------------------- */

/* joint1 = polycoef(joint2), both from where they are at the start: linear ones are what URDF calls mimic. */
static void read_joint_equation(struct mjcf *m, const struct xml_element *equation)
{
    const char *name1 = robot_need(m->r, equation, "joint1"), *name2 = xml_get(equation, "joint2");
    const int b1 = name1 ? robot_find_joint(m->r->robot, name1) : -1,
              b2 = name2 ? robot_find_joint(m->r->robot, name2) : -1;
    double c[5] = { 0, 1 };
    mjcf_numbers(m, equation, NULL, "polycoef", 1, 5, c);
    if ((name1 && b1 < 0) || (name2 && b2 < 0)) {
        robot_error(m->r, equation->pos, "there is no joint \"%.60s\"", b1 < 0 ? name1 : name2);
        return;
    }
    if (b1 < 0 || b2 < 0 || c[2] != 0 || c[3] != 0 || c[4] != 0
        || !robot_joint_has_axis(m->r->robot->body[b1].joint.type)) {
        robot_warn(m->r, equation->pos, "an equation of joints that is not linear in another joint is not taken");
        return;
    }
    struct robot_joint *joint = &m->r->robot->body[b1].joint;
    joint->mimic = b2;
    joint->offset = c[0];
    joint->ratio = c[1];
    joint->has_actuator = false;
}

void mjcf_read_equations(struct mjcf *m, const struct xml_element *equality)
{
    for (const struct xml_element *each = equality->first; each && !robot_gives_up(m->r); each = each->next) {
        if (mjcf_flag(m, each, NULL, "active", 1) == 0)
            continue;
        if (strcmp(each->name, "joint") == 0)
            read_joint_equation(m, each);
        else if (strcmp(each->name, "connect") == 0 || strcmp(each->name, "weld") == 0)
            mjcf_read_loop(m, each);
        else
            robot_warn(m->r, each->pos, "the equation <%s> is not taken", each->name);
    }
}
