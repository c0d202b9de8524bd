/* Control intervals one by one, each from the state of the solution at its start. */
#include "core/replay/replay_parts.h"

#include <math.h>

#define LATE_IMPACT 1e-3            /* of the window of events: how late a simulation may come to an impact at the
                                     * end of its part */

/* s: points closer than that are at one time. */
static double same_point(const struct replay_solution *solution)
{
    return 1e-9 * fmax(1, replay_last(solution)->t);
}

int replay_point_at(const struct replay_solution *solution, double t, bool before_jump)
{
    const double tol = same_point(solution);
    int k = 0;
    while (k + 1 < solution->n_point && solution->point[k + 1].t <= t + tol)
        k++;
    while (before_jump && k > 0 && solution->point[k].side > 0 && solution->point[k - 1].t >= t - tol)
        k--;
    return k;
}

/* A jump at the end of an interval belongs to neither side of it: `to` is the last point before it. */
static double end_error(struct replay *r, const struct sim *sim, double t_end, int to)
{
    const int after = replay_point_at(r->solution, t_end, false);
    const double error = replay_error_at(r, sim, t_end, r->solution->point[to].x).size;
    return after == to ? error : fmin(error, replay_error_at(r, sim, t_end, r->solution->point[after].x).size);
}

/* Until when the part that ends at t_end is simulated: a little longer where the solution has an impact there, as a
 * simulation that is off by next to nothing comes to it next to no time later. */
static double end_of_part(const struct replay *r, double t_end)
{
    const double window = replay_window(r->solution);
    for (int k = 0; k < r->solution->n_event; k++) {
        const struct replay_event *event = &r->solution->event[k];
        if (replay_is(event, SIM_IMPACT) && fabs(event->t - t_end) <= window)
            return fmin(t_end + LATE_IMPACT * window, fmax(t_end, replay_last(r->solution)->t));
    }
    return t_end;
}

static void keep_state(struct comparison *to, const struct comparison *from)
{
    to->state = from->state;
    to->i_state = from->i_state;
    to->t_state = from->t_state;
}

double replay_end_of_interval(const struct replay *r, int i)
{
    const struct sim_controls *rows = &r->solution->controls;
    return i + 1 < rows->n ? rows->t[i + 1] : replay_last(r->solution)->t;
}

bool replay_is_instant(const struct replay *r, int i)
{
    return replay_end_of_interval(r, i) - r->solution->controls.t[i] <= same_point(r->solution);
}

/* The whole interval is compared, its end and what happens on the way. */
static void check_interval(struct replay *r, int i)
{
    const struct sim_controls *rows = &r->solution->controls;
    const double t_end = replay_end_of_interval(r, i);
    const int from = replay_point_at(r->solution, rows->t[i], false),
              to = replay_point_at(r->solution, t_end, true);
    const struct comparison before = r->parts;
    struct sim *sim = NULL;
    replay_start_part(r, &r->solution->point[from], r->x);
    double error = INFINITY;
    r->parts.state = 0;
    if (replay_simulate(r, r->x, rows->t[i], end_of_part(r, t_end), true, 0, &sim) != STATUS_SPEC
        && sim_status(sim) == STATUS_OK) {
        replay_compare(r, sim, from + 1, to, &r->parts);
        error = end_error(r, sim, t_end, to);
        sim_eval(sim, t_end, -1, r->end + (size_t)i * (size_t)r->model->n_x);
    }
    sim_free(sim);
    r->report->interval_error[i] = error;
    r->parts.state = fmax(r->parts.state, isinf(error) ? error : 0);
    r->report->interval_between[i] = r->parts.state;
    if (before.state > r->parts.state)
        keep_state(&r->parts, &before);
}

void replay_check_intervals(struct replay *r)
{
    struct replay_report *report = r->report;
    report->n_interval = r->solution->controls.n;
    report->interval_error = arena_alloc(&report->mem, (size_t)report->n_interval, sizeof(double));
    report->interval_between = arena_alloc(&report->mem, (size_t)report->n_interval, sizeof(double));
    r->end = arena_alloc(&r->mem, (size_t)(report->n_interval * r->model->n_x), sizeof *r->end);
    for (int k = 0; k < report->n_interval * r->model->n_x; k++)
        r->end[k] = NAN;
    for (int i = 0; i < report->n_interval; i++) {
        if (!replay_is_instant(r, i))
            check_interval(r, i);
        if (report->interval_error[i] > report->interval_worst) {
            report->interval_worst = report->interval_error[i];
            report->interval = i;
        }
    }
}
