/* transcription/finish/admissible.h - which orders of on and off a control with values may have on a grid
 *
 * Interval by interval it goes on as it is, or switches where it has been so for min_on or min_off, and
 * stops to start where it has done so as often as it may: an automaton whose states are how long it has
 * been on or off, and how often it has started. Paths through it are the orders that starts.h admits on
 * intervals of equal lengths.
 * Shapes  [n_interval]; off and on as bits, MAY_BE_OFF and MAY_BE_ON.
 */
#ifndef COCP_TRANSCRIPTION_FINISH_ADMISSIBLE_H
#define COCP_TRANSCRIPTION_FINISH_ADMISSIBLE_H

#include "core/model/model.h"

enum { MAY_BE_OFF = 1, MAY_BE_ON = 2 };

/* Takes from `may` what no order has; false where none is left. */
bool admissible_narrow(const struct model *model, int k, unsigned char *may);

/* An order within `may` that keeps the integral of control k near that of u at all times, u [n_interval] in the
 * units of the control: its values. False where there is none. */
bool admissible_round(const struct model *model, int k, const unsigned char *may, const double *u, double *value);

#endif
