/* transcription/ensemble/ensemble_parts.h - what the parts of ensemble.h share: the scenarios that are in so far,
 * and their programs at the point of the whole
 *
 * Places k count the scenarios that are in, the nearest to the spec as written first. Errors are those of
 * finish.h; a program without a solution is none.
 */
#ifndef COCP_TRANSCRIPTION_ENSEMBLE_ENSEMBLE_PARTS_H
#define COCP_TRANSCRIPTION_ENSEMBLE_ENSEMBLE_PARTS_H

#include "transcription/ensemble/plan.h"

struct ensembling {
    const struct ensemble_task *task;
    struct ensemble *out;
    struct diag *diag;
    double start;                   /* by clock_seconds */
    int n;                          /* scenarios that are in, of the task's */
    int *order;                     /* [task->n] which one is in each place */
    double *weight;                 /* [task->n] of each place */
    struct finish *now;             /* [task->n] programs of those that are in */
    struct member *member;          /* [task->n] the same, for the company */
    struct company company;
};

static inline bool ensemble_must_stop(const struct ensembling *at)
{
    return solve_must_stop(&at->task->solve, at->start);
}

/* Are all scenarios in, with a solution together? */
static inline bool ensemble_is_solved(const struct ensembling *at)
{
    return at->n == at->task->n && at->now[0].solved;
}

/* What the scenario in place k has come to; its model and its name. */
static inline struct finished *ensemble_one(const struct ensembling *at, int k)
{
    return &at->out->one[at->order[k]];
}

static inline struct model *ensemble_model(const struct ensembling *at, int k)
{
    return at->task->model[at->order[k]];
}

static inline const char *ensemble_name(const struct ensembling *at, int k)
{
    return at->task->name[at->order[k]];
}

/* --- Programs: programs.c ------------------------------------------------------------------------------------- */

/* Of the scenario in place k, the others beside it as they are. */
struct finish_task ensemble_program(struct ensembling *at, int k, int stages, int elements);

/* What the program in place k came to holds for the others, too. */
void ensemble_settle(struct ensembling *at, int k);

struct ensemble_start { const struct sequence *seq; const struct samples *samples; };

/* Builds the programs of all scenarios in place of those that are there, and solves them as one. */
enum status ensemble_build(struct ensembling *at, const struct ensemble_start *from, int stages, int elements,
                           enum finish_start start);

void ensemble_clear(struct ensembling *at);

/* --- Sequences: sequences.c ----------------------------------------------------------------------------------- */

/* From the plan for the spec as written to programs of all scenarios that have a solution together, if any. */
enum status ensemble_discover(struct ensembling *at);

/* --- Accuracy: accuracy.c ------------------------------------------------------------------------------------- */

/* More stages and elements, until every replay agrees. */
enum status ensemble_refine(struct ensembling *at);

/* The scenario in place k for itself, with its own cost. */
struct finish ensemble_own(const struct ensembling *at, int k);

#endif
