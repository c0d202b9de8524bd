/* transcription/candidates/discovery.h - what everybody shares who looks for a solution: the task, what was found
 * so far, what is told
 *
 * What is asked of one candidate is in the candidate. What only one generator needs to know is in the state that
 * it begins with; what the plan, or another generator, asks about it stands here, under its name.
 */
#ifndef COCP_TRANSCRIPTION_CANDIDATES_DISCOVERY_H
#define COCP_TRANSCRIPTION_CANDIDATES_DISCOVERY_H

#include "transcription/candidates/outcome.h"
#include "transcription/candidates/traits.h"
#include "transcription/finish/settings.h"
#include "transcription/reading/extract.h"
#include "transcription/reading/simulated.h"
#include "transcription/solve/attempt.h"

/* What a walk through the plan has come to so far. */
struct plan_walk { struct mechanism_set due, solved; }; /* rows that were due; after which there was a solution */

/* As if nothing beside the default were asked for, up to its result; then as much as is asked for. */
enum effort { BY_DEFAULT, AS_ASKED };

/* What time steps have shown. */
struct steps_state {
    struct step_starts { int made, used; } plain, true_gaps;    /* starts so far; those with a solution */
    bool exploit;                   /* they do their grid: no start leads anywhere */
    double fastest;                 /* change of a gap in these, m/s */
    bool held;                      /* their guess has controls and forces that hold it */
    bool still;                     /* the first start led nowhere, or to a motion in which nothing happens */
    struct transcription *coarse;   /* the last solution, or NULL, for the method; and its result */
    struct homotopy_result coarse_result;
};

struct simulations_state {
    bool made;                      /* of contacts; without any, of the guess */
    bool break_off;                 /* most of them: they do not come to their end */
    bool cut_short;                 /* a budget was over; they go on with start `next` */
    int next;
};

struct gait_state {
    bool tried;
    bool instead;                   /* time steps had led nowhere, gaits did */
    bool led;                       /* what was found are gaits, whose neighbours are not tried */
};

struct discovery {
    struct solve_task limited;      /* what the solve was given; once there is a solution a share of the time is kept for replays */
    const struct solve_task *task;  /* `limited` */
    const struct finish_settings *settings;
    enum effort effort;
    unsigned traits;                /* of the problem */
    const struct guess *guess;      /* of the task, until it has failed; NULL: none */
    double *value;                  /* of controls with values, by interval (phases.h); NULL: they are relaxed */
    double start;                   /* by clock_seconds */
    struct diag *diag;

    struct finished *out;           /* counts and work so far, and what is settled */
    struct pool pool;
    struct search search;
    struct plan_walk walk;
    int elements;                   /* of a piece: of candidates that do not ask for more, and of what is
                                     * settled */
    double yield;                   /* that slip keeps at least; 0: whatever it has */
    char what[160];                 /* is tried now */

    struct steps_state steps;
    struct simulations_state simulations;
    struct gait_state gait;
    int populations;                /* drawn by cross-entropy */
    bool fit_is_kept;               /* of a fit: the best is what simulations all over the box have led to */
};

#define REPLAY_SHARE 0.15           /* of the time there is, once there is a solution: to replay the best when the rest is over */

/* Of random motions. */
unsigned discovery_seed(const struct discovery *at);

static inline struct counts *discovery_counts(const struct discovery *at)
{
    return &at->out->record.counts;
}

static inline bool discovery_must_stop(const struct discovery *at)
{
    return solve_must_stop(at->task, at->start);
}

/* Is the best so far proved to be near the global optimum? Then no better one is looked for. One with relaxed
 * controls is not. */
bool discovery_is_near_optimum(const struct discovery *at);

/* What a run that must stop comes to; st where it need not. */
enum status discovery_status_of_stop(const struct discovery *at, enum status st);

/* Of a simulation: what is left of the time. */
struct simulated_limits discovery_limits(const struct discovery *at);

/* For attempts by the method of the spec, from the guess; attempt_end afterwards. */
struct solver discovery_solver(const struct discovery *at);

/* A program of the problem, on that grid. */
struct finish_task discovery_task(const struct discovery *at, int stages, int elements);

/* --- What is told ----------------------------------------------------------------------------------------- */

/* What is tried next; its outcome is told with these words. */
void discovery_begin(struct discovery *at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What came of it, in a line of the progress. */
void discovery_tell(const struct discovery *at, const struct finish *one);

/* Its text form, and how far its program came, into the log. */
void discovery_note(const struct discovery *at, const struct finish *one);

/* The same of a neighbour that was tried: a search's note, whose user is a struct discovery. */
void discovery_note_try(void *user, const char *what, const struct finish *tried);

/* --- What is kept ----------------------------------------------------------------------------------------- */

/* Has no generator proposed this sequence before? */
bool discovery_is_new(struct discovery *at, const struct sequence *seq);

/* A candidate of the generator at work. */
void discovery_count(const struct discovery *at, struct finish *one);

/* Takes over one more, in its place. */
void discovery_keep(struct discovery *at, const struct finish *one);

/* --- What the user asks for ------------------------------------------------------------------------------- */

/* Starts, and neighbours of each of the best, at this effort. */
int discovery_starts(const struct discovery *at);
int discovery_tries(const struct discovery *at);
/* Are as many starts made as are asked for, not just as many as are of use? */
bool discovery_makes_all(const struct discovery *at);
/* Is more asked for than the default: starts; or neighbours? */
bool discovery_asks_for_starts(const struct discovery *at);
bool discovery_asks_for_tries(const struct discovery *at);

#endif
