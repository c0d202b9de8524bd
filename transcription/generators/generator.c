#include "transcription/generators/generator.h"

#include "transcription/candidates/solve_candidate.h"

/* *candidate is gone afterwards. */
static enum status solve_one(struct discovery *at, const struct generator *generator, void *state,
                             struct candidate *candidate)
{
    const int n_finished = at->out->record.n_finished;
    const enum status st = candidate_solve(at, candidate);
    if (generator->learn)
        generator->learn(at, state, at->out->record.n_finished > n_finished);
    extract_free(&candidate->from);
    *candidate = (struct candidate){ .repair = false };
    return st;
}

static enum status solve_once(struct discovery *at, const struct generator *generator)
{
    struct candidate candidate = { .repair = false };
    enum status own = STATUS_OK;
    const bool any = generator->once(at, generator->how, &candidate, &own);
    const enum status st = any ? solve_one(at, generator, NULL, &candidate) : STATUS_OK;
    return st == STATUS_OK ? own : st;
}

static enum status solve_all(struct discovery *at, const struct generator *generator, const struct samples *of)
{
    void *state = generator->begin(at, generator->how, of);
    enum status st = STATUS_OK, own = STATUS_OK;
    struct candidate candidate = { .repair = false };
    while (st == STATUS_OK && own == STATUS_OK && !discovery_is_near_optimum(at)
           && generator->next(at, state, &candidate, &own))
        st = solve_one(at, generator, state, &candidate);
    generator->end(at, state);
    return st == STATUS_OK ? own : st;
}

static enum status solve(struct discovery *at, const struct generator *generator, const struct samples *of)
{
    if (generator->run)
        return generator->run(at);
    return generator->once ? solve_once(at, generator) : solve_all(at, generator, of);
}

enum status generate_from(struct discovery *at, const struct generator *generator, const struct samples *of)
{
    struct counting counting;
    if (!counts_begin(discovery_counts(at), generator->is, &counting))
        return STATUS_OK;
    const enum status st = solve(at, generator, of);
    counts_end(&counting);
    return st;
}

enum status generate(struct discovery *at, const struct generator *generator)
{
    return generate_from(at, generator, NULL);
}
