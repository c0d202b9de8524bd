#include "core/base/status.h"

#include "core/base/stop.h"

struct meaning { const char *word; int exit_code; };

static struct meaning meaning_of(enum status st)
{
    switch (st) {
    case STATUS_OK:          return (struct meaning){ "solved", 0 };
    case STATUS_ACCEPTABLE:  return (struct meaning){ "acceptable", 10 };
    case STATUS_INFEASIBLE:  return (struct meaning){ "infeasible", 20 };
    case STATUS_UNBOUNDED:   return (struct meaning){ "unbounded", 30 };
    case STATUS_LIMIT:       return (struct meaning){ "limit", 40 };
    case STATUS_NUMERIC:     return (struct meaning){ "failed", 50 };
    case STATUS_UNVERIFIED:  return (struct meaning){ "unverified", 60 };
    case STATUS_INTERNAL:    return (struct meaning){ "internal error", 1 };
    case STATUS_USAGE:       return (struct meaning){ "usage", 2 };
    case STATUS_SPEC:        return (struct meaning){ "bad spec", 3 };
    case STATUS_IO:          return (struct meaning){ "file error", 4 };
    case STATUS_INTERRUPTED: return (struct meaning){ "interrupted", 130 };
    }
    return (struct meaning){ "unknown", 1 };
}

const char *status_text(enum status st)
{
    return meaning_of(st).word;
}

int status_exit_code(enum status st)
{
    if (st == STATUS_INTERRUPTED && stop_asked())
        return 128 + *stop_flag();
    return meaning_of(st).exit_code;
}

enum status stop_status(void)
{
    return stop_is_late() ? STATUS_LIMIT : STATUS_INTERRUPTED;
}
