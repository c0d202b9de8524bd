/* cli/outputs/sweep_chart.h - the verdicts of a sweep of `certify` over one or two paths, gathered: DIR/chart.h5 */
#ifndef COCP_CLI_OUTPUTS_SWEEP_CHART_H
#define COCP_CLI_OUTPUTS_SWEEP_CHART_H

#include "cli/args.h"
#include "core/sweep/points.h"

/* Can the points be drawn as a chart: a grid of numbers over one or two paths? */
bool sweep_has_chart(const struct sweep_points *points);

/* Reads the results of all points in the folder; points without one are left empty. STATUS_IO where it cannot be
 * written. */
enum status sweep_chart_write(const struct cli_args *args, const struct sweep_points *points, struct diag *diag);

#endif
