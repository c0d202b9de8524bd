/* Fields of complementarity systems against values worked out by hand; fesd.md, time_freezing.md */
#include "transcription/system/dcs.h"

#include "tests/unit/small_problem.h"
#include "tests/unit/assertions.h"
#include "transcription/system/create.h"

#include <stdio.h>

/* --- A dcs and its field at a point -------------------------------------------------------------------------- */

enum { MAX = 80 };

struct point { double y[MAX], u[MAX], p[MAX], T, lam[MAX], sel[MAX], z[MAX]; };

static struct dcs *create(struct small_problem *problem, enum method method, enum form form)
{
    struct dcs *dcs;
    problem->settings.method = method;
    problem->settings.form = form;
    if (dcs_create(problem->model, &problem->settings, false, &dcs, problem->diag) != STATUS_OK)
        small_fail(problem);
    assert_true(dcs->n_y <= MAX && dcs->n_sel <= MAX && dcs->n_lam <= MAX && dcs->n_z <= MAX);
    return dcs;
}

static double value(const struct dcs *dcs, expr e, const struct point *at)
{
    const struct model *m = dcs->model;
    expr sym[6 * MAX];
    double val[6 * MAX];
    int n = 0;
    for (int i = 0; i < dcs->n_y; i++, n++)
        sym[n] = dcs->y[i].sym, val[n] = at->y[i];
    for (int i = 0; i < m->n_u; i++, n++)
        sym[n] = m->u_sym[i], val[n] = at->u[i];
    for (int i = 0; i < m->n_p; i++, n++)
        sym[n] = m->p_sym[i], val[n] = at->p[i];
    if (m->time.horizon_free)
        sym[n] = m->T_sym, val[n++] = at->T;
    for (int i = 0; i < dcs->n_lam; i++, n++)
        sym[n] = dcs->lam[i].sym, val[n] = at->lam[i];
    for (int i = 0; i < dcs->n_sel; i++, n++)
        sym[n] = dcs->sel[i].sym, val[n] = at->sel[i];
    for (int i = 0; i < dcs->n_z; i++, n++)
        sym[n] = dcs->z[i].sym, val[n] = at->z[i];
    return expr_eval(dcs->g, e, n, sym, val);
}

/* Rounding of numbers up to a hundred. */
static void assert_value(const struct dcs *dcs, expr e, const struct point *at, double want)
{
    assert_near(value(dcs, e, at), want, 1e-11);
}

/* lam and sel that belong to at->y: cont is zero there, lam >= 0 but for free ones, and every pair
 * complementary. */
static void settle(const struct dcs *dcs, struct point *at)
{
    dcs_lam_at(dcs, at->y, at->p, at->T, at->lam, at->sel);
    for (int i = 0; i < dcs->n_cont; i++)
        assert_value(dcs, dcs->cont[i].e, at, 0);
    for (int i = 0; i < dcs->n_pair; i++) {
        const double G = at->lam[dcs->pair[i].lam],
                     H = dcs->pair[i].offset + dcs->pair[i].coef * at->sel[dcs->pair[i].sel];
        assert_true(G >= 0 && H >= 0 && G * H <= 1e-14);
    }
}

static int sel_named(const struct dcs *dcs, const char *name)
{
    for (int i = 0; i < dcs->n_sel; i++)
        if (strcmp(dcs->sel[i].name, name) == 0)
            return i;
    fail_msg("no selection is called %s", name);
    return -1;
}

/* --- Filippov systems: fesd.md ----------------------------------------------------------------------------- */

static const char quadrants[] =
    "cocp: 1\n"
    "states: {x: {initial: 0}, y: {initial: 0}}\n"
    "controls: {u: {}}\n"
    "time: {horizon: 1, intervals: 1, elements: 1}\n"
    "dynamics:\n"
    "  type: piecewise\n"
    "  rhs: {x: u}\n"
    "  switches: {c: x, d: y}\n"
    "  modes:\n"
    "    pp: {where: c > 0 and d > 0, rhs: {x: 1, y: 'x + 2'}}\n"
    "    pm: {where: c > 0 and d < 0, rhs: {x: 3, y: 'x*y'}}\n"
    "    m:  {where: c < 0, rhs: {x: 5, y: -u}}\n";

/* Inside a mode both forms give the mode's own field. */
static void both_forms_give_the_field_of_the_mode(void **state)
{
    (void)state;
    struct small_problem problem = small_read(quadrants);
    static const struct { double x, y, u, x_rate, y_rate; } want[] = {
        { 0.5, 0.25, 2, 3, 2.5 }, { 0.5, -0.25, 2, 5, -0.125 },
        { -0.5, 0.25, 2, 7, -2 }, { -0.5, -0.25, 1, 6, -1 } };
    for (int form = FORM_STEP; form <= FORM_STEWART; form++) {
        struct dcs *dcs = create(&problem, METHOD_FESD, (enum form)form);
        for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
            struct point at = { .y = { want[k].x, want[k].y }, .u = { want[k].u } };
            settle(dcs, &at);
            assert_value(dcs, dcs->F[0].e, &at, want[k].x_rate);
            assert_value(dcs, dcs->F[1].e, &at, want[k].y_rate);
            for (int i = 0; i < dcs->n_stage; i++)
                assert_value(dcs, dcs->stage[i].e, &at, 0);
        }
        dcs_free(dcs);
    }
    small_free(&problem);
}

/* fesd.md (2): lambda_p = max(c, 0), lambda_n = max(-c, 0), alpha = 1/2 on the surface. */
static void steps_have_positive_and_negative_parts(void **state)
{
    (void)state;
    struct small_problem problem = small_read(quadrants);
    struct dcs *dcs = create(&problem, METHOD_FESD, FORM_STEP);
    struct point at = { .y = { 0.75, -0.5 } };
    settle(dcs, &at);
    assert_int_equal(dcs->n_switch, 2);
    assert_true(at.lam[dcs->sw[0].lam_p] == 0.75 && at.lam[dcs->sw[0].lam_n] == 0 && at.sel[dcs->sw[0].sel] == 1);
    assert_true(at.lam[dcs->sw[1].lam_p] == 0 && at.lam[dcs->sw[1].lam_n] == 0.5 && at.sel[dcs->sw[1].sel] == 0);
    at.y[0] = 0;
    settle(dcs, &at);
    assert_true(at.sel[dcs->sw[0].sel] == 0.5);
    dcs_free(dcs);
    small_free(&problem);
}

/* fesd.md (1): mu = -min g, lambda = g - min g with g_m = -S_m c. At c = (0.75, -0.5), g of the modes --, +-, -+, ++ is
 * (0.25, -1.25, 1.25, -0.25). */
static void stewarts_multipliers_are_differences_to_the_least(void **state)
{
    (void)state;
    struct small_problem problem = small_read(quadrants);
    struct dcs *dcs = create(&problem, METHOD_FESD, FORM_STEWART);
    struct point at = { .y = { 0.75, -0.5 } };
    settle(dcs, &at);
    assert_int_equal(dcs->n_group, 1);
    const struct dcs_stewart_group *group = &dcs->group[0];
    static const double lam[] = { 1.5, 0, 2.5, 1 }, theta[] = { 0, 1, 0, 0 };
    for (int m = 0; m < 4; m++) {
        assert_near(at.lam[group->lam + m], lam[m], 1e-15);
        assert_near(at.sel[group->sel + m], theta[m], 1e-15);
    }
    assert_near(at.lam[group->mu], 1.25, 1e-15);
    at.y[1] = 0;                                /* two modes are least: a half each */
    settle(dcs, &at);
    assert_near(at.sel[group->sel + 1], 0.5, 1e-15);
    assert_near(at.sel[group->sel + 3], 0.5, 1e-15);
    dcs_free(dcs);
    small_free(&problem);
}

/* fesd.md (3): between the modes the step form is the product of its steps, Stewart's the sum over theta; with
 * theta_m = the products they are the same field. */
static void steps_multiply_to_stewarts_theta(void **state)
{
    (void)state;
    struct small_problem problem = small_read(quadrants);
    struct dcs *step = create(&problem, METHOD_FESD, FORM_STEP),
               *stewart = create(&problem, METHOD_FESD, FORM_STEWART);
    const double a = 0.3, b = 0.8;
    struct point at = { .y = { 0.4, 0.7 }, .u = { 2 }, .sel = { a, b } };
    struct point same = at;
    const double theta[] = { (1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b };
    memcpy(same.sel, theta, sizeof theta);
    assert_value(step, step->F[0].e, &at, 2 + 5 * (1 - a) + 3 * a * (1 - b) + a * b);
    for (int i = 0; i < 2; i++)
        assert_value(stewart, stewart->F[i].e, &same, value(step, step->F[i].e, &at));
    dcs_free(step);
    dcs_free(stewart);
    small_free(&problem);
}

/* sign(c) = 2 alpha - 1, nested functions take the inner step: max(x, 0) selects, and abs of it is itself. */
static void nested_functions_settle_from_the_inside(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\nstates: {x: {initial: 0}, y: {initial: 0}}\ntime: {horizon: 1, intervals: 1, elements: 1}\n"
        "dynamics: {type: ode, rhs: {x: '3*sign(y)', y: 'abs(max(x, y) - 1)'}}\n");
    struct dcs *dcs = create(&problem, METHOD_FESD, FORM_STEP);
    static const double y[][2] = { { 0.25, -0.5 }, { 3, 2 }, { -1, 4 }, { -1, 0.5 } };
    for (size_t k = 0; k < sizeof y / sizeof *y; k++) {
        struct point at = { .y = { y[k][0], y[k][1] } };
        settle(dcs, &at);
        assert_value(dcs, dcs->F[0].e, &at, y[k][1] > 0 ? 3 : -3);
        assert_value(dcs, dcs->F[1].e, &at, fabs(fmax(y[k][0], y[k][1]) - 1));
    }
    assert_false(dcs_lam_varies(dcs));
    dcs_free(dcs);
    small_free(&problem);
}

/* A switching function of an optimized parameter: the multipliers at a fixed state are not known beforehand. */
static void multipliers_vary_with_parameters(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\nparameters: {b: {value: 0.5, optimize: [0, 1]}}\nstates: {x: {initial: 0}}\n"
        "time: {horizon: 1, intervals: 1, elements: 1}\n"
        "dynamics: {type: ode, rhs: {x: '-sign(x - b)'}}\n");
    struct dcs *dcs = create(&problem, METHOD_FESD, FORM_STEP);
    assert_true(dcs_lam_varies(dcs));
    struct point at = { .y = { 0 }, .p = { 0.25 } };
    settle(dcs, &at);
    assert_near(at.lam[dcs->sw[0].lam_n], 0.25, 1e-15);
    assert_value(dcs, dcs->F[0].e, &at, 1);
    dcs_free(dcs);
    small_free(&problem);
}

/* FESD needs switching functions that are continuous in time; time-stepping takes controls in them. */
static void switches_on_controls_are_refused(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\nstates: {x: {initial: 0}}\ncontrols: {u: {}}\ntime: {horizon: 1, intervals: 1, elements: 1}\n"
        "dynamics: {type: ode, rhs: {x: 'abs(u - x)'}}\n");
    struct dcs *dcs = NULL;
    problem.settings.method = METHOD_FESD;
    assert_int_equal(dcs_create(problem.model, &problem.settings, false, &dcs, problem.diag), STATUS_OK);
    assert_int_equal(dcs_check_controls(dcs, DIAG_ERROR, problem.diag), STATUS_SPEC);
    dcs_free(dcs);
    const struct transcription_task task = { .grid = { 1, problem.model->time.elements, 1 }, .optimize = true,
                                             .end = END_ON_GRID };
    struct transcription *tr = NULL;
    assert_int_equal(transcription_create(problem.model, &problem.settings, &task, &tr, problem.diag), STATUS_SPEC);
    assert_null(tr);
    problem.settings.method = METHOD_TIME_STEPPING;
    assert_int_equal(transcription_create(problem.model, &problem.settings, &task, &tr, problem.diag), STATUS_OK);
    transcription_free(tr);
    small_free(&problem);
}

/* --- Time-freezing: time_freezing.md ------------------------------------------------------------------------ */

/* A particle with M = diag(2, 3); forces (u, -30). */
static const char particle[] =
    "cocp: 1\n"
    "states: {x: {initial: 0}, z: {initial: 1}, vx: {initial: 0}, vz: {initial: 0}}\n"
    "controls: {u: {}}\n"
    "time: {horizon: 1, intervals: 1, elements: 1}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [2, 3]}, force: {x: u, z: -30}}\n"
    "contacts: {floor: {gap: z, tangent: x, friction: 0.5}}\n"
    "discretization: {a_n: 20}\n";

/* y = (x, z, vx, vz, t); F is M y' in the rows of the velocities. */
static void assert_field(const struct dcs *dcs, const struct point *at, const double *want)
{
    assert_int_equal(dcs->n_y, 5);
    for (int i = 0; i < dcs->n_y; i++)
        assert_value(dcs, dcs->F[i].e, at, want[i]);
    assert_near(value(dcs, dcs->rate, at), want[4], 1e-14);
}

/* time_freezing.md (1), (2)
 * In the air, or below ground on the way out, f_ODE; below ground on the way in time stands still and
 * a_n (J_n -+ mu J_t) pushes out, against the slip. Both forms. */
static void the_particle_is_free_or_jumps(void **state)
{
    (void)state;
    struct small_problem problem = small_read(particle);
    static const struct { double y[4], want[5]; } cases[] = {
        { { 0, 0.1, 2, -3 }, { 2, -3, 7, -30, 1 } },            /* free */
        { { 0, 0.1, 2, 3 }, { 2, 3, 7, -30, 1 } },
        { { 0, -0.1, 2, 3 }, { 2, 3, 7, -30, 1 } },             /* leaving */
        { { 0, -0.1, 2, -3 }, { 0, 0, -10, 20, 0 } },           /* jumping, slipping forwards */
        { { 0, -0.1, -2, -3 }, { 0, 0, 10, 20, 0 } } };         /* backwards */
    for (int form = FORM_STEP; form <= FORM_STEWART; form++) {
        struct dcs *dcs = create(&problem, METHOD_TIME_FREEZING, (enum form)form);
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            struct point at = { .u = { 7 } };
            memcpy(at.y, cases[k].y, sizeof cases[k].y);
            settle(dcs, &at);
            assert_field(dcs, &at, cases[k].want);
        }
        dcs_free(dcs);
    }
    small_free(&problem);
}

/* In contact, aq = 0 and kap = 1 - av = 1 - gamma. Slipping (at = 1): vz' = 0 wants gamma (-30) + (1 - gamma)
 * 20 = 0, gamma = 0.4; lambda_n = a_n (1 - gamma)/gamma = 30, lambda_t = -mu 30 (time_freezing.md 10). Sticking with u
 * = 7: also vx' = 0, gamma 7 + 10 (1 - gamma)(1 - 2 at) = 0 gives at = 0.5 + 0.7/3, lambda_t = -7. */
static void contact_forces_are_those_of_the_body(void **state)
{
    (void)state;
    struct small_problem problem = small_read(particle);
    struct dcs *dcs = create(&problem, METHOD_TIME_FREEZING, FORM_STEP);
    const int aq = sel_named(dcs, "floor gap, step"), av = sel_named(dcs, "floor normal velocity, step");
    const int slip = sel_named(dcs, "floor slip, step");
    struct point at = { .y = { 0, 0, 2, 0 }, .u = { 7 } };
    at.sel[aq] = 0;
    at.sel[av] = 0.4;
    at.sel[slip] = 1;
    assert_field(dcs, &at, (double[]){ 0.4 * 2, 0, 0.4 * 7 - 0.6 * 10, 0, 0.4 });
    const double rate = value(dcs, dcs->rate, &at);
    assert_near(value(dcs, dcs->contact[0].aux_n, &at) / rate, 30, 1e-12);
    assert_near(value(dcs, dcs->contact[0].aux_t[0], &at) / rate, -15, 1e-12);
    at.y[2] = 0;
    at.sel[slip] = 0.5 + 0.7 / 3;
    assert_field(dcs, &at, (double[]){ 0, 0, 0, 0, 0.4 });
    assert_near(value(dcs, dcs->contact[0].aux_t[0], &at) / rate, -7, 1e-12);
    dcs_free(dcs);
    small_free(&problem);
}

/* time_freezing.md (5)
 * The frozen fields of contacts that jump together are added, and time flows only if none jumps. Three
 * contacts: the lifted product in the step form. */
static void simultaneous_jumps_are_added(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "states: {x: {initial: 1}, z: {initial: 1}, vx: {initial: 0}, vz: {initial: 0}}\n"
        "time: {horizon: 1, intervals: 1, elements: 1}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [2, 3]}, force: {z: -30}}\n"
        "contacts: {floor: {gap: z}, wall: {gap: 2*x}, roof: {gap: 5 - z}}\n"
        "discretization: {a_n: 20}\n");
    static const struct { double y[4], want[5]; } cases[] = {
        { { -0.1, -0.1, -1, -2 }, { 0, 0, 40, 20, 0 } },        /* both: J_n = (0, 1) and (2, 0) */
        { { -0.1, 0.1, -1, -2 }, { 0, 0, 40, 0, 0 } },          /* the wall */
        { { 0.1, -0.1, -1, -2 }, { 0, 0, 0, 20, 0 } },          /* the floor */
        { { 0.1, 5.1, -1, 2 }, { 0, 0, 0, -20, 0 } },           /* the roof */
        { { 0.1, 0.1, -1, -2 }, { -1, -2, 0, -30, 1 } } };
    for (int form = FORM_STEP; form <= FORM_STEWART; form++) {
        struct dcs *dcs = create(&problem, METHOD_TIME_FREEZING, (enum form)form);
        assert_int_equal(dcs->n_z, form == FORM_STEP ? 1 : 0);
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            struct point at = { .T = 1 };
            memcpy(at.y, cases[k].y, sizeof cases[k].y);
            settle(dcs, &at);
            for (int i = 0; i < dcs->n_stage && form == FORM_STEP; i++) { /* of the lifted product: z - w_1 w_2 */
                at.z[0] = 0;
                at.z[0] = -value(dcs, dcs->stage[i].e, &at);
            }
            assert_field(dcs, &at, cases[k].want);
        }
        dcs_free(dcs);
    }
    small_free(&problem);
}

/* time_freezing.md 4 with the smooth norm
 * rho = sqrt(|v_t|^2 + d^2), d = eps_t/10; fast slip is braked by mu a_n v_t/rho, a
 * creeping one pushed out by as much. eps_t = 0.01, mu = 0.5, a_n = 20. */
static void friction_in_space_is_smooth_at_rest(void **state)
{
    (void)state;
    struct small_problem problem = small_read("cocp: 1\n"
                                              "states: {x: {initial: 1}, y: {initial: 1}, z: {initial: 1}, vx: "
                                              "{initial: 0}, vy: {initial: 0}, vz: {initial: 0}}\n"
                                              "time: {horizon: 1, intervals: 1, elements: 1}\n"
                                              "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, "
                                              "mass: {diag: [1, 1, 1]}, force: {z: -30}}\n"
                                              "contacts: {floor: {gap: z, tangent: [x, y], friction: 0.5}}\n"
                                              "discretization: {a_n: 20, eps_t: 0.01}\n");
    for (int form = FORM_STEP; form <= FORM_STEWART; form++) {
        struct dcs *dcs = create(&problem, METHOD_TIME_FREEZING, (enum form)form);
        struct point at = { .y = { 0, 0, -0.1, 3, 4, -1 } };
        settle(dcs, &at);
        const double rho = sqrt(25 + 1e-6);
        const double slipping[] = { 0, 0, 0, -10 * 3 / rho, -10 * 4 / rho, 20, 0 };
        for (int i = 0; i < 7; i++)
            assert_value(dcs, dcs->F[i].e, &at, slipping[i]);
        at.y[3] = 0.003;
        at.y[4] = -0.004;
        settle(dcs, &at);
        const double slow = sqrt(25e-6 + 1e-6),
                     creeping[] = { 0, 0, 0, 10 * 0.003 / slow, -10 * 0.004 / slow, 20, 0 };
        for (int i = 0; i < 7; i++)
            assert_value(dcs, dcs->F[i].e, &at, creeping[i]);
        at.y[3] = at.y[4] = 0;
        settle(dcs, &at);
        assert_value(dcs, dcs->F[3].e, &at, 0);
        dcs_free(dcs);
    }
    small_free(&problem);
}

/* time_freezing.md (4) with M = diag(2, 3), gap a x + b z, J_n = (a, b), D = a^2/2 + b^2/3: in the frozen mode
 *   d/dtau f_c = J_n'v,   d/dtau J_n'v = -k f_c - c J_n'v
 * with c by time_freezing.md (3): for e = 0.6, k = 10 it is 1.0150472 (cases.md 3.4). */
static void an_elastic_contact_is_an_oscillator_for_any_mass(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "states: {x: {initial: 1}, z: {initial: 1}, vx: {initial: 0}, vz: {initial: 0}}\n"
        "time: {horizon: 1, intervals: 1, elements: 1}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [2, 3]}, force: {z: -30}}\n"
        "contacts: {floor: {gap: 3*x + 2*z, restitution: 0.6}}\n"
        "discretization: {k_aux: 10}\n");
    for (int form = FORM_STEP; form <= FORM_STEWART; form++) {
        struct dcs *dcs = create(&problem, METHOD_TIME_FREEZING, (enum form)form);
        struct point at = { .y = { -0.5, 0.3, 2, -5 } };
        const double gap = 3 * -0.5 + 2 * 0.3, v_n = 3 * 2 + 2 * -5, D = 9.0 / 2 + 4.0 / 3, c = 1.0150472;
        settle(dcs, &at);
        const double x_rate = value(dcs, dcs->F[0].e, &at), z_rate = value(dcs, dcs->F[1].e, &at);
        assert_near(x_rate, 3.0 / 2 * v_n / D, 1e-13);
        assert_near(z_rate, 2.0 / 3 * v_n / D, 1e-13);
        assert_near(3 * x_rate + 2 * z_rate, v_n, 1e-12);
        const double vx_rate = value(dcs, dcs->F[2].e, &at) / 2, vz_rate = value(dcs, dcs->F[3].e, &at) / 3;
        assert_near(3 * vx_rate + 2 * vz_rate, -10 * gap - c * v_n, 1e-6);       /* c has seven decimals */
        assert_near(vx_rate / vz_rate, (3.0 / 2) / (2.0 / 3), 1e-12);            /* along M^-1 J_n */
        assert_value(dcs, dcs->F[4].e, &at, 0);
        at.y[0] = 1;
        settle(dcs, &at);
        assert_field(dcs, &at, (double[]){ 2, -5, 0, -30, 1 });
        dcs_free(dcs);
    }
    small_free(&problem);
}

/* A curved gap on a varying mass: gap z - x^2/2, J_n = (-x, 1), and the curvature term of
 * time_freezing.md (4) keeps the
 * oscillator exact: d/dtau (J_n'v) = J_n'v' - v_x x'. M^-1 J_n is a lifted variable. */
static void a_curved_elastic_contact_is_one_too(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "states: {x: {initial: 1}, z: {initial: 1}, vx: {initial: 0}, vz: {initial: 0}}\n"
        "time: {horizon: 1, intervals: 1, elements: 1}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [2 + x^2, 3]}, force: {z: -30}}\n"
        "contacts: {bowl: {gap: z - x^2/2, restitution: 0.6}}\n"
        "discretization: {k_aux: 10}\n");
    struct dcs *dcs = create(&problem, METHOD_TIME_FREEZING, FORM_STEP);
    const double x = 0.8, z = 0.1, vx = 1.5, vz = -0.5, m = 2 + x * x, gap = z - x * x / 2, v_n = -x * vx + vz;
    struct point at = { .y = { x, z, vx, vz }, .z = { -x / m, 1.0 / 3 } };
    settle(dcs, &at);
    assert_int_equal(dcs->n_z, 2);
    for (int i = 0; i < dcs->n_stage; i++)
        assert_value(dcs, dcs->stage[i].e, &at, 0);
    const double x_rate = value(dcs, dcs->F[0].e, &at), z_rate = value(dcs, dcs->F[1].e, &at);
    assert_near(-x * x_rate + z_rate, v_n, 1e-13);
    const double vx_rate = value(dcs, dcs->F[2].e, &at) / m, vz_rate = value(dcs, dcs->F[3].e, &at) / 3;
    assert_near(-x * vx_rate + vz_rate - vx * x_rate, -10 * gap - 1.0150472 * v_n, 1e-6);
    dcs_free(dcs);
    small_free(&problem);
}

/* A curved gap of an inelastic contact has a dead band: c = gap - d, and d stays out of the pairs. */
static void curved_gaps_have_a_dead_band(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "states: {x: {initial: 1}, z: {initial: 1}, vx: {initial: 0}, vz: {initial: 0}}\n"
        "time: {horizon: 1, intervals: 1, elements: 1}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -30}}\n"
        "contacts: {bowl: {gap: z - x^2/2}, wall: {gap: x}}\n");
    struct dcs *dcs = create(&problem, METHOD_TIME_FREEZING, FORM_STEP);
    assert_int_equal(dcs->n_band, 1);
    struct point at = { .y = { 1, 0.75, 0, 0 } };
    settle(dcs, &at);
    assert_true(at.lam[dcs->band[0]] == 0);
    at.lam[dcs->band[0]] = 0.125;
    double shifted = NAN;
    for (int k = 0; k < dcs->n_switch; k++)
        if (strcmp(dcs->sw[k].name, "bowl gap") == 0)
            shifted = value(dcs, dcs->sw[k].c, &at);
    assert_near(shifted, 0.25 - 0.125, 1e-15);
    for (int k = 0; k < dcs->n_pair; k++)
        assert_int_not_equal(dcs->pair[k].lam, dcs->band[0]);
    dcs_free(dcs);
    small_free(&problem);
}

/* --- Contact forces on fixed grids: fesd_j.md 10 -------------------------------------------------------------- */

static void fixed_grids_have_forces(void **state)
{
    (void)state;
    struct small_problem problem = small_read(particle);
    struct dcs *dcs = create(&problem, METHOD_TIME_STEPPING, FORM_STEP);
    assert_int_equal(dcs->kind, DCS_FORCES);
    assert_int_equal(dcs->n_pair, 3);
    struct point at = { .y = { 0, 0, 2, 0 }, .u = { 7 } };
    const int normal = sel_named(dcs, "floor normal force"), upper = sel_named(dcs, "floor cone, upper side");
    at.sel[normal] = 30;
    at.sel[upper] = 0;                          /* lambda_t = -mu lambda_n: c_plus = 0, c_minus = 2 mu lambda_n */
    at.sel[sel_named(dcs, "floor cone, lower side")] = 30;
    for (int i = 0; i < dcs->n_stage; i++)
        assert_value(dcs, dcs->stage[i].e, &at, 0);
    const double want[] = { 2, 0, 7 - 15, 0 };
    for (int i = 0; i < 4; i++)
        assert_value(dcs, dcs->F[i].e, &at, want[i]);
    dcs_free(dcs);
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_give_the_field_of_the_mode),
        cmocka_unit_test(steps_have_positive_and_negative_parts),
        cmocka_unit_test(stewarts_multipliers_are_differences_to_the_least),
        cmocka_unit_test(steps_multiply_to_stewarts_theta),
        cmocka_unit_test(nested_functions_settle_from_the_inside),
        cmocka_unit_test(multipliers_vary_with_parameters),
        cmocka_unit_test(switches_on_controls_are_refused),
        cmocka_unit_test(the_particle_is_free_or_jumps),
        cmocka_unit_test(contact_forces_are_those_of_the_body),
        cmocka_unit_test(simultaneous_jumps_are_added),
        cmocka_unit_test(friction_in_space_is_smooth_at_rest),
        cmocka_unit_test(an_elastic_contact_is_an_oscillator_for_any_mass),
        cmocka_unit_test(a_curved_elastic_contact_is_one_too),
        cmocka_unit_test(curved_gaps_have_a_dead_band),
        cmocka_unit_test(fixed_grids_have_forces),
    };
    return cmocka_run_group_tests_name("dcs", tests, NULL, NULL);
}
