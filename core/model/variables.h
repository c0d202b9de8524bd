/* core/model/variables.h - states, controls and parameters by name, their guesses and sizes */
#ifndef COCP_CORE_MODEL_VARIABLES_H
#define COCP_CORE_MODEL_VARIABLES_H

#include "core/model/parts/model.h"

/* Indices by name, -1 if there is none. */
int model_find_state(const struct model *model, const char *name);
int model_find_control(const struct model *model, const char *name);

/* Are there controls with values? `solve` relaxes them first. */
bool model_has_values(const struct model *model);
/* Is there a state that begins and ends where it is told to? */
bool model_has_goal(const struct model *model);
/* The held control that state i belongs to, itself or its slope; NULL: none. */
const struct model_held *model_find_held(const struct model *model, int i);
/* Where states start that have no one initial value: held controls at their guess, what a run may start from. */
double model_var_guess(const struct model_var *var);
/* Value of parameters, guesses included, for p_sym: [n_p]. */
void model_p_guess(const struct model *model, double *p);
/* Typical sizes, of what `scale` says, bounds, values at both ends and guesses; NAN: these say nothing. */
double model_var_size(const struct model_var *var);
double model_param_size(const struct model_param *param);

/* Does state i keep the value of a constraint at a time that is optimized? */
bool model_is_noted(const struct model *model, int i);

#endif
