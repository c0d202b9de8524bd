/* transcription/report/verified.h - a result file judged, and what was found as /verification; README.md "The result" */
#ifndef COCP_TRANSCRIPTION_REPORT_VERIFIED_H
#define COCP_TRANSCRIPTION_REPORT_VERIFIED_H

#include "transcription/report/solution_file.h"

/* "verified", else the status. */
const char *verified_word(const struct replay_report *report);

/* Replays the solution and looks at what else the file shows (replay.h, stored.h). STATUS_OK whatever the finding;
 * replay_report_free afterwards. */
enum status verified_judge(const struct solution_file *file, const struct replay_settings *settings,
                           struct replay_report *report, struct diag *diag);

/* Replaces /verification in the file's result; below it `uniform`, the simulated trajectory. */
void verified_write(const struct solution_file *file, const struct replay_settings *settings,
                    const struct replay_report *report);

#endif
