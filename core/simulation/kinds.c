#include "core/simulation/simulation.h"

const char *sim_kind_text(enum sim_kind kind)
{
    switch (kind) {
    case SIM_IMPACT:   return "impact";
    case SIM_LIFTOFF:  return "liftoff";
    case SIM_STICK:    return "stick";
    case SIM_SLIP:     return "slip";
    case SIM_REVERSAL: return "reversal";
    case SIM_REST:     return "rest";
    case SIM_CROSSING: return "crossing";
    case SIM_SLIDING:  return "sliding";
    case SIM_LEAVING:  return "leaving";
    }
    return "?";
}
