/* transcription/stationarity/touches.h - other sequences of the same motion that no move of the search makes
 *
 *   order     two events at one time in the other order
 *   touch     where an element ends, a mode of no length of what is at the limit of its state there: an open
 *             contact whose gap is 0, a closed one without force, sticking on its cone, slip of no speed, a
 *             switching function that is 0, sliding with alpha 0 or 1
 */
#ifndef COCP_TRANSCRIPTION_STATIONARITY_TOUCHES_H
#define COCP_TRANSCRIPTION_STATIONARITY_TOUCHES_H

#include "transcription/stationarity/contained.h"

struct touch {
    struct sequence *seq;
    int event, element; /* as contained_in has them */
    char what[60];
};

struct touches { int n; struct touch *list; };

struct touches touches_of(const struct finish *finish);
void touches_free(struct touches *touches);

#endif
