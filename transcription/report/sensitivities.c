#include "transcription/report/sensitivities.h"

#include "core/base/mem.h"
#include "core/base/rounded.h"
#include "core/results/fields.h"
#include "transcription/multiphase/phase_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOLDS 1e-3                  /* of the step: a start that is off by more is not the mode's */

struct row {
    const char *name, *units, *kind, *note;
    double value, objective, horizon;
    double *event_t, *x_final, *x, *u, *optimized;      /* [n_event], [n_x], [n_uniform * n_x], [n_interval * n_u], [n_p] */
};

struct sensitivities {
    struct arena mem;               /* owns the rows' arrays */
    const struct finish *finish;
    struct sensitivity *sens;
    int n_uniform, n;
    double *t;                      /* [n_uniform] */
    struct row *row;                /* [n] */
};

/* One of the two programs beside that of the solution. */
struct beside { struct phase_system *sys; struct phases *ph; };

static bool beside_create(const struct finish *finish, struct model *model, struct beside *out)
{
    const struct phases *ph = finish->ph;
    struct diag *silent = diag_create();
    struct phase_grid grid = ph->grid;
    double *part = phases_event_parts(ph, finish->w);
    grid.event_part = part;
    grid.mode_y = ph->guess.mode;
    *out = (struct beside){ NULL, NULL };
    const bool made = model && phase_system_create(model, &out->sys, silent) == STATUS_OK
                      && out->sys->n_contact == ph->seq->n_contact && out->sys->n_switch == ph->seq->n_switch
                      && out->sys->n_y == ph->sys->n_y
                      && phases_create(out->sys, ph->seq, &grid, ph->guess.end, &out->ph, silent) == STATUS_OK;
    free(part);
    diag_free(silent);
    return made;
}

static void beside_free(struct beside *beside)
{
    phases_free(beside->ph);
    phase_system_free(beside->sys);
}

/* --- The start ----------------------------------------------------------------------------------------------- */

/* What the first mode holds at a fixed start: NULL, or who is off. A free start has rows for it. */
static const char *off_start(const struct beside *beside, const double *w, double allowed)
{
    const struct phase_system *sys = beside->sys;
    const struct nlp *nlp = &beside->ph->mpcc.nlp;
    const unsigned char *state = sequence_mode(beside->ph->seq, 0);
    double *y = mem_alloc((size_t)sys->n_y, sizeof *y);
    const double *p = &w[beside->ph->at.p];
    const char *who = NULL;
    bool is_free = false;
    for (int i = 0; i < sys->n_y; i++) {
        const int k = beside->ph->at.y0 + i;
        is_free = is_free || nlp->lbw[k] < nlp->ubw[k];
        y[i] = fmin(fmax(w[k], nlp->lbw[k]), nlp->ubw[k]);
    }
    for (int c = 0; c < sys->n_contact && !is_free; c++) {
        const struct model_contact *contact = sys->contact[c].model;
        bool off = state[c] != PHASE_OPEN && (fabs(phase_system_value(sys, contact->gap, y, p)) > allowed
                                              || fabs(phase_system_value(sys, contact->v_n, y, p)) > allowed);
        for (int k = 0; k < sys->contact[c].n_t && state[c] == PHASE_STICK; k++)
            off = off || fabs(phase_system_value(sys, contact->v_t[k], y, p)) > allowed;
        who = off ? phase_subject_name(sys, c) : who;
    }
    for (int l = 0; l < sys->n_switch && !is_free; l++)
        if (state[sys->n_contact + l] == PHASE_SLIDING && !sys->sw[l].own
            && fabs(phase_system_value(sys, sys->sw[l].sw->c, y, p)) > allowed)
            who = phase_subject_name(sys, sys->n_contact + l);
    free(y);
    return who;
}

/* --- One number ---------------------------------------------------------------------------------------------- */

struct sensitivities *sensitivities_create(const struct finish *finish, int n_uniform)
{
    struct sensitivities *list = mem_alloc(1, sizeof *list);
    list->finish = finish;
    list->sens = sensitivity_create(finish);
    list->n_uniform = n_uniform;
    list->t = arena_alloc(&list->mem, (size_t)n_uniform, sizeof *list->t);
    for (int k = 0; k < n_uniform; k++)
        list->t[k] = phases_horizon(finish->ph, finish->w) * k / (n_uniform - 1);
    return list;
}

void sensitivities_free(struct sensitivities *list)
{
    if (!list)
        return;
    sensitivity_free(list->sens);
    arena_free(&list->mem);
    free(list->row);
    free(list);
}

/* Differences of what follows from the variables: of ph[side] at w[side]. */
static void differentiate(const struct sensitivities *list, const struct phases *const ph[2], double *const w[2],
                          double step, struct row *row)
{
    const struct model *model = ph[0]->sys->model;
    const int n_piece = ph[0]->n_piece, n_event = ph[0]->seq->n_event, n_x = model->n_x;
    double *start = mem_alloc((size_t)n_piece + 1, sizeof *start);
    double *force = mem_alloc((size_t)model_n_force(model), sizeof *force);
    double *t[2] = { mem_alloc((size_t)n_event, sizeof(double)), mem_alloc((size_t)n_event, sizeof(double)) };
    double *x[2] = { mem_alloc((size_t)n_x, sizeof(double)), mem_alloc((size_t)n_x, sizeof(double)) };
    double end[2];
    for (int side = 0; side < 2; side++) {
        phases_times(ph[side], w[side], start, t[side]);
        end[side] = start[n_piece];
    }
    row->horizon = (end[1] - end[0]) / step;
    for (int j = 0; j < n_event; j++)
        row->event_t[j] = (t[1][j] - t[0][j]) / step;
    for (int k = 0; k < list->n_uniform; k++) {
        for (int side = 0; side < 2; side++)
            phase_trace_at(ph[side], w[side], list->t[k], x[side], force);
        for (int i = 0; i < n_x; i++)
            row->x[k * n_x + i] = (x[1][i] - x[0][i]) / step;
    }
    for (int side = 0; side < 2; side++) {
        free(t[side]);
        free(x[side]);
    }
    free(start);
    free(force);
}

static void read_row(const struct sensitivities *list, const struct beside *less, const struct beside *more,
                     double step, const double *dw, struct row *row)
{
    const struct phases *ph = list->finish->ph;
    const struct model *model = ph->sys->model;
    const int n_w = ph->mpcc.nlp.n_w;
    double *w[2] = { mem_alloc((size_t)n_w, sizeof(double)), mem_alloc((size_t)n_w, sizeof(double)) };
    for (int k = 0; k < n_w; k++) {
        w[0][k] = list->finish->w[k] - 0.5 * step * dw[k];
        w[1][k] = list->finish->w[k] + 0.5 * step * dw[k];
    }
    differentiate(list, (const struct phases *const[]){ less->ph, more->ph }, w, step, row);
    for (int i = 0; i < model->n_x; i++)
        row->x_final[i] = dw[phases_left(ph, ph->n_element)[i]];
    for (int i = 0; i < ph->n_interval; i++)
        for (int k = 0; k < model->n_u; k++)
            row->u[i * model->n_u + k] = dw[ph->at.u[i] + k];
    for (int k = 0; k < model->n_p; k++)
        row->optimized[k] = dw[ph->at.p + k];
    free(w[0]);
    free(w[1]);
}

void sensitivities_add(struct sensitivities *list, const char *name, const char *units, const char *kind,
                       double value, struct model *less, struct model *more, double step)
{
    const struct phases *ph = list->finish->ph;
    const struct model *model = ph->sys->model;
    struct arena *mem = &list->mem;
    struct row row = { arena_copy_text(mem, name), arena_copy_text(mem, units ? units : ""), kind, "", value, NAN, NAN,
                       arena_nan(mem, ph->seq->n_event), arena_nan(mem, model->n_x),
                       arena_nan(mem, list->n_uniform * model->n_x), arena_nan(mem, ph->n_interval * model->n_u),
                       arena_nan(mem, model->n_p) };
    double *dw = mem_alloc((size_t)ph->mpcc.nlp.n_w, sizeof *dw), df = NAN;
    struct beside below, above;
    const bool made = beside_create(list->finish, less, &below);
    const bool both = beside_create(list->finish, more, &above) && made;
    const char *who = both ? off_start(&above, list->finish->w, HOLDS * step) : NULL;
    if (!both)
        row.note = "the problem does not exist for other values";
    else if (who)
        row.note = arena_printf(mem, "moves the start off what %s holds there", rounded_text(mem, who));
    else if (!sensitivity_solve(list->sens, below.ph, above.ph, step, dw, &df))
        row.note = "the active constraints cannot be kept";
    else
        read_row(list, &below, &above, step, dw, &row);
    if (!*row.note && sensitivity_n_weak(list->sens))
        row.note = arena_printf(mem, "one-sided: %d active constraints have multipliers near 0",
                                sensitivity_n_weak(list->sens));
    row.objective = df;
    beside_free(&below);
    beside_free(&above);
    free(dw);
    list->row = mem_grow(list->row, list->n, 1, sizeof *list->row);
    list->row[list->n++] = row;
}

/* --- Writing ------------------------------------------------------------------------------------------------- */

/* A dataset over the numbers and, where n > 0, `inner` axes whose sizes multiply to n;
 * `at`: of the array in a row. */
static void write_arrays(const struct sensitivities *list, struct result_group *group, const char *name, int n_axes,
                         const int *axis, int n, size_t at, const char *long_name)
{
    double *all = mem_alloc((size_t)(list->n * n), sizeof *all);
    for (int k = 0; k < list->n && n; k++)
        memcpy(all + k * n, *(double *const *)(const void *)((const char *)&list->row[k] + at),
               (size_t)n * sizeof *all);
    result_doubles(group, name, n_axes, axis, all, NULL, long_name, NULL);
    free(all);
}

static void name_axis(struct result_group *group, const char *name, int axis, int n, const struct model_var *var)
{
    const char **text = mem_alloc((size_t)n, sizeof *text);
    for (int k = 0; k < n; k++)
        text[k] = var[k].name;
    result_texts(group, name, 1, &axis, text, NULL);
    free(text);
}

static void write_rows(const struct sensitivities *list, struct result_group *group, int number)
{
#define AT(name) offsetof(struct row, name)
    static const struct result_field fields[] = {
        { .name = "number", RESULT_TEXT, AT(name), NULL, "which number of the spec" },
        { .name = "kind", RESULT_TEXT, AT(kind) },
        { .name = "number_units", RESULT_TEXT, AT(units) },
        { .name = "value", RESULT_DOUBLE, AT(value) },
        { .name = "note", RESULT_TEXT, AT(note), NULL, "why there is none, or on one side only" },
        { .name = "objective", RESULT_DOUBLE, AT(objective), NULL, "derivative of the objective" },
        { .name = "horizon", RESULT_DOUBLE, AT(horizon), NULL, "derivative of the end time" },
    };
#undef AT
    result_fields(group, 1, &number, (struct result_rows){ list->row, sizeof *list->row, list->n }, COUNT(fields),
                  fields);
}

void sensitivities_write(const struct sensitivities *list, struct result *result)
{
    const struct phases *ph = list->finish->ph;
    const struct model *model = ph->sys->model;
    struct result_group *group = result_group(result, "/sensitivity");
    const int number = result_axis(group, "number", list->n, NULL, NULL, NULL);
    const int t = result_axis(group, "t", list->n_uniform, list->t, UNITS_TIME, "physical time");
    const int event = result_axis(group, "event", ph->seq->n_event, NULL, NULL, NULL);
    const int state = result_axis(group, "state", model->n_x, NULL, NULL, NULL);
    result_set_text(group, "units", "of the quantity per unit of the number");
    result_set_int(group, "strict_minimum", sensitivity_is_strict(list->sens));
    result_set_int(group, "weakly_active", sensitivity_n_weak(list->sens));
    write_rows(list, group, number);
    name_axis(group, "state", state, model->n_x, model->x);
#define AT(name) offsetof(struct row, name)
    write_arrays(list, group, "event_t", 2, (const int[]){ number, event }, ph->seq->n_event, AT(event_t),
                 "derivative of the times of the events in /phases");
    write_arrays(list, group, "x_final", 2, (const int[]){ number, state }, model->n_x, AT(x_final),
                 "derivative of the state at the end of the horizon");
    write_arrays(list, group, "x", 3, (const int[]){ number, t, state }, list->n_uniform * model->n_x, AT(x),
                 "derivative of the state at time t");
    if (model->n_u) {
        const int interval = result_axis(group, "interval", ph->n_interval, NULL, NULL, NULL);
        const int control = result_axis(group, "control", model->n_u, NULL, NULL, NULL);
        name_axis(group, "control", control, model->n_u, model->u);
        write_arrays(list, group, "u", 3, (const int[]){ number, interval, control }, ph->n_interval * model->n_u,
                     AT(u), "derivative of the controls");
    }
    if (model->n_p) {
        const int optimized = result_axis(group, "optimized", model->n_p, NULL, NULL, NULL);
        const char **name = mem_alloc((size_t)model->n_p, sizeof *name);
        for (int k = 0; k < model->n_p; k++)
            name[k] = model->param[model->p_param[k]].name;
        result_texts(group, "optimized", 1, &optimized, name, NULL);
        free(name);
        write_arrays(list, group, "p", 2, (const int[]){ number, optimized }, model->n_p, AT(optimized),
                     "derivative of the optimized parameters");
    }
#undef AT
}
