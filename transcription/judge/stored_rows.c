/* /residuals: of a finished solution they are the largest of /grid/rows and /grid/variables. */
#include "transcription/judge/stored_parts.h"

#include <math.h>

/* The rows or the variables; borrowed. */
struct entries { int n; const int *constraint; const double *t, *lower, *upper, *value, *multiplier; };

/* What they come to for each row of /residuals: [n]. */
struct sums { int n, *count; double *violation, *multiplier; };

static bool read_entries(const struct stored *at, const char *group, struct entries *out)
{
    const struct result_data *constraint = result_data_of(at->file->result, group, "constraint");
    const int n = constraint ? constraint->n : 0;
    *out = (struct entries){ n, constraint ? constraint->i : NULL, stored_doubles(at, group, "t", n),
                             stored_doubles(at, group, "lower", n), stored_doubles(at, group, "upper", n),
                             stored_doubles(at, group, "value", n), stored_doubles(at, group, "multiplier", n) };
    return n == 0 || (out->constraint && out->lower && out->upper && out->value && out->multiplier);
}

/* False where one belongs to no row of /residuals. */
static bool add_entries(const struct entries *from, struct sums *to)
{
    bool all = true;
    for (int k = 0; k < from->n; k++) {
        const int i = from->constraint[k];
        all = all && i >= 0 && i < to->n;
        if (!all)
            break;
        const double violation = fmax(0, fmax(from->lower[k] - from->value[k], from->value[k] - from->upper[k]));
        to->count[i]++;
        to->violation[i] = fmax(to->violation[i], violation);
        if (fabs(from->multiplier[k]) > fabs(to->multiplier[i]))
            to->multiplier[i] = from->multiplier[k];
    }
    return all;
}

static bool is_same(double a, double b)
{
    return fabs(a - b) <= SAME * fmax(fabs(a), fabs(b)) || (isnan(a) && isnan(b));
}

void stored_judge_rows(struct stored *at)
{
    const struct result *file = at->file->result;
    const struct result_data *count = result_data_of(file, "/residuals", "n");
    const int n = count && count->i ? count->n : 0;
    const double *violation = stored_doubles(at, "/residuals", "violation", n);
    const double *multiplier = stored_doubles(at, "/residuals", "multiplier", n);
    struct entries rows, variables;
    if (!result_find(file, "/grid/rows") && !result_find(file, "/grid/variables"))
        return;
    struct sums sums = { n, arena_alloc(&at->mem, (size_t)n, sizeof *sums.count),
                         arena_alloc(&at->mem, (size_t)n, sizeof(double)),
                         arena_alloc(&at->mem, (size_t)n, sizeof(double)) };
    bool fits = n > 0 && violation && multiplier && read_entries(at, "/grid/rows", &rows)
                && read_entries(at, "/grid/variables", &variables) && add_entries(&rows, &sums)
                && add_entries(&variables, &sums);
    for (int i = 0; i < n && fits; i++)
        fits = count->i[i] == sums.count[i] && is_same(violation[i], sums.violation[i])
               && is_same(multiplier[i], sums.multiplier[i]);
    stored_add_shape(at, fits, "residuals of rows",
                     "/residuals is not what /grid/rows and /grid/variables come to");
}
