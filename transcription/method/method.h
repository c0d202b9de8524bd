/* transcription/method/method.h - which methods take which models
 *
 * Errors  STATUS_SPEC with a position; the message names the methods that take the model.
 */
#ifndef COCP_TRANSCRIPTION_METHOD_METHOD_H
#define COCP_TRANSCRIPTION_METHOD_METHOD_H

#include "core/model/model.h"
#include "transcription/method/settings.h"

/* Does the method of the settings take this model? METHOD_AUTO takes any. */
enum status method_check(const struct model *model, const struct discretization *settings, struct diag *diag);

/* Do its forces or right-hand sides switch, or has it sets (projections)? */
bool method_has_switches(const struct model *model);

/* May a solve take its machines? By sequences, in programs of phases: a condition that a jump of a control
 * meets has no time of its own. */
enum status method_check_machines(const struct model *model, bool finishes, struct diag *diag);

/* What `auto` stands for, and why in a few words: fesd without contacts; with them fesd-j, or time-freezing where
 * fesd-j does not take the model. A method matters where no sequence is found without it (discover/discover.h)
 * and for raw solutions: on 26 contact problems of the study's tune set, `finish: off`, 8 CPU s each, fesd-j
 * solves 12 of which 11 replay, time-freezing 16 of which 7 replay (of elastic contacts none); what both solve
 * fesd-j solves in half the time (geometric mean). */
enum method method_choose(const struct model *model, const struct discretization *settings, const char **why);

/* A gap is curved where its J_n is not constant; an inelastic contact with one needs a dead band in time-freezing
 * (time_freezing.md 11). */
bool method_has_curved_gap(const struct model *model);
bool contact_needs_band(const struct model_contact *contact);
bool method_needs_band(const struct model *model);

#endif
