/* test_robot.c - core/robot/robot.h: what the files of robots say, by hand, by Pinocchio 4 and by
 * MuJoCo
 *
 * tests/robots/ holds a URDF and an MJCF with every kind of joint; `make acceptance` compares whole robots of
 * others. */
#define _POSIX_C_SOURCE 200809L

#include "core/robot/robot.h"

#include "core/base/mem.h"
#include "core/base/pi.h"
#include "tests/unit/assertions.h"

#include <stdlib.h>
#include <string.h>

struct fixture {
    struct robot *robot;
    struct diag *diag;
    enum status st;
};

static struct fixture read_text(const char *text)
{
    struct fixture f = { .diag = diag_create() };
    FILE *file = fmemopen((void *)text, strlen(text), "r");      /* is only read */
    assert_non_null(file);
    f.st = robot_read_stream(file, "r.xml", &f.robot, f.diag);
    (void)fclose(file);
    return f;
}

static struct fixture read_file(const char *path)
{
    struct fixture f = { .diag = diag_create() };
    f.st = robot_read(path, (struct srcpos){ NULL, 0, 0 }, &f.robot, f.diag);
    if (f.st != STATUS_OK)
        diag_print(f.diag, stderr);
    assert_int_equal(f.st, STATUS_OK);
    return f;
}

static void done(struct fixture *f)
{
    robot_free(f->robot);
    diag_free(f->diag);
}

static int find_body(const struct fixture *f, const char *name)
{
    for (int b = 0; b < f->robot->n_body; b++)
        if (strcmp(f->robot->body[b].name, name) == 0)
            return b;
    fail_msg("there is no body \"%s\"", name);
    return -1;
}

static const struct robot_body *body_of(const struct fixture *f, const char *name)
{
    return &f->robot->body[find_body(f, name)];
}

static const struct robot_joint *joint_of(const struct fixture *f, const char *name)
{
    const int b = robot_find_joint(f->robot, name);
    if (b < 0)
        fail_msg("there is no joint \"%s\"", name);
    return &f->robot->body[b].joint;
}

static const struct robot_frame *frame_of(const struct fixture *f, const char *name)
{
    for (int k = 0; k < f->robot->n_frame; k++)
        if (strcmp(f->robot->frame[k].name, name) == 0)
            return &f->robot->frame[k];
    fail_msg("there is no frame \"%s\"", name);
    return NULL;
}

static void assert_numbers(int n, const double *value, const double *expected, double tol)
{
    for (int i = 0; i < n; i++)
        assert_near(value[i], expected[i], tol);
}

/* Mass, centre and the upper triangle of the inertia, row by row. */
static void assert_inertia(const struct inertia *have, double mass, const double center[3], const double row[6],
                           double tol)
{
    static const int at[] = { 0, 3, 6, 4, 7, 8 };
    assert_near(have->mass, mass, tol);
    assert_numbers(3, have->center, center, tol);
    for (int k = 0; k < 6; k++)
        assert_near(have->tensor[at[k]], row[k], tol);
}

static bool says(struct fixture *f, const char *text)
{
    for (int k = 0; diag_line(f->diag, k); k++)
        if (strstr(diag_line(f->diag, k), text))
            return true;
    return false;
}

/* --- Poses --------------------------------------------------------------------------------------------------- */

static void rotations_agree_with_closed_forms(void **state)
{
    (void)state;
    const double rpy[3] = { 0, 0, PI / 2 }, z[3] = { 0.6, 0, 0.8 }, down[3] = { 0, 0, -1 }, q[4] = { 2, 0, 2, 0 };
    struct pose at = pose_identity();
    double out[3];
    rotation_of_rpy(rpy, at.R);
    pose_rotate(&at, (double[]){ 1, 0, 0 }, out);
    assert_numbers(3, out, (double[]){ 0, 1, 0 }, 1e-15);
    rotation_of_z(z, at.R);
    pose_rotate(&at, (double[]){ 0, 0, 1 }, out);
    assert_numbers(3, out, z, 1e-15);
    rotation_of_z(down, at.R);
    pose_rotate(&at, (double[]){ 0, 0, 1 }, out);
    assert_numbers(3, out, down, 1e-15);
    rotation_of_quaternion(q, at.R);                        /* of any length: a right angle about y */
    pose_rotate(&at, (double[]){ 0, 0, 1 }, out);
    assert_numbers(3, out, (double[]){ 1, 0, 0 }, 1e-15);
}

/* Quaternions of turns about all axes, by more and less than half a turn, give the same turn again. */
static void quaternions_lead_back_to_their_rotations(void **state)
{
    (void)state;
    for (int k = 0; k < 60; k++) {
        const double axis[3] = { cos(k), sin(2.0 * k), k % 3 - 1 + 0.1 }, angle = -4 + 0.15 * k;
        double R[9], again[9], q[4];
        rotation_about(axis, angle, R);
        rotation_to_quaternion(R, q);
        rotation_of_quaternion(q, again);
        assert_numbers(9, again, R, 1e-14);
        assert_true(q[0] >= 0);
    }
}

static void two_points_are_a_dumbbell(void **state)
{
    (void)state;
    struct inertia sum = { .mass = 2, .center = { 0, 0, 0 } };
    const struct inertia other = { .mass = 2, .center = { 0, 0, 3 } };
    inertia_add(&sum, &other);
    assert_inertia(&sum, 4, (double[]){ 0, 0, 1.5 }, (double[]){ 9, 0, 0, 9, 0, 0 }, 1e-14);     /* 2 m (l/2)^2 */
}

/* --- URDF ---------------------------------------------------------------------------------------------------- */

static void urdf_joints_are_read(void **state)
{
    (void)state;
    struct fixture f = read_file("tests/robots/arm.urdf");
    assert_int_equal(f.robot->n_body, 7);
    const struct robot_joint *shoulder = joint_of(&f, "shoulder"), *slide2 = joint_of(&f, "slide2");
    assert_int_equal(shoulder->type, ROBOT_REVOLUTE);
    assert_numbers(3, shoulder->axis, (double[]){ 0, 0, 1 }, 0);
    assert_numbers(2, &shoulder->lower, (double[]){ -2, 1.5 }, 0);
    assert_numbers(2, shoulder->effort, (double[]){ -40, 40 }, 0);
    assert_numbers(2, (double[]){ shoulder->damping, shoulder->friction }, (double[]){ 0.7, 0.2 }, 0);
    assert_near(shoulder->speed, 3, 0);
    assert_near(shoulder->reduction, 50, 0);
    assert_int_equal(joint_of(&f, "wheel")->type, ROBOT_CONTINUOUS);
    assert_true(isinf(joint_of(&f, "wheel")->upper));
    /* -2 (0.5 q + 0.002) + 0.01 of the joint at the end of the chain */
    assert_int_equal(slide2->mimic, robot_find_joint(f.robot, "slide"));
    assert_near(slide2->ratio, -1, 1e-15);
    assert_near(slide2->offset, 0.006, 1e-15);
    assert_false(slide2->has_actuator);
    done(&f);
}

/* Reference: Pinocchio 4, buildModelFromUrdf of the same file. */
static void fixed_links_are_lumped(void **state)
{
    (void)state;
    struct fixture f = read_file("tests/robots/arm.urdf");
    robot_lump(f.robot);
    assert_int_equal(f.robot->n_body, 6);
    assert_inertia(&body_of(&f, "upper")->inertia, 4,
                   (double[]){ 0.3, 0.047766824456280305, 0.014776010333066983 },
                   (double[]){ 0.045, -0.016106729782512125, -0.00791040413322679, 0.07087332192545162,
                               -0.003823212366975177, 0.0691266780745484 },
                   1e-15);
    const struct robot_frame *plate = frame_of(&f, "plate");
    assert_string_equal(f.robot->body[plate->body].name, "upper");
    assert_numbers(3, plate->at.p, (double[]){ 0.4, 0, 0 }, 0);
    /* the wheel was on the plate, 0.1 along an axis that is tilted by 0.3 */
    const struct robot_body *rim = body_of(&f, "rim");
    assert_string_equal(f.robot->body[rim->parent].name, "upper");
    assert_numbers(3, rim->at.p, (double[]){ 0.4, 0.1 * cos(0.3), 0.1 * sin(0.3) }, 1e-16);
    assert_int_equal(joint_of(&f, "slide2")->mimic, robot_find_joint(f.robot, "slide"));
    done(&f);
}

static void locked_joints_carry_what_follows_them(void **state)
{
    (void)state;
    struct fixture f = read_file("tests/robots/arm.urdf");
    robot_lock(f.robot, robot_find_joint(f.robot, "slide"), 0.04);
    robot_lump(f.robot);
    assert_int_equal(robot_find_joint(f.robot, "slide3"), -1);
    /* thumb: 0.5*0.04 + 0.002 along y of the plate, which is at 0.4 and tilted by 0.3 about x; 0.1 below */
    const double y = 0.022, z = -0.1;
    assert_numbers(3, frame_of(&f, "thumb")->at.p,
                   (double[]){ 0.4, y * cos(0.3) - z * sin(0.3), y * sin(0.3) + z * cos(0.3) }, 1e-16);
    done(&f);
}

static void shapes_are_kept(void **state)
{
    (void)state;
    struct fixture f = read_file("tests/robots/arm.urdf");
    robot_lump(f.robot);
    assert_int_equal(f.robot->n_shape, 4);
    assert_int_equal(f.robot->shape[0].type, ROBOT_BOX);
    assert_string_equal(f.robot->shape[0].name, "foundation");
    assert_numbers(3, f.robot->shape[0].half, (double[]){ 0.1, 0.15, 0.05 }, 0);
    assert_int_equal(f.robot->shape[1].type, ROBOT_MESH);
    assert_string_equal(f.robot->shape[1].mesh, "package://arm/upper.stl");
    assert_false(f.robot->shape[1].collides);
    assert_int_equal(f.robot->shape[2].type, ROBOT_CYLINDER);
    assert_near(f.robot->shape[2].half[2], 0.2, 0);
    done(&f);
}

/* A planar joint moves in x and z of its frame, and about y: here in the plane whose normal is x. */
static void planar_joints_get_their_plane(void **state)
{
    (void)state;
    struct fixture f = read_text(
        "<robot><link name='a'/><link name='b'><inertial><mass value='1'/></inertial></link>"
        "<joint name='j' type='planar'><parent link='a'/><child link='b'/><axis xyz='1 0 0'/></joint></robot>");
    double y[3];
    assert_int_equal(f.st, STATUS_OK);
    const struct robot_body *plane = body_of(&f, "b_plane"), *link = body_of(&f, "b");
    pose_rotate(&plane->at, (double[]){ 0, 1, 0 }, y);
    assert_numbers(3, y, (double[]){ 1, 0, 0 }, 1e-15);
    const struct pose both = pose_compose(&plane->at, &link->at);
    assert_numbers(9, both.R, (double[]){ 1, 0, 0, 0, 1, 0, 0, 0, 1 }, 1e-15);
    done(&f);
}

/* --- MJCF ---------------------------------------------------------------------------------------------------- */

/* Reference: MuJoCo 4, body_mass, body_ipos, body_inertia of the same file. */
static void mjcf_masses_come_from_geoms_and_inertials(void **state)
{
    (void)state;
    struct fixture f = read_file("tests/robots/walker.xml");
    const double zero[3] = { 0 };
    assert_inertia(&body_of(&f, "torso")->inertia, 24, zero, (double[]){ 1.04, 0, 0, 0.8, 0, 0.4 }, 1e-14);
    assert_inertia(&body_of(&f, "thigh")->inertia, 3.665191429188093, (double[]){ 0, 0, -0.2 },
                   (double[]){ 0.06924593807287505, 0, 0, 0.06924593807287505, 0, 0.004450589592585542 }, 1e-14);
    assert_inertia(&body_of(&f, "shank")->inertia, 3.5856044152971505, (double[]){ 0, 0, -0.2757009345794392 },
                   (double[]){ 0.04209574746897108, 0, 0, 0.04209574746897108, 0, 0.003983707036360048 }, 1e-14);
    assert_inertia(&body_of(&f, "head")->inertia, 3, (double[]){ 0, 0, 0.1 },
                   (double[]){ 0.038432, 0, 0.005376, 0.03, 0, 0.021568 }, 1e-15);
    assert_inertia(&body_of(&f, "tail")->inertia, 1, (double[]){ 0.05, 0, 0 },
                   (double[]){ 0.02, 0.001, 0.002, 0.03, 0.003, 0.04 }, 0);
    assert_inertia(&body_of(&f, "tip")->inertia, 0.4, zero, (double[]){ 0.000104, 0, 0, 0.000872, 0, 0.000832 },
                   1e-17);
    assert_numbers(3, f.robot->gravity, (double[]){ 0, 0, -1.62 }, 0);
    done(&f);
}

static void mjcf_joints_take_what_their_classes_say(void **state)
{
    (void)state;
    struct fixture f = read_file("tests/robots/walker.xml");
    const struct robot_joint *knee = joint_of(&f, "knee"), *hip = joint_of(&f, "hip"), *rail = joint_of(&f, "rail");
    assert_int_equal(joint_of(&f, "root")->type, ROBOT_FREE);
    assert_near(joint_of(&f, "root")->damping, 0, 0);       /* a freejoint has no defaults */
    assert_int_equal(joint_of(&f, "neck")->type, ROBOT_BALL);
    assert_int_equal(knee->type, ROBOT_REVOLUTE);
    assert_numbers(3, knee->axis, (double[]){ 0, -1, 0 }, 0);
    assert_numbers(2, &knee->lower, (double[]){ 0, 150 * PI / 180 }, 1e-15);
    assert_numbers(3, (double[]){ knee->damping, knee->armature, knee->friction }, (double[]){ 2, 0.05, 0.4 }, 0);
    assert_numbers(2, knee->effort, (double[]){ -30, 30 }, 0);
    assert_numbers(2, hip->effort, (double[]){ -20, 40 }, 0);
    assert_numbers(2, joint_of(&f, "hip roll")->effort, (double[]){ -100, 100 }, 0);
    assert_numbers(2, (double[]){ hip->stiffness, hip->rest }, (double[]){ 8, 10 * PI / 180 }, 1e-15);
    assert_int_equal(rail->mimic, robot_find_joint(f.robot, "knee"));
    assert_numbers(2, (double[]){ rail->ratio, rail->offset }, (double[]){ 0.25, 0.1 }, 0);
    assert_true(says(&f, "walker.xml:42:5: warning: actuators of tendons"));
    assert_true(says(&f, "walker.xml:46:5: warning: the equation <tendon> is not taken"));
    done(&f);
}

/* place(q) = shift(anchor) turn(q - ref) shift(-anchor): at q = ref the thigh is where the file has it. */
static void anchors_and_references_keep_the_place_of_the_body(void **state)
{
    (void)state;
    struct fixture f = read_file("tests/robots/walker.xml");
    const int hip = robot_find_joint(f.robot, "hip"), roll = robot_find_joint(f.robot, "hip roll");
    const double angle[] = { 0, 15 * PI / 180, 0.9 };
    for (int k = 0; k < 3; k++) {
        struct pose at = pose_identity(), turn = pose_identity();
        const double q = angle[k], a = q - 15 * PI / 180;
        rotation_about(f.robot->body[hip].joint.axis, q, turn.R);
        for (int b = find_body(&f, "thigh"); b != roll; b = f.robot->body[b].parent) {
            at = b == hip ? pose_compose(&turn, &at) : at;
            at = pose_compose(&f.robot->body[b].at, &at);
        }
        /* the anchor (0.02, 0, 0.01) stays; the body's origin turns about it */
        assert_numbers(3, at.p,
                       (double[]){ 0.02 - 0.02 * cos(a) - 0.01 * sin(a), 0, 0.01 + 0.02 * sin(a) - 0.01 * cos(a) },
                       1e-15);
        assert_near(at.R[0], cos(a), 1e-15);
    }
    done(&f);
}

/* euler="10 20 30" as zyx about axes that turn along, in the frame of <frame>: MuJoCo's body_quat. */
static void mjcf_turns_follow_their_sequence(void **state)
{
    (void)state;
    struct fixture f = read_file("tests/robots/walker.xml");
    double q[4];
    rotation_to_quaternion(body_of(&f, "shank")->at.R, q);
    assert_numbers(4, q,
                   (double[]){ 0.9515485246437885, 0.2392983377447303, 0.18930785741199999, 0.03813457647485015 },
                   1e-15);
    rotation_to_quaternion(body_of(&f, "rail_link")->at.R, q);
    assert_numbers(4, q, (double[]){ 0.5, 0.5, 0.5, 0.5 }, 1e-15);
    rotation_to_quaternion(frame_of(&f, "imu")->at.R, q);
    assert_numbers(4, q, (double[]){ sqrt(0.5), 0, 0, sqrt(0.5) }, 1e-15);
    done(&f);
}

static void mjcf_shapes_tell_their_friction(void **state)
{
    (void)state;
    struct fixture f = read_file("tests/robots/walker.xml");
    int n_foot = 0;
    for (int k = 0; k < f.robot->n_shape; k++) {
        const struct robot_shape *shape = &f.robot->shape[k];
        if (!shape->name || strcmp(shape->name, "foot") != 0)
            continue;
        n_foot++;
        assert_int_equal(shape->type, ROBOT_SPHERE);
        assert_near(shape->friction, 1.1, 0);
        assert_true(shape->collides);
    }
    assert_int_equal(n_foot, 1);
    assert_int_equal(f.robot->shape[0].body, -1);           /* the floor */
    done(&f);
}

/* --- Files that are wrong ------------------------------------------------------------------------------------ */

#define LINK(name) "<link name='" name "'/>"
#define JOINT(name, parent, child) \
    "<joint name='" name "' type='revolute'><parent link='" parent "'/><child link='" child "'/></joint>"
#define MJCF(text) "<mujoco><worldbody>" text "</worldbody></mujoco>"

static const struct { const char *text, *message;
} wrong[] = {
    { " ", "r.xml:1:2: error: this is no XML: no element found" },
    { "secret = 42", "r.xml:1:1: error: this is no XML: syntax error" },
    { "<robot><link name='a'></robot>", "r.xml:1:25: error: this is no XML: mismatched tag" },
    { "<html/>", "r.xml:1:1: error: this is no robot: expected <robot> (URDF) or <mujoco> (MJCF)" },
    { "<!DOCTYPE r [\n<!ENTITY a 'aaaa'>\n<!ENTITY b '&a;&a;'>]>\n<robot>&b;</robot>",
      "r.xml:2:12: error: entities are not read" },
    { "<!DOCTYPE r SYSTEM 'file:///etc/passwd'>\n<robot/>", "r.xml:2:1: error: the robot has no links" },
    { "<robot/>", "r.xml:1:1: error: the robot has no links" },
    { "<robot>" LINK("a") "\n" LINK("a") "</robot>", "r.xml:2:1: error: there is a link \"a\" already" },
    { "<robot>" LINK("a") "\n" LINK("b") "</robot>",
      "r.xml:2:1: error: link \"b\" is on no joint, and neither is \"a\"" },
    { "<robot>" LINK("a") "\n" JOINT("j", "a", "b") "</robot>", "error: there is no link \"b\"" },
    { "<robot>" LINK("a") LINK("b") "\n" JOINT("j", "a", "b") "\n" JOINT("k", "b", "a") "</robot>",
      "r.xml:1:1: error: every link is the child of a joint: they go round in a circle" },
    { "<robot>" LINK("r") LINK("a") LINK("b") "\n" JOINT("j", "a", "b") "\n" JOINT("k", "b", "a") "</robot>",
      "r.xml:3:1: error: link \"a\" does not hang on the root" },
    { "<robot>" LINK("a") LINK("b") "\n" JOINT("j", "a", "b") "\n" JOINT("k", "a", "b") "</robot>",
      "r.xml:3:1: error: link \"b\" is the child of two joints" },
    { "<robot>\n<link name='a'><inertial><mass value='nan'/></inertial></link></robot>",
      "r.xml:2:26: error: value: \"nan\" is no finite number" },
    { "<robot>\n<link name='a'><inertial><mass value='1e999'/></inertial></link></robot>",
      "r.xml:2:26: error: value: \"1e999\" is no finite number" },
    { "<robot>\n<link name='a'><inertial><mass value='${m}'/></inertial></link></robot>",
      "xacro files become URDF by" },
    { "<robot>\n<link name='a'><inertial><mass value='-2'/></inertial></link></robot>",
      "r.xml:2:16: error: a mass of -2 kg: it must be 0 or more" },
    { "<robot>\n<link name='a'><inertial><origin xyz='0 0'/><mass value='1'/></inertial></link></robot>",
      "r.xml:2:26: error: xyz: expected 3 numbers, got 2" },
    { "<robot><xacro:macro xmlns:xacro='x'/>" LINK("a") "</robot>", "r.xml:1:8: error: this is a xacro file" },
    { "<robot>" LINK("a")
          LINK("b") "\n<joint name='j' type='screw'><parent link='a'/><child link='b'/></joint></robot>",
      "r.xml:2:1: error: joint type \"screw\": expected revolute" },
    { "<robot>" LINK("a") LINK("b") "\n<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis "
                                    "xyz='0 0 0'/></joint></robot>",
      "r.xml:2:68: error: the axis has no length" },
    { "<robot>" LINK("a") LINK("b") "\n<joint name='j' type='revolute'><parent link='a'/><child link='b'/><mimic "
                                    "joint='j'/></joint></robot>",
      "r.xml:2:1: error: joints that mimic each other go round in a circle" },
    { MJCF(""), "r.xml:1:1: error: the file has no bodies" },
    { MJCF("<body><joint class='none'/></body>"), "error: there is no class \"none\"" },
    { MJCF("<body><joint type='screw'/></body>"), "error: joint type \"screw\": expected hinge" },
    { MJCF("<body><body>\n<freejoint/></body></body>"), "r.xml:2:1: error: a free joint must be on the world" },
    { MJCF("<body quat='0 0 0 0'/>"), "error: quat: a vector without length" },
    { MJCF("<body xyaxes='1 0 0 2 0 0'/>"), "error: xyaxes: the two axes are parallel" },
    { MJCF("<body><geom size='-1'/></body>"), "error: the size of a sphere must be above 0" },
    { MJCF("<body><geom type='capsule' size='1' fromto='1 1 1 1 1 1'/></body>"),
      "error: fromto: the two points are the same" },
    { MJCF("<body><joint range='2 1'/></body>"), "error: range: the lower end must be below the upper one" },
    { MJCF("<body/><include file='/nowhere/at/all.xml'/>"), "error: cannot read \"/nowhere/at/all.xml\"" },
    { "<mujoco><compiler eulerseq='abc'/></mujoco>", "error: eulerseq: expected three letters" },
    { "<mujoco><compiler coordinate='global'/></mujoco>", "error: coordinate=\"global\" is not read" },
    { "<mujoco><worldbody><body/></worldbody>\n<actuator><motor joint='none'/></actuator></mujoco>",
      "r.xml:2:11: error: there is no joint \"none\"" },
};

static void wrong_files_are_refused_at_their_line(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct fixture f = read_text(wrong[k].text);
        if (f.st == STATUS_OK || !says(&f, wrong[k].message)) {
            diag_print(f.diag, stderr);
            fail_msg("not said of %s: %s", wrong[k].text, wrong[k].message);
        }
        assert_null(f.robot);
        done(&f);
    }
}

/* A hand without mass that only closes is part of the arm. */
static void joints_that_move_no_mass_are_fixed(void **state)
{
    (void)state;
    struct fixture f = read_text(
        "<robot>" LINK("base") "<link name='arm'><inertial><mass value='1'/></inertial></link>" LINK("hand")
            LINK("finger") JOINT("swing", "base", "arm") JOINT("turn", "arm", "hand")
                JOINT("grip", "hand", "finger") "</robot>");
    assert_int_equal(f.st, STATUS_OK);
    assert_true(says(&f, "warning: 2 joints move no mass and are fixed, as \"turn\""));
    assert_int_equal(joint_of(&f, "turn")->type, ROBOT_FIXED);
    assert_int_equal(joint_of(&f, "grip")->type, ROBOT_FIXED);
    assert_int_equal(joint_of(&f, "swing")->type, ROBOT_REVOLUTE);
    done(&f);
}

/* n pieces with their number in place of %d, twice at most. */
static char *repeated(const char *begin, const char *piece, int n, const char *end)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs(begin, out);
    for (int i = 0; i < n; i++)
        for (const char *c = piece; *c; c++)
            if (*c == '#')
                fprintf(out, "%d", i);
            else if (*c == '@')
                fprintf(out, "%d", i + 1);
            else
                fputc(*c, out);
    fputs(end, out);
    (void)fclose(out);
    return text;
}

static void assert_refused(char *text, const char *message)
{
    struct fixture f = read_text(text);
    assert_int_equal(f.st, STATUS_SPEC);
    if (!says(&f, message))
        diag_print(f.diag, stderr);
    assert_true(says(&f, message));
    done(&f);
    free(text);
}

static void what_is_too_large_is_refused(void **state)
{
    (void)state;
    assert_refused(repeated("<robot><link name='l0'/>", "\n<link name='l@'/><joint name='j#' type='revolute'>"
                            "<parent link='l#'/><child link='l@'/></joint>", 10000, "</robot>"),
                   "r.xml:1001:1: error: more than 1000 bodies");
    assert_refused(repeated("<mujoco><worldbody>", "\n<body><joint/></body>", 10000, "</worldbody></mujoco>"),
                   "r.xml:1002:7: error: more than 1000 bodies");
    assert_refused(repeated("<mujoco><worldbody>", "\n<body>", 10000, ""),
                   "error: elements are nested more than 200 levels deep");
    assert_refused(repeated("<robot>", "\n<x/>", 300000, "</robot>"), "error: more than 200000 elements");
    assert_refused(repeated("<robot>", "<x y='###############################################################'/>",
                            190000, "</robot>"),
                   "error: larger than 32 MB");
    assert_refused(repeated("<robot>", "<link/>", 100000, "</robot>"),
                   "error: <link> lacks its attribute \"name\"");
}

static void what_is_not_taken_is_named_once(void **state)
{
    (void)state;
    struct fixture f = read_text(
        "<mujoco><worldbody><body><geom size='1'/>\n<composite/><composite/></body></worldbody></mujoco>");
    int n = 0;
    for (int k = 0; diag_line(f.diag, k); k++)
        n += strstr(diag_line(f.diag, k), "<composite> is not taken") != NULL;
    assert_int_equal(n, 1);
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_agree_with_closed_forms),
        cmocka_unit_test(quaternions_lead_back_to_their_rotations),
        cmocka_unit_test(two_points_are_a_dumbbell),
        cmocka_unit_test(urdf_joints_are_read),
        cmocka_unit_test(fixed_links_are_lumped),
        cmocka_unit_test(locked_joints_carry_what_follows_them),
        cmocka_unit_test(shapes_are_kept),
        cmocka_unit_test(planar_joints_get_their_plane),
        cmocka_unit_test(mjcf_masses_come_from_geoms_and_inertials),
        cmocka_unit_test(mjcf_joints_take_what_their_classes_say),
        cmocka_unit_test(anchors_and_references_keep_the_place_of_the_body),
        cmocka_unit_test(mjcf_turns_follow_their_sequence),
        cmocka_unit_test(mjcf_shapes_tell_their_friction),
        cmocka_unit_test(wrong_files_are_refused_at_their_line),
        cmocka_unit_test(joints_that_move_no_mass_are_fixed),
        cmocka_unit_test(what_is_too_large_is_refused),
        cmocka_unit_test(what_is_not_taken_is_named_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
