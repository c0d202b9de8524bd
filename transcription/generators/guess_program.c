/* The program of the spec at its guess, and the sequence that it tells: where the user prescribes it, or nothing
 * switches. */
#include "transcription/generators/generator.h"

#include "transcription/sequence/recipe.h"
#include "transcription/solve/attempt.h"
#include "transcription/solve/fallback.h"

struct reading {
    const char *what;
    bool has_elements;              /* that end at events; else the fixed steps of one mode */
};

static const struct reading of_phases = { "the sequence of the phases", true },
                            of_one_mode = { "nothing switches", false };

static bool propose(struct discovery *at, const void *how, struct candidate *out, enum status *st)
{
    const struct reading *reading = how;
    struct solver solver = discovery_solver(at);
    const struct attempt plain = fallback_plain(&solver);
    *st = attempt_build(&solver, &plain);
    if (*st == STATUS_OK) {
        const double *w = program_guess(solver.tr->prog);
        discovery_begin(at, "%s", reading->what);
        out->max_iter = reading->has_elements ? PHASES_MAX_ITER : 0;
        out->from = reading->has_elements ? extract_elements(at->out->sys, solver.tr, w)
                                            : extract_switches(at->out->sys, solver.tr, w);
    }
    transcription_free(solver.tr);
    return *st == STATUS_OK;
}

const struct generator by_prescribed = { .is = BY_PHASES, .how = &of_phases, .once = propose };
const struct generator by_one_mode = { .is = BY_ONE_MODE, .how = &of_one_mode, .once = propose };
