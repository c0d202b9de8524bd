#include "transcription/solve/recipe.h"

/* attempts.md 3, stages a, b, c: found on three carts; a softer first stage loses the order of the contacts. */
const struct guide_stage guide_stages[N_GUIDE_STAGES] = {
    { 1, 0.027, 0.3, 0.01, 1, false, false, "final values as penalties, without constraints" },
    { 0.1, 2.7e-3, 0.6, 0.01, 1, true, false, "final values as penalties, with constraints" },
    { 2.7e-3, 1e-4, 0.5, 0.02, 0.3, true, true, "final values as constraints, from there" },
};

/* Cheapest first: the other form needs no other presolve. */
const struct other_presolve other_presolves[N_OTHER_PRESOLVES] = {
    { "from the presolve, other restitution form", PRESOLVE_STEPS, 0, true },
    { "from a finer presolve", 8, 0, false },
    { "from the presolve of another guess", PRESOLVE_STEPS, 1, false },
    { "from a coarser presolve", 2, 0, false },
    { "from the presolve of another guess", PRESOLVE_STEPS, 2, false },
};
