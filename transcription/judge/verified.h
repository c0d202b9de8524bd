/* transcription/judge/verified.h - a result file judged, and what was found as /verification; README.md "The
 * result" */
#ifndef COCP_TRANSCRIPTION_JUDGE_VERIFIED_H
#define COCP_TRANSCRIPTION_JUDGE_VERIFIED_H

#include "transcription/report/solution_file.h"
#include "transcription/judge/unchanged.h"

/* "verified", else the status. */
const char *verified_word(const struct replay_report *report);

/* What `cocp verify` judges a solution of that spec by, and so does what solves it: a spec may ask for more than
 * the program's own settings, not for less. */
struct replay_settings verified_settings(const struct verify_settings *verify,
                                         const struct simulate_settings *simulate);

/* Replays the solution, looks at what else the file shows (replay.h, stored.h), and whether the rest
 * is as it was written (unchanged.h) in `whole`, the result that the file holds: its own, or the one
 * of which it is a scenario. STATUS_OK whatever the finding; replay_report_free afterwards, which
 * owns the texts of the coverage. */
enum status verified_judge(const struct solution_file *file, const struct result *whole,
                           const struct replay_settings *settings, struct replay_report *report,
                           struct coverage *coverage, struct diag *diag);

/* Does the solution in a result hold between its points, too? Looks at gaps, bounds and constraints; and replays it
 * from event to event where `seconds` (of wall time) are given and the model can be simulated, 0: without. Where it
 * does not the result's status is STATUS_UNVERIFIED from then on, with `failure` saying why, and why [size] too.
 * name: what messages call the result. STATUS_OK, or that. */
enum status verified_between(struct result *result, const char *name, double seconds, char *why, size_t size);

/* Does a result show what follows from its solution, so that `cocp verify` has nothing against it that no replay
 * of the solution shows? Where it does not the result's status is as above. */
enum status verified_stored(struct result *result, const char *name, char *why, size_t size);

/* Replaces /verification in the file's result; below it `uniform`, the simulated trajectory. */
void verified_write(const struct solution_file *file, const struct replay_settings *settings,
                    const struct replay_report *report, const struct coverage *coverage);

#endif
