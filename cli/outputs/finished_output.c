#include "cli/outputs/finished_output.h"

#include "cli/output_file.h"
#include "cli/outputs/line.h"
#include "cli/outputs/sensitivity.h"
#include "cli/ticker.h"
#include "transcription/judge/verified.h"
#include "transcription/report/finished.h"
#include "transcription/report/fitted.h"

#include <math.h>

void finished_tell_lines(const char *heading, const struct result_data *line, FILE *out)
{
    enum { MOST_LINES = 8 };
    for (int k = 0; line && line->text && k < line->n && k < MOST_LINES; k++)
        fprintf(out, "%s%s\n", k ? "          " : heading, line->text[k]);
    if (line && line->n > MOST_LINES)
        fprintf(out, "          ... and %d more: cocp show\n", line->n - MOST_LINES);
}

/* Solutions that were cheaper, and could not be verified. */
static int n_cheaper_refused(const struct finished *found)
{
    const struct refused *refused = &found->record.refused;
    int n = 0;
    for (int k = 0; k < refused->n && found->solution.status == STATUS_OK; k++)
        n += refused->list[k].objective < found->solution.best.objective;
    return n;
}

/* Of the sequence it has, by the curvature of its program; where nothing switches there is no other one. */
static const char *of_sequence(enum minimum minimum, bool has_others)
{
    switch (minimum) {
    case MINIMUM_NOT_ASKED: return "";
    case MINIMUM_STRICT:
        return has_others ? "it is a strict local minimum of its sequence" : "it is a strict local minimum";
    case MINIMUM_FLAT:
        return has_others ? "by second derivatives it is a local minimum of its sequence, flat in some direction"
                          : "by second derivatives it is a local minimum, flat in some direction";
    case MINIMUM_NOT_SHOWN:
        return has_others ? "second derivatives do not show a minimum of its sequence, it may be a saddle point"
                          : "second derivatives do not show a minimum, it may be a saddle point";
    }
    return "";
}

static void tell_neighbours(const struct finished *found, const struct lower_bound *bound, FILE *out)
{
    const int n_cheaper = n_cheaper_refused(found), n_tried = found->record.tries;
    const bool exhausted = found->solution.exhausted;
    if (n_tried == 0)
        fputs(exhausted                       ? "nothing points to a neighbouring sequence"
              : bound && bound->ended_search ? "as its bound is near, no neighbouring sequence was tried"
                                             : "no neighbouring sequence was tried",
              out);
    else if (n_tried == 1)
        fputs("the one neighbouring sequence that was tried is not better", out);
    else
        fprintf(out, "none of the %d neighbouring sequences that were tried is better", n_tried);
    if (n_tried > 0 && !exhausted)
        fputs(", and not all were tried", out);
    if (n_cheaper > 0)
        fprintf(out, "; %d that cost%s less could not be verified", n_cheaper, n_cheaper == 1 ? "s" : "");
}

/* Of other sequences that the motion has, too, as some modes last no time. */
static void tell_stationarity(const struct stationarity *known, FILE *out)
{
    const int n = known->n_branch - 1;
    if (known->is == STATIONARITY_DESCENT)
        fprintf(out, "; but to first order another sequence of the same motion is better (%s)", known->what);
    else if (known->is == STATIONARITY_B && n == 1)
        fputs("; the one other sequence of the same motion is not better to first order (B-stationary)", out);
    else if (known->is == STATIONARITY_B && n > 1)
        fprintf(out, "; none of the %d other sequences of the same motion is better to first order (B-stationary)",
                n);
    else if (known->is == STATIONARITY_NOT_DECIDED && n == 1)
        fputs("; one other sequence of the same motion is not better to first order, and not all were tried", out);
    else if (known->is == STATIONARITY_NOT_DECIDED && n > 1)
        fprintf(out,
                "; %d other sequences of the same motion are not better to first order, and not all were tried", n);
}

/* A solution is a local one, and of what it is the best that is said. */
static void tell_optimality(const struct finished *found, const struct lower_bound *bound, FILE *out)
{
    const enum minimum minimum = found->solution.minimum;
    const bool has_others = sequence_n_subject(found->solution.best.ph->seq) > 0;
    const char *own = of_sequence(minimum, has_others);
    const double percent = bound ? lower_bound_percent(bound) : NAN;
    if (!*own && found->record.tries == 0)
        return;
    fprintf(out, "optimal:  %s: %s", minimum == MINIMUM_NOT_SHOWN ? "not shown" : "locally", own);
    if (has_others) {
        fputs(*own ? "; " : "", out);
        tell_neighbours(found, bound, out);
        tell_stationarity(&found->solution.stationarity, out);
    }
    if (isnan(percent))
        fprintf(out, "; other %s may be better\n", has_others ? "sequences" : "local minima");
    else
        fprintf(out, "; no other %s is better by more than %.2g %%\n",
                has_others ? "sequence" : "local minimum", percent);
}

/* What was found, in words; how exact it is, how it was verified, whether something better is near. */
static void tell_found(const struct finished *finished, double tol, const struct result_data *story,
                       const struct lower_bound *bound, FILE *out)
{
    const struct solution *found = &finished->solution;
    finished_tell_lines(found->best.solved ? "found:    " : "nearest:  ", story, out);
    if (!found->best.solved) {
        if (!bound || !bound->words || found->failure != bound->words)
            fprintf(out, "not solved: %s\n", found->failure ? found->failure : found->reason);
        if (found->advice)
            fprintf(out, "  likeliest: %s\n", found->advice);
        if (bound)
            lower_bound_tell(bound);
        return;
    }
    fprintf(out, "exact:    every condition holds to %.1e%s, complementarity exactly\n", found->best.violation,
            isnan(found->replay.judged) ? " at its collocation points, not checked in between" : "");
    const bool is_true = found->status != STATUS_UNVERIFIED && found->replay.judged <= tol && !*found->refusal;
    if (is_true && found->replay.unstable)
        fprintf(out, "verified: the motion is unstable, so each control interval was replayed by itself: states differ by %.1e at most "
                "(finish.tol is %g), over the whole horizon by %.1e\n", found->replay.interval, tol, found->replay.error);
    else if (is_true)
        fprintf(
            out,
            "verified: a replay from event to event differs by %.1e at most in its states (finish.tol is %g)\n",
            found->replay.error, tol);
    tell_optimality(finished, bound, out);
    if (bound)
        lower_bound_tell(bound);
    if (found->status != STATUS_OK)
        fprintf(out, "not %s: %s\n", is_true ? "solved" : "verified", found->reason);
}

/* Standard deviations, from the program of the finished solution or that of all experiments. */
static void add_fit(const struct finish *finish, const struct joint_fit *joint, struct result *result)
{
    const struct fit_part part = { "", finish->ph };
    struct fit *own = joint ? NULL : fitted_one(finish);
    fitted_write(joint ? joint->fit : own, joint ? joint->n : 1, joint ? joint->part : &part, result);
    fit_free(own);
}

enum status finished_output(const struct cli_args *args, struct problem *problem, const struct finished *finished,
                            const struct joint_fit *joint, struct lower_bound *bound, struct diag *diag)
{
    const struct finish *best = &finished->solution.best;
    const struct replayed *replay = &finished->solution.replay;
    const struct output_origin origin = problem_origin(args, problem, NULL);
    struct result *result = finished_result(&origin, &problem->solver, finished, problem->output.points);
    struct finished told = *finished;           /* borrowed: what follows may find it to be unverified */
    const bool fits = problem->model->data.n_series && best->solved;
    if (fits)
        add_fit(best, joint, result);
    if ((told.solution.status == STATUS_OK || told.solution.status == STATUS_ACCEPTABLE)
        && verified_stored(result, args->out_path, told.solution.reason, sizeof told.solution.reason) != STATUS_OK)
        told.solution.status = STATUS_UNVERIFIED;
    if (bound && (told.solution.status == STATUS_OK || told.solution.status == STATUS_ACCEPTABLE))
        lower_bound_settle(bound, result, best->objective);
    ticker_end(args->ticker);
    if (args->verbosity >= 0)
        tell_found(&told, problem->finish.tol, result_data_of(result, "/phases", "story"), bound, args->err);
    if (bound)
        lower_bound_write(bound, problem_resolved(problem), result);
    if (fits && args->verbosity >= 0 && !joint)
        finished_tell_lines("fit:      ", result_data_of(result, "/fit", "words"), args->err);
    if (problem->sensitivity.use && best->solved)
        sensitivity_add(args, problem, best, result);
    const enum status st = output_file_write(args, result, diag);
    const struct run_line line = {
        .status = told.solution.status, .name = problem->model->name, .experiment = args->experiment,
        .objective = best->objective, .infeasibility = best->violation, .error = replay->error,
        .has_bound = bound, .bound = bound ? lower_bound_value(bound) : NAN, .gap = bound ? bound->found.gap : NAN,
        .unstable = replay->unstable, .interval = replay->interval, .steps = finished->record.n_start,
        .iterations = finished->record.work.iterations, .seconds = finished->record.seconds, .out_path = args->out_path
    };
    if (st != STATUS_OK)
        return st;
    run_line_print(args->out, &line, args->json);
    return told.solution.status;
}
