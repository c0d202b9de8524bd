/* Events: where contacts and switches change what they do from one element to the next. */
#include "transcription/record/record_parts.h"

#include "core/base/mem.h"

#include <math.h>
#include <string.h>

static void name_subjects(struct record *record, const struct transcription *tr)
{
    const struct model *model = tr->model;
    const int n = model->contacts.n_contact + tr->dcs->n_switch;
    record->name = arena_alloc(&record->mem, (size_t)n, sizeof *record->name);
    record->mode = arena_alloc(&record->mem, (size_t)n, sizeof *record->mode);
    record->jump_impulse = arena_alloc(&record->mem, CONTACT_ROWS * (size_t)model->contacts.n_contact,
                                       sizeof(double));
    for (int c = 0; c < model->contacts.n_contact; c++)
        record->name[c] = model->contacts.contact[c].name;
    for (int k = 0; k < tr->dcs->n_switch; k++)
        record->name[model->contacts.n_contact + k] = arena_copy_text(&record->mem, tr->dcs->sw[k].name);
}

/* x [n_x] at the start of element j of the record: what it comes with, and what it goes on with. */
static const double *state_before(const struct record *record, int j)
{
    return &record->element_data[(size_t)j * (size_t)record->n_data];
}

static const double *state_after(const struct record *record, int j)
{
    return state_before(record, j) + record->model->n_x;
}

static struct layout_event *new_event(struct record *record, const double *x_minus, const double *x_plus)
{
    const size_t n_x = (size_t)record->model->n_x;
    const int n = record->n_event, row = 2 * record->model->n_x;
    record->event = mem_grow(record->event, n, 1, sizeof *record->event);
    record->event_x = mem_grow(record->event_x, n * row, row, sizeof(double));
    double *x = &record->event_x[(size_t)n * 2 * n_x];
    memcpy(x, x_minus, n_x * sizeof *x);
    memcpy(x + n_x, x_plus, n_x * sizeof *x);
    return &record->event[record->n_event++];
}

/* An event that begins with element `from` and ends with the start of `element`. */
static void add_event(struct record *record, int element, int from, const char *kind, int subject,
                      const double *impulse)
{
    const struct layout_element *at = &record->element[from].at;
    struct layout_event *event = new_event(record, state_before(record, from), state_after(record, element));
    *event = (struct layout_event){ at->t_start, at->t_num_start, element, kind, record->name[subject], { 0 } };
    if (impulse)
        memcpy(event->impulse, impulse, sizeof event->impulse);
}

/* --- What the spec says: phases begin, impulses act --------------------------------------------------------- */

void record_find_jumps(struct record *record, const struct transcription *tr, const double *w, int e, double t,
                       double t_num)
{
    const struct model *model = tr->model;
    const bool ends = e == tr->n_element, begins = ends || e == tr->first[tr->interval_of[e]];
    const int i = ends ? tr->n_interval : tr->interval_of[e], n = ends ? record->n_element - 1 : record->n_element;
    const struct model_phase *phase = begins ? model_phase_begins(model, i) : NULL;
    for (int k = phase ? -1 : 0; k < model->impulses.n_impulse && begins && tr->task.optimize; k++) {
        if (k >= 0 && model_impulse_at(model, k, i) < 0)
            continue;
        struct layout_event *event = new_event(record, state_before(record, n), state_before(record, n));
        double *x_minus = &record->event_x[(size_t)(record->n_event - 1) * 2 * (size_t)model->n_x],
               *x_plus = x_minus + model->n_x;
        for (int x = 0; x < model->n_x; x++) {
            x_minus[x] = w[e == 0 ? tr->y0 + x : tr_y(tr, e - 1, tr_right(tr), x)];
            x_plus[x] = w[tr_y_before(tr, e, x)];
        }
        *event = (struct layout_event){ t, t_num, n, k < 0 ? "phase" : "impulse",
                                        k < 0 ? phase->name : model->impulses.impulse[k].var.name, { 0 } };
    }
}

/* --- Contacts ------------------------------------------------------------------------------------------------ */

/* gap, v_n, v_t.., lambda_n, lambda_t.. of a contact at a point. */
static const double *contact_columns(const struct record *record, int point, int c)
{
    return record_columns(record, point) + columns_of_contact(record->model, c);
}

struct contact_means { double gap, lambda_n, v_t[SLIP_MAX], speed; };

/* Largest gap, means of force and slip over the stages of the newest element, whose points are the last ones. */
static struct contact_means contact_means(const struct record *record, const struct transcription *tr, int c)
{
    const int n_t = tr->model->contacts.contact[c].n_t, s = tr->rk->s;
    struct contact_means m = { 0 };
    for (int k = 0; k < s; k++) {
        const double *col = contact_columns(record, record->points.n - tr->n_point + k, c);
        m.gap = fmax(m.gap, col[0]);
        m.lambda_n += col[2 + n_t] / s;
        for (int q = 0; q < n_t; q++)
            m.v_t[q] += col[2 + q] / s;
    }
    m.speed = slip_size(m.v_t);
    return m;
}

static enum mode contact_mode(const struct record *record, const struct transcription *tr, int c, double sigma)
{
    const struct model_contact *contact = &tr->model->contacts.contact[c];
    const struct contact_means m = contact_means(record, tr, c);
    const double blur = 10 * sqrt(fmax(sigma, 1e-14));          /* of positions and forces, time_freezing.md 10 */
    if (m.gap > fmax(blur, 2 * tr->task.dead_band) || m.lambda_n < fmax(blur, 1e-5))
        return MODE_OPEN;
    if (contact->n_t == 0 || contact->mu == 0)
        return MODE_FORWARD;
    if (m.speed < fmax(blur, contact->n_t > 1 ? 2 * tr->settings->eps_t : 1e-5))
        return MODE_STICK;
    return contact->n_t > 1 || m.v_t[0] > 0 ? MODE_FORWARD : MODE_BACKWARD;
}

static void note_contact(struct record *record, int c, enum mode before, enum mode now, bool jumped)
{
    const int e = record->n_element;
    if (before == MODE_UNKNOWN || before == now || jumped)
        return;                                                 /* what follows an impact is part of it */
    if (before == MODE_OPEN) {
        add_event(record, e, e, "impact", c, NULL);
    } else if (now == MODE_OPEN) {
        add_event(record, e, e, "liftoff", c, NULL);
    } else {
        add_event(record, e, e, now == MODE_STICK ? "stick" : before == MODE_STICK ? "slip" : "reversal",
                  c, NULL);
    }
}

/* Sums up the impulses of frozen elements; at the end of the jump each contact that took part gets its event. */
static bool follow_jump(struct record *record, const struct transcription *tr, bool *jumped)
{
    const int n_c = tr->model->contacts.n_contact, e = record->n_element;
    if (record->element[e].frozen) {
        if (!record->in_jump) {
            record->jump_element = e;
            memset(record->jump_impulse, 0, CONTACT_ROWS * (size_t)n_c * sizeof(double));
        }
        record->in_jump = true;
        const double *impulse = record->impulse + CONTACT_ROWS * (size_t)e * (size_t)n_c;
        for (int k = 0; k < CONTACT_ROWS * n_c; k++)
            record->jump_impulse[k] += impulse[k];
        return true;
    }
    for (int c = 0; c < n_c && record->in_jump; c++) {
        jumped[c] = record->jump_impulse[CONTACT_ROWS * c] > 1e-4;
        if (jumped[c])
            add_event(record, e, record->jump_element, "impact", c, &record->jump_impulse[CONTACT_ROWS * c]);
    }
    record->in_jump = false;
    return false;
}

/* Normal velocity of contact c at the trajectory's newest point before a jump, or after it. */
static double normal_velocity(const struct record *record, int c, bool before)
{
    int p = record->points.n - 1;
    while (before && p > 0 && record->points.point[p].side == 1)
        p--;
    return contact_columns(record, p, c)[1];
}

/* What a relaxation leaves is no impulse; and where no contact closes, impulses only lead back what the scheme lets
 * drift (fesd_j.md 11). */
void record_find_impacts(struct record *record, struct transcription *tr, const double *impulse,
                         const double *x_minus, const double *x_plus, double sigma, bool *jumped)
{
    const double least = fmax(3 * sqrt(sigma * tr->h0[0]), 1e-7), closing = 1e-3;
    bool hits = false;
    if (!record->name)
        name_subjects(record, tr);
    for (int c = 0; c < tr->model->contacts.n_contact; c++)
        hits = hits || (impulse[CONTACT_ROWS * c] > least && normal_velocity(record, c, true) < -closing);
    for (int c = 0; c < tr->model->contacts.n_contact && hits; c++) {
        jumped[c] = impulse[CONTACT_ROWS * c] > least;
        if (!jumped[c])
            continue;
        const struct layout_point *at = &record->points.point[record->points.n - 1];
        struct layout_event *event = new_event(record, x_minus, x_plus);
        *event = (struct layout_event){ at->t, at->t_num, record->n_element, "impact", record->name[c], { 0 } };
        memcpy(event->impulse, &impulse[CONTACT_ROWS * c], sizeof event->impulse);
    }
}

/* --- Switches ------------------------------------------------------------------------------------------------ */

/* Mean step of switch k over the stages of element e. */
static double mean_step(const struct transcription *tr, const double *w, int e, int k)
{
    const struct dcs *dcs = tr->dcs;
    double sum = 0;
    for (int stage = 1; stage <= tr->rk->s; stage++) {
        const double *sel = &w[tr_sel(tr, e, stage)];
        if (dcs->sw[k].sel >= 0) {
            sum += sel[dcs->sw[k].sel];
            continue;
        }
        for (int g = 0; g < dcs->n_group; g++)
            for (int l = 0; l < dcs->group[g].n_switch; l++)
                for (int m = 0; m < 1 << dcs->group[g].n_switch; m++)
                    if (dcs->group[g].sw[l] == k && m >> l & 1)
                        sum += sel[dcs->group[g].sel + m];
    }
    return sum / tr->rk->s;
}

static void note_switch(struct record *record, int subject, enum mode now)
{
    const enum mode before = record->mode[subject];
    record->mode[subject] = now;
    if (before == MODE_UNKNOWN || before == now)
        return;
    const char *kind = now == MODE_SLIDING ? "sliding"
                                 : before == MODE_SLIDING ? "leaving" : "crossing";
    add_event(record, record->n_element, record->n_element, kind, subject, NULL);
}

void record_find_modes(struct record *record, struct transcription *tr, const double *w, int e, double sigma,
                       bool *jumped)
{
    const struct model *model = tr->model;
    if (!record->name)
        name_subjects(record, tr);
    if (w[tr->h[e]] < 1e-7 * tr->h0[e])
        return;                                                 /* too short to tell anything */
    if (tr->dcs->contact && !tr->junctions && follow_jump(record, tr, jumped))
        return;
    for (int c = 0; c < model->contacts.n_contact && tr->dcs->contact; c++) {
        const enum mode now = contact_mode(record, tr, c, sigma);
        note_contact(record, c, record->mode[c], now, jumped[c]);
        record->mode[c] = now;
    }
    for (int k = 0; k < tr->dcs->n_switch; k++) {
        if (tr->dcs->sw[k].contact >= 0)
            continue;                                           /* told by the contact's mode */
        const double alpha = mean_step(tr, w, e, k), tol = fmax(1e-3, 10 * sqrt(fmax(sigma, 0)));
        note_switch(record, model->contacts.n_contact + k,
                    alpha > 1 - tol ? MODE_POSITIVE : alpha < tol && !tr->dcs->sw[k].wall ? MODE_NEGATIVE : MODE_SLIDING);
    }
}
