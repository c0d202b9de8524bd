/* The program of the spec at its guess, and the sequence that it tells: where the user prescribes it, or nothing
 * switches. */
#include "transcription/generators/generator.h"

#include "core/base/mem.h"
#include "transcription/solve/attempt.h"
#include "transcription/solve/fallback.h"

#include <stdlib.h>

struct reading {
    const char *what;
    bool has_elements;              /* that end at events; else the fixed steps of one mode */
};

static const struct reading of_phases = { "the sequence of the phases", true },
                            of_one_mode = { "nothing switches", false };

struct once { const struct reading *how; bool done; };

static void *begin(struct discovery *at, const void *how, const struct samples *of)
{
    struct once *once = mem_alloc(1, sizeof *once);
    (void)at;
    (void)of;
    once->how = how;
    return once;
}

static bool next(struct discovery *at, void *state, struct candidate *out, enum status *st)
{
    struct once *once = state;
    struct solver solver = { .task = at->task, .out = &at->out->record.discovery, .diag = at->diag, .start = at->start,
                             .guess = at->guess };
    const struct attempt plain = fallback_plain(&solver);
    if (once->done)
        return false;
    once->done = true;
    *st = attempt_build(&solver, &plain);
    if (*st == STATUS_OK) {
        const double *w = program_guess(solver.tr->prog);
        discovery_begin(at, "%s", once->how->what);
        out->from = once->how->has_elements ? extract_elements(at->out->sys, solver.tr, w)
                                            : extract_switches(at->out->sys, solver.tr, w);
    }
    transcription_free(solver.tr);
    return *st == STATUS_OK;
}

static void end(struct discovery *at, void *state)
{
    (void)at;
    free(state);
}

const struct generator by_prescribed = {
    .is = BY_PHASES, .how = &of_phases, .begin = begin, .next = next, .end = end
};
const struct generator by_one_mode = {
    .is = BY_ONE_MODE, .how = &of_one_mode, .begin = begin, .next = next, .end = end
};
