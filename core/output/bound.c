#include "core/output/bound.h"

#include "core/base/mem.h"
#include "core/base/sha256.h"
#include "core/results/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char group_path[] = "/bound", digest_name[] = "spec_resolved_sha256";

/* --- Writing ------------------------------------------------------------------------------------------------- */

static void write_variables(const struct bound_certificate *certificate, struct result_group *group)
{
    const int n = certificate->n_var, axis = result_axis(group, "variable", n, NULL, NULL, NULL);
    const char *box[POLY_MAX_VAR];
    for (int k = 0; k < n; k++)
        box[k] = bound_box_text(certificate->box[k]);
    result_texts(group, "variable_name", 1, &axis, certificate->name, "t, states, controls, optimized parameters");
    result_doubles(group, "lower", 1, &axis, certificate->lo, NULL, "of its box", NULL);
    result_doubles(group, "upper", 1, &axis, certificate->hi, NULL, "of its box", NULL);
    result_texts(group, "box", 1, &axis, box,
                 "spec: its bounds; rates: no motion leaves it; cost: none that costs less does; "
                 "motion: the bound is one over motions in it");
}

static void write_numbers(const struct bound_certificate *certificate, struct result_group *group)
{
    int axis = result_axis(group, "coefficient", certificate->n_y, NULL, NULL, NULL);
    result_doubles(group, "y", 1, &axis, certificate->y, "1",
                   "coefficients of V, then the bound, then those of surfaces", NULL);
    axis = result_axis(group, "gram_entry", certificate->n_gram, NULL, NULL, NULL);
    result_doubles(group, "gram", 1, &axis, certificate->gram, "1", "Gram matrices, columns down to the diagonal",
                   NULL);
    if (certificate->n_free > 0) {
        axis = result_axis(group, "free_entry", certificate->n_free, NULL, NULL, NULL);
        result_doubles(group, "free", 1, &axis, certificate->free, "1", "free polynomials", NULL);
    }
}

/* "q^2 v" of scaled variables; "1" */
static const char *monomial_text(struct arena *mem, const struct bound_problem *problem, uint64_t monomial)
{
    const char *text = "";
    for (int k = 0; k < problem->n_var; k++) {
        const int e = monomial_exponent(monomial, k);
        if (e > 0)
            text =
                arena_printf(mem, e > 1 ? "%s%s%s^%d" : "%s%s%s", text, *text ? " " : "", problem->var[k].name, e);
    }
    return *text ? text : "1";
}

static void write_V(const struct bound_problem *problem, const struct bound_proof *proof,
                    struct result_group *group)
{
    const struct bound_conditions *conditions = &proof->conditions;
    const int n = conditions->n_unknown, axis = result_axis(group, "term", n, NULL, NULL, NULL);
    struct arena mem = { NULL };
    const char **place = arena_alloc(&mem, (size_t)n, sizeof *place),
               **monomial = arena_alloc(&mem, (size_t)n, sizeof *monomial);
    int *positive = arena_alloc(&mem, (size_t)n, sizeof *positive);
    for (int k = 0; k < n; k++) {
        place[k] = problem->place[conditions->unknown[k].place].name;
        monomial[k] = monomial_text(&mem, problem, conditions->unknown[k].monomial);
        positive[k] = (int)conditions->unknown[k].subset;
    }
    result_texts(group, "place", 1, &axis, place, "where the state is");
    result_values(group, "positive", RESULT_INT, 1, &axis, positive, NULL,
                  "bits of switching functions: the term counts where all are positive, times their product",
                  NULL);
    result_texts(group, "monomial", 1, &axis, monomial, "of variables scaled from their boxes to [-1, 1]");
    result_doubles(group, "value", 1, &axis, proof->y, "1", "its coefficient in V / cost_scale", NULL);
    arena_free(&mem);
}

static void write_attempts(const struct bound_outcome *found, struct result_group *group)
{
#define AT(name) offsetof(struct bound_attempt, name)
    static const struct result_field fields[] = {
        { .name = "degree", RESULT_INT, AT(degree) },
        { .name = "bound", RESULT_DOUBLE, AT(bound), NULL, "what was proved" },
        { .name = "seconds", RESULT_DOUBLE, AT(seconds), "s" },
        { .name = "code", RESULT_INT, AT(code), NULL, "of CSDP (0, 3: solved)" },
        { .name = "equations", RESULT_INT, AT(equations) },
        { .name = "cuts", RESULT_INT, AT(cuts), NULL, "of time or of a state" },
    };
#undef AT
    const int axis = result_axis(group, "attempt", found->n_attempt, NULL, NULL, NULL);
    result_fields(group, 1, &axis,
                  (struct result_rows){ found->attempt, sizeof *found->attempt, found->n_attempt }, COUNT(fields),
                  fields);
}

void bound_write(const struct bound_outcome *found, const char *resolved, struct result *result)
{
    struct result_group *group = result_group(result, group_path);
    struct arena mem = { NULL };
    if (found->proof) {
        struct bound_certificate certificate;
        char digest[SHA256_ROOM];
        bound_certificate_of(&mem, found->problem, found->proof, &certificate);
        sha256_text(resolved, strlen(resolved), digest);
        result_set_double(group, "bound", certificate.bound);
        result_set_double(group, "objective", found->objective);
        result_set_double(group, "gap", found->gap);
        result_set_int(group, "degree", certificate.degree);
        result_set_text(group, "words", found->words);
        result_set_text(group, "about", found->about);
        result_set_double(group, "cost_scale", certificate.cost_scale);
        result_set_double(group, "margin", certificate.margin);
        result_set_int(group, "capped", certificate.capped);
        result_set_int(group, "cuts", certificate.cut.n);
        if (certificate.cut.n > 0)
            result_set_int(group, "cut_variable", certificate.cut.variable);
        result_set_int(group, "infeasible", found->proof->infeasible);
        result_set_double(group, "horizon_max", certificate.horizon_max);
        result_set_double(group, "below", certificate.below);
        result_set_text(group, digest_name, digest);
        write_variables(&certificate, group);
        write_numbers(&certificate, group);
        write_V(found->problem, found->proof, result_group(result, "/bound/V"));
    }
    write_attempts(found, result_group(result, "/bound/degrees"));
    arena_free(&mem);
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

static enum status missing(struct diag *diag, const char *what)
{
    return diag_fail(diag, STATUS_IO, "the result has no certificate of a bound: %s is missing or of another kind",
                     what);
}

static bool read_box(const char *text, enum bound_box *out)
{
    for (int box = BOX_SPEC; box <= BOX_MOTION; box++)
        if (text && strcmp(text, bound_box_text((enum bound_box)box)) == 0) {
            *out = (enum bound_box)box;
            return true;
        }
    return false;
}

static bool read_variables(const struct result_group *group, struct bound_certificate *out)
{
    const struct result_data *name = result_data_find(group, "variable_name"),
                             *box = result_data_find(group, "box");
    const struct result_data *lo = result_data_find(group, "lower"), *hi = result_data_find(group, "upper");
    const int n = name ? name->n : 0;
    if (n < 1 || n > POLY_MAX_VAR || !name->text || !box || !box->text || box->n != n || !lo || !lo->d ||
        lo->n != n || !hi || !hi->d || hi->n != n)
        return false;
    out->n_var = n;
    for (int k = 0; k < n; k++) {
        out->name[k] = name->text[k];
        out->lo[k] = lo->d[k];
        out->hi[k] = hi->d[k];
        if (!read_box(box->text[k], &out->box[k]))
            return false;
    }
    return true;
}

static const double *numbers(const struct result_group *group, const char *name, int *n)
{
    const struct result_data *data = result_data_find(group, name);
    *n = data && data->d ? data->n : 0;
    return data ? data->d : NULL;
}

enum status bound_read_certificate(const struct result *result, struct bound_certificate *out, struct diag *diag)
{
    const struct result_group *group = result_find(result, group_path);
    if (!group)
        return missing(diag, group_path);
    *out = (struct bound_certificate){ .bound = result_get_double(group, "bound"),
                                       .cost_scale = result_get_double(group, "cost_scale"),
                                       .below = result_get_double(group, "below"),
                                       .margin = result_get_double(group, "margin"),
                                       .horizon_max = result_get_double(group, "horizon_max"),
                                       .capped = result_get_int(group, "capped", 0),
                                       .cut = { result_get_int(group, "cut_variable", 0),
                                                result_get_int(group, "cuts", 0) },
                                        .degree = result_get_int(group, "degree", 0) };
    out->y = numbers(group, "y", &out->n_y);
    out->gram = numbers(group, "gram", &out->n_gram);
    out->free = numbers(group, "free", &out->n_free);
    if (isnan(out->bound) || !out->y || !out->gram)
        return missing(diag, "/bound/y");
    return read_variables(group, out) ? STATUS_OK : missing(diag, "/bound/variable_name");
}

bool bound_is_about(const struct result *result, const char *resolved)
{
    const struct result_group *group = result_find(result, group_path);
    const char *stated = group ? result_get_text(group, digest_name) : NULL;
    char digest[SHA256_ROOM];
    sha256_text(resolved, strlen(resolved), digest);
    return stated && strcmp(stated, digest) == 0;
}
