/* test_stance.c - core/robot/stance.h, core/robot/statics.h: postures and what holds them, against
 * levers by hand and against virtual work, by differences of the potential energy and of the places of feet */
#define _POSIX_C_SOURCE 200809L

#include "core/robot/stance.h"

#include "core/base/mem.h"
#include "tests/unit/assertions.h"

#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

static struct robot *read_text(const char *text, enum robot_joint_type base)
{
    struct diag *diag = diag_create();
    struct robot *robot = NULL;
    FILE *file = fmemopen((void *)text, strlen(text), "r"); /* is only read */
    assert_non_null(file);
    assert_int_equal(robot_read_stream(file, "r.xml", &robot, diag), STATUS_OK);
    (void)fclose(file);
    diag_free(diag);
    robot_lump(robot);
    robot->body[0].joint.type = base;
    return robot;
}

#define MASS(m, at)                                                                                               \
    "<inertial><origin xyz='" at "'/><mass value='" m                                                             \
    "'/><inertia ixx='.01' iyy='.01' izz='.01' ixy='0' ixz='0' "                                                  \
    "iyz='0'/></inertial>"
#define BALL(at) "<collision><origin xyz='" at "'/><geometry><sphere radius='0.02'/></geometry></collision>"
#define LINK(name, what) "<link name='" name "'>" what "</link>"
#define JOINT(name, type, from, to, at, limits)                                                                   \
    "<joint name='" name "' type='" type "'><parent link='" from "'/><child link='" to "'/><origin xyz='" at      \
    "'/>"                                                                                                         \
    "<axis xyz='0 1 0'/><limit effort='100' velocity='9' " limits "/></joint>"

/* An arm that is stretched out along x: each joint bears the weights that are further out. */
static void an_arm_bears_its_levers(void **state)
{
    (void)state;
    struct robot *robot = read_text(
        "<robot name='arm'>" LINK("base", "") LINK("upper", MASS("2", ".3 0 0")) LINK("lower", MASS("1", ".2 0 0"))
            JOINT("shoulder", "revolute", "base", "upper", "0 0 1", "lower='-1' upper='1'")
                JOINT("elbow", "revolute", "upper", "lower", ".6 0 0", "lower='-1' upper='1'") "</robot>",
        ROBOT_FIXED);
    struct robot_stance stance = robot_stand(robot);
    assert_int_equal(stance.n_foot, 0);
    assert_near(stance.torque[2], -1 * g * 0.2, 1e-12);
    assert_near(stance.torque[1], -2 * g * 0.3 - 1 * g * 0.8, 1e-12);
    assert_near(stance.left, 0, 1e-12);
    robot_stance_free(&stance);
    robot_free(robot);
}

/* A slide that follows a hinge by 0.2 m/rad lifts its 1 kg by that: the hinge bears it, too. */
static void a_slide_that_follows_a_hinge_hangs_on_it(void **state)
{
    (void)state;
    struct robot *robot = read_text(
        "<robot name='grip'>" LINK("base", "") LINK("arm", MASS("2", ".3 0 0")) LINK("tip", MASS("1", "0 0 0"))
            JOINT("turn", "revolute", "base", "arm", "0 0 1", "lower='-1' upper='1'")
        "<joint name='slide' type='prismatic'><parent link='arm'/><child link='tip'/><origin xyz='.5 0 0'/>"
        "<axis xyz='0 0 1'/><limit effort='9' velocity='9' lower='-1' upper='1'/>"
        "<mimic joint='turn' multiplier='0.2'/></joint></robot>",
        ROBOT_FIXED);
    struct robot_stance stance = robot_stand(robot);
    assert_near(stance.torque[1], g * (0.2 - 2 * 0.3 - 0.5), 1e-12);
    assert_near(stance.torque[2], 0, 0);
    robot_stance_free(&stance);
    robot_free(robot);
}

/* Of more than 64 feet it is not looked for what holds them. */
static void many_feet_have_no_forces(void **state)
{
    (void)state;
    char text[16384] = "<mujoco><worldbody><body name='trunk'><freejoint/><geom size='.1' mass='5'/>";
    for (int k = 0; k < 65; k++) {
        const size_t n = strlen(text);
        (void)snprintf(text + n, sizeof text - n,
                       "<body name='l%d'><joint axis='0 1 0'/><geom size='.02' pos='0 %d -.3' mass='.1'/></body>", k,
                       k);
    }
    strcat(text, "</body></worldbody></mujoco>");
    struct robot *robot = read_text(text, ROBOT_FREE);
    struct robot_stance stance = robot_stand(robot);
    assert_int_equal(stance.n_foot, 65);
    assert_null(stance.force);
    assert_near(stance.lowest, -0.32, 1e-12);
    robot_stance_free(&stance);
    robot_free(robot);
}

/* What stands on one ball beside its centre of mass tips over: a lever of 0.1 m. */
static void what_tips_over_is_told(void **state)
{
    (void)state;
    struct robot *robot =
        read_text("<robot name='top'>" LINK("body", MASS("3", ".1 0 .5") BALL("0 0 0")) "</robot>", ROBOT_FREE);
    struct robot_stance stance = robot_stand(robot);
    assert_int_equal(stance.n_foot, 1);
    assert_near(stance.lowest, -0.02, 1e-12);
    assert_true(stance.left > 0.01);
    robot_stance_free(&stance);
    robot_free(robot);
}

#define LEG(side, y)                                                                                              \
    LINK("thigh_" side, MASS("1", "0 0 -.1"))                                                                     \
    LINK("shank_" side, MASS(".5", "0 0 -.1") BALL("0 0 -.2"))                                                    \
        JOINT("hip_" side, "revolute", "trunk", "thigh_" side, "0.1 " y " 0", "lower='-2' upper='2'")             \
            JOINT("knee_" side, "revolute", "thigh_" side, "shank_" side, "0 0 -.2", "lower='-2.5' upper='-.2'")
#define HIND_LEG(side, y)                                                                                         \
    LINK("rear_" side, MASS("1", "0 0 -.1") BALL("0 0 -.3"))                                                      \
    JOINT("hind_" side, "revolute", "trunk", "rear_" side, "-0.2 " y " 0", "lower='-2' upper='2'")

static double potential(const struct robot *robot, const double *q, struct pose *place)
{
    double sum = 0, at[3];
    robot_place(robot, q, place);
    for (int b = 0; b < robot->n_body; b++) {
        pose_apply(&place[b], robot->body[b].inertia.center, at);
        sum += robot->body[b].inertia.mass * g * at[2];
    }
    return sum;
}

/* Work of the weights and of the forces on the points `touch` of the feet's bodies, per small motion of a joint.
 */
static double virtual_work(const struct robot *robot, const struct robot_stance *stance, double (*touch)[3], int b,
                           struct pose *place)
{
    const double h = 1e-6;
    double sum = 0;
    for (int side = -1; side <= 1; side += 2) {
        stance->q[b] += side * h;
        sum -= side * potential(robot, stance->q, place) / (2 * h);
        for (int k = 0; k < stance->n_foot; k++) {
            double at[3];
            pose_apply(&place[stance->foot[k].body], touch[k], at);
            for (int i = 0; i < 3; i++)
                sum += side * stance->force[3 * k + i] * at[i] / (2 * h);
        }
        stance->q[b] -= side * h;
    }
    return sum;
}

static void a_quadruped_is_in_balance(void **state)
{
    (void)state;
    struct robot *robot = read_text("<robot name='dog'>" LINK("trunk", MASS("6", "-.02 0 .01")) LEG("l", ".1")
                                        LEG("r", "-.1") HIND_LEG("l", ".1") HIND_LEG("r", "-.1") "</robot>",
                                    ROBOT_FREE);
    struct robot_stance stance = robot_stand(robot);
    struct pose *place = mem_alloc((size_t)robot->n_body, sizeof *place);
    double sum[3] = { 0 }, moment[3] = { 0 }, mass = 0, touch[4][3];
    assert_int_equal(stance.n_foot, 4);
    assert_true(stance.left < 1e-9);
    robot_place(robot, stance.q, place);
    for (int k = 0; k < 4; k++) {
        const double *f = stance.force + (ptrdiff_t)(3 * k);
        double at[3];
        pose_apply(&place[stance.foot[k].body], stance.foot[k].at, at);
        at[2] -= 0.02;
        const struct pose back = pose_inverse(&place[stance.foot[k].body]);
        pose_apply(&back, at, touch[k]);
        assert_near(at[2], stance.lowest, 1e-9);
        assert_true(hypot(f[0], f[1]) <= robot_usual_friction * f[2] * (1 + 1e-9));
        for (int i = 0; i < 3; i++) {
            sum[i] += f[i];
            moment[i] += at[(i + 1) % 3] * f[(i + 2) % 3] - at[(i + 2) % 3] * f[(i + 1) % 3];
        }
    }
    for (int b = 0; b < robot->n_body; b++) {
        const double m = robot->body[b].inertia.mass;
        double at[3];
        pose_apply(&place[b], robot->body[b].inertia.center, at);
        mass += m;
        moment[0] -= at[1] * m * g;
        moment[1] += at[0] * m * g;
    }
    assert_near(sum[2], mass * g, 1e-6);
    assert_near(sum[0], 0, 1e-6);
    assert_near(sum[1], 0, 1e-6);
    for (int i = 0; i < 3; i++)
        assert_near(moment[i], 0, 1e-6);
    for (int b = 1; b < robot->n_body; b++)
        assert_near(stance.torque[b] + virtual_work(robot, &stance, touch, b, place), 0, 1e-6);
    free(place);
    robot_stance_free(&stance);
    robot_free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arm_bears_its_levers),
        cmocka_unit_test(a_slide_that_follows_a_hinge_hangs_on_it),
        cmocka_unit_test(many_feet_have_no_forces),
        cmocka_unit_test(what_tips_over_is_told),
        cmocka_unit_test(a_quadruped_is_in_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
