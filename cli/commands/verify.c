#include "cli/verification.h"

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/outputs/line.h"
#include "cli/ticker.h"
#include "core/base/mem.h"
#include "core/base/rounded.h"
#include "core/base/stop.h"
#include "core/base/visible.h"
#include "core/output/head.h"
#include "core/results/digest.h"
#include "transcription/judge/verified.h"

#include <math.h>
#include <stdlib.h>

#define COMMON_TOL 1e-9             /* of what scenarios have in common: rounding */

static struct replay_settings settings_of(const struct cli_args *args, const struct solution_file *file)
{
    struct replay_settings settings = verified_settings(&file->verify, &file->simulate);
    settings.tol = settings.tol_others = isnan(args->tol) ? settings.tol : args->tol;
    settings.floor = isnan(args->floor) ? settings.floor : args->floor;
    settings.max_seconds = args->max_time;
    if (file->is_simulation && file->simulate.impact_law == IMPACT_LAW_POISSON)     /* solutions obey Newton's */
        settings.restitution = JUMP_POISSON;
    settings.interrupt = interrupt_flag();
    return settings;
}

/* --- Reports ---------------------------------------------------------------------------------------------- */

static void print_summary(const struct cli_args *args, const struct solution_file *file, double tol,
                          const struct replay_report *report)
{
    const struct line line = { args->out, args->json };
    const int n_event = file->solution.n_event;
    line_begin(&line, NULL, verified_word(report), report->status, file->model->name);
    if (args->experiment)
        line_text(&line, "experiment", args->experiment);
    line_number(&line, "error", "%.1e", report->error);
    line_number(&line, "worst", "%.1e", report->error_worst);
    line_number(&line, "interval", "%.1e", report->interval_worst);
    if (args->json || report->unstable)
        line_flag(&line, "unstable", report->unstable);
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

static void print_event(const struct solution_file *file, int k, FILE *out)
{
    const struct replay_event *event = &file->solution.event[k];
    struct arena mem = { NULL };
    fprintf(out, "%s of ", event->kind);
    visible_print(rounded_text(&mem, event->name), out);
    fprintf(out, " at t = %.6g %s", event->t, file->model->time.unit);
    arena_free(&mem);
}

/* What `events` and `dt` of the summary are, by kinds and names alone; then the events that the
 * replay need not have, and why. */
static void print_events(const struct solution_file *file, const struct replay_report *report, FILE *out)
{
    enum { MOST_UNJUDGED = 8 };
    int n_unjudged = 0;
    if (report->n_matched > 0) {
        fprintf(out, "  %-24s %d of %d by kind and name, %.1e %s away at most (dt)", "events found",
                report->n_matched, file->solution.n_event, report->event_error, file->model->time.unit);
        if (report->event_unjudged[report->event_farthest]) {
            fputs(": ", out);
            print_event(file, report->event_farthest, out);
            fputs(", which is not judged", out);
        }
        fputc('\n', out);
    }
    for (int k = 0; k < file->solution.n_event; k++)
        if (report->event_unjudged[k] && n_unjudged++ < MOST_UNJUDGED) {
            fprintf(out, "  %-24s ", n_unjudged > 1 ? "" : "events not judged");
            print_event(file, k, out);
            fprintf(out, ": %s\n", report->event_unjudged[k]);
        }
    if (n_unjudged > MOST_UNJUDGED)
        fprintf(out, "  %-24s and %d more\n", "", n_unjudged - MOST_UNJUDGED);
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
    print_events(file, report, out);
    if (report->unstable)
        fprintf(out, "  %-24s unstable: a change at the start grows %.1e times, so each interval is judged alone\n",
                "unstable", report->amplification);
    for (int k = 0; k < findings->n; k++)
        if (finding_fails(&findings->row[k]))
            fprintf(out, "  %s\n", findings->row[k].reason);
}

/* How the groups of the file are judged. */
static void print_coverage(const struct coverage *coverage, FILE *out)
{
    const struct { const char *what, *list; } row[] = { { "computed again", coverage->computed },
                                                        { "only unchanged", coverage->unchanged },
                                                        { "not judged", coverage->unjudged } };
    for (int k = 0; k < 3; k++)
        if (*row[k].list) {
            fprintf(out, "  %-24s ", row[k].what);
            visible_print(row[k].list, out);
            fputc('\n', out);
        }
}

/* --- One trajectory, or one in each scenario ----------------------------------------------------------------- */

/* What is judged, and what was found. */
struct verdict {
    struct solution_file file;
    struct replay_settings settings;
    struct replay_report report;
    struct coverage coverage;
};

/* A dataset of two groups: the largest difference, relative to magnitudes above 1; INFINITY where
 * they have not as many numbers. */
static double difference(const struct result_data *a, const struct result_data *b)
{
    if (!a || !b || !a->d || !b->d || a->n != b->n)
        return INFINITY;
    double most = 0;
    for (int k = 0; k < a->n; k++)
        most = fmax(most, fabs(a->d[k] - b->d[k]) / fmax(1, fabs(a->d[k])));
    return most;
}

/* The same of starts of control intervals. Where conditions end phases their lengths are each scenario's own: then
 * those of the other phases. */
static double difference_of_times(const struct model *model, const struct result_data *a,
                                  const struct result_data *b)
{
    double most = difference(a, b);
    if (!model_has_until(model) || !a || !b || !a->d || !b->d || a->n != b->n)
        return most;
    most = 0;
    for (int i = 0; i + 1 < a->n; i++)
        if (model_phase_of(model, i)->until == EXPR_NONE)
            most = fmax(most, fabs((a->d[i + 1] - a->d[i]) - (b->d[i + 1] - b->d[i])));
    return most;
}

/* One plan has one set of controls, at the same times; and what the file shows is one of the scenarios. */
static void judge_common(const struct result *whole, int k, const struct model *model, struct replay_report *report)
{
    static const char why[] = "controls or their times differ between scenarios";
    struct arena *mem = &report->findings.mem;
    const bool is_shown = k == result_get_int(result_find(whole, "/scenarios"), "nominal", -1);
    const char *path = arena_printf(mem, "/scenarios/%d/grid", k);
    const struct result_data *t = result_data_of(whole, path, "t_interval"), *u = result_data_of(whole, path, "u");
    const struct result_data *x = result_data_of(whole, path, "x_start");
    double most = 0;
    if (t || result_data_of(whole, "/scenarios/0/grid", "t_interval"))
        most = difference_of_times(model, t, result_data_of(whole, "/scenarios/0/grid", "t_interval"));
    if (u || result_data_of(whole, "/scenarios/0/grid", "u"))
        most = fmax(most, difference(u, result_data_of(whole, "/scenarios/0/grid", "u")));
    if (is_shown) {
        most = fmax(most, t ? difference(t, result_data_of(whole, "/grid", "t_interval")) : 0);
        most = fmax(most, u ? difference(u, result_data_of(whole, "/grid", "u")) : 0);
        most = fmax(most, difference(x, result_data_of(whole, "/grid", "x_start")));
    }
    findings_add(&report->findings, &(struct finding){ "common controls", most, COMMON_TOL, "", why });
    if (!(most <= COMMON_TOL)) {
        report->status = report->status == STATUS_OK ? STATUS_UNVERIFIED : report->status;
        report->reason = report->reason ? report->reason : why;
    }
}

/* Judges and writes /verification into the file's result; whole: of which it is scenario k, or NULL. */
static enum status judge(const struct cli_args *args, const struct result *whole, int k, struct verdict *one,
                         struct diag *diag)
{
    one->settings = settings_of(args, &one->file);
    enum status st = verified_judge(&one->file, whole ? whole : one->file.result, &one->settings, &one->report,
                                    &one->coverage, diag);
    if (st == STATUS_OK && whole)
        judge_common(whole, k, one->file.model, &one->report);
    if (st == STATUS_OK && args->command == CLI_SOLVE && stop_asked() && one->report.status != STATUS_OK)
        st = one->report.status;        /* a check that was cut short says nothing: the solution stays as it was saved */
    if (st == STATUS_OK)
        verified_write(&one->file, &one->settings, &one->report, &one->coverage);
    return st;
}

static void verdict_free(struct verdict *one)
{
    replay_report_free(&one->report);
    solution_file_free(&one->file);
}

/* The scenarios of a plan, 0 of other results. */
static int n_scenarios(const struct result *result)
{
    const int n = result_axis_size(result, "/scenarios", "scenario");
    return n > 0 ? n : 0;
}

/* Scenario k is a result of its own; its /verification becomes part of the plan's, of the nominal one twice. */
static enum status judge_scenario(const struct cli_args *args, struct result *result, int k, struct verdict *one,
                                  struct diag *diag)
{
    struct arena mem = { NULL };
    struct result *part = result_create();
    const char *path = arena_printf(&mem, "/scenarios/%d", k);
    result_copy(result, path, part, "/");
    ticker_set(args->ticker, arena_printf(&mem, "replay by events of scenario %d", k));
    enum status st = solution_file_of(part, arena_printf(&mem, "%s:%s", args->input[0], path), &one->file, diag);
    one->file.is_borrowed = false;
    if (st == STATUS_OK)
        st = judge(args, result, k, one, diag);
    if (st == STATUS_OK)
        result_copy(part, "/verification", result, arena_printf(&mem, "%s/verification", path));
    if (st == STATUS_OK && k == result_get_int(result_find(result, "/scenarios"), "nominal", -1))
        result_copy(part, "/verification", result, "/verification");
    arena_free(&mem);
    return st;
}

/* Is a's finding worse than b's? */
static bool is_worse(const struct verdict *a, const struct verdict *b)
{
    if ((a->report.status != STATUS_OK) != (b->report.status != STATUS_OK))
        return a->report.status != STATUS_OK;
    return !(a->report.error <= b->report.error);
}

/* Every scenario; the summary is that of the worst. */
static enum status judge_all(const struct cli_args *args, struct result *result, int n, struct verdict *list,
                             int *worst, struct diag *diag)
{
    enum status st = STATUS_OK;
    *worst = 0;
    for (int k = 0; k < n && st == STATUS_OK; k++) {
        st = judge_scenario(args, result, k, &list[k], diag);
        if (st == STATUS_OK && k > 0 && is_worse(&list[k], &list[*worst]))
            *worst = k;
    }
    ticker_end(args->ticker);
    return st;
}

static enum status judge_alone(const struct cli_args *args, const char *path, struct result *result,
                               struct verdict *one, struct diag *diag)
{
    enum status st = solution_file_of(result, path, &one->file, diag);
    ticker_set(args->ticker, "replay by events");
    if (st == STATUS_OK)
        st = judge(args, NULL, 0, one, diag);
    ticker_end(args->ticker);
    return st;
}

static void print_all(const struct verdict *list, int n_scenario, FILE *out)
{
    for (int k = 0; k < n_scenario || k == 0; k++) {
        if (n_scenario)
            fprintf(out, "scenario %d of ", k);
        print_details(&list[k].file, &list[k].report, out);
    }
    print_coverage(&list->coverage, out);
}

/* --- The whole -------------------------------------------------------------------------------------------- */

enum status verification_run(const struct cli_args *args, const char *path, struct diag *diag)
{
    struct result *subject = args->call ? args->call->subject ? args->call->subject : args->call->found : NULL;
    struct result *result = subject;
    enum status st = subject ? STATUS_OK : result_read(path, &result, diag);
    if (st != STATUS_OK)
        return st;
    const int n = n_scenarios(result), n_list = n ? n : 1;
    struct verdict *list = mem_alloc((size_t)n_list, sizeof *list);
    int worst = 0;
    st = n ? judge_all(args, result, n, list, &worst, diag) : judge_alone(args, path, result, list, diag);
    const struct verdict *told = &list[worst];
    if (st == STATUS_OK && args->command == CLI_SOLVE && told->report.status != STATUS_OK) {
        output_set_status(result, told->report.status);         /* what the command will exit with */
        digest_renew(result, "/");
    }
    if (st == STATUS_OK && !subject) {
        read_files_forget(diag_read_files(diag), path);         /* what was found goes into what was judged */
        st = result_write(result, args->out_path, diag);
    }
    if (st == STATUS_OK && args->verbosity >= 0)
        print_all(list, n, args->err);
    if (st == STATUS_OK) {
        print_summary(args, &told->file, told->settings.tol, &told->report);
        st = told->report.status;
    }
    for (int k = 0; k < n_list; k++)
        verdict_free(&list[k]);
    free(list);
    if (!subject)
        result_free(result);
    return st;
}

enum status cmd_verify(const struct cli_args *args, struct diag *diag)
{
    const enum status st = output_file_check(args, diag);
    return st == STATUS_OK ? verification_run(args, args->input[0], diag) : st;
}
