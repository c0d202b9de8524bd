/* transcription/discover/settle.h - from what was found to an answer: neighbours, accuracy, which stays */
#ifndef COCP_TRANSCRIPTION_DISCOVER_SETTLE_H
#define COCP_TRANSCRIPTION_DISCOVER_SETTLE_H

#include "transcription/candidates/discovery.h"

/* The best of what was found, with its neighbours where `search`, to its end: out->status. */
enum status discovery_settle(struct discovery *at, bool search);

/* Its halves: from the best few sequences to their best neighbours, of which the best is out->best, on the grid
 * of the search; and its end, accuracy included. */
enum status discovery_improve(struct discovery *at);
enum status discovery_bring_to_end(struct discovery *at);

/* The best until a replay by events agrees: accuracy.c. */
enum status discovery_reach_accuracy(struct discovery *at);

/* --- Other sequences of a solution's motion (stationarity.h): descents.c ------------------------------------- */

/* That in which the objective falls most and that leads to a better solution, which *better is then; else there is
 * none. */
bool discovery_steepest(struct discovery *at, const struct finish *best, struct finish *better);
/* What is known of them in the end. */
void discovery_tell_stationarity(struct discovery *at);

/* --- Which stays: next.c ---------------------------------------------------------------------------------- */

/* Where the best cannot be verified the next that can takes its place: other sequences, and solutions that a search
 * has passed. Where there is none it is the best, unverified. */
enum status discovery_settle_on_next(struct discovery *at);

/* To the steepest from the answer, accuracy included, as often as it leads to one that costs less. */
enum status discovery_descend_to_end(struct discovery *at);

/* The best is refused, and as it was proved to be near the optimum nobody has looked for others: they do now. */
enum status discovery_look_further(struct discovery *at);

/* For another solution in its place; and the better one stays, that or `before`. */
void solution_begin_anew(struct solution *out);
void solution_keep_better(struct solution *out, struct solution *before, bool is_better);

/* What is asked for beside the default, after its result, which is replaced by what costs less: more.c. */
enum status discovery_do_more(struct discovery *at);

/* --- Controls with values: values.c ----------------------------------------------------------------------- */

/* From relaxed solutions to one in which such controls take their values. Where there is none, the relaxed
 * ones stay. */
enum status discovery_take_values(struct discovery *at);

/* Runs of no length are left out of a solution where one without them is as good. */
enum status discovery_drop_empty_runs(struct discovery *at, struct finish *best);

#endif
