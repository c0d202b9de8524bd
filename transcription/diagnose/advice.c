#include "transcription/diagnose/diagnose.h"

#include <math.h>

/* Is a contact in the way of what is given at the end: below its surface? */
static bool ends_below(const struct model *model, const struct condition *c)
{
    bool below = false;
    for (int k = 0; k < model->contacts.n_contact && c->kind == CONDITION_FINAL; k++)
        below = below || (expr_depends(model->graph, model->contacts.contact[k].gap, 1, &model->x_sym[c->index])
                          && model_value_at_end(model, model->contacts.contact[k].gap, false) < 0);
    return below;
}

/* A first-order state that is to stay above 0, as what a tank holds. */
static bool runs_dry(const struct model *model, const struct diagnosis_item *item)
{
    const struct condition *c = item->condition;
    return c->kind == CONDITION_STATE && model->dynamics.type != MODEL_MECHANICAL && item->below > item->above
           && c->row.lb == 0;
}

static bool holds_along_path(const struct condition *c)
{
    return c->kind == CONDITION_CONSTRAINT && c->row.at & AT_STAGES && c->row.end == 0;
}

const char *diagnosis_advice(const struct diagnosis *d, const struct model *model)
{
    if (d->verdict == DIAGNOSIS_MET)
        return "the search has missed a motion: lead it by guess.waypoints, by --guess of a simulation that goes there, or try "
               "finish.starts 12";
    if (d->verdict == DIAGNOSIS_OPEN)
        return "the guess may be far from any motion that meets what is asked for, or there is none: lead it by guess.waypoints or "
               "--guess of a simulation, or make final values costs to see how near it comes";
    for (int k = 0; k < d->n; k++) {
        const struct condition *c = d->item[k].condition;
        if (runs_dry(model, &d->item[k]))
            return "a state that stops at its bound by itself, as a tank that runs dry, is a projection (docs/projected.md): a bound "
                   "is a condition on the controls";
        if (ends_below(model, c))
            return "the end lies below the surface of a contact, which holds everywhere, as an infinite plane: a surface that ends is "
                   "a ground (docs/grounds.md), one that is there for a time belongs to phases";
        if (holds_along_path(c))
            return "the constraint holds at all times: what is meant for a part of them has times in \"at\", or belongs to one of "
                   "several phases";
    }
    return d->verdict == DIAGNOSIS_TOGETHER ? "the conditions named below have to give way, or become costs"
           : d->n > 1 ? "one of the conditions named below has to give way, or become a cost"
                      : "the condition named below has to give way, or become a cost";
}
