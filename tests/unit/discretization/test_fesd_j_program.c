/* test_fesd_j_program.c - the program that FESD-J makes of a model: exact derivatives of every
 * combination of its options, the friction laws as functions, the indicator of step equilibration, the presolve's
 * events */
#include "core/mpcc/relax.h"
#include "transcription/program/check.h"
#include "transcription/start/presolve.h"

#include "tests/unit/small_problem.h"
#include "tests/unit/assertions.h"
#include "transcription/system/create.h"

#include <stdio.h>

static const double tolerance = 1e-6; /* of derivatives, against differences; the checker's own error is below */

static void describe(const struct discretization *s, char *text, size_t size)
{
    snprintf(text, size,
             "scheme %d, impact form %d, friction form %d, aggregation %d, equilibration %d, terminal %d",
             s->scheme, s->impact_form, s->friction_form, s->aggregation, s->equilibration, s->terminal_junction);
}

static void assert_exact(const struct nlp *nlp, const double *w0, unsigned seed, const char *what,
                         const char *text)
{
    const struct derivative_check check = derivative_check(nlp, w0, 1, seed);
    if (!check.finite) fail_msg("%s, %s: not finite", what, text);
    if (!(check.jac <= tolerance && check.grad <= tolerance && check.hess <= tolerance))
        fail_msg("%s, %s: jac %.2g in row %d, grad %.2g, hess %.2g at variable %d", what, text, check.jac,
                 check.jac_row, check.grad, check.hess, check.hess_var);
}

static void check_derivatives(struct small_problem *problem, unsigned seed)
{
    char text[200];
    describe(&problem->settings, text, sizeof text);
    const struct transcription *tr = small_transcribe(problem);
    program_set_weights(tr->prog, (struct program_weights){1, 1, 0.5});
    assert_exact(&tr->mpcc.nlp, tr->mpcc.w0, seed, "program", text);
    struct relax *relax = relax_create(&tr->mpcc, RELAX_SCHOLTES, (enum relax_elastic)(seed % 3), NULL);
    relax_set_sigma(relax, 0.1);
    double *w0 = test_malloc((size_t)relax_nlp(relax)->n_w * sizeof *w0);
    relax_start(relax, tr->mpcc.w0, w0);
    assert_exact(relax_nlp(relax), w0, seed, "relaxed", text);
    test_free(w0);
    relax_free(relax);
}

static void check_equilibrations(struct small_problem *problem, unsigned *seed)
{
    for (int how = EQUILIBRATE_HEURISTIC_MEAN; how <= EQUILIBRATE_NONE; how++) {
        problem->settings.equilibration = how;
        check_derivatives(problem, ++*seed);
    }
}

/* scheme x impact form x friction form x aggregation x equilibration x terminal junction. */
static void check_combinations(const char *spec, bool with_friction)
{
    struct small_problem problem = small_read(spec);
    struct discretization *s = &problem.settings;
    unsigned seed = 0;
    for (s->scheme = RK_RADAU_IIA; s->scheme <= RK_GAUSS_LEGENDRE; s->scheme++)
        for (s->impact_form = IMPACT_SPLIT; s->impact_form <= IMPACT_PRODUCT; s->impact_form++)
            for (s->friction_form = FRICTION_AUTO; s->friction_form <= (with_friction ? FRICTION_CONIC_PAPER : 0);
                 s->friction_form++)
                for (s->aggregation = AGGREGATE_STAGE_FE; s->aggregation <= AGGREGATE_FE_FE; s->aggregation++)
                    for (int terminal = 0; terminal < 2; terminal++) {
                        s->terminal_junction = terminal;
                        check_equilibrations(&problem, &seed);
                    }
    small_free(&problem);
}

/* A mass matrix that varies, curved gaps, optimized restitution, a free horizon; no friction. */
static const char pendulum[] =
    "cocp: 1\n"
    "parameters: {e: {value: 0.5, optimize: [0.1, 0.9]}}\n"
    "time: {horizon: {min: 0.5, max: 2, guess: 1}, intervals: 1, elements: 2}\n"
    "states: {x: {initial: 1}, th: {initial: 0.4}, v: {initial: 0}, w: {initial: 0.5}}\n"
    "controls: {u: {guess: 1}}\n"
    "dynamics: {type: mechanical, coordinates: {x: v, th: w},\n"
    "  kinetic: '0.5*2*v^2 + 0.5*(v^2 + 2*v*w*cos(th) + w^2)', potential: '-9.81*cos(th)', force: {x: u}}\n"
    "contacts: {wall: {gap: 'x + 0.5*sin(th)', restitution: e}, stop: {gap: 1.5 - x}}\n"
    "cost: {running: {e: 'u^2*th'}, terminal: {time: t}}\n"
    "discretization: {method: fesd-j}\n";

static void without_friction_it_is_exact(void **state)
{
    (void)state;
    check_combinations(pendulum, false);
}

/* Coupled masses, a curved gap with curved tangent, forces that depend on velocities and time, an optimized
 * friction coefficient, a start in a range, path constraints. */
static const char planar[] =
    "cocp: 1\n"
    "parameters: {mu: {value: 0.4, optimize: [0.1, 0.8]}}\n"
    "time: {horizon: 1, intervals: 2, elements: [2, 1]}\n"
    "states: {x: {initial: [0, 0.1]}, z: {initial: 1, bounds: [-1, 2]}, vx: {initial: 0.5}, vz: {initial: 0}}\n"
    "controls: {u: {bounds: [-5, 5], guess: 1}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {rows: [[2, 0.3], [0.3, 1]]},\n"
    "  force: {x: 'u - 0.2*vx*vz', z: '-9.81 + 0.1*t'}}\n"
    "contacts: {foot: {gap: 'z - 0.2*x^2', tangent: 'x + 0.1*z^2', friction: mu, restitution: 0.3}}\n"
    "cost: {running: {e: u^2, f: 'x^2*vz'}, terminal: {g: 'x*vz'}}\n"
    "constraints: {h: {expr: 'x*z <= 4', at: path}}\n"
    "discretization: {method: fesd-j}\n";

static void in_the_plane_it_is_exact(void **state)
{
    (void)state;
    check_combinations(planar, true);
}

static const char spatial[] = "cocp: 1\n"
                              "time: {horizon: 1, intervals: 1, elements: 2}\n"
                              "states: {x: {initial: 1}, y: {initial: 1}, z: {initial: 1}, vx: {initial: 0.3}, "
                              "vy: {initial: 0.2}, vz: {initial: 0}}\n"
                              "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, "
                              "2, 3]}, force: {z: -9.81}}\n"
                              "contacts: {floor: {gap: 'z - 0.1*x*y', tangent: [x, 'y + 0.1*z'], friction: 0.5}, "
                              "wall: {gap: x, restitution: 1}}\n"
                              "cost: {terminal: {a: 'vx^2*y'}}\n"
                              "discretization: {method: fesd-j, directions: 6}\n";

static void in_space_it_is_exact(void **state)
{
    (void)state;
    check_combinations(spatial, true);
}

/* --- Friction laws as functions: contact_forces.c ------------------------------------------------------------ */

enum { MAX = 40 };

struct state {
    double v_t[SLIP_MAX], lambda_n, lambda_t[SLIP_MAX];
}; /* of a contact with mu = 0.5 in the plane z = 0 */

struct law {
    const struct small_problem *problem;
    const struct dcs *dcs;
    struct state at;
    double lam[MAX], sel[MAX];
};

static const char gliding[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 1, elements: 1}\n"
    "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, vx: {initial: 0}, vy: {initial: 0}, vz: "
    "{initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]}, force: {z: -10}}\n"
    "contacts: {floor: {gap: z, tangent: [x, y], friction: 0.5}}\n"
    "discretization: {method: fesd-j, directions: 4}\n";

static double value(const struct law *law, expr e)
{
    const struct dcs *dcs = law->dcs;
    expr sym[3 * MAX];
    double val[3 * MAX];
    const double y[6] = {0, 0, 0, law->at.v_t[0], law->at.v_t[1], 0};
    int n = 0;
    for (int i = 0; i < dcs->n_y; i++, n++) sym[n] = dcs->y[i].sym, val[n] = y[i];
    for (int i = 0; i < dcs->n_lam; i++, n++) sym[n] = dcs->lam[i].sym, val[n] = law->lam[i];
    for (int i = 0; i < dcs->n_sel; i++, n++) sym[n] = dcs->sel[i].sym, val[n] = law->sel[i];
    return expr_eval(dcs->g, e, n, sym, val);
}

/* How far multipliers are from the law: rows, signs and products; and forces from those of the state. */
static double distance(const struct law *law)
{
    const struct dcs *dcs = law->dcs;
    double worst = 0;
    for (int i = 0; i < dcs->n_cont; i++) {
        const double e = value(law, dcs->cont[i].e);
        worst = fmax(worst, dcs->cont[i].at_least ? fmax(-e, 0) : fabs(e));
    }
    for (int i = 0; i < dcs->n_stage; i++) worst = fmax(worst, fabs(value(law, dcs->stage[i].e)));
    for (int i = 0; i < dcs->n_pair; i++) {
        const struct dcs_pair *pair = &dcs->pair[i];
        const double G = law->lam[pair->lam], H = pair->sel_is_lam ? law->lam[pair->sel] : law->sel[pair->sel];
        worst = fmax(worst, fmax(fmax(-G, -H), fabs(G * H)));
    }
    worst = fmax(worst, fabs(value(law, dcs->contact[0].aux_n) - law->at.lambda_n));
    for (int q = 0; q < dcs->model->contacts.contact[0].n_t; q++)
        worst = fmax(worst, fabs(value(law, dcs->contact[0].aux_t[q]) - law->at.lambda_t[q]));
    return worst;
}

/* Multipliers of exact cone and polyhedron (directions +-x, +-y) for a state, in the order contact_forces.c has
 * them: lam = gap, then speed or slips; sel = lambda_n, then forces. */
static void fill_cone(struct law *law)
{
    const struct dcs_contact *contact = &law->dcs->contact[0];
    const struct state *at = &law->at;
    const double room = pow(0.5 * at->lambda_n, 2) - pow(at->lambda_t[0], 2) - pow(at->lambda_t[1], 2);
    const struct dcs_pair *pair = &law->dcs->pair[contact->first_pair + 1];
    law->sel[contact->force] = at->lambda_n;
    law->lam[pair->lam] = hypot(at->v_t[0], at->v_t[1]);
    law->sel[pair->sel] = room;
    for (int q = 0; q < 2; q++) {
        law->lam[contact->slip[q]] = at->v_t[q];
        law->sel[contact->force_t[q]] = at->lambda_t[q];
    }
}

/* The paper's cone with rho v_t + 2 gam lambda_t = 0, rho + gam = 1; rho follows gam. */
static void fill_paper(struct law *law)
{
    const struct dcs_contact *contact = &law->dcs->contact[0];
    const struct state *at = &law->at;
    const double speed = hypot(at->v_t[0], at->v_t[1]), gam = speed > 0 ? speed / (speed + at->lambda_n) : 0;
    const struct dcs_pair *pair = &law->dcs->pair[contact->first_pair + 1];
    law->sel[contact->force] = at->lambda_n;
    law->lam[pair->lam] = gam;
    law->lam[pair->lam + 1] = 1 - gam;
    law->sel[pair->sel] = pow(0.5 * at->lambda_n, 2) - pow(at->lambda_t[0], 2) - pow(at->lambda_t[1], 2);
    for (int q = 0; q < 2; q++) {
        law->lam[pair[1 + q].lam] = fmax(at->v_t[q], 0);
        law->lam[pair[1 + q].sel] = fmax(-at->v_t[q], 0);
        law->sel[contact->force_t[q]] = at->lambda_t[q];
    }
}

static void fill_polyhedron(struct law *law)
{
    static const double d[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const struct dcs_contact *contact = &law->dcs->contact[0];
    const struct state *at = &law->at;
    const double gam = fmax(fabs(at->v_t[0]), fabs(at->v_t[1]));
    double room = 0.5 * at->lambda_n;
    law->sel[contact->force] = at->lambda_n;
    for (int k = 0; k < 4; k++) {
        const struct dcs_pair *pair = &law->dcs->pair[contact->first_pair + 1 + k];
        const double lambda = fmax(d[k][0] * at->lambda_t[0] + d[k][1] * at->lambda_t[1], 0);
        law->lam[pair->lam] = d[k][0] * at->v_t[0] + d[k][1] * at->v_t[1] + gam;
        law->sel[pair->sel] = lambda;
        room -= lambda;
    }
    law->lam[law->dcs->pair[contact->end_pair - 1].lam] = gam;
    law->sel[law->dcs->pair[contact->end_pair - 1].sel] = room;
}

/* Slip against the force at its bound, stick with any force within, flight with any slip are solutions; a force
 * along the slip, one too small for it, or one out of the cone are none. */
static void laws_are_those_of_coulomb(void **state)
{
    (void)state;
    static const struct {
        struct state at;
        bool in_cone, in_polyhedron;
    } cases[] = {
        {{{0.7, 0}, 10, {-5, 0}}, true, true}, /* slips along a direction */
        {{{0, -0.2}, 10, {0, 5}}, true, true},
        {{{0.3, 0.4}, 10, {-3, -4}}, true, false},     /* the polyhedron has no force 5 that way */
        {{{0.4, 0.4}, 10, {-2.5, -2.5}}, false, true}, /* it has mu cos 45 deg */
        {{{0, 0}, 10, {-2, 1}}, true, true},           /* sticks */
        {{{0.3, 0.4}, 0, {0, 0}}, true, true},         /* flies */
        {{{0.7, 0}, 10, {5, 0}}, false, false},
        {{{0.7, 0}, 10, {-4, 0}}, false, false},
        {{{0, 0}, 10, {-6, 0}}, false, false},
        {{{0, 0}, 10, {4, 4}}, false, false},
    };
    for (int form = FRICTION_POLYHEDRAL; form <= FRICTION_CONIC_PAPER; form++) {
        struct small_problem problem = small_read(gliding);
        struct dcs *dcs;
        problem.settings.friction_form = form;
        assert_int_equal(dcs_create(problem.model, &problem.settings, false, &dcs, problem.diag), STATUS_OK);
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
            struct law law = {&problem, dcs, cases[k].at, {0}, {0}};
            const bool want = form == FRICTION_POLYHEDRAL ? cases[k].in_polyhedron : cases[k].in_cone;
            if (form == FRICTION_CONE) fill_cone(&law);
            else if (form == FRICTION_CONIC_PAPER) fill_paper(&law);
            else fill_polyhedron(&law);
            if ((distance(&law) < 1e-14) != want)
                fail_msg("friction form %d, case %zu: off by %.3g", form, k, distance(&law));
        }
        dcs_free(dcs);
        small_free(&problem);
    }
}

/* --- The indicator of step equilibration: fesd_j.md 9 -------------------------------------------------------- */

static const char two_gaps[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 1, elements: 2}\n"
    "states: {q1: {initial: 1}, q2: {initial: 1}, v1: {initial: 0}, v2: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {q1: v1, q2: v2}, mass: {diag: [1, 1]}, force: {q1: 0}}\n"
    "contacts: {a: {gap: q1, restitution: 0.5}, b: {gap: q2}}\n"
    "discretization: {method: fesd-j, equilibration: direct, rho_h: 1}\n";

static double sum_of(const struct transcription *tr, const double *w, int e, int first, int place, bool is_lam)
{
    double sum = 0;
    for (int k = first; k <= tr->n_point; k++)
        if (is_lam || tr_is_stage(tr, k)) sum += w[is_lam ? tr_lam(tr, e, k, place) : tr_sel(tr, e, k) + place];
    return sum;
}

/* eta/sqrt(1 + eta^2), eta = prod_c (Y_c sB_gap sF_gap + sB_force sF_force), the sum after the junction with its left value. */
static double eta_of(const struct transcription *tr, const double *w)
{
    double eta = 1;
    for (int c = 0; c < 2; c++) {
        const int gap = tr->dcs->contact[c].gap, force = tr->dcs->contact[c].force;
        eta *= w[tr_lam(tr, 1, 0, gap)] * sum_of(tr, w, 0, 1, gap, true) * sum_of(tr, w, 1, 0, gap, true) +
               sum_of(tr, w, 0, 1, force, false) * sum_of(tr, w, 1, 1, force, false);
    }
    return eta / sqrt(1 + eta * eta);
}

static void the_indicator_has_the_gap_at_the_junction(void **state)
{
    (void)state;
    for (int scheme = RK_RADAU_IIA; scheme <= RK_GAUSS_LEGENDRE; scheme++) {
        struct small_problem problem = small_read(two_gaps);
        problem.settings.scheme = scheme;
        const struct transcription *tr = small_transcribe(&problem);
        const struct nlp *nlp = &tr->mpcc.nlp;
        double *w = test_malloc((size_t)nlp->n_w * sizeof *w), *r = test_malloc((size_t)nlp->n_g * sizeof *r);
        const struct mpcc_pair *pair = &tr->mpcc.pair[tr->mpcc.n_pair - 1];
        int row = -1;
        for (int i = nlp->n_g - 1; i >= 0; i--)
            if (strcmp(tr->mpcc.row[i].name, "step equilibration") == 0) row = i;
        assert_true(row >= 0);
        assert_true(pair->two_sided && pair->H[0].var == tr->dh[1]);
        for (int i = 0; i < nlp->n_w; i++) w[i] = 1 + 0.3 * sin(5.0 * i);
        w[pair->G[0].var] = 0;
        assert_true(nlp->eval_g(nlp->user, w, true, r));
        assert_near(r[row + 1], w[tr->h[1]] - w[tr->h[0]] - w[tr->dh[1]], 1e-15);
        const double want = eta_of(tr, w);
        assert_near(r[row], want, 1e-12 * fabs(want));
        assert_true(fabs(want) > 0.1);
        w[tr_lam(tr, 1, 0, tr->dcs->contact[0].gap)] =
            0; /* an elastic impact of a: open on both sides, but here */
        for (int k = 1; k <= tr->rk->s; k++) w[tr_sel(tr, 1, k) + tr->dcs->contact[0].force] = 0;
        assert_true(nlp->eval_g(nlp->user, w, true, r));
        assert_near(r[row], 0, 0);
        test_free(w);
        test_free(r);
        small_free(&problem);
    }
}

/* --- The presolve: presolve.md 3 ----------------------------------------------------------------------- */

/* Falls from 0.5 m with 1 m/s along the floor, mu = 0.2: hits at sqrt(2 z/g) = 0.3193 with sqrt(2 g z) = 3.132 N
 * s, slips on with 1 - 0.2 * 3.132 = 0.3736 and stops 0.1904 s later. */
static const char landing[] =
    "cocp: 1\n"
    "time: {horizon: 0.8, intervals: 4, elements: 2}\n"
    "states: {x: {initial: 0}, z: {initial: 0.5}, vx: {initial: 1}, vz: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -9.81}}\n"
    "contacts: {floor: {gap: z, tangent: x, friction: 0.2}}\n"
    "discretization: {method: fesd-j}\n";

/* The same problem by `steps` time steps per interval, solved; the caller frees both. */
static struct transcription *solve_coarsely(struct small_problem *problem, int steps,
                                            struct homotopy_result *result)
{
    struct transcription *coarse;
    int elements[4];
    for (int i = 0; i < 4; i++) {
        elements[i] = problem->model->time.elements[i];
        problem->model->time.elements[i] = steps;
    }
    problem->settings.method = METHOD_TIME_STEPPING;
    coarse = small_transcribe(problem);
    *result = small_solve(problem);
    assert_int_equal(result->status, STATUS_OK);
    problem->tr = NULL;
    problem->settings.method = METHOD_FESD_J;
    memcpy(problem->model->time.elements, elements, sizeof elements);
    return coarse;
}

/* Index of the element that starts nearest to t; its start in *start. */
static int element_at(const struct transcription *tr, const double *w, double t, double *start)
{
    double at = 0;
    int nearest = 0;
    *start = INFINITY;
    for (int e = 0; e < tr->n_element; at += w[tr->h[e++]])
        if (fabs(at - t) < fabs(*start - t)) {
            *start = at;
            nearest = e;
        }
    return nearest;
}

static void presolved_events_become_element_boundaries(void **state)
{
    (void)state;
    const double g = 9.81, z = 0.5, t1 = sqrt(2 * z / g), impulse = sqrt(2 * g * z), slow = 1 - 0.2 * impulse;
    const double stop = t1 + slow / (0.2 * g), x_end = t1 + slow * slow / (0.4 * g), step = 0.2 / 8;
    struct small_problem problem = small_read(landing);
    struct homotopy_result coarse_result;
    struct transcription *coarse = solve_coarsely(&problem, 8, &coarse_result);
    struct transcription *tr = small_transcribe(&problem);
    tr_apply_presolve(tr, coarse, coarse_result.w);
    const double *w = tr->mpcc.w0;
    double at;
    for (int i = 0; i < tr->n_interval; i++) assert_near(w[tr->h[2 * i]] + w[tr->h[2 * i + 1]], 0.2, 1e-12);
    const int hit = element_at(tr, w, t1, &at);
    assert_near(at, t1, step); /* implicit Euler: first order in its step */
    assert_near(w[tr_impulse(tr, hit)], impulse, g * step);
    assert_near(w[tr_y(tr, hit - 1, tr_right(tr), 3)], -impulse, 2 * g * step);
    assert_near(w[tr_y(tr, hit, 0, 3)], 0, 1e-6);
    assert_near(w[tr_y(tr, hit, 0, 2)], slow, 0.2 * 2 * g * step);
    element_at(tr, w, stop, &at);
    assert_near(at, stop, 2 * step);
    for (int e = 1; e < tr->n_element; e++) /* no other impulses */
        if (e != hit) assert_near(w[tr_impulse(tr, e)], 0, 1e-3);

    struct homotopy_run run;
    struct homotopy_result result;
    homotopy_run_init(&run);
    run.recipe = homotopy_recipe_fesd_j();
    homotopy_solve(&tr->mpcc, &problem.homotopy, &run, &result, problem.diag);
    assert_int_equal(result.status, STATUS_OK);
    assert_near(small_final(tr, result.w, 0), x_end, 1e-7);
    homotopy_result_free(&result);
    homotopy_result_free(&coarse_result);
    transcription_free(coarse);
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_friction_it_is_exact),
        cmocka_unit_test(in_the_plane_it_is_exact),
        cmocka_unit_test(in_space_it_is_exact),
        cmocka_unit_test(laws_are_those_of_coulomb),
        cmocka_unit_test(the_indicator_has_the_gap_at_the_junction),
        cmocka_unit_test(presolved_events_become_element_boundaries),
    };
    return cmocka_run_group_tests_name("fesd_j_program", tests, NULL, NULL);
}
