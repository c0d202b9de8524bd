/* transcription/ensemble/outcome.h - what a plan for several scenarios leaves in a result
 *
 * /scenarios   over `scenario`: what varies by its path, weight, objective, status, events, error of the replay;
 *              attributes `cost`, `nominal`, the scenario that the groups of the root show
 * /scenarios/K a whole result of scenario K, from 0: its root's attributes, /trajectory, /phases, /spec, ...
 *
 * The root's groups are those of the nominal scenario; its status is the worst of all, its objective that of the
 * plan.
 */
#ifndef COCP_TRANSCRIPTION_ENSEMBLE_OUTCOME_H
#define COCP_TRANSCRIPTION_ENSEMBLE_OUTCOME_H

#include "core/output/head.h"
#include "transcription/ensemble/ensemble.h"
#include "transcription/ensemble/settings.h"

struct ensemble_origin {
    const struct output_origin *whole;          /* of the spec as written */
    const struct output_origin *scenario;       /* [n] */
    const struct scenarios *scenarios;
    const struct solver_settings *solver;
    int n_uniform;
};

/* There are programs of the scenarios. result_free it. */
struct result *ensemble_result(const struct ensemble_origin *origin, const struct ensemble *found, bool worst);

#endif
