#include "core/stability/certify.h"

#include "core/stability/program.h"
#include "core/stability/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void try_levels(const struct body *side, int n_side, int levels, bool all_levels,
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

void certify_body(const struct body *body, const char *const *name, int levels, bool all_levels,
                  struct certify_result *out)
{
    struct zod zod;
    struct body side[2] = { *body, body_mirror(body) };
    const char *side_name[2] = { name[0], name[1] };
    clear(out);
    out->n_contact = 2;
    out->body = *body;
    memcpy(out->name, side_name, sizeof out->name);
    if (zod_init(body, &zod) && zod.gs < 0) {
        side[0] = side[1];
        side[1] = *body;
        side_name[0] = name[1];
        side_name[1] = name[0];
    }
    precheck(&side[0], side_name, &out->verdict);
    if (out->verdict.outcome == CERTIFY_CERTIFIED)
        try_levels(side, fabs(zod.gs) < FLAT ? 2 : 1, levels, all_levels, out);
}

/* The contacts of a body at rest, by their number. */
static void certify_rest(struct rest *rest, const struct certify_settings *settings, bool all_levels,
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
        certify_body(&body, name, settings->levels, all_levels, out);
    out->n_contact = rest->n_contact;
}

enum status certify_model(struct model *model, const struct certify_settings *settings, bool all_levels,
                          struct certify_result *out, struct diag *diag)
{
    struct rest rest;
    bool is_body;
    clear(out);
    const enum status st = rest_read(model, settings->gap_tol, &rest, &is_body, &out->verdict, diag);
    if (st == STATUS_OK && is_body)
        certify_rest(&rest, settings, all_levels, out);
    rest_free(&rest);
    return st;
}
