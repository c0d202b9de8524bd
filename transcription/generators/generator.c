#include "transcription/generators/generator.h"

#include "transcription/candidates/solve_candidate.h"

static enum status solve_all(struct discovery *at, const struct generator *generator, const struct samples *of)
{
    void *state = generator->begin(at, generator->how, of);
    enum status st = STATUS_OK, own = STATUS_OK;
    struct candidate candidate = { .repair = false };
    while (st == STATUS_OK && own == STATUS_OK && generator->next(at, state, &candidate, &own)) {
        const int n_finished = at->out->record.n_finished;
        st = candidate_solve(at, &candidate);
        if (generator->learn)
            generator->learn(at, state, at->out->record.n_finished > n_finished);
        extract_free(&candidate.from);
        candidate = (struct candidate){ .repair = false };
    }
    generator->end(at, state);
    return st == STATUS_OK ? own : st;
}

enum status generate_from(struct discovery *at, const struct generator *generator, const struct samples *of)
{
    struct counting counting;
    if (!counts_begin(discovery_counts(at), generator->is, &counting))
        return STATUS_OK;
    const enum status st = generator->run ? generator->run(at) : solve_all(at, generator, of);
    counts_end(&counting);
    return st;
}

enum status generate(struct discovery *at, const struct generator *generator)
{
    return generate_from(at, generator, NULL);
}
