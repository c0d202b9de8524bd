#include "transcription/judge/verified.h"

#include "core/output/head.h"
#include "core/output/run.h"
#include "transcription/judge/stored.h"

#include <math.h>
#include <stdio.h>

/* --- Judging ------------------------------------------------------------------------------------------------- */

struct replay_settings verified_settings(const struct verify_settings *verify,
                                         const struct simulate_settings *simulate)
{
    struct replay_settings settings = replay_settings_default();
    settings.tol = settings.tol_others = fmin(verify->tol, REPLAY_TOL);
    settings.floor = fmin(verify->floor, REPLAY_FLOOR);
    settings.rtol = fmin(simulate->rtol, REPLAY_RTOL);
    settings.atol = fmin(simulate->atol, REPLAY_ATOL);
    settings.max_events = simulate->max_events > REPLAY_EVENTS ? simulate->max_events : REPLAY_EVENTS;
    return settings;
}

enum status verified_judge(const struct solution_file *file, const struct result *whole,
                           const struct replay_settings *settings, struct replay_report *report,
                           struct coverage *coverage, struct diag *diag)
{
    const enum status st = replay_verify(file->model, &file->solution, settings, report, diag);
    if (st != STATUS_OK)
        return st;
    stored_judge(file, settings, &report->findings);
    *coverage = unchanged_judge(whole, &report->findings);
    const struct finding *failed = findings_first_failure(&report->findings);
    if (failed && report->status == STATUS_OK) {
        report->status = STATUS_UNVERIFIED;
        report->reason = failed->reason;
    }
    return STATUS_OK;
}

/* replay_report_free afterwards. */
static void replay_or_inspect(const struct solution_file *file, double seconds, struct replay_report *report)
{
    struct replay_settings settings = verified_settings(&file->verify, &file->simulate);
    settings.max_seconds = seconds;
    struct diag *silent = diag_create();
    if (!(seconds > 0) || replay_verify(file->model, &file->solution, &settings, report, silent) != STATUS_OK)
        replay_inspect(file->model, &file->solution, &settings, report);
    diag_free(silent);
}

static void refuse(struct result *result, const char *reason, char *why, size_t size)
{
    (void)snprintf(why, size, "%s", reason);
    output_set_status(result, STATUS_UNVERIFIED);
    result_set_text(result_group(result, "/"), "failure", why);
}

enum status verified_stored(struct result *result, const char *name, char *why, size_t size)
{
    struct diag *silent = diag_create();
    struct findings findings = { .n = 0 };
    struct solution_file file;
    const enum status read = solution_file_of(result, name, &file, silent);
    if (read == STATUS_OK) {
        const struct replay_settings settings = verified_settings(&file.verify, &file.simulate);
        stored_judge(&file, &settings, &findings);
    }
    const struct finding *failed = findings_first_failure(&findings);
    const enum status st = read != STATUS_OK || failed ? STATUS_UNVERIFIED : STATUS_OK;
    if (st != STATUS_OK)
        refuse(result, failed ? failed->reason : "what is to be saved cannot be read as a solution", why, size);
    findings_free(&findings);
    solution_file_free(&file);
    diag_free(silent);
    return st;
}

enum status verified_between(struct result *result, const char *name, double seconds, char *why, size_t size)
{
    struct diag *silent = diag_create();
    struct solution_file file;
    enum status st = STATUS_OK;
    if (solution_file_of(result, name, &file, silent) == STATUS_OK) {
        struct replay_report report;
        replay_or_inspect(&file, seconds, &report);
        if (report.status != STATUS_OK || model_asks_of_forces(file.model)) {
            st = STATUS_UNVERIFIED;
            refuse(result, report.reason ? report.reason : report.status != STATUS_OK ? "the time is up"
                   : "contact forces and impulses in costs and constraints are the finish's alone: the program of a method "
                     "has none", why, size);
        }
        replay_report_free(&report);
    }
    solution_file_free(&file);
    diag_free(silent);
    return st;
}

/* --- Writing ------------------------------------------------------------------------------------------------- */

const char *verified_word(const struct replay_report *report)
{
    return report->status == STATUS_OK ? "verified" : status_text(report->status);
}

static const char *word_of(const void *row)
{
    return verified_word(row);
}

#define AT(name) offsetof(struct replay_report, name)
static const struct result_field outcome_fields[] = {
    { .name = "outcome", RESULT_TEXT, .text = word_of },
    { .name = "reason", RESULT_TEXT, AT(reason) },
};

static const struct result_field coverage_fields[] = {
    { .name = "computed_again", RESULT_TEXT, offsetof(struct coverage, computed) },
    { .name = "only_unchanged", RESULT_TEXT, offsetof(struct coverage, unchanged) },
    { .name = "not_judged", RESULT_TEXT, offsetof(struct coverage, unjudged) },
};

static const struct result_field settings_fields[] = {
    { .name = "tol", RESULT_DOUBLE, offsetof(struct replay_settings, tol) },
    { .name = "floor", RESULT_DOUBLE, offsetof(struct replay_settings, floor) },
    { .name = "rtol", RESULT_DOUBLE, offsetof(struct replay_settings, rtol) },
};

static const struct result_field report_fields[] = {
    { .name = "error", RESULT_DOUBLE, AT(error) },
    { .name = "error_worst", RESULT_DOUBLE, AT(error_worst) },
    { .name = "t_worst", RESULT_DOUBLE, AT(t_worst) },
    { .name = "interval_worst", RESULT_DOUBLE, AT(interval_worst) },
    { .name = "unstable", RESULT_FLAG, AT(unstable) },
    { .name = "amplification", RESULT_DOUBLE, AT(amplification) },
    { .name = "events_matched", RESULT_INT, AT(n_matched) },
    { .name = "events_missing", RESULT_INT, AT(n_missing) },
    { .name = "events_extra", RESULT_INT, AT(n_extra) },
    { .name = "event_time_error", RESULT_DOUBLE, AT(event_error) },
    { .name = "penetration", RESULT_DOUBLE, AT(penetration) },
    { .name = "cone_violation", RESULT_DOUBLE, AT(cone) },
    { .name = "energy_balance", RESULT_DOUBLE, AT(energy) },
    { .name = "objective", RESULT_DOUBLE, AT(objective) },
    { .name = "objective_error", RESULT_DOUBLE, AT(objective_error) },
    { .name = "time_total", RESULT_DOUBLE, AT(seconds) },
};
#undef AT

static const char *outcome_of_check(const void *row)
{
    const struct finding *finding = row;
    return isnan(finding->tol) ? "not judged" : finding_fails(finding) ? "failed" : "passed";
}

/* A row for each check. */
static void write_checks(const struct replay_report *report, struct result_group *group)
{
#define AT(name) offsetof(struct finding, name)
    static const struct result_field fields[] = {
        { .name = "check_name", RESULT_TEXT, AT(name) },
        { .name = "check_outcome", RESULT_TEXT, .long_name = "passed, failed or not judged", .text = outcome_of_check },
        { .name = "check_figure", RESULT_DOUBLE, AT(figure), NULL, "relative to the scale of what is checked" },
        { .name = "check_tol", RESULT_DOUBLE, AT(tol), NULL, "largest figure that passes" },
        { .name = "check_where", RESULT_TEXT, AT(where), NULL, "where the figure was found" },
        { .name = "check_reason", RESULT_TEXT, AT(reason), NULL, "why it fails" },
    };
#undef AT
    const struct findings *findings = &report->findings;
    const int axis = result_axis(group, "check", findings->n, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ findings->row, sizeof *findings->row, findings->n },
                  COUNT(fields), fields);
}

static void write_errors(const struct solution_file *file, const struct replay_report *report,
                         struct result_group *group)
{
    const struct model *model = file->model;
    const int state = layout_states(group, model);
    result_doubles(group, "error_end", 1, &state, report->error_end, NULL,
                   "at the end, relative to the largest magnitude, at least `floor`", NULL);
    if (report->n_interval == 0)
        return;
    const int interval = result_axis(group, "interval", report->n_interval, NULL, NULL, NULL);
    result_doubles(group, "t_interval", 1, &interval, file->solution.controls.t, UNITS_TIME,
                   "start of the control interval", NULL);
    result_doubles(group, "interval_error", 1, &interval, report->interval_error, NULL,
                   "at the end of the interval, simulated from the solution at its start", NULL);
}

void verified_write(const struct solution_file *file, const struct replay_settings *settings,
                    const struct replay_report *report, const struct coverage *coverage)
{
    result_drop(file->result, "/verification");
    struct result_group *group = result_group(file->result, "/verification");
    result_set_fields(group, report, COUNT(outcome_fields), outcome_fields);
    result_set_fields(group, coverage, COUNT(coverage_fields), coverage_fields);
    result_set_fields(group, settings, COUNT(settings_fields), settings_fields);
    result_set_fields(group, report, COUNT(report_fields), report_fields);
    write_checks(report, group);
    write_errors(file, report, group);
    const struct output_run run = { .model = file->model, .p = file->solution.p,
                                    .u_expr = file->u_expr, .sim = report->sim };
    output_run_write_uniform(&run, "/verification/uniform", file->output.points, file->result);
}
