#include "transcription/step/recipe.h"

#include <math.h>

/* Active sets mostly show at the first one; stiff friction wants the second. */
const double quick_sigma[N_QUICK] = { 1e-3, 1e-5 };

/* Cheapest first. An event costs an element, which is why one and two more come early; a dead band 30 times as wide
 * (3 mm) is the last resort of curved gaps. */
const struct step_try step_tries[N_TRIES] = {
    { "", true, false, NAN, NAN, 0, 1, false },
    { "with one element more", true, false, NAN, NAN, 1, 1, false },
    { "with two elements more", true, false, NAN, NAN, 2, 1, false },
    { "with bounces cut short", true, false, NAN, NAN, 2, 1, true },
    { "", false, false, NAN, NAN, 0, 1, false },
    { "with multipliers guessed from the state", false, true, NAN, NAN, 0, 1, false },
    { "with a slower homotopy", false, false, 10, 0.5, 0, 1, false },
    { "with one element more", false, false, NAN, NAN, 1, 1, false },
    { "with one element more and a slower homotopy", false, true, 10, 0.5, 1, 1, false },
    { "with a wider dead band", false, false, NAN, NAN, 0, 30, false },
};
