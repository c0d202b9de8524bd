#include "core/results/switches.h"

#include <math.h>
#include <string.h>

enum { FIRST_TOLD = 7, LAST_TOLD = 3 };        /* of a long story, as sequences tell theirs */
static const double NO_LENGTH = 1e-9;          /* of the horizon */

struct controls {
    int n, n_interval;
    const char *const *name;        /* [n] */
    const unsigned char *few;       /* [n] */
    const double *t, *u;            /* [n_interval] starts, [n_interval * n] */
    double end;
};

static bool find_controls(const struct result *result, struct controls *out)
{
    const struct result_data *few = result_data_of(result, "/grid", "few_values");
    const struct result_data *u = result_data_of(result, "/grid", "u");
    const struct result_data *name = result_data_of(result, "/grid", "control");
    const struct result_data *t = result_data_of(result, "/grid", "t_interval");
    const struct result_data *end = result_data_of(result, "/grid", "t_end");
    if (!few || !few->flag || !u || !u->d || !name || !name->text || !t || !t->d || !end || !end->d || end->n == 0)
        return false;
    *out = (struct controls){ few->n, t->n, name->text, few->flag, t->d, u->d, end->d[end->n - 1] };
    return t->n > 0 && name->n == few->n && u->n == t->n * few->n;
}

static bool has_length(const struct controls *c, int i)
{
    const double end = i + 1 < c->n_interval ? c->t[i + 1] : c->end;
    return end - c->t[i] > NO_LENGTH * (c->end - c->t[0]);
}

int control_switches(const struct result *result, struct arena *mem, struct control_switch **out)
{
    struct controls c;
    int n = 0;
    *out = NULL;
    if (!find_controls(result, &c))
        return 0;
    *out = arena_alloc(mem, (size_t)c.n * (size_t)c.n_interval, sizeof **out);
    double *last = arena_alloc(mem, (size_t)c.n, sizeof *last);
    for (int k = 0; k < c.n; k++)
        last[k] = NAN;
    for (int i = 0; i < c.n_interval; i++)
        for (int k = 0; k < c.n && has_length(&c, i); k++) {
            const double value = c.u[i * c.n + k];
            if (!c.few[k] || (!isnan(last[k]) && fabs(value - last[k]) <= 1e-9 * (1 + fabs(value))))
                continue;
            (*out)[n++] = (struct control_switch){ c.t[i], c.name[k], last[k], value };
            last[k] = value;
        }
    return n;
}

/* Its first value, and what it switches to; of many the middle is left out. */
static const char *story_of(const char *control, const char *unit, int n, const struct control_switch *list,
                            struct arena *mem)
{
    const char *text = control;
    int mine = 0, told = 0;
    for (int k = 0; k < n; k++)
        mine += list[k].control == control;
    for (int k = 0; k < n; k++) {
        if (list[k].control != control)
            continue;
        const int left = mine - told++;
        if (isnan(list[k].from))
            text = arena_printf(mem, "%s: %.6g", text, list[k].to);
        else if (mine <= FIRST_TOLD + LAST_TOLD + 1 || told <= FIRST_TOLD || left <= LAST_TOLD)
            text = arena_printf(mem, "%s, %.6g from %.5g %s on", text, list[k].to, list[k].t, unit);
        else if (told == FIRST_TOLD + 1)
            text = arena_printf(mem, "%s, ... %d more ...", text, mine - FIRST_TOLD - LAST_TOLD);
    }
    return text;
}

int control_stories(const struct result *result, const char *unit, struct arena *mem, const char ***out)
{
    struct control_switch *list;
    struct controls c;
    const int n = control_switches(result, mem, &list);
    int n_line = 0;
    *out = NULL;
    if (n == 0 || !find_controls(result, &c))
        return 0;
    *out = arena_alloc(mem, (size_t)c.n, sizeof **out);
    for (int k = 0; k < c.n; k++)
        if (c.few[k])
            (*out)[n_line++] = story_of(c.name[k], unit, n, list, mem);
    return n_line;
}
