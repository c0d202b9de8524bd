#include "core/stability/certify.h"

#include "core/stability/program.h"
#include "core/stability/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SAME = 1e-12;           /* of bodies: what is proved for one holds for the other, certificate.h */
static const double FLAT = 1e-9;            /* gs below it may have either sign: both sides must be certified */

const char *certify_level_text(int level)
{
    return level == LEVEL_P ? "p" : level == LEVEL_E ? "e" : level == LEVEL_M ? "m" : "";
}

/* Solves and checks; which is 0, 1, 2. why stays empty if there is nothing to check. */
static bool try_level(const struct body *side, int n_side, int which, struct certify_result *out,
                      struct certificate *certificate, char *why, size_t size)
{
    struct zod zod;
    struct program_info info = { NAN, -1, -1 };
    *certificate = (struct certificate){ .level = 1 << which, .n_side = n_side };
    *why = '\0';
    for (int k = 0; k < n_side; k++) {
        const bool found = zod_init(&side[k], &zod)
                           && program_solve(&zod, certificate->level, &certificate->side[k], &info);
        out->t[which] = info.t;
        out->solver_code[which] = info.solver_code;
        out->n_y[which] = info.n_y;
        if (!found)
            return false;
    }
    return certificate_measure(certificate, why, size) && certificate_check(certificate, why, size);
}

static void copy_level(struct certify_result *out, int from, int to)
{
    out->level_margin[to] = out->level_margin[from];
    out->t[to] = out->t[from];
    out->solver_code[to] = out->solver_code[from];
    out->n_y[to] = out->n_y[from];
}

static void try_levels(const struct body *side, int n_side, uint64_t levels, bool all_levels,
                       struct certify_result *out)
{
    struct certificate certificate;
    char why[160] = "", first_why[160] = "";
    for (int which = 0; which < 3; which++) {
        if (!(levels & (1 << which)) || (out->level && !all_levels))
            continue;
        if (which == 1 && body_bounces(side) && (levels & LEVEL_P)) {       /* the same program: conditions.h */
            copy_level(out, 0, 1);
            continue;
        }
        if (try_level(side, n_side, which, out, &certificate, why, sizeof why)) {
            out->level_margin[which] = certificate.margin;
            if (!out->level) {
                out->level = certificate.level;
                out->certificate = certificate;
            }
        } else if (*why && !*first_why) {
            memcpy(first_why, why, sizeof first_why);
        }
    }
    if (out->level)
        verdict_set(&out->verdict, CERTIFY_CERTIFIED, "", out->certificate.margin,
                    "stable under zero-order dynamics: level %s, margin %.3g", certify_level_text(out->level),
                    out->certificate.margin);
    else if (*first_why)
        verdict_set(&out->verdict, CERTIFY_INCONCLUSIVE, "check", NAN, "functions were found, but not proved: %s",
                    first_why);
    else
        verdict_set(&out->verdict, CERTIFY_INCONCLUSIVE, "functions", NAN,
                    "the preconditions hold, but there are no Lyapunov functions of the levels tried");
}

static void clear(struct certify_result *out)
{
    *out = (struct certify_result){ .level = 0 };
    for (int which = 0; which < 3; which++) {
        out->level_margin[which] = out->t[which] = NAN;
        out->solver_code[which] = out->n_y[which] = -1;
    }
}

/* The body, or its mirror image: the load pulls along the foot line. name [2] in its order. */
static struct body seen_from_front(const struct body *body, const char *const *name, const char **side_name)
{
    struct zod zod;
    const bool from_behind = zod_init(body, &zod) && zod.gs < 0;
    side_name[0] = name[from_behind ? 1 : 0];
    side_name[1] = name[from_behind ? 0 : 1];
    return from_behind ? body_mirror(body) : *body;
}

/* What is known before functions are looked for. The sides that have to be certified: two on flat ground, 0 where
 * the preconditions have decided. */
static int begin(const struct body *body, const char *const *name, struct body side[2], struct certify_result *out)
{
    struct zod zod;
    const char *side_name[2];
    clear(out);
    out->n_contact = 2;
    out->body = *body;
    memcpy(out->name, (const char *const[2]){ name[0], name[1] }, sizeof out->name);
    (void)zod_init(body, &zod);
    side[0] = seen_from_front(body, name, side_name);
    side[1] = body_mirror(&side[0]);
    precheck(&side[0], side_name, &out->verdict);
    if (out->verdict.outcome != CERTIFY_CERTIFIED)
        return 0;
    return fabs(zod.gs) < FLAT ? 2 : 1;
}

void certify_body(const struct body *body, const char *const *name, uint64_t levels, bool all_levels,
                  struct certify_result *out)
{
    struct body side[2];
    const int n_side = begin(body, name, side, out);
    if (n_side > 0)
        try_levels(side, n_side, levels, all_levels, out);
}

/* --- A polynomial by sums of squares ------------------------------------------------------------------------- */

static void judge_polynomial(struct certify_result *out)
{
    const struct polynomial_result *found = &out->polynomial;
    if (out->level)
        verdict_set(&out->verdict, CERTIFY_CERTIFIED, "", out->certificate.margin,
                    "stable under zero-order dynamics: a polynomial of degree %d by sums of squares; its part of weight 2 is "
                    "proved, margin %.3g", found->degree, out->certificate.margin);
    else if (found->found)
        verdict_set(&out->verdict, CERTIFY_INCONCLUSIVE, "numerical", NAN,
                    "sums of squares: a polynomial of degree %d fulfils the conditions as far as the solver sees "
                    "(to %.1e on the unit ball); not proved", found->degree, found->slack);
    else if (found->code == 1)
        verdict_set(&out->verdict, CERTIFY_INCONCLUSIVE, "functions", NAN,
                    "sums of squares: no polynomial of degree %d fulfils the conditions (the solver shows it)",
                    found->degree);
    else
        verdict_set(&out->verdict, CERTIFY_INCONCLUSIVE, "solver", NAN,
                    "sums of squares: the solver found no polynomial of degree %d, and none that shows there is none (code "
                    "%d)", found->degree, found->code);
}

void certify_by_polynomial(const struct body *body, const char *const *name, enum certify_method method, int degree,
                           struct certify_result *out)
{
    struct body side[2];
    struct zod zod;
    char why[160];
    const int n_side = begin(body, name, side, out);
    const bool improved = method == CERTIFY_SOS;
    bool proved = improved && n_side > 0;
    struct certificate certificate = { .level = LEVEL_P, .n_side = n_side };
    out->method = method;
    for (int k = 0; k < n_side && (k == 0 || proved); k++) {        /* X may have either sign in the original test */
        (void)zod_init(&side[k], &zod);
        polynomial_solve(&zod, improved ? POLYNOMIAL_IMPROVED : POLYNOMIAL_ORIGINAL, degree, &out->polynomial);
        proved = proved && polynomial_prove(&zod, &out->polynomial, &certificate.side[k]);
    }
    if (proved && certificate_measure(&certificate, why, sizeof why) && certificate_check(&certificate, why, sizeof why)) {
        out->level = LEVEL_P;
        out->certificate = certificate;
        out->level_margin[0] = certificate.margin;
    }
    if (n_side > 0)
        judge_polynomial(out);
}

/* --- The model at rest --------------------------------------------------------------------------------------- */

static void certify_biped(const struct body *body, const char *const *name, const struct certify_settings *settings,
                          struct certify_result *out)
{
    if (settings->method == CERTIFY_CONES)
        certify_body(body, name, settings->levels, settings->each_level, out);
    else
        certify_by_polynomial(body, name, (enum certify_method)settings->method, settings->degree, out);
}

/* The contacts of a body at rest, by their number. */
static void certify_rest(struct rest *rest, const struct certify_settings *settings,
                         struct certify_result *out)
{
    struct body body;
    const char *name[2];
    const int n = rest->n_contact;
    if (n > 2 && !(settings->outer_feet && rest_keep_outer(rest)))
        verdict_set(&out->verdict, CERTIFY_INCONCLUSIVE, "contacts", NAN,
                    "%d contacts are closed, certify judges one or two%s", n,
                    settings->outer_feet ? "; these feet are not on one line with parallel normals"
                                         : " (certify.outer_feet: true takes the outer two of feet on a line)");
    else if (n == 0 && dot3(rest->load, rest->load) > 0)
        verdict_set(&out->verdict, CERTIFY_NO_EQUILIBRIUM, "forces", NAN,
                    "no contact is closed (certify.gap_tol = %g m), and the load is not zero", settings->gap_tol);
    else if (n == 0)
        verdict_set(&out->verdict, CERTIFY_INCONCLUSIVE, "contacts", NAN,
                    "no contact is closed and there is no load");
    else if (n == 1)
        rest_one_contact(rest, &out->verdict);
    else if (rest_body(rest, &body, name, &out->verdict))
        certify_biped(&body, name, settings, out);
    out->n_contact = rest->n_contact;
}

enum status certify_model(struct model *model, const struct certify_settings *settings, struct certify_result *out,
                          struct diag *diag)
{
    struct rest rest;
    bool is_body;
    clear(out);
    const enum status st = rest_read(model, settings->gap_tol, &rest, &is_body, &out->verdict, diag);
    if (st == STATUS_OK && is_body)
        certify_rest(&rest, settings, out);
    rest_free(&rest);
    return st;
}

/* --- Whose certificate is it? -------------------------------------------------------------------------------- */

static bool is_same(double a, double b)
{
    return fabs(a - b) <= SAME * fmax(1, fabs(b));
}

/* The first number in which the bodies differ; false: none. */
static bool differs(const struct body *stated, const struct body *body, const char *const foot[2], char *why,
                    size_t size)
{
    for (int i = 0; i < 2; i++) {
        const struct { const char *name; double stated, wanted; } number[] = {
            { "place", stated->l[i], body->l[i] }, { "tilt", stated->phi[i], body->phi[i] },
            { "friction", stated->mu[i], body->mu[i] }, { "restitution", stated->e[i], body->e[i] },
        };
        for (int k = 0; k < 4; k++)
            if (!is_same(number[k].stated, number[k].wanted)) {
                (void)snprintf(why, size, "it is about %s %.7g of %s, the spec says %.7g", number[k].name,
                               number[k].stated, foot[i], number[k].wanted);
                return true;
            }
    }
    bool load = is_same(stated->h, body->h);
    for (int k = 0; k < 3; k++)
        load = load && is_same(stated->g[k], body->g[k]);
    if (!load)
        (void)snprintf(why, size,
                       "it is about another height of the centre of mass, or another load, than the spec's");
    return !load;
}

/* rest: of a body on two feet. */
static bool is_of_rest(const struct rest *rest, const struct certificate *certificate, const char *const foot[2],
                       char *why, size_t size)
{
    struct verdict verdict;
    struct body body;
    const char *name[2], *order[2];
    if (rest->n_contact != 2 || !rest_body(rest, &body, name, &verdict)) {
        (void)snprintf(why, size, "the spec is not about a body on two feet");
        return false;
    }
    const struct body front = seen_from_front(&body, name, order);
    for (int i = 0; i < 2; i++)
        if (strcmp(order[i], foot[i]) != 0) {
            (void)snprintf(why, size, "its feet are called otherwise in the spec: %s is %s", foot[i], order[i]);
            return false;
        }
    return !differs(&certificate->side[0].body, &front, foot, why, size);
}

enum status certify_is_of(struct model *model, const struct certify_settings *settings,
                          const struct certificate *certificate, const char *const foot[2], bool *is, char *why,
                          size_t size, struct diag *diag)
{
    struct rest rest;
    struct verdict verdict;
    bool is_body;
    const enum status st = rest_read(model, settings->gap_tol, &rest, &is_body, &verdict, diag);
    *is = false;
    if (st == STATUS_OK && !is_body) {
        (void)snprintf(why, size, "the spec is not about a planar body at rest");
    } else if (st == STATUS_OK) {
        if (rest.n_contact > 2 && settings->outer_feet)
            (void)rest_keep_outer(&rest);
        *is = is_of_rest(&rest, certificate, foot, why, size);
    }
    rest_free(&rest);
    return st;
}
