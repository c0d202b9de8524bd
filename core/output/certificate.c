#include "core/output/certificate.h"

#include "core/base/mem.h"
#include "core/results/fields.h"
#include "core/stability/functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const group_path[2] = { "/certificate", "/certificate/mirror" };

/* --- What is written, and read back to the last bit ---------------------------------------------------------- */

#define AT(name) offsetof(struct body, name)
static const struct result_field feet[] = {         /* [2] */
    { .name = "l", RESULT_DOUBLE, AT(l), "1", "foot along the foot line, over the radius of gyration" },
    { .name = "phi", RESULT_DOUBLE, AT(phi), "rad", "tilt of the contact normal" },
    { .name = "friction", RESULT_DOUBLE, AT(mu), "1" },
    { .name = "restitution", RESULT_DOUBLE, AT(e), "1" },
};
static const struct result_field height
    = { .name = "h", RESULT_DOUBLE, AT(h), "1", "height of the centre of mass, over the radius of gyration" };
static const struct result_field load = {           /* [3] */
    .name = "load", RESULT_DOUBLE, AT(g), "1",
    "acceleration without contact over its length: along and across the foot line, angular"
};
#undef AT

#define AT(name) offsetof(struct certificate_cond, name)
static const struct result_field conditions[] = {
    { .name = "condition_name", RESULT_TEXT, AT(name), .room = CERTIFICATE_NAME },
    { .name = "condition_size", RESULT_INT, AT(n), NULL, "1: a number that is positive; else a definite matrix" },
    { .name = "condition_scale", RESULT_DOUBLE, AT(scale), "1" },
    { .name = "condition_margin", RESULT_DOUBLE, AT(margin), "1", "proved lower bound over the scale" },
    { .name = "condition_sum", RESULT_DOUBLE, AT(sum), "1", "entries of what is definite, weighted by 1, 2, ..." },
};
static const struct result_field multipliers = {    /* [CERTIFICATE_MAX_NU] */
    .name = "multipliers", RESULT_DOUBLE, AT(nu), "1", "of copositive matrices, entries above the diagonal by columns"
};
#undef AT

static const struct result_field parameter_name = { .name = "parameter_name", .type = RESULT_TEXT };
static const struct result_field parameter_value
    = { .name = "parameter_value", RESULT_DOUBLE, 0, "1", "coefficients of the functions in (y, z, theta)" };

#define AT(name) offsetof(struct formula, name)
static const struct result_field formulas[] = {
    { .name = "function_name", RESULT_TEXT, AT(name) },
    { .name = "when", RESULT_TEXT, AT(when), NULL, "where it must not grow" },
    { .name = "formula", RESULT_TEXT, AT(text), NULL,
      "X: along the foot line; gaps; ' is d/dt; in units of `load` and l" },
};
#undef AT

#define AT(name) offsetof(struct certify_result, name)
static const struct result_field levels[] = {       /* [3] */
    { .name = "level_t", RESULT_DOUBLE, AT(t), "1", "optimum of the semidefinite program" },
    { .name = "level_margin", RESULT_DOUBLE, AT(level_margin), "1", "what of it is proved" },
    { .name = "level_code", RESULT_INT, AT(solver_code), NULL,
      "code of the solver (0, 3: solved; -1: not tried)" },
    { .name = "level_variables", RESULT_INT, AT(n_y) },
};
#undef AT

/* --- Writing ------------------------------------------------------------------------------------------------- */

static void write_feet(const struct body *body, const char *const name[2], struct result_group *group)
{
    const struct result_rows rows = { body, sizeof *body, 1 };
    const int foot = result_axis(group, "foot", 2, NULL, NULL, NULL),
              row = result_axis(group, "row", 3, NULL, NULL, NULL);
    result_texts(group, "foot_name", 1, &foot, name,
                 "contacts in order along the foot line, the load pulling that way");
    result_fields(group, 1, &foot, rows, COUNT(feet), feet);
    result_fields(group, 0, NULL, rows, 1, &height);
    result_fields(group, 1, &row, rows, 1, &load);
}

static void write_functions(int level, const struct certificate_side *side, const char *const name[2],
                            struct result_group *group)
{
    struct arena mem = { NULL };
    struct formula formula[FORMULA_MAX];
    const char *parameter[LEVEL_MAX_P];
    const int n = certificate_formulas(level, side, name, &mem, formula), n_p = level_n_p(level);
    for (int q = 0; q < n_p; q++)
        parameter[q] = certificate_parameter_name(level, q, &mem);
    int axis = result_axis(group, "function", n, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ formula, sizeof *formula, n }, COUNT(formulas), formulas);
    axis = result_axis(group, "parameter", n_p, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ parameter, sizeof *parameter, n_p }, 1, &parameter_name);
    result_fields(group, 1, &axis, (struct result_rows){ side->p, sizeof *side->p, n_p }, 1, &parameter_value);
    arena_free(&mem);
}

static void write_conditions(const struct certificate_side *side, struct result_group *group)
{
    const struct result_rows rows = { side->cond, sizeof *side->cond, side->n_cond };
    const int axis[2] = { result_axis(group, "condition", side->n_cond, NULL, NULL, NULL),
                          result_axis(group, "multiplier", CERTIFICATE_MAX_NU, NULL, NULL, NULL) };
    result_fields(group, 1, axis, rows, COUNT(conditions), conditions);
    result_fields(group, 2, axis, rows, 1, &multipliers);
}

static void write_side(const struct certify_result *found, int k, const char *const name[2], struct result *result)
{
    struct result_group *group = result_group(result, group_path[k]);
    const struct certificate_side *side = &found->certificate.side[k];
    write_feet(&side->body, name, group);
    write_functions(found->level, side, name, group);
    write_conditions(side, group);
}

static void write_levels(const struct certify_result *found, struct result_group *group)
{
    static const char *const name[] = { "p", "e", "m" };
    const int axis = result_axis(group, "level", 3, NULL, NULL, NULL);
    result_texts(group, "level_name", 1, &axis, name, "forms of Lyapunov functions, simplest first");
    result_fields(group, 1, &axis, (struct result_rows){ found, sizeof *found, 1 }, COUNT(levels), levels);
}

/* The polynomial that sums of squares came to; no part of the proof. */
static void write_polynomial(const struct certify_result *found, struct result_group *group)
{
    static const struct result_field coefficient
        = { .name = "coefficient", RESULT_DOUBLE, 0, "1", "of the polynomial, in the units of the body" };
    const struct polynomial_result *polynomial = &found->polynomial;
    const char *term[POLYNOMIAL_MAX_UNKNOWN];
    struct arena mem = { NULL };
    result_set_text(group, "method", certify_method_text(found->method));
    result_set_int(group, "degree", polynomial->degree);
    result_set_int(group, "coefficients", polynomial->n_unknown);
    result_set_int(group, "conditions", polynomial->n_condition);
    result_set_int(group, "equations", polynomial->n_equation);
    result_set_int(group, "code", polynomial->code);
    result_set_int(group, "found", polynomial->found);
    if (isnan(polynomial->slack))
        return;
    result_set_double(group, "slack", polynomial->slack);
    result_set_text(group, "worst", polynomial->worst);
    for (int k = 0; k < polynomial->n_unknown; k++) {
        char *text = arena_alloc(&mem, 80, 1);
        polynomial_monomial_text(polynomial->monomial[k], text, 80);
        term[k] = text;
    }
    const int axis = result_axis(group, "term", polynomial->n_unknown, NULL, NULL, NULL);
    const struct result_rows rows = { polynomial->coefficient, sizeof(double), polynomial->n_unknown };
    result_texts(group, "monomial", 1, &axis, term,
                 "X: along the foot line; its coefficient is 1 where it is not listed");
    result_fields(group, 1, &axis, rows, 1, &coefficient);
    arena_free(&mem);
}

/* The feet in the order of the side's body: the load may have been seen from behind. */
static void order_names(const struct certify_result *found, int k, const char *name[2])
{
    struct zod zod;
    const bool from_behind = (zod_init(&found->body, &zod) && zod.gs < 0) != (k == 1);
    name[0] = found->name[from_behind ? 1 : 0];
    name[1] = found->name[from_behind ? 0 : 1];
}

void certificate_write(const struct certify_result *found, struct result *result)
{
    struct result_group *group = result_group(result, "/certificate");
    const struct verdict *verdict = &found->verdict;
    const bool one = found->n_contact == 1 && verdict->outcome == CERTIFY_CERTIFIED;
    const char *name[2];
    result_set_text(group, "outcome", certify_outcome_text(verdict->outcome));
    result_set_text(group, "level", one ? "one-contact" : certify_level_text(found->level));
    result_set_double(group, "margin", verdict->margin);
    result_set_text(group, "reason", verdict->reason);
    result_set_text(group, "explanation", verdict->words);
    result_set_text(group, "scope",
                    one ? "the exact model"
                        : "zero-order dynamics; that the exact model is stable too is plausible, not proved");
    if (found->name[0]) {
        order_names(found, 0, name);
        write_levels(found, result_group(result, "/certificate/levels"));
        if (found->polynomial.degree)
            write_polynomial(found, result_group(result, "/certificate/polynomial"));
        if (!found->level)
            write_feet(&found->body, found->name, group);
    }
    if (!found->level)
        return;
    result_set_double(group, "residual", found->certificate.residual);
    result_set_int(group, "sides", found->certificate.n_side);
    result_set_text(group, "checked",
                    "preconditions, equalities and every condition by interval arithmetic, for all "
                    "parameters within 1e-12 of those stated");
    for (int k = 0; k < found->certificate.n_side && k < 2; k++) {
        order_names(found, k, name);
        write_side(found, k, name, result);
    }
}

/* --- The motion that grows ----------------------------------------------------------------------------------- */

void growth_write(const struct certify_result *found, const struct falsify_result *motion, struct result *result)
{
#define AT(name) offsetof(struct falsify_event, name)
    static const struct result_field fields[] = {
        { .name = "t", RESULT_DOUBLE, AT(t), "1", "time; units as in the certificate: radius of gyration 1, load 1" },
        { .name = "X", RESULT_DOUBLE, AT(X), "1", "displacement along the foot line" },
        { .name = "gap_1", RESULT_DOUBLE, AT(gap[0]), "1", "of the first foot" },
        { .name = "gap_2", RESULT_DOUBLE, AT(gap[1]), "1", "of the second foot" },
        { .name = "u", RESULT_DOUBLE, AT(v[0]), "1", "velocity along the foot line" },
        { .name = "w", RESULT_DOUBLE, AT(v[1]), "1", "across it" },
        { .name = "omega", RESULT_DOUBLE, AT(v[2]), "1", "angular velocity" },
        { .name = "size", RESULT_DOUBLE, AT(size), "1", "max(|v|, sqrt(gap_1), sqrt(gap_2))" },
        { .name = "what", RESULT_TEXT, AT(what) },
    };
#undef AT
    const int n = motion->n_event;
    struct result_group *group = result_group(result, "/certificate/growth");
    result_set_int(group, "grows", motion->grows);
    result_set_double(group, "factor", motion->factor);
    if (!motion->grows)
        return;
    const int axis = result_axis(group, "event", n, NULL, NULL, NULL);
    const char **contact = mem_alloc((size_t)n, sizeof *contact);
    for (int k = 0; k < n; k++)
        contact[k] = motion->event[k].contact >= 0 ? found->name[motion->event[k].contact] : "";
    result_fields(group, 1, &axis, (struct result_rows){ motion->event, sizeof *motion->event, n }, COUNT(fields),
                  fields);
    result_texts(group, "contact", 1, &axis, contact, NULL);
    free(contact);
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

static enum status missing(struct diag *diag, const char *what)
{
    return diag_fail(diag, STATUS_IO, "the result has no certificate: %s is missing or of another size", what);
}

static const struct result_field *read_body(const struct result_group *group, struct body *body)
{
    const struct result_field *lacking = result_get_fields(group, body, sizeof *body, 1, 2, COUNT(feet), feet);
    if (!lacking)
        lacking = result_get_fields(group, body, sizeof *body, 1, 1, 1, &height);
    return lacking ? lacking : result_get_fields(group, body, sizeof *body, 1, 3, 1, &load);
}

static const struct result_field *read_conditions(const struct result_group *group, struct certificate_side *side)
{
    const struct result_data *name = result_data_find(group, conditions[0].name);
    const int n = name ? name->n : 0;
    if (!name || n > CERTIFICATE_MAX_COND)
        return conditions;
    side->n_cond = n;
    const struct result_field *lacking = result_get_fields(group, side->cond, sizeof *side->cond, n, 1,
                                                           COUNT(conditions), conditions);
    return lacking ? lacking : result_get_fields(group, side->cond, sizeof *side->cond, n, CERTIFICATE_MAX_NU, 1,
                                                 &multipliers);
}

static enum status read_side(const struct result *result, int level, int k, struct certificate_side *side,
                             struct diag *diag)
{
    const struct result_group *group = result_find(result, group_path[k]);
    if (!group)
        return missing(diag, group_path[k]);
    const struct result_field *lacking = read_body(group, &side->body);
    if (!lacking)
        lacking = result_get_fields(group, side->p, 0, 1, level_n_p(level), 1, &parameter_value);
    if (!lacking)
        lacking = read_conditions(group, side);
    return lacking ? missing(diag, lacking->name) : STATUS_OK;
}

static bool has_same_texts(const struct result_group *a, const struct result_group *b, const char *name)
{
    const struct result_data *x = result_data_find(a, name), *y = result_data_find(b, name);
    bool same = x && y && x->text && y->text && x->n == y->n;
    for (int k = 0; same && k < x->n; k++)
        same = strcmp(x->text[k], y->text[k]) == 0;
    return same;
}

/* Formulas are for readers: those that do not say what the parameters say are worse than none. They are
 * written once more and compared. */
static bool has_formulas(const struct result_group *group, int level, const struct certificate_side *side)
{
    const struct result_data *foot = result_data_find(group, "foot_name");
    if (!foot || !foot->text || foot->n != 2)
        return false;
    struct result *again = result_create();
    struct result_group *right = result_group(again, "/");
    write_functions(level, side, foot->text, right);
    bool same = has_same_texts(group, right, parameter_name.name);
    for (int k = 0; k < COUNT(formulas); k++)
        same = same && has_same_texts(group, right, formulas[k].name);
    result_free(again);
    return same;
}

bool certificate_says_so(const struct result *result, const struct certificate *certificate)
{
    const struct result_group *root = result_find(result, group_path[0]);
    const char *outcome = result_get_text(root, "outcome");
    bool same = outcome && strcmp(outcome, certify_outcome_text(CERTIFY_CERTIFIED)) == 0;
    for (int k = 0; k < certificate->n_side && k < 2; k++)
        same = same && has_formulas(result_find(result, group_path[k]), certificate->level, &certificate->side[k]);
    return same;
}

enum status certificate_read(const struct result *result, struct certificate *out, struct diag *diag)
{
    const struct result_group *root = result_find(result, "/certificate");
    const char *level = root ? result_get_text(root, "level") : NULL;
    enum status st = STATUS_OK;
    *out = (struct certificate){ .level = 0 };
    for (int which = 0; level && which < 3; which++)
        if (strcmp(level, certify_level_text(1 << which)) == 0)
            out->level = 1 << which;
    if (!out->level)
        return missing(diag, "a level");
    out->n_side = result_get_int(root, "sides", 0);
    out->margin = result_get_double(root, "margin");
    out->residual = result_get_double(root, "residual");
    for (int k = 0; k < out->n_side && k < 2 && st == STATUS_OK; k++)
        st = read_side(result, out->level, k, &out->side[k], diag);
    return st;
}
