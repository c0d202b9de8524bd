/* /events: where the elements of /grid meet, with their states and impulses; and no impulse without an event. */
#include "transcription/judge/stored_parts.h"

#include <math.h>
#include <string.h>

static bool is_impact(const struct replay_event *event)
{
    return strcmp(event->kind, "impact") == 0;
}

static bool is_same_time(const struct stored *at, double a, double b)
{
    return fabs(a - b) <= SAME * fmax(1, at->file->model->time.horizon);
}

/* --- Impulses ------------------------------------------------------------------------------------------------ */

/* How far an impulse of contact c at t is from those of /grid there: of one element, or of several in a row, as
 * time-freezing has. Not of all of them: the impact of another contact may follow within rounding, and what a
 * closed contact passes on in it is no event of its own. */
static double impulse_off(const struct stored *at, const struct result_data *start, const double *grid, int c,
                          double t, double impulse)
{
    const double same = SAME * fmax(1, at->file->model->time.horizon);
    const int n_c = at->file->model->contacts.n_contact;
    double off = fabs(impulse);
    bool any = false;
    for (int first = 0; first < start->n; first++) {
        double sum = 0;
        for (int e = first; e < start->n && fabs(start->d[e] - t) <= same; e++) {
            sum += grid[e * n_c + c];
            off = any ? fmin(off, fabs(sum - impulse)) : fabs(sum - impulse);
            any = true;
        }
    }
    return off;
}

/* The impulse of each impact is that of the element, or of the elements, that begin with it. */
static void judge_impulses(struct stored *at, const char *name, struct off *off)
{
    const struct solution_file *file = at->file;
    const struct result_data *grid = result_data_of(file->result, "/grid", name);
    const struct result_data *start = result_data_of(file->result, "/grid", "t_start");
    const double *events = stored_doubles(at, "/events", name, file->solution.n_event);
    const int n_c = file->model->contacts.n_contact;
    if (!grid || !grid->d || !start || !start->d || grid->n != start->n * n_c || !events)
        return;
    const double scale = stored_scale(at, events, file->solution.n_event);
    for (int k = 0; k < file->solution.n_event; k++) {
        const struct replay_event *event = &file->solution.event[k];
        for (int c = 0; c < n_c && strcmp(event->kind, "impact") == 0; c++)
            if (strcmp(event->name, file->model->contacts.contact[c].name) == 0)
                off_raise(off, impulse_off(at, start, grid->d, c, event->t, events[k]) / scale, event->t, name);
    }
}

/* Does something happen in the element, or where it begins? What jumps by itself, as an impulse of the user's,
 * may be passed on by a closed contact, which has no event of its own. */
static bool has_event(const struct stored *at, double start, double end)
{
    for (int k = 0; k < at->file->solution.n_event; k++) {
        const struct replay_event *event = &at->file->solution.event[k];
        const bool inside = event->t >= start && event->t <= end;
        if (inside || is_same_time(at, event->t, start))
            return true;
    }
    return false;
}

/* An event that is no impact has no impulse, nor has an element without an event. */
static void judge_no_impulses(const struct stored *at, const char *name, struct off *off)
{
    const struct solution_file *file = at->file;
    const int n_c = file->model->contacts.n_contact, n = stored_n_elements(at);
    const double *grid = stored_doubles(at, "/grid", name, n * n_c),
                 *start = stored_doubles(at, "/grid", "t_start", n);
    const double *end = stored_doubles(at, "/grid", "t_end", n);
    const double *events = stored_doubles(at, "/events", name, file->solution.n_event);
    const double scale = events ? stored_scale(at, events, file->solution.n_event) : at->settings->floor;
    for (int k = 0; k < file->solution.n_event && events; k++)
        if (!is_impact(&file->solution.event[k]))
            off_raise(off, fabs(events[k]) / scale, file->solution.event[k].t, name);
    for (int e = 0; e < n && grid && start && end; e++)
        for (int c = 0; c < n_c && !has_event(at, start[e], end[e]); c++)
            off_raise(off, fabs(grid[e * n_c + c]) / scale, start[e], name);
}

static void judge_all_impulses(struct stored *at)
{
    static const char *const names[CONTACT_ROWS] = { "impulse_n", "impulse_t", "impulse_t2", "impulse_t3" };
    struct off both = { .figure = 0 }, none = { .figure = 0 };
    for (int q = 0; q < CONTACT_ROWS; q++) {
        judge_impulses(at, names[q], &both);
        judge_no_impulses(at, names[q], &none);
    }
    stored_add(at, "impulses of the grid", &both, SLACK * at->settings->tol_others, "/grid and /events differ");
    stored_add(at, "impulses of no impact", &none, SLACK * at->settings->tol_others, "nothing is hit then");
}

/* --- Times and states ---------------------------------------------------------------------------------------- */

static bool events_have_states(const struct stored *at)
{
    const struct replay_solution *solution = &at->file->solution;
    bool have = true;
    for (int k = 0; k < solution->n_event; k++)
        have = have && solution->event[k].x_minus && solution->event[k].x_plus;
    return have;
}

/* Ends of the elements of /grid; t_num_* NULL: physical time is all there is. */
struct ends { int n; const double *start, *end, *num_start, *num_end; };

/* How far an event is from where an element begins or ends, in both times. */
static double boundary_off(const struct ends *ends, double t, double t_num)
{
    double off = INFINITY;
    for (int e = 0; e < ends->n; e++) {
        const double num_start = ends->num_start ? ends->num_start[e] : ends->start[e];
        const double num_end = ends->num_end ? ends->num_end[e] : ends->end[e];
        off = fmin(off, fmax(fabs(ends->start[e] - t), fabs(num_start - t_num)));
        off = fmin(off, fmax(fabs(ends->end[e] - t), fabs(num_end - t_num)));
    }
    return off;
}

/* Where there is numerical time /events names the element that begins there, once a jump is over. */
static double element_off(const struct ends *ends, double t, int element)
{
    if (!ends->num_start)
        return element == -1 ? 0 : INFINITY;
    if (element < 0 || element > ends->n)
        return INFINITY;
    return fabs((element == ends->n ? ends->end[ends->n - 1] : ends->start[element]) - t);
}

/* Events lie where elements meet, but those of time-stepping schemes, which know the step alone. */
static void judge_times(struct stored *at)
{
    const struct solution_file *file = at->file;
    const int n = stored_n_elements(at), n_event = file->solution.n_event;
    const struct ends ends = { n, stored_doubles(at, "/grid", "t_start", n),
                               stored_doubles(at, "/grid", "t_end", n),
                               stored_doubles(at, "/grid", "t_num_start", n),
                               stored_doubles(at, "/grid", "t_num_end", n) };
    const double *t_num = stored_doubles(at, "/events", "t_num", n_event);
    const struct result_data *element = result_data_of(file->result, "/events", "element");
    struct off off = { .figure = 0 };
    if (n < 1 || !ends.start || !ends.end || n_event == 0 || !result_data_of(file->result, "/grid", "x_stage"))
        return;
    for (int k = 0; k < n_event; k++) {
        const struct replay_event *event = &file->solution.event[k];
        const bool is_there = t_num && element && element->i && element->n == n_event;
        const double figure =
            is_there ? fmax(boundary_off(&ends, event->t, t_num[k]), element_off(&ends, event->t, element->i[k]))
                     : INFINITY;
        off_raise(&off, figure / fmax(1, file->model->time.horizon), event->t, event->kind);
    }
    stored_add(at, "times of events", &off, SAME, "no element of /grid begins or ends with it");
}

void stored_judge_events(struct stored *at)
{
    judge_all_impulses(at);
    judge_times(at);
    stored_add_shape(at, events_have_states(at), "states of events", "/events lacks states before and after");
}
