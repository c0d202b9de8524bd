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

/* What `auto` stands for, and why in a few words. Methods matter where no sequence is found without them (finishing.h) and
 * for raw solutions: of the tune set of the study, with `finish: off`, STUDYFIGURES. */
enum method method_choose(const struct model *model, const struct discretization *settings, const char **why);

/* A gap is curved where its J_n is not constant; an inelastic contact with one needs a dead band in time-freezing
 * (time_freezing.md 11). */
bool method_has_curved_gap(const struct model *model);
bool contact_needs_band(const struct model_contact *contact);
bool method_needs_band(const struct model *model);

#endif
