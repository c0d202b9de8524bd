/* transcription/record/columns.h - the quantities of a trajectory: README.md "The result", /trajectory and /uniform
 *
 * In this order: states, controls, per contact gap, v_n, v_t.., lambda_n, lambda_t.., then defined outputs.
 */
#ifndef COCP_TRANSCRIPTION_RECORD_COLUMNS_H
#define COCP_TRANSCRIPTION_RECORD_COLUMNS_H

#include "core/model/model.h"

struct column { const char *name, *units, *long_name, *role; };

int columns_count(const struct model *model);

/* Name, units and role of every column: [columns_count]. Names of contact quantities are made in `mem`, as is the
 * list; the others are the model's. */
struct column *columns_describe(const struct model *model, struct arena *mem);

#endif
