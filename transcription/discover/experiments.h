/* transcription/discover/experiments.h - several experiments fitted with the same parameters
 *
 * Each is solved by itself first (discover.h), with parameters of its own: that finds its sequence. Then all
 * programs are solved as one (together.h), and neighbours of their sequences tried, as what an experiment does
 * with its own parameters it may not do with everyone's. At last each is replayed from event to event.
 */
#ifndef COCP_TRANSCRIPTION_DISCOVER_EXPERIMENTS_H
#define COCP_TRANSCRIPTION_DISCOVER_EXPERIMENTS_H

#include "transcription/discover/discover.h"
#include "transcription/sensitivity/fit.h"

struct experiment {
    const char *name;
    const struct solve_task *task;
    const struct finish_settings *settings;
    double start;                   /* of its solve, by clock_seconds */
    struct finished *finished;      /* solved; best, objective, error and status become those of the joint solution */
};

/* The models have the same optimized parameters. STATUS_OK: a joint solution, of which each
 * experiment has its part and whether that is true, in its status. Without one each keeps its own,
 * and nothing in it is changed: STATUS_NUMERIC, or what a run that was stopped comes to. Stopped
 * later, the best joint solution so far is kept. */
enum status experiments_solve(int n, const struct experiment *experiment, struct diag *diag);

/* Estimates of the joint solution, common ones and each experiment's; fit_free it. part [n] is filled. */
struct fit *experiments_fit(int n, const struct experiment *experiment, struct fit_part *part);

#endif
