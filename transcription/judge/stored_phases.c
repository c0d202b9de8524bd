/* /phases: its words follow from the sequence and its times; where a mode ends something
 * happens, and /events has it. */
#include "transcription/judge/alike.h"
#include "transcription/judge/stored_parts.h"

#include "transcription/multiphase/phase_trace.h"
#include "transcription/report/finished.h"
#include "transcription/report/phase_words.h"
#include "transcription/sequence/legal.h"

#include <math.h>
#include <string.h>

/* What /phases tells, as those who wrote it know it. */
struct story { const struct phase_system *sys; const struct sequence *seq; const double *t; };      /* [n_event] */

static bool is_then(const struct stored *at, const struct replay_event *event, double t)
{
    return fabs(event->t - t) <= SAME * fmax(1, at->file->model->time.horizon);
}

static bool has_event(const struct stored *at, const char *name, const char *kind, double t)
{
    for (int k = 0; k < at->file->solution.n_event; k++) {
        const struct replay_event *event = &at->file->solution.event[k];
        if (is_then(at, event, t) && strcmp(event->name, name) == 0 && strcmp(event->kind, kind) == 0)
            return true;
    }
    return false;
}

/* "boiler.light" of the machine "boiler". */
static bool has_transition(const struct stored *at, const char *machine, double t)
{
    const size_t n = strlen(machine);
    for (int k = 0; k < at->file->solution.n_event; k++) {
        const struct replay_event *event = &at->file->solution.event[k];
        if (is_then(at, event, t) && strncmp(event->name, machine, n) == 0 && event->name[n] == '.')
            return true;
    }
    return false;
}

/* Where one mode ends and the next begins /events has what happens. */
static void judge_mode_end(const struct stored *at, const struct story *story, int j, struct off *off)
{
    const int n = story->sys->n_contact + story->sys->n_switch;
    for (int k = 0; k < n + story->sys->n_machine; k++) {
        const char *name = phase_subject_name(story->sys, k);
        const int kind = k < n ? phase_trace_kind(story->sys, story->seq, j, k) : -1;
        const bool moves = k >= n && sequence_mode(story->seq, j)[k] != sequence_mode(story->seq, j + 1)[k];
        if ((kind >= 0 && !has_event(at, name, sim_kind_text((enum sim_kind)kind), story->t[j]))
            || (moves && !has_transition(at, name, story->t[j])))
            off_raise(off, 1, story->t[j], name);
    }
}

static int find_subject(const struct phase_system *sys, const char *name)
{
    for (int k = 0; k < sys->n_contact + sys->n_switch; k++)
        if (strcmp(phase_subject_name(sys, k), name) == 0)
            return k;
    return -1;
}

/* And what /events has of a contact or switch is the end of a mode. */
static void judge_event(const struct stored *at, const struct story *story, const struct replay_event *event,
                        struct off *off)
{
    const bool is_of_spec = strcmp(event->kind, sim_kind_text(SIM_PHASE)) == 0; /* named as a contact, perhaps */
    const int subject = is_of_spec ? -1 : find_subject(story->sys, event->name);
    bool found = subject < 0;
    for (int j = 0; j < story->seq->n_event && !found; j++) {
        const int kind = phase_trace_kind(story->sys, story->seq, j, subject);
        found = kind >= 0 && is_then(at, event, story->t[j])
                && strcmp(event->kind, sim_kind_text((enum sim_kind)kind)) == 0;
    }
    if (!found)
        off_raise(off, 1, event->t, event->name);
}

static void judge_events(const struct stored *at, const struct story *story)
{
    struct off off = { .figure = 0 };
    for (int j = 0; j < story->seq->n_event; j++)
        judge_mode_end(at, story, j, &off);
    for (int k = 0; k < at->file->solution.n_event; k++)
        judge_event(at, story, &at->file->solution.event[k], &off);
    stored_add(at, "events of phases", &off, 0, "/phases and /events do not tell the same");
}

static void judge_words(const struct stored *at, const struct story *story)
{
    const struct replay_solution *solution = &at->file->solution;
    struct result *again = result_create();
    struct result_group *group = result_group(again, "/phases");
    phase_words_write(story->sys, story->seq, story->t, solution->point[solution->n_point - 1].t,
                      at->file->result, group);
    stored_add_text(at, "words",
                    alike_difference(result_find(at->file->result, "/phases"), group,
                                     &(struct alike){ SAME, 0, false }, &at->to->mem),
                    "not what its sequence says");
    result_free(again);
}

/* What is known of neighbouring sequences is one of a few sentences. */
static void judge_optimality(const struct stored *at)
{
    const char *text = result_get_text(result_find(at->file->result, "/phases"), "optimality");
    const bool tried = result_axis_size(at->file->result, "/phases", "neighbour") > 0;
    const bool fits = text && (strcmp(text, finished_optimality_text(tried, true)) == 0
                               || strcmp(text, finished_optimality_text(tried, false)) == 0);
    stored_add_shape(at, fits, "optimality",
                     "/phases says something else of neighbouring sequences than a solve does");
}

/* The same of other sequences that the motion has, too: a word, and a better one where it says so. */
static void judge_stationarity(const struct stored *at)
{
    const struct result_group *group = result_find(at->file->result, "/phases");
    const char *text = result_get_text(group, "stationarity");
    bool fits = !text;
    for (enum stationarity_is is = STATIONARITY_NOT_DECIDED; is <= STATIONARITY_DESCENT && text; is++)
        fits = fits || strcmp(text, stationarity_word(is)) == 0;
    const bool descends = text && strcmp(text, stationarity_word(STATIONARITY_DESCENT)) == 0;
    fits = fits && descends == (result_get_text(group, "descent_what") != NULL);
    stored_add_shape(at, fits, "stationarity",
                     "/phases says something else of sequences of the same motion than a solve does");
}

void stored_judge_phases(struct stored *at)
{
    const struct result_group *group = result_find(at->file->result, "/phases");
    const struct result_data *t = group ? result_data_find(group, "t") : NULL;
    const char *sequence = group ? result_get_text(group, "sequence") : NULL;
    struct diag *silent = diag_create();
    struct phase_system *sys = NULL;
    struct sequence *seq = NULL;
    if (sequence && phase_system_create(at->file->model, &sys, silent) == STATUS_OK)
        seq = sequence_read(sys->n_contact, sys->n_switch, sys->n_machine, sequence);
    if (seq && legal_machine_states(sys, seq) && t && t->n == seq->n_event && (t->d || t->n == 0)) {
        const struct story story = { sys, seq, t->d };
        judge_words(at, &story);
        judge_events(at, &story);
        judge_optimality(at);
        judge_stationarity(at);
    } else if (group) {
        stored_add_shape(at, false, "words", "the sequence of /phases, or its times, are missing");
    }
    sequence_free(seq);
    phase_system_free(sys);
    diag_free(silent);
}
