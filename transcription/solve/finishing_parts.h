/* transcription/solve/finishing_parts.h - what the parts of finishing.h share: what has been found so far, how one
 * sequence is finished, and the ways of discovery
 *
 * A discovery finishes what it finds; without anything found it returns STATUS_OK all the same. Errors are those of
 * solve.h.
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_FINISHING_PARTS_H
#define COCP_TRANSCRIPTION_SOLVE_FINISHING_PARTS_H

#include "transcription/phases/extract.h"
#include "transcription/phases/settings.h"
#include "transcription/solve/finishing_outcome.h"
#include "transcription/solve/recipe.h"
#include "transcription/solve/traits.h"

/* What a walk through the plan has come to so far. */
struct plan_walk { struct mechanism_set due, solved; };     /* rows that were due; after which there was a solution */

struct finishing {
    const struct solve_task *task;  /* `limited` */
    struct solve_task limited;      /* what the solve was given; once there is a solution a share of the time is kept for replays */
    const struct finish_settings *settings;
    struct finished *out;
    unsigned traits;                /* of the problem */
    struct pool pool;
    struct search search;
    struct plan_walk walk;
    int elements;                   /* of a piece, until a sequence is decided */
    double yield;                   /* that slip keeps at least in the one that is settled; 0: whatever it has */
    bool exploits;                  /* time steps do their grid: no start leads anywhere */
    double fastest;                 /* change of a gap in these, m/s */
    double gap_tol;                 /* of time steps that are kept from it (places.h); 0: they are not */
    int round;                      /* of discoveries: after the first, where nothing could be verified (finishing_next.c) */
    int n_made;                     /* starts by fixed steps or time-stepping */
    bool still;                     /* the first of them led nowhere, or to a motion in which nothing happens */
    struct diag *diag;
    double start;
    char what[160];                 /* is tried now */
    bool moved;                     /* motions have been simulated; of a model without contacts that of the guess */
    bool breaks_off;                /* most motions that were simulated did not come to their end */
    bool sketched;                  /* stances and flights in turn have been tried */
    bool drawn;                     /* time steps led nowhere, stances and flights that were drawn did */
    bool scheduled;                 /* what was found are stances and flights in turn, whose neighbours are not tried */
    const struct guess *guess;      /* of the task, until it has failed; NULL: none */
    double *value;                  /* of controls with values, by interval (phases.h); NULL: they are relaxed */
    struct samples *promised;       /* the best on the grid of the search, and what it costs there */
    double promise;
    struct transcription *coarse;   /* the last time-stepping solution, or NULL; and its result */
    struct homotopy_result coarse_result;
};

/* Of random motions. */
static inline unsigned finishing_seed(const struct finishing *at)
{
    return (unsigned)at->task->homotopy->seed + (unsigned)(ROUND_SEED * at->round);
}

static inline struct counts *finishing_counts(const struct finishing *at)
{
    return &at->out->record.counts;
}

/* One of the mechanisms of the search, which is counted; nothing where it is switched off. */
typedef enum status finishing_way(struct finishing *at);
enum status finishing_by(struct finishing *at, enum mechanism what, finishing_way *way);

/* A candidate of the generator at work. */
void finishing_count(const struct finishing *at, struct finish *one);

/* Has no generator proposed this sequence before? */
bool finishing_is_new(struct finishing *at, const struct sequence *seq);

static inline bool finishing_must_stop(const struct finishing *at)
{
    return solve_must_stop(at->task, at->start);
}

/* --- One sequence: finishing_sequence.c ---------------------------------------------------------------------- */

struct finish_task finishing_task(const struct finishing *at, int stages, int elements);

/* What is tried next; its outcome is told with these words. */
void finishing_begin(struct finishing *at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What came of it, in a line of the progress. */
void finishing_tell(const struct finishing *at, const struct finish *one);

/* Its text form, and how far its program came, into the log. */
void finishing_note(const struct finishing *at, const struct finish *one);

/* The same of a neighbour that was tried: a search's note, whose user is a struct finishing. */
void finishing_note_try(void *user, const char *what, const struct finish *tried);

/* Takes over one more, in its place. */
void finishing_keep(struct finishing *at, const struct finish *one);

/* --- To the end ------------------------------------------------------------------------------------------------- */

/* The best of what was found, with its neighbours where `search`, to its end: out->status. */
enum status finishing_settle(struct finishing *at, bool search);

/* Where the best cannot be verified the next that can takes its place: finishing_next.c. */
enum status finishing_settle_on_next(struct finishing *at);

/* Where its accurate objective is dearer than another discovery promises, that one is brought to its end, too; the
 * cheaper one stays: finishing_next.c. */
enum status finishing_settle_on_cheaper(struct finishing *at);

/* Where its accurate objective is dearer than it was on the grid of the search, whose elements may have passed over what
 * happens, the motion under its controls there is brought to its end, too; the cheaper one stays: finishing_next.c. */
enum status finishing_settle_on_motion(struct finishing *at);

/* The best until a replay by events agrees: accuracy.c. */
enum status finishing_reach_accuracy(struct finishing *at);

/* --- Controls with values: finishing_values.c ----------------------------------------------------------------- */

/* From relaxed solutions to one in which such controls take their values, and to pulses that make it better. Where
 * there is none, the relaxed ones stay. */
enum status finishing_take_values(struct finishing *at);

/* Are there sequences without a solution that would be cheaper than the best one, or, where nothing is solved, of few
 * events? */
bool finishing_has_cheaper(const struct finishing *at);
bool finishing_has_simplest(const struct finishing *at);
/* Is there a best one whose order was not set free? Later motions of that order are finished all the same. */
bool finishing_may_set_best_free(const struct finishing *at);

/* Runs of no length are left out of a solution where one without them is as good. */
enum status finishing_drop_empty_runs(struct finishing *at, struct finish *best);

/* The values of a file whose controls have theirs on as many intervals as ours; `samples` takes over when they begin. */
void finishing_values_of_guess(struct finishing *at, struct samples *samples);

/* --- What generators ask each other -------------------------------------------------------------------------- */

/* Motion k of simulated_start, whole; false: there is none. extract_free afterwards. */
bool discover_motion(const struct finishing *at, int k, struct extract *whole);

/* Is a homotopy of time-freezing that ends early worth while? */
bool discover_wants_rough(const struct finishing *at);

/* Starts that the user asks for, and whether not just as many as are of use are meant. */
int discover_starts_asked(const struct finishing *at);
bool discover_asks_for_all(const struct finishing *at);

#endif
