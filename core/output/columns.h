/* core/output/columns.h - the quantities of a trajectory: results.md, /trajectory, /uniform and /bundle
 *
 * In this order: states, controls, per contact gap, v_n, v_t.., lambda_n, lambda_t.., per projection gap, lambda,
 * then forces of loops, defined outputs, then signals: relays, and what the states of machines say.
 *
 * Shapes  rows [columns_count]; forces [model_n_force].
 * Units   of the spec; of forces and gaps those of columns_describe.
 */
#ifndef COCP_CORE_OUTPUT_COLUMNS_H
#define COCP_CORE_OUTPUT_COLUMNS_H

#include "core/model/model.h"
#include "core/results/fields.h"

/* How many there are. */
int columns_count(const struct model *model);
/* The last of them: relays, 0 or 1, then the signals of machines. */
int columns_n_signal(const struct model *model);
/* The first column of a contact, its gap; v_n follows. */
int columns_of_contact(const struct model *model, int contact);

/* What columns show of the model, as expressions: controls (what u_expr [n_u] has in their place, EXPR_NONE:
 * nothing), per contact gap, v_n, v_t.., gaps of projections, of loops forces without contacts and what these
 * add, outputs. Returns their number, at most columns_n_shown. */
int columns_n_shown(const struct model *model);
int columns_expressions(const struct model *model, const expr *u_expr, expr *out);

/* Fills a row behind its states from the values of those expressions, forces [model_n_force] and signals
 * [columns_n_signal], NULL: not known. */
void columns_fill(const struct model *model, const double *shown, const double *force, const double *signal,
                  double *column);

/* Name, units and role of every column, as fields of a row of [columns_count] doubles. Names of contact
 * quantities are made in `mem`, as is the list; the others are the model's. */
const struct result_field *columns_describe(const struct model *model, struct arena *mem);

/* "foot_v_n", "foot_v_t"; with two tangents "foot_v_t1", "foot_v_t2". quantity: "v",
 * "lambda"; part: 0 normal, 1, 2. */
const char *columns_contact_name(const struct model_contact *contact, const char *quantity, int part,
                                 struct arena *mem);
/* "wall_lambda" */
const char *columns_reaction_name(const struct model_projection *projection, struct arena *mem);

#endif
