/* core/model/mechanics/read.h - how states move: coordinates, bodies, masses, forces, right-hand sides, jumps */
#ifndef COCP_CORE_MODEL_MECHANICS_READ_H
#define COCP_CORE_MODEL_MECHANICS_READ_H

#include "core/model/scope/reader.h"

/* --- coordinates.c -------------------------------------------------------------------------------------------- */
/* A state that becomes a position or a velocity, from a scalar that names it; -1 (reported) if it cannot. */
int reader_take_state(struct reader *r, const struct spec_node *node);
/* Makes two of them position i and velocity i. */
void reader_add_coordinate(struct reader *r, int q, int v);
/* The coordinate that a key names, -1 after an error; says that state k has a rate already, if it is one's. */
int reader_coordinate_of(struct reader *r, const struct spec_node *node);
void reader_refuse_coordinate(struct reader *r, const struct spec_node *node, int k);
/* rhs: {state: text} into out[n_x]; states not named stay as they are, named ones are marked in given [n_x] and
 * have their places in pos [n_x] (both may be NULL). */
void reader_rhs(struct reader *r, const struct spec_node *block, expr *out, struct srcpos *pos, bool *given);

/* --- by_phase.c: what each phase says of a state in `kind`, force or rhs --------------------------------------- */
/* Do all of them say something? base where they do not, and what they say, each in its intervals. */
bool reader_phases_give(const struct reader *r, const char *kind, const char *state);
expr reader_phases_blend(struct reader *r, const char *kind, const char *state, expr base);

/* loads.c: coordinates, before those of bodies; inertia and load, after all others. */
void load_add_coordinates(struct reader *r);
void load_add_inertia(struct reader *r);

/* orientations.c: what is given of them at the ends is of unit length, and guesses are. */
void reader_check_orientations(struct reader *r);
/* bodies.c: their coordinates, then what they say of energy, and checks that need both. */
void model_read_bodies(struct reader *r);
expr model_bodies_kinetic(struct reader *r);

/* points.c: the origin, points and frames of body b, each with its coordinates. */
void reader_body_points(struct reader *r, const struct spec_node *node, int b);
/* solids.c: shapes in space, of bodies and of the world. */
void model_read_solids(struct reader *r);

/* frames.c: three coordinates, or a direction, as a unit vector; a fixed turn, R = 1 where node is NULL; a turn
 * about a unit vector. R [9] by columns; false (reported, by `no_length` of a direction that has none) after a
 * mistake. */
bool frame_read_vector(struct reader *r, const struct spec_node *node, expr *out);
bool frame_read_axis(struct reader *r, const struct spec_node *node, const char *no_length, expr *out);
bool frame_read_turn(struct reader *r, const struct spec_node *node, expr *R);
void frame_turn_about(struct reader *r, const expr *axis, expr angle, expr *R);

/* loops.c: points that stay together, once bodies are known. loop_motion.c: what that does to q', M and f_v, once
 * these are known. loop_ends.c: where a start is not given, loops are closed there. loop_forces.c: contacts act
 * along the loops, and what holds these. */
void model_read_loops(struct reader *r);
void loop_hold_motion(struct reader *r);
void loop_add_start(struct reader *r);
void loop_hold_contacts(struct reader *r);

/* dynamics.c, and by the type of the system mechanical.c and piecewise.c */
void model_read_coordinates(struct reader *r);
void model_read_dynamics(struct reader *r);
void model_read_mechanical(struct reader *r, const struct spec_node *block);
void model_read_piecewise(struct reader *r, const struct spec_node *block);

/* jumps.c: what states jump by where phases begin and impulses act. */
void model_read_jumps(struct reader *r);

#endif
