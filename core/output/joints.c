#include "core/output/joints.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STAGES = 32 };

struct reading {
    const struct result *result;
    const struct model *model;
    struct joint_motion *out;
    const double **q_from, **v_from, **tau_from; /* columns of /uniform */
    int *v_state;                                /* places in x */
    double *ratio, *offset;                      /* of each column of q; of v the ratio alone */
    double *v_ratio;
    bool whole; /* every dataset is there */
};

/* --- Joints -------------------------------------------------------------------------------------------------- */

static const double *column(struct reading *r, const char *name)
{
    const struct result_data *data = result_data_of(r->result, "/uniform", name);
    if (data && data->d && data->n == r->out->n_t)
        return data->d;
    r->whole = false;
    return NULL;
}

static void add_position(struct reading *r, const char *name, int state, double ratio, double offset)
{
    struct joint_motion *out = r->out;
    out->q_name[out->n_q] = arena_copy_text(&out->mem, name);
    r->q_from[out->n_q] = column(r, r->model->x[state].name);
    r->ratio[out->n_q] = ratio;
    r->offset[out->n_q++] = offset;
}

static void add_velocity(struct reading *r, const char *name, int state, double ratio)
{
    struct joint_motion *out = r->out;
    out->v_name[out->n_v] = arena_copy_text(&out->mem, name);
    r->v_from[out->n_v] = column(r, r->model->x[state].name);
    r->v_state[out->n_v] = state;
    r->v_ratio[out->n_v++] = ratio;
}

static void add_joint(struct reading *r, int b)
{
    struct joint_motion *out = r->out;
    const struct model *model = r->model;
    const struct model_joint *joint = &model->mechanics.joint[b];
    const struct model_joint *moves = joint->leader >= 0 ? &model->mechanics.joint[joint->leader] : joint;
    const bool has_axis =
        joint->type == JOINT_REVOLUTE || joint->type == JOINT_CONTINUOUS || joint->type == JOINT_PRISMATIC;
    if (has_axis && moves->n_q == 1) {
        const int k = out->n_joint++;
        out->joint_name[k] = arena_copy_text(&out->mem, joint->name);
        out->joint_q[k] = out->n_q;
        out->joint_v[k] = out->n_v;
        out->joint_tau[k] = joint->control ? out->n_tau : -1;
        out->follows[k] = joint->leader >= 0;
        add_position(r, joint->name, moves->q[0], joint->leader >= 0 ? joint->ratio : 1,
                     joint->leader >= 0 ? joint->offset : 0);
        add_velocity(r, arena_printf(&out->mem, "%s_v", joint->name), moves->v[0],
                     joint->leader >= 0 ? joint->ratio : 1);
    }
    for (int i = 0; i < joint->n_q && !has_axis; i++)
        add_position(r, model->x[joint->q[i]].name, joint->q[i], 1, 0);
    for (int i = 0; i < joint->n_v && !has_axis; i++)
        add_velocity(r, model->x[joint->v[i]].name, joint->v[i], 1);
    if (joint->control) {
        out->tau_name[out->n_tau] = arena_copy_text(&out->mem, joint->control);
        r->tau_from[out->n_tau++] = column(r, joint->control);
    }
}

/* Depth first: a stack of bodies takes the place of calls. */
static void add_joints(struct reading *r)
{
    const struct model_mechanics *mechanics = &r->model->mechanics;
    const int n_body = mechanics->n_joint;
    int *stack = mem_alloc((size_t)n_body + 1, sizeof *stack), n = 0;
    stack[n++] = -1;
    while (n > 0) {
        const int b = stack[--n];
        if (b >= 0)
            add_joint(r, b);
        for (int k = n_body - 1; k >= 0; k--)
            if (mechanics->joint[k].type != JOINT_NONE && mechanics->body[k].parent == b)
                stack[n++] = k;
    }
    free(stack);
}

/* --- Accelerations ------------------------------------------------------------------------------------------- */

/* The states' polynomials in the elements of /grid: through x_start at 0, unless c begins there, and x_stage at c.
 */
struct grid_polynomials {
    int n_element, n_stage, n_x, n_node;
    double node[MOST_STAGES + 1];
    const double *t, *h, *start, *stage;
};

static const double *values_of(const struct result *result, const char *name, int n)
{
    const struct result_data *data = result_data_of(result, "/grid", name);
    return data && data->d && (n < 0 || data->n == n) ? data->d : NULL;
}

/* False where physical time is none of the grid, or the grid is not there. */
static bool find_polynomials(const struct reading *r, struct grid_polynomials *out)
{
    const struct result *result = r->result;
    *out = (struct grid_polynomials){ .n_element = result_axis_size(result, "/grid", "element"),
                                      .n_stage = result_axis_size(result, "/grid", "stage"),
                                      .n_x = result_axis_size(result, "/grid", "state") };
    const double *c = values_of(result, "c", out->n_stage);
    if (out->n_element < 1 || out->n_stage < 1 || out->n_stage > MOST_STAGES || out->n_x != r->model->n_x || !c
        || result_data_of(result, "/trajectory", "dt_dt_num"))
        return false;
    out->t = values_of(result, "t_start", out->n_element);
    out->h = values_of(result, "h", out->n_element);
    out->start = values_of(result, "x_start", out->n_element * out->n_x);
    out->stage = values_of(result, "x_stage", out->n_element * out->n_stage * out->n_x);
    out->n_node = 0;
    if (c[0] > 0)
        out->node[out->n_node++] = 0;
    for (int k = 0; k < out->n_stage; k++)
        out->node[out->n_node++] = c[k];
    return out->t && out->h && out->start && out->stage;
}

/* Derivatives at s of Lagrange's polynomials of the nodes. */
static void lagrange_slopes(int n, const double *node, double s, double *slope)
{
    for (int i = 0; i < n; i++) {
        slope[i] = 0;
        for (int j = 0; j < n; j++) {
            double product = 1 / (node[i] - node[j]);
            for (int m = 0; m < n && j != i; m++)
                product *= m == i || m == j ? 1 : (s - node[m]) / (node[i] - node[m]);
            slope[i] += j == i ? 0 : product;
        }
    }
}

static void find_accelerations(struct reading *r)
{
    struct joint_motion *out = r->out;
    struct grid_polynomials grid;
    double slope[MOST_STAGES + 1] = { 0 };
    if (!find_polynomials(r, &grid))
        return;
    out->a = arena_alloc(&out->mem, (size_t)out->n_t * (size_t)out->n_v, sizeof *out->a);
    const int first = grid.n_node - grid.n_stage; /* 1: node 0 is x_start */
    for (int k = 0, e = 0; k < out->n_t; k++) {
        while (e + 1 < grid.n_element && (grid.t[e + 1] <= out->t[k] || !(grid.h[e] > 0)))
            e++;
        for (; e > 0 && !(grid.h[e] > 0); e--) {
        }
        lagrange_slopes(grid.n_node, grid.node, (out->t[k] - grid.t[e]) / grid.h[e], slope);
        for (int i = 0; i < out->n_v; i++) {
            const size_t x = (size_t)r->v_state[i], n_x = (size_t)grid.n_x, at = (size_t)e;
            double sum = first ? slope[0] * grid.start[at * n_x + x] : 0;
            for (int s = 0; s < grid.n_stage; s++)
                sum += slope[first + s] * grid.stage[(at * (size_t)grid.n_stage + (size_t)s) * n_x + x];
            out->a[(size_t)k * (size_t)out->n_v + (size_t)i] = r->v_ratio[i] * sum / grid.h[e];
        }
    }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void make_room(struct reading *r, struct arena *mem)
{
    struct joint_motion *out = r->out;
    const size_t n = (size_t)r->model->mechanics.n_joint, most = 7 * n;
    out->q_name = arena_alloc(&out->mem, most, sizeof *out->q_name);
    out->v_name = arena_alloc(&out->mem, most, sizeof *out->v_name);
    out->tau_name = arena_alloc(&out->mem, n, sizeof *out->tau_name);
    out->joint_name = arena_alloc(&out->mem, n, sizeof *out->joint_name);
    out->joint_q = arena_alloc(&out->mem, n, sizeof *out->joint_q);
    out->joint_v = arena_alloc(&out->mem, n, sizeof *out->joint_v);
    out->joint_tau = arena_alloc(&out->mem, n, sizeof *out->joint_tau);
    out->follows = arena_alloc(&out->mem, n, sizeof *out->follows);
    r->q_from = arena_alloc(mem, most, sizeof *r->q_from);
    r->v_from = arena_alloc(mem, most, sizeof *r->v_from);
    r->tau_from = arena_alloc(mem, n, sizeof *r->tau_from);
    r->v_state = arena_alloc(mem, most, sizeof *r->v_state);
    r->ratio = arena_alloc(mem, most, sizeof *r->ratio);
    r->offset = arena_alloc(mem, most, sizeof *r->offset);
    r->v_ratio = arena_alloc(mem, most, sizeof *r->v_ratio);
}

static void copy_columns(struct reading *r)
{
    struct joint_motion *out = r->out;
    out->q = arena_alloc(&out->mem, (size_t)out->n_t * (size_t)out->n_q, sizeof *out->q);
    out->v = arena_alloc(&out->mem, (size_t)out->n_t * (size_t)out->n_v, sizeof *out->v);
    out->tau = arena_alloc(&out->mem, (size_t)out->n_t * (size_t)out->n_tau, sizeof *out->tau);
    double *q = out->q, *v = out->v, *tau = out->tau;
    for (int k = 0; k < out->n_t; k++) {
        for (int i = 0; i < out->n_q; i++)
            *q++ = r->ratio[i] * r->q_from[i][k] + r->offset[i];
        for (int i = 0; i < out->n_v; i++)
            *v++ = r->v_ratio[i] * r->v_from[i][k];
        for (int i = 0; i < out->n_tau; i++)
            *tau++ = r->tau_from[i][k];
    }
}

enum status joint_motion_read(const struct result *result, const struct model *model, const char *name,
                              struct joint_motion *out, struct diag *diag)
{
    const struct result_group *uniform = result_find(result, "/uniform");
    const int axis = result_axis_find(uniform, "t");
    struct arena mem = { NULL };
    struct reading r = { .result = result, .model = model, .out = out, .whole = true };
    *out = (struct joint_motion){ .n_t = 0 };
    if (axis < 0 || !uniform->axis[axis]->values)
        return diag_fail(diag, STATUS_IO, "%s holds no trajectory: joints are read from the group /uniform", name);
    if (strcmp(model->time.unit, "s") != 0)
        return diag_fail(diag, STATUS_IO, "%s has times in %s: joints are exported in s, so set time.unit to s",
                         name, model->time.unit);
    out->n_t = uniform->axis[axis]->n;
    out->t = arena_copy(&out->mem, uniform->axis[axis]->values, (size_t)out->n_t, sizeof *out->t);
    make_room(&r, &mem);
    add_joints(&r);
    enum status st = STATUS_OK;
    if (out->n_v == 0)
        st = diag_fail(diag, STATUS_IO, "the spec of %s has no joints that move: --joints wants bodies on joints",
                       name);
    else if (!r.whole)
        st =
            diag_fail(diag, STATUS_IO, "%s does not have all states and controls of its joints in /uniform", name);
    if (st == STATUS_OK) {
        copy_columns(&r);
        find_accelerations(&r);
    }
    arena_free(&mem);
    return st;
}

void joint_motion_free(struct joint_motion *motion)
{
    arena_free(&motion->mem);
}
