/* The sequence of a switched system's fixed steps at a small sigma (phases.md "Reading"). Stages have alpha in
 * [0, 1] and the switching function c, of which alpha says where it is 0 only up to sigma: what is nearer to its
 * end tells the state. */
#include "transcription/reading/extract.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>

#define START_INSET 0.05            /* of alpha, at sigma 1e-4, in the first stage of what slides at first */

struct reader {
    const struct phase_system *sys;
    const struct transcription *tr;
    const double *w;
    int n, n_point;                 /* stages of all elements, in a row; of one element */
    double *t;                      /* [n] */
    double *grid;                   /* [n_interval + 1] */
    double *c, *most;               /* [n_switch * n] by switches; [n_switch] largest magnitude */
    double *strongest;              /* [n_switch] largest reaction of a wall */
    unsigned char *state;           /* [n_switch * n_element] by switches */
};

/* --- Reading ------------------------------------------------------------------------------------------------- */

static double element_start(const struct reader *at, int e)
{
    double t = 0;
    for (int k = 0; k < e; k++)
        t += at->w[at->tr->h[k]];
    return t;
}

static void read_times(struct reader *at)
{
    double start = 0;
    for (int e = 0; e < at->tr->n_element; e++) {
        const double h = at->w[at->tr->h[e]];
        for (int k = 0; k < at->n_point; k++)
            at->t[e * at->n_point + k] = start + at->tr->rk->c[k] * h;
        start += h;
    }
}

static double step_at(const struct reader *at, int l, int k)
{
    return at->w[tr_sel(at->tr, k / at->n_point, k % at->n_point + 1) + at->tr->dcs->sw[l].sel];
}

static void read_switch(struct reader *at, int l)
{
    const struct transcription *tr = at->tr;
    const struct dcs_switch *sw = &tr->dcs->sw[l];
    for (int k = 0; k < at->n; k++) {
        const int e = k / at->n_point, stage = k % at->n_point + 1;
        const double c = at->w[tr_lam(tr, e, stage, sw->lam_p)] - at->w[tr_lam(tr, e, stage, sw->lam_n)];
        at->c[l * at->n + k] = c;
        at->most[l] = fmax(at->most[l], fabs(c));
        at->strongest[l] = fmax(at->strongest[l], 1 - step_at(at, l, k));
    }
}

static struct reader reader_create(const struct phase_system *sys, const struct transcription *tr, const double *w)
{
    struct reader at = { .sys = sys, .tr = tr, .w = w, .n = tr->n_element * tr->rk->s, .n_point = tr->rk->s };
    const size_t n = (size_t)at.n, n_switch = (size_t)sys->dcs->n_switch;
    at.t = mem_alloc(n, sizeof(double));
    at.c = mem_alloc(n * n_switch, sizeof(double));
    at.most = mem_alloc(n_switch, sizeof(double));
    at.strongest = mem_alloc(n_switch, sizeof(double));
    at.state = mem_alloc((size_t)tr->n_element * n_switch, 1);
    at.grid = mem_alloc((size_t)tr->n_interval + 1, sizeof(double));
    read_times(&at);
    model_grid(sys->model, element_start(&at, tr->n_element), &w[tr->p], at.grid);
    for (int l = 0; l < sys->dcs->n_switch; l++)
        read_switch(&at, l);
    return at;
}

static void reader_free(struct reader *at)
{
    free(at->t);
    free(at->grid);
    free(at->c);
    free(at->most);
    free(at->strongest);
    free(at->state);
}

/* --- States of elements -------------------------------------------------------------------------------------- */

static unsigned char *states_of(const struct reader *at, int l)
{
    return at->state + (size_t)l * (size_t)at->tr->n_element;
}

/* How far alpha is from its ends; the reaction of a wall by its largest. */
static double inset(const struct reader *at, int l, int k)
{
    const double alpha = step_at(at, l, k);
    return at->sys->sw[l].wall ? (1 - alpha) / at->strongest[l] : fmin(alpha, 1 - alpha);
}

/* Is alpha farther from its ends than c from 0, each by its range? */
static bool slides_at(const struct reader *at, int l, int k)
{
    return inset(at, l, k) * at->most[l] > fabs(at->c[l * at->n + k]);
}

/* What starts on the switching surface is near to it whether it slides or leaves: alpha alone tells. */
static bool starts_sliding(const struct reader *at, int l)
{
    return slides_at(at, l, 0) && inset(at, l, 0) > START_INSET;
}

/* Sliding where all stages do, else the sign of the largest c. */
static unsigned char state_of(const struct reader *at, int l, int e)
{
    bool slides = true;
    double most = 0;
    for (int k = e * at->n_point; k < (e + 1) * at->n_point; k++) {
        slides = slides && slides_at(at, l, k);
        if (fabs(at->c[l * at->n + k]) > fabs(most))
            most = at->c[l * at->n + k];
    }
    return slides || (at->sys->sw[l].wall && most <= 0) ? PHASE_SLIDING : most > 0 ? PHASE_POSITIVE : PHASE_NEGATIVE;
}

/* A crossing makes one element look as if it slid: between other states it does not. At the start it may. */
static void find_states(struct reader *at, int l)
{
    unsigned char *state = states_of(at, l);
    for (int e = 0; e < at->tr->n_element; e++)
        state[e] = state_of(at, l, e);
    for (int e = 1; e + 1 < at->tr->n_element; e++)
        if (state[e] == PHASE_SLIDING && state[e - 1] != PHASE_SLIDING && state[e + 1] != PHASE_SLIDING)
            state[e] = state[e + 1];
    const int last = at->tr->n_element - 1;
    if (last > 0 && state[last] == PHASE_SLIDING && state[last - 1] != PHASE_SLIDING)
        state[last] = state[last - 1];
}

/* --- Changes ------------------------------------------------------------------------------------------------- */

/* Where c first vanishes on the way from stage k on, as a polygon: at most at the end of the next element. */
static double zero_after(const struct reader *at, int l, int k, int end)
{
    const double *c = &at->c[l * at->n];
    for (; k + 1 < end; k++)
        if (c[k] * c[k + 1] <= 0)
            return at->t[k] + (at->t[k + 1] - at->t[k]) * fabs(c[k]) / fmax(fabs(c[k]) + fabs(c[k + 1]), 1e-300);
    return at->t[end - 1];
}

/* Switch l changes its state with element e. What slid is let go by a jump of the controls, if there is one. */
static void add_change(const struct reader *at, struct changes *changes, int l, int e)
{
    const unsigned char *state = states_of(at, l);
    const double start = element_start(at, e);
    const int place = extract_place(at->sys, at->grid, start, ON_GRID);
    double t = start;
    if (state[e - 1] != PHASE_SLIDING)
        t = zero_after(at, l, (e - 1) * at->n_point, (e + 1) * at->n_point);
    const bool on_grid = state[e - 1] == PHASE_SLIDING && place % 2 == 0 && !at->sys->sw[l].own;        /* whose force is continuous */
    changes_add(changes, (struct change){ t, on_grid ? place : extract_inside(at->sys, at->grid, t),
                                          at->sys->n_contact + l, state[e], PHASE_OPEN, NULL });
}

/* What starts beside the switching surface does not slide there, though all stages of the first element do:
 * dc/dt = 0 would keep it there. What starts on it slides if alpha says so. */
static unsigned char start_of(const struct reader *at, int l)
{
    if (at->sys->sw[l].own)
        return states_of(at, l)[0];
    const double c = at->sys->sw[l].c_start;
    if (fabs(c) > START_OFF * at->most[l])
        return c > 0 ? PHASE_POSITIVE : PHASE_NEGATIVE;
    return starts_sliding(at, l) ? PHASE_SLIDING : states_of(at, l)[0];
}

/* Another state than that of the start begins in the first element. */
static void add_start(const struct reader *at, struct changes *changes, int l, unsigned char start)
{
    const unsigned char state = states_of(at, l)[0];
    if (start != state)
        changes_add(changes, (struct change){ at->t[0], 1, at->sys->n_contact + l, state, PHASE_OPEN, NULL });
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void read_state(const struct reader *at, int e, int k, double t, double *y)
{
    const struct phase_system *sys = at->sys;
    tr_get_y(at->tr, at->w, e, k, sys->model->n_x, y);
    if (sys->dcs->clock >= 0)
        y[sys->dcs->clock] = t;
}

static void y_at(void *user, double t, double *y)
{
    const struct reader *at = user;
    int k = 0;
    while (k + 1 < at->n && at->t[k] < t) k++;
    read_state(at, k / at->n_point, k % at->n_point + 1, t, y);
}

static void fill_samples(const struct reader *at, const struct extract *out)
{
    struct samples *samples = out->samples;
    samples->horizon = element_start(at, at->tr->n_element);
    for (int k = 0; k < samples->n_p; k++)
        samples->p[k] = at->w[at->tr->p + k];
    for (int i = 0; i < samples->n_interval; i++)
        for (int k = 0; k < samples->n_u; k++)
            samples->u[i * samples->n_u + k] = at->w[at->tr->u[i] + k];
    read_state(at, 0, 0, 0, samples_add(samples, 0, 0));
    for (int k = 0, mode = 0; k < at->n; k++) {
        while (mode < out->seq->n_event && samples->t_event[mode] < at->t[k] - SAME_TIME) mode++;
        read_state(at, k / at->n_point, k % at->n_point + 1, at->t[k], samples_add(samples, at->t[k], mode));
    }
}

/* Of the stages of each element. */
static void add_sides(const struct reader *at, struct changes *changes, unsigned char *start)
{
    const struct phase_system *sys = at->sys;
    struct arena mem = { NULL };
    struct stretch *stretch = arena_alloc(&mem, (size_t)at->tr->n_element, sizeof *stretch);
    double *u = arena_alloc(&mem, (size_t)(at->tr->n_interval * sys->model->n_u), sizeof *u);
    struct stretches from = { .n = at->tr->n_element, .stretch = stretch, .horizon = element_start(at, at->tr->n_element),
                              .equidistant = true, .u = u, .p = &at->w[at->tr->p] };
    for (int i = 0; i < at->tr->n_interval; i++)
        for (int k = 0; k < sys->model->n_u; k++)
            u[i * sys->model->n_u + k] = at->w[at->tr->u[i] + k];
    for (int e = 0; e < from.n && sys->n_pair; e++) {
        double *y = arena_alloc(&mem, (size_t)(at->n_point * sys->n_y), sizeof *y);
        const double *t = at->t + e * at->n_point;
        for (int k = 0; k < at->n_point; k++)
            read_state(at, e, k + 1, t[k], y + k * sys->n_y);
        stretch[e] = (struct stretch){ element_start(at, e), element_start(at, e + 1), at->tr->interval_of[e],
                                       at->n_point, t, y };
    }
    changes_add_sides(sys, &from, changes, start);
    arena_free(&mem);
}

struct extract extract_switches(const struct phase_system *sys, const struct transcription *tr, const double *w)
{
    struct reader at = reader_create(sys, tr, w);
    struct changes changes = { 0 };
    unsigned char *start = mem_alloc((size_t)phase_system_n_subject(sys), 1);
    for (int l = 0; l < sys->dcs->n_switch; l++) {
        find_states(&at, l);
        start[sys->n_contact + l] = start_of(&at, l);
        add_start(&at, &changes, l, start[sys->n_contact + l]);
        for (int e = 1; e < tr->n_element; e++)
            if (states_of(&at, l)[e] != states_of(&at, l)[e - 1])
                add_change(&at, &changes, l, e);
    }
    add_sides(&at, &changes, start);
    const struct extract out = changes_to_sequence(sys, start, &changes, y_at, &at);
    fill_samples(&at, &out);
    free(changes.change);
    free(start);
    reader_free(&at);
    return out;
}
