#include "core/mpcc/report.h"

#include "core/base/mem.h"
#include "core/base/rounded.h"
#include "core/base/stop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 256 };          /* violated rows looked at: neighbours in time share a name */

static struct report_item item_at(const struct mpcc *mpcc, const double *w, const double *g, int index,
                                  double violation)
{
    const struct nlp *nlp = &mpcc->nlp;
    if (index < nlp->n_g)
        return (struct report_item){ REPORT_ROW, &mpcc->row[index], index, g[index], nlp->lbg[index],
                                     nlp->ubg[index], violation };
    const int var = index - nlp->n_g;
    if (var < nlp->n_w)
        return (struct report_item){ REPORT_BOUND, &mpcc->var[var], var, w[var], nlp->lbw[var], nlp->ubw[var],
                                     violation };
    const int m = var - nlp->n_w;
    const struct mpcc_pair *pair = &mpcc->pair[m];
    return (struct report_item){ REPORT_PAIR_SIGN, &pair->label, m,
                                 pair->two_sided ? mpcc_pair_G(pair, w)
                                                 : fmin(mpcc_pair_G(pair, w), mpcc_pair_H(pair, w)),
                                 0.0, INFINITY, violation };
}

static bool is_named(const struct report_item *item, int n, const struct mpcc_label *label)
{
    for (int k = 0; k < n; k++)
        if (strcmp(item[k].label->name, label->name) == 0)
            return true;
    return false;
}

static int worst_rows(const struct mpcc *mpcc, const double *w, double tol, int n_max, struct report_item *item)
{
    int *index = mem_alloc(CANDIDATES, sizeof *index);
    double *violation = mem_alloc(CANDIDATES, sizeof *violation);
    double *g = mem_alloc((size_t)mpcc->nlp.n_g, sizeof *g);
    const int n = mpcc_worst_rows(mpcc, w, CANDIDATES, index, violation);
    mpcc->nlp.eval_g(mpcc->nlp.user, w, true, g);
    int found = 0;
    for (int k = 0; k < n && found < n_max && violation[k] > tol; k++) {
        const struct report_item here = item_at(mpcc, w, g, index[k], violation[k]);
        if (!is_named(item, found, here.label))
            item[found++] = here;
    }
    free(index);
    free(violation);
    free(g);
    return found;
}

static int worst_products(const struct mpcc *mpcc, const double *w, double tol, int n_max,
                          struct report_item *item)
{
    int found = 0;
    while (found < n_max) {
        struct report_item worst = { .violation = tol };
        for (int m = 0; m < mpcc->n_pair; m++) {
            const struct mpcc_pair *pair = &mpcc->pair[m];
            const double product = mpcc_pair_product(pair, w);
            if (product > worst.violation && !is_named(item, found, &pair->label))
                worst = (struct report_item){ REPORT_PAIR_PRODUCT, &pair->label, m, product, 0.0, 0.0, product };
        }
        if (!worst.label)
            break;
        item[found++] = worst;
    }
    return found;
}

int report_worst(const struct mpcc *mpcc, const double *w, double tol, double comp_tol, int n_max,
                 struct report_item *item)
{
    const int n_rows = worst_rows(mpcc, w, tol, n_max, item);
    return n_rows + worst_products(mpcc, w, comp_tol, n_max, item + n_rows);
}

int report_bounds(const struct mpcc *mpcc, const double *w, double tol, int n_max, struct report_bound *out)
{
    const struct nlp *nlp = &mpcc->nlp;
    int found = 0;
    for (int i = 0; i < nlp->n_w; i++) {
        const bool at_upper = w[i] >= nlp->ubw[i] - tol, at_lower = w[i] <= nlp->lbw[i] + tol;
        if (nlp->lbw[i] == nlp->ubw[i] || (!at_upper && !at_lower))
            continue;
        int k = 0;
        while (k < found && (out[k].at_upper != at_upper || strcmp(out[k].label->name, mpcc->var[i].name) != 0))
            k++;
        if (k < found)
            out[k].count++;
        else if (found < n_max)
            out[found++] = (struct report_bound){ &mpcc->var[i], at_upper, 1, i };
    }
    return found;
}

/* --- In words ----------------------------------------------------------------------------------------------- */

/* snprintf at the end of text; what does not fit is cut. */
static void append(char *text, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *fmt, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, fmt);
    vsnprintf(text + used, size - used, fmt, args);
    va_end(args);
}

static void append_place(const struct mpcc_label *label, report_time *time, void *user, char *text, size_t size)
{
    struct arena mem = { NULL };
    append(text, size, "%s", rounded_text(&mem, label->name));
    arena_free(&mem);
    if (label->interval >= 0)
        append(text, size, ", interval %d", label->interval);
    if (label->element >= 0)
        append(text, size, ", element %d", label->element);
    if (label->stage >= 0)
        append(text, size, ", stage %d", label->stage);
    const char *unit = "";
    const double t = time ? time(user, label, &unit) : NAN;
    if (!isnan(t))
        append(text, size, " at t = %.4g %s", t, unit);
}

void report_item_text(const struct report_item *item, report_time *time, void *user, char *text, size_t size)
{
    const double bound = item->value < item->lower ? item->lower : item->upper;
    const char *relation = item->lower == item->upper ? "" : item->value < item->lower ? "at least " : "at most ";
    if (size == 0)
        return;
    text[0] = '\0';
    append_place(item->label, time, user, text, size);
    if (item->kind == REPORT_PAIR_PRODUCT)
        append(text, size, ": complementarity %.2g", item->value);
    else
        append(text, size, ": %.6g, must be %s%.6g (off by %.2g)", item->value, relation, bound,
               fabs(item->value - bound));
}

/* Equations and grid of a method; what the user has written has a place in the spec, and is no right side. */
static bool is_of_method(const struct report_item *item)
{
    const char *path = item->label->path;
    return !path || strncmp(path, "dynamics", strlen("dynamics")) == 0
           || strncmp(path, "time", strlen("time")) == 0;
}

bool report_obstacle(const struct mpcc *mpcc, const double *w, double tol, report_time *time, void *user,
                     char *text, size_t size)
{
    enum { ROWS = 20 };
    struct report_item item[2 * ROWS];
    const int n = report_worst(mpcc, w, tol, INFINITY, ROWS, item);
    for (int k = 0; k < n; k++)
        if (!is_of_method(&item[k])) {
            report_item_text(&item[k], time, user, text, size);
            return true;
        }
    if (n > 0)
        (void)snprintf(text, size, "no motion fits: its equations are off by %.2g", item[0].violation);
    return n > 0;
}

/* attempts.md 2, fallbacks */
static const char *advice_infeasible(const struct report_item *item, int n_item)
{
    static const struct { const char *row, *advice; } known[] = {
        { "clock", "the interval of an impact has too few finite elements: raise time.elements by one" },
        { "sum h", "an event fell into the wrong interval: try a finer presolve, or homotopy.restarts" },
        { "dynamics", "the guess may be far from any motion: try one that `cocp simulate` has made (--guess), "
                      "homotopy.update_slope 0.5, or discretization.stages 3" },
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0] && n_item > 0 && item[0].kind == REPORT_ROW; k++)
        if (strstr(item[0].label->name, known[k].row))
            return known[k].advice;
    if (n_item > 0 && item[0].label->path)
        return "the guess may be far from what meets the first condition below, or it cannot be met: try a guess that "
               "`cocp simulate` has made (--guess), the condition as a cost, a longer horizon";
    return "try another guess, homotopy.update_slope 0.5, one element more, or homotopy.elastic linf";
}

static const char *advice_limit(const struct homotopy_result *result)
{
    if (result->outcome == NLP_TIME)
        return strcmp(stop_late_option(), "--max-cpu") == 0 ? "out of CPU time: raise --max-cpu"
                                                            : "out of time: raise --max-time";
    if (result->outcome == NLP_ITERATIONS)
        return "out of iterations: raise solver.ipopt.max_iter, or try homotopy.update_slope 0.5";
    return "sigma is at its end, and complementarity products are not small yet: lower homotopy.sigma_N";
}

const char *report_advice(const struct homotopy_result *result, const struct report_item *item, int n_item)
{
    switch (result->status) {
    case STATUS_OK:
        return NULL;
    case STATUS_ACCEPTABLE:
        return "feasible, but looser than asked for: lower homotopy.sigma_N, or relax homotopy.comp_tol";
    case STATUS_INFEASIBLE:
        return advice_infeasible(item, n_item);
    case STATUS_UNBOUNDED:
        return "the cost can fall without end: bound the controls and states, or weigh them in the cost";
    case STATUS_LIMIT:
        return advice_limit(result);
    case STATUS_NUMERIC:
        return "a value is not finite or the equations are singular there: bound the states, move the guess";
    default:
        return NULL;
    }
}
