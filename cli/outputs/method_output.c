#include "cli/outputs/method_output.h"

#include "cli/output_file.h"
#include "cli/outputs/line.h"

#include "core/base/stop.h"
#include "core/mpcc/report.h"
#include "transcription/judge/verified.h"
#include "transcription/report/solved.h"

#include <math.h>
#include <string.h>

#define LEAST_SECONDS 1.0           /* for the replay of a solution that took all the time there was */

struct time_of { const struct transcription *tr; const double *w; };

static double time_of(void *user, const struct mpcc_label *label, const char **unit)
{
    const struct time_of *at = user;
    *unit = at->tr->dcs->model->time.unit;
    return tr_time_of(at->tr, label, at->w);
}

/* What is in the way of a run that was cut short says little: the worst of it, and how to go on. */
static void report_stop(const struct cli_args *args, const struct solve_result *found)
{
    struct time_of at = { found->tr, found->homotopy.w };
    char text[600];
    const bool is_late = stop_status() == STATUS_LIMIT;
    fprintf(args->err, "  %s%s%sgo on from what is saved with --guess %s\n",
            is_late ? "out of time: raise " : "stopped: ", is_late ? stop_late_option() : "",
            is_late ? ", or " : "", args->out_path);
    if (report_obstacle(&found->tr->mpcc, at.w, HOMOTOPY_VIOLATION_OK, time_of, &at, text, sizeof text))
        fprintf(args->err, "  worst: %s\n", text);
}

static void report_item(const struct report_item *item, struct time_of *at, FILE *out)
{
    const struct mpcc_label *label = item->label;
    char text[600];
    report_item_text(item, time_of, at, text, sizeof text);
    if (label->pos.line > 0)
        fprintf(out, "  %s:%d:%d: %s\n", label->pos.file, label->pos.line, label->pos.col, text);
    else
        fprintf(out, "  %s\n", text);
}

/* What is known of the conditions follows, as errors of the spec (transcription/diagnose). Complementarity by
 * the user is none of these. */
static void report_diagnosed(const struct solve_result *found, double comp_tol, FILE *out)
{
    enum { N_ITEMS = 20 };
    struct time_of at = { found->tr, found->homotopy.w_last ? found->homotopy.w_last : found->homotopy.w };
    struct report_item item[2 * N_ITEMS];
    const int n = report_worst(&found->tr->mpcc, at.w, HOMOTOPY_VIOLATION_OK, comp_tol, N_ITEMS, item);
    if (found->advice)
        fprintf(out, "  likeliest: %s\n", found->advice);
    for (int k = 0; k < n; k++)
        if (item[k].label->path
            && strncmp(item[k].label->path, "complementarity.", strlen("complementarity.")) == 0)
            report_item(&item[k], &at, out);
}

/* The likeliest cause, the worst constraints, what stands on its bounds. */
static void report_failure(const struct solve_result *found, double comp_tol, FILE *out)
{
    enum { N_ITEMS = 3, N_BOUNDS = 3 };
    const struct homotopy_result *best = &found->homotopy;
    const struct mpcc *mpcc = &found->tr->mpcc;
    struct time_of at = { found->tr, best->w_last ? best->w_last : best->w };
    struct report_item item[2 * N_ITEMS];
    struct report_bound bound[N_BOUNDS];
    const int n = report_worst(mpcc, at.w, HOMOTOPY_VIOLATION_OK, comp_tol, N_ITEMS, item);
    const char *advice = report_advice(best, item, n);
    if (advice)
        fprintf(out, "  likeliest: %s\n", advice);
    for (int k = 0; k < n; k++)
        report_item(&item[k], &at, out);
    const int n_bound = report_bounds(mpcc, at.w, 1e-6, N_BOUNDS, bound);
    for (int k = 0; k < n_bound; k++)
        fprintf(out, "  %s at its %s bound in %d place%s\n", bound[k].label->name,
                bound[k].at_upper ? "upper" : "lower", bound[k].count, bound[k].count == 1 ? "" : "s");
}

/* --- What is known of the optimum ---------------------------------------------------------------------------- */

static const double ACTS = 1e-3;        /* N, N s: relaxation leaves smaller forces where none acts */

static double largest(const struct result_data *data)
{
    double most = 0;
    for (int k = 0; data && k < data->n; k++)
        most = fmax(most, result_value(data, k));
    return most;
}

/* Is there a normal force or an impulse anywhere? */
static bool a_contact_acts(const struct result *result)
{
    static const char suffix[] = "_lambda_n";
    const struct result_group *all = result_find(result, "/trajectory");
    bool acts = largest(result_data_of(result, "/grid", "impulse_n")) >= ACTS;
    for (int k = 0; all && k < all->n_data; k++) {
        const size_t n = strlen(all->data[k]->name);
        const bool is_force =
            n > sizeof suffix - 1 && strcmp(all->data[k]->name + n - (sizeof suffix - 1), suffix) == 0;
        acts = acts || (is_force && largest(all->data[k]) >= ACTS);
    }
    return acts;
}

const char *method_optimality_text(const struct result *result)
{
    const struct result_group *root = result_find(result, "/");
    if (!result_find(result, "/homotopy") || result_find(result, "/phases")
        || isnan(result_get_double(root, "objective")))
        return NULL;
    if (!result_data_of(result, "/grid", "contact"))
        return result_data_of(result, "/events", "t")
                   ? "not shown: a stationary point of the discretized problem; with `finish: on` other sequences are tried"
                   : NULL;
    if (!a_contact_acts(result))
        return "not shown, and no contact ever acts: the method may have stopped in a saddle, where nothing moves; "
               "`finish: on` leads it to motions, and so does guess.waypoints";
    return "not shown: a stationary point of the discretized problem, the next to its guess; with `finish: on` other "
           "sequences of contacts are tried and compared";
}

/* --- What comes out ------------------------------------------------------------------------------------------ */

static void print_outcome(const struct cli_args *args, const struct problem *problem,
                          const struct solve_result *found, const struct lower_bound *bound)
{
    const struct homotopy_result *best = &found->homotopy;
    run_line_print(args->out, &(struct run_line){
        .status = best->status, .name = problem->model->name, .experiment = args->experiment,
        .objective = best->objective, .complementarity = best->complementarity, .infeasibility = best->violation,
        .error = NAN, .has_bound = bound, .bound = bound ? lower_bound_value(bound) : NAN,
        .gap = bound ? bound->found.gap : NAN,
        .steps = found->n_step, .iterations = found->iterations, .seconds = found->seconds,
        .out_path = args->out_path }, args->json);
}

/* A solution of the method holds on its grid; is it one between the points of the grid? Where a finished one was
 * asked for, it has to be true when replayed, as that would be. */
static enum status judge_between(const struct cli_args *args, const struct problem *problem,
                                 struct solve_result *found, struct result *result, enum status st)
{
    char why[300];
    const bool replays = problem->finish.use == FINISH_ON;
    const double seconds = replays ? fmax(args->max_time - found->seconds, LEAST_SECONDS) : 0;
    if (verified_between(result, args->out_path, seconds, why, sizeof why) == STATUS_OK)
        return st;
    if (args->verbosity >= 0)
        fprintf(args->err, "not verified %s: %s\n",
                replays ? "when replayed from event to event" : "between grid points", why);
    return found->homotopy.status = STATUS_UNVERIFIED;
}

enum status method_output(const struct cli_args *args, struct problem *problem, struct solve_result *found,
                          enum status st, struct lower_bound *bound, struct diag *diag)
{
    const bool is_cut_short = stop_asked() && !found->failure;         /* a diagnosis that is stopped comes after its end */
    if (is_cut_short && found->homotopy.status != STATUS_OK)
        found->homotopy.status = st = stop_status();
    const bool is_told = st != STATUS_OK && args->verbosity >= 0, is_stopped = is_told && is_cut_short;
    if (is_told && found->failure)
        report_diagnosed(found, problem->homotopy.comp_tol, args->err);
    else if (is_told && !is_stopped)
        report_failure(found, problem->homotopy.comp_tol, args->err);
    if (st == STATUS_UNVERIFIED && args->verbosity >= 0)
        fprintf(args->err, "  physical time runs during a jump: a contact approaches at %.2g m/%s meanwhile\n",
                found->loose_speed, problem->model->time.unit);
    const struct output_origin origin = problem_origin(args, problem, NULL);
    struct result *result = solved_result(&origin, &problem->solver, found, problem->output.points);
    if (st == STATUS_OK || st == STATUS_ACCEPTABLE)
        st = judge_between(args, problem, found, result, st);
    const char *optimality = st == STATUS_OK || st == STATUS_UNVERIFIED ? method_optimality_text(result) : NULL;
    if (optimality && args->verbosity >= 0)
        fprintf(args->err, "optimal:  %s\n", optimality);
    if (bound && st == STATUS_OK)
        lower_bound_settle(bound, result, found->homotopy.objective);
    if (bound) {
        lower_bound_tell(bound);
        lower_bound_write(bound, problem_resolved(problem), result);
    }
    const enum status written = output_file_write(args, result, diag);
    if (is_stopped && written == STATUS_OK)
        report_stop(args, found);               /* by the name that was written to */
    if (written == STATUS_OK)
        print_outcome(args, problem, found, bound);
    return written == STATUS_OK ? st : written;
}
