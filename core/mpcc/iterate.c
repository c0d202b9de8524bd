#include "core/mpcc/iterate.h"

#include "core/mpcc/recipe.h"

#include <math.h>
#include <string.h>

bool iterate_nlp_is_solved(enum nlp_outcome outcome)
{
    return outcome == NLP_SOLVED || outcome == NLP_ACCEPTABLE;
}

void iterate_judge(const struct mpcc *mpcc, double comp_tol, struct iterate *point)
{
    point->complementarity = mpcc_complementarity(mpcc, point->w);
    point->violation = mpcc_violation(mpcc, point->w);
    point->objective = mpcc_objective(mpcc, point->w);
    if (point->violation <= HOMOTOPY_VIOLATION_OK && point->complementarity <= comp_tol)
        point->rank = RANK_STRICT;
    else if (point->violation <= HOMOTOPY_VIOLATION_ACCEPTABLE)
        point->rank = RANK_FEASIBLE;
    else
        point->rank = iterate_nlp_is_solved(point->outcome) ? RANK_SOLVED_NLP : RANK_TRIED;
    if (!isfinite(point->violation))
        point->rank = RANK_NONE;
}

bool iterate_is_better(const struct iterate *a, const struct iterate *b)
{
    if (a->rank != b->rank)
        return a->rank > b->rank;
    switch (a->rank) {
    case RANK_STRICT:       return a->objective < b->objective;
    case RANK_FEASIBLE:
    case RANK_SOLVED_NLP:   return a->complementarity < b->complementarity;
    case RANK_TRIED:        return fmax(a->violation, a->complementarity) < fmax(b->violation, b->complementarity);
    case RANK_NONE:         return false;
    }
    return false;
}

struct iterate iterate_create(struct arena *mem, const struct nlp *relaxed, const struct mpcc *mpcc)
{
    const int n_w = relaxed->n_w;
    return (struct iterate){
        .n_w = n_w, .n_g = relaxed->n_g, .n_pair = mpcc->n_pair,
        .w = arena_alloc(mem, (size_t)n_w, sizeof(double)),
        .lambda = arena_alloc(mem, (size_t)relaxed->n_g, sizeof(double)),
        .lambda_pair = arena_alloc(mem, (size_t)mpcc->n_pair, sizeof(double)),
        .z_lower = arena_alloc(mem, (size_t)n_w, sizeof(double)),
        .z_upper = arena_alloc(mem, (size_t)n_w, sizeof(double)),
    };
}

void iterate_copy(const struct iterate *from, struct iterate *to)
{
    const size_t bytes_w = (size_t)from->n_w * sizeof(double);
    struct iterate copy = *from;
    copy.w = memcpy(to->w, from->w, bytes_w);
    copy.z_lower = memcpy(to->z_lower, from->z_lower, bytes_w);
    copy.z_upper = memcpy(to->z_upper, from->z_upper, bytes_w);
    copy.lambda = memcpy(to->lambda, from->lambda, (size_t)from->n_g * sizeof(double));
    copy.lambda_pair = memcpy(to->lambda_pair, from->lambda_pair, (size_t)from->n_pair * sizeof(double));
    *to = copy;
}
