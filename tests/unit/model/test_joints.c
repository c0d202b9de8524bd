/* Bodies on joints: mass matrix and bias of a tree with all types of joints against Pinocchio, motions against written
 * energies, what is kept against its start. */
#include "core/model/inputs.h"
#include "core/model/variables.h"

#include "tests/unit/assertions.h"
#include "tests/unit/event_run.h"

/* --- Equations ----------------------------------------------------------------------------------------------- */

/* The tree of tests/unit/model/joints_by_pinocchio.py; a body may stand before its parent. */
static const char *const tree =
    "cocp: 1\ntime: {horizon: 1}\ngravity: [0.3, -0.2, -9.7]\nbodies:\n"
    "  shank: {parent: leg, joint: {type: revolute, axis: [2, 0, 0], at: [0, 0, -0.4]}, mass: 0.8, center: [0, 0.01, -0.15],\n"
    "          inertia: [0.01, 0.01, 0.001]}\n"
    "  base:\n    joint: {type: free, at: [0.1, -0.2, 0.3], turn: [0.2, -0.3, 0.5]}\n    mass: 5\n"
    "    center: [0.02, -0.01, 0.03]\n"
    "    inertia: [[0.3, 0.01, -0.02], [0.01, 0.4, 0.03], [-0.02, 0.03, 0.35]]\n"
    "  torso: {parent: base, joint: {type: fixed, at: [0.1, 0.05, 0.4], turn: [0.1, 0.2, -0.3]}, mass: 2,\n"
    "          center: [0.01, 0.02, 0.1], inertia: [0.05, 0.06, 0.03]}\n"
    "  arm: {parent: torso, joint: {type: revolute, axis: [1, 2, -1], at: [0, 0.2, 0.1], turn: [0.4, -0.1, 0.7]}, mass: 1.2,\n"
    "        center: [0.1, 0, -0.05], inertia: [0.01, 0.02, 0.025]}\n"
    "  slider: {parent: arm, joint: {type: prismatic, axis: [0.3, -1, 0.2], at: [0.25, 0, 0]}, mass: 0.7, center: [0, 0.1, 0],\n"
    "           inertia: [0.004, 0.005, 0.006]}\n"
    "  head: {parent: torso, joint: {name: neck, type: ball, at: [0, 0, 0.3]}, mass: 0.9, center: [0, 0.01, 0.08],\n"
    "         inertia: [0.007, 0.006, 0.005]}\n"
    "  cart: {parent: base, joint: {name: track, type: planar, at: [-0.2, 0, -0.1], turn: [0, 0, 1.1]}, mass: 3,\n"
    "         center: [0.05, 0.02, 0], inertia: [0.03, 0.04, 0.05]}\n"
    "  leg: {parent: base, joint: {type: continuous, axis: [0, 1, 0], at: [0, -0.1, -0.1], turn: [0.8, 0, 0.6, 0]}, mass: 1.5,\n"
    "        center: [0, 0, -0.2], inertia: [0.02, 0.02, 0.002]}\n";

/* Where Pinocchio has evaluated it; quaternions get their length in the test. */
static const struct { const char *name; double value; } at[] = {
    { "base_x", 0.3 }, { "base_y", -0.4 }, { "base_z", 0.9 }, { "base_q0", 0.7 }, { "base_q1", 0.1 }, { "base_q2", -0.5 },
    { "base_q3", 0.4 }, { "arm", 0.6 }, { "slider", -0.15 }, { "neck_q0", 0.9 }, { "neck_q1", -0.2 }, { "neck_q2", 0.3 },
    { "neck_q3", 0.1 }, { "track_x", 0.2 }, { "track_z", -0.3 }, { "track_pitch", 0.8 }, { "leg", -1.1 }, { "shank", 1.7 },
    { "base_vx", 0.5 }, { "base_vy", -0.6 }, { "base_vz", 0.7 }, { "base_wx", 1.1 }, { "base_wy", -1.2 }, { "base_wz", 1.3 },
    { "arm_v", -0.9 }, { "slider_v", 0.4 }, { "neck_wx", 1.4 }, { "neck_wy", -1.5 }, { "neck_wz", 1.6 }, { "track_vx", 0.35 },
    { "track_vz", -0.45 }, { "track_w", 0.55 }, { "leg_v", 2.1 }, { "shank_v", -2.2 },
};
enum { N_AT = sizeof at / sizeof *at, N_V = 16 };

/* The order of the numbers by Pinocchio. */
static const char *const velocity[N_V] = {
    "base_vx", "base_vy", "base_vz", "arm_v", "slider_v", "track_vx", "track_vz", "track_w",
    "leg_v", "shank_v", "base_wx", "base_wy", "base_wz", "neck_wx", "neck_wy", "neck_wz",
};
static const double M_of_pinocchio[N_V][N_V] = {        /* lower triangle */
    { 15.1 },
    { 0, 15.1 },
    { 0, 0, 15.1 },
    { 0.0655184415929908, 0.0444002707839798, -0.146040895753014, 0.0459433172923988 },
    { 0.680770614158177, 0.105695862365751, 0.124015142532914, 0.0537666760849798, 0.7 },
    { -1.80452705509531, 2.36255739920039, 0.402498003613111, 0, 0, 3 },
    { -2.04395604395604, -1.78021978021978, 1.28571428571429, 0, 0, 0, 3 },
    { 0.135926318180023, -0.0227251937712238, -0.0592250081813702, 0, 0, -0.107603413634928, -0.104506006402075,
      0.0475 },
    { -0.133546337361297, -0.36214208295584, -0.454924633178356, 0, 0, 0, 0, 0, 0.191117819411047 },
    { -0.059836582807667, -0.072350382418004, 0.0751598664306276, 0, 0, 0, 0, 0, 0, 0.02808 },
    { -0.458709061822657, -1.17003362271173, 0.742947797450559, -0.0729944216640171, 0.0205342975653431,
      1.16534578627291, 0.655076705398552, -0.100266506081216, -0.00317405145230534, 0.00446503428695527,
      3.22212742122107 },
    { 0.463330798158478, 0.660383788018158, 0.271617047637517, 0.0203192640865641, 0.278367610849762,
      -0.593123836787648, 0.333911249578682, 0.0277859843104906, 0.249738230663939, -0.00219321180779314,
      -0.13019639871084, 3.12239379077553 },
    { -0.559809907013927, -0.299623531994531, -1.30481756314277, 0.0371838388011286, -0.262391684054523,
      -0.594724416036861, 0, 0.0213314591125352, -0.0167750215448334, -0.00128749958750974, -0.717885631827505,
      -0.120391630532071, 1.16029123291811 },
    { 0.0398823309285587, -0.0479634868126678, 0.0370662058009175, 0, 0, 0, 0, 0, 0, 0, 0.0567418986281407,
      0.00444020267559966, -0.0199118839726405, 0.01285 },
    { 0.0452296300370439, 0.0525693008670123, 0.0193584393241211, 0, 0, 0, 0, 0, 0, 0, 0.00222377778065386,
      0.0524085401963522, -0.00330314115915622, 0, 0.01176 },
    { -0.00565370375463049, -0.00657116260837654, -0.00241980491551513, 0, 0, 0, 0, 0, 0, 0, 0.00340704925742879,
      -0.00504450247159816, 0.00352952198331501, 0, -0.00072, 0.00509 },
};
static const double bias_of_pinocchio[N_V] =
    { 44.8847122897024, 28.7995876183746, 136.822991301435, -0.80859595121701, 5.2202498000496, 7.88903488510471,
      7.29292557189354, -0.523807423518941, -4.71899950218007, 0.467030125343926, 8.39701155919333,
      8.40993170461996, -15.9885756210686, 0.46751846657672, 0.58381945764237, -0.0552298513815405 };
/* Centre of mass, momentum, angular momentum about it. */
static const double momentum_of_pinocchio[9] =
    { 0.313209063902701, -0.68322066885123, 1.16340584264619, 9.46671716763555, -8.54847434863494,
      7.26395611662741, 2.2959593064533, -0.61023875939248, 4.06731099068724 };

static int velocity_index(const struct model *m, const char *name)
{
    const int k = model_find_state(m, name);
    for (int i = 0; i < m->mechanics.n_q; i++)
        if (m->mechanics.v_index[i] == k)
            return i;
    fail_msg("%s is no velocity", name);
    return -1;
}

/* State of the tree where it is compared. */
static void fill_state(const struct model *m, double *x)
{
    for (int k = 0; k < N_AT; k++)
        x[model_find_state(m, at[k].name)] = at[k].value;
    for (int k = 0; k < m->mechanics.n_rotation; k++) {
        const int *q = m->mechanics.q_index + m->mechanics.rotation[k].q;
        const double length = sqrt(x[q[0]] * x[q[0]] + x[q[1]] * x[q[1]] + x[q[2]] * x[q[2]] + x[q[3]] * x[q[3]]);
        for (int i = 0; i < 4; i++)
            x[q[i]] /= length;
    }
}

static void trees_move_as_in_pinocchio(void **state)
{
    (void)state;
    struct event_run r = event_run_read(tree);
    const struct model *m = r.model;
    double x[N_AT];
    assert_int_equal(m->n_x, N_AT);
    assert_int_equal(m->mechanics.n_q, N_V);
    fill_state(m, x);
    struct function M = function_create(m, NULL, N_V * N_V, m->mechanics.M), f = function_create(m, NULL, N_V, m->mechanics.f_v);
    const double *M_is = function_eval(&M, 0, x, NULL), *f_is = function_eval(&f, 0, x, NULL);
    for (int i = 0; i < N_V; i++) {
        const int row = velocity_index(m, velocity[i]);
        assert_near(-f_is[row], bias_of_pinocchio[i], 1e-12 * 140);
        for (int j = 0; j <= i; j++) {
            const int col = velocity_index(m, velocity[j]);
            assert_near(M_is[row + col * N_V], M_of_pinocchio[i][j], 1e-12);
            assert_near(M_is[col + row * N_V], M_of_pinocchio[i][j], 1e-12);
        }
    }
    function_free(&M);
    function_free(&f);
    event_run_free(&r);
}

/* Entries of freedoms on different branches are no formulas that happen to be zero. */
static void branches_leave_zeros(void **state)
{
    (void)state;
    struct event_run r = event_run_read(tree);
    const struct model *m = r.model;
    static const char *const apart[][2] = { { "arm_v", "leg_v" }, { "slider_v", "neck_wy" }, { "track_w", "shank_v" },
                                            { "leg_v", "track_vx" }, { "neck_wx", "arm_v" } };
    for (int k = 0; k < 5; k++) {
        const int i = velocity_index(m, apart[k][0]), j = velocity_index(m, apart[k][1]);
        assert_true(expr_is_zero(m->graph, m->mechanics.M[i + j * N_V]));
    }
    event_run_free(&r);
}

static void roots_know_their_momentum(void **state)
{
    (void)state;
    struct event_run r = event_run_read(tree);
    static const char *const name[9] = { "base.com.x", "base.com.y", "base.com.z", "base.momentum.x", "base.momentum.y",
                                         "base.momentum.z", "base.angular_momentum.x", "base.angular_momentum.y",
                                         "base.angular_momentum.z" };
    expr e[9];
    double x[N_AT];
    for (int k = 0; k < 9; k++)
        e[k] = named_quantity(r.model, name[k]);
    fill_state(r.model, x);
    struct function f = function_create(r.model, NULL, 9, e);
    const double *is = function_eval(&f, 0, x, NULL);
    for (int k = 0; k < 9; k++)
        assert_near(is[k], momentum_of_pinocchio[k], 1e-13 * 10);
    function_free(&f);
    event_run_free(&r);
}

/* --- Motions ------------------------------------------------------------------------------------------------- */

/* Two specs of one system: states of these names end alike. */
static void assert_same_motion(const char *joints, const char *energies, int n, const char *const *state, double tol)
{
    struct event_run a = event_run_solved(joints), b = event_run_solved(energies);
    for (int i = 0; i < n; i++)
        assert_near(event_run_end(&a, model_find_state(a.model, state[i])), event_run_end(&b, model_find_state(b.model, state[i])),
                    tol);
    event_run_free(&a);
    event_run_free(&b);
}

/* A physical pendulum; one that is two links with a damper between them; a pole on a cart, driven. */
static void joints_are_written_energies(void **state)
{
    (void)state;
    static const char *const pendulum[] = {
        "cocp: 1\ntime: {horizon: 3}\nstates: {a: {initial: 2.5}}\nbodies:\n"
        "  rod: {joint: {name: a, type: continuous, axis: [0, -1, 0]}, mass: 2, center: [0, 0, -0.5], inertia: [9, 0.1, 9]}\n",
        "cocp: 1\ntime: {horizon: 3}\nstates: {a: {initial: 2.5}, a_v: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {a: a_v}, kinetic: 0.3*a_v^2, potential: -9.81*cos(a)}\n" };
    static const char *const twice[] = {
        "cocp: 1\ntime: {horizon: 2}\ngravity: [0, 0, -10]\nstates: {a: {initial: 1}, b: {initial: -0.5}, a_v: {initial: 0.3}}\n"
        "bodies:\n  one: {joint: {name: a, type: revolute, axis: [0, -3, 0]}, mass: 2, center: [0, 0, -0.7]}\n"
        "  two: {parent: one, joint: {name: b, type: revolute, axis: [0, -1, 0], at: [0, 0, -0.7], damping: 0.2,\n"
        "        stiffness: 3, rest: 0.1, armature: 0.05}, mass: 1, center: [0, 0, -0.4]}\n",
        "cocp: 1\ntime: {horizon: 2}\nstates: {a: {initial: 1}, b: {initial: -0.5}, a_v: {initial: 0.3}, b_v: {initial: 0}}\n"
        "define: {x: 0.7*sin(a) + 0.4*sin(a + b), z: -0.7*cos(a) - 0.4*cos(a + b)}\n"
        "dynamics:\n  type: mechanical\n  coordinates: {a: a_v, b: b_v}\n"
        "  kinetic: 0.5*2*0.49*a_v^2 + 0.5*(ddt(x)^2 + ddt(z)^2) + 0.025*b_v^2\n"
        "  potential: -2*10*0.7*cos(a) + 10*z + 1.5*(b - 0.1)^2\n  force: {b: -0.2*b_v}\n" };
    static const char *const cart[] = {
        "cocp: 1\ntime: {horizon: 2}\nstates: {th: {initial: 0.4}}\nbodies:\n"
        "  cart: {joint: {name: p, type: prismatic, axis: [1, 0, 0], friction: 0.7, actuate: true}, mass: 1}\n"
        "  pole: {parent: cart, joint: {name: th, type: revolute, axis: [0, -1, 0]}, mass: 0.1, center: [0, 0, -1]}\n"
        "simulate: {controls: {p_tau: sin(3*t)}}\n",
        "cocp: 1\ntime: {horizon: 2}\nstates: {p: {initial: 0}, th: {initial: 0.4}, p_v: {initial: 0}, th_v: {initial: 0}}\n"
        "dynamics:\n  type: mechanical\n  coordinates: {p: p_v, th: th_v}\n"
        "  mass: {rows: [[1.1, 0.1*cos(th)], [0.1*cos(th), 0.1]]}\n"
        "  force: {p: sin(3*t) - 0.7*sign(p_v) + 0.1*th_v^2*sin(th), th: -0.981*sin(th)}\n" };
    static const char *const one[] = { "a", "a_v" }, *const two[] = { "a", "b", "a_v", "b_v" };
    static const char *const four[] = { "p", "th", "p_v", "th_v" };
    assert_same_motion(pendulum[0], pendulum[1], 2, one, 1e-10);
    assert_same_motion(twice[0], twice[1], 4, two, 1e-10);
    assert_same_motion(cart[0], cart[1], 4, four, 1e-10);
}

/* A joint that follows: two links that are geared to each other are one coordinate with both energies. */
static void joints_may_follow(void **state)
{
    (void)state;
    static const char *const motion[] = { "a", "a_v" };
    assert_same_motion(
        "cocp: 1\ntime: {horizon: 2}\nstates: {a: {initial: 1}}\nbodies:\n"
        "  one: {joint: {name: a, type: revolute, axis: [0, -1, 0], limits: [-3, 3]}, mass: 2, center: [0, 0, -0.7]}\n"
        "  two: {parent: one, joint: {name: b, type: revolute, axis: [0, -1, 0], at: [0, 0, -0.7], damping: 0.3, limits: [-1, 4],\n"
        "        mimic: {joint: a, ratio: -2, offset: 0.3}}, mass: 1, center: [0, 0, -0.4]}\n",
        "cocp: 1\ntime: {horizon: 2}\nstates: {a: {initial: 1}, a_v: {initial: 0}}\n"
        "define: {x: 0.7*sin(a) + 0.4*sin(0.3 - a), z: -0.7*cos(a) - 0.4*cos(0.3 - a)}\n"
        "dynamics: {type: mechanical, coordinates: {a: a_v}, kinetic: 0.5*2*0.49*a_v^2 + 0.5*(ddt(x)^2 + ddt(z)^2),\n"
        "           potential: -2*9.81*0.7*cos(a) + 9.81*z, force: {a: -0.3*4*a_v}}\n", 2, motion, 1e-10);
    struct event_run r = event_run_read(
        "cocp: 1\ntime: {horizon: 1}\nbodies:\n  one: {joint: {name: a, type: revolute, axis: [0, 1, 0], limits: [-3, 3]}, mass: 1,\n"
        "    inertia: [1, 1, 1]}\n"
        "  two: {joint: {type: revolute, axis: [0, 1, 0], limits: [-1, 4], mimic: {joint: a, ratio: -2, offset: 0.4}}}\n");
    assert_int_equal(r.model->n_x, 2);
    assert_near(r.model->x[0].lb, -1.8, 1e-15);         /* -2 a + 0.4 <= 4 */
    assert_near(r.model->x[0].ub, 0.7, 1e-15);
    event_run_free(&r);
}

/* Energy of the tree above: kinetic v'Mv/2, and weights by the height of its centre of mass. */
static double energy_of(struct function *M, const struct model *m, const double *x, double mass, const double *com)
{
    static const double g[] = { 0.3, -0.2, -9.7 };
    const double *M_is = function_eval(M, 0, x, NULL);
    double energy = 0;
    for (int i = 0; i < N_V; i++)
        for (int j = 0; j < N_V; j++)
            energy += 0.5 * M_is[i + j * N_V] * x[m->mechanics.v_index[i]] * x[m->mechanics.v_index[j]];
    for (int i = 0; i < 3; i++)
        energy -= mass * g[i] * com[i];
    return energy;
}

/* In flight energy and angular momentum about the centre of mass stay, momentum grows by the weight, and the quaternions keep
 * their lengths: 16 degrees of freedom, with all types of joints. */
static void trees_keep_energy_and_momentum(void **state)
{
    (void)state;
    enum { N_KEPT = 10 };
    static const char *const name[9] = { "base.com.x", "base.com.y", "base.com.z", "base.momentum.x", "base.momentum.y",
                                         "base.momentum.z", "base.angular_momentum.x", "base.angular_momentum.y",
                                         "base.angular_momentum.z" };
    static const double weight[] = { 0.3 * 15.1, -0.2 * 15.1, -9.7 * 15.1 };
    struct event_run r = event_run_read(tree);
    double x[N_AT], start[N_KEPT] = { 0 };
    expr e[9];
    fill_state(r.model, x);
    r.task.x_initial = x;
    assert_int_equal(event_run_go(&r), STATUS_OK);
    for (int k = 0; k < 9; k++)
        e[k] = named_quantity(r.model, name[k]);
    struct function M = function_create(r.model, NULL, N_V * N_V, r.model->mechanics.M), f = function_create(r.model, NULL, 9, e);
    for (int step = 0; step <= 10; step++) {
        const double t = sim_t_end(r.sim) * step / 10;
        double at_t[N_AT], kept[N_KEPT];
        sim_eval(r.sim, t, -1, at_t);
        const double *is = function_eval(&f, t, at_t, NULL);
        for (int i = 0; i < 3; i++) {
            kept[i] = is[3 + i] - weight[i] * t;
            kept[3 + i] = is[6 + i];
            kept[6 + i] = 15.1 * is[i] - kept[i] * t - 0.5 * weight[i] * t * t;
        }
        kept[9] = energy_of(&M, r.model, at_t, 15.1, is);
        for (int i = 0; i < N_KEPT; i++) {
            start[i] = step == 0 ? kept[i] : start[i];
            assert_near(kept[i], start[i], 1e-9 * 100);
        }
    }
    function_free(&M);
    function_free(&f);
    event_run_free(&r);
}

/* --- Contacts ------------------------------------------------------------------------------------------------ */

/* J of a foot on a leg by the velocities of bodies is that of its written gap and tangents; a patch is its
 * corners. */
#define LEG(contact)                                                                                                   \
    "cocp: 1\ntime: {horizon: 0.5}\n"                                                                                  \
    "states: {base_z: {initial: 0.45}, hip: {initial: 0.5}, knee: {initial: -0.9}, base_vx: {initial: 0.2}, base_vz: {initial: -1}}\n" \
    "bodies:\n  base: {joint: free, mass: 3, inertia: [0.05, 0.06, 0.07]}\n"                                           \
    "  thigh: {parent: base, joint: {name: hip, type: revolute, axis: [0.1, 1, 0], at: [0.1, 0.05, 0], damping: 1}, mass: 0.5,\n" \
    "          center: [0, 0, -0.1], inertia: [0.002, 0.002, 0.0002]}\n"                                               \
    "  shank: {parent: thigh, joint: {name: knee, type: revolute, axis: [0, 1, 0], at: [0, 0, -0.2], damping: 1}, mass: 0.2,\n" \
    "          center: [0, 0, -0.1], inertia: [0.001, 0.001, 0.0001], points: {toe: [0.01, 0, -0.2]},\n"               \
    "          frames: {sole: {at: [0.02, 0, -0.2], turn: [0, 0.3, 0.2]}}}\n"                                          \
    "contacts: {toe: " contact "}\n"

static void feet_are_written_gaps(void **state)
{
    (void)state;
    struct event_run point = event_run_solved(LEG("{frame: toe, friction: 0.5}"));
    struct event_run gap = event_run_solved(LEG("{gap: toe.z, tangent: [toe.x, toe.y], friction: 0.5}"));
    assert_true(event_run_count(&point, SIM_IMPACT) >= 1);
    assert_int_equal(sim_n_events(point.sim), sim_n_events(gap.sim));
    for (int i = 0; i < point.model->n_x; i++)
        assert_near(event_run_end(&point, i), event_run_end(&gap, i), 1e-10);
    event_run_free(&point);
    event_run_free(&gap);
}

static void patches_are_corners(void **state)
{
    (void)state;
    struct event_run r = event_run_read(LEG("{frame: sole, box: [0.04, 0.02]}"));
    const struct model *m = r.model;
    static const double corner[4][2] = { { 0.02, 0.01 }, { -0.02, 0.01 }, { -0.02, -0.01 }, { 0.02, -0.01 } };
    double x[17];
    assert_int_equal(m->contacts.n_contact, 4);
    for (int k = 0; k < m->n_x; k++)
        x[k] = 0.1 * (k % 5) - 0.17;
    expr e[7] = { named_quantity(m, "sole.z"), named_quantity(m, "sole.r31"), named_quantity(m, "sole.r32") };
    for (int c = 0; c < 4; c++)
        e[3 + c] = m->contacts.contact[c].gap;
    struct function f = function_create(m, NULL, 7, e);
    const double *is = function_eval(&f, 0, x, NULL);
    assert_string_equal(m->contacts.contact[2].name, "toe_3");
    for (int c = 0; c < 4; c++)
        assert_near(is[3 + c], is[0] + is[1] * corner[c][0] + is[2] * corner[c][1], 1e-15);
    function_free(&f);
    event_run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_move_as_in_pinocchio), cmocka_unit_test(branches_leave_zeros),
        cmocka_unit_test(roots_know_their_momentum), cmocka_unit_test(joints_are_written_energies),
        cmocka_unit_test(joints_may_follow),          cmocka_unit_test(trees_keep_energy_and_momentum),
        cmocka_unit_test(feet_are_written_gaps),      cmocka_unit_test(patches_are_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
