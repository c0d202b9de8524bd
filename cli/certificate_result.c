#include "cli/certificate_result.h"

#include "core/base/mem.h"
#include "core/stability/functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const group_path[2] = { "/certificate", "/certificate/mirror" };

/* --- Writing ------------------------------------------------------------------------------------------------- */

static void write_feet(const struct body *body, const char *const name[2], struct result_group *group)
{
    const int foot = result_axis(group, "foot", 2, NULL, NULL, NULL),
              row = result_axis(group, "row", 3, NULL, NULL, NULL);
    result_texts(group, "foot_name", 1, &foot, name,
                 "contacts in order along the foot line, the load pulling that way");
    result_doubles(group, "l", 1, &foot, body->l, "1", "foot along the foot line, over the radius of gyration",
                   NULL);
    result_doubles(group, "phi", 1, &foot, body->phi, "rad", "tilt of the contact normal", NULL);
    result_doubles(group, "friction", 1, &foot, body->mu, "1", NULL, NULL);
    result_doubles(group, "restitution", 1, &foot, body->e, "1", NULL, NULL);
    result_doubles(group, "h", 0, NULL, &body->h, "1", "height of the centre of mass, over the radius of gyration",
                   NULL);
    result_doubles(group, "load", 1, &row, body->g, "1", "acceleration without contact over its length: along and "
                   "across the foot line, angular", NULL);
}

static void write_functions(int level, const struct certificate_side *side, const char *const name[2],
                            struct result_group *group)
{
    struct arena mem = { NULL };
    struct formula formula[FORMULA_MAX];
    const char *text[3][FORMULA_MAX] = { { NULL } };
    const int n = certificate_formulas(level, side, name, &mem, formula);
    const int axis = result_axis(group, "function", n, NULL, NULL, NULL);
    for (int k = 0; k < n; k++) {
        text[0][k] = formula[k].name;
        text[1][k] = formula[k].when;
        text[2][k] = formula[k].text;
    }
    result_texts(group, "function_name", 1, &axis, text[0], NULL);
    result_texts(group, "when", 1, &axis, text[1], "where it must not grow");
    result_texts(group, "formula", 1, &axis, text[2],
                 "X: along the foot line; gaps; ' is d/dt; in units of `load` and l");
    arena_free(&mem);
}

static void write_parameters_of(int level, const struct certificate_side *side, struct result_group *group)
{
    struct arena mem = { NULL };
    const char *name[CERTIFICATE_MAX_P];
    const int n = certificate_n_parameters(level), axis = result_axis(group, "parameter", n, NULL, NULL, NULL);
    for (int q = 0; q < n; q++)
        name[q] = certificate_parameter_name(level, q, &mem);
    result_texts(group, "parameter_name", 1, &axis, name, NULL);
    result_doubles(group, "parameter_value", 1, &axis, side->p, "1",
                   "coefficients of the functions in (y, z, theta)", NULL);
    arena_free(&mem);
}

static void write_conditions(const struct certificate_side *side, struct result_group *group)
{
    const int n = side->n_cond;
    int axis[2] = { result_axis(group, "condition", n, NULL, NULL, NULL),
                    result_axis(group, "multiplier", CERTIFICATE_MAX_NU, NULL, NULL, NULL) };
    const char *name[CERTIFICATE_MAX_COND] = { NULL };
    int size[CERTIFICATE_MAX_COND];
    double scale[CERTIFICATE_MAX_COND], margin[CERTIFICATE_MAX_COND], sum[CERTIFICATE_MAX_COND];
    double *nu = mem_alloc((size_t)n * CERTIFICATE_MAX_NU, sizeof *nu);
    for (int c = 0; c < n; c++) {
        const struct certificate_cond *cond = &side->cond[c];
        name[c] = cond->name;
        size[c] = cond->n;
        scale[c] = cond->scale;
        margin[c] = cond->margin;
        sum[c] = cond->sum;
        memcpy(nu + c * CERTIFICATE_MAX_NU, cond->nu, sizeof cond->nu);
    }
    result_texts(group, "condition_name", 1, axis, name, NULL);
    result_ints(group, "condition_size", 1, axis, size, "1: a number that is positive; else a definite matrix");
    result_doubles(group, "condition_scale", 1, axis, scale, "1", NULL, NULL);
    result_doubles(group, "condition_margin", 1, axis, margin, "1", "proved lower bound over the scale", NULL);
    result_doubles(group, "condition_sum", 1, axis, sum, "1", "entries of what is definite, weighted by 1, 2, ...",
                   NULL);
    result_doubles(group, "multipliers", 2, axis, nu, "1",
                   "of copositive matrices, entries above the diagonal by columns", NULL);
    free(nu);
}

static void write_side(const struct certify_result *found, int k, const char *const name[2], struct result *result)
{
    struct result_group *group = result_group(result, group_path[k]);
    const struct certificate_side *side = &found->certificate.side[k];
    write_feet(&side->body, name, group);
    write_functions(found->level, side, name, group);
    write_parameters_of(found->level, side, group);
    write_conditions(side, group);
}

static void write_levels(const struct certify_result *found, struct result_group *group)
{
    static const char *const name[] = { "p", "e", "m" };
    const int axis = result_axis(group, "level", 3, NULL, NULL, NULL);
    result_texts(group, "level_name", 1, &axis, name, "forms of Lyapunov functions, simplest first");
    result_doubles(group, "level_t", 1, &axis, found->t, "1", "optimum of the semidefinite program", NULL);
    result_doubles(group, "level_margin", 1, &axis, found->level_margin, "1", "what of it is proved", NULL);
    result_ints(group, "level_code", 1, &axis, found->solver_code,
                "code of the solver (0, 3: solved; -1: not tried)");
    result_ints(group, "level_variables", 1, &axis, found->n_y, NULL);
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

static double event_number(const struct falsify_event *event, int which)
{
    const double all[] = { event->t, event->X, event->gap[0], event->gap[1], event->v[0], event->v[1], event->v[2],
                           event->size };
    return all[which];
}

void growth_write(const struct certify_result *found, const struct falsify_result *motion, struct result *result)
{
    static const char *const name[] = { "t", "X", "gap_1", "gap_2", "u", "w", "omega", "size" };
    static const char *const long_name[] = {
        "time; units as in the certificate: radius of gyration 1, load 1", "displacement along the foot line",
        "of the first foot", "of the second foot", "velocity along the foot line", "across it", "angular velocity",
        "max(|v|, sqrt(gap_1), sqrt(gap_2))"
    };
    const int n = motion->n_event;
    struct result_group *group = result_group(result, "/certificate/growth");
    result_set_int(group, "grows", motion->grows);
    result_set_double(group, "factor", motion->factor);
    if (!motion->grows)
        return;
    const int axis = result_axis(group, "event", n, NULL, NULL, NULL);
    double *number = mem_alloc((size_t)n, sizeof *number);
    const char **text = mem_alloc((size_t)n, sizeof *text);
    for (int which = 0; which < 8; which++) {
        for (int k = 0; k < n; k++)
            number[k] = event_number(&motion->event[k], which);
        result_doubles(group, name[which], 1, &axis, number, "1", long_name[which], NULL);
    }
    for (int k = 0; k < n; k++)
        text[k] = motion->event[k].what;
    result_texts(group, "what", 1, &axis, text, NULL);
    for (int k = 0; k < n; k++)
        text[k] = motion->event[k].contact >= 0 ? found->name[motion->event[k].contact] : "";
    result_texts(group, "contact", 1, &axis, text, NULL);
    free(number);
    free(text);
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

static enum status missing(struct diag *diag, const char *what)
{
    return diag_fail(diag, STATUS_IO, "the result has no certificate: %s is missing or of another size", what);
}

/* Copies n doubles; false if they are not there. */
static bool get_doubles(const struct result_group *group, const char *name, int n, double *out)
{
    const struct result_data *data = group ? result_data_find(group, name) : NULL;
    if (!data || !data->d || data->n != n)
        return false;
    memcpy(out, data->d, (size_t)n * sizeof *out);
    return true;
}

static enum status read_body(const struct result_group *group, struct body *body, struct diag *diag)
{
    if (!get_doubles(group, "l", 2, body->l))               return missing(diag, "l");
    if (!get_doubles(group, "phi", 2, body->phi))           return missing(diag, "phi");
    if (!get_doubles(group, "friction", 2, body->mu))       return missing(diag, "friction");
    if (!get_doubles(group, "restitution", 2, body->e))     return missing(diag, "restitution");
    if (!get_doubles(group, "h", 1, &body->h))              return missing(diag, "h");
    if (!get_doubles(group, "load", 3, body->g))            return missing(diag, "load");
    return STATUS_OK;
}

static enum status read_conditions(const struct result_group *group, struct certificate_side *side,
                                   struct diag *diag)
{
    const struct result_data *name = result_data_find(group, "condition_name");
    const struct result_data *size = result_data_find(group, "condition_size");
    const int n = name ? name->n : 0;
    double scale[CERTIFICATE_MAX_COND], margin[CERTIFICATE_MAX_COND], sum[CERTIFICATE_MAX_COND];
    if (!name || !name->text || n > CERTIFICATE_MAX_COND)           return missing(diag, "condition_name");
    if (!size || !size->i || size->n != n)                          return missing(diag, "condition_size");
    if (!get_doubles(group, "condition_scale", n, scale))           return missing(diag, "condition_scale");
    if (!get_doubles(group, "condition_margin", n, margin))         return missing(diag, "condition_margin");
    if (!get_doubles(group, "condition_sum", n, sum))               return missing(diag, "condition_sum");
    double *nu = mem_alloc((size_t)n * CERTIFICATE_MAX_NU, sizeof *nu);
    const bool has_nu = get_doubles(group, "multipliers", n * CERTIFICATE_MAX_NU, nu);
    side->n_cond = n;
    for (int c = 0; c < n && has_nu; c++) {
        struct certificate_cond *cond = &side->cond[c];
        cond->n = size->i[c];
        cond->scale = scale[c];
        cond->margin = margin[c];
        cond->sum = sum[c];
        (void)snprintf(cond->name, sizeof cond->name, "%s", name->text[c]);
        memcpy(cond->nu, nu + c * CERTIFICATE_MAX_NU, sizeof cond->nu);
    }
    free(nu);
    return has_nu ? STATUS_OK : missing(diag, "multipliers");
}

static bool has_texts(const struct result_group *group, const char *name, int n, const char *const *text)
{
    const struct result_data *data = result_data_find(group, name);
    bool same = data && data->text && data->n == n;
    for (int k = 0; k < n && same; k++)
        same = strcmp(data->text[k], text[k]) == 0;
    return same;
}

/* Formulas are for readers: those that do not say what the parameters say are worse than none. */
static bool has_formulas(const struct result_group *group, int level, const struct certificate_side *side)
{
    const struct result_data *feet = result_data_find(group, "foot_name");
    const char *text[3][FORMULA_MAX] = { { NULL } }, *parameter[CERTIFICATE_MAX_P] = { NULL };
    struct arena mem = { NULL };
    struct formula formula[FORMULA_MAX];
    if (!feet || !feet->text || feet->n != 2)
        return false;
    const int n = certificate_formulas(level, side, feet->text, &mem, formula);
    const int n_p = certificate_n_parameters(level);
    for (int k = 0; k < n; k++) {
        text[0][k] = formula[k].name;
        text[1][k] = formula[k].when;
        text[2][k] = formula[k].text;
    }
    for (int q = 0; q < n_p; q++)
        parameter[q] = certificate_parameter_name(level, q, &mem);
    const bool same = has_texts(group, "function_name", n, text[0]) && has_texts(group, "when", n, text[1])
                      && has_texts(group, "formula", n, text[2])
                      && has_texts(group, "parameter_name", n_p, parameter);
    arena_free(&mem);
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
    *out = (struct certificate){ .level = 0 };
    for (int which = 0; level && which < 3; which++)
        if (strcmp(level, certify_level_text(1 << which)) == 0)
            out->level = 1 << which;
    if (!out->level)
        return missing(diag, "a level");
    out->n_side = result_get_int(root, "sides", 0);
    out->margin = result_get_double(root, "margin");
    out->residual = result_get_double(root, "residual");
    for (int k = 0; k < out->n_side && k < 2; k++) {
        const struct result_group *group = result_find(result, group_path[k]);
        enum status st = group ? read_body(group, &out->side[k].body, diag) : missing(diag, group_path[k]);
        if (st == STATUS_OK &&
            !get_doubles(group, "parameter_value", certificate_n_parameters(out->level), out->side[k].p))
            st = missing(diag, "parameter_value");
        if (st == STATUS_OK)
            st = read_conditions(group, &out->side[k], diag);
        if (st != STATUS_OK)
            return st;
    }
    return STATUS_OK;
}
