#include "transcription/given/given.h"

#include "core/base/mem.h"
#include "transcription/sequence/legal.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_POINT 1e-6             /* of the horizon: a grid point this close is the same */
#define AT_AN_END 1e-9              /* of the horizon: an event this close to its start or end is none */

/* --- The sequence in /phases --------------------------------------------------------------------------------- */

/* Place of each of our subjects in the file's lists; false if one is missing. n_contact: of the file. Its
 * machines are to be ours, with states and transitions as they are numbered here. */
static bool match_subjects(const struct phase_system *sys, const struct result_data *name, int n_contact,
                           int *place)
{
    const int n_c = sys->n_contact, n = n_c + sys->n_switch, n_m = sys->n_machine, n_others = name->n - n_m;
    for (int k = 0; k < n; k++) {
        place[k] = -1;
        for (int i = k < n_c ? 0 : n_contact; i < (k < n_c ? n_contact : n_others); i++)
            if (strcmp(name->text[i], phase_subject_name(sys, k)) == 0)
                place[k] = i;
        if (place[k] < 0)
            return false;
    }
    for (int m = 0; m < n_m; m++) {
        if (strcmp(name->text[n_others + m], phase_subject_name(sys, n + m)) != 0)
            return false;
        place[n + m] = n_others + m;
    }
    return true;
}

/* What is never negative is not so in any file. */
static unsigned char state_of(const struct phase_system *sys, int subject, unsigned char state)
{
    const bool is_switch = subject >= sys->n_contact && subject < sys->n_contact + sys->n_switch;
    const bool wall = is_switch && sys->sw[subject - sys->n_contact].wall;
    return wall && state == PHASE_NEGATIVE ? PHASE_SLIDING : state;
}

/* The file's sequence for our subjects, in our order. */
static struct sequence *reorder(const struct phase_system *sys, const struct sequence *from, const int *place)
{
    const int n_c = sys->n_contact, n = phase_system_n_subject(sys);
    struct sequence *seq = sequence_create(n_c, sys->n_switch, sys->n_machine);
    for (int j = 0; j < from->n_event; j++)
        sequence_insert(seq, j, from->place[j]);
    for (int j = 0; j <= from->n_event; j++)
        for (int k = 0; k < n; k++)
            sequence_mode(seq, j)[k] = state_of(sys, k, sequence_mode(from, j)[place[k]]);
    for (int j = 0; j <= from->n_event; j++)
        for (int k = 0; k < n_c; k++)
            sequence_patch(seq, j)[k] = sequence_patch(from, j)[place[k]];
    for (int j = 0; j < from->n_event; j++) {
        seq->step[j] = from->step[j];
        for (int k = 0; k < n_c; k++)
            sequence_hit(seq, j)[k] = sequence_hit(from, j)[place[k]];
    }
    return seq;
}

/* NULL if the file has no sequence, or one of other contacts or switches. *t [n_event] of the file. */
static struct sequence *read_sequence(const struct phase_system *sys, const struct result *file, const double **t)
{
    const struct result_group *group = result_find(file, "/phases");
    const char *text = group ? result_get_text(group, "sequence") : NULL;
    const struct result_data *name = group ? result_data_find(group, "subject") : NULL;
    const struct result_data *time = group ? result_data_find(group, "t") : NULL;
    const int n_contact =
        result_axis_size(file, "/grid", "contact") > 0 ? result_axis_size(file, "/grid", "contact") : 0;
    if (!text || !name || !name->text || !time || n_contact + sys->n_machine > name->n)
        return NULL;
    int *place = mem_alloc((size_t)phase_system_n_subject(sys), sizeof *place);
    struct sequence *read = sequence_read(n_contact, name->n - n_contact - sys->n_machine, sys->n_machine, text),
                    *seq = NULL;
    if (read && time->n == read->n_event && match_subjects(sys, name, n_contact, place))
        seq = reorder(sys, read, place);
    if (seq && !(legal_machine_states(sys, seq) && legal_machines(sys, seq))) {
        sequence_free(seq);
        seq = NULL;
    }
    *t = time->d;
    sequence_free(read);
    free(place);
    return seq;
}

/* Events outside of the horizon go, the others take their places on our grid. t [n_event]:
 * by our clock, moved along. */
static void place_events(struct sequence *seq, const struct phase_system *sys, double horizon, const double *p,
                         double *t)
{
    const struct model *model = sys->model;
    const int N = model->time.n_intervals;
    const double near = AT_AN_END * horizon;
    double *grid = mem_alloc((size_t)N + 1, sizeof *grid);
    model_grid(model, horizon, p, grid);
    int first = 0, last = seq->n_event;
    while (first < last && t[first] <= near) first++;
    while (last > first && t[last - 1] >= horizon - near) last--;
    while (seq->n_event > last)
        sequence_remove(seq, seq->n_event - 1, seq->n_event, t);
    for (int j = 0; j < first; j++)
        sequence_remove(seq, 0, 0, t);
    for (int j = 0; j < seq->n_event; j++) {
        const int inside = model_grid_inside(N, grid, t[j]), nearest = model_grid_point(N, grid, t[j], INFINITY);
        const bool on_grid = sequence_is_on_grid(seq, j) && nearest > 0;
        const int place = sequence_fires(seq, j) ? extract_transition(sys, grid, t[j], seq->step[j].transition)
                          : on_grid              ? 2 * nearest
                                                 : 2 * inside + 1, before = j ? seq->place[j - 1] : 1;
        seq->place[j] = place > before || (place == before && place % 2) ? place : before | 1;
    }
    free(grid);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static struct given_times times_of(const struct model *model, const struct guess *guess)
{
    const double end = guess->from + guess->rest;
    struct given_times times = { guess->from, 1, model->time.horizon };
    if (model->time.horizon_free)
        times.horizon = fmin(fmax(guess->rest, model->time.horizon_min), model->time.horizon_max);
    if (!guess->is_shifted && end > 0)
        times.stretch = times.horizon / guess->rest;
    return times;
}

/* Has the file's solution as many control intervals? */
static bool same_intervals(const struct phase_system *sys, const struct guess *guess)
{
    return !guess->is_shifted && result_axis_size(guess->file, "/grid", "interval") == sys->model->time.n_intervals;
}

/* Do they begin where those of the model do? Of other lengths, events are in others of ours.
 * p: parameters of the file. */
static bool same_grid(const struct phase_system *sys, const struct guess *guess, const struct given_times *times,
                      const double *p)
{
    const struct result_data *start = result_data_of(guess->file, "/grid", "t_interval");
    const int N = sys->model->time.n_intervals;
    if (!same_intervals(sys, guess) || !start || !start->d || start->n != N)
        return same_intervals(sys, guess);
    double *grid = mem_alloc((size_t)N + 1, sizeof *grid);
    bool same = true;
    model_grid(sys->model, times->horizon, p, grid);
    for (int i = 0; i < N; i++)
        same = same && fabs((start->d[i] - times->from) * times->stretch - grid[i]) <= SAME_POINT * times->horizon;
    free(grid);
    return same;
}

/* Machine m is not where the file has it by then: what has led the file's on has been made there and not here, or
 * here and not yet there. t has room for one more event. */
static void start_machine(const struct phase_system *sys, struct sequence *seq, int m, double *t)
{
    const int subject = sys->n_contact + sys->n_switch + m, start = sys->model->switching.machine[m].start;
    int first, end, made = 0;
    phase_system_transitions(sys, m, &first, &end);
    while (made < seq->n_event && sequence_mode(seq, made + 1)[subject] != start) made++;
    for (int j = 0; j <= made && made < seq->n_event; j++) {
        const int k = seq->step[j].transition;
        if (k >= first && k < end)
            seq->step[j] = (struct sequence_step){ -1, false };
        sequence_mode(seq, j)[subject] = (unsigned char)start;
    }
    for (int k = first; k < end && sequence_mode(seq, 0)[subject] != start; k++) {
        const struct model_transition *one = sys->transition[k].model;
        if (one->from != start || one->to != sequence_mode(seq, 0)[subject])
            continue;
        memmove(t + 1, t, (size_t)seq->n_event * sizeof *t);
        t[0] = 0;
        sequence_insert(seq, 0, 1);
        sequence_mode(seq, 0)[subject] = (unsigned char)start;
        seq->step[0] = (struct sequence_step){ k, sys->transition[k].commanded };
    }
}

static void start_machines(const struct phase_system *sys, struct sequence *seq, double *t)
{
    for (int m = 0; m < sys->n_machine; m++)
        if (sequence_mode(seq, 0)[sys->n_contact + sys->n_switch + m] != sys->model->switching.machine[m].start)
            start_machine(sys, seq, m, t);
    sequence_simplify(seq, t);
}

/* The sequence that the file tells, with its trajectory. */
static bool read_finished(const struct phase_system *sys, const struct guess *guess,
                          const struct given_times *times, bool free_intervals, struct given *out)
{
    const double *at = NULL;
    struct arena mem = { NULL };
    const struct stretches from = given_stretches(sys, guess, times, &mem);
    struct sequence *seq = from.n ? read_sequence(sys, guess->file, &at) : NULL;
    double *t = seq ? arena_alloc(&mem, (size_t)(seq->n_event + sys->n_machine), sizeof *t) : NULL;
    if (seq) {
        for (int j = 0; j < seq->n_event; j++)
            t[j] = (at[j] - times->from) * times->stretch;
        if (!(free_intervals ? same_intervals(sys, guess) : same_grid(sys, guess, times, from.p)))
            place_events(seq, sys, times->horizon, from.p, t);
        if (sys->n_machine)
            start_machines(sys, seq, t);
    }
    if (seq && !legal_machines(sys, seq)) {                     /* what is cut off at the start tells another story */
        sequence_free(seq);
        seq = NULL;
    }
    if (seq) {
        out->found = (struct extract){ seq, samples_create(sys, seq->n_event), 0 };
        if (seq->n_event)
            memcpy(out->found.samples->t_event, t, (size_t)seq->n_event * sizeof *t);
        extract_fill(&from, out->found.samples);
    }
    arena_free(&mem);
    return seq != NULL;
}

/* Does the file have the states that gaps, slip and switching functions depend on? */
static bool tells_modes(const struct phase_system *sys, const struct result *file)
{
    const struct model *model = sys->model;
    for (int i = 0; i < model->n_x; i++) {
        bool needed = false;
        for (int c = 0; c < sys->n_contact; c++) {
            const struct model_contact *contact = sys->contact[c].model;
            needed = needed || expr_depends(sys->g, contact->gap, 1, &model->x_sym[i]);
            for (int k = 0; k < sys->contact[c].n_t; k++)
                needed = needed || expr_depends(sys->g, contact->v_t[k], 1, &model->x_sym[i]);
        }
        for (int l = 0; l < sys->n_switch; l++)
            needed = needed || expr_depends(sys->g, sys->sw[l].sw->c, 1, &model->x_sym[i]);
        if (needed && !result_data_of(file, "/trajectory", model->x[i].name))
            return false;
    }
    return true;
}

static bool read_trajectory(const struct phase_system *sys, const struct guess *guess,
                            const struct given_times *times, struct given *out)
{
    struct arena mem = { NULL };
    struct time_steps steps;
    bool found = tells_modes(sys, guess->file);
    if (found && sys->n_machine == 0 && given_time_steps(sys, guess, times, &mem, &steps)) {
        out->found = extract_time_steps(sys, &steps, LANDING_BOUNCES);
    } else if (found) {
        struct stretches from = given_stretches(sys, guess, times, &mem);
        given_transitions(sys, guess, times, &mem, &from);
        found = from.n > 0;
        if (found)
            out->found = extract_stretches(sys, &from);
        if (found && !legal_machines(sys, out->found.seq)) {
            extract_free(&out->found);
            found = false;
        }
    }
    arena_free(&mem);
    return found;
}

bool given_is_solution(const struct guess *guess)
{
    static const enum status good[] = { STATUS_OK, STATUS_ACCEPTABLE, STATUS_UNVERIFIED };
    const char *status = guess->file ? result_get_text(result_find(guess->file, "/"), "status") : NULL;
    bool found = false;
    for (size_t k = 0; status && k < sizeof good / sizeof *good; k++)
        found = found || strcmp(status, status_text(good[k])) == 0;
    return found;
}

bool given_read(const struct phase_system *sys, const struct guess *guess, bool free_intervals, struct given *out)
{
    *out = (struct given){ .finished = false };
    if (!guess->file)
        return false;
    const struct given_times times = times_of(sys->model, guess);
    out->finished = read_finished(sys, guess, &times, free_intervals, out);
    if (out->finished && same_intervals(sys, guess))
        out->program = given_program_read(guess->file);
    const bool found = out->finished || read_trajectory(sys, guess, &times, out);
    if (found)
        extract_first(sys, &out->found);
    return found;
}

void given_free(struct given *given)
{
    extract_free(&given->found);
    free(given->program.check);
}
