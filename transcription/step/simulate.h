/* transcription/step/simulate.h - a simulation step by step with the machinery of solve
 *
 *   step k: one control interval of `time.elements` finite elements, x fixed where the last step ended; its MPCC
 *   is solved by homotopy from "everything as it is now", and the solution appended to a record
 *
 * Steps have the length T / steps in numerical time. With time-freezing physical time is the clock's: steps
 * follow until it reaches the horizon, and the last one ends there exactly (time_freezing.md 8).
 * Where a table of controls jumps,
 * a step ends too.
 *
 * The active set of a step of FESD-J is predicted (predict.h) where that is possible, with up to two elements
 * more if it has more events than elements. Otherwise its MPCC is solved; if that fails, it is tried again: with
 * other guesses, a slower homotopy, one element more, a wider dead band (recipe.c), and at last as two of half
 * the length. What could not be solved ends the simulation; what was found so far is kept.
 */
#ifndef COCP_TRANSCRIPTION_STEP_SIMULATE_H
#define COCP_TRANSCRIPTION_STEP_SIMULATE_H

#include "transcription/step/task.h"

extern const struct setting_table simulate_table;

/* Reads the block (NULL: defaults); its key `controls` is left to the caller. */
enum status simulate_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                   struct simulate_settings *out, struct diag *diag);
const char *simulate_method_name(enum simulate_method method);

void simulation_init(struct simulation *sim, struct model *model);

/* Simulates from the initial values over the horizon. STATUS_SPEC and STATUS_USAGE with messages in `diag`; the
 * rest is a result. simulate_result_free afterwards, whatever came back. */
enum status simulate_run(const struct simulation *sim, struct simulate_result *out, struct diag *diag);
void simulate_result_free(struct simulate_result *result);

#endif
