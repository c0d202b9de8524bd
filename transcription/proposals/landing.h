/* transcription/proposals/landing.h - the program in which all contacts land at once, for a look at its
 * derivatives
 *
 * Costs and constraints of contact forces and impulses are in programs of phases alone, as are machines. Here
 * every contact is open, hits inside the first control interval and stays closed, as every projection does:
 * nothing of them is missing. Then machines go on, each from state to state by every transition.
 */
#ifndef COCP_TRANSCRIPTION_PROPOSALS_LANDING_H
#define COCP_TRANSCRIPTION_PROPOSALS_LANDING_H

#include "transcription/finish/finish.h"

/* At the model's guess, ready to be evaluated; finish_free, then phase_system_free afterwards. */
enum status landing_build(struct model *model, struct phase_system **sys, struct finish *out, struct diag *diag);

#endif
