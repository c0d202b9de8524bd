#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "transcription/candidates/tried.h"

#include "core/base/mem.h"
#include "transcription/finish/better.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tried_add(void *user, const char *what, const struct finish *one)
{
    struct tried *tried = user;
    tried->list = mem_grow(tried->list, tried->n, 1, sizeof *tried->list);
    struct tried_sequence *to = &tried->list[tried->n++];
    const bool settled = !one->solved && one->given_up == GIVEN_UP_CONVERGED && one->violation <= TRY_FEASIBLE;
    *to = (struct tried_sequence){ .sequence = sequence_text(one->ph->seq), .solved = one->solved,
                                   .settled = settled,
                                   .given_up = !one->solved && one->given_up != GIVEN_UP_NOT,
                                   .objective = one->solved || settled ? one->objective : NAN, .outcome = one->outcome,
                                   .violation = one->violation };
    snprintf(to->what, sizeof to->what, "%s", what);
}

static int cheaper_first(const void *a, const void *b)
{
    const struct tried_sequence *first = a, *second = b;
    const bool costs = first->solved || first->settled;
    if (costs != (second->solved || second->settled))
        return costs ? -1 : 1;
    const double difference = costs ? first->objective - second->objective : first->violation - second->violation;
    return difference < 0 ? -1 : difference > 0;
}

void tried_sort(struct tried *tried, const struct sequence *kept)
{
    char *text = sequence_text(kept);
    int n = 0;
    for (int k = 0; k < tried->n; k++) {
        if (strcmp(tried->list[k].sequence, text) == 0)
            free(tried->list[k].sequence);
        else
            tried->list[n++] = tried->list[k];
    }
    tried->n = n;
    free(text);
    if (tried->n)
        qsort(tried->list, (size_t)tried->n, sizeof *tried->list, cheaper_first);
}

void tried_free(struct tried *tried)
{
    for (int k = 0; k < tried->n; k++)
        free(tried->list[k].sequence);
    free(tried->list);
}

const char *tried_why(bool given_up, enum nlp_outcome outcome)
{
    return given_up ? "given up, as it is not better" : nlp_outcome_text(outcome);
}

/* --- Refused ------------------------------------------------------------------------------------------------- */

void refused_add(struct refused *refused, const struct finish *one, const char *reason)
{
    refused->list = mem_grow(refused->list, refused->n, 1, sizeof *refused->list);
    struct refused_sequence *to = &refused->list[refused->n++];
    *to = (struct refused_sequence){ .sequence = sequence_text(one->ph->seq), .n_event = one->ph->seq->n_event,
                                      .objective = one->objective };
    (void)snprintf(to->reason, sizeof to->reason, "%s", reason);
}

bool refused_has(const struct refused *refused, const struct finish *one)
{
    bool has = false;
    for (int k = 0; k < refused->n && !has; k++) {
        const struct refused_sequence *other = &refused->list[k];
        has = near_to(other->objective, one->objective, margins.apart)
              && one->ph->seq->n_event >= other->n_event;
    }
    return has;
}

void refused_free(struct refused *refused)
{
    for (int k = 0; k < refused->n; k++)
        free(refused->list[k].sequence);
    free(refused->list);
}
