#include "cli/trajectory.h"

#include "core/base/mem.h"
#include "core/model/inputs.h"
#include "transcription/record/columns.h"

#include <stdlib.h>
#include <string.h>

struct point { double t; int element, side; };

struct trajectory {
    struct arena mem;               /* owns the arrays but those that grow */
    const struct model *model;
    int n, cap, n_column;
    struct point *point;            /* [cap] */
    double *column;                 /* [cap * n_column] */
    struct column *about;           /* [n_column] */
    struct function shown;          /* controls; per contact gap, v_n, v_t..; outputs */
};

static struct function shown_function(const struct model *model, const double *p, const expr *u_expr)
{
    expr *out = mem_alloc((size_t)columns_count(model), sizeof *out);
    int n = 0;
    for (int k = 0; k < model->n_u; k++)
        out[n++] = u_expr && u_expr[k] != EXPR_NONE ? u_expr[k] : model->u_sym[k];
    for (int c = 0; c < model->n_contact; c++) {
        out[n++] = model->contact[c].gap;
        out[n++] = model->contact[c].v_n;
        for (int k = 0; k < model->contact[c].n_t; k++)
            out[n++] = model->contact[c].v_t[k];
    }
    for (int k = 0; k < model->n_output; k++)
        out[n++] = model->output[k].e;
    const struct function shown = function_create(model, p, n, out);
    free(out);
    return shown;
}

struct trajectory *trajectory_create(const struct model *model, const double *p, const expr *u_expr)
{
    struct trajectory *tr = mem_alloc(1, sizeof *tr);
    tr->model = model;
    tr->n_column = columns_count(model);
    tr->about = columns_describe(model, &tr->mem);
    tr->shown = shown_function(model, p, u_expr);
    return tr;
}

void trajectory_free(struct trajectory *tr)
{
    if (!tr)
        return;
    function_free(&tr->shown);
    free(tr->point);
    free(tr->column);
    arena_free(&tr->mem);
    free(tr);
}

void trajectory_clear(struct trajectory *tr)
{
    tr->n = 0;
}

int trajectory_n(const struct trajectory *tr)
{
    return tr->n;
}

int trajectory_n_columns(const struct trajectory *tr)
{
    return tr->n_column;
}

double trajectory_at(const struct trajectory *tr, int point, int column)
{
    return tr->column[(size_t)point * (size_t)tr->n_column + (size_t)column];
}

static double *new_point(struct trajectory *tr, struct point point)
{
    if (tr->n == tr->cap) {
        tr->cap = tr->cap ? 2 * tr->cap : 256;
        tr->point = mem_resize(tr->point, (size_t)tr->cap, sizeof *tr->point);
        tr->column = mem_resize(tr->column, (size_t)tr->cap * (size_t)tr->n_column, sizeof *tr->column);
    }
    tr->point[tr->n] = point;
    return tr->column + (size_t)tr->n++ * (size_t)tr->n_column;
}

void trajectory_add(struct trajectory *tr, double t, int element, int side, const double *x, const double *u,
                    const double *force)
{
    const struct model *model = tr->model;
    const double *from = function_eval(&tr->shown, t, x, u);
    double *to = new_point(tr, (struct point){ t, element, side });
    for (int i = 0; i < model->n_x; i++)
        *to++ = x[i];
    for (int k = 0; k < model->n_u; k++)
        *to++ = *from++;
    for (int c = 0; c < model->n_contact; c++) {
        const int n_t = model->contact[c].n_t;
        for (int k = 0; k < 2 + n_t; k++)
            *to++ = *from++;
        for (int k = 0; k < 1 + n_t; k++)
            *to++ = force[3 * c + k];
    }
    for (int k = 0; k < model->n_output; k++)
        *to++ = *from++;
}

/* --- Into the result -------------------------------------------------------------------------------------- */

static void write_columns(const struct trajectory *tr, struct result_group *group, int axis)
{
    double *val = mem_alloc((size_t)tr->n, sizeof *val);
    for (int j = 0; j < tr->n_column; j++) {
        for (int k = 0; k < tr->n; k++)
            val[k] = trajectory_at(tr, k, j);
        const struct column *about = &tr->about[j];
        result_doubles(group, about->name, 1, &axis, val, about->units, about->long_name, about->role);
    }
    free(val);
}

void trajectory_write(const struct trajectory *tr, struct result *result)
{
    struct result_group *group = result_group(result, "/trajectory");
    const int axis = result_axis(group, "point", tr->n, NULL, NULL, NULL);
    double *t = mem_alloc((size_t)tr->n, sizeof *t);
    int *word = mem_alloc((size_t)tr->n, sizeof *word);
    unsigned char *flag = mem_alloc((size_t)tr->n, 1);
    for (int k = 0; k < tr->n; k++) {
        t[k] = tr->point[k].t;
        word[k] = tr->point[k].element;
        flag[k] = 1;
    }
    result_doubles(group, "t", 1, &axis, t, "s", "physical time", NULL);
    result_doubles(group, "t_num", 1, &axis, t, "s", "numerical time", NULL);
    result_ints(group, "element", 1, &axis, word, "step; -1: none");
    for (int k = 0; k < tr->n; k++)
        word[k] = -1;
    result_ints(group, "stage", 1, &axis, word, "-1: none");
    for (int k = 0; k < tr->n; k++)
        word[k] = tr->point[k].side;
    result_ints(group, "side", 1, &axis, word, "-1 left limit, 0 inside, 1 right limit");
    result_flags(group, "is_physical", 1, &axis, flag, "0 in frozen time");
    write_columns(tr, group, axis);
    free(t);
    free(word);
    free(flag);
}

void trajectory_write_uniform(const struct trajectory *tr, struct result *result, const char *path)
{
    double *t = mem_alloc((size_t)tr->n, sizeof *t);
    for (int k = 0; k < tr->n; k++)
        t[k] = tr->point[k].t;
    struct result_group *group = result_group(result, path);
    write_columns(tr, group, result_axis(group, "t", tr->n, t, "s", "physical time"));
    free(t);
}

/* --- Events ----------------------------------------------------------------------------------------------- */

static void write_event_states(const struct model *model, int n, const struct sim_event *event,
                               struct result_group *group, int axis)
{
    const int n_x = model->n_x, axes[2] = { axis, result_axis(group, "state", n_x, NULL, NULL, NULL) };
    double *val = mem_alloc((size_t)(n * n_x), sizeof *val);
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < n; k++)
            memcpy(val + k * n_x, side ? event[k].x_plus : event[k].x_minus, (size_t)n_x * sizeof *val);
        result_doubles(group, side ? "x_plus" : "x_minus", 2, axes, val, NULL,
                       side ? "state after" : "state before", NULL);
    }
    free(val);
}

void trajectory_write_events(const struct model *model, int n, const struct sim_event *event,
                             const char *const *subject_name, struct result *result)
{
    static const char *const impulse[] = { "impulse_n", "impulse_t", "impulse_t2" };
    struct result_group *group = result_group(result, "/events");
    const int axis = result_axis(group, "event", n, NULL, NULL, NULL);
    double *val = mem_alloc((size_t)n, sizeof *val);
    int *element = mem_alloc((size_t)n, sizeof *element);
    const char **text = mem_alloc((size_t)n, sizeof *text);
    for (int k = 0; k < n; k++) {
        val[k] = event[k].t;
        element[k] = -1;
    }
    result_doubles(group, "t", 1, &axis, val, "s", "physical time", NULL);
    result_doubles(group, "t_num", 1, &axis, val, "s", "numerical time", NULL);
    result_ints(group, "element", 1, &axis, element, "-1: none");
    for (int k = 0; k < n; k++)
        text[k] = sim_kind_text(event[k].kind);
    result_texts(group, "kind", 1, &axis, text, "what happens");
    for (int k = 0; k < n; k++)
        text[k] = subject_name[event[k].subject];
    result_texts(group, "name", 1, &axis, text, "contact or switch");
    bool is_spatial = false;
    for (int c = 0; c < model->n_contact; c++)
        is_spatial = is_spatial || model->contact[c].n_t == 2;
    for (int q = 0; q < (is_spatial ? 3 : 2); q++) {
        for (int k = 0; k < n; k++)
            val[k] = event[k].impulse[q];
        result_doubles(group, impulse[q], 1, &axis, val, "N s", NULL, NULL);
    }
    write_event_states(model, n, event, group, axis);
    free(val);
    free(element);
    free(text);
}
