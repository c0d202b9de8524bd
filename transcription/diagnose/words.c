#include "transcription/diagnose/diagnose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOTH 0.1                    /* of the larger slack: a smaller one on the other side is worth a word */

static const char *number(struct arena *mem, double value, const char *units)
{
    return arena_printf(mem, "%.6g%s%s", value, *units ? " " : "", units);
}

/* What is asked for. */
static const char *demand(struct arena *mem, const struct condition *c)
{
    const double lo = c->row.lb, hi = c->row.ub;
    if (lo == hi)
        return number(mem, lo, c->units);
    if (isfinite(lo) && isfinite(hi))
        return arena_printf(mem, "from %.6g to %s", lo, number(mem, hi, c->units));
    return arena_printf(mem, "at %s %s", isfinite(lo) ? "least" : "most", number(mem, isfinite(lo) ? lo : hi, c->units));
}

/* Four digits, away from what is asked for. */
static double rounded_up(double slack)
{
    const double unit = slack > 0 ? pow(10, floor(log10(slack)) - 3) : 1;
    return ceil(slack / unit - 0.01) * unit;
}

/* Does it give way on both sides? */
static bool is_two_sided(const struct diagnosis_item *item)
{
    return item->condition->row.lb != item->condition->row.ub
           && fmin(item->below, item->above) > BOTH * fmax(item->below, item->above);
}

/* What would do instead. */
static const char *instead(struct arena *mem, const struct diagnosis_item *item)
{
    const struct condition *c = item->condition;
    const double below = c->row.lb - rounded_up(item->below), above = c->row.ub + rounded_up(item->above);
    if (is_two_sided(item))
        return arena_printf(mem, "%.6g to %s", below, number(mem, above, c->units));
    return number(mem, item->below > item->above ? below : above, c->units);
}

static const char *off_by(struct arena *mem, const struct diagnosis_item *item)
{
    if (is_two_sided(item))
        return "";
    return arena_printf(mem, " (off by %s)",
                        number(mem, rounded_up(fmax(item->below, item->above)), item->condition->units));
}

/* The paths of all items but k, "a, b or c". */
static const char *others(struct diagnosis *d, int k, const char *last)
{
    const char *text = "";
    for (int i = 0, left = d->n - 1; i < d->n; i++) {
        if (i == k)
            continue;
        text = arena_printf(&d->mem, "%s%s%s", text, *text == '\0' ? "" : left == 1 ? last : ", ", d->item[i].condition->row.path);
        left--;
    }
    return text;
}

/* One of the conditions, without its path. */
static const char *sentence(struct diagnosis *d, int k)
{
    static const char *const formats[] = {
        [DIAGNOSIS_EITHER] = "cannot be met together with the rest: it is to be %s, and the nearest that was found to go with the rest "
                             "is %s%s",
        [DIAGNOSIS_TOGETHER] = "cannot be met together with the rest: it is to be %s, and is %s%s where the least gives way",
        [DIAGNOSIS_OPEN] = "is to be %s, and is %s%s where the solve ended",
        [DIAGNOSIS_MET] = "can be met: %s, %s%s"
    };
    const struct diagnosis_item *item = &d->item[k];
    return arena_printf(&d->mem, formats[d->verdict], demand(&d->mem, item->condition), instead(&d->mem, item),
                        off_by(&d->mem, item));
}

/* How the others stand to it. */
static const char *beside(struct diagnosis *d, int k)
{
    if (d->n < 2 || d->verdict == DIAGNOSIS_OPEN)
        return "";
    return d->verdict == DIAGNOSIS_EITHER
               ? arena_printf(&d->mem, "; either this gives way, or %s", others(d, k, " or "))
               : arena_printf(&d->mem, "; so do %s, as none is enough alone", others(d, k, " and "));
}

void diagnosis_report(struct diagnosis *d, struct diag *diag)
{
    for (int k = 0; k < d->n; k++) {
        const struct model_constraint *row = &d->item[k].condition->row;
        diag_add(diag, DIAG_ERROR, STATUS_INFEASIBLE, row->pos, row->path, "%s%s", sentence(d, k), beside(d, k));
    }
}

static const char *path_and_place(struct arena *mem, const struct model_constraint *row)
{
    return row->pos.line
               ? arena_printf(mem, "%s (%s:%d:%d)", row->path, row->pos.file, row->pos.line, row->pos.col)
               : row->path;
}

/* "either A is 4 m instead of 2 m, or B is ..." */
static const char *alternatives(struct diagnosis *d)
{
    struct arena *mem = &d->mem;
    const char *text = "what is asked for cannot all be met: either ";
    for (int k = 0; k < d->n; k++)
        text = arena_printf(mem, "%s%s%s is %s instead of %s", text, k == 0 ? "" : ", or ",
                            path_and_place(mem, &d->item[k].condition->row), instead(mem, &d->item[k]),
                            demand(mem, d->item[k].condition));
    return text;
}

const char *diagnosis_text(struct diagnosis *d)
{
    struct arena *mem = &d->mem;
    const char *text = "";
    if (d->verdict == DIAGNOSIS_MET)
        return "no condition has to give way: with all of them relaxed a motion was found that meets them, which the search had missed";
    if (d->verdict == DIAGNOSIS_EITHER && d->n > 1)
        return alternatives(d);
    for (int k = 0; k < d->n; k++)
        text = arena_printf(mem, "%s%s%s %s", text, k == 0 ? "" : "; ",
                            path_and_place(mem, &d->item[k].condition->row), sentence(d, k));
    return d->verdict != DIAGNOSIS_OPEN
               ? text
               : arena_printf(mem, "it is not known which condition cannot be met%s%s", d->n ? "; " : "", text);
}
