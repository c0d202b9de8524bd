#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "transcription/report/phase_words.h"

#include "core/base/mem.h"
#include "core/base/rounded.h"
#include "core/model/starts.h"
#include "core/results/switches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *word_of_state(const struct phase_system *sys, int subject, int state)
{
    const int machine = subject - sys->n_contact - sys->n_switch;
    return machine >= 0 ? sys->model->switching.machine[machine].state[state] : phase_state_word(state);
}

static void write_modes(const struct phase_system *sys, const struct sequence *seq, struct result_group *group)
{
    const int n = sequence_n_subject(seq);
    const int axes[2] = { result_axis(group, "mode", seq->n_event + 1, NULL, NULL, NULL),
                          result_axis(group, "subject", n, NULL, NULL, NULL) };
    const char **word = mem_alloc((size_t)((seq->n_event + 1) * n), sizeof *word);
    for (int k = 0; k < n; k++)
        word[k] = phase_subject_name(sys, k);
    result_texts(group, "subject", 1, &axes[1], word,
                 "contacts, then switching functions, then complementarity, then machines");
    for (int j = 0; j <= seq->n_event; j++)
        for (int k = 0; k < n; k++)
            word[j * n + k] = word_of_state(sys, k, sequence_mode(seq, j)[k]);
    result_texts(group, "state", 2, axes, word, "what each does in the mode");
    free(word);
}

/* Starts of the controls that say what these take, a line each: "on: 2 starts, which cost 8".
 * How many; *out [n] in mem. */
static int starts_words(const struct model *model, const struct result *result, struct arena *mem,
                        const char ***out)
{
    const struct result_data *u = result_data_of(result, "/grid", "u");
    int n_line = 0;
    *out = arena_alloc(mem, (size_t)model->n_u, sizeof **out);
    for (int k = 0; u && u->d && k < model->n_u; k++) {
        const struct model_starts *starts = &model->u[k].starts;
        const int n = starts->given ? starts_count(model, k, u->n / model->n_u, u->d) : 0;
        const char *cost = starts->cost > 0 ? arena_printf(
                               mem, n == 1 ? ", which costs %.6g" : ", which cost %.6g", n * starts->cost)
                                            : "";
        if (starts->given)
            (*out)[n_line++] = arena_printf(mem, "%s: %d start%s%s", model->u[k].name, n, n == 1 ? "" : "s", cost);
    }
    return n_line;
}

/* What each does in words, a line each; then controls that are one of a few values. */
static void write_story(const struct phase_system *sys, const struct sequence *seq, const double *t, double horizon,
                        const struct result *result, struct result_group *group)
{
    const int n = sequence_n_subject(seq);
    struct arena mem = { NULL };
    const char **control, **starts;
    const int n_control = control_stories(result, sys->model->time.unit, &mem, &control);
    const int n_starts = starts_words(sys->model, result, &mem, &starts), n_more = n_control + n_starts;
    const int axis = n_more ? result_axis(group, "line", n + n_more, NULL, NULL, NULL)
                               : result_axis(group, "subject", n, NULL, NULL, NULL);
    const char **name = mem_alloc((size_t)(n + n_more), sizeof *name);
    bool *closes = mem_alloc(2 * (size_t)n, sizeof *closes), *rebounds = closes + n;
    const char *const **state = mem_alloc((size_t)sys->n_machine, sizeof *state);
    const struct sequence_words words = { name, closes, state, rebounds, sys->model->time.unit };
    char *text = NULL, *rest = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int k = 0; k < n; k++) {
        name[k] = rounded_text(&mem, phase_subject_name(sys, k));
        closes[k] = k < seq->n_contact || (k < n - seq->n_machine && sys->sw[k - seq->n_contact].wall);
        rebounds[k] = k < seq->n_contact && sys->model->contacts.contact[k].e > 0;
    }
    for (int m = 0; m < sys->n_machine; m++)
        state[m] = sys->model->switching.machine[m].state;
    if (out) {
        sequence_print_story(seq, &words, t, horizon, out);
        (void)fclose(out);
        for (int k = 0; k < n; k++)
            name[k] = strtok_r(k ? NULL : text, "\n", &rest);
        for (int k = 0; k < n_control; k++)
            name[n + k] = control[k];
        for (int k = 0; k < n_starts; k++)
            name[n + n_control + k] = starts[k];
        result_texts(group, "story", 1, &axis, name, "what each does, in words");
    }
    arena_free(&mem);
    free(text);
    free(state);
    free(name);
    free(closes);
}

void phase_words_write(const struct phase_system *sys, const struct sequence *seq, const double *t, double horizon,
                       const struct result *result, struct result_group *group)
{
    write_modes(sys, seq, group);
    write_story(sys, seq, t, horizon, result, group);
}
