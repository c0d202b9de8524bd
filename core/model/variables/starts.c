/* What it takes to start a control with values: start_cost, min_on, min_off, most, and what
 * it was before the horizon. */
#include "core/model/variables/read.h"

enum { STARTS_MOST = 100000 };

static const char *const keys[] = { "start_cost", "min_on", "min_off", "most" };

void starts_refuse(struct reader *r, const struct spec_node *node, const char *why)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (spec_get(node, keys[i]))
            spec_error(r->diag, spec_get(node, keys[i]), "\"%s\" %s", keys[i], why);
}

/* A number that is not negative; true where the spec has it. */
static bool read_amount(struct reader *r, const struct spec_node *node, const char *key, double *out)
{
    const struct spec_node *child = reader_given(node, key);
    if (child && reader_finite(r, child, out) == STATUS_OK && *out < 0)
        spec_error(r->diag, child, "must not be negative, got %.15g", *out);
    return child;
}

/* A stay that has to end within the horizon would not fit. */
static void read_stay(struct reader *r, const struct spec_node *node, const char *key, double *out)
{
    const struct model_time *time = &r->model->time;
    const double longest = time->horizon_free ? time->horizon_max : time->horizon;
    if (read_amount(r, node, key, out) && *out > longest)
        spec_error(r->diag, spec_get(node, key), "%.15g %s is longer than the horizon, %.15g %s", *out, time->unit,
                   longest, time->unit);
}

/* One of its values. */
static void read_before(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    const struct spec_node *child = reader_given(node, "initial");
    bool found = false;
    if (child && !var->starts.given)
        spec_error(r->diag, child,
                   "is what it was before the horizon, which only start_cost, min_on, min_off and most ask for");
    if (!child || reader_finite(r, child, &var->starts.before) != STATUS_OK)
        return;
    for (int k = 0; k < var->n_value; k++)
        found = found || var->value[k] == var->starts.before;
    if (!found)
        spec_error(r->diag, child, "is what it was before the horizon, which %.15g, none of its values, cannot be",
                   var->starts.before);
}

void starts_read(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    struct model_starts *starts = &var->starts;
    if (!var->n_value) {
        if (!spec_get(node, "values"))
            starts_refuse(r, node, "is of controls with values, as values: [0, 1]");
        return;
    }
    starts->before = var->value[0];
    starts->pos = var->pos;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        starts->given = starts->given || reader_given(node, keys[i]);
    read_amount(r, node, "start_cost", &starts->cost);
    read_stay(r, node, "min_on", &starts->min_on);
    read_stay(r, node, "min_off", &starts->min_off);
    if (reader_given(node, "most"))
        reader_int(r, spec_get(node, "most"), 1, STARTS_MOST, &starts->most);
    read_before(r, node, var);
}
