#include "transcription/solve/finishing_parts.h"

#include "transcription/phases/recipe.h"
#include "transcription/solve/attempt.h"
#include "transcription/solve/fallback.h"
#include "transcription/solve/presolves.h"
#include "transcription/solve/recipe.h"

#include <string.h>

/* Does any contact rebound? Time-stepping knows no restitution. */
bool discover_rebounds(const struct model *model)
{
    for (int c = 0; c < model->n_contact; c++)
        if (model->contact[c].e > 0)
            return true;
    return false;
}

/* Has the best objective been found by two starts? */
static bool found_twice(const struct finishing *at)
{
    return at->n_repeated || (at->n > 1 && at->found[1].solved && !finish_better(&at->found[0], &at->found[1]));
}

/* Is there a solution of this sequence? That of the best counts as one more that led there. */
static bool is_finished(struct finishing *at, const struct sequence *seq)
{
    for (int k = 0; k < at->n; k++)
        if (at->found[k].solved && sequence_equal(at->found[k].ph->seq, seq)) {
            at->n_repeated += k == 0;
            solve_headline(at->task, "%s: %s", at->what, k == 0 ? "the best sequence again" : "a sequence that is known");
            return true;
        }
    return false;
}

static enum status finish_switches(struct finishing *at, const struct solver *solver)
{
    struct extract from = extract_switches(at->out->sys, solver->coarse, solver->coarse_result.w);
    const enum status st = is_finished(at, from.seq) ? STATUS_OK : finishing_sequence(at, &from, false);
    extract_free(&from);
    return st;
}

/* With restitution also at rest where they land, and as the motion that their controls lead to. */
static enum status finish_steps(struct finishing *at, const struct solver *solver)
{
    struct extract from = extract_steps(at->out->sys, solver->coarse, solver->coarse_result.w, LANDING_BOUNCES);
    at->exploits = from.defect > EXPLOITED && !discover_rebounds(at->task->model);
    if (at->exploits)
        solve_note(at->task, "time steps exploit their grid: a contact moves fast while its gap stays closed");
    const bool open = !at->exploits && !is_finished(at, from.seq);
    enum status st = open ? finishing_sequence(at, &from, true) : STATUS_OK;
    if (st == STATUS_OK && discover_rebounds(at->task->model)) {
        struct extract resting = extract_steps(at->out->sys, solver->coarse, solver->coarse_result.w, LANDING_RESTS);
        if (search_is_new(&at->search, resting.seq))
            st = finishing_sequence(at, &resting, false);
        extract_free(&resting);
        if (st == STATUS_OK && !finishing_must_stop(at))
            st = discover_in_motion(at, from.samples);
    }
    extract_free(&from);
    return st;
}

/* Start k of discoveries by time-stepping. */
static struct attempt step_attempt(const struct finishing *at, const struct solver *solver, int k, bool patient)
{
    const struct step_start start = k < N_STEP_STARTS ? step_starts[k] : (struct step_start){ true, (unsigned)k };
    struct attempt attempt = fallback_plain(solver);
    attempt.presolve_steps = solver->task->model->n_contact ? PRESOLVE_STEPS : 0;
    attempt.follow = start.follow;
    attempt.presolve_start = start.start + (unsigned)(ROUND_STARTS * at->round);
    attempt.patient = patient;
    return attempt;
}

static bool has_corners(const struct model *model)
{
    for (int c = 0; c < model->n_contact; c++)
        if (model->contact[c].n_corner > 0)
            return true;
    return false;
}

/* After k starts. Time steps that jump onto a step of a ground are one of several solutions, and others may not. Steps of switches are cheap, and two that agree have been wrong together (a Chua circuit: 0.279 twice,
 * 0.138 from a third). */
static bool is_enough(const struct finishing *at, int k)
{
    const bool exploits = at->exploits && !has_corners(at->task->model);
    return (k > 0 && at->task->model->n_contact && found_twice(at)) || exploits || finishing_must_stop(at);
}

/* Sequences of solutions on fixed steps from different starts (attempt.h), with contacts until two lead to the same. */
static enum status discover_from_starts(struct finishing *at, struct solver *solver, bool patient)
{
    const bool has_contacts = at->task->model->n_contact > 0;
    const int starts = at->settings->starts, most = starts < N_STEP_STARTS ? N_STEP_STARTS : starts;
    enum status st = STATUS_OK;
    int used = 0;
    for (int first = 0; first < most && used < starts && st == STATUS_OK && !is_enough(at, first); first += STARTS_ABREAST) {
        struct attempt attempt[STARTS_ABREAST];
        struct presolves presolves;
        const int n_now = most - first < STARTS_ABREAST ? most - first : STARTS_ABREAST;
        for (int k = 0; k < n_now; k++)
            attempt[k] = step_attempt(at, solver, first + k, patient);
        presolves_start(solver, n_now, attempt, &presolves);
        for (int k = 0; k < n_now && used < starts && st == STATUS_OK && !is_enough(at, first + k); k++) {
            finishing_begin(at, "discovery %d of at most %d, by %s%s", first + k + 1, most,
                            has_contacts ? "time-stepping" : "fixed steps", patient ? " taken to its end" : "");
            if (presolves_take(&presolves, k, solver)) {
                used++;
                st = has_contacts ? finish_steps(at, solver) : finish_switches(at, solver);
            } else {
                solve_headline(at->task, "%s: it has no solution itself", at->what);
            }
        }
        presolves_end(&presolves);
    }
    return st;
}

/* The last solution, or what came nearest to one, is what is saved where no time is left. */
static void hand_over_steps(struct finishing *at, struct solver *solver)
{
    struct transcription **from = solver->coarse ? &solver->coarse : &solver->nearest;
    struct homotopy_result *result = solver->coarse ? &solver->coarse_result : &solver->nearest_result;
    transcription_free(at->coarse);
    homotopy_result_free(&at->coarse_result);
    at->coarse = *from;
    at->coarse_result = *result;
    *from = NULL;
    memset(result, 0, sizeof *result);
    attempt_end(solver);
}

/* Where all starts were given up early, as with FESD-J (attempt.c), they are taken to their ends. */
enum status discover_by_steps(struct finishing *at)
{
    struct solver solver = { .task = at->task, .out = &at->out->discovery, .diag = at->diag, .start = at->start,
                             .guess = at->guess };
    const int n = at->n;
    enum status st = discover_from_starts(at, &solver, false);
    const bool early = at->task->discretization->method == METHOD_FESD_J;
    if (st == STATUS_OK && early && at->n == n && !finishing_has_solution(at) && !at->exploits)
        st = discover_from_starts(at, &solver, true);
    hand_over_steps(at, &solver);
    return st;
}

/* The same of switches without contacts, from fixed steps of the spec's grid. */
enum status discover_by_switches(struct finishing *at)
{
    struct solver solver = { .task = at->task, .out = &at->out->discovery, .diag = at->diag, .start = at->start,
                             .guess = at->guess };
    const enum status st = discover_from_starts(at, &solver, false);
    attempt_end(&solver);
    return st;
}

typedef struct extract reader(const struct phase_system *sys, struct transcription *tr, const double *w);

/* The program of the spec at its guess, and the sequence that it tells. */
static enum status finish_guess(struct finishing *at, const char *what, reader *read)
{
    struct solver solver = { .task = at->task, .out = &at->out->discovery, .diag = at->diag, .start = at->start,
                             .guess = at->guess };
    const struct attempt plain = fallback_plain(&solver);
    enum status st = attempt_build(&solver, &plain);
    if (st == STATUS_OK) {
        finishing_begin(at, "%s", what);
        struct extract from = read(at->out->sys, solver.tr, program_guess(solver.tr->prog));
        st = finishing_sequence(at, &from, false);
        extract_free(&from);
    }
    transcription_free(solver.tr);
    return st;
}

static struct extract read_switches(const struct phase_system *sys, struct transcription *tr, const double *w)
{
    return extract_switches(sys, tr, w);
}

/* Where nothing switches there is one mode, and the guess is where it starts. */
enum status discover_smooth(struct finishing *at)
{
    return finish_guess(at, "nothing switches", read_switches);
}

enum status discover_prescribed(struct finishing *at)
{
    const enum status st = finish_guess(at, "the sequence of the phases", extract_elements);
    return st == STATUS_OK && !finishing_has_solution(at) ? discover_by_method(at) : st;
}
