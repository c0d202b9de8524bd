/* transcription/report/program_values.h - every variable, row and multiplier of a finished program, by name
 *
 *   /residuals       over `constraint`: the rows of one name and path together, then the bounds of variables; the
 *                    largest violation first: how many there are, the largest violation, the largest multiplier,
 *                    and when
 *   /grid/rows       over `row`: place on the grid, bounds, value, multiplier; `constraint` is a row of /residuals
 *   /grid/variables  over `variable`: the same
 *
 * Signs  gradient of the objective + sum of multiplier times gradient of its row or variable = 0: an active bound
 *        that is raised by d changes the objective by - multiplier d, to first order.
 * Units  of the objective per unit of the row.
 * From these a program is solved again (given.h).
 */
#ifndef COCP_TRANSCRIPTION_REPORT_PROGRAM_VALUES_H
#define COCP_TRANSCRIPTION_REPORT_PROGRAM_VALUES_H

#include "core/results/results.h"
#include "transcription/finish/finish.h"

void program_values_write(const struct finish *best, struct result *result);

#endif
