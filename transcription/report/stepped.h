/* transcription/report/stepped.h - what a simulation step by step leaves in a result file; results.md */
#ifndef COCP_TRANSCRIPTION_REPORT_STEPPED_H
#define COCP_TRANSCRIPTION_REPORT_STEPPED_H

#include "core/output/head.h"
#include "transcription/step/simulate.h"

/* Trajectory, with n_uniform points of /uniform, grid, events, the steps and where it
 * comes from; result_free it. */
struct result *stepped_result(const struct output_origin *origin, const struct solver_settings *solver,
                              const struct simulate_result *found, int n_uniform);

#endif
