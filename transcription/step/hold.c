#include "transcription/step/hold.h"

#include "transcription/step/recipe.h"

struct hold hold_create(struct arena *mem, const struct transcription *tr)
{
    const size_t n = 4 * (size_t)tr->mpcc.nlp.n_w;
    return (struct hold){ 0, arena_alloc(mem, n, sizeof(int)), arena_alloc(mem, n, sizeof(double)),
                          arena_alloc(mem, n, sizeof(double)) };
}

void hold_at(struct hold *hold, struct transcription *tr, int var, double value)
{
    hold->var[hold->n] = var;
    hold->lb[hold->n] = program_lb(tr->prog, var);
    hold->ub[hold->n++] = program_ub(tr->prog, var);
    program_set_bounds(tr->prog, var, value, value);
}

void hold_release(struct hold *hold, struct transcription *tr)
{
    for (int i = hold->n - 1; i >= 0; i--)
        program_set_bounds(tr->prog, hold->var[i], hold->lb[i], hold->ub[i]);
    hold->n = 0;
}

bool hold_is_exact(const struct transcription *tr, const double *w)
{
    return mpcc_violation(&tr->mpcc, w) <= EXACT_VIOLATION
           && mpcc_complementarity(&tr->mpcc, w) <= EXACT_PRODUCT;
}
