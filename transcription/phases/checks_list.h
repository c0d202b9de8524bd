/* transcription/phases/checks_list.h - a growing list of points to be checked */
#ifndef COCP_TRANSCRIPTION_PHASES_CHECKS_LIST_H
#define COCP_TRANSCRIPTION_PHASES_CHECKS_LIST_H

#include "transcription/phases/phases.h"

struct checks {
    int n;
    struct phase_check *check;      /* [n], the caller frees it */
};

void checks_append(struct checks *to, const struct phase_check *one);

/* One that is not there, nor nearly. */
void checks_add(struct checks *to, const struct phase_check *one);

#endif
