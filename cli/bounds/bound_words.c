#include "cli/bounds/bound_words.h"

#include "cli/args.h"
#include "cli/ticker.h"

#include <math.h>
#include <stdlib.h>

enum { PERCENT_DIGITS = 2 };

double bound_words_round_down(double value, int digits)
{
    char text[40];
    for (int k = 0; k < 2; k++) {
        const double unit = fabs(value) > 0 ? pow(10, floor(log10(fabs(value))) - digits + 1) : 0;
        (void)snprintf(text, sizeof text, "%.*g", digits, value - k * unit);
        if (strtod(text, NULL) <= value)
            break;
    }
    return strtod(text, NULL);
}

double bound_words_percent(double bound, double cost)
{
    const double percent = 100 * (fmax(0, cost - bound) / fabs(bound));
    return bound <= 0 && cost > 0 ? NAN : -bound_words_round_down(-percent, PERCENT_DIGITS);
}

/* --- In words ------------------------------------------------------------------------------------------------ */

static const char *box_words(enum bound_box box)
{
    switch (box) {
    case BOX_SPEC: return "";
    case BOX_RATES: return " (no motion leaves it)";
    case BOX_COST: return " (no motion that costs less leaves it)";
    case BOX_MOTION: return " (around the result's motion)";
    }
    return "";
}

const char *bound_words_about(const struct bound_problem *problem, struct arena *mem)
{
    const char *text = "continuous time, any controls within their bounds, motions with", *comma = " ";
    for (int k = 0; k < problem->n_var; k++)
        if (problem->var[k].kind == BOUND_STATE || problem->var[k].box == BOX_MOTION) {
            const struct bound_var *var = &problem->var[k];
            text = arena_printf(mem, "%s%s%s in [%.6g, %.6g]%s", text, comma, var->name, var->lo + 0.0,
                                var->hi + 0.0, box_words(var->box));
            comma = ", ";
        }
    for (int k = 0; k < problem->n_left_out; k++)
        text = arena_printf(mem, "%s%s%s", text, k ? ", " : "; holds without ", problem->left_out[k]);
    return text;
}

/* What the end asks for: "x = 1, v in [0, 2]". */
static const char *end_of(const struct model *model, struct arena *mem)
{
    const char *text = "", *comma = "";
    for (int i = 0; i < model->n_x; i++) {
        const struct model_end *end = &model->x[i].final;
        if (end->kind == END_FIXED && !model_is_seat(model, i))
            text = arena_printf(mem, "%s%s%s = %.6g", text, comma, model->x[i].name, end->lo);
        else if (end->kind == END_RANGE)
            text = arena_printf(mem, "%s%s%s in [%.6g, %.6g]", text, comma, model->x[i].name, end->lo, end->hi);
        comma = *text ? ", " : "";
    }
    return *text ? text : "the end";
}

const char *bound_words_of(const struct model *model, const struct bound_found *found, double cost,
                           struct arena *mem)
{
    const double bound = found->proof ? bound_words_round_down(found->proof->bound, BOUND_WORDS_DIGITS) : NAN;
    if (!found->proof)
        return "nothing is proved";
    const bool is_over_all = bound_is_over_all(found->problem);
    if (found->proof->infeasible)
        return arena_printf(mem, "%sno motion in the box goes from the start to %s %s %.6g %s",
                            is_over_all ? "it cannot be done: " : "", end_of(model, mem),
                            model->time.horizon_free ? "within" : "in", found->problem->horizon_max,
                            model->time.unit);
    if (isnan(cost))
        return arena_printf(mem, "no motion costs less than %.10g", bound);
    if (found->gap < -BOUND_ABOVE)
        return arena_printf(
            mem,
            "no motion in the box costs less than %.10g: the one that costs %.10g leaves it, or its constraints",
            bound, cost);
    const char *where = is_over_all ? "" : " in the box";
    const char *optimum = is_over_all ? "the global optimum" : "its optimum";
    const double percent = bound_words_percent(bound, cost);
    if (isnan(percent))
        return arena_printf(mem, "no motion%s costs less than %.10g: %.10g is at most %.2g above %s", where, bound,
                            cost, -bound_words_round_down(bound - cost, PERCENT_DIGITS), optimum);
    return arena_printf(mem, "no motion%s costs less than %.10g: %.10g is at most %.2g %% above %s", where, bound,
                        cost, percent, optimum);
}

const char *bound_words_end(enum bound_end end)
{
    switch (end) {
    case BOUND_INFEASIBLE:
        return "the proof is complete";
    case BOUND_REACHED: return "the gap is reached";
    case BOUND_SETTLED: return "the last degree added less than the gap";
    case BOUND_LAST_DEGREE: return "the next degree is beyond --degree, or too large";
    case BOUND_ACCURACY: return "two degrees in a row added nothing: the accuracy of the solver ends here";
    case BOUND_STOPPED: return "stopped; what is proved so far holds";
    }
    return "";
}

void bound_words_tell(void *user, const struct bound_attempt *attempt)
{
    const struct cli_args *args = user;
    if (args->verbosity < 0)
        return;
    ticker_clear(args->ticker);
    fprintf(args->err, "%s: degree %d  ", args->input[0], attempt->degree);
    if (attempt->cuts > 0)
        fprintf(args->err, "in %d pieces of %s  ", attempt->cuts + 1, attempt->cut);
    if (isfinite(attempt->bound))
        fprintf(args->err, "bound %.10g", bound_words_round_down(attempt->bound, BOUND_WORDS_DIGITS));
    else
        fprintf(args->err, "no bound");
    fprintf(args->err, "  %.1f s", attempt->seconds);
    if (args->verbosity > 0)
        fprintf(args->err, "  equations %d  code %d", attempt->equations, attempt->code);
    fprintf(args->err, "\n");
}
