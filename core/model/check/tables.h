/* core/model/check/tables.h - arguments that may leave a table
 *
 * Where `outside` is refuse, `solve` keeps them within it by a constraint, if they are smooth. Who gave a
 * variable bounds that reach beyond the table should know.
 */
#ifndef COCP_CORE_MODEL_CHECK_TABLES_H
#define COCP_CORE_MODEL_CHECK_TABLES_H

#include "core/model/model.h"

/* Adds a warning at each call whose argument may leave the table: by a bound of the variable that it is, or where
 * no constraint can keep it; of others a note. */
void model_check_tables(const struct model *model, struct diag *diag);

#endif
