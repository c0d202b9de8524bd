/* tests/unit/simulated.h - a spec in a string, simulated; for tests and measurements of simulate.h
 *
 * Fields may be changed between simulated_read and simulated_run. What goes wrong is printed and ends the program.
 */
#ifndef COCP_TESTS_UNIT_SIMULATED_H
#define COCP_TESTS_UNIT_SIMULATED_H

#include "transcription/step/simulate.h"

#include "core/model/read/read.h"
#include "tests/unit/read_settings.h"

#include <math.h>

struct simulated {
    struct diag *diag;
    struct spec *spec;
    struct model *model;
    struct discretization settings;
    struct homotopy_settings homotopy;
    struct simulate_settings simulate;
    struct simulate_result result;
    struct result *table;           /* of the last run: /trajectory, /grid, /events */
};

static inline void simulated_check(struct simulated *s, enum status st)
{
    if (st == STATUS_OK)
        return;
    diag_print(s->diag, stderr);
    fprintf(stderr, "%s: %s\n", status_text(st), s->result.failure ? s->result.failure : "");
    exit(1);
}

static inline struct simulated simulated_read(const char *text)
{
    struct simulated s = { .diag = diag_create() };
    read_spec(text, MODEL_FOR_SIMULATE, s.diag, &s.spec, &s.model);
    read_settings(s.spec, s.model, &s.settings, &s.homotopy, s.diag);
    const struct setting_eval eval = model_eval(s.model);
    read_check(s.diag, simulate_settings_read(spec_get(spec_root(s.spec), "simulate"), &eval, &s.simulate, s.diag));
    return s;
}

static inline void simulated_forget(struct simulated *s)
{
    result_free(s->table);
    simulate_result_free(&s->result);
    s->table = NULL;
}

/* Runs with the present settings, in place of an earlier run; how it ended is its own matter. */
static inline enum status simulated_try(struct simulated *s)
{
    struct simulation sim;
    const struct spec_node *controls = spec_get(spec_get(spec_root(s->spec), "simulate"), "controls");
    expr *u_expr = malloc((size_t)(s->model->n_u + 1) * sizeof *u_expr);
    for (int k = 0; k < s->model->n_u; k++)
        u_expr[k] = EXPR_NONE;
    simulated_forget(s);
    if (controls)
        simulated_check(s, model_replace_controls(s->model, controls, u_expr, s->diag));
    simulation_init(&sim, s->model);
    sim.discretization = &s->settings;
    sim.homotopy = &s->homotopy;
    sim.steps = s->simulate.steps;
    sim.u_expr = u_expr;
    const enum status st = simulate_run(&sim, &s->result, s->diag);
    s->table = result_create();
    record_write(s->result.record, s->table, 2);
    free(u_expr);
    return st;
}

/* The same for runs that are to succeed. */
static inline void simulated_run(struct simulated *s)
{
    simulated_check(s, simulated_try(s));
}

static inline void simulated_free(struct simulated *s)
{
    simulated_forget(s);
    discretization_free(&s->settings);
    homotopy_settings_free(&s->homotopy);
    model_free(s->model);
    spec_free(s->spec);
    diag_free(s->diag);
}

/* State i at the end. */
static inline double simulated_end(const struct simulated *s, int i)
{
    const struct result_data *x = result_data_find(result_find(s->table, "/grid"), "x_end");
    return x->d[x->n - s->model->n_x + i];
}

static inline double simulated_h(const struct simulated *s, int element)
{
    return result_data_find(result_find(s->table, "/grid"), "h")->d[element];
}

/* Row of the n-th event of a kind; -1 if there are fewer. */
static inline int simulated_find(const struct simulated *s, const char *kind, int n)
{
    const struct result_data *data = result_data_find(result_find(s->table, "/events"), "kind");
    for (int k = 0; k < data->n; k++)
        if (strcmp(data->text[k], kind) == 0 && n-- == 0)
            return k;
    return -1;
}

/* A column of /events at the n-th event of a kind; NAN if there is none. */
static inline double simulated_event(const struct simulated *s, const char *kind, int n, const char *column)
{
    const int row = simulated_find(s, kind, n);
    return row < 0 ? NAN : result_data_find(result_find(s->table, "/events"), column)->d[row];
}

/* State i after the n-th event of a kind. */
static inline double simulated_after(const struct simulated *s, const char *kind, int n, int i)
{
    const int row = simulated_find(s, kind, n);
    const struct result_data *x = result_data_find(result_find(s->table, "/events"), "x_plus");
    return row < 0 ? NAN : x->d[row * s->model->n_x + i];
}

#endif
