/* The sequence of a solution whose elements end at events. */
#include "transcription/phases/extract.h"

struct extract extract_elements(const struct phase_system *sys, struct transcription *tr, const double *w)
{
    return extract_steps(sys, tr, w);
}
