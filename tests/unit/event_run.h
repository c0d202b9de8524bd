/* tests/unit/event_run.h - a spec in a string or a file, simulated from event to event; for tests of simulation.h
 *
 * What goes wrong in reading is printed and ends the program; a run that ends early is the test's business.
 */
#ifndef COCP_TESTS_UNIT_EVENT_RUN_H
#define COCP_TESTS_UNIT_EVENT_RUN_H

#include "core/simulation/simulation.h"

#include "core/model/read/read.h"
#include "tests/unit/assertions.h"
#include "tests/unit/read_spec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct event_run {
    struct diag *diag;
    struct spec *spec;
    struct model *model;
    struct sim_task task;
    struct sim *sim;                /* of the last run */
    expr *u_expr;
};

static inline void event_run_print(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "# %s\n", text);
}

/* A spec, by its text or, if that is one line, by its path. */
static inline struct event_run event_run_read(const char *text)
{
    struct event_run r = { .diag = diag_create() };
    read_spec(text, MODEL_FOR_SIMULATE, r.diag, &r.spec, &r.model);
    const struct spec_node *controls = spec_get(spec_get(spec_root(r.spec), "simulate"), "controls");
    r.u_expr = malloc((size_t)(r.model->n_u + 1) * sizeof *r.u_expr);
    for (int k = 0; k < r.model->n_u; k++)
        r.u_expr[k] = EXPR_NONE;
    if (controls && controls->kind != SPEC_SCALAR)
        read_check(r.diag, model_replace_controls(r.model, controls, r.u_expr, r.diag));
    sim_task_init(&r.task, r.model);
    r.task.u_expr = r.u_expr;
    r.task.on_note = event_run_print;
    return r;
}

/* Runs the task as it is now, in place of an earlier run. */
static inline enum status event_run_go(struct event_run *r)
{
    sim_free(r->sim);
    read_check(r->diag, sim_run(&r->task, &r->sim, r->diag));
    return sim_status(r->sim);
}

/* Of a spec that has to run to its end. */
static inline struct event_run event_run_solved(const char *text)
{
    struct event_run r = event_run_read(text);
    if (event_run_go(&r) != STATUS_OK)
        fail_msg("%s, of %s", sim_message(r.sim), text);
    return r;
}

static inline void event_run_free(struct event_run *r)
{
    sim_free(r->sim);
    free(r->u_expr);
    model_free(r->model);
    spec_free(r->spec);
    diag_free(r->diag);
}

/* State i at the end. */
static inline double event_run_end(const struct event_run *r, int i)
{
    double *x = malloc((size_t)r->model->n_x * sizeof *x);
    sim_eval(r->sim, sim_t_end(r->sim), -1, x);
    const double x_i = x[i];
    free(x);
    return x_i;
}

static inline int event_run_count(const struct event_run *r, enum sim_kind kind)
{
    int n = 0;
    for (int k = 0; k < sim_n_events(r->sim); k++)
        n += sim_event_at(r->sim, k)->kind == kind;
    return n;
}

/* The n-th event of a kind; of NAN if there are fewer. */
static inline struct sim_event event_run_event(const struct event_run *r, enum sim_kind kind, int n)
{
    for (int k = 0; k < sim_n_events(r->sim); k++)
        if (sim_event_at(r->sim, k)->kind == kind && n-- == 0)
            return *sim_event_at(r->sim, k);
    return (struct sim_event){ .t = NAN, .impulse = { NAN, NAN, NAN } };
}

/* The first note of a run: task.on_note = event_run_hear, with one of these as its user. */
struct event_run_note { char text[600]; };

static inline void event_run_hear(void *user, const char *text)
{
    struct event_run_note *heard = user;
    if (!heard->text[0])
        (void)snprintf(heard->text, sizeof heard->text, "%s", text);
}

/* What a body or joint of the model has under a name, as "arm.com.z". */
static inline expr named_quantity(const struct model *m, const char *name)
{
    for (int k = 0; k < m->mechanics.n_quantity; k++)
        if (strcmp(m->mechanics.quantity[k].name, name) == 0)
            return m->mechanics.quantity[k].e;
    fail_msg("there is no %s", name);
    return EXPR_NONE;
}

#endif
