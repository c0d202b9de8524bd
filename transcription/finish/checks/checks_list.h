/* transcription/finish/checks/checks_list.h - a growing list of points to be checked */
#ifndef COCP_TRANSCRIPTION_FINISH_CHECKS_CHECKS_LIST_H
#define COCP_TRANSCRIPTION_FINISH_CHECKS_CHECKS_LIST_H

#include "transcription/multiphase/multiphase.h"

struct checks {
    int n;
    struct phase_check *check;      /* [n], the caller frees it */
};

void checks_append(struct checks *to, const struct phase_check *one);

/* One that is not there, nor nearly. */
void checks_add(struct checks *to, const struct phase_check *one);

#endif
