/* transcription/step/step_solve.h - one step, by whatever of recipe.c it takes */
#ifndef COCP_TRANSCRIPTION_STEP_STEP_SOLVE_H
#define COCP_TRANSCRIPTION_STEP_STEP_SOLVE_H

#include "transcription/step/runner.h"

/* Tries one way after the other; *best is the first solution, else the best of what came out (an acceptable one is
 * used). STATUS_SPEC, STATUS_USAGE and STATUS_INTERNAL end it, and *best is empty. step_free afterwards. */
enum status step_solve(struct runner *run, const struct step_shape *shape, struct step_solution *best,
                       struct simulate_step *log);
void step_free(struct step_solution *step);

#endif
