/* core/model/impulses.h - impulsive controls, and what jumps at boundaries of control intervals */
#ifndef COCP_CORE_MODEL_IMPULSES_H
#define COCP_CORE_MODEL_IMPULSES_H

#include "core/model/parts/model.h"

/* The impulsive control of that name, -1 if there is none. */
int model_find_impulse(const struct model *model, const char *name);
/* What jumps where interval i begins, n_intervals: at the end; NULL: nothing. */
const struct model_jump *model_jump_at(const struct model *model, int i);
/* The impulse of control k at the start of interval i: its number, -1: none. */
int model_impulse_at(const struct model *model, int k, int i);

#endif
