/* test_model.c - what core/model makes of specs that are right */
#define _POSIX_C_SOURCE 200809L
#include "core/model/model.h"

#include "core/model/read/read.h"

#include "tests/unit/assertions.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* --- Reading a text, and values at a point ------------------------------------------------------------------ */
struct fixture { struct spec *spec; struct model *m; struct diag *diag; };

static struct fixture read_text(const char *text, enum model_need need)
{
    struct fixture f = { NULL, NULL, diag_create() };
    assert_int_equal(spec_read_text("test.yaml", text, 0, NULL, &f.spec, f.diag), STATUS_OK);
    if (model_read(f.spec, need, &f.m, f.diag) != STATUS_OK) {
        diag_print(f.diag, stderr);
        fail();
    }
    return f;
}

static void fixture_free(struct fixture *f)
{
    model_free(f->m);
    spec_free(f->spec);
    diag_free(f->diag);
}

/* e at states x, controls u, parameters p (may be NULL) and time t. */
static double value(const struct model *m, expr e, const double *x, const double *u, const double *p, double t)
{
    expr sym[64];
    double val[64];
    int n = 0;
    for (int k = 0; k < m->n_x; k++, n++)
        sym[n] = m->x_sym[k], val[n] = x[k];
    for (int k = 0; k < m->n_u; k++, n++)
        sym[n] = m->u_sym[k], val[n] = u[k];
    for (int k = 0; k < m->n_p; k++, n++)
        sym[n] = m->p_sym[k], val[n] = p[k];
    sym[n] = m->t_sym, val[n++] = t;
    if (m->time.horizon_free)
        sym[n] = m->T_sym, val[n++] = m->time.horizon;
    return expr_eval(m->graph, e, n, sym, val);
}

/* A number in [-1, 1], the same in every run. */
static double spread(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return 2.0 * (double)(*state >> 8) / (1 << 24) - 1;
}

/* --- Mechanical systems ------------------------------------------------------------------------------------- */
static const char monoped[] =
    "cocp: 1\n"
    "parameters: {m_H: 3.975, m_T: 1.782, m_S: 0.548, l: 0.2, s_T: 0.016, s_S: 0.1, I_T: 0.001, I_S: 0.0032,\n"
    "  g: 9.81}\n"
    "states: {x: {}, z: {}, a: {}, b: {}, v_x: {}, v_z: {}, w_a: {}, w_b: {}}\n"
    "controls: {u_hip: {}, u_knee: {}}\n"
    "define:\n"
    "  thigh_x: x - s_T*sin(a)\n"
    "  thigh_z: z - s_T*cos(a)\n"
    "  knee_x:  {expr: x - l*sin(a), output: true, units: m}\n"
    "  knee_z:  z - l*cos(a)\n"
    "  shank_x: knee_x - s_S*sin(a + b)\n"
    "  shank_z: knee_z - s_S*cos(a + b)\n"
    "  foot_x:  knee_x - l*sin(a + b)\n"
    "  foot_z:  knee_z - l*cos(a + b)\n"
    "dynamics:\n"
    "  type: mechanical\n"
    "  coordinates: {x: v_x, z: v_z, a: w_a, b: w_b}\n"
    "  kinetic: 0.5*m_H*(ddt(x)^2 + ddt(z)^2)\n"
    "    + 0.5*m_T*(ddt(thigh_x)^2 + ddt(thigh_z)^2) + 0.5*I_T*ddt(a)^2\n"
    "    + 0.5*m_S*(ddt(shank_x)^2 + ddt(shank_z)^2) + 0.5*I_S*ddt(a + b)^2\n"
    "  potential: g*(m_H*z + m_T*thigh_z + m_S*shank_z)\n"
    "  force: {a: u_hip, b: u_knee}\n"
    "contacts:\n"
    "  foot: {gap: foot_z + 1, tangent: foot_x, friction: 0.8}\n";

/* The closed form of cases.md (1), monoped. */
static void monoped_by_hand(const double *x, const double *u, double *M, double *f)
{
    const double m_H = 3.975, m_T = 1.782, m_S = 0.548, l = 0.2, s_T = 0.016, s_S = 0.1, I_T = 0.001, I_S = 0.0032;
    const double g = 9.81, m = m_H + m_T + m_S, A = m_T * s_T + m_S * l, B = m_S * s_S;
    const double a = x[2], b = x[3], c = a + b, w1 = x[6], w2 = x[7], w = w1 + w2;
    const double row[4][4] = {
        { m, 0, -A * cos(a) - B * cos(c), -B * cos(c) },
        { 0, m, A * sin(a) + B * sin(c), B * sin(c) },
        { 0, 0, I_T + I_S + m_T * s_T * s_T + m_S * (l * l + s_S * s_S + 2 * l * s_S * cos(b)),
          I_S + m_S * (s_S * s_S + l * s_S * cos(b)) },
        { 0, 0, 0, I_S + m_S * s_S * s_S } };
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            M[i + 4 * j] = i <= j ? row[i][j] : row[j][i];
    f[0] = -(A * sin(a) * w1 * w1 + B * sin(c) * w * w);
    f[1] = -(A * cos(a) * w1 * w1 + B * cos(c) * w * w) - m * g;
    f[2] = m_S * l * s_S * sin(b) * (2 * w1 * w2 + w2 * w2) - g * (A * sin(a) + B * sin(c)) + u[0];
    f[3] = -m_S * l * s_S * sin(b) * w1 * w1 - g * B * sin(c) + u[1];
}

/* M and f_v from the energies are those of the closed form; 1e-12 is some hundred roundings of forces of 60 N. */
static void monoped_energies_give_the_closed_form(void **state)
{
    (void)state;
    struct fixture f = read_text(monoped, MODEL_FOR_CHECK);
    const struct model *m = f.m;
    unsigned seed = 1;
    assert_int_equal(m->mechanics.n_q, 4);
    for (int i = 0; i < 20; i++) {
        double x[8], u[2], M[16], force[4];
        for (int k = 0; k < 8; k++)
            x[k] = 3 * spread(&seed);
        for (int k = 0; k < 2; k++)
            u[k] = 3 * spread(&seed);
        monoped_by_hand(x, u, M, force);
        for (int k = 0; k < 16; k++)
            assert_near(value(m, m->mechanics.M[k], x, u, NULL, 0), M[k], 1e-12);
        for (int k = 0; k < 4; k++)
            assert_near(value(m, m->mechanics.f_v[k], x, u, NULL, 0), force[k], 1e-12);
    }
    assert_false(m->mechanics.M_is_constant);
    fixture_free(&f);
}

/* J_n and J_t of the foot, and the velocities that belong to them, are derivatives: central differences with a
 * step of 1e-6 are good to 1e-9. */
static void contact_gradients_match_differences(void **state)
{
    (void)state;
    struct fixture f = read_text(monoped, MODEL_FOR_CHECK);
    const struct model *m = f.m;
    const struct model_contact *foot = &m->contacts.contact[0];
    const double x[8] = { 0.1, 0.4, 0.3, -0.7, 1, -2, 0.5, 0.8 }, u[2] = { 0, 0 }, h = 1e-6;
    double v_n = 0;
    assert_int_equal(m->contacts.n_contact, 1);
    assert_int_equal(foot->n_t, 1);
    assert_false(foot->gap_is_linear);
    for (int i = 0; i < 4; i++) {
        double hi[8], lo[8];
        memcpy(hi, x, sizeof x);
        memcpy(lo, x, sizeof x);
        hi[i] += h;
        lo[i] -= h;
        const double J_n = value(m, foot->J_n[i], x, u, NULL, 0);
        const double gap = (value(m, foot->gap, hi, u, NULL, 0) - value(m, foot->gap, lo, u, NULL, 0)) / (2 * h);
        assert_near(J_n, gap, 1e-9);
        const double tangent = (value(m, m->defines.e[6], hi, u, NULL, 0)
                                - value(m, m->defines.e[6], lo, u, NULL, 0)) / (2 * h);
        assert_near(value(m, foot->J_t[i], x, u, NULL, 0), tangent, 1e-9);
        v_n += J_n * x[4 + i];
    }
    assert_near(value(m, foot->v_n, x, u, NULL, 0), v_n, 1e-14);
    fixture_free(&f);
}

/* Cart-pole of cases.md 2: M = [m1+m2, m2 l cos th; ., m2 l^2], forces (u + m2 l w^2 sin th - F sign(v),
 * -m2 g l sin th). */
static void cart_pole_energies_give_the_closed_form(void **state)
{
    (void)state;
    struct fixture f = read_text(
        "cocp: 1\n"
        "parameters: {g: 9.81, m1: 1, m2: 0.1, l: 1, F: 2}\n"
        "states: {p: {}, th: {}, v: {}, w: {}}\n"
        "controls: {u: {}}\n"
        "dynamics:\n"
        "  type: mechanical\n"
        "  coordinates: {p: v, th: w}\n"
        "  kinetic: 0.5*m1*v^2 + 0.5*m2*(ddt(p + l*sin(th))^2 + ddt(-l*cos(th))^2)\n"
        "  potential: -m2*g*l*cos(th)\n"
        "  force: {p: u - F*sign(v)}\n", MODEL_FOR_CHECK);
    const struct model *m = f.m;
    unsigned seed = 7;
    for (int i = 0; i < 20; i++) {
        const double x[4] = { spread(&seed), 3 * spread(&seed), 4 * spread(&seed), 4 * spread(&seed) };
        const double u = 10 * spread(&seed), s = sin(x[1]), c = cos(x[1]);
        assert_near(value(m, m->mechanics.M[0], x, &u, NULL, 0), 1.1, 1e-14);
        assert_near(value(m, m->mechanics.M[1], x, &u, NULL, 0), 0.1 * c, 1e-14);
        assert_near(value(m, m->mechanics.M[2], x, &u, NULL, 0), 0.1 * c, 1e-14);
        assert_near(value(m, m->mechanics.M[3], x, &u, NULL, 0), 0.1, 1e-14);
        assert_near(value(m, m->mechanics.f_v[0], x, &u, NULL, 0), u + 0.1 * x[3] * x[3] * s - (x[2] > 0 ? 2 : -2),
                    1e-12);
        assert_near(value(m, m->mechanics.f_v[1], x, &u, NULL, 0), -0.981 * s, 1e-13);
    }
    fixture_free(&f);
}

static const char hopper[] =
    "cocp: 1\n"
    "parameters: {g: 9.81, mu: 0.45, T: 1.5}\n"
    "time: {horizon: T, intervals: 20}\n"
    "states:\n"
    "  x: {initial: 0.1, bounds: [0, 0.8]}\n"
    "  z: {initial: 0.5}\n"
    "  psi: {initial: 0, bounds: [-pi, pi]}\n"
    "  r: {initial: 0.5}\n"
    "  v_x: {initial: 0}\n"
    "  v_z: {initial: 0}\n"
    "  v_psi: {initial: 0}\n"
    "  v_r: {initial: 0}\n"
    "controls: {u1: {bounds: [-50, 50]}, u2: {}}\n"
    "define:\n"
    "  s: t/T\n"
    "  z_ref: 0.5 + 1.2*s*(1 - s)\n"
    "dynamics:\n"
    "  type: mechanical\n"
    "  coordinates: {x: v_x, z: v_z, psi: v_psi, r: v_r}\n"
    "  mass: {diag: [1.1, 1.1, 0.275, 0.1]}\n"
    "  force: {x: -sin(psi)*u2, z: -1.1*g + cos(psi)*u2, psi: u1, r: u2}\n"
    "contacts:\n"
    "  foot: {gap: z - r*cos(psi), tangent: x + r*sin(psi), friction: mu}\n"
    "cost:\n"
    "  running:\n"
    "    tracking: {squares: {z: 50, v_z: 0.1}, reference: {z: z_ref}, weight: 2}\n"
    "    effort: {expr: u1^2, weight: 0.01}\n"
    "  terminal: {goal: 300*(x - 0.7)^2}\n";

/* The hopper's forces and contact Jacobians as cases.md 2 gives them; its cost by hand. */
static void hopper_is_as_written(void **state)
{
    (void)state;
    struct fixture f = read_text(hopper, MODEL_FOR_SOLVE);
    const struct model *m = f.m;
    const double x[8] = { 0.2, 0.6, 0.3, 0.45, 1, 2, 3, 4 }, u[2] = { 5, 7 }, t = 0.6;
    const double s = sin(0.3), c = cos(0.3);
    const double force[4] = { -s * 7, -1.1 * 9.81 + c * 7, 5, 7 };
    const double J_n[4] = { 0, 1, 0.45 * s, -c }, J_t[4] = { 1, 0, 0.45 * c, s };
    assert_true(m->mechanics.M_is_constant);
    for (int i = 0; i < 4; i++) {
        assert_near(value(m, m->mechanics.f_v[i], x, u, NULL, t), force[i], 1e-13);
        assert_near(value(m, m->contacts.contact[0].J_n[i], x, u, NULL, t), J_n[i], 1e-14);
        assert_near(value(m, m->contacts.contact[0].J_t[i], x, u, NULL, t), J_t[i], 1e-14);
    }
    const double z_ref = 0.5 + 1.2 * 0.4 * 0.6;
    assert_int_equal(m->costs.n_running, 2);
    assert_near(value(m, m->costs.running[0].e, x, u, NULL, t),
                 2 * (50 * (0.6 - z_ref) * (0.6 - z_ref) + 0.1 * 4), 1e-13);
    assert_near(value(m, m->costs.running[1].e, x, u, NULL, t), 0.25, 1e-14);
    assert_near(value(m, m->costs.terminal[0].e, x, u, NULL, t), 75, 1e-12);
    assert_near(m->x[2].lb, -acos(-1), 1e-15);
    assert_true(m->x[1].ub == INFINITY);
    assert_int_equal(m->x[0].final.kind, END_FREE);
    assert_int_equal(m->time.elements[19], 3);
    fixture_free(&f);
}

/* Compass gait, SVI 5.4.2: with s = l/2 the mass matrix couples a leg and the hip by m s cos(th), m s sin(th), a
 * leg alone has m s^2; at al = 78 degrees both gaps are closed. */
static void compass_gait_stands_on_both_feet(void **state)
{
    (void)state;
    struct fixture f = read_text(
        "cocp: 1\n"
        "parameters: {m: 1, l: 1, s: l/2, al: 78*pi/180, w: 0.25}\n"
        "states: {x: {initial: -l*sin(al)}, y: {initial: l*cos(al)}, th1: {initial: -al}, th2: {initial: al},\n"
        "  vx: {initial: -l*cos(al)*w}, vy: {initial: -l*sin(al)*w}, w1: {initial: w}, w2: {initial: w}}\n"
        "dynamics:\n"
        "  type: mechanical\n"
        "  coordinates: {x: vx, y: vy, th1: w1, th2: w2}\n"
        "  kinetic: 0.5*m*(ddt(x + s*sin(th1))^2 + ddt(y - s*cos(th1))^2\n"
        "    + ddt(x + s*sin(th2))^2 + ddt(y - s*cos(th2))^2)\n"
        "  potential: m*9.81*(2*y - s*cos(th1) - s*cos(th2))\n"
        "contacts:\n"
        "  leading: {gap: y - l*cos(th1), tangent: x + l*sin(th1), friction: 5}\n"
        "  trailing: {gap: y - l*cos(th2), tangent: x + l*sin(th2), friction: 5}\n", MODEL_FOR_IMPACT);
    const struct model *m = f.m;
    double x[8];
    for (int k = 0; k < 8; k++)
        x[k] = m->x[k].initial.lo;
    const double al = 78 * acos(-1) / 180;
    assert_near(value(m, m->mechanics.M[0], x, NULL, NULL, 0), 2, 1e-14);
    assert_near(value(m, m->mechanics.M[0 + 4 * 2], x, NULL, NULL, 0), 0.5 * cos(al), 1e-14);
    assert_near(value(m, m->mechanics.M[1 + 4 * 3], x, NULL, NULL, 0), 0.5 * sin(al), 1e-14);
    assert_near(value(m, m->mechanics.M[2 + 4 * 2], x, NULL, NULL, 0), 0.25, 1e-14);
    assert_near(value(m, m->mechanics.M[2 + 4 * 3], x, NULL, NULL, 0), 0, 1e-14);
    for (int i = 0; i < 2; i++)
        assert_near(value(m, m->contacts.contact[i].gap, x, NULL, NULL, 0), 0, 1e-15);
    /* turning about the trailing foot */
    assert_near(value(m, m->contacts.contact[1].v_n, x, NULL, NULL, 0), 0, 1e-15);
    fixture_free(&f);
}

/* A state beside the coordinates has its own rhs; a velocity's row is not a right-hand side. */
static void actuator_state_stands_beside_coordinates(void **state)
{
    (void)state;
    struct fixture f = read_text(
        "cocp: 1\nstates: {q: {}, v: {}, F: {}}\ncontrols: {u: {}}\n"
        "dynamics: {type: mechanical, coordinates: {q: v}, mass: {rows: [[2]]}, force: {q: F},\n"
        "  rhs: {F: (u - F)/0.1}}\n",
        MODEL_FOR_CHECK);
    const double x[3] = { 1, 2, 3 }, u = 4;
    assert_near(value(f.m, f.m->dynamics.rhs[0], x, &u, NULL, 0), 2, 0);
    assert_int_equal(f.m->dynamics.rhs[1], EXPR_NONE);
    assert_near(value(f.m, f.m->dynamics.rhs[2], x, &u, NULL, 0), 10, 1e-13);
    assert_near(value(f.m, f.m->mechanics.f_v[0], x, &u, NULL, 0), 3, 0);
    fixture_free(&f);
}

/* slip: the tangential velocity itself; J_t is its gradient by the velocities. */
static void slip_gives_its_gradient_by_velocities(void **state)
{
    (void)state;
    struct fixture f = read_text(
        "cocp: 1\nstates: {x: {}, y: {}, th: {}, vx: {}, vy: {}, w: {}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, th: w}, mass: {diag: [1, 1, 1]}}\n"
        "contacts: {c: {gap: y + 1, slip: 'vx*cos(th) + 0.5*w', friction: 0.2, restitution: 0.5}}\n",
        MODEL_FOR_CHECK);
    const struct model_contact *c = &f.m->contacts.contact[0];
    const double x[6] = { 0, 0, 0.3, 2, 0, 4 };
    assert_near(value(f.m, c->J_t[0], x, NULL, NULL, 0), cos(0.3), 1e-15);
    assert_near(value(f.m, c->J_t[2], x, NULL, NULL, 0), 0.5, 0);
    assert_near(value(f.m, c->v_t[0], x, NULL, NULL, 0), 2 * cos(0.3) + 2, 1e-15);
    assert_true(c->gap_is_linear);
    assert_near(c->e, 0.5, 0);
    fixture_free(&f);
}

/* --- Piecewise systems -------------------------------------------------------------------------------------- */
/* Conditions with and, or, not and else give each pattern of signs its mode. */
static void conditions_select_modes(void **state)
{
    (void)state;
    struct fixture f = read_text(
        "cocp: 1\nstates: {x: {}, y: {}}\n"
        "dynamics:\n"
        "  type: piecewise\n"
        "  switches: {c: x, d: y - 1}\n"
        "  rhs: {y: 1}\n"
        "  modes:\n"
        "    a: {where: c > 0 and not d > 0, rhs: {x: 1}}\n"
        "    b: {where: d >= 0 and 0 > c, rhs: {x: 2, y: 3}}\n"
        "    rest: {where: else, rhs: {x: 0}}\n", MODEL_FOR_CHECK);
    const struct model_group *group = &f.m->dynamics.group[0];
    const int want[4] = { 2, 0, 1, 2 };         /* patterns --, +-, -+, ++ of c, d */
    assert_int_equal(f.m->dynamics.n_group, 1);
    assert_int_equal(group->n_c, 2);
    for (int i = 0; i < 4; i++)
        assert_int_equal(group->mode_of_pattern[i], want[i]);
    assert_string_equal(model_switch_name(f.m, group->c[1]), "d");
    assert_true(expr_is_zero(f.m->graph, group->mode[0].rhs[1]));
    fixture_free(&f);
}

/* --- Functions of time -------------------------------------------------------------------------------------- */
/* A not-a-knot spline through points of a cubic is that cubic; outside its points it is constant. */
static void spline_reproduces_a_cubic(void **state)
{
    (void)state;
    struct fixture f = read_text(
        "cocp: 1\ntime: {horizon: 2}\nstates: {x: {}}\ndynamics: {type: ode, rhs: {x: s}}\n"
        "define:\n"
        "  s: {through: {0.1: 1.001, 0.2: 1.008, 0.5: 1.125, 0.6: 1.216, 0.9: 1.729}, by: spline}\n"
        "  four: {through: {0: 0, 0.25: 1/64, 0.5: 1/8, 1: 1}, by: spline}\n"
        "  parabola: {through: {0: 0, 0.5: 0.25, 1: 1}, by: spline}\n"
        "  line: {through: {0: 0.5, 1: 2}}\n", MODEL_FOR_CHECK);
    const double x = 0;
    for (double s = 0.1; s < 0.9; s += 0.05)
        assert_near(value(f.m, f.m->defines.e[0], &x, NULL, NULL, 2 * s), 1 + s * s * s, 1e-14);
    assert_near(value(f.m, f.m->defines.e[0], &x, NULL, NULL, 0.1), 1.001, 0);
    assert_near(value(f.m, f.m->defines.e[0], &x, NULL, NULL, 1.9), 1.729, 0);
    for (double s = 0; s < 1; s += 0.1) {
        assert_near(value(f.m, f.m->defines.e[1], &x, NULL, NULL, 2 * s), s * s * s, 1e-14);
        assert_near(value(f.m, f.m->defines.e[2], &x, NULL, NULL, 2 * s), s * s, 1e-14);
        assert_near(value(f.m, f.m->defines.e[3], &x, NULL, NULL, 2 * s), 0.5 + 1.5 * s, 1e-14);
    }
    fixture_free(&f);
}

/* --- Parameters, constraints, guesses ----------------------------------------------------------------------- */
static const char optimized[] =
    "cocp: 1\n"
    "parameters:\n"
    "  twice: 2*l_0\n"
    "  total: twice + m\n"
    "  l_0: {value: 0.2, optimize: [m/10, 0.3], units: m}\n"
    "  m: {value: 1, units: kg}\n"
    "time: {horizon: {min: 0.5, max: 5, guess: 2}, intervals: 3, elements: [1, 2, 3]}\n"
    "states: {x: {initial: [0, 1], final: free}, y: {initial: free, guess: 7}}\n"
    "controls: {u: {guess: 0.5}}\n"
    "dynamics: {type: ode, rhs: {x: total*u, y: x}}\n"
    "constraints:\n"
    "  low: x >= -1\n"
    "  both: {expr: '-1 <= x + y <= 2*m', at: [stages, final]}\n"
    "  moving: {expr: 0 <= x <= l_0, at: intervals}\n"
    "  periodic: {expr: final(x) == initial(x) + final(t), at: boundary}\n"
    "guess: {waypoints: {1: {x: 1}, 0.5: {x: 2, u: m}}}\n";

static void optimized_parameters_stay_symbols(void **state)
{
    (void)state;
    struct fixture f = read_text(optimized, MODEL_FOR_SOLVE);
    const struct model *m = f.m;
    const double x[2] = { 0, 0 }, u = 2, p = 0.25;
    assert_int_equal(m->n_p, 1);
    assert_int_equal(m->p_param[0], 2);
    assert_near(m->param[2].lb, 0.1, 1e-16);
    assert_near(m->param[1].value, 1.4, 1e-15);
    assert_near(value(m, m->dynamics.rhs[0], x, &u, &p, 0), 3, 1e-15);
    assert_true(m->time.horizon_free);
    assert_near(m->time.horizon, 2, 0);
    assert_int_equal(m->time.elements[2], 3);
    assert_int_equal(m->x[0].initial.kind, END_RANGE);
    assert_int_equal(m->x[1].initial.kind, END_FREE);
    double guess;
    model_p_guess(m, &guess);
    assert_near(guess, 0.2, 0);
    fixture_free(&f);
}

static void constraints_have_bounds_and_places(void **state)
{
    (void)state;
    struct fixture f = read_text(optimized, MODEL_FOR_SOLVE);
    const struct model *m = f.m;
    const struct model_constraint *c = m->constraints.constraint;
    assert_int_equal(m->constraints.n_constraint, 5);  /* "moving" has a bound to optimize and is two rows */
    assert_int_equal(c[0].at, AT_PATH);
    assert_near(c[0].lb, -1, 0);
    assert_true(c[0].ub == INFINITY);
    assert_int_equal(c[1].at, AT_STAGES | AT_FINAL);
    assert_near(c[1].ub, 2, 0);
    const double x[2] = { 0.1, 0 }, u = 0, p = 0.25;
    assert_near(c[2].lb, 0, 0);
    assert_near(c[3].ub, 0, 0);
    assert_near(value(m, c[3].e, x, &u, &p, 0), 0.1 - 0.25, 1e-16);
    assert_int_equal(c[4].at, 0);
    assert_true(expr_depends(m->graph, c[4].e, 1, &m->x_initial_sym[0]));
    assert_true(expr_depends(m->graph, c[4].e, 1, &m->x_final_sym[0]));
    assert_true(expr_depends(m->graph, c[4].e, 1, &m->T_sym));
    assert_int_equal(m->guess.n_waypoint, 2);
    assert_near(m->guess.waypoint[0].fraction, 0.5, 0);
    assert_int_equal(m->guess.waypoint[0].var[1], 2);
    assert_near(m->guess.waypoint[0].val[1], 1, 0);
    fixture_free(&f);
}

/* x starts at 0.1 and ends where it likes; the horizon, and with it the end, is free. */
static void given_ends_say_what_they_can(void **state)
{
    (void)state;
    struct fixture f = read_text("cocp: 1\n"
                                 "parameters: {p: {value: 1, optimize: [0, 2]}}\n"
                                 "time: {horizon: {min: 1, max: 3}, intervals: 2, elements: 1}\n"
                                 "states: {x: {initial: 0.1}, y: {initial: free, final: 4}}\n"
                                 "controls: {u: {}}\n"
                                 "dynamics: {type: ode, rhs: {x: 2*x + t, y: y*x}}\n"
                                 "cost: {running: {a: p*x, b: y^2, c: u - x, d: y + t}}\n", MODEL_FOR_SOLVE);
    struct model *m = f.m;
    assert_near(model_value_at_end(m, m->dynamics.rhs[0], true), 0.2, 1e-16);
    assert_true(isnan(model_value_at_end(m, m->dynamics.rhs[1], true)));
    assert_true(isnan(model_value_at_end(m, m->costs.running[0].e, true)));
    assert_near(model_value_at_end(m, m->costs.running[1].e, false), 16, 0);
    assert_true(isnan(model_value_at_end(m, m->costs.running[2].e, true)));
    assert_true(isnan(model_value_at_end(m, m->costs.running[3].e, false)));
    m->time.horizon_free = false;
    assert_near(model_value_at_end(m, m->costs.running[3].e, false), 4 + m->time.horizon, 0);
    fixture_free(&f);
}

/* simulate.controls: the expression stands wherever the control stood, and a switch keeps the name of its define, or
 * of the negative of that. */
static void controls_are_replaced_everywhere(void **state)
{
    (void)state;
    struct fixture f = read_text(
        "cocp: 1\nstates: {x: {}}\ncontrols: {u: {}, w: {}}\ndefine: {c: x - 1, d: {expr: 2*u, output: true}}\n"
        "dynamics: {type: ode, rhs: {x: u + w - sign(c)}}\n"
        "simulate: {controls: {u: 'if(t < 1, 0, 3*t)'}}\n", MODEL_FOR_CHECK);
    struct model *m = f.m;
    expr u_expr[2];
    const struct spec_node *node = spec_get(spec_get(spec_root(f.spec), "simulate"), "controls");
    assert_int_equal(model_replace_controls(m, node, u_expr, f.diag), STATUS_OK);
    assert_int_equal(u_expr[1], EXPR_NONE);
    const double x = 3, u[2] = { 100, 10 };
    assert_near(value(m, m->dynamics.rhs[0], &x, u, NULL, 0.5), 9, 0);
    assert_near(value(m, m->dynamics.rhs[0], &x, u, NULL, 2), 15, 0);
    assert_near(value(m, m->defines.output[0].e, &x, u, NULL, 2), 12, 0);
    const expr c = m->defines.e[0];
    assert_string_equal(model_switch_name(m, c), "c");
    assert_string_equal(model_switch_name(m, expr_neg(m->graph, c)), "-c");
    fixture_free(&f);
}

/* What a switch is made of has the names of the spec: not the tables and numbers behind them. */
static void switches_are_named_by_defines(void **state)
{
    (void)state;
    struct fixture f = read_text(
        "cocp: 1\nparameters: {a: 2, cap: {value: 3}}\ntime: {horizon: 1, intervals: 4}\nstates: {x: {initial: 0}, y: {initial: 0}}\ncontrols: {u: {}}\n"
        "define: {load: {through: {0: 1, 0.5: 4, 1: 2}}, used: x*y, whole: x}\n"
        "dynamics: {type: ode, rhs: {x: 'u + max(load - used, 0)', y: abs(used^2 - cap*load + x)}}\n", MODEL_FOR_CHECK);
    struct model *m = f.m;
    const expr load = m->defines.e[0], used = m->defines.e[1];
    assert_string_equal(model_switch_name(m, expr_sub(m->graph, load, used)), "load - used");
    const expr square = expr_sub(m->graph, expr_square(m->graph, used), expr_scale(m->graph, 3, load));
    assert_string_equal(model_switch_name(m, expr_add(m->graph, square, m->x_sym[0])), "used^2 + x - 3*load");
    fixture_free(&f);
}

/* Settings may be expressions of parameters. */
static void settings_are_evaluated(void **state)
{
    (void)state;
    struct fixture f = read_text("cocp: 1\nparameters: {g: 9.81}\nstates: {x: {}}\n"
                                 "dynamics: {type: ode, rhs: {x: 1}}\n"
                                 "impact: {samples: 2^20, h: g/2, bad: x}\n", MODEL_FOR_CHECK);
    const struct setting_eval eval = model_eval(f.m);
    const struct spec_node *impact = spec_get(spec_root(f.spec), "impact");
    double val;
    assert_int_equal(eval.number(eval.user, spec_get(impact, "samples"), &val, f.diag), STATUS_OK);
    assert_near(val, 1048576, 0);
    assert_int_equal(eval.number(eval.user, spec_get(impact, "h"), &val, f.diag), STATUS_OK);
    assert_near(val, 4.905, 1e-15);
    assert_int_equal(eval.number(eval.user, spec_get(impact, "bad"), &val, f.diag), STATUS_SPEC);
    fixture_free(&f);
}

/* --- Whole files -------------------------------------------------------------------------------------------- */
static void read_problem(const char *path)
{
    struct diag *diag = diag_create();
    struct spec *spec = NULL;
    struct model *m = NULL;
    if (spec_read_file(path, 0, NULL, &spec, diag) != STATUS_OK
        || model_read(spec, MODEL_FOR_CHECK, &m, diag) != STATUS_OK) {
        diag_print(diag, stderr);
        fail_msg("%s", path);
    }
    model_free(m);
    spec_free(spec);
    diag_free(diag);
}

static void every_problem_that_ships_reads(void **state)
{
    (void)state;
    DIR *dir = opendir("problems");
    if (!dir)
        skip();
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[300];
        if (!strstr(entry->d_name, ".yaml"))
            continue;
        snprintf(path, sizeof path, "problems/%s", entry->d_name);
        read_problem(path);
    }
    closedir(dir);
}

/* The model of the resolved spec of a model; *text is the caller's to free. */
static struct fixture read_resolved(const struct model *m, char **text)
{
    size_t size = 0;
    FILE *out = open_memstream(text, &size);
    model_print_resolved(m, out);
    fclose(out);
    return read_text(*text, MODEL_FOR_SOLVE);
}

/* The resolved spec is a spec, of the same model. */
static void resolved_spec_reads_back(void **state)
{
    (void)state;
    char *text = NULL;
    struct fixture f = read_text(hopper, MODEL_FOR_SOLVE), again = read_resolved(f.m, &text);
    assert_int_equal(again.m->n_x, 8);
    assert_near(again.m->x[0].ub, 0.8, 0);
    assert_near(again.m->x[0].guess, 0.1, 0);
    assert_near(again.m->contacts.contact[0].mu, 0.45, 0);
    assert_int_equal(again.m->costs.n_running, 2);
    fixture_free(&again);
    fixture_free(&f);
    free(text);
}

/* Parameters that depend on optimized ones still do so in the resolved spec. */
static void resolved_spec_keeps_what_is_optimized(void **state)
{
    (void)state;
    char *text = NULL;
    struct fixture f = read_text(optimized, MODEL_FOR_SOLVE), again = read_resolved(f.m, &text);
    const double x[2] = { 0, 0 }, u = 2, p = 0.25;
    assert_int_equal(again.m->n_p, 1);
    assert_near(value(again.m, again.m->dynamics.rhs[0], x, &u, &p, 0), 3, 1e-15);
    assert_true(again.m->time.horizon_free);
    assert_int_equal(again.m->x[0].initial.kind, END_RANGE);
    assert_int_equal(again.m->guess.n_waypoint, 2);
    fixture_free(&again);
    fixture_free(&f);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(monoped_energies_give_the_closed_form),
        cmocka_unit_test(contact_gradients_match_differences),
        cmocka_unit_test(cart_pole_energies_give_the_closed_form),
        cmocka_unit_test(hopper_is_as_written),
        cmocka_unit_test(compass_gait_stands_on_both_feet),
        cmocka_unit_test(actuator_state_stands_beside_coordinates),
        cmocka_unit_test(slip_gives_its_gradient_by_velocities),
        cmocka_unit_test(conditions_select_modes),
        cmocka_unit_test(spline_reproduces_a_cubic),
        cmocka_unit_test(optimized_parameters_stay_symbols),
        cmocka_unit_test(constraints_have_bounds_and_places),
        cmocka_unit_test(given_ends_say_what_they_can),
        cmocka_unit_test(controls_are_replaced_everywhere),
        cmocka_unit_test(switches_are_named_by_defines),
        cmocka_unit_test(settings_are_evaluated),
        cmocka_unit_test(every_problem_that_ships_reads),
        cmocka_unit_test(resolved_spec_reads_back),
        cmocka_unit_test(resolved_spec_keeps_what_is_optimized),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
