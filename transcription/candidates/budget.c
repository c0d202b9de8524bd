#include "transcription/candidates/budget.h"

#include <math.h>

double budget_spent(const struct discovery *at)
{
    const struct record *record = &at->out->record;
    return record->work.linear.entries + record->discovery.linear.entries;
}

double budget_share(const struct discovery *at, double share)
{
    return at->effort == AS_ASKED ? INFINITY : fmax(BUDGET_MOMENT, share * budget_spent(at));
}
