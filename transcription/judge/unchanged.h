/* transcription/judge/unchanged.h - what of a result file no check computes again: is it as it was written?
 *
 * stored.h computes again what follows from the solution. Of the rest (deviations of a fit, sensitivities,
 * multipliers, what a solve has tried) the digest of the file (digest.h) says whether it is as it was written; a
 * few words and notes are judged by nothing. Results of versions before 0.1.0 have no digest; one that says it is
 * of a later version has to have it.
 */
#ifndef COCP_TRANSCRIPTION_JUDGE_UNCHANGED_H
#define COCP_TRANSCRIPTION_JUDGE_UNCHANGED_H

#include "core/results/results.h"
#include "core/simulation/finding.h"

struct coverage {                   /* which groups of a result are judged how, "/grid, /uniform"; "" */
    const char *computed;           /* again, from the solution and the spec, in all or in part */
    const char *unchanged;          /* only held to be as they were written */
    const char *unjudged;           /* by nothing */
};

/* Adds the finding. Texts of the coverage are in the memory of the findings. result: the whole file's. */
struct coverage unchanged_judge(const struct result *result, struct findings *to);

#endif
