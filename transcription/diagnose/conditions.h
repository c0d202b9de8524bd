/* transcription/diagnose/conditions.h - what the user asks for, one by one
 *
 * Final values, ranges of initial values, bounds of states, controls and parameters, constraints, the
 * horizon: each with its place in the spec. Dynamics, contacts and complementarity are what the system is,
 * not what is asked of it.
 */
#ifndef COCP_TRANSCRIPTION_DIAGNOSE_CONDITIONS_H
#define COCP_TRANSCRIPTION_DIAGNOSE_CONDITIONS_H

#include "core/model/model.h"

enum condition_kind {
    CONDITION_FINAL, CONDITION_INITIAL, CONDITION_STATE, CONDITION_CONTROL, CONDITION_PARAMETER, CONDITION_CONSTRAINT,
    CONDITION_IMPACT, CONDITION_HORIZON
};

struct condition {
    enum condition_kind kind;
    int index;                      /* state, control, optimized parameter, constraint or limit of impacts of the model */
    struct model_constraint row;    /* lb <= e <= ub, where it is asked for; path and pos are those of the entry */
    const char *units;              /* of e; "" where they are not known */
    double size;                    /* of e, typically: what slack is measured in */
};

/* Of the model, in mem: [*n]. */
struct condition *conditions_list(const struct model *model, struct arena *mem, int *n);

#endif
