#include "cli/verification.h"

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/line.h"
#include "cli/output_file.h"
#include "core/base/visible.h"
#include "core/output/head.h"
#include "transcription/report/verified.h"

#include <math.h>

static struct replay_settings settings_of(const struct cli_args *args, const struct solution_file *file)
{
    return (struct replay_settings){
        .tol = isnan(args->tol) ? file->verify.tol : args->tol, .rtol = file->simulate.rtol, .atol = file->simulate.atol,
        .max_events = file->simulate.max_events, .max_seconds = args->max_time,
        .restitution = file->simulate.impact_law == IMPACT_LAW_POISSON ? JUMP_POISSON : JUMP_NEWTON,
        .interrupt = interrupt_flag()
    };
}

/* --- Reports ---------------------------------------------------------------------------------------------- */

static void print_summary(const struct cli_args *args, const struct solution_file *file, double tol,
                          const struct replay_report *report)
{
    const struct line line = { stdout, args->json };
    const int n_event = file->solution.n_event;
    line_begin(&line, NULL, verified_word(report), report->status, file->model->name);
    line_number(&line, "error", "%.1e", report->error);
    line_number(&line, "worst", "%.1e", report->error_worst);
    line_number(&line, "interval", "%.1e", report->interval_worst);
    if (args->json)
        printf(", \"unstable\": %s", report->unstable ? "true" : "false");
    else if (report->unstable)
        printf(" unstable=yes");
    line_number(&line, "amplification", "%.1e", report->amplification);
    if (args->json) {
        line_count(&line, "events", n_event);
        line_count(&line, "matched", report->n_matched);
    } else {
        printf(" events=%d/%d", report->n_matched, n_event);
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

static void print_contact(const struct model *model, double value, const char *label, int contact, double t)
{
    if (value > 0)
        fprintf(stderr, "  %-24s %.1e  %s at t = %.6g s\n", label, value, model->contact[contact].name, t);
    else
        fprintf(stderr, "  %-24s none\n", label);
}

/* What was found, in words. */
static void print_details(const struct solution_file *file, double tol, const struct replay_report *report)
{
    const struct model *model = file->model;
    const struct replay_solution *solution = &file->solution;
    visible_print(model->name, stderr);
    fprintf(stderr, ", replayed by events (rtol %g):\n", file->simulate.rtol);
    if (isfinite(report->error))
        fprintf(stderr, "  %-24s %.1e  %s; the tolerance is %g\n", "state at the end", report->error,
                model->x[report->state].name, tol);
    fprintf(stderr, "  %-24s %.1e  %s at t = %.6g s\n", "worst in between", report->error_worst,
            model->x[report->state_worst].name, report->t_worst);
    if (report->n_interval > 0)
        fprintf(stderr, "  %-24s %.1e  the one from t = %.6g s\n", "single intervals", report->interval_worst,
                solution->controls.t[report->interval]);
    if (report->unstable)
        fprintf(stderr, "  %-24s a change at the start grows %.1e times: single intervals are judged\n",
                "unstable", report->amplification);
    fprintf(stderr, "  %-24s %d of %d found", "events", report->n_matched, solution->n_event);
    if (report->n_matched > 0)
        fprintf(stderr, ", times within %.1e s", report->event_error);
    fprintf(stderr, report->n_extra ? "; %d more in the simulation\n" : "\n", report->n_extra);
    if (model->n_contact > 0) {
        print_contact(model, report->penetration, "penetration", report->contact_penetration,
                      report->t_penetration);
        print_contact(model, report->cone, "outside friction cone", report->contact_cone, report->t_cone);
    }
    if (isfinite(report->energy))
        fprintf(stderr, "  %-24s %.1e\n", "energy balance", report->energy);
    if (isfinite(report->objective))
        fprintf(stderr, "  %-24s %.10g by quadrature, off by %.1e\n", "objective", report->objective,
                report->objective_error);
    if (report->reason)
        fprintf(stderr, "  %s\n", report->reason);
}

/* --- The whole -------------------------------------------------------------------------------------------- */

enum status verification_run(const struct cli_args *args, const char *path, struct diag *diag)
{
    struct solution_file file;
    enum status st = solution_file_read(path, &file, diag);
    if (st == STATUS_OK) {
        const struct replay_settings settings = settings_of(args, &file);
        struct replay_report report;
        st = replay_verify(file.model, &file.solution, &settings, &report, diag);
        if (st == STATUS_OK) {
            verified_write(&file, &settings, &report);
            if (args->command == CLI_SOLVE && report.status != STATUS_OK)
                output_set_status(file.result, report.status);      /* what the command will exit with */
            st = result_write(file.result, args->out_path, diag);
        }
        if (st == STATUS_OK) {
            if (args->verbosity >= 0)
                print_details(&file, settings.tol, &report);
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
