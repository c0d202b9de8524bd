#include "transcription/discover/acceptance.h"

#include "transcription/multiphase/phase_trace.h"

#include <math.h>
#include <stdio.h>

/* Of single interval i: at its end; or on the way there, where that is refused: an impact that is missed
 * where the next one begins. */
static double error_of_interval(const struct replay_report *report, int i, double most)
{
    return report->interval_between[i] > most ? report->interval_between[i] : report->interval_error[i];
}

/* The same of control intervals, some of which may begin at one time, as the replay has them once. */
static void share_out(const struct replay_report *report, const struct sim_controls *rows,
                      const struct phase_trace *trace, double most, double *interval_error)
{
    for (int i = 0, k = 0; i < trace->n_interval; i++) {
        while (k + 1 < rows->n && rows->t[k] < trace->t_interval[i]) k++;
        interval_error[i] = k < report->n_interval ? error_of_interval(report, k, most) : 0;
    }
}

static struct replayed outcome(const struct replay_report *report)
{
    const bool unasked = report->reason && isnan(report->amplification);        /* intervals refuse it, whatever it is */
    return (struct replayed){ .error = report->error, .interval = report->interval_worst, .unstable = report->unstable,
                              .judged = report->unstable || unasked ? report->interval_worst : report->error };
}

static struct replay_settings settings_of(const struct acceptance *by)
{
    struct replay_settings settings = by->task->judged ? *by->task->judged : replay_settings_default();
    settings.tol = fmin(settings.tol, by->settings->tol);
    settings.max_seconds = solve_seconds_left(by->task, by->start) + by->task->reserve;
    settings.interrupt = by->task->interrupt_late ? by->task->interrupt_late : by->task->interrupt;
    settings.brief = true;
    return settings;
}

static bool was_stopped(const struct replay_report *report)
{
    return report->status == STATUS_LIMIT || report->status == STATUS_INTERRUPTED;
}

void acceptance_replay(const struct acceptance *by, const struct finish *best, double *interval_error,
                       struct solution *out)
{
    struct phase_trace *trace = phase_trace_create(best->ph, best->w);
    const struct replay_solution solution = phase_trace_replay(trace, by->task->model, best->objective);
    const struct replay_settings settings = settings_of(by);
    struct replay_report report;
    struct diag *silent = diag_create();
    out->replay = (struct replayed){ .error = NAN, .interval = NAN, .judged = NAN };
    (void)snprintf(out->refusal, sizeof out->refusal, "it could not be replayed from event to event");
    if (replay_verify(by->task->model, &solution, &settings, &report, silent) == STATUS_OK) {
        if (interval_error)
            share_out(&report, &solution.controls, trace, settings.tol_others, interval_error);
        out->replay = outcome(&report);
        (void)snprintf(out->refusal, sizeof out->refusal, "%s", was_stopped(&report)
                       ? "the solve was stopped before it was replayed from event to event to its end"
                       : report.reason ? report.reason : "");
        replay_report_free(&report);
    }
    diag_free(silent);
    phase_trace_free(trace);
}

bool solution_is_refused(struct solution *solution, double tol)
{
    const struct check_worst *between = &solution->between;
    const double error = solution->replay.judged, broken = isnan(error) ? between->all : between->asked;
    const bool ends_early = *solution->refusal && isinf(error);     /* says why */
    const bool is_off = !isnan(error) && !(error <= tol) && !ends_early, is_broken = !(broken <= tol);
    char *reason = solution->reason;
    const size_t size = sizeof solution->reason;
    if (is_off)
        (void)snprintf(reason, size, "a replay from event to event differs from it by %.1e; finish.tol is %g",
                       error, tol);
    else if (*solution->refusal)
        (void)snprintf(reason, size, "%s", solution->refusal);
    else if (is_broken)
        (void)snprintf(reason, size, "%s is off by %.1e between collocation points; finish.tol is %g",
                       between->asked > tol ? between->what : "the side of a switch", broken, tol);
    return is_off || *solution->refusal || is_broken;
}
