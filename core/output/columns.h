/* core/output/columns.h - the quantities of a trajectory: README.md "The result", /trajectory, /uniform and /bundle
 *
 * In this order: states, controls, per contact gap, v_n, v_t.., lambda_n, lambda_t.., then defined outputs.
 */
#ifndef COCP_CORE_OUTPUT_COLUMNS_H
#define COCP_CORE_OUTPUT_COLUMNS_H

#include "core/model/model.h"
#include "core/results/fields.h"

int columns_count(const struct model *model);

/* Name, units and role of every column, as fields of a row of [columns_count] doubles. Names of contact quantities are
 * made in `mem`, as is the list; the others are the model's. */
const struct result_field *columns_describe(const struct model *model, struct arena *mem);

/* "foot_v_n", "foot_v_t"; with two tangents "foot_v_t1", "foot_v_t2". quantity: "v", "lambda"; part: 0 normal, 1, 2. */
const char *columns_contact_name(const struct model_contact *contact, const char *quantity, int part,
                                 struct arena *mem);

/* Has a contact two tangents? Then impulses have a second one as well. */
bool columns_is_spatial(const struct model *model);

#endif
