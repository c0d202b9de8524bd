/* transcription/discover/settle.h - from what was found to an answer: neighbours, accuracy, which stays */
#ifndef COCP_TRANSCRIPTION_DISCOVER_SETTLE_H
#define COCP_TRANSCRIPTION_DISCOVER_SETTLE_H

#include "transcription/candidates/discovery.h"

/* What the best promised on the grid of the search. */
struct promise { struct samples *samples; double objective; };

/* The best of what was found, with its neighbours where `search`, to its end: out->status. *promise is
 * replaced. */
enum status discovery_settle(struct discovery *at, bool search, struct promise *promise);

/* The best until a replay by events agrees: accuracy.c. */
enum status discovery_reach_accuracy(struct discovery *at);

/* --- Which stays: next.c ---------------------------------------------------------------------------------- */

/* Where the best cannot be verified the next that can takes its place: other sequences, solutions that a search
 * has passed, then the plan with other seeds. Where there is none it is the best, unverified. */
enum status discovery_settle_on_next(struct discovery *at, struct promise *promise);

/* Where its accurate objective is dearer than another discovery promises, that one is brought to its end, too; the
 * cheaper one stays. */
enum status discovery_settle_on_cheaper(struct discovery *at, struct promise *promise);

/* Where its accurate objective is dearer than it was on the grid of the search, whose elements may have passed over what
 * happens, the motion under its controls there is brought to its end, too; the cheaper one stays. */
enum status discovery_settle_on_motion(struct discovery *at, struct promise *promise);

/* --- Controls with values: values.c ----------------------------------------------------------------------- */

/* From relaxed solutions to one in which such controls take their values, and to pulses that make it better. Where
 * there is none, the relaxed ones stay. */
enum status discovery_take_values(struct discovery *at);

/* Runs of no length are left out of a solution where one without them is as good. */
enum status discovery_drop_empty_runs(struct discovery *at, struct finish *best);

#endif
