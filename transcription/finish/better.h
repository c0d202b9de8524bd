/* transcription/finish/better.h - the one rule of what is better, and its margins
 *
 * Costs compare with a margin that is relative to the second of them, at least of 1: what two programs of one
 * motion are off by is no difference. A comparison with NAN is false.
 */
#ifndef COCP_TRANSCRIPTION_FINISH_BETTER_H
#define COCP_TRANSCRIPTION_FINISH_BETTER_H

#include <math.h>
#include <stdbool.h>

struct finish;

/* Relative, of at least 1 where nothing else is said. */
struct margins {
    double same;                    /* costs of one solution that was found twice */
    double as_good;                 /* a neighbour with fewer events may be that much worse */
    double apart;                   /* nearer to a solution that was refused is the same motion */
    double worth_more;              /* of the cost itself: neighbours that are cheaper by that, in all, are followed
                                     * by as many tries again */
    double strayed;                 /* a mesh on which the cost has risen by more has led away from what was found */
};
extern const struct margins margins;

static inline bool below(double a, double b, double margin)
{
    return a < b - margin * fmax(1, fabs(b));
}

static inline bool above(double a, double b, double margin)
{
    return a > b + margin * fmax(1, fabs(b));
}

static inline bool at_most(double a, double b, double margin)
{
    return a <= b + margin * fmax(1, fabs(b));
}

static inline bool near_to(double a, double b, double margin)
{
    return fabs(a - b) <= margin * fmax(1, fabs(b));
}

/* Is a a better outcome than b: solved before not, then the objective, or the violation? Its margin is of b's
 * objective, however small that is. */
bool better_than(const struct finish *a, const struct finish *b);
/* Is it that, or a solution as good with fewer events? What it leaves out had no length or no effect. */
bool better_or_simpler(const struct finish *a, const struct finish *b);

#endif
