/* transcription/report/solved.h - what a solve leaves in a result file; results.md */
#ifndef COCP_TRANSCRIPTION_REPORT_SOLVED_H
#define COCP_TRANSCRIPTION_REPORT_SOLVED_H

#include "core/output/head.h"
#include "transcription/solve/solve.h"

/* Trajectory, with n_uniform points of /uniform, grid, events, homotopy, residuals and where it
 * comes from; result_free it. */
struct result *solved_result(const struct output_origin *origin, const struct solver_settings *solver,
                             const struct solve_result *found, int n_uniform);

#endif
