/* transcription/judge/alike.h - is a group of a result what it is when it is made again? */
#ifndef COCP_TRANSCRIPTION_JUDGE_ALIKE_H
#define COCP_TRANSCRIPTION_JUDGE_ALIKE_H

#include "core/results/results.h"

struct alike {
    double tol, floor;              /* of numbers, relative to the largest magnitude of their dataset, at least the floor;
                                     * tol INFINITY: they are not compared */
    bool bounds;                    /* those of variables, too */
};

/* The first dataset or axis of `again` that `group` (NULL: there is none) has not, or has with another
 * type, shape, unit, word or value: "/draw/foot: other numbers", made in mem. NULL: it has all. What it
 * has beyond does not matter. */
const char *alike_difference(const struct result_group *group, const struct result_group *again,
                             const struct alike *how, struct arena *mem);

#endif
