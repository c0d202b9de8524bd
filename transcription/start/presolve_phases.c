/* Time steps as the phases of time-freezing: free, jump, contact.
 *
 * Contacts slow time by rate = a_n / (a_n + lambda_n) (time_freezing.md 10), an impulse Lambda freezes it for
 * Lambda / a_n. So each control interval gets its sequence of phases, as many as it has elements, and its speed of
 * time.
 */
#include "transcription/start/coarse.h"

#include "core/base/mem.h"
#include "transcription/discretize/initial.h"
#include "transcription/start/recipe.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one contact does in a phase. */
struct contact_state { bool closed, jumps; double lambda_n, lambda_t; };

/* A stretch of a control interval in which no contact changes. */
struct phase {
    double t_start, t_end;          /* physical */
    double length;                  /* numerical, at speed of time 1 */
    bool is_jump;
    struct contact_state contact[COARSE_MAX_CONTACTS];
};

struct phases { int n; struct phase *phase; };

/* --- Phases -------------------------------------------------------------------------------------------------- */

static void add_phase(struct phases *list, const struct phase *phase)
{
    list->phase = mem_grow(list->phase, list->n, 1, sizeof *list->phase);
    list->phase[list->n++] = *phase;
}

/* A jump of length Lambda / a_n in numerical time, Lambda the largest impulse (time_freezing.md 10). */
static void add_jump(struct phases *list, const struct transcription *tr, const struct coarse *steps, int j,
                     double t)
{
    double most = 0;
    struct phase jump = { .t_start = t, .t_end = t, .is_jump = true };
    for (int c = 0; c < tr->model->contacts.n_contact; c++) {
        const double impulse = coarse_impulse(steps, j, c);
        jump.contact[c].jumps = impulse > 0;
        jump.contact[c].closed = coarse_is_closed(&steps->step[j], c);
        most = fmax(most, impulse);
    }
    jump.length = most / tr->settings->a_n;
    add_phase(list, &jump);
}

/* A stretch without events: dt_num / dt = 1 + sum lambda_n / a_n (time_freezing.md 10). */
static void add_stretch(struct phases *list, const struct transcription *tr, const struct coarse *steps, int j,
                        double t_start, double t_end)
{
    const struct coarse_step *step = &steps->step[j];
    struct phase stretch = { .t_start = t_start, .t_end = t_end };
    double slow = 1;                            /* dt_num / dt, contacts slow time: time_freezing.md 10 */
    for (int c = 0; c < tr->model->contacts.n_contact; c++) {
        struct contact_state *contact = &stretch.contact[c];
        contact->closed = coarse_is_closed(step, c);
        contact->lambda_n = step->lambda_n[c];
        contact->lambda_t = step->lambda_t[c];
        const bool hits = coarse_impulse(steps, j, c) > 0 || (j > 0 && coarse_impulse(steps, j - 1, c) > 0);
        if (hits)                               /* part of the force is an impulse */
            contact->lambda_n = coarse_steady_force(steps, j, c);
        if (!contact->closed)
            contact->lambda_n = contact->lambda_t = 0;
        slow += contact->lambda_n / tr->settings->a_n;
    }
    stretch.length = slow * (t_end - t_start);
    add_phase(list, &stretch);
}

/* Phases of step j: one stretch, or free, jump, contact where something hits. */
static void add_step(struct phases *list, const struct transcription *tr, const struct coarse *steps, int j)
{
    const struct coarse_step *step = &steps->step[j];
    const double t_hit = coarse_first_hit(steps, j);
    if (isnan(t_hit)) {
        add_stretch(list, tr, steps, j, step->t_start, step->t_end);
        return;
    }
    if (t_hit > step->t_start) {
        struct phase free = { .t_start = step->t_start, .t_end = t_hit, .length = t_hit - step->t_start };
        /* what was closed before stays so until the hit */
        for (int c = 0; c < tr->model->contacts.n_contact && j > 0; c++)
            if (coarse_is_closed(&steps->step[j - 1], c))
                free.contact[c] = (struct contact_state){ true, false, step->lambda_n[c], 0 };
        add_phase(list, &free);
    }
    add_jump(list, tr, steps, j, t_hit);
    if (t_hit < step->t_end)
        add_stretch(list, tr, steps, j, t_hit, step->t_end);
}

static bool same_modes(const struct phase *a, const struct phase *b, int n_contact)
{
    if (a->is_jump || b->is_jump)
        return false;
    for (int c = 0; c < n_contact; c++)
        if (a->contact[c].closed != b->contact[c].closed)
            return false;
    return true;
}

/* Joins phase k + 1 into phase k: a jump swallows a short stretch, stretches average their forces. */
static void join(struct phases *list, int k, int n_contact)
{
    assert(list->phase && k + 1 < list->n);
    struct phase *a = &list->phase[k], *b = &list->phase[k + 1];
    const double length = a->length + b->length, part = length > 0 ? b->length / length : 0.5;
    const bool second_wins = b->is_jump || (!a->is_jump && part > 0.5);
    struct phase joined = second_wins ? *b : *a;
    for (int c = 0; c < n_contact && (second_wins || !a->is_jump); c++) {
        joined.contact[c].lambda_n = (1 - part) * a->contact[c].lambda_n + part * b->contact[c].lambda_n;
        joined.contact[c].lambda_t = (1 - part) * a->contact[c].lambda_t + part * b->contact[c].lambda_t;
    }
    joined.t_start = a->t_start;
    joined.t_end = b->t_end;
    *a = joined;
    a->length = length;
    memmove(b, b + 1, ((size_t)list->n - (size_t)k - 2) * sizeof *b);
    list->n--;
}

static void split(struct phases *list, int k)
{
    assert(list->phase && k < list->n);
    const struct phase copy = list->phase[k];
    add_phase(list, &copy);                     /* makes room */
    struct phase *a = &list->phase[k];
    memmove(a + 1, a, ((size_t)list->n - (size_t)k - 1) * sizeof *a);
    const double middle = 0.5 * (copy.t_start + copy.t_end);
    a[0].length = a[1].length = 0.5 * copy.length;
    a[0].t_end = a[1].t_start = middle;
}

/* As many phases as the interval has elements: equal neighbours joined first, then the shortest ones; the longest
 * split. */
static void fit_to_elements(struct phases *list, int n_element, int n_contact)
{
    for (int k = 0; k + 1 < list->n;) {
        if (same_modes(&list->phase[k], &list->phase[k + 1], n_contact))
            join(list, k, n_contact);
        else
            k++;
    }
    while (list->n > n_element) {
        int best = 0;
        double least = INFINITY;
        for (int k = 0; k + 1 < list->n; k++) {
            const struct phase *a = &list->phase[k], *b = &list->phase[k + 1];
            const double shorter = fmin(a->is_jump ? INFINITY : a->length, b->is_jump ? INFINITY : b->length);
            if (shorter < least) {
                least = shorter;
                best = k;
            }
        }
        join(list, best, n_contact);
    }
    while (list->n < n_element) {
        int longest = 0;
        for (int k = 1; k < list->n; k++)
            if (list->phase[k].length > list->phase[longest].length)
                longest = k;
        split(list, longest);
    }
}

/* --- Writing the guess --------------------------------------------------------------------------------------- */

/* State at physical time t: positions linear in the step, velocities those of its end; at a jump those before. */
static void state_at(const struct transcription *tr, const struct coarse *steps, double t, bool before, double *x)
{
    const struct model *model = tr->model;
    const int j = coarse_step_at(steps, t);
    const struct coarse_step *step = &steps->step[j];
    coarse_state(steps, j, t, x);
    for (int i = 0; i < model->mechanics.n_q; i++) {
        const int v = model->mechanics.v_index[i];
        x[v] = before ? step->x_start[v] : step->x_end[v];
    }
}

/* Steps of a contact in a phase; switches of contact c follow each other: gap, normal velocity, slip. */
static void set_steps(struct transcription *tr, const struct phase *phase, int j, int k, const double *c_val)
{
    const struct dcs *dcs = tr->dcs;
    for (int l = 0, order = 0; l < dcs->n_switch; l++) {
        const int c = dcs->sw[l].contact;
        order = l > 0 && dcs->sw[l - 1].contact == c ? order + 1 : 0;
        const struct contact_state *contact = &phase->contact[c];
        double alpha = c_val[l] > 0 ? 1 : 0;
        if (phase->is_jump && contact->jumps)
            alpha = order == 2 ? alpha : 0;
        else if (contact->closed) {             /* sliding mode: kap = 1 - rate */
            const double mu = tr->model->contacts.contact[c].mu, a_n = tr->settings->a_n;
            const double rate = a_n / (a_n + contact->lambda_n);
            const double slip = fabs(c_val[l]) > FREEZING_SLIPS || mu == 0 || contact->lambda_n < FREEZING_PUSHES
                                ? alpha : tr->model->contacts.contact[c].n_t > 1 ? 0.5
                                : 0.5 * (1 - contact->lambda_t / (mu * contact->lambda_n));
            alpha = order == 0 ? 0 : order == 1 ? rate : fmin(fmax(slip, 0), 1);
        }
        program_set_guess(tr->prog, tr_sel(tr, j, k) + dcs->sw[l].sel, alpha);
        const bool is_held = contact->closed && order < 2 && !phase->is_jump;
        program_set_guess(tr->prog, tr_lam(tr, j, k, dcs->sw[l].lam_p), is_held ? 0 : fmax(c_val[l], 0));
        program_set_guess(tr->prog, tr_lam(tr, j, k, dcs->sw[l].lam_n), is_held ? 0 : fmax(-c_val[l], 0));
    }
}

static void set_point(struct transcription *tr, const struct coarse *steps, const struct phase *phase, int j, int k,
                      double *x, double *c_val)
{
    const struct model *model = tr->model;
    const struct dcs *dcs = tr->dcs;
    const double c_k = tr->rk->c[k - 1], t = phase->t_start + c_k * (phase->t_end - phase->t_start);
    if (phase->is_jump) {                       /* velocities run from those before to those after */
        double *after = c_val + dcs->n_switch;
        state_at(tr, steps, t, true, x);
        state_at(tr, steps, t + 2 * steps->h, false, after);
        for (int i = 0; i < model->mechanics.n_q; i++) {
            const int v = model->mechanics.v_index[i];
            x[v] += c_k * (after[v] - x[v]);
        }
    } else {
        state_at(tr, steps, t, false, x);
    }
    for (int i = 0; i < model->n_x; i++)
        program_set_guess(tr->prog, tr_y(tr, j, k, i), x[i]);
    program_set_guess(tr->prog, tr_y(tr, j, k, dcs->clock), t);
    for (int l = 0; l < dcs->n_switch; l++) {
        expr c = dcs->sw[l].c;
        for (int b = 0; b < dcs->n_band; b++) { /* the band's shift is 0 at first */
            const expr zero = expr_const(dcs->g, 0);
            expr_substitute(dcs->g, 1, &c, 1, &dcs->lam[dcs->band[b]].sym, &zero, &c);
        }
        c_val[l] = tr_value_of(tr, c, t, x, program_guess(tr->prog));
    }
    set_steps(tr, phase, j, k, c_val);
}

/* One control interval: its phases become its elements. */
static void write_interval(struct transcription *tr, const struct coarse *steps, int i, double *x, double *c_val)
{
    const struct transcription *from = steps->from;
    struct phases list = { 0 };
    for (int j = from->first[i]; j < from->first[i] + from->elements[i]; j++)
        add_step(&list, tr, steps, j);
    fit_to_elements(&list, tr->elements[i], tr->model->contacts.n_contact);
    double length = 0;
    for (int k = 0; k < list.n; k++)
        length += list.phase[k].length;
    const double nominal = tr->task.grid.horizon / tr->n_interval, speed = length / nominal;
    program_set_guess(tr->prog, tr->s[i], speed);
    for (int k = 0; k < list.n; k++) {
        const int j = tr->first[i] + k;
        program_set_guess(tr->prog, tr->h[j], list.phase[k].length / speed);
        for (int stage = 1; stage <= tr->rk->s; stage++)
            set_point(tr, steps, &list.phase[k], j, stage, x, c_val);
    }
    free(list.phase);
}

void coarse_write_phases(const struct coarse *steps, struct transcription *tr)
{
    const size_t n_x = (size_t)tr->model->n_x;
    double *x = mem_alloc(n_x, sizeof *x), *c_val = mem_alloc((size_t)tr->dcs->n_switch + n_x, sizeof *c_val);
    for (int i = 0; i < tr->n_interval; i++)
        write_interval(tr, steps, i, x, c_val);
    free(x);
    free(c_val);
}
