#include "core/base/status.h"

const char *status_text(enum status st)
{
    switch (st) {
    case STATUS_OK:          return "solved";
    case STATUS_ACCEPTABLE:  return "acceptable";
    case STATUS_INFEASIBLE:  return "infeasible";
    case STATUS_UNBOUNDED:   return "unbounded";
    case STATUS_LIMIT:       return "limit";
    case STATUS_NUMERIC:     return "failed";
    case STATUS_UNVERIFIED:  return "unverified";
    case STATUS_INTERNAL:    return "internal error";
    case STATUS_USAGE:       return "usage";
    case STATUS_SPEC:        return "bad spec";
    case STATUS_IO:          return "file error";
    case STATUS_INTERRUPTED: return "interrupted";
    }
    return "unknown";
}

int status_exit_code(enum status st)
{
    switch (st) {
    case STATUS_OK:          return 0;
    case STATUS_ACCEPTABLE:  return 10;
    case STATUS_INFEASIBLE:  return 20;
    case STATUS_UNBOUNDED:   return 30;
    case STATUS_LIMIT:       return 40;
    case STATUS_NUMERIC:     return 50;
    case STATUS_UNVERIFIED:  return 60;
    case STATUS_INTERNAL:    return 1;
    case STATUS_USAGE:       return 2;
    case STATUS_SPEC:        return 3;
    case STATUS_IO:          return 4;
    case STATUS_INTERRUPTED: return 130;
    }
    return 1;
}
