/* core/model/shapes.h - the keys of the blocks that make a model, in words; core/spec/shape.h */
#ifndef COCP_CORE_MODEL_SHAPES_H
#define COCP_CORE_MODEL_SHAPES_H

#include "core/spec/settings.h"

extern const char *const model_curve_words[], *const model_place_words[];   /* of define by, of constraints at */
extern const char *const model_relay_words[], *const model_contact_words[]; /* of hysteresis start, of phases contacts */
extern const char *const model_hold_words[];         /* of controls hold */
extern const char *const model_table_words[], *const model_outside_words[];      /* of tables by and outside */
extern const struct shape model_spec_shape;         /* the whole spec; blocks of settings have no shape here */
extern const struct shape model_parameter_shape;
extern const struct shape model_time_shape;
extern const struct shape model_horizon_shape;
extern const struct shape model_state_shape;
extern const struct shape model_control_shape;
extern const struct shape model_define_shape, model_points_file_shape;
extern const struct shape model_table_shape;
extern const struct shape model_relay_shape;
extern const struct shape model_machine_shape;
extern const struct shape model_transition_shape;
extern const struct shape model_ode_shape;
extern const struct shape model_mechanical_shape;
extern const struct shape model_piecewise_shape;
extern const struct shape model_mass_shape;
extern const struct shape model_mode_shape;
extern const struct shape model_family_shape;
extern const struct shape model_contact_shape, model_friction_shape;
extern const struct shape model_projection_shape;
extern const struct shape model_cost_shape;
extern const struct shape model_cost_entry_shape;
extern const struct shape model_sampled_shape;
extern const struct shape model_constraint_shape;
extern const struct shape model_pair_shape;
extern const struct shape model_optimized_time_shape;
extern const struct shape model_every_shape, model_free_moment_shape, model_impulsive_shape;
extern const struct shape model_guess_shape;
extern const struct shape model_draw_shape;
extern const struct shape model_link_shape;
extern const struct shape model_circle_shape;
extern const struct shape model_data_shape;
extern const struct shape model_experiment_shape;
extern const struct shape model_box_shape;
extern const struct shape model_force_shape;
extern const struct shape model_solid_shape, model_apart_shape;
extern const struct shape model_body_shape, model_joint_shape, model_frame_shape, model_mimic_shape;
extern const struct shape model_loop_shape;
extern const char *const model_joint_words[];
extern const struct shape model_plane_shape;
extern const struct shape model_ground_shape, model_disc_shape;
extern const struct shape model_phase_shape;
extern const struct shape model_phase_dynamics_shape;
extern const struct shape model_phase_cost_shape;

#endif
