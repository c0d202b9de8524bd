/* Phases that the user prescribes, and a guess that says nothing of controls: they hold the posture of the guess,
 * by torques and contact forces in equilibrium, and are next to nothing in flight (held_samples.c). With controls
 * of 0 a robot of many joints falls into itself at once, and its contacts pull: forces far outside their cones,
 * from which an interior point method finds back late or never. */
#include "transcription/candidates/continuations.h"

#include "core/base/mem.h"
#include "transcription/multiphase/multiphase.h"
#include "transcription/sequence/recipe.h"
#include "transcription/start/guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HELD_MAX_ITER = 400 };       /* of the one program there is: 18 degrees of freedom take 170 */

static bool says_nothing_of_controls(const struct discovery *at)
{
    const struct model *model = at->task->model;
    bool nothing = !at->task->guess;
    for (int k = 0; k < model->n_u; k++)
        nothing = nothing && (model_is_given(model, k) || isnan(model->u[k].guess));
    return nothing;
}

bool holding_is_wanted(struct discovery *at, struct trial *trial)
{
    const struct model *model = at->task->model;
    (void)trial;
    return discovery_counts(at)->generator == BY_PHASES && model->contacts.n_contact > 0 && model->n_u > 0
           && model->n_held == 0 && says_nothing_of_controls(at);
}

/* --- Of time steps ------------------------------------------------------------------------------------------- */

/* One mode: what touches at the start sticks. */
static struct sequence *touching(const struct phase_system *sys)
{
    struct sequence *seq = sequence_create(sys->n_contact, sys->n_switch, sys->n_machine);
    for (int c = 0; c < sys->n_contact; c++)
        if (fabs(sys->contact[c].gap_start) <= TOUCHES)
            sequence_mode(seq, 0)[c] = sys->contact[c].n_t ? PHASE_STICK : PHASE_CLOSED;
    return seq;
}

/* The states of a guess at fractions of the horizon, one for each interval. */
static struct samples *states_at(const struct phase_system *sys, const struct guess *guess, const double *fraction)
{
    struct samples *samples = samples_create(sys, 0);
    for (int i = 0; i < sys->model->time.n_intervals; i++)
        guess_state(sys->model, guess, fraction[i], samples_add(samples, fraction[i] * samples->horizon, 0));
    return samples;
}

/* Controls and forces at points `place` [n_interval] of the guess; false: nothing holds the first of them. */
static bool fill_in(struct discovery *at, const struct samples *samples, const int *place, struct guess *guess)
{
    const struct phase_system *sys = at->out->sys;
    const int N = sys->model->time.n_intervals, n_u = sys->model->n_u, n_force = sys->n_contact * (1 + SLIP_MAX);
    double *u = mem_alloc((size_t)(N * (n_u + n_force)), sizeof *u), *force = u + N * n_u;
    struct sequence *seq = touching(sys);
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, 1);
    struct finish one;
    struct diag *quiet = diag_create();         /* a program that cannot be built is no news for the user */
    const bool built = finish_build(&task, seq, samples, &one, quiet) == STATUS_OK;
    diag_free(quiet);
    if (built)
        held_forces(one.ph, samples, u, force);
    for (int i = 0; i < N && built; i++) {
        memcpy(guess->u + place[i] * n_u, u + i * n_u, (size_t)n_u * sizeof *u);
        memcpy(guess->force + place[i] * n_force, force + i * n_force, (size_t)n_force * sizeof *force);
    }
    const bool holds = built && !isnan(force[0]);
    finish_free(&one);
    sequence_free(seq);
    free(u);
    return holds;
}

struct guess *held_guess_of_steps(struct discovery *at)
{
    struct model *model = at->task->model;
    const struct phase_system *sys = at->out->sys;
    const int N = model->time.n_intervals;
    const bool fits = (at->traits & TRAIT_SPACE_SLIP) && model->n_u > 0 && model->n_held == 0
                      && sys->n_switch + sys->n_machine == 0;
    if (!fits || !says_nothing_of_controls(at))
        return NULL;
    double *grid = mem_alloc(2 * (size_t)N + 1, sizeof *grid), *middle = grid + N + 1;
    double *p = mem_alloc((size_t)model->n_p + 1, sizeof *p);
    int *place = mem_alloc((size_t)N, sizeof *place);
    model_p_guess(model, p);
    model_grid(model, model->time.horizon, p, grid);
    for (int i = 0; i < N; i++)
        middle[i] = 0.5 * (grid[i] + grid[i + 1]) / model->time.horizon;
    struct guess *way = guess_from_waypoints(model), *held = guess_with_room(model, way, N, middle, place);
    struct samples *samples = states_at(sys, way, middle);
    if (!fill_in(at, samples, place, held)) {
        guess_free(held);
        held = NULL;
    }
    samples_free(samples);
    guess_free(way);
    free(place);
    free(p);
    free(grid);
    return held;
}

/* --- Of prescribed phases ------------------------------------------------------------------------------------ */

/* Where that has no solution the guess is tried as it was. */
enum status hold_guess(struct discovery *at, struct trial *trial)
{
    struct candidate *candidate = &trial->candidate;
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, trial_elements(at, trial));
    struct finish one;
    const enum status st = finish_build(&task, candidate->from.seq, candidate->from.samples, &one, at->diag);
    if (st == STATUS_OK) {
        const struct extract from = candidate->from;
        candidate->from =
            (struct extract){ sequence_copy(from.seq), samples_held(one.ph, from.samples), from.exploits };
        candidate->max_iter = HELD_MAX_ITER;
        trial->owns = trial->is_way_out = true;
    }
    finish_free(&one);
    return st;
}
