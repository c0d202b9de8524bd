/* transcription/diagnose/elastic.h - the model with what the user asks for made soft
 *
 * A condition lb <= e <= ub that gives way becomes  lb - below <= e <= ub + above  with two more optimized parameters, below
 * and above >= 0, and all there is to be minimized is
 *
 *   sum over conditions of  weight (below + above) / size
 *
 * and next to nothing for controls. One slack for all times: what the bound would have to be. The price is exact:
 * slack that is not needed is 0.
 */
#ifndef COCP_TRANSCRIPTION_DIAGNOSE_ELASTIC_H
#define COCP_TRANSCRIPTION_DIAGNOSE_ELASTIC_H

#include "transcription/diagnose/conditions.h"

struct elastic {
    struct model *model;            /* a fork; to be freed before the model */
    int *below, *above;             /* [n] which optimized parameter; -1: none */
    double *price;                  /* [n] weight / size */
};

/* weight [n]: INFINITY leaves a condition as it stands. elastic_free afterwards. */
struct elastic elastic_create(const struct model *model, int n, const struct condition *condition,
                              const double *weight);
void elastic_free(struct elastic *elastic);

#endif
