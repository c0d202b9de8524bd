/* transcription/report/finished.h - what a finished solution leaves in a result file: results.md; and
 * /phases
 *
 * /phases  mode and event axes: states of contacts and switches in each mode, times and places of events, who is hit;
 *          attributes: how many starts and neighbours were tried, and whether no neighbouring sequence is better.
 */
#ifndef COCP_TRANSCRIPTION_REPORT_FINISHED_H
#define COCP_TRANSCRIPTION_REPORT_FINISHED_H

#include "core/output/head.h"
#include "transcription/discover/discover.h"

/* As solved_result (solved.h); there is a finished solution. */
struct result *finished_result(const struct output_origin *origin, const struct solver_settings *solver,
                               const struct finished *found, int n_uniform);

/* What /phases says of neighbouring sequences: were any tried, and all that there are? */
const char *finished_optimality_text(bool tried, bool exhausted);

#endif
