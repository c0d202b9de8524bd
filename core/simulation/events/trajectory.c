/* The trajectory of a run: its pieces, and what can be asked of them. */
#include "core/simulation/events/run.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status sim_status(const struct sim *sim) { return sim->status; }

const char *sim_message(const struct sim *sim) { return sim->message; }

double sim_t_start(const struct sim *sim) { return sim->task.t_start; }

const double *sim_p(const struct sim *sim) { return sim->sys->u + sim->sys->n_u; }

struct sim_controls sim_rows(const struct sim *sim)
{
    const struct sim_controls *given = &sim->task.controls;
    return (struct sim_controls){ given->n, given->t, sim->u };
}

int sim_n_switch(const struct sim *sim)
{
    return sim->sys->n_s;
}

double sim_t_end(const struct sim *sim) { return sim->t; }

const char *sim_subject_name(const struct sim *sim, int subject)
{
    const int n_c = sim->sys->n_c, transition = subject - n_c - sim->sys->n_s;
    const int n_phase = sim->sys->model->time.n_phase, impulse = transition - sim->sys->transitions.n - n_phase;
    if (impulse >= 0)
        return sim->sys->model->impulses.impulse[impulse].var.name;
    if (transition >= sim->sys->transitions.n)
        return sim->sys->model->time.phase[transition - sim->sys->transitions.n].name;
    if (transition >= 0)
        return sim->sys->transitions.of[transition].of->name;
    return subject < n_c ? sim->sys->model->contacts.contact[subject].name : sim->sys->switch_name[subject - n_c];
}

int sim_n_events(const struct sim *sim) { return sim->n_event; }

const struct sim_event *sim_event_at(const struct sim *sim, int k) { return &sim->event[k]; }

int sim_n_resolved(const struct sim *sim) { return sim->rest.n_resolved; }

const char *sim_kind_text(enum sim_kind kind)
{
    static const char *const text[] = {
        [SIM_IMPACT] = "impact", [SIM_LIFTOFF] = "liftoff", [SIM_STICK] = "stick", [SIM_SLIP] = "slip",
        [SIM_REVERSAL] = "reversal", [SIM_REST] = "rest",
        [SIM_CROSSING] = "crossing", [SIM_SLIDING] = "sliding", [SIM_LEAVING] = "leaving",
        [SIM_TRANSITION] = "transition", [SIM_PHASE] = "phase",
        [SIM_IMPULSE] = "impulse",
    };
    return text[kind];
}

int sim_n_pieces(const struct sim *sim) { return sim->pieces.n; }

struct sim_piece sim_piece_at(const struct sim *sim, int k)
{
    const struct piece *piece = &sim->pieces.of[k];
    return (struct sim_piece){ piece->t_start, piece->t_end,
                               &sim->pieces.modes[(size_t)k * (size_t)sim->sys->n_subject] };
}

/* --- Modes in words ------------------------------------------------------------------------------------------ */

int sim_n_moded(const struct sim *sim)
{
    return sim->sys->n_c + sim->sys->n_s + sim->sys->model->switching.n_machine;
}

const char *sim_moded_name(const struct sim *sim, int k)
{
    const int machine = k - sim->sys->n_c - sim->sys->n_s;
    return machine >= 0 ? sim->sys->model->switching.machine[machine].name : sim_subject_name(sim, k);
}

static const char *contact_word(const struct system *sys, int c, enum sim_mode mode)
{
    if (mode == SIM_OPEN)
        return "is open";
    if (!system_has_friction(sys, c))
        return "is closed";
    if (mode == SIM_STICKS)
        return "sticks";
    return sys->model->contacts.contact[c].n_t > 1 ? "slips" : mode == SIM_FORWARD ? "slips forward" : "slips back";
}

static const char *switch_word(const struct system *sys, int k, enum sim_mode mode)
{
    if (sys->relay[k])
        return mode == SIM_POSITIVE ? "is on" : "is off";
    if (system_is_pair(sys, k))
        return mode == SIM_POSITIVE ? "lambda is 0" : "H is 0";
    if (sys->wall[k])
        return mode == SIM_POSITIVE ? "is open" : "is closed";
    return mode == SIM_POSITIVE ? "is positive" : mode == SIM_NEGATIVE ? "is negative" : "slides";
}

const char *sim_mode_word(const struct sim *sim, int k, enum sim_mode mode)
{
    const struct system *sys = sim->sys;
    const int machine = k - sys->n_c - sys->n_s;
    return machine >= 0 ? sys->model->switching.machine[machine].state[(int)mode]
                        : k < sys->n_c ? contact_word(sys, k, mode) : switch_word(sys, k - sys->n_c, mode);
}

int sim_find_piece(const struct sim *sim, double t, int side)
{
    int low = 0, high = sim->pieces.n - 1;
    while (low < high) {                                        /* the first piece that ends behind t */
        const int middle = (low + high) / 2;
        const double end = sim->pieces.of[middle].t_end;
        if (side < 0 ? end >= t : end > t)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool sim_is_projection(const struct sim *sim, int k)
{
    return sim->sys->wall[k] != NULL;
}

void sim_eval_signals(const struct sim *sim, int k, double *signal)
{
    const struct system *sys = sim->sys;
    const struct model *model = sys->model;
    const enum sim_mode *mode = sim_piece_at(sim, k).mode + sys->n_c;
    for (int i = 0; i < model->switching.n_hysteresis; i++) {
        signal[i] = model->switching.hysteresis[i].starts_on;   /* one that nothing depends on */
        for (int l = 0; l < sys->n_s; l++)
            if (sys->relay[l] == &model->switching.hysteresis[i])
                signal[i] = mode[l] == SIM_POSITIVE;
    }
    signal += model->switching.n_hysteresis;
    for (int m = 0; m < model->switching.n_machine; m++) {
        const struct model_machine *machine = &model->switching.machine[m];
        for (int i = 0; i < machine->n_signal; i++)
            signal[machine->first_signal + i] = machine->value[(int)mode[sys->n_s + m] * machine->n_signal + i];
    }
}

void sim_eval_x(const struct sim *sim, int k, double t, double *x)
{
    const struct piece *piece = &sim->pieces.of[k];
    const double *coef = &sim->pieces.coef[(size_t)k * sim->pieces.n_coef];
    step_poly_at(sim->sys->n_x, coef, (t - piece->t_start) / piece->h, x);
}

struct mode run_mode(const struct sim *sim, int k)
{
    return (struct mode){ &sim->pieces.modes[(size_t)k * (size_t)sim->sys->n_subject],
                          &sim->pieces.direction[SLIP_MAX * (size_t)k * (size_t)sim->sys->n_c],
                          &sim->u[sim->pieces.of[k].row * sim->sys->n_u] };
}

/* Evaluates the flow of piece k at t, unless that was done last; the system then holds all else of that point. */
static struct flow *flow_at(const struct sim *sim, int k, double t)
{
    struct sim *owner = (struct sim *)sim;                      /* its scratch; nothing of the run changes */
    struct flow *flow = &owner->flow;
    const struct mode mode = run_mode(sim, k);
    const long *n_dynamics = &sim->sys->dynamics.n_eval;
    double *x = sim->guards.x;
    sim_eval_x(sim, k, t, x);
    flow_set_inputs(flow, &mode, t, x);
    const bool again = sim->asked.k == k && sim->asked.t == t && sim->asked.n_flow == flow->n_eval
                       && sim->asked.n_dynamics == *n_dynamics;
    if (!again)
        (void)flow_eval(flow, &mode, t, x);
    owner->asked.k = k;
    owner->asked.t = t;
    owner->asked.n_flow = flow->n_eval;
    owner->asked.n_dynamics = *n_dynamics;
    memcpy(sim->sys->alpha, flow->alpha, (size_t)sim->sys->n_s * sizeof(double));
    return flow;
}

void sim_look_ahead(const struct sim *sim, int k, int n, const double *t)
{
    struct flow *flow = (struct flow *)&sim->flow;              /* as in flow_at */
    const struct mode mode = run_mode(sim, k);
    const size_t n_x = (size_t)sim->sys->n_x;
    if (n == 0 || !system_is_large(sim->sys))
        return;
    double *x = mem_alloc((size_t)n * n_x, sizeof *x);
    for (int i = 0; i < n; i++)
        sim_eval_x(sim, k, t[i], x + (size_t)i * n_x);
    flow_set_inputs(flow, &mode, t[0], x);
    system_ahead(sim->sys, n, t, x);
    free(x);
}

void sim_eval_u(const struct sim *sim, int k, double t, double *u)
{
    if (sim->sys->has_u_expr) {
        (void)flow_at(sim, k, t);
        system_eval_controls(sim->sys, u);
    } else {
        memcpy(u, run_mode(sim, k).u, (size_t)sim->sys->n_u * sizeof *u);
    }
}

void sim_eval_contacts(const struct sim *sim, int k, double t, struct sim_contact *contact)
{
    const struct flow *flow = flow_at(sim, k, t);
    system_eval_contacts(sim->sys);
    for (int c = 0; c < sim->sys->n_c; c++) {
        const struct contact_at at = contact_functions_at(&sim->sys->contacts, c);      /* there or not */
        const double *force = &flow->force[CONTACT_ROWS * c];
        contact[c] = (struct sim_contact){.gap = at.gap, .v_n = at.v_n, .lambda_n = force[0]};
        memcpy(contact[c].v_t, at.v_t, sizeof at.v_t);
        memcpy(contact[c].lambda_t, force + 1, sizeof contact[c].lambda_t);
    }
}

void sim_eval_forces(const struct sim *sim, int k, double t, double *force)
{
    const struct flow *flow = flow_at(sim, k, t);
    const struct system *sys = sim->sys;
    memcpy(force, flow->force, CONTACT_ROWS * (size_t)sys->n_c * sizeof *force);
    for (int l = 0; l < sys->n_s; l++)
        if (sys->wall[l])
            force[CONTACT_ROWS * sys->n_c + (int)(sys->wall[l] - sys->model->switching.projection)] =
                1 - flow->alpha[l];
}

void sim_eval_switches(const struct sim *sim, int k, double t, double *c)
{
    (void)flow_at(sim, k, t);
    system_eval_switches(sim->sys);
    memcpy(c, sim->sys->at.c, (size_t)sim->sys->n_s * sizeof *c);
}

const double *sim_x_before(const struct sim *sim) { return sim->x_start; }

const double *sim_x_after(const struct sim *sim) { return sim->jumped_at_end ? sim->x : NULL; }

void sim_eval(const struct sim *sim, double t, int side, double *x)
{
    if (sim->pieces.n == 0 || (side > 0 && sim->jumped_at_end && t >= sim->t))
        memcpy(x, sim->x, (size_t)sim->sys->n_x * sizeof *x);
    else if (side < 0 && sim->x_start && t <= sim->task.t_start)
        memcpy(x, sim->x_start, (size_t)sim->sys->n_x * sizeof *x);
    else
        sim_eval_x(sim, sim_find_piece(sim, t, side), t, x);
}

double sim_kinetic(const struct sim *sim, int k, double t)
{
    const struct system *sys = sim->sys;
    double *v = sim->now.v_plus;
    (void)flow_at(sim, k, t);
    for (int i = 0; i < sys->n_q; i++)
        v[i] = sys->x[sys->model->mechanics.v_index[i]];
    return dense_kinetic(sys->n_q, sys->at.M, v);
}

/* Integral of -lambda_t'v_t over piece k, by the points of the collocation. */
static double friction_of(const struct sim *sim, int k)
{
    const struct sim_piece piece = sim_piece_at(sim, k);
    const double length = piece.t_end - piece.t_start;
    double sum = 0, t[STEP_STAGES];
    for (int i = 0; i < STEP_STAGES; i++)
        t[i] = piece.t_start + sim->step.gauss.c[i] * length;
    sim_look_ahead(sim, k, STEP_STAGES, t);
    for (int i = 0; i < STEP_STAGES; i++) {
        const struct flow *flow = flow_at(sim, k, t[i]);
        system_eval_contacts(sim->sys);
        for (int c = 0; c < sim->sys->n_c; c++) {
            const struct contact_at at = system_contact(sim->sys, c);
            const double *f = &flow->force[CONTACT_ROWS * c];
            const double power = slip_dot(at.v_t, f + 1) - slip_dot(at.drift + 1, f + 1) - at.drift[0] * f[0];
            sum -= length * sim->step.gauss.to_legendre[0][i] * power;
        }
    }
    return sum;
}

double sim_friction_loss(const struct sim *sim, int k)
{
    struct sim *owner = (struct sim *)sim;                      /* keeps the sums once they are known */
    if (!sim->pieces.friction) {
        owner->pieces.friction = arena_alloc(&owner->mem, (size_t)sim->pieces.n, sizeof(double));
        for (int i = 0; i < sim->pieces.n; i++)
            owner->pieces.friction[i] = (i > 0 ? sim->pieces.friction[i - 1] : 0) + friction_of(sim, i);
    }
    return sim->pieces.friction[k];
}
