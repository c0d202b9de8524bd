/* test_robot_quantities.c - what bodies, joints and contacts of shapes have by name, against rates of
 * places, closed forms and each other; motions of shapes that touch against closed forms */
#include "tests/unit/event_run.h"

#include "core/model/kinematics.h"
#include "core/model/rotation.h"

#include <string.h>

/* An arm with a tool, a free crate with a goal on it, a driven wheel; shapes on them. */
static const char *const robot =
    "cocp: 1\ntime: {horizon: 1}\nstates: {base_z: {initial: 3}}\nbodies:\n"
    "  base: {joint: free, mass: 5, inertia: [0.3, 0.4, 0.35]}\n"
    "  upper: {parent: base, joint: {name: hip, type: revolute, axis: [1, 2, -1], at: [0.1, 0.2, 0.1], turn: "
    "[0.4, -0.1, 0.7],\n"
    "          actuate: true}, mass: 1.2, center: [0.1, 0, -0.05], inertia: [0.01, 0.02, 0.025],\n"
    "          frames: {tool: {at: [0.1, -0.2, 0.3], turn: [0.3, 0.2, 0.1]}}, points: {toe: [0.3, 0.1, -0.2]}}\n"
    "  slider: {parent: upper, joint: {name: track, type: prismatic, axis: [0, 0, 1], actuate: true}, mass: 0.7}\n"
    "  crate: {joint: free, mass: 2, inertia: [0.02, 0.03, 0.04], frames: {goal: {turn: [0.2, -0.3, 0.5]}}}\n"
    "shapes:\n"
    "  arm: {frame: tool, capsule: [0.05, 0.4], at: [0.02, 0.03, 0.1], turn: [0.5, 0.1, 0]}\n"
    "  hand: {frame: toe, sphere: 0.06, at: [0.01, 0, 0.02]}\n"
    "  box: {frame: goal, box: [0.4, 0.3, 0.2]}\n"
    "  lid: {frame: goal, plate: [0.4, 0.3], at: [0, 0, 0.1]}\n"
    "  post: {capsule: 0.1, from: [1, 0, -1], to: [1.2, 0.1, 1]}\n"
    "  wall: {plane: [1, 0.2, 0.1], at: [-2, 0, 0]}\n"
    "  edge: {frame: crate, capsule: 0.02, from: [-0.2, 0.1, 0.1], to: [0.2, 0.1, 0.1]}\n"
    "contacts:\n"
    "  grip: {shape: hand, other: box, friction: 0.5, drilling: 0.01}\n"
    "  cover: {shape: lid, other: hand, friction: 0.5}\n"
    "  bump: {shape: arm, other: post, friction: 0.3}\n"
    "  cross: {shape: arm, other: edge, friction: 0.3}\n"
    "  side: {shape: box, other: wall, friction: 0.4}\n"
    "  floor: {shape: arm, friction: 0.4}\n"
    "apart:\n  far: {a: hand, b: post, distance: 0.05}\n";

static unsigned seed = 7;

static double random_in(double lo, double hi)
{
    seed = seed * 1664525u + 1013904223u;
    return lo + (hi - lo) * (seed >> 8) / 16777216.0;
}

static void fill_state(const struct model *m, double *x)
{
    for (int k = 0; k < m->n_x; k++)
        x[k] = random_in(-1, 1);
    kinematics_normalize(m, x);
}

static double eval(const struct model *m, expr e, const double *x)
{
    return expr_eval(m->graph, e, m->n_x, m->x_sym, x);
}

static expr named(const struct model *m, const char *format, const char *what, char part)
{
    char name[64];
    (void)snprintf(name, sizeof name, format, what, part);
    return named_quantity(m, name);
}

/* toe.vx is the rate of toe.x; R' = [w]x R of the tool. */
static void velocities_are_rates(void **state)
{
    (void)state;
    struct event_run r = event_run_read(robot);
    const struct model *m = r.model;
    static const char *const point[] = { "toe", "tool", "goal", "slider" };
    double x[64];
    for (int trial = 0; trial < 20; trial++) {
        fill_state(m, x);
        for (int p = 0; p < 4; p++)
            for (int i = 0; i < 3; i++)
                assert_near(eval(m, named(m, "%s.v%c", point[p], (char)('x' + i)), x),
                            eval(m, kinematics_rate(m, named(m, "%s.%c", point[p], (char)('x' + i))), x), 1e-12);
        for (int p = 1; p < 3; p++)
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < 3; i++) {
                    char name[2][16];
                    const int j = (i + 1) % 3, l = (i + 2) % 3;
                    double rate = 0;
                    for (int s = 0; s < 2; s++) { /* (w x r)_i = w_j r_l - w_l r_j */
                        (void)snprintf(name[0], sizeof name[0], "%s.w%c", point[p], 'x' + (s ? l : j));
                        (void)snprintf(name[1], sizeof name[1], "%s.r%d%d", point[p], (s ? j : l) + 1, k + 1);
                        rate += (s ? -1 : 1) * eval(m, named_quantity(m, name[0]), x)
                                * eval(m, named_quantity(m, name[1]), x);
                    }
                    (void)snprintf(name[1], sizeof name[1], "%s.r%d%d", point[p], i + 1, k + 1);
                    assert_near(rate, eval(m, kinematics_rate(m, named_quantity(m, name[1])), x), 1e-12);
                }
    }
    event_run_free(&r);
}

static void drives_have_torque_and_power(void **state)
{
    (void)state;
    struct event_run r = event_run_read(robot);
    struct model *m = r.model;
    const int hip = model_find_control(m, "hip_tau"), track = model_find_control(m, "track_tau");
    const expr v[] = { m->x_sym[model_find_state(m, "hip_v")], m->x_sym[model_find_state(m, "track_v")] };
    const expr power[] = { expr_mul(m->graph, m->u_sym[hip], v[0]), expr_mul(m->graph, m->u_sym[track], v[1]) };
    assert_int_equal(named_quantity(m, "hip.torque"), m->u_sym[hip]);
    assert_int_equal(named_quantity(m, "hip.power"), power[0]);
    assert_int_equal(named_quantity(m, "track.power"), power[1]);
    assert_int_equal(named_quantity(m, "base.total_power"), expr_add(m->graph, power[0], power[1]));
    assert_near(eval(m, named_quantity(m, "base.total_mass"), (double[64]){ 0 }), 6.9, 1e-14);
    event_run_free(&r);
}

/* Of the rotation vector of a matrix that is made of a rotation vector: that vector, up to half a turn. */
static void rotation_vectors_come_back(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    const expr in[] = { expr_sym(g, "a"), expr_sym(g, "b"), expr_sym(g, "c") };
    expr R[9], out[3];
    rotation_matrix(g, 3, in, R);
    rotation_vector(g, R, out);
    static const double length[] = { 0, 1e-9, 1e-4, 0.1, 0.28, 0.2832, 0.29, 1, 2, 3, 3.14 };
    for (size_t k = 0; k < sizeof length / sizeof *length; k++) {
        const double at[] = { length[k] * 2 / 7, -length[k] * 3 / 7, length[k] * 6 / 7 };
        for (int i = 0; i < 3; i++)
            assert_near(expr_eval(g, out[i], 3, in, at), at[i], length[k] > 3.1 ? 1e-9 : 2e-14);
    }
    const double half[] = { 3.14159265358979323846, 0, 0 };
    for (int i = 0; i < 3; i++)
        assert_true(isfinite(expr_eval(g, out[i], 3, in, half)));
    expr_graph_free(g);
}

/* The error turns the goal's axes into the tool's, and is 0 where they agree. */
static void orientation_errors_turn_one_into_the_other(void **state)
{
    (void)state;
    static const char *const with_error = "define:\n  e1: tool.orientation_error.goal.x\n  e2: "
                                          "tool.orientation_error.goal.y\n  e3: tool.orientation_error.goal.z\n"
                                          "  none: {expr: tool.orientation_error.tool.y}\n";
    char text[4000];
    (void)snprintf(text, sizeof text, "%s%s", robot, with_error);
    struct event_run r = event_run_read(text);
    const struct model *m = r.model;
    double x[64];
    for (int trial = 0; trial < 20; trial++) {
        fill_state(m, x);
        expr R[9];
        const expr vector[] = { m->defines.e[0], m->defines.e[1], m->defines.e[2] };
        rotation_matrix(m->graph, 3, vector, R);
        for (int row = 0; row < 3; row++)
            for (int k = 0; k < 3; k++) { /* R_goal R = R_tool */
                double sum = 0;
                char name[16];
                for (int j = 0; j < 3; j++) {
                    (void)snprintf(name, sizeof name, "goal.r%d%d", row + 1, j + 1);
                    sum += eval(m, named_quantity(m, name), x) * eval(m, R[j + 3 * k], x);
                }
                (void)snprintf(name, sizeof name, "tool.r%d%d", row + 1, k + 1);
                assert_near(sum, eval(m, named_quantity(m, name), x), 1e-9);
            }
        assert_near(eval(m, m->defines.e[3], x), 0, 1e-15);
    }
    event_run_free(&r);
}

/* --- Contacts of shapes
 * ------------------------------------------------------------------------------------------ */

/* The velocity of a place that is fixed to the body and is at c now. */
static void velocity_there(const struct model *m, int b, const double *c, const double *x, double *v)
{
    for (int i = 0; i < 3; i++)
        v[i] = 0;
    if (b < 0)
        return;
    const struct model_body *body = &m->mechanics.body[b];
    expr local[3], at[3];
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int i = 0; i < 3; i++)
            sum += eval(m, body->R[i + 3 * k], x) * (c[i] - eval(m, body->origin[i], x));
        local[k] = expr_const(m->graph, sum);
    }
    rotation_apply(m->graph, body->R, local, at);
    for (int i = 0; i < 3; i++)
        v[i] = eval(m, kinematics_rate(m, expr_add(m->graph, body->origin[i], at[i])), x);
}

/* v_n is the rate of the gap, slip that of places against each other, and the axes are orthonormal, right-handed.
 */
static void contacts_move_as_their_bodies(void **state)
{
    (void)state;
    struct event_run r = event_run_read(robot);
    const struct model *m = r.model;
    double x[64];
    assert_int_equal(m->contacts.n_contact, 4 + 8 + 2);
    for (int trial = 0; trial < 20; trial++) {
        fill_state(m, x);
        for (int c = 0; c < m->contacts.n_contact; c++) {
            const struct model_contact *contact = &m->contacts.contact[c];
            const double tol =
                strcmp(contact->name, "cross") == 0 || strcmp(contact->name, "bump") == 0 ? 1e-4 : 1e-10;
            double place[3], axis[3][3], v[2][3], w = 0;
            assert_near(eval(m, contact->v_n, x), eval(m, kinematics_rate(m, contact->gap), x), tol);
            for (int i = 0; i < 3; i++) {
                place[i] = eval(m, contact->place[i], x);
                for (int k = 0; k < 3; k++)
                    axis[k][i] = eval(m, contact->axis[k][i], x);
            }
            for (int k = 0; k < 3; k++) {
                const double *a = axis[k], *b = axis[(k + 1) % 3], *n = axis[(k + 2) % 3];
                assert_near(a[0] * a[0] + a[1] * a[1] + a[2] * a[2], 1, 1e-9);
                for (int i = 0; i < 3; i++)
                    assert_near(a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3], n[i], 1e-9);
            }
            for (int s = 0; s < 2; s++)
                velocity_there(m, contact->body[s], place, x, v[s]);
            for (int k = 0; k < 2; k++) {
                double slip = 0;
                for (int i = 0; i < 3; i++)
                    slip += axis[1 + k][i] * (v[0][i] - v[1][i]);
                assert_near(eval(m, contact->v_t[k], x), slip, 1e-10);
            }
            for (int i = 0; i < 3 && contact->n_t > 2; i++)
                w += axis[0][i]
                     * (eval(m, named(m, "%s.w%c", "toe", (char)('x' + i)), x)
                        - eval(m, named(m, "%s.w%c", "goal", (char)('x' + i)), x));
            if (contact->n_t > 2) /* weighted by the radius of the drilling friction */
                assert_near(eval(m, expr_div(m->graph, contact->v_t[2], contact->weight[2]), x), w, 1e-9);
        }
    }
    assert_int_equal(m->constraints.n_constraint, 1 + 0);
    assert_near(eval(m, named_quantity(m, "distance.far"), x) - 0.05, eval(m, m->constraints.constraint[0].e, x),
                1e-15);
    assert_near(eval(m, named_quantity(m, "distance.grip"), x), eval(m, m->contacts.contact[0].gap, x), 0);
    event_run_free(&r);
}

/* The power of the contact forces, by their Jacobians, is that of force and moment: of a patch on a slope, of a
 * sphere with a radius, and of shapes against the world. */
static void wrenches_have_the_power_of_contacts(void **state)
{
    (void)state;
    static const char *const text =
        "cocp: 1\ntime: {horizon: 1, intervals: 2}\nstates: {base_z: {initial: 3}}\nbodies:\n"
        "  base: {joint: free, mass: 5, inertia: [0.3, 0.4, 0.35]}\n"
        "  foot: {parent: base, joint: {name: ankle, type: revolute, axis: [1, 2, -1], at: [0.1, 0.2, 0.1]}, "
        "mass: 1,\n"
        "         inertia: [0.01, 0.01, 0.01], frames: {sole: {at: [0.1, -0.2, 0.3], turn: [0.3, 0.2, 0.1]}}}\n"
        "shapes: {heel: {frame: sole, sphere: 0.1, at: [0.1, 0, 0]}, post: {capsule: [0.2, 2], at: [3, 0, 0]}}\n"
        "contacts:\n"
        "  sole: {frame: sole, box: [0.2, 0.1], friction: [0.8, 0.4], ground: {normal: [0.1, 0.2, 1]}}\n"
        "  ball: {frame: sole, radius: 0.1, friction: 0.8, drilling: 0.05}\n"
        "  heel: {shape: heel, other: post, friction: 0.7}\n"
        "constraints: {%s}\n";
    static const char *const contact[] = { "sole", "ball", "heel" };
    static const char *const part[] = { "force.x",  "force.y", "force.z", "moment.x",    "moment.y",
                                        "moment.z", "cop.x",   "cop.y",   "normal_force" };
    for (int which = 0; which < 3; which++) {
        char spec[3000], rows[1000] = "";
        for (int k = 0; k < 9; k++)
            (void)snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%sc%d: %s.%s <= 1e9", k ? ", " : "",
                           k, contact[which], part[k]);
        (void)snprintf(spec, sizeof spec, text, rows);
        struct event_run r = event_run_read(spec);
        const struct model *m = r.model;
        const int n_c = m->contacts.n_contact, n_f = CONTACT_ROWS * n_c;
        expr sym[200];
        double value[200] = { 0 }, power = 0, by_wrench = 0, normal = 0, pressed[2] = { 0 };
        assert_int_equal(n_c, 6);
        fill_state(m, value);
        memcpy(sym, m->x_sym, (size_t)m->n_x * sizeof *sym);
        memcpy(sym + m->n_x, m->contacts.force_sym, (size_t)n_f * sizeof *sym);
        for (int c = 0; c < n_c; c++) {
            const struct model_contact *one = &m->contacts.contact[c];
            double *lambda = value + m->n_x + CONTACT_ROWS * c;
            if (strcmp(one->family, contact[which]) != 0)
                continue;
            for (int k = 0; k <= one->n_t; k++) {
                lambda[k] = random_in(0, 5);
                power += lambda[k] * eval(m, k ? one->v_t[k - 1] : one->v_n, value);
            }
            normal += lambda[0];
            pressed[0] += lambda[0] * (c == 1 || c == 2 ? -0.1 : 0.1);
            pressed[1] += lambda[0] * (c >= 2 ? -0.05 : 0.05);
        }
        double wrench[9];
        for (int k = 0; k < 9; k++)
            wrench[k] = expr_eval(m->graph, m->constraints.constraint[k].e, m->n_x + n_f, sym, value);
        const double w[] = { eval(m, named_quantity(m, "sole.wx"), value),
                             eval(m, named_quantity(m, "sole.wy"), value),
                             eval(m, named_quantity(m, "sole.wz"), value) };
        const double arm =
            which == 2 ? 0.1 : 0; /* the middle of the heel is 0.1 along the first axis of the sole */
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            const double a[] = { eval(m, named_quantity(m, "sole.r11"), value),
                                 eval(m, named_quantity(m, "sole.r21"), value),
                                 eval(m, named_quantity(m, "sole.r31"), value) };
            by_wrench += wrench[i]
                             * (eval(m, named(m, "%s.v%c", "sole", (char)('x' + i)), value)
                                + arm * (w[j] * a[l] - w[l] * a[j]))
                         + wrench[3 + i] * w[i];
        }
        assert_near(by_wrench, power, 1e-10);
        assert_near(wrench[8], normal, 1e-12);
        if (which == 0) {
            assert_near(wrench[6], pressed[0] / normal, 1e-10);
            assert_near(wrench[7], pressed[1] / normal, 1e-10);
        }
        event_run_free(&r);
    }
}

/* A ball on a ball that does not move, from rest at the angle 0.2 from the top, in a plane across the axes of the
 * world. */
static struct event_run ball_on_ball(double horizon, const char *friction)
{
    static const char *const format =
        "cocp: 1\ntime: {horizon: %g}\nparameters: {a: 0.2, c: 0.6, s: 0.8, far: 1.1}\nstates:\n"
        "  ball_x: {initial: c*far*sin(a)}\n  ball_y: {initial: s*far*sin(a)}\n  ball_z: {initial: far*cos(a)}\n"
        "bodies: {ball: {joint: free, mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"
        "shapes: {skin: {frame: ball, sphere: 0.1}, hill: {sphere: 1}}\ncontacts: {touch: {shape: skin, other: "
        "hill%s}}\n";
    char text[1000];
    (void)snprintf(text, sizeof text, format, horizon, friction);
    return event_run_solved(text);
}

/* Without friction it leaves where its height is 2/3 of that at the start. */
static void a_ball_leaves_a_ball(void **state)
{
    (void)state;
    struct event_run r = ball_on_ball(1.2, "");
    double x[13];
    sim_eval(r.sim, event_run_event(&r, SIM_LIFTOFF, 0).t, -1, x);
    const double *at = x + model_find_state(r.model, "ball_x");
    assert_near(x[model_find_state(r.model, "ball_z")] / 1.1, 2.0 / 3 * cos(0.2), 1e-7);
    assert_near(x[model_find_state(r.model, "ball_y")] / *at, 0.8 / 0.6, 1e-7);
    event_run_free(&r);
}

/* Rolling, with 2/5 m r^2, its speed follows from its height: v^2 = 10/7 g (z0 - z). */
static void a_ball_rolls_on_a_ball(void **state)
{
    (void)state;
    struct event_run r = ball_on_ball(0.7, ", friction: 2");
    static const char *const name[] = { "ball_vx", "ball_vy", "ball_vz" };
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += pow(event_run_end(&r, model_find_state(r.model, name[i])), 2);
    const double fallen = 1.1 * cos(0.2) - event_run_end(&r, model_find_state(r.model, "ball_z"));
    assert_true(fallen > 0.1);
    assert_near(square, 10.0 / 7 * 9.81 * fallen, 1e-7);
    assert_int_equal(event_run_count(&r, SIM_LIFTOFF) + event_run_count(&r, SIM_SLIP), 0);
    event_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_rates),
        cmocka_unit_test(drives_have_torque_and_power),
        cmocka_unit_test(rotation_vectors_come_back),
        cmocka_unit_test(orientation_errors_turn_one_into_the_other),
        cmocka_unit_test(contacts_move_as_their_bodies),
        cmocka_unit_test(wrenches_have_the_power_of_contacts),
        cmocka_unit_test(a_ball_leaves_a_ball),
        cmocka_unit_test(a_ball_rolls_on_a_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
