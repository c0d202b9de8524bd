/* core/model/shapes.h - the keys of the blocks that make a model, in words; core/spec/shape.h */
#ifndef COCP_CORE_MODEL_SHAPES_H
#define COCP_CORE_MODEL_SHAPES_H

#include "core/spec/settings.h"

extern const char *const model_curve_words[], *const model_place_words[];   /* of define by, of constraints at */
extern const char *const model_relay_words[];       /* of hysteresis start */
extern const struct shape model_spec_shape;         /* the whole spec; blocks of settings have no shape here */
extern const struct shape model_parameter_shape, model_time_shape, model_horizon_shape, model_state_shape,
    model_control_shape, model_define_shape, model_relay_shape, model_machine_shape, model_transition_shape,
    model_ode_shape, model_mechanical_shape, model_piecewise_shape, model_mass_shape, model_mode_shape, model_family_shape, model_contact_shape, model_cost_shape,
    model_cost_entry_shape, model_sampled_shape, model_constraint_shape, model_every_shape, model_guess_shape, model_draw_shape, model_circle_shape, model_data_shape,
    model_box_shape, model_force_shape;

#endif
