#include "transcription/solve/acceptance.h"

#include "transcription/phases/phase_trace.h"

#include <math.h>
#include <stdio.h>

/* At its end; or on the way there, where that is refused: an impact that is missed where the next interval begins. */
static double error_of_interval(const struct replay_report *report, int i, double most)
{
    return report->interval_between[i] > most ? report->interval_between[i] : report->interval_error[i];
}

double acceptance_error(const struct acceptance *by, const struct finish *best, double *interval_error,
                        char *refusal, size_t size)
{
    struct phase_trace *trace = phase_trace_create(best->ph, best->w);
    const struct replay_solution solution = phase_trace_replay(trace, best->objective);
    struct replay_settings settings = replay_settings_default();
    settings.tol = by->settings->tol;
    settings.tol_others = fmax(by->settings->tol, REPLAY_TOL);
    settings.max_seconds = solve_seconds_left(by->task, by->start);
    settings.interrupt = by->task->interrupt;
    settings.brief = true;
    struct replay_report report;
    struct diag *silent = diag_create();
    double error = NAN;
    (void)snprintf(refusal, size, "it could not be replayed by events");
    if (replay_verify(by->task->model, &solution, &settings, &report, silent) == STATUS_OK) {
        for (int i = 0; i < best->ph->n_interval && interval_error; i++)
            interval_error[i] = i < report.n_interval ? error_of_interval(&report, i, settings.tol_others) : 0;
        const bool unasked = report.reason && isnan(report.amplification);      /* intervals refuse it, whatever it is */
        error = report.unstable || unasked ? report.interval_worst : report.error;
        (void)snprintf(refusal, size, "%s", report.reason ? report.reason : "");
        replay_report_free(&report);
    }
    if (*refusal && solve_must_stop(by->task, by->start))
        (void)snprintf(refusal, size, "the solve was stopped before it was replayed by events to its end");
    diag_free(silent);
    phase_trace_free(trace);
    return error;
}
