#include "core/output/event_state.h"

#include "core/base/mem.h"
#include "core/results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TIMES_NAMED = 8 };

/* How far T may be from the event's time, relative to max(1, |T|): `show` prints six digits. */
static const double time_tol = 1e-3;

/* --- The spec ------------------------------------------------------------------------------------------------ */

static enum status read_initial(const struct model *model, double *x, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int k = 0; k < model->n_x; k++) {
        const struct model_end *initial = &model->x[k].initial;
        if (initial->kind == END_FIXED)
            x[k] = initial->lo;
        else
            st = diag_error(diag, initial->pos.line ? initial->pos : model->x[k].pos, model->x[k].path,
                            "impact wants one initial value, not a range or `free`");
    }
    return st;
}

/* --- A result ------------------------------------------------------------------------------------------------ */

static enum status split_from(const char *from, char **path, double *t, struct diag *diag)
{
    const char *at = strrchr(from, '@');
    char *end = NULL;
    *path = NULL;
    *t = at ? strtod(at + 1, &end) : NAN;
    if (!at || at == from || end == at + 1 || *end || !isfinite(*t))
        return diag_fail(diag, STATUS_USAGE,
                         "--from wants FILE.h5@TIME, the time of one of its events, got \"%s\"", from);
    *path = mem_copy_text(from);
    (*path)[at - from] = '\0';
    return STATUS_OK;
}

static enum status no_event(const char *path, double wanted, const struct result_data *t, struct diag *diag)
{
    struct arena mem = { NULL };
    const char *times = "";
    double last = NAN;
    int n = 0;
    for (int k = 0; t && t->d && k < t->n; k++) {
        if (t->d[k] == last)
            continue;
        last = t->d[k];
        if (n++ < MAX_TIMES_NAMED)
            times = arena_printf(&mem, "%s%s%.6g", times, *times ? ", " : "", last);
    }
    const enum status st
        = n == 0 ? diag_fail(diag, STATUS_USAGE, "%s has no events, so none at t = %g", path, wanted)
                 : diag_fail(diag, STATUS_USAGE, "%s has no event at t = %g; it has events at t = %s%s", path,
                             wanted, times, n > MAX_TIMES_NAMED ? ", ..." : "");
    arena_free(&mem);
    return st;
}

/* The nearest event; of equally near ones an impact. */
static int find_event(const struct result_group *events, double wanted)
{
    const struct result_data *t = result_data_find(events, "t"), *kind = result_data_find(events, "kind");
    int best = -1;
    for (int k = 0; t && t->d && k < t->n; k++) {
        const double far = fabs(t->d[k] - wanted), least = best < 0 ? INFINITY : fabs(t->d[best] - wanted);
        const bool is_impact = kind && kind->text && k < kind->n && strcmp(kind->text[k], "impact") == 0;
        if (far < least || (far == least && is_impact))
            best = k;
    }
    return best >= 0 && fabs(t->d[best] - wanted) <= time_tol * fmax(1, fabs(wanted)) ? best : -1;
}

/* Place of the state of that name among the states of the file's /trajectory, which are those of x_minus. */
static int place_of_state(const struct result *result, const char *name)
{
    const struct result_group *group = result_find(result, "/trajectory");
    int place = 0;
    for (int k = 0; group && k < group->n_data; k++) {
        const struct result_data *data = group->data[k];
        if (strcmp(data->role, "state") != 0)
            continue;
        if (strcmp(data->name, name) == 0)
            return place;
        place++;
    }
    return -1;
}

static enum status copy_state(const struct model *model, const struct result *result, const char *path,
                              int event, double *x, struct diag *diag)
{
    const struct result_data *x_minus = result_data_find(result_find(result, "/events"), "x_minus");
    const int n_events = result_data_find(result_find(result, "/events"), "t")->n;
    if (!x_minus || !x_minus->d || x_minus->n % n_events != 0)
        return diag_fail(diag, STATUS_IO, "%s: /events has no x_minus", path);
    const int n_x = x_minus->n / n_events;
    for (int k = 0; k < model->n_x; k++) {
        const int place = place_of_state(result, model->x[k].name);
        if (place < 0 || place >= n_x)
            return diag_error(diag, model->x[k].pos, model->x[k].path, "%s has no state of that name", path);
        x[k] = x_minus->d[event * n_x + place];
    }
    return STATUS_OK;
}

static void copy_parameters(const struct model *model, const struct result *result, double *p)
{
    const struct result_group *group = result_find(result, "/parameters");
    for (int k = 0; group && k < model->n_p; k++) {
        const struct result_data *data = result_data_find(group, model->param[model->p_param[k]].name);
        if (data && data->d && data->n == 1)
            p[k] = data->d[0];
    }
}

static enum status read_event(const struct model *model, const char *from, double *x, double *p,
                              struct diag *diag)
{
    struct result *result = NULL;
    char *path;
    double t;
    enum status st = split_from(from, &path, &t, diag);
    if (st == STATUS_OK)
        st = result_read(path, &result, diag);
    if (st == STATUS_OK) {
        const struct result_group *events = result_find(result, "/events");
        const int event = events ? find_event(events, t) : -1;
        st = event < 0 ? no_event(path, t, events ? result_data_find(events, "t") : NULL, diag)
                       : copy_state(model, result, path, event, x, diag);
    }
    if (st == STATUS_OK)
        copy_parameters(model, result, p);
    result_free(result);
    free(path);
    return st;
}

enum status event_state_read(const struct model *model, const char *from, double *x, double *p,
                              struct diag *diag)
{
    model_p_guess(model, p);
    return from ? read_event(model, from, x, p, diag) : read_initial(model, x, diag);
}
