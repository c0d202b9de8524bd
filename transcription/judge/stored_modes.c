/* /modes of a simulation: modes follow each other without holes from the start to the end; at the points of
 * /trajectory inside of a mode an open contact carries no force, a closed one has no gap, and one that sticks no
 * slip. Of switches and machines the replay tells. A file without /modes has nothing to judge. */
#include "transcription/judge/stored_parts.h"

#include <math.h>
#include <string.h>

#define SAME_TIME 1e-9              /* of the horizon, at least of 1 */

struct modes {
    int n, n_subject;
    const double *start, *end;
    const char *const *subject, *const *state;
};

/* n 0: they are not there as they should be. */
static struct modes read_modes(const struct result *result)
{
    const struct result_data *start = result_data_of(result, "/modes", "t_start");
    const struct result_data *end = result_data_of(result, "/modes", "t_end");
    const struct result_data *subject = result_data_of(result, "/modes", "subject");
    const struct result_data *state = result_data_of(result, "/modes", "state");
    if (!start || !start->d || !end || !end->d || !subject || !subject->text || !state || !state->text
        || end->n != start->n || state->n != start->n * subject->n)
        return (struct modes){ .n = 0 };
    return (struct modes){ start->n, subject->n, start->d, end->d, subject->text, state->text };
}

static bool are_without_holes(const struct stored *at, const struct modes *modes)
{
    const struct replay_point *point = at->file->solution.point;
    const double t_end = point[at->file->solution.n_point - 1].t,
                 margin = SAME_TIME * fmax(1, at->file->model->time.horizon);
    bool fits = modes->n > 0 && fabs(modes->start[0] - point[0].t) <= margin
                && fabs(modes->end[modes->n - 1] - t_end) <= margin;
    for (int k = 0; fits && k < modes->n; k++)
        fits = modes->start[k] <= modes->end[k] && (k == 0 || fabs(modes->start[k] - modes->end[k - 1]) <= margin);
    return fits;
}

/* What is 0 in a mode of a contact: its force, its slip or its gap. */
static const char *name_of_zero(const struct stored *at, const struct model_contact *contact, const char *state)
{
    const bool is_still = strcmp(state, "sticks") == 0 && contact->n_t == 1;
    const char *what = strcmp(state, "is open") == 0 ? "lambda_n" : is_still ? "v_t" : "gap";
    return arena_printf(&at->to->mem, "%s_%s", contact->name, what);
}

static void judge_contact(const struct stored *at, const struct modes *modes, int j,
                          const struct model_contact *contact, const char *state, struct off *off)
{
    const struct solution_file *file = at->file;
    const double margin = SAME_TIME * fmax(1, file->model->time.horizon);
    const char *name = name_of_zero(at, contact, state);
    const double *value = stored_doubles(at, "/trajectory", name, file->n_row);
    const double scale = value ? stored_scale(at, value, file->n_row) : 1;
    for (int k = 0; value && k < file->solution.n_point; k++) {
        const double t = file->solution.point[k].t;
        if (file->row[k] >= 0 && t > modes->start[j] + margin && t < modes->end[j] - margin)
            off_raise(off, fabs(value[file->row[k]]) / scale, t, name);
    }
}

void stored_judge_modes(struct stored *at)
{
    struct off off = { .figure = 0 };
    if (!result_find(at->file->result, "/modes"))
        return;
    const struct modes modes = read_modes(at->file->result);
    stored_add_shape(at, are_without_holes(at, &modes), "times of modes",
                     "the times of /modes do not follow each other from the start to the end");
    for (int k = 0; k < modes.n * modes.n_subject; k++)
        for (int c = 0; c < at->file->model->contacts.n_contact; c++) {
            const struct model_contact *contact = &at->file->model->contacts.contact[c];
            if (strcmp(contact->name, modes.subject[k % modes.n_subject]) == 0)
                judge_contact(at, &modes, k / modes.n_subject, contact, modes.state[k], &off);
        }
    stored_add(at, "modes", &off, at->settings->tol_others, "it is 0 in the mode that /modes has at this time");
}
