/* transcription/report/verified.h - what a replay found, as /verification; README.md "The result" */
#ifndef COCP_TRANSCRIPTION_REPORT_VERIFIED_H
#define COCP_TRANSCRIPTION_REPORT_VERIFIED_H

#include "transcription/report/solution_file.h"

/* "verified", else the status. */
const char *verified_word(const struct replay_report *report);

/* Replaces /verification in the file's result; below it `uniform`, the simulated trajectory. */
void verified_write(const struct solution_file *file, const struct replay_settings *settings,
                    const struct replay_report *report);

#endif
