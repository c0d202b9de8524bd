/* core/model/demands/read.h - what is asked of a motion, and of each of its phases: costs, data, constraints */
#ifndef COCP_CORE_MODEL_DEMANDS_READ_H
#define COCP_CORE_MODEL_DEMANDS_READ_H

#include "core/model/shapes.h"
#include "core/model/time/read.h"

/* rows.c: room for n more constraints. */
void reader_make_constraint_room(struct reader *r, int n);

/* cost_entry.c: a text, {expr, weight} or {squares, reference, weight}; its keys are those of the shape. */
expr reader_cost_entry(struct reader *r, const struct spec_node *node, const struct shape *shape);

/* impulse_terms.c: costs and constraints that are of each impulse, whose rows `add` adds. */
void impulse_add_cost(struct reader *r, const struct spec_node *block);
void impulse_add_relation(struct reader *r, const struct spec_node *node, const struct parse_relation *rel,
                          void (*add)(struct reader *r, const struct spec_node *node,
                                      const struct parse_relation *rel, const struct model_places *places));
/* noted_values.c: what an entry of constraints is about at a time that is optimized
 * becomes the state that keeps it. */
enum status reader_note_value(struct reader *r, const struct spec_node *node, expr *body);
/* table_bounds.c: rows that keep arguments of tables within their axes. */
void model_bound_tables(struct reader *r);
/* impulse_times.c: rows that hold free moments between their bounds. */
void model_bound_impulses(struct reader *r);

/* cost.c; costs of one phase are added to those that there are. */
void model_read_cost(struct reader *r);
void reader_add_running(struct reader *r, const struct spec_node *block, expr factor);
void reader_add_terminal(struct reader *r, const struct spec_node *block, const struct model_places *places);

/* data.c: what was measured. */
void model_read_data(struct reader *r);

/* constraints.c; those of one phase are added likewise. */
void model_read_constraints(struct reader *r);
/* apart.c: shapes that keep a distance; their gaps become names, before defines. */
void model_read_apart(struct reader *r);
void reader_add_constraints(struct reader *r, const struct spec_node *block);
void reader_add_end(struct reader *r, const struct spec_node *node, expr e);    /* e is 0 at the end of r->phase, not above before */
/* Constraints that initial or final values break, as they are given. */
void reader_check_given_ends(struct reader *r);

/* complementarity.c: pairs along the path. */
void model_read_complementarity(struct reader *r);

/* phases.c: after the dynamics of all, costs and constraints those of each: what acts in it, what jumps where it
 * begins; and ties of both ends. */
void model_read_phases(struct reader *r);
void model_read_links(struct reader *r);

#endif
