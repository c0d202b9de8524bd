#include "transcription/report/fitted.h"

#include "core/base/mem.h"
#include "core/results/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fit *fitted_one(const struct finish *finish)
{
    const struct fit_part part = { "", finish->ph };
    const struct fit_solution solution = { &finish->ph->mpcc.nlp,
                                           { finish->w, finish->lambda, finish->z_lower, finish->z_upper }, NULL };
    return fit_create(1, &part, &solution);
}

/* --- In words ------------------------------------------------------------------------------------------------ */

/* "0.3012 +- 0.0004 m": two digits of the deviation, and as many decimals of the value. */
static const char *estimate_text(const struct fit_quantity *q, struct arena *mem)
{
    const char *gap = *q->units ? " " : "";
    if (q->bound == FIT_AT_BOUND)
        return arena_printf(mem, "%s = %.6g%s%s at its bound", q->name, q->value, gap, q->units);
    if (q->bound == FIT_NOT_DETERMINED)
        return arena_printf(mem, "%s is not determined by the data", q->name);
    if (!isfinite(q->std) || !(q->std > 0))
        return arena_printf(mem, "%s = %.6g%s%s", q->name, q->value, gap, q->units);
    const int digits = 1 - (int)floor(log10(q->std)), scale = (int)floor(log10(fmax(fabs(q->value), q->std)));
    if (digits < 0 || digits > 8)
        return arena_printf(mem, "%s = %.*g +- %.2g%s%s", q->name, digits + scale + 1 > 2 ? digits + scale + 1 : 2,
                            q->value,
                            q->std, gap, q->units);
    return arena_printf(mem, "%s = %.*f +- %.*f%s%s", q->name, digits, q->value, digits, q->std, gap, q->units);
}

/* Root mean square of the residuals of a series of all parts. */
static double residual_of(const struct fit *fit, int series)
{
    double sum = 0;
    int n = 0;
    for (int k = 0; k < fit->n_value; k++)
        if (fit->value[k].series == series) {
            sum += (fit->value[k].fit - fit->value[k].value) * (fit->value[k].fit - fit->value[k].value);
            n++;
        }
    return n ? sqrt(sum / n) : 0;
}

static bool is_unexplained(const struct fit *fit)
{
    bool any = false;
    for (int q = 0; q < fit->n_quantity; q++)
        any = any || fit->quantity[q].bound == FIT_UNEXPLAINED;
    return any;
}

static const char *residual_text(const struct fit *fit, const struct model_data *data, struct arena *mem)
{
    if (isnan(fit->freedom))
        return arena_printf(mem, "%d values; the solve was stopped before their deviations were known",
                            fit->n_value);
    const char *text = arena_printf(mem, "%d values, %.3g degrees of freedom; ", fit->n_value, fit->freedom);
    if (!fit->is_relative)
        return arena_printf(mem, "%sresiduals are %.2f of their sigma%s", text, fit_noise(fit), is_unexplained(fit)
                            ? ": no errors of measurement, so that nothing says how good the estimates are" : "");
    text = arena_printf(mem, "%sroot mean square of residuals:", text);
    for (int k = 0; k < data->n_series; k++)
        text = arena_printf(mem, "%s%s %s %.2g%s%s", text, k ? "," : "", data->series[k].name, residual_of(fit, k),
                            *data->series[k].units ? " " : "", data->series[k].units);
    return text;
}

void fitted_write_words(const struct fit *fit, const struct model_data *data, struct result_group *group)
{
    struct arena mem = { NULL };
    const bool has_no_scale = isnan(fit->scale) && !isnan(fit->freedom);
    const int n = fit->n_quantity + 1 + has_no_scale;
    const char **line = arena_alloc(&mem, (size_t)n, sizeof *line);
    for (int q = 0; q < fit->n_quantity; q++)
        line[q] = estimate_text(&fit->quantity[q], &mem);
    line[fit->n_quantity] = residual_text(fit, data, &mem);
    if (has_no_scale)
        line[n - 1] = "as many unknowns as values: nothing says how good they are; give sigma";
    const int axis = result_axis(group, "line", n, NULL, NULL, NULL);
    result_texts(group, "words", 1, &axis, line, "the fit in words");
    arena_free(&mem);
}

/* --- Numbers ------------------------------------------------------------------------------------------------- */

static double residual(const void *row)
{
    const struct fit_value *value = row;
    return value->fit - value->value;
}

static void write_values(const struct fit *fit, int n_part, const struct fit_part *part, struct result_group *group)
{
#define AT(name) offsetof(struct fit_value, name)
    static const struct result_field fields[] = {
        { .name = "t", RESULT_DOUBLE, AT(t), UNITS_TIME, "time of the value" },
        { .name = "value", RESULT_DOUBLE, AT(value), NULL, "what was measured" },
        { .name = "fit", RESULT_DOUBLE, AT(fit), NULL, "what the solution has there" },
        { .name = "residual", RESULT_DOUBLE, .long_name = "fit - value", .number = residual },
        { .name = "sigma", RESULT_DOUBLE, AT(sigma), NULL, "standard deviation of the value, as given" },
        { .name = "std", RESULT_DOUBLE, AT(std), NULL, "standard deviation of the fit" },
        { .name = "leverage", RESULT_DOUBLE, AT(leverage), NULL, "change of the fit by that of the value" },
    };
#undef AT
    const char **series = mem_alloc((size_t)fit->n_value, sizeof *series);
    const char **name = mem_alloc((size_t)fit->n_value, sizeof *name);
    const int axis = result_axis(group, "datum", fit->n_value, NULL, NULL, NULL);
    for (int k = 0; k < fit->n_value; k++) {
        series[k] = part[fit->value[k].part].ph->sys->model->data.series[fit->value[k].series].name;
        name[k] = part[fit->value[k].part].name;
    }
    result_fields(group, 1, &axis, (struct result_rows){ fit->value, sizeof *fit->value, fit->n_value },
                  COUNT(fields), fields);
    result_texts(group, "series", 1, &axis, series, "state or define");
    if (n_part > 1)
        result_texts(group, "experiment", 1, &axis, name, "experiment");
    free(series);
    free(name);
}

const char *fitted_note(enum fit_bound bound)
{
    switch (bound) {
    case FIT_FREE:              return "";
    case FIT_AT_BOUND:          return "at its bound";
    case FIT_NOT_DETERMINED:    return "not determined by the data";
    case FIT_STOPPED:           return "the solve was stopped";
    case FIT_UNEXPLAINED:       return "misfits are no errors of measurement";
    }
    return "";
}

static const char *note_of(const void *row)
{
    const struct fit_quantity *q = row;
    return fitted_note(q->bound);
}

static void write_quantities(const struct fit *fit, struct result_group *group)
{
#define AT(name) offsetof(struct fit_quantity, name)
    static const struct result_field fields[] = {
        { .name = "quantity", RESULT_TEXT, AT(name), NULL, "optimized parameter, or free initial value" },
        { .name = "estimate", RESULT_DOUBLE, AT(value), NULL, "its value" },
        { .name = "estimate_std", RESULT_DOUBLE, AT(std), NULL, "its standard deviation" },
        { .name = "note", RESULT_TEXT, .long_name = "why there is none", .text = note_of },
    };
#undef AT
    const int n = fit->n_quantity, axis = result_axis(group, "quantity", n, NULL, NULL, NULL);
    const int other = result_axis(group, "other", n, NULL, NULL, "quantity as well");
    double *correlation = mem_alloc((size_t)(n * n), sizeof *correlation);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            correlation[a * n + b] =
                fit->covariance[a * n + b] / sqrt(fit->covariance[a * n + a] * fit->covariance[b * n + b]);
    result_fields(group, 1, &axis, (struct result_rows){ fit->quantity, sizeof *fit->quantity, n }, COUNT(fields),
                  fields);
    result_doubles(group, "covariance", 2, (const int[]){ axis, other }, fit->covariance, NULL, "of quantities",
                   NULL);
    result_doubles(group, "correlation", 2, (const int[]){ axis, other }, correlation, NULL, "of quantities", NULL);
    free(correlation);
}

void fitted_write(const struct fit *fit, int n_part, const struct fit_part *part, struct result *result)
{
    struct result_group *group = result_group(result, "/fit"), *parameters = result_group(result, "/parameters");
    const struct model *model = part[0].ph->sys->model;
    result_set_double(group, "misfit", fit->misfit);
    result_set_double(group, "degrees_of_freedom", fit->freedom);
    result_set_double(group, "scale", fit->scale);
    result_set_double(group, "noise", fit_noise(fit));
    result_set_int(group, "relative", fit->is_relative);
    fitted_write_words(fit, &model->data, group);
    write_values(fit, n_part, part, group);
    write_quantities(fit, group);
    for (int q = 0; q < fit->n_quantity; q++) {
        const struct fit_quantity *one = &fit->quantity[q];
        if (one->param < 0)
            continue;
        char name[300];
        (void)snprintf(name, sizeof name, "%.290s_std", one->name);
        result_doubles(parameters, name, 0, NULL, &one->std, one->units, "standard deviation", NULL);
    }
}
