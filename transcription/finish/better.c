#include "transcription/finish/better.h"

#include "transcription/finish/finish.h"

const struct margins margins = {
    .same = 1e-7,
    .as_good = 1e-6,
    .apart = 1e-3,
    .worth_more = 0.1,
    .strayed = 0.2
};

bool better_than(const struct finish *a, const struct finish *b)
{
    if (a->solved != b->solved)
        return a->solved;
    const double same = margins.same * fabs(b->objective);
    if (a->solved && a->ph->seq->n_machine && fabs(a->objective - b->objective) <= same)
        return a->ph->seq->n_event < b->ph->seq->n_event;       /* than one with states that last no time */
    return a->solved ? a->objective < b->objective - same : a->violation < b->violation;
}

bool better_or_simpler(const struct finish *a, const struct finish *b)
{
    const bool as_good = a->solved && b->solved && at_most(a->objective, b->objective, margins.as_good);
    return better_than(a, b) || (as_good && a->ph->seq->n_event < b->ph->seq->n_event);
}
