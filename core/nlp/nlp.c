#include "core/nlp/nlp.h"

#include "core/base/clock.h"

const char *nlp_outcome_text(enum nlp_outcome outcome)
{
    switch (outcome) {
    case NLP_SOLVED:             return "solved";
    case NLP_ACCEPTABLE:         return "acceptable";
    case NLP_INFEASIBLE:         return "infeasible";
    case NLP_SMALL_STEP:         return "small step";
    case NLP_UNBOUNDED:          return "unbounded";
    case NLP_ITERATIONS:         return "iteration limit";
    case NLP_TIME:               return "time limit";
    case NLP_RESTORATION_FAILED: return "restoration failed";
    case NLP_NUMERIC:            return "numerical failure";
    case NLP_INTERRUPTED:        return "interrupted";
    case NLP_REFUSED:            return "refused";
    }
    return "unknown";
}

double nlp_wall_time(void)
{
    return clock_seconds();
}
