/* core/stability/certify.h, certificate.h: what is proved, and that only proofs pass. Expected values are those of
 * stability.md 10, closed forms, or symmetries. */
#include "core/stability/certify.h"
#include "core/stability/falsify.h"
#include "core/stability/vec3.h"
#include "tests/unit/stability_bodies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const feet[2] = { "foot1", "foot2" };
enum { ALL = LEVEL_P | LEVEL_E | LEVEL_M };

static struct certify_result certify(const struct body *body, int levels)
{
    struct certify_result found;
    certify_body(body, feet, (uint64_t)levels, true, &found);
    return found;
}

static bool is_certified(const struct body *body, int level)
{
    return certify(body, level).verdict.outcome == CERTIFY_CERTIFIED;
}

static bool is_equal(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* SOS (57), (58) as stability.md 9 corrects them: ambiguous exactly where d < h tan alpha and mu1 < tan alpha -
 * d/h. */
static void figure_2_is_ambiguous_where_the_formula_says(void **state)
{
    (void)state;
    const double edge = tan(acos(-1) / 6);
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 30; j++) {
            const double d = 0.011 + 0.05 * i, mu1 = 0.007 + 0.03 * j;
            const struct body body = figure_2(d, mu1);
            const struct certify_result found = certify(&body, LEVEL_P);
            const bool ambiguous = strcmp(found.verdict.reason, "ambiguity") == 0;
            assert_int_equal(ambiguous, d < edge && mu1 < edge - d);
            assert_int_equal(ambiguous, found.verdict.outcome == CERTIFY_UNSTABLE);
        }
}

/* Left edge of the certified set for d <= 0.9: slip of foot 1 stops decelerating,
 * gs + lambda (h l_1 - mu_1 (1 + h^2)) = 0 with lambda = cos alpha/(1 + l_1^2 - mu_1 l_1 h), stability.md 10. */
static double slip_edge(double d)
{
    const double alpha = acos(-1) / 6, l1 = tan(alpha) - d, g = sin(alpha), G = cos(alpha);
    double lo = 0, hi = 2;
    for (int k = 0; k < 60; k++) {
        const double mu = 0.5 * (lo + hi), lambda = G / (1 + l1 * l1 - mu * l1);
        if (g + lambda * (l1 - 2 * mu) > 0)
            lo = mu;
        else
            hi = mu;
    }
    return hi;
}

static void figure_2_is_certified_right_of_the_slip_edge(void **state)
{
    (void)state;
    assert_true(fabs(slip_edge(0.5) - 0.3219) < 5e-5);          /* four figures are published */
    for (double d = 0.1; d < 0.95; d += 0.2) {
        const struct body left = figure_2(d, slip_edge(d) - 1e-3), right = figure_2(d, slip_edge(d) + 1e-3);
        assert_false(is_certified(&left, ALL));
        assert_true(is_certified(&right, ALL));
    }
}

static void figure_3_levels_are_those_of_the_note(void **state)
{
    (void)state;
    const struct body inner = figure_3(0.8, 1.2), outer = figure_3(1.8, 1);
    assert_true(is_certified(&inner, LEVEL_P));
    assert_false(is_certified(&outer, LEVEL_P));
    assert_true(is_certified(&inner, LEVEL_M));
    assert_true(is_certified(&outer, LEVEL_M));
}

/* Level M certifies everything on 0.4 <= d <= 2 down to the equilibrium limit tan 20 degrees. */
static void figure_3_is_certified_down_to_equilibrium(void **state)
{
    (void)state;
    const double limit = tan(acos(-1) / 9);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 4; j++) {
            static const double above[] = { 0.004, 0.05, 0.4, 1.2 };
            const struct body body = figure_3(0.4 + 0.2 * i, limit + above[j]);
            assert_true(is_certified(&body, LEVEL_M));
        }
    const struct body below = figure_3(1, limit - 1e-3);
    assert_int_equal(certify(&below, ALL).verdict.outcome, CERTIFY_NO_EQUILIBRIUM);
}

/* P alone within E alone within M alone, but for margins below 1e-4 (stability.md, judged so). */
static void levels_contain_each_other(void **state)
{
    (void)state;
    for (int k = 0; k < 60; k++) {
        const double d = 0.05 + 0.03 * k, mu = 0.2 + 0.025 * (k * 7 % 60);
        const struct body body[2] = { figure_2(d, mu), figure_3(d, mu) };
        for (int figure = 0; figure < 2; figure++) {
            const struct certify_result found = certify(&body[figure], ALL);
            for (int which = 0; which < 2; which++)
                if (found.level_margin[which] > 1e-4)
                    assert_true(found.level_margin[which + 1] > 0);
        }
    }
}

static void mirror_images_have_the_same_margin(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    int n_certified = 0;
    for (int k = 0; k < 60; k++) {
        const struct body body = random_body(&seed), mirror = body_mirror(&body);
        const struct certify_result a = certify(&body, ALL), b = certify(&mirror, ALL);
        assert_int_equal(a.verdict.outcome, b.verdict.outcome);
        assert_true(is_equal(a.verdict.margin, b.verdict.margin)
                    || (isnan(a.verdict.margin) && isnan(b.verdict.margin)));
        for (int which = 0; which < 3; which++)
            assert_true(is_equal(a.level_margin[which], b.level_margin[which])
                        || (isnan(a.level_margin[which]) && isnan(b.level_margin[which])));
        n_certified += a.verdict.outcome == CERTIFY_CERTIFIED;
    }
    assert_true(n_certified > 5);               /* the generator makes cases worth the name */
}

/* Flat ground: a block is its own mirror image, and needs a proof for either direction of drift. */
static void flat_ground_takes_two_proofs(void **state)
{
    (void)state;
    const struct body body = slope_body(0, 1, 0.5, 0.5, 0.1);
    const struct certify_result found = certify(&body, ALL);
    assert_int_equal(found.verdict.outcome, CERTIFY_CERTIFIED);
    assert_int_equal(found.certificate.n_side, 2);
}

/* --- Lines at which the forces of double sliding have a singular matrix ---------------------------------------- */

/* Determinant of n_i f_m, f = n - s sign(t dir) mu t: it is linear in each friction. */
static double double_slip_determinant(const struct body *body, int s)
{
    struct zod zod;
    double A[2][2];
    assert_true(zod_init(body, &zod));
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < 2; i++) {
            const double way = dot3(zod.t[m], zod.dir) >= 0 ? slip_sign(s) : -slip_sign(s);
            A[i][m] = dot3(zod.n[i], zod.n[m]) - way * body->mu[m] * dot3(zod.n[i], zod.t[m]);
        }
    return A[0][0] * A[1][1] - A[0][1] * A[1][0];
}

/* The body with the friction of foot 1 that makes it 0; false: that is none of [0.05, 3]. */
static bool make_singular(struct body *body, int s)
{
    double det[2];
    for (int k = 0; k < 2; k++) {
        body->mu[0] = k;
        det[k] = double_slip_determinant(body, s);
    }
    body->mu[0] = det[0] / (det[0] - det[1]);
    return body->mu[0] > 0.05 && body->mu[0] < 3;
}

static enum certify_outcome outcome_beside(struct body body, double part)
{
    body.mu[0] *= 1 + part;
    return certify(&body, ALL).verdict.outcome;
}

static bool may_grow(const struct body *body)
{
    struct falsify_settings settings = falsify_defaults(1);
    settings.n_run = 20;                        /* of each of a hundred bodies */
    struct arena mem = { NULL };
    struct falsify_result motion;
    falsify(body, &settings, &mem, &motion);
    arena_free(&mem);
    return motion.grows;
}

/* Forces grow beyond all limits on one side of the line, not one up and one down. */
static bool has_growing_forces(const struct body *body, int s)
{
    struct zod zod;
    double a[3], lambda[2];
    assert_true(zod_init(body, &zod));
    return zod_double(&zod, s, a, lambda) && lambda[0] > 1e8 && lambda[1] > 1e8;
}

/* Where both neighbours have one verdict the line has it, and no motion contradicts. */
static void agrees_with_neighbours(const struct body *body, int n[4])
{
    const enum certify_outcome below = outcome_beside(*body, -1e-4), above = outcome_beside(*body, 1e-4);
    if (below != above || below == CERTIFY_INCONCLUSIVE)
        return;
    n[below]++;
    assert_int_equal(outcome_beside(*body, 0), below);
    if (below == CERTIFY_CERTIFIED)
        assert_false(may_grow(body));
}

static void a_singular_line_is_as_its_neighbours(void **state)
{
    (void)state;
    int n[4] = { 0 };
    unsigned long long seed = 11;
    for (int k = 0; k < 60; k++) {              /* the lines of figure 2: at mu1 = 1 where alpha = 30 degrees, mu2 = 2 */
        struct body body = slope_body(10 + k % 30, 0.1 + 0.02 * k, 1, 0.5 + 0.05 * k, k % 2 ? 0 : 0.1);
        for (int s = 0; s < 2; s++)
            if (make_singular(&body, s))
                agrees_with_neighbours(&body, n);
    }
    for (int k = 0; k < 200; k++) {
        struct body body = random_body(&seed);
        for (int s = 0; s < 2; s++)
            if (make_singular(&body, s))
                agrees_with_neighbours(&body, n);
    }
    const int n_before = n[CERTIFY_CERTIFIED];
    for (int k = 0; k < 10000; k++) {
        struct body body = random_body(&seed);
        for (int s = 0; s < 2; s++)
            if (make_singular(&body, s) && has_growing_forces(&body, s))
                agrees_with_neighbours(&body, n);
    }
    assert_true(n[CERTIFY_CERTIFIED] > n_before);
    const struct body round[2] = { figure_2(0.5, 1), figure_2(0.4, 1.2) };
    for (int k = 0; k < 2; k++)
        assert_true(is_certified(&round[k], LEVEL_P));
    assert_true(n[CERTIFY_CERTIFIED] >= 20 && n[CERTIFY_UNSTABLE] + n[CERTIFY_NO_EQUILIBRIUM] >= 20);
}

/* --- Every reason -------------------------------------------------------------------------------------------- */

static void gives_reason(struct body body, enum certify_outcome outcome, const char *reason)
{
    const struct certify_result found = certify(&body, ALL);
    assert_int_equal(found.verdict.outcome, outcome);
    assert_string_equal(found.verdict.reason, reason);
    assert_true(strlen(found.verdict.words) > 20);
}

static void each_way_out_has_its_reason(void **state)
{
    (void)state;
    struct body body = figure_3(1, 0.3);
    gives_reason(body, CERTIFY_NO_EQUILIBRIUM, "forces");
    gives_reason(figure_2(0.2, 0.1), CERTIFY_UNSTABLE, "ambiguity");
    gives_reason(figure_2(0.5, 0.3), CERTIFY_INCONCLUSIVE, "functions");
    body = figure_3(1, tan(acos(-1) / 9));
    gives_reason(body, CERTIFY_INCONCLUSIVE, "marginal");
    body = figure_3(1, 1);
    body.e[0] = 1;
    gives_reason(body, CERTIFY_INCONCLUSIVE, "restitution");
    body = figure_2(0.5, 2.9);                  /* den = 1 + l^2 - mu l h < 0 on foot 2 */
    body.mu[1] = 2.9;
    gives_reason(body, CERTIFY_INCONCLUSIVE, "painleve");
}

/* --- Tampering ----------------------------------------------------------------------------------------------- */

static bool passes(const struct certificate *certificate)
{
    char why[200];
    const bool ok = certificate_check(certificate, why, sizeof why);
    assert_int_equal(ok, *why == '\0');         /* a refusal says why */
    return ok;
}

/* Every number of the certificate, moved by 1e-6, or by a millionth of itself, and with the other sign. */
static void nothing_can_be_changed(const struct body *body, int level)
{
    const struct certify_result found = certify(body, level);
    assert_int_equal(found.verdict.outcome, CERTIFY_CERTIFIED);
    const struct certificate *good = &found.certificate;
    assert_true(passes(good));
    int n_entry = 0;
    for (int k = 0; k < good->n_side; k++) {
        struct certificate bad = *good;
        struct certificate_side *side = &bad.side[k];
        double *number[LEVEL_MAX_P + 13 + 13 * CERTIFICATE_MAX_COND];
        int n = 0;
        for (int q = 0; q < LEVEL_MAX_P; q++)
            number[n++] = &side->p[q];
        for (int i = 0; i < 2; i++) {
            number[n++] = &side->body.l[i];
            number[n++] = &side->body.phi[i];
            number[n++] = &side->body.mu[i];
            number[n++] = &side->body.e[i];
            number[n++] = &side->body.g[i];
        }
        number[n++] = &side->body.g[2];
        number[n++] = &side->body.h;
        for (int c = 0; c < side->n_cond; c++) {
            number[n++] = &side->cond[c].scale;
            number[n++] = &side->cond[c].margin;
            number[n++] = &side->cond[c].sum;
            for (int m = 0; m < CERTIFICATE_MAX_NU; m++)
                number[n++] = &side->cond[c].nu[m];
        }
        for (int m = 0; m < n; m++) {
            const double was = *number[m];
            *number[m] += 1e-6 * fmax(fabs(was), 1);
            if (passes(&bad))
                print_message("level %d, entry %d of %d (%.17g) may be changed\n", level, m, n, was);
            assert_false(passes(&bad));
            *number[m] = -was;
            assert_true(!(fabs(was) > 1e-6) || !passes(&bad));
            *number[m] = was;
            n_entry++;
        }
        assert_true(passes(&bad));
    }
    assert_true(n_entry > 100);
}

static void a_tampered_certificate_is_refused(void **state)
{
    (void)state;
    const struct body plain = figure_2(0.8, 1), bouncing = figure_3(0.8, 1.2),
                      flat = slope_body(0, 1, 0.5, 0.5, 0.1);
    unsigned long long seed = 5;
    struct body tilted = random_body(&seed);
    while (!is_certified(&tilted, LEVEL_M))
        tilted = random_body(&seed);
    nothing_can_be_changed(&plain, LEVEL_P);
    nothing_can_be_changed(&plain, LEVEL_E);
    nothing_can_be_changed(&plain, LEVEL_M);
    nothing_can_be_changed(&bouncing, LEVEL_P);
    nothing_can_be_changed(&bouncing, LEVEL_M);
    nothing_can_be_changed(&tilted, LEVEL_M);
    nothing_can_be_changed(&flat, LEVEL_P);
}

static void a_certificate_without_a_condition_is_refused(void **state)
{
    (void)state;
    const struct body body = figure_3(0.8, 1.2);
    const struct certify_result found = certify(&body, LEVEL_M);
    for (int c = 0; c < found.certificate.side[0].n_cond; c++) {
        struct certificate bad = found.certificate;
        struct certificate_side *side = &bad.side[0];
        side->cond[c] = side->cond[side->n_cond - 1];
        side->n_cond--;
        assert_false(passes(&bad));
    }
    struct certificate other = found.certificate;
    other.level = LEVEL_P;
    assert_false(passes(&other));
}

/* A proof of one body is none of another, where that one falls. */
static void a_certificate_does_not_move(void **state)
{
    (void)state;
    const struct body body = figure_2(0.5, 0.33);
    struct certify_result found = certify(&body, LEVEL_P);
    char why[200];
    found.certificate.side[0].body = figure_2(0.5, 0.32);
    assert_false(certificate_measure(&found.certificate, why, sizeof why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_2_is_ambiguous_where_the_formula_says),
        cmocka_unit_test(figure_2_is_certified_right_of_the_slip_edge),
        cmocka_unit_test(figure_3_levels_are_those_of_the_note),
        cmocka_unit_test(figure_3_is_certified_down_to_equilibrium),
        cmocka_unit_test(levels_contain_each_other),
        cmocka_unit_test(mirror_images_have_the_same_margin),
        cmocka_unit_test(flat_ground_takes_two_proofs),
        cmocka_unit_test(a_singular_line_is_as_its_neighbours),
        cmocka_unit_test(each_way_out_has_its_reason),
        cmocka_unit_test(a_tampered_certificate_is_refused),
        cmocka_unit_test(a_certificate_without_a_condition_is_refused),
        cmocka_unit_test(a_certificate_does_not_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
