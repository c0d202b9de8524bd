#include "core/model/shapes.h"

#include "core/spec/robots.h"

#define END { .name = NULL }
#define RECORD(keys) { .kind = SHAPE_RECORD, .key = (keys) }
#define SHORT_RECORD(keys, main_key) { .kind = SHAPE_RECORD, .key = (keys), .main = (main_key) }
#define TABLE(shape) { .kind = SHAPE_TABLE, .of = &(shape) }
#define EITHER(list) { .kind = SHAPE_EITHER, .either = (list) }

/* --- Parts that recur ---------------------------------------------------------------------------------------- */

static const struct shape formulas = TABLE(shape_formula), numbers = TABLE(shape_number);
static const struct shape points = { .kind = SHAPE_TABLE, .of = &shape_number, .by_time = true };
static const struct shape_key points_file_keys[] = {
    { "file", &shape_text, .needed = true, .help = "a CSV beside the spec; its first line names the columns" },
    { "time", &shape_text, .initial = "t", .help = "the column of times, in time.unit" },
    { "value", &shape_text, .initial = "the name of the define", .help = "the column of values" },
    END
};
const struct shape model_points_file_shape = RECORD(points_file_keys);
static const struct shape *const points_or_file[] = { &points, &model_points_file_shape, NULL };
static const struct shape through = EITHER(points_or_file);
static const struct shape formula_list = { .kind = SHAPE_LIST, .of = &shape_formula, .n_min = 1 };
static const struct shape names = TABLE(shape_text);

#define UNITS { "units", &shape_text, .help = "unit, kept in the result" }
#define SIZE { "size", &shape_count, .help = "how many of it there are: name_1, name_2, ...; its texts may use the index i" }
#define LONG_NAME { "long_name", &shape_text, .help = "what it is, kept in the result" }

/* --- Parameters and time ------------------------------------------------------------------------------------- */

static const struct shape_key parameter_keys[] = {
    { "value", &shape_number, .needed = true,
      .help = "a number or an expression of other parameters; the guess of an optimized one" },
    UNITS, LONG_NAME,
    { "scale", &shape_number, .initial = "from bounds or value", .help = "its typical size, for solver.scale: auto" },
    { "optimize", &shape_range, .help = "[lowest, highest]: `solve` chooses its value, the same at all times" },
    SIZE,
    END
};
const struct shape model_parameter_shape = SHORT_RECORD(parameter_keys, "value");
static const struct shape parameters = TABLE(model_parameter_shape);

static const struct shape_key horizon_keys[] = {
    { "min", &shape_number, .needed = true, .help = "shortest, above 0" },
    { "max", &shape_number, .initial = "inf", .help = "longest" },
    { "guess", &shape_number, .initial = "the middle, or min", .help = "where the solver starts" },
    END
};
const struct shape model_horizon_shape = RECORD(horizon_keys);
static const struct shape *const horizons[] = { &shape_number, &model_horizon_shape, NULL };
static const struct shape horizon = EITHER(horizons);
static const struct shape count_list = { .kind = SHAPE_LIST, .of = &shape_count };
static const struct shape *const counts[] = { &shape_count, &count_list, NULL };
static const struct shape elements = EITHER(counts);

static const struct shape_key time_keys[] = {
    { "unit", &shape_text, .initial = "s",
      .help = "unit of all times, as h or min; rates are per that unit, and results have it as label" },
    { "horizon", &horizon, .help = "final time, or {min:, max:, guess:} where `solve` chooses it" },
    { "intervals", &shape_count, .help = "control intervals; `solve` needs it" },
    { "elements", &elements, .initial = "3",
      .help = "finite elements per interval, or a list with one number for each" },
    END
};
const struct shape model_time_shape = RECORD(time_keys);

/* --- Places and times ---------------------------------------------------------------------------------------- */

const char *const model_place_words[] = {
    "path", "stages", "elements", "intervals", "initial", "final", "boundary", "impulses", NULL
};
static const struct shape place = { .kind = SHAPE_CHOICE, .words = model_place_words };
static const struct shape_key every_keys[] = {
    { "every", &shape_time, .needed = true, .help = "time from one to the next" },
    { "from", &shape_time, .initial = "0", .help = "the first one" },
    { "to", &shape_time, .initial = "1", .help = "none is later" },
    END
};
const struct shape model_every_shape = RECORD(every_keys);
static const struct shape_key optimized_time_keys[] = {
    { "time", &shape_formula, .needed = true, .help = "a time that is optimized: an expression of parameters" },
    END
};
const struct shape model_optimized_time_shape = RECORD(optimized_time_keys);
static const struct shape *const places_or_times[] = { &place, &shape_time, &model_every_shape, NULL };
static const struct shape place_or_time = EITHER(places_or_times);
static const struct shape place_list = { .kind = SHAPE_LIST, .of = &place_or_time, .n_min = 1 };
static const struct shape *const ats[] = { &place, &shape_time, &model_every_shape, &place_list, NULL };
static const struct shape at = EITHER(ats);
static const struct shape *const constraint_ats[] = { &place, &shape_time, &model_every_shape, &model_optimized_time_shape,
                                                      &place_list, NULL };
static const struct shape constraint_at = EITHER(constraint_ats);
static const struct shape condition_list = { .kind = SHAPE_LIST, .of = &shape_formula, .n_min = 1 };
static const struct shape *const one_or_more_formulas[] = { &shape_formula, &condition_list, NULL };
static const struct shape conditions = EITHER(one_or_more_formulas);
static const struct shape state_list = { .kind = SHAPE_LIST, .of = &shape_text, .n_min = 1 };
static const struct shape *const one_or_more_names[] = { &shape_text, &state_list, NULL };
static const struct shape one_or_more_states = EITHER(one_or_more_names);
static const struct shape_key free_moment_keys[] = {
    { "min", &shape_time, .initial = "0", .help = "not before" },
    { "max", &shape_time, .initial = "1", .help = "not after" },
    { "guess", &shape_time, .initial = "the middle", .help = "where the solver starts" },
    { "number", &shape_count, .initial = "1", .help = "how many there are between min and max" },
    END
};
const struct shape model_free_moment_shape = RECORD(free_moment_keys);
static const struct shape *const impulse_ones[] = { &shape_time, &shape_text, &model_every_shape, &model_free_moment_shape, NULL };
static const struct shape impulse_one = EITHER(impulse_ones);
static const struct shape impulse_list = { .kind = SHAPE_LIST, .of = &impulse_one, .n_min = 1 };
static const struct shape *const impulse_ats[] = {
    &shape_time, &shape_text, &model_every_shape, &model_free_moment_shape, &impulse_list, NULL
};
static const struct shape impulse_times = EITHER(impulse_ats);

/* --- States, controls, definitions --------------------------------------------------------------------------- */

static const struct shape *const end_values[] = { &shape_number, &shape_range, NULL };
static const struct shape end_value = EITHER(end_values);

static const struct shape_key state_keys[] = {
    UNITS, LONG_NAME,
    { "scale", &shape_number, .initial = "from bounds, ends and guess", .help = "its typical size, for solver.scale: auto" },
    { "bounds", &shape_range, .initial = "[-inf, inf]", .help = "[lowest, highest] at every stage and boundary" },
    { "initial", &end_value, .help = "value at the start, a range [lo, hi], or free" },
    { "final", &end_value, .initial = "free", .help = "the same at the end" },
    { "guess", &shape_number, .initial = "initial, or 0", .help = "where the solver starts" },
    SIZE,
    END
};
const struct shape model_state_shape = RECORD(state_keys);
static const struct shape states = TABLE(model_state_shape);

const char *const model_curve_words[] = { "linear", "spline", "steps", NULL };
static const struct shape curve = { .kind = SHAPE_CHOICE, .words = model_curve_words };
const char *const model_hold_words[] = { "constant", "linear", "spline", NULL };
static const struct shape control_values = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 2 };
static const struct shape hold = { .kind = SHAPE_CHOICE, .words = model_hold_words };
static const struct shape_key impulsive_keys[] = {
    { "at", &impulse_times, .help = "when: times, {every: 1 s}, {min: 1 s, max: 2 s} where one is to be found, initial, final, "
                                    "intervals, or names of phases" },
    { "with", &shape_text, .help = "in place of at: the impulsive control that it acts together with" },
    { "jump", &formulas, .initial = "its factor in rhs; in force, times the inverse of the mass matrix",
      .help = "{state: by how much it jumps}, of the impulse and of what is before" },
    END
};
const struct shape model_impulsive_shape = RECORD(impulsive_keys);
static const struct shape guesses = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 1 };
static const struct shape *const one_or_more_guesses[] = { &shape_number, &guesses, NULL };
static const struct shape control_guess = EITHER(one_or_more_guesses);
static const struct shape_key control_keys[] = {
    UNITS, LONG_NAME,
    { "scale", &shape_number, .initial = "from bounds, ends and guess", .help = "its typical size, for solver.scale: auto" },
    { "bounds", &shape_range, .initial = "[-inf, inf]", .help = "[lowest, highest]" },
    { "values", &control_values, .help = "all that it may be, as [0, 1]: it switches between them, at any time" },
    { "start_cost", &shape_number, .initial = "0", .help = "of values: what each start costs, from the least value, off, to another, on" },
    { "min_on", &shape_number, .initial = "0", .help = "of values: how long it stays on at least once it has started" },
    { "min_off", &shape_number, .initial = "0", .help = "of values: how long it stays off at least once it has stopped" },
    { "most", &shape_count, .initial = "any number", .help = "of values: starts within the horizon, at most" },
    { "hold", &hold, .initial = "constant; linear with rate",
      .help = "in each control interval; linear: continuous, spline: with a continuous slope, too" },
    { "rate", &shape_range, .initial = "[-inf, inf]", .help = "[lowest, highest] slope of a continuous one" },
    { "initial", &end_value, .initial = "free; of values the least",
      .help = "value at the start of a continuous one, or a range; of values the one before the horizon" },
    { "final", &end_value, .initial = "free", .help = "value at the end of a continuous one, or a range" },
    { "impulsive", &model_impulsive_shape, .help = "it acts at moments alone, where states jump" },
    { "guess", &control_guess, .initial = "0",
      .help = "where the solver starts; the value in simulations without another. Of impulses also a list, one each" },
    SIZE,
    END
};
const struct shape model_control_shape = RECORD(control_keys);
static const struct shape controls = TABLE(model_control_shape);

static const struct shape_key define_keys[] = {
    { "expr", &shape_formula, .help = "of parameters, states, controls, t and other definitions" },
    { "through", &through, .help = "in place of expr: points {fraction of the horizon, or time with its unit, as 0.5 s: value}, "
                                   "or those of a file" },
    { "by", &curve, .initial = "linear",
      .help = "how the points are joined; spline: cubic, not-a-knot; steps: each value until the next point" },
    { "output", &shape_flag, .initial = "false", .help = "true: stored in the result" },
    UNITS, LONG_NAME,
    SIZE,
    END
};
const struct shape model_define_shape = SHORT_RECORD(define_keys, "expr");
static const struct shape define = TABLE(model_define_shape);

/* In the order of enum table_curve and enum table_outside. */
const char *const model_table_words[] = { "spline", "linear", NULL };
const char *const model_outside_words[] = { "refuse", "constant", "linear", NULL };
static const struct shape table_curve = { .kind = SHAPE_CHOICE, .words = model_table_words };
static const struct shape table_outside = { .kind = SHAPE_CHOICE, .words = model_outside_words };
static const struct shape argument_list = { .kind = SHAPE_LIST, .of = &shape_text, .n_min = 1, .n_max = 2 };
static const struct shape *const arguments[] = { &shape_text, &argument_list, NULL };
static const struct shape one_or_two = EITHER(arguments);
static const struct shape table_row = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 1 };
static const struct shape table_rows = { .kind = SHAPE_LIST, .of = &table_row, .n_min = 2 };
static const struct shape *const rows_or_row[] = { &table_row, &table_rows, NULL };
static const struct shape table_numbers = EITHER(rows_or_row);
static const struct shape_key table_keys[] = {
    { "of", &one_or_two, .needed = true, .help = "its argument, or two [first, second], by names that count in this block alone" },
    { "file", &shape_text,
      .help = "a CSV beside the spec: columns by the names of the argument and the table; of two arguments the first column "
              "has the first one, and the first line the values of the second" },
    { "at", &table_numbers, .help = "in place of file: values of the argument, ascending; of two, a list for each" },
    { "values", &table_numbers, .help = "with at: values of the table; of two arguments a row for each value of the first" },
    { "columns", &names, .help = "{argument or table: its column}, where the file has other names" },
    { "by", &table_curve, .initial = "spline",
      .help = "between its points; spline: cubic, not-a-knot, bicubic in two; linear: its corners are switches" },
    { "outside", &table_outside, .initial = "refuse",
      .help = "beyond its axes; refuse: a constraint keeps the argument within them" },
    { "units", &names, .help = "{argument or table: its unit}" },
    END
};
const struct shape model_table_shape = RECORD(table_keys);
static const struct shape tables = TABLE(model_table_shape);

const char *const model_relay_words[] = { "off", "on", NULL };
static const struct shape on_or_off = { .kind = SHAPE_CHOICE, .words = model_relay_words };
static const struct shape_key relay_keys[] = {
    { "of", &shape_formula, .needed = true, .help = "what is compared with the thresholds; smooth, of states and t" },
    { "on_at", &shape_number, .needed = true, .help = "threshold at which it goes on" },
    { "off_at", &shape_number, .needed = true, .help = "threshold at which it goes off: below on_at, or above it" },
    { "start", &on_or_off, .initial = "off", .help = "its state at the start, where that is between the thresholds" },
    SIZE,
    END
};
const struct shape model_relay_shape = RECORD(relay_keys);
static const struct shape relays = TABLE(model_relay_shape);

static const struct shape machine_states = TABLE(numbers);
static const struct shape_key transition_keys[] = {
    { "from", &shape_text, .needed = true, .help = "state in which it can happen" },
    { "to", &shape_text, .needed = true, .help = "state it leads to" },
    { "when", &conditions, .help = "a relation, as level >= 1: it happens as soon as that holds; of a list all: one of a control, "
                                   "a command, and what must hold of states where it is given" },
    { "after", &shape_number, .help = "in place of when: time since the machine came into its state" },
    { "reset", &formulas, .help = "{state of the system: what it jumps to}" },
    END
};
const struct shape model_transition_shape = RECORD(transition_keys);
static const struct shape transitions = TABLE(model_transition_shape);
static const struct shape_key machine_keys[] = {
    { "start", &shape_text, .initial = "the first one", .help = "state at the start" },
    { "final", &one_or_more_states, .initial = "any", .help = "state at the end, or a list of those it may be in" },
    { "states", &machine_states, .needed = true,
      .help = "{state: {signal: number}}: signals are names in rhs and force, 0 where not given" },
    { "transitions", &transitions, .help = "what leads from state to state; of several the first" },
    END
};
const struct shape model_machine_shape = RECORD(machine_keys);
static const struct shape machines = TABLE(model_machine_shape);

/* --- Bodies: body_shapes.c ----------------------------------------------------------------------------------- */

static const struct shape three_formulas = { .kind = SHAPE_LIST, .of = &shape_formula, .n_min = 3, .n_max = 3 };
static const struct shape bodies = TABLE(model_body_shape);
static const struct shape solids = TABLE(model_solid_shape);
static const struct shape aparts = TABLE(model_apart_shape);
static const struct shape loops = TABLE(model_loop_shape);

/* --- Dynamics ------------------------------------------------------------------------------------------------ */

static const char *const is_ode[] = { "ode", NULL }, *const is_mechanical[] = { "mechanical", NULL };
static const char *const is_piecewise[] = { "piecewise", NULL };
static const struct shape ode_word = { .kind = SHAPE_CHOICE, .words = is_ode };
static const struct shape mechanical_word = { .kind = SHAPE_CHOICE, .words = is_mechanical };
static const struct shape piecewise_word = { .kind = SHAPE_CHOICE, .words = is_piecewise };

static const struct shape_key ode_keys[] = {
    { "type", &ode_word, .needed = true, .help = "right-hand sides for every state" },
    { "rhs", &formulas, .help = "{state: rate of change}; sign, abs, min, max, step and if are exact" },
    END
};
const struct shape model_ode_shape = RECORD(ode_keys);

static const struct shape mass_rows = { .kind = SHAPE_LIST, .of = &formula_list, .n_min = 1 };
static const struct shape_key mass_keys[] = {
    { "rows", &mass_rows, .help = "the mass matrix by rows, in the order of coordinates" },
    { "diag", &formula_list, .help = "its diagonal, where the rest is 0" },
    END
};
const struct shape model_mass_shape = RECORD(mass_keys);

static const struct shape_key mechanical_keys[] = {
    { "type", &mechanical_word, .needed = true, .help = "M(q) v' = force + contact forces, q' = v" },
    { "coordinates", &names, .help = "{position: velocity}; those of bodies are named there" },
    { "kinetic", &shape_formula,
      .help = "kinetic energy, quadratic in the velocities; gives M and Coriolis forces; that of bodies is added" },
    { "potential", &shape_formula, .initial = "0", .help = "potential energy, a function of positions" },
    { "mass", &model_mass_shape, .help = "the mass matrix, in place of energies; all forces are then in force" },
    { "force", &formulas, .initial = "0",
      .help = "{coordinate: generalized force without contact}, torques by {angular velocity: torque}; sign and the like "
              "are exact" },
    { "rhs", &formulas, .help = "rates of states that are no coordinates (actuators, filters)" },
    END
};
const struct shape model_mechanical_shape = RECORD(mechanical_keys);

static const struct shape_key mode_keys[] = {
    { "where", &shape_formula, .needed = true, .help = "signs of switches, as c > 0 and d < 0; or else" },
    { "rhs", &formulas, .help = "{state: rate of change} in this mode" },
    END
};
const struct shape model_mode_shape = RECORD(mode_keys);
static const struct shape modes = TABLE(model_mode_shape);

#define SWITCHES { "switches", &formulas, .help = "{name: function whose sign decides}" }
#define MODES { "modes", &modes, .help = "what holds for each pattern of signs, every one of them once" }
static const struct shape_key family_keys[] = { SWITCHES, MODES, END };
const struct shape model_family_shape = RECORD(family_keys);
static const struct shape families = TABLE(model_family_shape);

static const struct shape_key piecewise_keys[] = {
    { "type", &piecewise_word, .needed = true, .help = "right-hand sides by the signs of switching functions" },
    { "rhs", &formulas, .initial = "0", .help = "what all modes share" },
    SWITCHES, MODES,
    { "groups", &families, .help = "several families of switches and modes, whose right-hand sides add up" },
    END
};
const struct shape model_piecewise_shape = RECORD(piecewise_keys);
static const struct shape *const systems[] =
    { &model_ode_shape, &model_mechanical_shape, &model_piecewise_shape, NULL };
static const struct shape dynamics = EITHER(systems);

/* --- Contacts ------------------------------------------------------------------------------------------------ */

static const struct shape slip_list = { .kind = SHAPE_LIST, .of = &shape_formula, .n_min = 1, .n_max = 3 };
static const struct shape coefficient_list = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 1, .n_max = 3 };
static const struct shape *const slips[] = { &shape_formula, &slip_list, NULL };
static const struct shape slip = EITHER(slips);
static const struct shape *const coefficients_of[] = { &shape_number, &coefficient_list, NULL };
static const struct shape coefficients = EITHER(coefficients_of);
static const struct shape_key plane_keys[] = {
    { "normal", &shape_vector, .initial = "[0, 0, 1]", .help = "out of the ground; any length" },
    { "through", &three_formulas, .initial = "[0, 0, 0]", .help = "a point of it; where it depends on t the ground moves" },
    { "along", &shape_vector, .help = "first tangent, its part in the plane; the second is normal x first" },
    END
};
const struct shape model_plane_shape = RECORD(plane_keys);
static const struct shape ground_corner = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 2, .n_max = 2 };
static const struct shape ground_corners = { .kind = SHAPE_LIST, .of = &ground_corner, .n_min = 2 };
static const struct shape_key ground_keys[] = {
    { "points", &ground_corners, .needed = true,
      .help = "corners [[x, z], [x, z], ...], the ground on the right of the line, below it from left to right; its ends go on" },
    { "closed", &shape_flag, .initial = "false", .help = "true: a convex polygon around the ground" },
    END
};
const struct shape model_ground_shape = RECORD(ground_keys);
static const struct shape ground_table = TABLE(model_ground_shape);
static const struct shape ground_names = { .kind = SHAPE_LIST, .of = &shape_text, .n_min = 1 };
static const struct shape *const contact_grounds[] = { &shape_text, &ground_names, &model_ground_shape, &model_plane_shape, NULL };
static const struct shape contact_ground = EITHER(contact_grounds);
static const struct shape place_in_plane = { .kind = SHAPE_LIST, .of = &shape_formula, .n_min = 2, .n_max = 2 };
static const struct shape *const contact_points[] = { &shape_text, &place_in_plane, NULL };
static const struct shape contact_point = EITHER(contact_points);
static const struct shape two_numbers = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 2, .n_max = 2 };
static const struct shape_key disc_keys[] = {
    { "point", &place_in_plane, .needed = true, .help = "where its middle is, [x, z], expressions of positions" },
    { "radius", &shape_number, .initial = "0", .help = "in m" },
    { "angle", &shape_formula, .initial = "0", .help = "how far it has turned, from x to z (rad): it rolls" },
    END
};
const struct shape model_disc_shape = RECORD(disc_keys);
static const struct shape *const contact_others[] = { &model_disc_shape, &shape_text, NULL };
static const struct shape contact_other = EITHER(contact_others);
static const struct shape_key contact_keys[] = {
    { "gap", &shape_formula, .help = "distance, an expression of positions; it stays >= 0" },
    { "point", &contact_point,
      .help = "in place of gap and tangents: a place in the plane, [x, z]; in space a point of a body, or a body for its origin" },
    { "frame", &shape_text, .help = "in place of point: a frame or a point of a body" },
    { "shape", &shape_text, .help = "in place of point: one of `shapes`, which touches `other`, or else z = 0" },
    { "radius", &shape_number, .initial = "0", .help = "of a disc or ball around the point (m); of the corners of a box" },
    { "angle", &shape_formula, .initial = "0", .help = "how far the disc, box or ellipse has turned, from x to z (rad)" },
    { "box", &two_numbers,
      .help = "[width, height] of a box around the point (m); of a frame [x, y], whose corners are the contacts name_1 to name_4" },
    { "ellipse", &two_numbers, .help = "half axes [a, b] of an ellipse around the point (m)" },
    { "ground", &contact_ground, .initial = "z = 0",
      .help = "what it touches: one of grounds or a list of them, or {points:}; in space a plane, {normal:, through:}" },
    { "other", &contact_other,
      .help = "in place of a ground: another disc that it touches, {point:, radius:, angle:}; of a shape another one "
              "of `shapes`" },
    { "tangent", &slip, .help = "length along the contact, its rate is the tangential velocity; two of them in 3D" },
    { "slip", &slip, .help = "the tangential velocity itself, where it is the rate of nothing (rolling); a third one: the turn "
      "about the normal" },
    { "friction", &coefficients, .initial = "0",
      .help = "Coulomb's coefficient, an expression of parameters; or one for each slip: an ellipse, or an ellipsoid" },
    { "drilling", &shape_number, .help = "of a point: moment about the normal over the normal force (m), with the friction an "
      "ellipsoid" },
    { "rolling", &coefficients, .help = "of a point: moment against rolling over the normal force (m)" },
    { "restitution", &shape_number, .initial = "0",
      .help = "Newton's coefficient in [0, 1], an expression of parameters" },
    SIZE,
    END
};
const struct shape model_contact_shape = RECORD(contact_keys);
static const struct shape contacts = TABLE(model_contact_shape);
static const struct shape_key friction_keys[] = {
    { "slip", &slip, .help = "velocity of what slides; two of them in the plane, a third one: the turn about the normal" },
    { "tangent", &slip, .help = "in place of slip: the length whose rate it is" },
    { "load", &shape_formula, .needed = true, .help = "normal force, as m*g; smooth, never negative; or "
      "that of a contact, as floor.lambda_n" },
    { "coefficient", &coefficients, .needed = true,
      .help = "Coulomb's coefficient, an expression of parameters; or one for each slip: an ellipse, or an ellipsoid" },
    END
};
const struct shape model_friction_shape = RECORD(friction_keys);
static const struct shape frictions = TABLE(model_friction_shape);

static const struct shape_key projection_keys[] = {
    { "gap", &shape_formula, .needed = true, .help = "of positions, first-order states and t; it stays >= 0" },
    { "mobility", &formulas, .initial = "1",
      .help = "{first-order state: its rate per unit of the reaction, over the gradient of the gap}; 0: it is not pushed" },
    { "direction", &formulas, .help = "in place of mobility: {first-order state: its rate per unit of the reaction}" },
    END
};
const struct shape model_projection_shape = RECORD(projection_keys);
static const struct shape projections = TABLE(model_projection_shape);

/* --- Cost and constraints ------------------------------------------------------------------------------------ */

#define COST_ENTRY \
    { "expr", &shape_formula, .help = "a smooth expression" }, \
    { "squares", &numbers, .help = "in place of expr: {name: weight}, the sum of weight*(name - reference)^2" }, \
    { "reference", &formulas, .initial = "0", .help = "{name: what it should be}; may depend on t" }, \
    { "weight", &shape_number, .initial = "1", .help = "factor of the entry" }
static const struct shape_key cost_entry_keys[] = { COST_ENTRY, END };
const struct shape model_cost_entry_shape = SHORT_RECORD(cost_entry_keys, "expr");
static const struct shape cost_entries = TABLE(model_cost_entry_shape);
static const struct shape_key sampled_keys[] = {
    COST_ENTRY,
    { "at", &at, .needed = true, .help = "the times; also initial and final" },
    END
};
const struct shape model_sampled_shape = RECORD(sampled_keys);
static const struct shape sampled_entries = TABLE(model_sampled_shape);
static const struct shape_key cost_keys[] = {
    { "running", &cost_entries, .help = "entries whose integral over time is minimized" },
    { "impacts", &cost_entries, .help = "entries that are summed over impacts, as foot.impulse_n^2" },
    { "impulses", &cost_entries, .help = "entries that are summed over the impulses of impulsive controls, as abs(dv)" },
    { "sampled", &sampled_entries, .help = "entries that are summed over given times, as misfits to what was measured then" },
    { "terminal", &cost_entries, .help = "entries at the end; {time: t} is the shortest time" },
    END
};
const struct shape model_cost_shape = RECORD(cost_keys);

static const struct shape_key constraint_keys[] = {
    { "expr", &shape_formula, .needed = true, .help = "a relation, as x >= 0 or 0 <= x <= 1 or x == y" },
    { "at", &constraint_at, .initial = "path",
      .help = "where it holds: path is stages and ends of elements; boundary ties initial(e) and final(e); {time: p}: at a time "
              "that is optimized" },
    { "if", &conditions, .help = "along the path: where this holds, a condition of states and t; of a list all" },
    END
};
const struct shape model_constraint_shape = SHORT_RECORD(constraint_keys, "expr");
static const struct shape constraints = TABLE(model_constraint_shape);
static const struct shape_key pair_keys[] = {
    { "G", &shape_formula, .help = "one side, never negative; smooth, of states, controls, parameters, t; without it the pair has "
                                   "a force of its own, NAME.lambda, on which H depends" },
    { "H", &shape_formula, .help = "the other side, never negative: at every time one of the two is 0" },
    { "zero", &shape_formula, .help = "in place of H: the other side, of any sign, as a velocity of slip under a force" },
    END
};
const struct shape model_pair_shape = RECORD(pair_keys);
static const struct shape pairs = TABLE(model_pair_shape);

/* --- Data ---------------------------------------------------------------------------------------------------- */

static const struct shape number_list = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 1 };
static const struct shape number_table = TABLE(number_list);
static const struct shape *const deviations[] = { &shape_number, &shape_text, NULL };
static const struct shape deviation = EITHER(deviations);
static const struct shape deviation_table = TABLE(deviation);
#define DATA_KEYS \
    { "file", &shape_text, .help = "a CSV beside the spec; its first line names the columns, empty cells and nan are missing" }, \
    { "table", &number_table, .help = "in place of file: {column: [numbers]}, .nan where one is missing" }, \
    { "time", &shape_text, .initial = "t", .help = "the column of times" }, \
    { "columns", &names, .needed = true, .help = "{state or define: its column}; it may depend on states, parameters and t" }, \
    { "sigma", &deviation_table, .help = "{state or define: the standard deviation of its values, or the column that has them}" }, \
    { "weights", &numbers, .initial = "1", .help = "in place of sigma, where nobody knows it: {state or define: weight of the squares}" }
static const struct shape_key data_keys[] = { DATA_KEYS, END };
const struct shape model_data_shape = RECORD(data_keys);
static const struct shape experiment_values = TABLE(end_value);
static const struct shape_key experiment_keys[] = {
    DATA_KEYS,
    { "set", &experiment_values, .help = "{path: value}: what is different in this experiment, as "
                                          "{states.x.initial: 0.3, time.horizon: 2}" },
    END
};
const struct shape model_experiment_shape = RECORD(experiment_keys);
static const struct shape experiments = TABLE(model_experiment_shape);
static const struct shape *const one_or_several[] = { &model_data_shape, &experiments, NULL };
static const struct shape data = EITHER(one_or_several);

/* --- Phases -------------------------------------------------------------------------------------------------- */

static const struct shape name_list = { .kind = SHAPE_LIST, .of = &shape_text };
const char *const model_contact_words[] = { "open", "sticks", NULL };
static const struct shape contact_word = { .kind = SHAPE_CHOICE, .words = model_contact_words };
static const struct shape contact_words = TABLE(contact_word);
static const struct shape *const contact_choices[] = { &name_list, &contact_words, NULL };
static const struct shape phase_contacts = EITHER(contact_choices);
static const struct shape_key phase_dynamics_keys[] = {
    { "rhs", &formulas, .help = "{state: rate of change} in this phase, in place of that of all" },
    { "force", &formulas, .help = "{coordinate: force} in this phase, in place of that of all" },
    END
};
const struct shape model_phase_dynamics_shape = RECORD(phase_dynamics_keys);
static const struct shape_key phase_cost_keys[] = {
    { "running", &cost_entries, .help = "entries whose integral over this phase is minimized" },
    { "terminal", &cost_entries, .help = "entries at the end of this phase, t being the time of that" },
    END
};
const struct shape model_phase_cost_shape = RECORD(phase_cost_keys);
static const struct shape_key phase_keys[] = {
    { "length", &horizon, .needed = true,
      .help = "how long it lasts: a number, an optimized parameter, or {min:, max:, guess:}; as a name held_length" },
    { "intervals", &shape_count, .needed = true, .help = "its control intervals, all of one length" },
    { "until", &shape_formula,
      .help = "an inequality, as z <= 0: it ends as soon as that holds; its length follows from it, within its bounds" },
    { "controls", &name_list, .initial = "all", .help = "those that act in it; the others are 0" },
    { "contacts", &phase_contacts, .initial = "all",
      .help = "those there are in it, bodies pass through the others; or {contact: open or sticks}, all through it" },
    { "dynamics", &model_phase_dynamics_shape, .initial = "those of all", .help = "what is different in it" },
    { "cost", &model_phase_cost_shape, .help = "what it costs, beside the cost of all" },
    { "constraints", &constraints, .help = "what holds in it; path, initial, final and times are its own" },
    { "start", &formulas, .help = "{state: what it jumps to where the phase begins, of what is before}" },
    END
};
const struct shape model_phase_shape = RECORD(phase_keys);
static const struct shape phases = TABLE(model_phase_shape);
static const struct shape links = TABLE(formulas);

/* --- Guess --------------------------------------------------------------------------------------------------- */

static const struct shape waypoints = { .kind = SHAPE_TABLE, .of = &numbers, .by_time = true };
static const struct shape_key guess_keys[] = {
    { "waypoints", &waypoints, .help = "{fraction of the horizon, or time with its unit, as 0.5 s: {state or control: value}}, linear in between" },
    { "file", &shape_text, .help = "a result to start from, as --guess" },
    END
};
const struct shape model_guess_shape = RECORD(guess_keys);

/* --- Films --------------------------------------------------------------------------------------------------- */

static const struct shape vector = { .kind = SHAPE_LIST, .of = &shape_formula, .n_min = 2, .n_max = 3 };
static const struct shape places = TABLE(vector);
static const struct shape point_names = { .kind = SHAPE_LIST, .of = &shape_text, .n_min = 2 };
static const struct shape point_lines = TABLE(point_names);
static const struct shape_key link_keys[] = {
    { "points", &point_names, .needed = true, .help = "[point, point, ...] that it goes through" },
    { "radius", &shape_number, .initial = "a thin line", .help = "in m: it is round and has this thickness" },
    END
};
const struct shape model_link_shape = SHORT_RECORD(link_keys, "points");
static const struct shape drawn_links = TABLE(model_link_shape);
static const struct shape corner = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 2, .n_max = 3 };
static const struct shape corners = { .kind = SHAPE_LIST, .of = &corner, .n_min = 2 };
static const struct shape grounds = TABLE(corners);
static const struct shape size = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 2, .n_max = 2 };

#define AT { "at", &shape_text, .needed = true, .help = "the point it is drawn at" }
static const struct shape_key circle_keys[] = {
    AT,
    { "radius", &shape_number, .initial = "0.05", .help = "in m" },
    END
};
const struct shape model_circle_shape = RECORD(circle_keys);
static const struct shape circles = TABLE(model_circle_shape);
static const struct shape_key box_keys[] = {
    AT,
    { "size", &size, .needed = true, .help = "[width, height] (m)" },
    { "angle", &shape_formula, .initial = "0", .help = "how far it has turned to the left (rad)" },
    END
};
const struct shape model_box_shape = RECORD(box_keys);
static const struct shape boxes = TABLE(model_box_shape);
static const struct shape_key force_keys[] = {
    AT,
    { "contact", &shape_text, .help = "the contact whose force it is, or the projection whose reaction" },
    { "normal", &vector, .initial = "upwards", .help = "direction of its normal force; the tangent is to the right of it" },
    { "vector", &vector, .help = "in place of contact: any force, by components" },
    END
};
const struct shape model_force_shape = RECORD(force_keys);
static const struct shape forces = TABLE(model_force_shape);

static const struct shape_key draw_keys[] = {
    { "points", &places, .help = "{name: [x, z]}, or three coordinates in space: expressions of states and defines" },
    { "links", &drawn_links,
      .help = "{name: [point, point, ...]}: bars from point to point; {points: [...], radius: r}: round ones" },
    { "springs", &point_lines, .help = "{name: [point, point]}" },
    { "circles", &circles, .help = "{name: {at: point, radius: r}}: discs, balls in space" },
    { "boxes", &boxes, .help = "{name: {at: point, size: [w, h], angle: e}}: the point is the middle" },
    { "grounds", &grounds, .help = "{name: [[x, z], [x, z], ...]}: lines that do not move; by numbers" },
    { "forces", &forces, .help = "{name: {at: point, contact: c}} or {at:, vector: [e, e]}: arrows" },
    END
};
const struct shape model_draw_shape = RECORD(draw_keys);

/* --- The whole ----------------------------------------------------------------------------------------------- */

static const struct shape file_list = { .kind = SHAPE_LIST, .of = &shape_text, .n_min = 1 };
static const struct shape *const one_or_more_files[] = { &shape_text, &file_list, NULL };
static const struct shape files = EITHER(one_or_more_files);
static const struct shape sizes = TABLE(shape_count);

static const char *const versions[] = { "1", NULL };
static const struct shape version = { .kind = SHAPE_CHOICE, .words = versions };
static const struct shape_key spec_keys[] = {
    { "cocp", &version, .needed = true, .help = "version of the format; the first key" },
    { "name", &shape_text, .initial = "the file's name", .help = "title of the result" },
    { "description", &shape_text, .help = "a line or more for readers" },
    { "include", &files, .help = "a file of blocks, or a list of them: what the spec says itself counts" },
    { "sizes", &sizes, .help = "whole numbers for ranges of indices, as in x[i=1..N]; parameters in formulas" },
    { "parameters", &parameters, .help = "numbers by name" },
    { "time", &model_time_shape, .help = "the horizon, and how it is cut into control intervals and finite elements" },
    { "states", &states, .needed = true, .unless = { "bodies", "robots" },
      .help = "positions and velocities, or the states of an ode; those of joints need no entry" },
    { "controls", &controls, .help = "inputs, constant in each control interval, or continuous" },
    { "define", &define, .help = "named expressions" },
    { "tables", &tables, .help = "functions of one or two arguments, by their values: called in formulas by name" },
    { "hysteresis", &relays, .help = "relays with two thresholds; their names stand for 1 (on) and 0 in dynamics" },
    { "machines", &machines, .help = "discrete states with transitions and resets" },
    { "robots", &robots_shape, .help = "robots from their files, URDF or MJCF: entries of bodies" },
    { "bodies", &bodies, .help = "rigid bodies in space, free or on joints, and their points" },
    { "shapes", &solids,
      .help = "spheres, capsules, boxes, plates and planes in space, on bodies and in the world: contacts and `apart` "
              "name them" },
    { "apart", &aparts, .help = "{name: {a:, b:, distance:}}: shapes that keep a distance, without a force" },
    { "loops", &loops, .help = "points of bodies that stay together: closed kinematic loops" },
    { "gravity", &shape_vector, .initial = "[0, 0, -9.81]", .help = "acceleration of bodies with joints (m/s^2)" },
    { "dynamics", &dynamics, .needed = true, .unless = { "bodies", "robots" },
      .help = "the system: ode, mechanical or piecewise; bodies with joints need none" },
    { "grounds", &ground_table, .help = "lines with steps and edges in the plane, and polygons, that contacts name" },
    { "contacts", &contacts, .help = "where bodies touch; forces act where the gap is 0" },
    { "friction", &frictions, .help = "Coulomb friction under loads that are given or those of contacts" },
    { "projection", &projections, .help = "sets that first-order states are kept in, by reactions that push" },
    { "cost", &model_cost_shape, .initial = "0", .help = "what `solve` minimizes" },
    { "data", &data, .help = "what was measured, or several {experiment: what was measured}; `solve` fits optimized "
                               "parameters and free initial values to it" },
    { "constraints", &constraints, .help = "what must hold along the path, at its ends, or between them" },
    { "complementarity", &pairs, .help = "{name: {G:, H:}}: neither is negative, and at every time one of them is 0" },
    { "phases", &phases, .help = "stretches of the horizon with lengths, dynamics, costs and demands of their own" },
    { "links", &links,
      .help = "{name: {state at the start: expression of the states at the end}}: periodic or mirrored motions" },
    { "guess", &model_guess_shape, .initial = "the initial state at all times", .help = "where `solve` starts" },
    { "draw", &model_draw_shape, .help = "what films show: points, links, circles, boxes, springs, grounds, forces" },
    { "discretization", NULL, .help = "method and scheme of `solve`" },
    { "homotopy", NULL, .help = "how the complementarity conditions are tightened" },
    { "solver", NULL, .help = "options of IPOPT" },
    { "simulate", NULL, .help = "defaults of `cocp simulate`" },
    { "track", NULL, .help = "defaults of `cocp track`" },
    { "impact", NULL, .help = "defaults of `cocp impact`" },
    { "certify", NULL, .help = "defaults of `cocp certify`" },
    { "verify", NULL, .help = "defaults of `cocp verify`" },
    { "finish", NULL, .help = "the smooth program of the sequence that was found; off: the method's raw solution" },
    { "sensitivity", NULL, .help = "how a finished solution moves with initial values and parameters" },
    { "scenarios", NULL, .help = "one plan for several values of parameters and initial states" },
    { "output", NULL, .help = "how results are written" },
    END
};
const struct shape model_spec_shape = RECORD(spec_keys);
