/* test_equilibration.c - the indicator of step equilibration with contacts, row by row of FESD-J Tables 1 and
 * 2, for every form of friction; and grids that are arbitrary without it (indicator.c, fesd_j.md 9) */
#include "tests/unit/assertions.h"
#include "tests/unit/simulated.h"
#include "tests/unit/small_problem.h"

#include <math.h>
#include <stdio.h>

/* --- Tables 1 and 2: what a contact does on both sides of a junction ----------------------------------------- */

/* One element: gap and slip velocity go in straight lines from its left to its right; a normal force of 1 N or none,
 * and the force of friction. */
struct side {
    double gap[2], lambda_n, v_t[2][2], lambda_t[2];
};

struct junction_case {
    const char *what;
    struct side before, after;
    bool switches;
};

#define FRICTION 0.5
#define FLIES(left, right) { {left, right}, 0, {{1, 1}, {1, 1}}, {0, 0} }
#define SLIPS(x0, y0, x1, y1, fx, fy) { {0, 0}, 1, {{x0, y0}, {x1, y1}}, {fx, fy} }
#define STICKS { {0, 0}, 1, {{0, 0}, {0, 0}}, {0.1, -0.2} }

/* In the plane the first components count alone, and a slip has all of the 0.5 N against it. */
static const struct junction_case table[] = {
    {"contact making", FLIES(1, 0), SLIPS(1, 0.75, 1, 0.75, -0.4, -0.3), true},
    {"an elastic impact", FLIES(1, 0), FLIES(0, 1), true},
    {"contact breaking", SLIPS(1, 0.75, 1, 0.75, -0.4, -0.3), FLIES(0, 1), true},
    {"free flight", FLIES(1, 0.5), FLIES(0.5, 1), false},
    {"a switch during slip", SLIPS(1, 0.75, 0, 0, -0.4, -0.3), SLIPS(0, 0, -1, -0.75, 0.4, 0.3), true},
    {"slip to stick", SLIPS(1, 0.75, 0, 0, -0.4, -0.3), STICKS, true},
    {"stick to slip", STICKS, SLIPS(0, 0, -1, -0.75, 0.4, 0.3), true},
    {"stick phase", STICKS, STICKS, false},
    {"slip motion", SLIPS(2, 1.5, 1, 0.75, -0.4, -0.3), SLIPS(1, 0.75, 0, 0, -0.4, -0.3), false},
    {"slip motion back", SLIPS(0, 0, -1, -0.75, 0.4, 0.3), SLIPS(-1, -0.75, -2, -1.5, 0.4, 0.3), false},
};

static const char plane[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 1, elements: 2}\n"
    "states: {x: {initial: 0}, z: {initial: 1}, vx: {initial: 0}, vz: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -1}}\n"
    "contacts: {floor: {gap: z, tangent: x, friction: 0.5}}\n"
    "discretization: {method: fesd-j, equilibration: direct}\n";

static const char space[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 1, elements: 2}\n"
    "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 1}, vx: {initial: 0}, vy: {initial: 0}, vz: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]}, force: {z: -1}}\n"
    "contacts: {floor: {gap: z, tangent: [x, y], friction: 0.5}}\n"
    "discretization: {method: fesd-j, equilibration: direct}\n";

/* The multipliers of friction at a point, in the order in which contact_forces.c adds pairs and components. */
struct point {
    const struct transcription *tr;
    double *w;
    int j, k, n_t;
    double lambda_n, v_t[2], lambda_t[2];
};

static double positive(double value) { return fmax(value, 0); }

/* Side 0 (lam) or 1 (sel) of friction pair l of the contact. */
static void set_pair(const struct point *at, int l, double lam, double sel)
{
    const struct dcs *dcs = at->tr->dcs;
    const struct dcs_pair *pair = &dcs->pair[dcs->contact[0].first_pair + 1 + l];
    at->w[tr_lam(at->tr, at->j, at->k, pair->lam)] = lam;
    if (pair->sel_is_lam)
        at->w[tr_lam(at->tr, at->j, at->k, pair->sel)] = sel;
    else if (at->k > 0 && tr_is_stage(at->tr, at->k))
        at->w[tr_sel(at->tr, at->j, at->k) + pair->sel] = sel;
}

static double left_of_cone(const struct point *at)
{
    double left = pow(FRICTION * at->lambda_n, 2);
    for (int q = 0; q < at->n_t; q++) left -= at->lambda_t[q] * at->lambda_t[q];
    return fabs(left) < 1e-15 ? 0 : left;
}

static void set_scalar(const struct point *at)
{
    set_pair(at, 0, positive(at->v_t[0]), FRICTION * at->lambda_n + at->lambda_t[0]);
    set_pair(at, 1, positive(-at->v_t[0]), FRICTION * at->lambda_n - at->lambda_t[0]);
}

/* Four directions: the force of a slip acts against its larger component alone. */
static void set_polyhedral(const struct point *at)
{
    static const double d[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const bool slips = hypot(at->v_t[0], at->v_t[1]) > 0 || left_of_cone(at) == 0;
    const double gam = fmax(fabs(at->v_t[0]), fabs(at->v_t[1]));
    double left = FRICTION * at->lambda_n;
    for (int k = 0; k < 4; k++) {
        const double along = d[k][0] * at->lambda_t[0] + d[k][1] * at->lambda_t[1];
        const double whole = k % 2 == 0 && along > 0 ? FRICTION * at->lambda_n : 0;
        const double force = slips ? whole : positive(along);
        set_pair(at, k, gam + d[k][0] * at->v_t[0] + d[k][1] * at->v_t[1], force);
        left -= force;
    }
    set_pair(at, 4, gam, left);
}

static void set_cone(const struct point *at)
{
    set_pair(at, 0, at->n_t == 1 ? fabs(at->v_t[0]) : hypot(at->v_t[0], at->v_t[1]), left_of_cone(at));
    for (int q = 0; q < at->n_t; q++)
        at->w[tr_lam(at->tr, at->j, at->k, at->tr->dcs->contact[0].slip[q])] = at->v_t[q];
}

static void set_paper(const struct point *at)
{
    const double speed = at->n_t == 1 ? fabs(at->v_t[0]) : hypot(at->v_t[0], at->v_t[1]);
    set_pair(at, 0, speed > 0 ? speed / (speed + 2 * FRICTION * at->lambda_n) : 0, left_of_cone(at));
    for (int q = 0; q < at->n_t; q++) set_pair(at, 1 + q, positive(at->v_t[q]), positive(-at->v_t[q]));
}

static void set_point(struct point at)
{
    if (at.n_t == 1 && hypot(at.lambda_t[0], at.lambda_t[1]) > 0.49)
        at.lambda_t[0] = copysign(FRICTION, at.lambda_t[0]);
    switch (at.tr->dcs->contact[0].friction) {
    case DCS_SCALAR: set_scalar(&at); break;
    case DCS_POLYHEDRAL: set_polyhedral(&at); break;
    case DCS_CONE: set_cone(&at); break;
    case DCS_CONIC_PAPER: set_paper(&at); break;
    case DCS_FRICTIONLESS: fail(); break;
    }
}

static void set_element(const struct transcription *tr, double *w, int j, const struct side *side)
{
    const struct dcs_contact *contact = &tr->dcs->contact[0];
    for (int k = j == 0; k <= tr->n_point; k++) {
        const double c = tr_c(tr, k);
        struct point at = {tr, w, j, k, tr->model->contacts.contact[0].n_t, side->lambda_n, {0, 0}, {0, 0}};
        for (int q = 0; q < 2; q++) {
            at.v_t[q] = (1 - c) * side->v_t[0][q] + c * side->v_t[1][q];
            at.lambda_t[q] = side->lambda_t[q];
        }
        w[tr_lam(tr, j, k, contact->gap)] = (1 - c) * side->gap[0] + c * side->gap[1];
        if (k > 0 && tr_is_stage(tr, k)) w[tr_sel(tr, j, k) + contact->force] = side->lambda_n;
        set_point(at);
    }
}

/* The first row of that name is the indicator, less its variable, which is 0. */
static double eta_of(const struct transcription *tr, const struct junction_case *one)
{
    const struct nlp *nlp = &tr->mpcc.nlp;
    double *w = test_malloc((size_t)nlp->n_w * sizeof *w), *r = test_malloc((size_t)nlp->n_g * sizeof *r);
    int row = -1;
    for (int i = nlp->n_g - 1; i >= 0; i--)
        if (strcmp(tr->mpcc.row[i].name, "step equilibration") == 0) row = i;
    assert_true(row >= 0);
    memcpy(w, tr->mpcc.w0, (size_t)nlp->n_w * sizeof *w);
    set_element(tr, w, 0, &one->before);
    set_element(tr, w, 1, &one->after);
    assert_true(nlp->eval_g(nlp->user, w, true, r));
    const double eta = r[row];
    test_free(w);
    test_free(r);
    return eta;
}

static void check_case(const struct transcription *tr, const struct junction_case *one, int form)
{
    const double eta = eta_of(tr, one);
    if (one->switches ? eta != 0 : !(eta > 1e-6))
        fail_msg("form %d, %d stages, n_t = %d, %s: eta = %g", form, tr->rk->s, tr->model->contacts.contact[0].n_t,
                 one->what, eta);
}

/* Calls check for every form, scheme and number of stages. */
static void check_cases(const char *spec, int n, const struct junction_case *cases)
{
    struct small_problem problem = small_read(spec);
    struct discretization *s = &problem.settings;
    for (s->friction_form = FRICTION_AUTO; s->friction_form <= FRICTION_CONIC_PAPER; s->friction_form++)
        for (s->scheme = RK_RADAU_IIA; s->scheme <= RK_GAUSS_LEGENDRE; s->scheme++)
            for (s->stages = 1; s->stages <= 3; s->stages++) {
                const struct transcription *tr = small_transcribe(&problem);
                for (int k = 0; k < n; k++) check_case(tr, &cases[k], s->friction_form);
            }
    small_free(&problem);
}

static void switches_are_those_of_the_tables(void **state)
{
    (void)state;
    const int n = (int)(sizeof table / sizeof *table);
    check_cases(plane, n, table);
    check_cases(space, n, table);
}

/* In space a slip may turn without coming to rest. The exact cone has no switch there; the signs of components and the
 * polyhedron's directions have one, which (22) of the paper puts on the grid. */
static void a_slip_that_turns_is_a_switch_of_what_has_directions(void **state)
{
    (void)state;
    struct junction_case turn = {
        "a turn", SLIPS(0.5, -1, 1, 0, -0.4, -0.3), SLIPS(1, 0, 0.5, 1, -0.4, -0.3), false};
    struct small_problem problem = small_read(space);
    problem.settings.friction_form = FRICTION_CONE;
    check_case(small_transcribe(&problem), &turn, FRICTION_CONE);
    problem.settings.friction_form = FRICTION_CONIC_PAPER;
    turn.switches = true;
    check_case(small_transcribe(&problem), &turn, FRICTION_CONIC_PAPER);
    small_free(&problem);
}

/* --- Grids --------------------------------------------------------------------------------------------------- */

/* A block of 1 kg, mu g = 5 m/s^2: it slips with 1.5 m/s, comes to rest after 0.3 s and stays there. */
static const char slide_in_the_plane[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 1, elements: 3}\n"
    "states: {x: {initial: 0}, z: {initial: 0}, vx: {initial: 1.5}, vz: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -10}}\n"
    "contacts: {floor: {gap: z, tangent: x, friction: 0.5}}\n"
    "discretization: {method: fesd-j, rho_h: 1}\n"
    "simulate: {steps: 1}\n";

static const char slide_in_space[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 1, elements: 5}\n"
    "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, vx: {initial: 1.2}, vy: {initial: 0.9}, vz: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]}, force: {z: -10}}\n"
    "contacts: {floor: {gap: z, tangent: [x, y], friction: 0.5}}\n"
    "discretization: {method: fesd-j, equilibration: direct}\n"
    "simulate: {steps: 1}\n";

/* Where is the stop on the grid, and how uneven are the elements on each side of it? */
static double unevenness(const struct simulated *s, int elements, double tolerance)
{
    double t = 0, worst = 0;
    int stop = -1;
    for (int e = 0; e < elements; e++) {
        const bool apart = e > 0 && e != stop;
        if (apart) worst = fmax(worst, fabs(simulated_h(s, e) - simulated_h(s, e - 1)));
        t += simulated_h(s, e);
        if (fabs(t - 0.3) < tolerance) stop = e + 1;
    }
    assert_true(stop > 0);
    return worst;
}

/* The homotopy settles the lengths, as nothing predicts the product form of impacts: without equilibration the slip
 * phase is cut somewhere, with it the stick phase is cut in the middle. */
static void without_it_the_grid_is_arbitrary(void **state)
{
    (void)state;
    struct simulated s = simulated_read(slide_in_the_plane);
    s.settings.impact_form = IMPACT_PRODUCT;
    s.settings.equilibration = EQUILIBRATE_NONE;
    simulated_run(&s);
    assert_true(unevenness(&s, 3, 1e-5) > 0.1);
    for (int how = EQUILIBRATE_L2_RELAXED; how <= EQUILIBRATE_L2_RELAXED_SCALED; how++) {
        s.settings.equilibration = how;
        simulated_run(&s);
        assert_near(unevenness(&s, 3, 1e-5), 0, 1e-5);
    }
    simulated_free(&s);
}

/* A predicted step meets eta dh = 0 to rounding. */
static void exactly_it_is_equidistant_between_switches(void **state)
{
    (void)state;
    struct simulated s = simulated_read(slide_in_space);
    simulated_run(&s);
    assert_near(unevenness(&s, 5, 1e-9), 0, 1e-12);
    simulated_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_are_those_of_the_tables),
        cmocka_unit_test(a_slip_that_turns_is_a_switch_of_what_has_directions),
        cmocka_unit_test(without_it_the_grid_is_arbitrary),
        cmocka_unit_test(exactly_it_is_equidistant_between_switches),
    };
    return cmocka_run_group_tests_name("equilibration", tests, NULL, NULL);
}
