/* /fit: what was measured is that of the spec, what is fitted that of the solution, estimates are the parameters
 * and initial values; words and sums follow from the numbers. Deviations are those of the program that was
 * solved: they are only compared with each other. */
#include "transcription/judge/alike.h"
#include "transcription/judge/pieces.h"
#include "transcription/judge/stored_parts.h"

#include "core/base/mem.h"
#include "core/model/inputs.h"
#include "transcription/report/fitted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_QUANTITIES = 10000 };       /* of a file by others */

/* As it is read back: what fitted.h wrote. */
struct read_fit {
    struct fit fit;
    const double *residual, *correlation;
    const struct result_data *series, *name;    /* texts */
};

static bool is_same(double a, double b, double scale)
{
    return a == b || fabs(a - b) <= SAME * scale || (isnan(a) && isnan(b));
}

static bool is_near(double a, double b)
{
    return is_same(a, b, fmax(fabs(a), fabs(b)));
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

static int series_of(const struct model_data *data, const char *name)
{
    for (int k = 0; k < data->n_series; k++)
        if (strcmp(data->series[k].name, name) == 0)
            return k;
    return -1;
}

static bool read_values(const struct stored *at, struct read_fit *to)
{
    const struct result_data *at_times = result_data_of(at->file->result, "/fit", "t");
    const int n = at_times ? at_times->n : 0;
    const double *t = stored_doubles(at, "/fit", "t", n), *value = stored_doubles(at, "/fit", "value", n);
    const double *fit = stored_doubles(at, "/fit", "fit", n), *sigma = stored_doubles(at, "/fit", "sigma", n);
    const double *std = stored_doubles(at, "/fit", "std", n), *leverage = stored_doubles(at, "/fit", "leverage", n);
    to->residual = stored_doubles(at, "/fit", "residual", n);
    to->series = result_data_of(at->file->result, "/fit", "series");
    if (n < 1 || !t || !value || !fit || !sigma || !std || !leverage || !to->residual || !to->series
        || !to->series->text || to->series->n != n)
        return false;
    to->fit.n_value = n;
    to->fit.value = arena_alloc(&to->fit.mem, (size_t)n, sizeof *to->fit.value);
    for (int k = 0; k < n; k++)
        to->fit.value[k] = (struct fit_value){ 0,        series_of(&at->file->model->data, to->series->text[k]),
                                               k,        t[k],
                                               value[k], fit[k],
                                               sigma[k], leverage[k],
                                               std[k] };
    return true;
}

static enum fit_bound bound_of(const char *note)
{
    for (enum fit_bound bound = FIT_FREE; bound <= FIT_UNEXPLAINED; bound++)
        if (strcmp(note, fitted_note(bound)) == 0)
            return bound;
    return FIT_FREE;
}

static int find_param(const struct model *model, const char *name)
{
    for (int k = 0; k < model->n_p; k++)
        if (strcmp(model->param[model->p_param[k]].name, name) == 0)
            return model->p_param[k];
    return -1;
}

/* The state whose initial value it is, "v(0)"; with several experiments "run2.v(0)", which may be
 * another's: then it is not is_own. */
static int find_state(const struct model *model, const char *name, bool *is_own)
{
    const size_t length = strlen(name);
    for (int i = 0; i < model->n_x; i++) {
        const size_t n = strlen(model->x[i].name) + strlen("(0)");
        const char *end = length >= n ? name + length - n : "";
        *is_own = end == name;
        if (strncmp(end, model->x[i].name, n - strlen("(0)")) == 0 && (*is_own || (*end && end[-1] == '.')))
            return i;
    }
    return -1;
}

static bool read_quantities(const struct stored *at, struct read_fit *to)
{
    const struct model *model = at->file->model;
    const struct result *file = at->file->result;
    const struct result_data *note = result_data_of(file, "/fit", "note");
    const int n = note && note->n <= MOST_QUANTITIES ? note->n : 0;
    const double *estimate = stored_doubles(at, "/fit", "estimate", n),
                 *std = stored_doubles(at, "/fit", "estimate_std", n);
    to->name = result_data_of(file, "/fit", "quantity");
    const double *covariance = stored_doubles(at, "/fit", "covariance", n * n);
    to->correlation = stored_doubles(at, "/fit", "correlation", n * n);
    if (n < 1 || !estimate || !std || !note || !note->text || !to->name || !to->name->text || to->name->n != n
        || !covariance || !to->correlation)
        return false;
    to->fit.covariance = arena_copy(&to->fit.mem, covariance, (size_t)(n * n), sizeof *covariance);
    to->fit.n_quantity = n;
    to->fit.quantity = arena_alloc(&to->fit.mem, (size_t)n, sizeof *to->fit.quantity);
    for (int q = 0; q < n; q++) {
        const char *name = to->name->text[q];
        bool is_own = false;
        const int param = find_param(model, name), i = find_state(model, name, &is_own);
        const char *units = param >= 0 ? model->param[param].units : i >= 0 ? model->x[i].units : "";
        to->fit.quantity[q] = (struct fit_quantity){ name, units ? units : "", is_own ? i : -1, param, estimate[q], std[q],
                                                     bound_of(note->text[q]) };
    }
    return true;
}

static bool read_fit(const struct stored *at, struct read_fit *to)
{
    const struct result_group *group = result_find(at->file->result, "/fit");
    *to = (struct read_fit){ .fit = { .misfit = result_get_double(group, "misfit"),
                                      .freedom = result_get_double(group, "degrees_of_freedom"),
                                      .scale = result_get_double(group, "scale"),
                                      .is_relative = result_get_int(group, "relative", 0) } };
    return read_values(at, to) && read_quantities(at, to);
}

/* --- What was measured, and what the solution has there ------------------------------------------------------ */

/* What a series is at t: on both sides of it, where the state jumps. */
static double fit_off(const struct stored *at, const struct pieces *pieces, struct function *series, int k,
                      double t, double fit)
{
    const int n_x = at->file->model->n_x;
    double *x = mem_alloc((size_t)n_x, sizeof *x), off = INFINITY;
    for (int side = 0; side < 2; side++) {
        const int e = pieces_find(pieces, t, side == 0);
        for (int i = 0; i < n_x && e >= 0; i++)
            x[i] = pieces_x(pieces, e, t, i);
        if (e >= 0)
            off = fmin(off, fabs(function_eval(series, t, x, NULL)[k] - fit));
    }
    free(x);
    return off;
}

/* The datum in /fit, looked for from k on; -1: it is not there. */
static int find_datum(const struct read_fit *fit, int from, int series, double t, double value, double sigma)
{
    for (int i = 0; i < fit->fit.n_value; i++) {
        const int k = (from + i) % fit->fit.n_value;
        const struct fit_value *one = &fit->fit.value[k];
        if (one->series == series && is_near(one->t, t) && is_near(one->value, value) && is_near(one->sigma, sigma))
            return k;
    }
    return -1;
}

/* Every value of the spec is there, and there are no others but those of other experiments. */
static void judge_values(const struct stored *at, const struct read_fit *fit)
{
    const struct model_data *data = &at->file->model->data;
    const bool alone = !result_data_of(at->file->result, "/fit", "experiment");
    struct arena mem = { NULL };
    struct pieces pieces;
    const bool has_pieces = pieces_read(at->file, &pieces);
    expr *e = arena_alloc(&mem, (size_t)data->n_series, sizeof *e);
    for (int k = 0; k < data->n_series; k++)
        e[k] = data->series[k].e;
    struct function series = function_create(at->file->model, at->file->solution.p, data->n_series, e);
    struct off measured = { .figure = alone && fit->fit.n_value != model_n_values(data) ? INFINITY : 0 };
    struct off fitted = { .figure = 0 };
    for (int row = 0, k = 0; row < data->n_row; row++)
        for (int s = 0; s < data->n_series; s++) {
            const struct model_series *one = &data->series[s];
            const int found = isnan(one->value[row])
                                  ? -2 : find_datum(fit, k, s, data->t[row], one->value[row], one->sigma[row]);
            if (found == -1)
                off_raise(&measured, INFINITY, data->t[row], one->name);
            if (found < 0)
                continue;
            const double scale = stored_scale(at, one->value, data->n_row);
            if (has_pieces)
                off_raise(&fitted,
                          fit_off(at, &pieces, &series, s, data->t[row], fit->fit.value[found].fit) / scale,
                          data->t[row], one->name);
            k = found + 1;
        }
    function_free(&series);
    arena_free(&mem);
    stored_add(at, "measurements", &measured, 0, "/fit does not have what the spec says was measured");
    stored_add(at, "fitted values", &fitted, SAME, "/fit does not have what the solution has there");
}

/* --- Sums, deviations, estimates ----------------------------------------------------------------------------- */

static bool has_its_sums(const struct read_fit *fit)
{
    double misfit = 0, freedom = fit->fit.n_value;
    bool fits = true;
    for (int k = 0; k < fit->fit.n_value; k++) {
        const struct fit_value *one = &fit->fit.value[k];
        const double residual = one->fit - one->value;
        misfit += residual / one->sigma * (residual / one->sigma);
        freedom -= isnan(one->leverage) && !isnan(fit->fit.freedom) ? 0 : one->leverage;
        fits = fits && is_same(fit->residual[k], residual, fmax(fabs(one->fit), fabs(one->value)));
    }
    const double scale = fit->fit.is_relative ? sqrt(misfit / freedom) : 1;
    return fits && is_near(misfit, fit->fit.misfit) && is_near(freedom, fit->fit.freedom)
           && (is_near(scale, fit->fit.scale) || isnan(fit->fit.scale));
}

static bool has_its_deviations(const struct read_fit *fit)
{
    const int n = fit->fit.n_quantity;
    const double *cov = fit->fit.covariance;
    bool fits = true;
    for (int a = 0; a < n; a++) {
        fits = fits && is_near(fit->fit.quantity[a].std, sqrt(cov[a * n + a]));
        for (int b = 0; b < n; b++)
            fits =
                fits && is_near(cov[a * n + b], cov[b * n + a])
                && is_same(fit->correlation[a * n + b], cov[a * n + b] / sqrt(cov[a * n + a] * cov[b * n + b]), 1);
    }
    return fits;
}

/* Of parameters /parameters has estimate and deviation as well; initial values are where the trajectory starts. */
static const char *wrong_estimate(const struct stored *at, const struct read_fit *fit)
{
    const struct replay_point *first = at->file->solution.point;
    struct arena mem = { NULL };
    const char *wrong = NULL;
    for (int q = 0; q < fit->fit.n_quantity && !wrong; q++) {
        const struct fit_quantity *one = &fit->fit.quantity[q];
        const double *value = one->param >= 0 ? stored_doubles(at, "/parameters", one->name, 1) : NULL;
        const double *std = one->param >= 0
            ? stored_doubles(at, "/parameters", arena_printf(&mem, "%.290s_std", one->name), 1) : NULL;
        if (one->param >= 0 && !(value && std && is_near(*value, one->value) && is_near(*std, one->std)))
            wrong = one->name;
        if (one->param < 0 && one->var >= 0
            && !is_same(first->x[one->var], one->value, stored_scale(at, &one->value, 1)))
            wrong = one->name;
    }
    arena_free(&mem);
    return wrong;
}

static void judge_words(const struct stored *at, const struct read_fit *fit)
{
    struct result *again = result_create();
    struct result_group *group = result_group(again, "/fit");
    fitted_write_words(&fit->fit, &at->file->model->data, group);
    const struct alike how = { SAME, 0, false };
    stored_add_text(at, "words of the fit",
                    alike_difference(result_find(at->file->result, "/fit"), group, &how, &at->to->mem),
                    "not what its numbers say");
    result_free(again);
}

/* What misses the data by more than errors can is no fit. */
static void judge_noise(const struct stored *at, const struct read_fit *fit)
{
    char why[200];
    if (!fit_has_events(at->file->model) || isnan(fit_noise(&fit->fit)))
        return;
    fit_write_reason(&fit->fit, why, sizeof why);
    findings_add(at->to, &(struct finding){ "misfit by sigma", fit_noise(&fit->fit), FIT_MOST_NOISE, NULL,
                                            arena_printf(&at->to->mem, "%s", why) });
}

void stored_judge_fit(struct stored *at)
{
    struct read_fit fit = { .fit = { .n_value = 0 } };
    if (at->file->model->data.n_series == 0 || !result_find(at->file->result, "/fit"))
        return;
    if (read_fit(at, &fit)) {
        judge_values(at, &fit);
        stored_add_shape(at, has_its_sums(&fit), "sums of the fit",
                         "residuals, misfit or degrees of freedom of /fit are not those of its values");
        stored_add_shape(at, has_its_deviations(&fit), "deviations",
                         "deviations of /fit are not those of its covariance");
        stored_add_text(at, "estimates", wrong_estimate(at, &fit),
                        "/fit is not what /parameters and the trajectory say");
        judge_words(at, &fit);
        judge_noise(at, &fit);
    } else {
        stored_add_shape(at, false, "measurements", "/fit lacks a dataset");
    }
    arena_free(&fit.fit.mem);
}
