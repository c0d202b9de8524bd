#include "cli/verification.h"

#include "cli/event_simulation.h"
#include "cli/interrupt.h"
#include "cli/outcome.h"
#include "cli/solution_file.h"
#include "cli/trajectory.h"
#include "core/base/mem.h"
#include "core/simulation/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct replay_settings settings_of(const struct cli_args *args, const struct solution_file *file,
                                          double tol)
{
    return (struct replay_settings){
        .tol = isnan(tol) ? file->verify.tol : tol, .rtol = file->simulate.rtol, .atol = file->simulate.atol,
        .max_events = file->simulate.max_events, .max_seconds = args->max_time,
        .restitution = file->simulate.impact_law == IMPACT_LAW_POISSON ? JUMP_POISSON : JUMP_NEWTON,
        .interrupt = interrupt_flag()
    };
}

static const char *word_of(const struct replay_report *report)
{
    return report->status == STATUS_OK ? "verified" : status_text(report->status);
}

/* --- /verification ---------------------------------------------------------------------------------------- */

/* /verification/uniform: the simulated trajectory, for plots. */
static void write_replay(const struct solution_file *file, const struct sim *sim, struct result *result)
{
    const int n = file->n_uniform;
    const double start = sim_t_start(sim), end = sim_t_end(sim);
    struct trajectory *points = trajectory_create(file->model, file->solution.p, NULL);
    double *t = mem_alloc((size_t)n, sizeof *t);
    for (int k = 0; k < n; k++)
        t[k] = start + (end - start) * k / (n - 1);
    event_add_times(sim, file->model, &(struct bundle_times){ n, t }, points);
    if (trajectory_n(points) > 1)
        trajectory_write_uniform(points, result, "/verification/uniform");
    free(t);
    trajectory_free(points);
}

static void write_errors(const struct solution_file *file, const struct replay_report *report,
                         struct result_group *group)
{
    const struct model *model = file->model;
    const char **name = mem_alloc((size_t)model->n_x, sizeof *name);
    for (int i = 0; i < model->n_x; i++)
        name[i] = model->x[i].name;
    const int state = result_axis(group, "state", model->n_x, NULL, NULL, NULL);
    result_texts(group, "state_name", 1, &state, name, "order of the axis state");
    result_doubles(group, "error_end", 1, &state, report->error_end, NULL,
                   "at the end, relative to max(1, largest magnitude)", NULL);
    if (report->n_interval > 0) {
        const int interval = result_axis(group, "interval", report->n_interval, NULL, NULL, NULL);
        result_doubles(group, "t_interval", 1, &interval, file->solution.controls.t, "s",
                       "start of the control interval", NULL);
        result_doubles(group, "interval_error", 1, &interval, report->interval_error, NULL,
                       "at the end of the interval, simulated from the solution at its start", NULL);
    }
    free(name);
}

static void write_verification(const struct solution_file *file, const struct replay_settings *settings,
                               const struct replay_report *report, struct result *result)
{
    result_drop(result, "/verification");
    struct result_group *group = result_group(result, "/verification");
    result_set_text(group, "outcome", word_of(report));
    if (report->reason)
        result_set_text(group, "reason", report->reason);
    result_set_double(group, "tol", settings->tol);
    result_set_double(group, "rtol", settings->rtol);
    result_set_double(group, "error", report->error);
    result_set_double(group, "error_worst", report->error_worst);
    result_set_double(group, "t_worst", report->t_worst);
    result_set_double(group, "interval_worst", report->interval_worst);
    result_set_int(group, "unstable", report->unstable);
    result_set_double(group, "amplification", report->amplification);
    result_set_int(group, "events_matched", report->n_matched);
    result_set_int(group, "events_missing", report->n_missing);
    result_set_int(group, "events_extra", report->n_extra);
    result_set_double(group, "event_time_error", report->event_error);
    result_set_double(group, "penetration", report->penetration);
    result_set_double(group, "cone_violation", report->cone);
    result_set_double(group, "energy_balance", report->energy);
    result_set_double(group, "objective", report->objective);
    result_set_double(group, "objective_error", report->objective_error);
    result_set_double(group, "time_total", report->seconds);
    write_errors(file, report, group);
    write_replay(file, report->sim, result);
}

/* --- Reports ---------------------------------------------------------------------------------------------- */

/* One finding of the summary line; what is not known is left out, or null. */
static void print_number(bool is_json, const char *key, const char *fmt, double value)
{
    if (!isfinite(value) && !is_json)
        return;
    printf(is_json ? ", \"%s\": " : " %s=", key);
    printf(isfinite(value) ? fmt : "null", value);
}

static void print_summary(const struct cli_args *args, const struct solution_file *file, double tol,
                          const struct replay_report *report, const char *out_path)
{
    const bool json = args->json;
    const int n_event = file->solution.n_event;
    if (json) {
        printf("{\"status\": \"%s\", \"exit_code\": %d, \"name\": ", word_of(report),
               status_exit_code(report->status));
        outcome_print_json_text(file->model->name, stdout);
    } else {
        printf("%s %s", word_of(report), file->model->name);
    }
    print_number(json, "error", "%.1e", report->error);
    print_number(json, "worst", "%.1e", report->error_worst);
    print_number(json, "interval", "%.1e", report->interval_worst);
    if (report->unstable || json)
        printf(json ? ", \"unstable\": %s" : " unstable=%s", report->unstable ? (json ? "true" : "yes") : "false");
    print_number(json, "amplification", "%.1e", report->amplification);
    if (json)
        printf(", \"events\": %d, \"matched\": %d", n_event, report->n_matched);
    else
        printf(" events=%d/%d", report->n_matched, n_event);
    print_number(json, "dt", "%.1e", report->n_matched ? report->event_error : NAN);
    print_number(json, "pen", "%.1e", report->penetration);
    print_number(json, "cone", "%.1e", report->cone);
    print_number(json, "energy", "%.1e", report->energy);
    print_number(json, "objective", json ? "%.17g" : "%.8g", report->objective);
    print_number(json, "dobj", "%.1e", report->objective_error);
    print_number(json, "tol", "%g", tol);
    print_number(json, "time", "%.2f", report->seconds);
    printf(json ? ", \"out\": " : " out=");
    if (json)
        outcome_print_json_text(out_path, stdout);
    printf(json ? "}\n" : "%s\n", out_path);
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
    fprintf(stderr, "%s, replayed by events (rtol %g):\n", model->name, file->simulate.rtol);
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

enum status verification_run(const struct cli_args *args, const char *path, const char *out_path, double tol,
                             struct diag *diag)
{
    struct solution_file file;
    enum status st = solution_file_read(path, &file, diag);
    if (st == STATUS_OK) {
        const struct replay_settings settings = settings_of(args, &file, tol);
        struct replay_report report;
        st = replay_verify(file.model, &file.solution, &settings, &report, diag);
        if (st == STATUS_OK) {
            write_verification(&file, &settings, &report, file.result);
            st = result_write(file.result, out_path, diag);
        }
        if (st == STATUS_OK) {
            if (args->verbosity >= 0)
                print_details(&file, settings.tol, &report);
            print_summary(args, &file, settings.tol, &report, out_path);
            st = report.status;
        }
        replay_report_free(&report);
    }
    solution_file_free(&file);
    return st;
}
