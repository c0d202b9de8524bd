#include "core/replay/replay_worst.h"

#include <math.h>

void worst_raise(struct worst *worst, double figure, double value, double t, int i)
{
    if (figure > worst->figure)
        *worst = (struct worst){ figure, value, t, i };
}

const char *worst_range_text(struct replay *r, double lb, double ub)
{
    struct arena *mem = &r->report->findings.mem;
    return lb == ub    ? arena_printf(mem, "%.7g", lb)
           : isinf(ub) ? arena_printf(mem, "at least %.7g", lb)
           : isinf(lb) ? arena_printf(mem, "at most %.7g", ub)
                       : arena_printf(mem, "in [%.7g, %.7g]", lb, ub);
}

void worst_add(struct replay *r, const char *name, double tol, const struct worst *worst, const char *what,
               const char *when, const char *demand, struct srcpos pos)
{
    struct findings *to = &r->report->findings;
    const char *line = pos.line ? arena_printf(&to->mem, " (%s:%d)", pos.file, pos.line) : "";
    const char *where = worst->figure > 0 ? arena_printf(&to->mem, "%s%s", what, when) : NULL;
    findings_add(to, &(struct finding){
                         name, worst->figure, tol, where,
                         arena_printf(&to->mem, "%s is %.7g%s, it must be %s%s: off by %.2g, the tolerance is %g",
                                      what, worst->value, when, demand, line, worst->figure, tol) });
}

void worst_add_range(struct replay *r, const char *name, double tol, const struct worst *worst, const char *what,
                     const char *when, double lb, double ub, struct srcpos pos)
{
    worst_add(r, name, tol, worst, what, when, worst_range_text(r, lb, ub), pos);
}

const char *worst_time_text(struct replay *r, double t)
{
    return arena_printf(&r->report->findings.mem, " at t = %.6g %s", t, r->model->time.unit);
}
