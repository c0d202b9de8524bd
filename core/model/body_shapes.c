/* The keys of bodies, of their joints and of their frames; of shapes in space, and of what they keep apart. */
#include "core/model/shapes.h"

static const struct shape three_names = { .kind = SHAPE_LIST, .of = &shape_text, .n_min = 3, .n_max = 3 };
static const struct shape orientation_names = { .kind = SHAPE_LIST, .of = &shape_text, .n_min = 3, .n_max = 4 };
static const struct shape inertia_rows = { .kind = SHAPE_LIST, .of = &shape_vector, .n_min = 3, .n_max = 3 };
static const struct shape *const inertias[] = { &shape_vector, &inertia_rows, NULL };
static const struct shape inertia = { .kind = SHAPE_EITHER, .either = inertias };
static const struct shape body_points = { .kind = SHAPE_TABLE, .of = &shape_vector };
#define TURN "roll, pitch and yaw as in URDF (rad), R_z R_y R_x; or a unit quaternion, scalar first"
static const struct shape_key frame_keys[] = {
    { "at", &shape_vector, .initial = "[0, 0, 0]", .help = "its origin in the body" },
    { "turn", &shape_turn, .initial = "[0, 0, 0]", .help = "its axes in the body: " TURN },
    { .name = NULL }
};
const struct shape model_frame_shape = { .kind = SHAPE_RECORD, .key = frame_keys };
static const struct shape frames = { .kind = SHAPE_TABLE, .of = &model_frame_shape };
static const struct shape_key mimic_keys[] = {
    { "joint", &shape_text, .needed = true, .help = "the joint that it follows" },
    { "ratio", &shape_number, .initial = "1",
      .help = "its position is ratio times that of the other, plus offset" },
    { "offset", &shape_number, .initial = "0", .help = "its position where the other is 0" },
    { .name = NULL }
};
const struct shape model_mimic_shape = { .kind = SHAPE_RECORD, .key = mimic_keys, .main = "joint" };
static const struct shape *const mimics[] = { &shape_text, &model_mimic_shape, NULL };
static const struct shape mimic = { .kind = SHAPE_EITHER, .either = mimics };

/* In the order of enum joint_type. */
const char *const model_joint_words[] = {
    "revolute", "continuous", "prismatic", "fixed", "free", "planar", "ball", NULL
};
static const struct shape joint_type = { .kind = SHAPE_CHOICE, .words = model_joint_words };
static const struct shape_key joint_keys[] = {
    { "type", &joint_type, .needed = true,
      .help = "revolute, continuous (no limits), prismatic, fixed, free, ball, or planar: x and z of its frame, pitch about y" },
    { "name", &shape_text, .initial = "that of the body",
      .help = "its states are name and name_v, its control is name_tau" },
    { "at", &shape_vector, .initial = "[0, 0, 0]", .help = "its place in the parent" },
    { "turn", &shape_turn, .initial = "[0, 0, 0]", .help = "its axes in the parent: " TURN },
    { "axis", &shape_vector,
      .help = "of revolute, continuous and prismatic ones, in the joint's frame; any length" },
    { "limits", &shape_range, .help = "[lowest, highest] position: bounds of the state (rad, m)" },
    { "speed", &shape_number, .help = "highest absolute velocity: bounds of the state (rad/s, m/s)" },
    { "effort", &shape_number, .help = "highest absolute torque or force of the control (N m, N)" },
    { "actuate", &shape_flag, .initial = "false",
      .help = "true: a control name_tau, torque or force at the joint" },
    { "damping", &shape_number, .initial = "0", .help = "force -damping*velocity (N m s/rad, N s/m)" },
    { "friction", &shape_number, .initial = "0", .help = "dry friction: force -friction*sign(velocity) (N m, N)" },
    { "stiffness", &shape_number, .initial = "0",
      .help = "of a spring: force -stiffness*(position - rest) (N m/rad, N/m)" },
    { "rest", &shape_number, .initial = "0", .help = "position where the spring has no force" },
    { "armature", &shape_number, .initial = "0", .help = "inertia of the rotor, seen at the joint (kg m^2, kg)" },
    { "rotor_inertia", &shape_number, .help = "in place of armature: of the rotor itself (kg m^2)" },
    { "reduction", &shape_number, .initial = "1", .help = "of the gear: armature = reduction^2*rotor_inertia" },
    { "mimic", &mimic, .help = "the joint that it follows; it has no states of its own" },
    { .name = NULL }
};
const struct shape model_joint_shape = { .kind = SHAPE_RECORD, .key = joint_keys, .main = "type" };
static const struct shape *const joints[] = { &joint_type, &model_joint_shape, NULL };
static const struct shape joint = { .kind = SHAPE_EITHER, .either = joints };
static const struct shape_key body_keys[] = {
    { "parent", &shape_text, .initial = "the world", .help = "the body that its joint hangs on" },
    { "joint", &joint, .help = "how it moves on its parent; its states are declared by that" },
    { "mass", &shape_number, .initial = "0 with a joint", .help = "kg" },
    { "center", &shape_vector, .initial = "[0, 0, 0]",
      .help = "its centre of mass, along its axes; of a body with a joint" },
    { "inertia", &inertia, .initial = "0 with a joint",
      .help = "[Ixx, Iyy, Izz] along the axes of the body, or three rows, about its centre of mass; without a position about "
              "its origin (kg m^2)" },
    { "position", &three_names,
      .help = "without a joint, states: place of its origin, the centre of mass; without it that is fixed at [0, 0, 0]" },
    { "velocity", &three_names, .help = "states: the rates of the position" },
    { "orientation", &orientation_names,
      .help = "states: a unit quaternion [q0, q1, q2, q3], scalar first, body to world; or three, a rotation vector" },
    { "angular_velocity", &three_names, .help = "states: the angular velocity along the axes of the body (rad/s)" },
    { "points", &body_points,
      .help = "{name: [x, y, z]} in the body; name.x, name.y, name.z is where it is in the world" },
    { "frames", &frames,
      .help = "{name: {at:, turn:}}: points with axes; name.r11, ..., name.r33 turns their vectors into those of the world" },
    { .name = NULL }
};
const struct shape model_body_shape = { .kind = SHAPE_RECORD, .key = body_keys };

/* --- Shapes in space ----------------------------------------------------------------------------------------- */

static const struct shape capsule_size = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 2, .n_max = 2 };
static const struct shape *const capsule_sizes[] = { &shape_number, &capsule_size, NULL };
static const struct shape capsule = { .kind = SHAPE_EITHER, .either = capsule_sizes };
static const struct shape_key solid_keys[] = {
    { "frame", &shape_text, .initial = "the world", .help = "the body, point or frame that it is fixed to" },
    { "at", &shape_vector, .initial = "[0, 0, 0]", .help = "its middle, of a plane a place of it, in that frame" },
    { "turn", &shape_turn, .initial = "[0, 0, 0]", .help = "its axes in that frame: " TURN },
    { "sphere", &shape_number, .help = "its radius (m)" },
    { "capsule", &capsule,
      .help = "[radius, length] of a segment along z with all that is nearer than the radius; or the radius, with "
              "from and to" },
    { "from", &shape_vector, .help = "of a capsule: one end of its segment" },
    { "to", &shape_vector, .help = "of a capsule: the other end" },
    { "box", &shape_vector, .help = "[x, y, z], its sides (m)" },
    { "plate", &capsule_size, .help = "[x, y], the sides of a rectangle without thickness, z across it (m)" },
    { "plane", &shape_vector, .help = "its normal, out of the half of space that it fills" },
    { .name = NULL }
};
const struct shape model_solid_shape = { .kind = SHAPE_RECORD, .key = solid_keys };
static const struct shape_key apart_keys[] = {
    { "a", &shape_text, .needed = true, .help = "a shape" },
    { "b", &shape_text, .needed = true, .help = "another one" },
    { "distance", &shape_number, .initial = "0", .help = "the least distance of the two along the path (m)" },
    { .name = NULL }
};
const struct shape model_apart_shape = { .kind = SHAPE_RECORD, .key = apart_keys };

/* --- Loops --------------------------------------------------------------------------------------------------- */

static const struct shape *const loop_ends[] = { &shape_text, &shape_vector, NULL };
static const struct shape loop_end = { .kind = SHAPE_EITHER, .either = loop_ends };
static const struct shape_key loop_keys[] = {
    { "a", &loop_end, .needed = true, .help = "a point of a body, as tip or crank.tip; or one of the world, [x, y, z]" },
    { "b", &loop_end, .needed = true, .help = "the point that stays there" },
    { "axis", &shape_vector, .help = "a hinge closes: this axis, along the axes of both bodies or frames, stays the same" },
    { "weld", &shape_flag, .initial = "false", .help = "true: the axes of both bodies or frames stay the same" },
    { .name = NULL }
};
const struct shape model_loop_shape = { .kind = SHAPE_RECORD, .key = loop_keys };
