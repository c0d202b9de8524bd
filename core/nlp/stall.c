#include "core/nlp/stall.h"

#include <math.h>

#define STALL_FALL 0.9              /* of the least violation: above that it has not fallen */
#define STALL_VIOLATION 1e-3        /* at and below it a run is near a feasible point */

struct stall stall_begin(int patience)
{
    return (struct stall){ .patience = patience, .least = INFINITY };
}

bool stall_watch(struct stall *stall, int iteration, double violation)
{
    if (!(violation > STALL_FALL * stall->least)) {
        stall->least = violation;
        stall->at = iteration;
    }
    return stall->patience > 0 && stall->least > STALL_VIOLATION && iteration - stall->at >= stall->patience;
}
