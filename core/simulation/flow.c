#include "core/simulation/flow.h"

#include "core/model/kinematics.h"

#include <math.h>
#include <string.h>

enum { OF_NORMAL, OF_TANGENT, OF_STEP = CONTACT_ROWS };           /* kinds of unknowns: the row of a contact, or a step */

static const double NO_SOLUTION = 1e-8;     /* residual of accelerations, relative to their size */
enum { NEWTON_MAX = 30 };                   /* of products of alpha; bilinear ones take about five */

bool mode_is_closed(enum sim_mode mode)
{
    return mode == SIM_STICKS || mode == SIM_FORWARD || mode == SIM_BACKWARD;
}

void mode_init(struct mode *mode, struct arena *mem, const struct system *sys)
{
    mode->of = arena_alloc(mem, (size_t)sys->n_subject, sizeof *mode->of);
    mode->direction = arena_alloc(mem, SLIP_MAX * (size_t)sys->n_c, sizeof(double));
    mode->u = NULL;
}

void mode_copy(struct mode *to, const struct mode *from, const struct system *sys)
{
    memcpy(to->of, from->of, (size_t)sys->n_subject * sizeof *to->of);
    memcpy(to->direction, from->direction, SLIP_MAX * (size_t)sys->n_c * sizeof(double));
    to->u = from->u;
}

void flow_init(struct flow *flow, struct arena *mem, struct system *sys)
{
    const size_t n_q = (size_t)sys->n_q, n_x = (size_t)sys->n_x,
                 n = CONTACT_ROWS * (size_t)sys->n_c + (size_t)sys->n_s;
    const size_t rows = n + (size_t)sys->n_c;                   /* of a projection: gaps too */
    *flow = (struct flow){ .sys = sys };
    dense_init(&flow->dense, mem, (int)rows);
    flow->L = arena_alloc(mem, n_q * n_q, sizeof(double));
    flow->factored = arena_alloc(mem, n_q * n_q, sizeof(double));
    flow->W = arena_alloc(mem, n_q * CONTACT_ROWS * (size_t)sys->n_c, sizeof(double));
    flow->G = arena_alloc(mem, CONTACT_ROWS * (size_t)sys->n_c * CONTACT_ROWS * (size_t)sys->n_c, sizeof(double));
    flow->has_W = arena_alloc(mem, CONTACT_ROWS * (size_t)sys->n_c, sizeof(bool));
    flow->wanted = arena_alloc(mem, n_q * CONTACT_ROWS * (size_t)sys->n_c, sizeof(double));
    flow->wanted_row = arena_alloc(mem, CONTACT_ROWS * (size_t)sys->n_c, sizeof(int));
    flow->free = arena_alloc(mem, n_x, sizeof(double));
    flow->has_G = arena_alloc(mem, CONTACT_ROWS * (size_t)sys->n_c * CONTACT_ROWS * (size_t)sys->n_c, sizeof(bool));
    flow->A = arena_alloc(mem, n * n, sizeof(double));
    flow->b = arena_alloc(mem, n, sizeof(double));
    flow->z = arena_alloc(mem, n, sizeof(double));
    flow->weight = arena_alloc(mem, n, sizeof(double));
    flow->other = arena_alloc(mem, n, sizeof(double));
    flow->from = arena_alloc(mem, 2 * n, sizeof(double));
    flow->column = arena_alloc(mem, n_x * n, sizeof(double));
    flow->kind = arena_alloc(mem, n, sizeof(int));
    flow->subject = arena_alloc(mem, n, sizeof(int));
    flow->scratch = arena_alloc(mem, n_x, sizeof(double));
    flow->along = arena_alloc(mem, SLIP_MAX * n, sizeof(double));
    flow->row = arena_alloc(mem, rows * n_x, sizeof(double));
    flow->row_rhs = arena_alloc(mem, rows, sizeof(double));
    flow->dx = arena_alloc(mem, n_x, sizeof(double));
    flow->force = arena_alloc(mem, CONTACT_ROWS * (size_t)sys->n_c, sizeof(double));
    flow->alpha = arena_alloc(mem, (size_t)sys->n_s, sizeof(double));
}

void flow_set_inputs(struct flow *flow, const struct mode *mode, double t, const double *x)
{
    struct system *sys = flow->sys;
    memcpy(sys->x, x, (size_t)sys->n_x * sizeof *x);
    *sys->t = t;
    system_set_controls(sys, mode->u);
    for (int m = 0; m < sys->n_m; m++) {
        const struct model_machine *machine = &sys->model->switching.machine[m];
        const int state = (int)mode->of[sys->n_c + sys->n_s + m];
        for (int k = 0; k < machine->n_signal; k++)
            sys->signal[machine->first_signal + k] = machine->value[state * machine->n_signal + k];
    }
    for (int k = 0; k < sys->corner.n; k++) {
        sys->corner.held[k] = mode->of[system_corner(sys, k)];
        sys->corner.is_held[k] = mode_is_closed(mode->of[sys->corner.of[k]]);
    }
    for (int k = 0; k < sys->n_s; k++) {
        const enum sim_mode is = mode->of[sys->n_c + k];
        sys->alpha[k] = is == SIM_POSITIVE     ? 1
                        : is == SIM_NEGATIVE   ? 0
                        : sys->alpha_is_affine ? 0
                                               : flow->alpha[k];
    }
}

void flow_direction(const struct flow *flow, const struct mode *mode, int c, const struct contact_at *at,
                    double d[SLIP_MAX])
{
    const struct system *sys = flow->sys;
    const int n_t = sys->model->contacts.contact[c].n_t;
    memset(d, 0, SLIP_MAX * sizeof *d);
    if (n_t == 1)
        d[0] = mode->of[c] == SIM_FORWARD ? 1 : -1;
    if (n_t < 2)
        return;
    if (flow->held_direction) {
        memcpy(d, &flow->held_direction[SLIP_MAX * c], SLIP_MAX * sizeof *d);
        return;
    }
    const double *side = &mode->direction[SLIP_MAX * c], speed = slip_size(at->v_t),
                 along = slip_dot(at->v_t, side);
    /* beyond the point of rest the field goes on as before it: the guard finds the point itself */
    for (int k = 0; k < n_t; k++)
        d[k] = speed > FLOW_NO_DIRECTION ? copysign(1, along) * at->v_t[k] / speed : side[k];
}

/* --- The linear system --------------------------------------------------------------------------------------- */

/* The part v' = M^-1 force of x'. */
static void accelerate(struct flow *flow, const double *force, double *dx)
{
    const struct system *sys = flow->sys;
    double *a = flow->scratch;
    memcpy(a, force, (size_t)sys->n_q * sizeof *a);
    dense_back(sys->n_q, flow->L, 1, a);
    for (int i = 0; i < sys->n_q; i++)
        dx[sys->model->mechanics.v_index[i]] = a[i];
}

/* Row n: J by the n_index states of an index, velocities or positions, is rhs. */
static void add_row(struct flow *flow, int n, int n_index, const int *index, const double *J, double rhs)
{
    const struct system *sys = flow->sys;
    double *row = &flow->row[n * sys->n_x];
    memset(row, 0, (size_t)sys->n_x * sizeof *row);
    for (int i = 0; i < n_index; i++)
        row[index[i]] = J[i];
    flow->row_rhs[n] = rhs;
}

/* Row k of contact c among those of all contacts. */
static int place_of(int c, int k) { return CONTACT_ROWS * c + k; }

static const double *J_of(const struct flow *flow, int place)
{
    return contact_functions_J(&flow->sys->contacts, place / CONTACT_ROWS) + place % CONTACT_ROWS * flow->sys->n_q;
}

/* M^-1 J of a row. */
static const double *W_of(struct flow *flow, int place)
{
    const int n_q = flow->sys->n_q;
    double *W = &flow->W[place * n_q];
    if (!flow->has_W[place]) {
        memcpy(W, J_of(flow, place), (size_t)n_q * sizeof *W);
        dense_back(n_q, flow->L, 1, W);
        flow->has_W[place] = true;
    }
    return W;
}

/* W of all rows of closed contacts that a mode asks for: together they go through L several times as fast. */
static void find_W(struct flow *flow, const struct mode *mode)
{
    const struct system *sys = flow->sys;
    const int n_q = sys->n_q;
    int n = 0;
    for (int c = 0; c < sys->n_c; c++) {
        if (!mode_is_closed(mode->of[c]))
            continue;
        const bool rubs = mode->of[c] == SIM_STICKS || system_has_friction(sys, c);
        for (int k = 0; k <= (rubs ? sys->model->contacts.contact[c].n_t : 0); k++)
            if (!flow->has_W[place_of(c, k)])
                flow->wanted_row[n++] = place_of(c, k);
    }
    for (int k = 0; k < n; k++)
        memcpy(&flow->wanted[k * n_q], J_of(flow, flow->wanted_row[k]), (size_t)n_q * sizeof *flow->wanted);
    dense_back(n_q, flow->L, n, flow->wanted);
    for (int k = 0; k < n; k++) {
        memcpy(&flow->W[flow->wanted_row[k] * n_q], &flow->wanted[k * n_q], (size_t)n_q * sizeof *flow->W);
        flow->has_W[flow->wanted_row[k]] = true;
    }
}

/* What a force along row j does to the acceleration of row i. */
static double G_of(struct flow *flow, int i, int j)
{
    const int n = CONTACT_ROWS * flow->sys->n_c, k = i + j * n;
    if (!flow->has_G[k]) {
        flow->G[k] = flow->G[j + i * n] = vec_dot(flow->sys->n_q, J_of(flow, i), W_of(flow, j));
        flow->has_G[k] = flow->has_G[j + i * n] = true;
    }
    return flow->G[k];
}

/* Forgets W and G where they are of another state. */
static void open_contacts(struct flow *flow)
{
    const size_t n = CONTACT_ROWS * (size_t)flow->sys->n_c;
    const long dynamics = flow->sys->dynamics.n_eval, contacts = flow->sys->contacts.f.n_eval;
    if (flow->at_dynamics == dynamics && flow->at_contacts == contacts)
        return;
    memset(flow->has_W, 0, n * sizeof *flow->has_W);
    memset(flow->has_G, 0, n * n * sizeof *flow->has_G);
    flow->at_dynamics = dynamics;
    flow->at_contacts = contacts;
}

/* The friction that a unit of unknown j brings along row k of its contact: mu d of slip, else 0. */
static double friction_of(const struct flow *flow, int j, int k)
{
    return flow->kind[j] == OF_NORMAL ? flow->along[SLIP_MAX * j + k] : 0;
}

/* An unknown force of kind k, what it changes in x', and its row J'v' + bias = 0. */
static int add_force(struct flow *flow, int n, int k, int c, const double *J, double bias)
{
    const struct system *sys = flow->sys;
    double *column = &flow->column[n * sys->n_x];
    const double *W = W_of(flow, place_of(c, k));
    flow->kind[n] = k;
    flow->subject[n] = c;
    memset(column, 0, (size_t)sys->n_x * sizeof *column);
    for (int i = 0; i < sys->n_q; i++)
        column[sys->model->mechanics.v_index[i]] = W[i];
    for (int l = 0; l < SLIP_MAX; l++) {
        const double part = friction_of(flow, n, l);
        const double *W_t = part != 0 ? W_of(flow, place_of(c, 1 + l)) : NULL;
        for (int i = 0; i < sys->n_q && W_t; i++)
            column[sys->model->mechanics.v_index[i]] -= part * W_t[i];
    }
    add_row(flow, n, sys->n_q, sys->model->mechanics.v_index, J, -bias);
    return n + 1;
}

static int add_contact(struct flow *flow, const struct mode *mode, int c, int n)
{
    const struct system *sys = flow->sys;
    const struct contact_at at = system_contact(sys, c);
    const int n_t = sys->model->contacts.contact[c].n_t;
    double *along = &flow->along[SLIP_MAX * n];
    memset(along, 0, SLIP_MAX * sizeof *along);
    if (mode->of[c] != SIM_STICKS && system_has_friction(sys, c)) {
        flow_direction(flow, mode, c, &at, along);
        for (int k = 0; k < SLIP_MAX; k++)
            along[k] *= sys->mu[c];
    }
    n = add_force(flow, n, OF_NORMAL, c, at.J_n, at.bias_n);
    for (int k = 0; k < n_t && mode->of[c] == SIM_STICKS; k++)
        n = add_force(flow, n, OF_TANGENT + k, c, at.J_t[k], at.bias_t[k]);
    return n;
}

/* Of a pair the row is no rate: solve() has its c = 0. */
static int add_switch(struct flow *flow, int k, int n)
{
    const struct system *sys = flow->sys;
    double *column = &flow->column[n * sys->n_x], *row = &flow->row[n * sys->n_x];
    memcpy(column, &sys->at.rhs_a[k * sys->n_x], (size_t)sys->n_x * sizeof *column);
    accelerate(flow, &sys->at.f_a[k * sys->n_q], column);
    memcpy(row, &sys->at.c_x[k * sys->n_x], (size_t)sys->n_x * sizeof *row);
    if (system_is_pair(sys, k))
        memset(row, 0, (size_t)sys->n_x * sizeof *row);
    flow->row_rhs[n] = system_is_pair(sys, k) ? -sys->at.c[k] : -sys->at.c_t[k];
    flow->kind[n] = OF_STEP;
    flow->subject[n] = k;
    return n + 1;
}

/* Where forces are not unique, the tangential ones share by what each contact can bear. */
static void share_load(struct flow *flow, int n)
{
    for (int j = 0; j < n; j++) {
        flow->weight[j] = 1;
        for (int i = 0; i < n; i++)
            if (flow->kind[j] != OF_NORMAL && flow->kind[j] != OF_STEP && flow->kind[i] == OF_NORMAL
                && flow->subject[i] == flow->subject[j])
                flow->weight[j] = sqrt(fmax(flow->sys->mu[flow->subject[j]] * flow->z[i], 1e-12 * flow->scale_f));
    }
}

static void size_up(struct flow *flow, int n)
{
    flow->scale_a = flow->scale_f = 1;
    for (int j = 0; j < n; j++) {
        flow->scale_a = fmax(flow->scale_a, fabs(flow->b[j]));
        if (flow->kind[j] != OF_STEP)
            flow->scale_f = fmax(flow->scale_f, fabs(flow->z[j]));
    }
}

/* Of many solutions the one of least size, weighted: of forces of pairs their own, not that of their change. */
static double solve_least(struct flow *flow, int n, double *z)
{
    const struct system *sys = flow->sys;
    bool is_redundant;
    double *from = flow->from, *b = flow->from + n;
    for (int j = 0; j < n; j++) {
        const bool is_pair = flow->kind[j] == OF_STEP && system_is_pair(sys, flow->subject[j]);
        from[j] = is_pair ? sys->alpha[flow->subject[j]] - 1 : 0;
    }
    for (int i = 0; i < n; i++) {
        b[i] = flow->b[i];
        for (int j = 0; j < n; j++)
            b[i] += flow->A[i + j * n] * from[j];
    }
    const double left = dense_solve(&flow->dense, n, flow->A, b, flow->weight, z, &is_redundant);
    for (int j = 0; j < n; j++)
        z[j] -= from[j];
    return left;
}

/* Where forces of pairs are not unique, is what they do? Another solution moves nothing else then. */
static bool is_motion_unique(struct flow *flow, int n)
{
    const int n_x = flow->sys->n_x;
    double *other = flow->other, most = 0, size = 1;
    for (int j = 0; j < n; j++)
        flow->weight[j] = 1 + (double)j / n;
    (void)solve_least(flow, n, other);
    for (int i = 0; i < n_x; i++) {
        double moved = 0;
        for (int j = 0; j < n; j++) {
            const double part = flow->column[j * n_x + i];
            moved += (other[j] - flow->z[j]) * part;
            size = fmax(size, fabs(flow->z[j] * part));
        }
        most = fmax(most, fabs(moved));
    }
    return most <= NO_SOLUTION * size;
}

/* What unknown j does to row i: by x', and H of a pair depends on the forces of pairs besides. */
static double effect(struct flow *flow, int i, int j)
{
    const struct system *sys = flow->sys;
    if (flow->kind[i] == OF_STEP || flow->kind[j] == OF_STEP) {
        const bool both = flow->kind[i] == flow->kind[j] && system_is_pair(sys, flow->subject[i]);
        return vec_dot(sys->n_x, &flow->row[i * sys->n_x], &flow->column[j * sys->n_x])
               + (both ? sys->at.c_a[flow->subject[i] + flow->subject[j] * sys->n_s] : 0);
    }
    const int row = place_of(flow->subject[i], flow->kind[i]);
    double sum = G_of(flow, row, place_of(flow->subject[j], flow->kind[j]));
    for (int l = 0; l < SLIP_MAX; l++)
        if (friction_of(flow, j, l) != 0)
            sum -= friction_of(flow, j, l) * G_of(flow, row, place_of(flow->subject[j], 1 + l));
    return sum;
}

/* Solves for the n unknowns and adds their part to x'. */
static enum flow_outcome solve(struct flow *flow, int n)
{
    const int n_x = flow->sys->n_x;
    for (int i = 0; i < n; i++) {
        const double *row = &flow->row[i * n_x];
        flow->b[i] = flow->row_rhs[i] - vec_dot(n_x, row, flow->dx);
        for (int j = 0; j < n; j++)
            flow->A[i + j * n] = effect(flow, i, j);
    }
    double left = dense_solve(&flow->dense, n, flow->A, flow->b, NULL, flow->z, &flow->is_redundant);
    size_up(flow, n);
    if (flow->is_redundant && left <= NO_SOLUTION * flow->scale_a) {
        share_load(flow, n);
        left = solve_least(flow, n, flow->z);
    }
    const bool is_unique = !flow->sys->has_pairs || !flow->is_redundant || is_motion_unique(flow, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n_x; i++)
            flow->dx[i] += flow->z[j] * flow->column[j * n_x + i];
    if (isnan(left))
        return FLOW_NAN;
    return left <= NO_SOLUTION * flow->scale_a && is_unique ? FLOW_OK : FLOW_NO_SOLUTION;
}

/* Forces and steps from the unknowns; returns the largest change of an alpha, of a pair relative to its size. */
static double take_unknowns(struct flow *flow, const struct mode *mode, int n)
{
    const struct system *sys = flow->sys;
    double change = 0;
    flow->n_unknown = n;
    memset(flow->force, 0, CONTACT_ROWS * (size_t)sys->n_c * sizeof(double));
    memcpy(flow->alpha, sys->alpha, (size_t)sys->n_s * sizeof(double));
    for (int j = 0; j < n; j++) {
        const int s = flow->subject[j];
        if (flow->kind[j] == OF_STEP) {
            flow->alpha[s] += flow->z[j];
            change = fmax(change, fabs(flow->z[j]) / (system_is_pair(sys, s) ? fmax(1, fabs(flow->alpha[s])) : 1));
            continue;
        }
        flow->force[CONTACT_ROWS * s + flow->kind[j]] = flow->z[j];
        if (flow->kind[j] == OF_NORMAL && mode->of[s] != SIM_STICKS && sys->mu[s] > 0)
            for (int k = 0; k < SLIP_MAX; k++)
                flow->force[CONTACT_ROWS * s + 1 + k] = -flow->z[j] * flow->along[SLIP_MAX * j + k];
    }
    return change;
}

/* M of the last evaluation, unless it is what L is of already. */
static enum flow_outcome factor_mass(struct flow *flow)
{
    const int n_q = flow->sys->n_q;
    const size_t bytes = (size_t)(n_q * n_q) * sizeof *flow->L;
    if (flow->is_factored && memcmp(flow->factored, flow->sys->at.M, bytes) == 0)
        return FLOW_OK;
    if (!dense_is_finite(n_q * n_q, flow->sys->at.M))
        return FLOW_NAN;
    memcpy(flow->factored, flow->sys->at.M, bytes);
    memcpy(flow->L, flow->sys->at.M, bytes);
    flow->is_factored = dense_factor(n_q, flow->L);
    return flow->is_factored ? FLOW_OK : FLOW_MASS;
}

/* L and x' without forces, unless they are of the last evaluation already. */
static enum flow_outcome move_freely(struct flow *flow)
{
    struct system *sys = flow->sys;
    system_eval_dynamics(sys);
    if (flow->at_free == sys->dynamics.n_eval)
        return FLOW_OK;
    flow->at_free = 0;
    if (!dense_is_finite(sys->n_q + sys->n_x, sys->at.f_v))
        return FLOW_NAN;
    const enum flow_outcome outcome = factor_mass(flow);
    if (outcome != FLOW_OK)
        return outcome;
    memcpy(flow->free, sys->at.rhs, (size_t)sys->n_x * sizeof *flow->free);
    accelerate(flow, sys->at.f_v, flow->free);
    flow->at_free = sys->dynamics.n_eval;
    return FLOW_OK;
}

static enum flow_outcome eval_once(struct flow *flow, const struct mode *mode, int *n)
{
    struct system *sys = flow->sys;
    flow->n_eval++;
    const enum flow_outcome outcome = move_freely(flow);
    if (outcome != FLOW_OK)
        return outcome;
    memcpy(flow->dx, flow->free, (size_t)sys->n_x * sizeof *flow->dx);
    *n = 0;
    open_contacts(flow);
    find_W(flow, mode);
    for (int c = 0; c < sys->n_c; c++)
        if (mode_is_closed(mode->of[c]))
            *n = add_contact(flow, mode, c, *n);
    for (int k = 0; k < sys->n_s; k++)
        if (mode->of[sys->n_c + k] == SIM_SLIDES)
            *n = add_switch(flow, k, *n);
    return FLOW_OK;
}

static bool any_closed(const struct system *sys, const struct mode *mode)
{
    for (int c = 0; c < sys->n_c; c++)
        if (mode_is_closed(mode->of[c]))
            return true;
    return false;
}

static bool any_slides(const struct system *sys, const struct mode *mode)
{
    for (int k = 0; k < sys->n_s; k++)
        if (mode->of[sys->n_c + k] == SIM_SLIDES)
            return true;
    return false;
}

enum flow_outcome flow_eval(struct flow *flow, const struct mode *mode, double t, const double *x)
{
    struct system *sys = flow->sys;
    const bool slides = any_slides(sys, mode);
    flow_set_inputs(flow, mode, t, x);
    if (any_closed(sys, mode))
        system_eval_contacts(sys);
    enum flow_outcome outcome;
    double before = INFINITY;
    for (int round = 0; round < NEWTON_MAX; round++) {
        int n;
        if (slides)
            system_eval_switches(sys);
        if ((outcome = eval_once(flow, mode, &n)) != FLOW_OK)
            return outcome;
        outcome = solve(flow, n);
        const double change = take_unknowns(flow, mode, n);
        const bool is_rounding = sys->has_pairs && change < 1e-11 && change >= 0.5 * before;
        if (outcome != FLOW_OK || sys->alpha_is_affine)
            return outcome;
        memcpy(sys->alpha, flow->alpha, (size_t)sys->n_s * sizeof(double));
        if (!slides || change < 1e-14 || is_rounding)
            return outcome;
        before = change;
    }
    return FLOW_NO_SOLUTION;
}

void flow_contact_acceleration(const struct flow *flow, int c, double a[CONTACT_ROWS])
{
    const struct system *sys = flow->sys;
    const struct contact_at at = system_contact(sys, c);
    a[0] = at.bias_n;
    memcpy(a + 1, at.bias_t, sizeof at.bias_t);
    for (int i = 0; i < sys->n_q; i++) {
        const double v_dot = flow->dx[sys->model->mechanics.v_index[i]];
        a[0] += at.J_n[i] * v_dot;
        for (int k = 0; k < SLIP_MAX; k++)
            a[1 + k] += at.J_t[k][i] * v_dot;
    }
}

bool flow_turn(struct flow *flow, int c, int k, double *dx)
{
    const struct system *sys = flow->sys;
    const int n = flow->n_unknown, turned = place_of(c, 1 + k);
    double *b = flow->from, *z = flow->other;
    bool is_redundant = flow->is_redundant;
    int normal = -1;
    if (is_redundant)
        return false;
    for (int j = 0; j < n; j++) {
        if (flow->kind[j] == OF_STEP)
            return false;
        if (flow->kind[j] == OF_NORMAL && flow->subject[j] == c)
            normal = j;
    }
    const double friction = sys->mu[c] * flow->z[normal];
    for (int i = 0; i < n; i++)
        b[i] = friction * G_of(flow, place_of(flow->subject[i], flow->kind[i]), turned);
    (void)dense_solve(&flow->dense, n, flow->A, b, NULL, z, &is_redundant);
    memset(dx, 0, (size_t)sys->n_x * sizeof *dx);
    for (int i = 0; i < sys->n_q; i++)
        dx[sys->model->mechanics.v_index[i]] = -friction * W_of(flow, turned)[i];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < sys->n_x; i++)
            dx[i] += z[j] * flow->column[j * sys->n_x + i];
    return true;
}

double flow_switch_rate(const struct flow *flow, int k)
{
    const struct system *sys = flow->sys;
    return sys->at.c_t[k] + vec_dot(sys->n_x, &sys->at.c_x[k * sys->n_x], flow->dx);
}

/* --- Drift --------------------------------------------------------------------------------------------------- */

/* Is slip of contact c in space slower than it should be? */
static bool is_slower(const struct system *sys, const struct mode *mode, int c, const double *v_t,
                      double least_slip)
{
    return mode->of[c] == SIM_FORWARD && sys->model->contacts.contact[c].n_t > 1 && system_has_friction(sys, c)
           && slip_size(v_t) < least_slip;
}

void flow_project(struct flow *flow, const struct mode *mode, double t, double *x, double least_slip)
{
    struct system *sys = flow->sys;
    int n = 0;
    if (!any_closed(sys, mode) && !any_slides(sys, mode))
        return;
    kinematics_normalize(sys->model, x);
    flow_set_inputs(flow, mode, t, x);
    memcpy(sys->alpha, flow->alpha, (size_t)sys->n_s * sizeof(double));
    system_eval_contacts(sys);
    system_eval_switches(sys);
    for (int c = 0; c < sys->n_c; c++) {
        const struct contact_at at = system_contact(sys, c);
        if (!mode_is_closed(mode->of[c]))
            continue;
        add_row(flow, n++, sys->model->mechanics.n_position, sys->model->mechanics.q_index, at.slope, -at.gap);
        add_row(flow, n++, sys->n_q, sys->model->mechanics.v_index, at.J_n, -at.v_n);
        const bool sticks = mode->of[c] == SIM_STICKS, is_pushed = is_slower(sys, mode, c, at.v_t, least_slip);
        for (int k = 0; k < sys->model->contacts.contact[c].n_t && (sticks || is_pushed); k++) {
            const double wanted = is_pushed ? least_slip * mode->direction[SLIP_MAX * c + k] : 0;
            add_row(flow, n++, sys->n_q, sys->model->mechanics.v_index, at.J_t[k], wanted - at.v_t[k]);
        }
    }
    for (int k = 0; k < sys->n_s; k++) {
        if (mode->of[sys->n_c + k] != SIM_SLIDES || system_is_pair(sys, k))
            continue;
        memcpy(&flow->row[n * sys->n_x], &sys->at.c_x[k * sys->n_x], (size_t)sys->n_x * sizeof *flow->row);
        flow->row_rhs[n++] = -sys->at.c[k];
    }
    dense_least_change(&flow->dense, n, sys->n_x, flow->row, flow->row_rhs, flow->scratch);
    for (int i = 0; i < sys->n_x; i++)
        x[i] += flow->scratch[i];
}
