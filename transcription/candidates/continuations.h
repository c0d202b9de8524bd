/* transcription/candidates/continuations.h - what helps the program of a candidate to converge: the table, in the
 * order in which they are tried
 *
 * Two more are not here, as all programs have them: path-homotopy (finish/path_homotopy.h) is a part of the plain
 * one, go-on (moves/search.h) of looking for neighbours.
 */
#ifndef COCP_TRANSCRIPTION_CANDIDATES_CONTINUATIONS_H
#define COCP_TRANSCRIPTION_CANDIDATES_CONTINUATIONS_H

#include "transcription/candidates/candidate.h"

/* A candidate on its way. */
struct trial {
    struct candidate candidate;     /* as it is now */
    bool owns;                      /* candidate.from was put there by a continuation, */
    bool is_way_out;                /* one of several: where it has no solution the candidate as it was is
                                     * tried, too */
    bool is_over;                   /* there is nothing to solve */
    struct finish one;              /* what its program has come to */
};

enum stage {
    BEFORE,                         /* its program: another candidate takes its place */
    PROGRAM,                        /* the first one that is wanted runs it */
    AFTER                           /* `one` is replaced by what is better */
};

struct continuation {
    enum mechanism is;              /* by whose name it is counted and switched off; MECHANISM_NONE: always
                                     * there */
    enum stage stage;
    bool (*wanted)(struct discovery *at, struct trial *trial);
    enum status (*run)(struct discovery *at, struct trial *trial);
};

enum { N_CONTINUATIONS = 8 };
extern const struct continuation continuations[N_CONTINUATIONS];

/* Of a piece: what the candidate asks for, or as many as the search has. */
static inline int trial_elements(const struct discovery *at, const struct trial *trial)
{
    return trial->candidate.elements > 0 ? trial->candidate.elements : at->elements;
}

/* Neighbours of one without a solution, REPAIR_TRIES more, until one is solved; cut_short where they have taken the
 * work that `patience` allows before (search.h). */
enum status repair_by_neighbours(struct discovery *at, struct finish *one, double patience);

/* --- In files of their own -------------------------------------------------------------------------------- */

bool holding_is_wanted(struct discovery *at, struct trial *trial);
enum status hold_guess(struct discovery *at, struct trial *trial);
/* The candidate's start as held_guess makes it; its own where that is off. extract_free afterwards. */
enum status held_start(struct discovery *at, struct trial *trial, struct extract *out);
bool goal_is_far(struct discovery *at, struct trial *trial);
enum status approach_goal(struct discovery *at, struct trial *trial);
/* The guess of time steps with friction in space, with controls and contact forces that hold it; NULL where it says
 * something of controls, or nothing holds it. guess_free afterwards. */
struct guess *held_guess_of_steps(struct discovery *at);
bool sticking_is_wanted(struct discovery *at, struct trial *trial);
enum status let_stick(struct discovery *at, struct trial *trial);
bool smoothing_is_wanted(struct discovery *at, struct trial *trial);
enum status smooth_friction(struct discovery *at, struct trial *trial);
bool free_intervals_are_wanted(struct discovery *at, struct trial *trial);
enum status free_intervals(struct discovery *at, struct trial *trial);

/* Are the lengths of control intervals ours to change on the way? */
bool free_intervals_fit(const struct discovery *at);
/* Was an order of modes set free? */
bool free_intervals_know(const struct discovery *at, const struct sequence *seq);
/* The program with free lengths. Where it comes near a solution, below *below_which, which it lowers: its sequence
 * on the grid of the spec, for extract_free; else none. */
enum status free_intervals_solve(struct discovery *at, const struct extract *from, int elements,
                                 double *below_which, struct extract *on_grid);

#endif
