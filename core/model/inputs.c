#include "core/model/inputs.h"

#include "core/base/mem.h"
#include "core/model/variables.h"

#include <stdlib.h>
#include <string.h>

struct inputs inputs_create(const struct model *model, const double *p, int n_extra, const expr *extra,
                            struct arena *mem)
{
    const int n_point = model->n_x + model->n_u + model->n_p + 1,
              n_time = n_point + (model->time.horizon_free ? 1 : 0);
    const int n_force = model->contacts.has_forces ? model_n_force(model) : 0,
              n_impulse = model->contacts.has_forces ? CONTACT_ROWS * model->contacts.n_contact : 0;
    const int n_known = n_time + n_force + n_impulse;
    struct inputs inputs = { .model = model, .n = n_known + n_extra };
    expr *sym = inputs.sym = arena_alloc(mem, (size_t)inputs.n, sizeof *sym);
    double *value = inputs.value = arena_alloc(mem, (size_t)inputs.n, sizeof *value);
    memcpy(sym, model->x_sym, (size_t)model->n_x * sizeof *sym);
    memcpy(sym + model->n_x, model->u_sym, (size_t)model->n_u * sizeof *sym);
    memcpy(sym + model->n_x + model->n_u, model->p_sym, (size_t)model->n_p * sizeof *sym);
    sym[n_point - 1] = model->t_sym;
    if (p)
        memcpy(value + model->n_x + model->n_u, p, (size_t)model->n_p * sizeof *p);
    else
        model_p_guess(model, value + model->n_x + model->n_u);
    if (model->time.horizon_free) {
        sym[n_point] = model->T_sym;
        value[n_point] = model->time.horizon;
    }
    for (int k = 0; k < n_force; k++)
        sym[n_time + k] = model->contacts.force_sym[k];
    for (int k = 0; k < n_impulse; k++)
        sym[n_time + n_force + k] = model->contacts.impulse_sym[k];
    for (int k = 0; k < n_extra; k++)
        sym[n_known + k] = extra[k];
    return inputs;
}

void inputs_set(const struct inputs *inputs, double t, const double *x, const double *u)
{
    const struct model *model = inputs->model;
    memcpy(inputs->value, x, (size_t)model->n_x * sizeof *x);
    for (int k = 0; k < model->n_u; k++)
        inputs->value[model->n_x + k] = u ? u[k] : 0;
    inputs->value[model->n_x + model->n_u + model->n_p] = t;
}

void inputs_set_forces(const struct inputs *inputs, const double *force, const double *impulse)
{
    const struct model *model = inputs->model;
    const int first = model->n_x + model->n_u + model->n_p + 1 + model->time.horizon_free, n = model_n_force(model);
    for (int k = 0; k < n && model->contacts.has_forces; k++)
        inputs->value[first + k] = force ? force[k] : 0;
    for (int k = 0; k < CONTACT_ROWS * model->contacts.n_contact && model->contacts.has_forces; k++)
        inputs->value[first + n + k] = impulse ? impulse[k] : 0;
}

struct function function_of(const struct inputs *inputs, int n, const expr *e)
{
    struct function f = { .inputs = *inputs, .n_out = n };
    expr *moving = mem_alloc((size_t)n, sizeof *moving);
    f.out = arena_alloc(&f.mem, (size_t)n, sizeof *f.out);
    f.place = arena_alloc(&f.mem, (size_t)n, sizeof *f.place);
    for (int k = 0; k < n; k++)
        if (!expr_is_const(inputs->model->graph, e[k], &f.out[k])) {
            f.place[f.n_moving] = k;
            moving[f.n_moving++] = e[k];
        }
    f.moving = f.n_moving == n ? f.out : arena_alloc(&f.mem, (size_t)f.n_moving, sizeof *f.moving);
    f.tape = tape_create(inputs->model->graph, inputs->n, inputs->sym, f.n_moving, moving);
    free(moving);
    f.work = arena_alloc(&f.mem, tape_work_size(f.tape), sizeof *f.work);
    return f;
}

struct function function_create(const struct model *model, const double *p, int n, const expr *e)
{
    struct arena mem = { NULL };
    const struct inputs inputs = inputs_create(model, p, 0, NULL, &mem);
    struct function f = function_of(&inputs, n, e);
    f.inputs_mem = mem;
    return f;
}

void function_free(struct function *f)
{
    tape_free(f->tape);
    arena_free(&f->mem);
    arena_free(&f->inputs_mem);
}

void function_ahead(struct function *f, int n, const double *point)
{
    const size_t n_in = (size_t)f->inputs.n, n_moving = (size_t)f->n_moving;
    struct ahead *ahead = &f->ahead;
    if (n > ahead->most) {
        ahead->most = n;
        ahead->point = arena_alloc(&f->mem, (size_t)n * n_in, sizeof(double));
    }
    if (!ahead->in) {
        ahead->in = arena_alloc(&f->mem, n_in * AHEAD_BLOCK, sizeof(double));
        ahead->out = arena_alloc(&f->mem, n_moving * AHEAD_BLOCK, sizeof(double));
    }
    if (n > 0)
        memcpy(ahead->point, point, (size_t)n * n_in * sizeof *point);
    ahead->n = n;
    ahead->next = ahead->n_block = 0;
}

/* The point ahead that is where the inputs are; -1: none. */
static int find_ahead(const struct function *f)
{
    const struct ahead *ahead = &f->ahead;
    const size_t bytes = (size_t)f->inputs.n * sizeof *f->seen;
    for (int k = 0; k < ahead->n; k++) {
        const int p = (ahead->next + k) % ahead->n;
        if (memcmp(&ahead->point[p * f->inputs.n], f->inputs.value, bytes) == 0)
            return p;
    }
    return -1;
}

static void take_ahead(struct function *f, int p)
{
    struct ahead *ahead = &f->ahead;
    const int n_in = f->inputs.n;
    if (p < ahead->first || p >= ahead->first + ahead->n_block) {
        ahead->first = p;
        ahead->n_block = ahead->n - p < AHEAD_BLOCK ? ahead->n - p : AHEAD_BLOCK;
        for (int k = 0; k < ahead->n_block; k++)
            for (int i = 0; i < n_in; i++)
                ahead->in[i * AHEAD_BLOCK + k] = ahead->point[(p + k) * n_in + i];
        tape_eval(f->tape, ahead->n_block, ahead->in, AHEAD_BLOCK, ahead->out, AHEAD_BLOCK, f->work);
    }
    for (int i = 0; i < f->n_moving; i++)
        f->out[f->place[i]] = ahead->out[i * AHEAD_BLOCK + p - ahead->first];
    ahead->next = p + 1;
}

static void take_one(struct function *f)
{
    tape_eval(f->tape, 1, f->inputs.value, 1, f->moving, 1, f->work);
    for (int i = 0; i < f->n_moving && f->moving != f->out; i++)
        f->out[f->place[i]] = f->moving[i];
}

const double *function_values(struct function *f)
{
    const size_t bytes = (size_t)f->inputs.n * sizeof *f->seen;
    if (f->seen && memcmp(f->seen, f->inputs.value, bytes) == 0)
        return f->out;
    if (!f->seen)
        f->seen = arena_alloc(&f->mem, (size_t)f->inputs.n, sizeof *f->seen);
    memcpy(f->seen, f->inputs.value, bytes);
    const int p = find_ahead(f);
    if (p >= 0)
        take_ahead(f, p);
    else
        take_one(f);
    f->n_eval++;
    return f->out;
}

const double *function_eval(struct function *f, double t, const double *x, const double *u)
{
    inputs_set(&f->inputs, t, x, u);
    return function_values(f);
}
