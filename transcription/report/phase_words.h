/* transcription/report/phase_words.h - what each contact, switch and machine does in each mode, in
 * words: part of /phases
 *
 * `subject` are their names, `state` over modes and subjects is what each does, `story` a line for each.
 */
#ifndef COCP_TRANSCRIPTION_REPORT_PHASE_WORDS_H
#define COCP_TRANSCRIPTION_REPORT_PHASE_WORDS_H

#include "core/results/results.h"
#include "transcription/multiphase/multiphase.h"

/* t [n_event]: times of the events; horizon: the end; result: has /grid, whose controls of
 * few values have lines, too. */
void phase_words_write(const struct phase_system *sys, const struct sequence *seq, const double *t, double horizon,
                       const struct result *result, struct result_group *group);

#endif
