#include "cli/verification.h"

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/line.h"
#include "cli/output_file.h"
#include "cli/ticker.h"
#include "core/base/stop.h"
#include "core/base/visible.h"
#include "core/output/head.h"
#include "transcription/report/verified.h"

#include <math.h>

enum { EVENTS_LEAST = 10000 };
#define RTOL_MOST 1e-8              /* of the replay, whatever the file's spec asks of its own simulations */

static struct replay_settings settings_of(const struct cli_args *args, const struct solution_file *file)
{
    const double tol = isnan(args->tol) ? fmin(file->verify.tol, REPLAY_TOL) : args->tol;
    return (struct replay_settings){
        .tol = tol, .tol_others = tol,
        .floor = isnan(args->floor) ? fmin(file->verify.floor, REPLAY_FLOOR) : args->floor,
        .rtol = fmin(file->simulate.rtol, RTOL_MOST), .atol = fmin(file->simulate.atol, RTOL_MOST),
        .max_events = file->simulate.max_events > EVENTS_LEAST ? file->simulate.max_events : EVENTS_LEAST, .max_seconds = args->max_time,
        .restitution = file->simulate.impact_law == IMPACT_LAW_POISSON ? JUMP_POISSON : JUMP_NEWTON,
        .interrupt = interrupt_flag()
    };
}

/* --- Reports ---------------------------------------------------------------------------------------------- */

static void print_summary(const struct cli_args *args, const struct solution_file *file, double tol,
                          const struct replay_report *report)
{
    const struct line line = { args->out, args->json };
    const int n_event = file->solution.n_event;
    line_begin(&line, NULL, verified_word(report), report->status, file->model->name);
    line_number(&line, "error", "%.1e", report->error);
    line_number(&line, "worst", "%.1e", report->error_worst);
    line_number(&line, "interval", "%.1e", report->interval_worst);
    if (args->json)
        fprintf(args->out, ", \"unstable\": %s", report->unstable ? "true" : "false");
    else if (report->unstable)
        fprintf(args->out, " unstable=yes");
    line_number(&line, "amplification", "%.1e", report->amplification);
    if (args->json) {
        line_count(&line, "events", n_event);
        line_count(&line, "matched", report->n_matched);
    } else {
        fprintf(args->out, " events=%d/%d", report->n_matched, n_event);
    }
    line_number(&line, "dt", "%.1e", report->n_matched ? report->event_error : NAN);
    line_number(&line, "pen", "%.1e", report->penetration);
    line_number(&line, "cone", "%.1e", report->cone);
    line_number(&line, "energy", "%.1e", report->energy);
    line_number(&line, "objective", args->json ? "%.17g" : "%.8g", report->objective);
    line_number(&line, "dobj", "%.1e", report->objective_error);
    line_number(&line, "tol", "%g", tol);
    line_number(&line, "time", "%.2f", report->seconds);
    line_end(&line, args->out_path);
}

/* What was found, in words: each check with its figure and tolerance, then why those fail that do. */
static void print_details(const struct solution_file *file, const struct replay_report *report, FILE *out)
{
    const struct findings *findings = &report->findings;
    visible_print(file->model->name, out);
    fprintf(out, ", replayed by events (rtol %g):\n", file->simulate.rtol);
    for (int k = 0; k < findings->n; k++) {
        const struct finding *one = &findings->row[k];
        fprintf(out, "%s %-24s %.1e  %s", finding_fails(one) ? "!" : " ", one->name, one->figure, one->where);
        if (isnan(one->tol))
            fprintf(out, "%snot judged\n", *one->where ? "; " : "");
        else
            fprintf(out, "%sthe tolerance is %g\n", *one->where ? "; " : "", one->tol);
    }
    if (report->n_matched > 0)
        fprintf(out, "  %-24s %d of %d, times within %.1e s\n", "events found", report->n_matched,
                file->solution.n_event, report->event_error);
    if (report->unstable)
        fprintf(out, "  %-24s a change at the start grows %.1e times: single intervals are judged\n",
                "unstable", report->amplification);
    for (int k = 0; k < findings->n; k++)
        if (finding_fails(&findings->row[k]))
            fprintf(out, "  %s\n", findings->row[k].reason);
}

/* --- The whole -------------------------------------------------------------------------------------------- */

enum status verification_run(const struct cli_args *args, const char *path, struct diag *diag)
{
    struct solution_file file;
    struct result *subject = args->call ? args->call->subject ? args->call->subject : args->call->found : NULL;
    enum status st = subject ? solution_file_of(subject, path, &file, diag) : solution_file_read(path, &file, diag);
    if (st == STATUS_OK) {
        const struct replay_settings settings = settings_of(args, &file);
        struct replay_report report;
        ticker_set(args->ticker, "replay by events");
        st = verified_judge(&file, &settings, &report, diag);
        ticker_end(args->ticker);
        if (st == STATUS_OK && args->command == CLI_SOLVE && stop_asked() && report.status != STATUS_OK)
            st = report.status;         /* a check that was cut short says nothing: the solution stays as it was saved */
        if (st == STATUS_OK) {
            verified_write(&file, &settings, &report);
            if (args->command == CLI_SOLVE && report.status != STATUS_OK)
                output_set_status(file.result, report.status);      /* what the command will exit with */
            st = subject ? STATUS_OK : result_write(file.result, args->out_path, diag);
        }
        if (st == STATUS_OK) {
            if (args->verbosity >= 0)
                print_details(&file, &report, args->err);
            print_summary(args, &file, settings.tol, &report);
            st = report.status;
        }
        replay_report_free(&report);
    }
    solution_file_free(&file);
    return st;
}

enum status cmd_verify(const struct cli_args *args, struct diag *diag)
{
    const enum status st = output_file_check(args, diag);
    return st == STATUS_OK ? verification_run(args, args->input[0], diag) : st;
}
