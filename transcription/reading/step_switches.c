#include "transcription/reading/step_switches.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Values -------------------------------------------------------------------------------------------------- */

/* Everything but y and steps of switches; at the start those of the first step. */
static void fill_inputs(struct step_switches *at, int k)
{
    const struct phase_system *sys = at->sys;
    const struct time_steps *from = at->from;
    const int n_u = sys->model->n_u, interval = extract_step_interval(sys, at->grid, from->t, k > 0 ? k : 1);
    memcpy(at->slot + sys->u, from->u + (ptrdiff_t)interval * n_u, (size_t)n_u * sizeof(double));
    memcpy(at->slot + sys->p, from->p, (size_t)sys->model->n_p * sizeof(double));
    if (sys->T >= 0)
        at->slot[sys->T] = from->t[from->n];
}

/* value [n] at y and the inputs of step k. */
static void evaluate(struct step_switches *at, int k, const double *y)
{
    const struct phase_system *sys = at->sys;
    fill_inputs(at, k);
    memcpy(at->slot + sys->y, y, (size_t)sys->n_y * sizeof(double));
    for (int l = 0; l < at->n; l++) {           /* one after the other: they may be nested */
        tape_eval(at->c, 1, at->slot, 1, at->value, 1, at->work);
        at->slot[sys->sw[l].alpha] = at->value[l] > 0 ? 1 : at->value[l] < 0 ? 0 : 0.5;
    }
}

static const double *values(const struct step_switches *at, int k)
{
    return at->at_end + (ptrdiff_t)k * at->n;
}

/* --- States -------------------------------------------------------------------------------------------------- */

static int sign_state(double c)
{
    return c > 0 ? PHASE_POSITIVE : PHASE_NEGATIVE;
}

/* Is alpha farther from its ends than c from 0, each by its range? */
static bool slides(const struct step_switches *at, int k, int l)
{
    const double c = fabs(values(at, k)[l]), *alpha = at->from->alpha;
    if (!alpha)
        return c <= fmax(SLIP_TOL * at->most[l], ELEMENT_ROUNDING);
    const double step = alpha[k * at->n + l];
    return fmin(step, 1 - step) * at->most[l] > c;
}

/* A crossing makes one step look as if it slid: between other states it does not. */
static void find_states(struct step_switches *at, int l)
{
    const int n = at->n, n_step = at->from->n;
    unsigned char *state = at->state + l;
    for (int k = 1; k <= n_step; k++)
        state[k * n] = (unsigned char)(slides(at, k, l) ? PHASE_SLIDING : sign_state(values(at, k)[l]));
    for (int k = 2; k <= n_step; k++) {
        const int after = k < n_step ? state[(k + 1) * n] : sign_state(values(at, k)[l]);
        if (state[k * n] == PHASE_SLIDING && state[(k - 1) * n] != PHASE_SLIDING && after != PHASE_SLIDING)
            state[k * n] = (unsigned char)after;
    }
    const double c = values(at, 0)[l];
    state[0] = fabs(c) > START_OFF * at->most[l] ? (unsigned char)sign_state(c) : state[n];
}

struct step_switches step_switches_read(const struct phase_system *sys, const struct time_steps *from,
                                        const double *grid)
{
    struct step_switches at = { .sys = sys, .from = from, .grid = grid, .n = sys->dcs->n_switch };
    const size_t n = (size_t)at.n, n_all = n * ((size_t)from->n + 1);
    expr *c = mem_alloc(n, sizeof *c);
    for (int l = 0; l < at.n; l++)
        c[l] = sys->sw[l].sw->c;
    at.c = tape_create(sys->g, sys->n_slot, sys->slot, at.n, c);
    free(c);
    at.slot = mem_alloc((size_t)sys->n_slot, sizeof(double));
    at.value = mem_alloc(n, sizeof(double));
    at.work = mem_alloc(tape_work_size(at.c), sizeof(double));
    at.at_end = mem_alloc(n_all, sizeof(double));
    at.most = mem_alloc(n, sizeof(double));
    at.state = mem_alloc(n_all, 1);
    for (int k = 0; k <= from->n && at.n; k++) {
        evaluate(&at, k, from->y + (ptrdiff_t)k * sys->n_y);
        memcpy(at.at_end + (ptrdiff_t)k * at.n, at.value, n * sizeof(double));
        for (int l = 0; l < at.n; l++)
            at.most[l] = fmax(at.most[l], fabs(at.value[l]));
    }
    for (int l = 0; l < at.n; l++)
        find_states(&at, l);
    return at;
}

void step_switches_free(struct step_switches *at)
{
    double *const array[] = { at->slot, at->value, at->work, at->at_end, at->most };
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        free(array[k]);
    free(at->state);
    tape_free(at->c);
}

bool step_switches_has(struct step_switches *at, int l, int k, const double *v, int state)
{
    const struct phase_system *sys = at->sys;
    double *y = mem_alloc((size_t)sys->n_y, sizeof *y);
    memcpy(y, at->from->y + (ptrdiff_t)k * sys->n_y, (size_t)sys->n_y * sizeof *y);
    for (int i = 0; i < sys->n_a; i++)
        y[sys->model->mechanics.v_index[i]] = v[i];
    evaluate(at, k, y);
    free(y);
    return fabs(at->value[l]) > IMPACT_SLIP_TOL * at->most[l] ? state == sign_state(at->value[l])
                                                              : state == PHASE_SLIDING;
}

/* --- Changes ------------------------------------------------------------------------------------------------- */

/* Where step k finds another state than that of the step before: what slid is let go as the step begins, on a grid
 * point by a jump of the controls, else the function vanishes on a straight line. */
static void add_change(const struct step_switches *at, struct changes *changes, int l, int k)
{
    const double t0 = at->from->t[k - 1], h = at->from->t[k] - t0, c0 = fabs(values(at, k - 1)[l]),
                 c1 = fabs(values(at, k)[l]);
    const int state = at->state[k * at->n + l], place = extract_place(at->sys, at->grid, t0, STEP_ON_GRID);
    const bool let_go = at->state[(k - 1) * at->n + l] == PHASE_SLIDING, on_grid = let_go && place % 2 == 0;
    const double part = let_go ? 0.1 : state == PHASE_SLIDING ? 0.5 : c0 / fmax(c0 + c1, 1e-300);
    const double t = on_grid ? t0 : t0 + h * fmin(fmax(part, 0.02), 0.98);
    changes_add(changes, (struct change){ t, on_grid ? place : extract_inside(at->sys, at->grid, t),
                                          at->sys->n_contact + l, state, PHASE_OPEN, NULL });
}

void step_switches_add(const struct step_switches *at, struct changes *changes, unsigned char *start)
{
    for (int l = 0; l < at->n; l++) {
        start[l] = at->state[l];
        for (int k = 1; k <= at->from->n; k++)
            if (at->state[k * at->n + l] != at->state[(k - 1) * at->n + l])
                add_change(at, changes, l, k);
    }
}
