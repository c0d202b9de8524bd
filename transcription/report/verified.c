#include "transcription/report/verified.h"

#include "core/output/run.h"

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

static const struct result_field settings_fields[] = {
    { .name = "tol", RESULT_DOUBLE, offsetof(struct replay_settings, tol) },
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

static void write_errors(const struct solution_file *file, const struct replay_report *report,
                         struct result_group *group)
{
    const struct model *model = file->model;
    const int state = layout_states(group, model);
    result_doubles(group, "error_end", 1, &state, report->error_end, NULL,
                   "at the end, relative to max(1, largest magnitude)", NULL);
    if (report->n_interval == 0)
        return;
    const int interval = result_axis(group, "interval", report->n_interval, NULL, NULL, NULL);
    result_doubles(group, "t_interval", 1, &interval, file->solution.controls.t, "s",
                   "start of the control interval", NULL);
    result_doubles(group, "interval_error", 1, &interval, report->interval_error, NULL,
                   "at the end of the interval, simulated from the solution at its start", NULL);
}

void verified_write(const struct solution_file *file, const struct replay_settings *settings,
                    const struct replay_report *report)
{
    result_drop(file->result, "/verification");
    struct result_group *group = result_group(file->result, "/verification");
    result_set_fields(group, report, COUNT(outcome_fields), outcome_fields);
    result_set_fields(group, settings, COUNT(settings_fields), settings_fields);
    result_set_fields(group, report, COUNT(report_fields), report_fields);
    write_errors(file, report, group);
    const struct output_run run = { .model = file->model, .p = file->solution.p, .sim = report->sim };
    output_run_write_uniform(&run, "/verification/uniform", file->output.points, file->result);
}
