#include "transcription/stationarity/stationarity.h"

#include "core/base/mem.h"
#include "core/nlp/descent.h"
#include "transcription/moves/neighbours.h"
#include "transcription/stationarity/touches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENOUGH 0.1 /* of STATIONARITY_FALL: what multipliers are to show, where they are asked first */

/* One of the sequences of the motion, in the order in which they were found. */
struct branch {
    struct sequence *seq;
    int event, element; /* as contained_in; of the branch that it comes from */
    int from;           /* that one; -1: it is the solution's */
    char what[60];
};

struct walk {
    const struct finish *finish;
    const struct stationarity_limits *limits;
    double size; /* of the objective, at least 1 */
    int n, n_seen;
    struct branch *branch; /* [n] */
    struct seen {
        struct sequence *seq;
        int element;
    } * seen; /* [n_seen] also those that are none of the motion's */
    double work;
    bool stopped; /* by a limit, or a linear program that was not solved */
    struct stationarity out;
    int n_steepest;
    struct finish *steepest; /* [n_steepest] those in which it falls most, the steepest first; ph NULL: none */
    double *steepest_fall;   /* [n_steepest] */
};

const char *stationarity_word(enum stationarity_is is)
{
    switch (is) {
    case STATIONARITY_NOT_ASKED: return "";
    case STATIONARITY_NOT_DECIDED: return "not-decided";
    case STATIONARITY_B: return "B-stationary";
    case STATIONARITY_DESCENT: return "descent";
    }
    return "";
}

void stationarity_free(struct stationarity *stationarity)
{
    sequence_free(stationarity->seq);
    *stationarity = (struct stationarity){ .is = STATIONARITY_NOT_ASKED };
}

/* --- One linear program ------------------------------------------------------------------------------------ */

static bool go_on(void *user, int iteration, double f, double violation, double dual_inf, double mu)
{
    const struct walk *walk = user;
    (void)iteration;
    (void)f;
    (void)violation;
    (void)dual_inf;
    (void)mu;
    return !finish_must_stop(walk->limits->task);
}

/* How fast the objective falls in a program at its point, relative to its size; NAN: it is not known. lambda:
 * multipliers that may show it. */
static double fall_in(struct walk *walk, const struct finish *one, const double *lambda)
{
    const double least = ENOUGH * STATIONARITY_FALL * walk->size;
    const struct nlp_descent found =
        nlp_find_descent(&one->ph->mpcc.nlp, one->w, lambda, DESCENT_RADIUS, least, NULL, go_on, walk);
    walk->work += found.work.entries;
    walk->out.n_branch += found.is_known;
    return found.is_known ? found.fall / walk->size : NAN;
}

/* The verdict, as far as it goes. */
static void tell(struct walk *walk, const struct branch *branch, double fall)
{
    walk->stopped = walk->stopped || isnan(fall);
    if (!(fall > walk->out.fall))
        return;
    walk->out.fall = fall;
    sequence_free(walk->out.seq);
    walk->out.seq = sequence_copy(branch->seq);
    memcpy(walk->out.what, branch->what, sizeof walk->out.what);
}

/* Keeps the program if it is one of the steepest, of its sequence the steepest; takes it over. */
static void keep_steepest(struct walk *walk, struct finish *one, double fall)
{
    int last = walk->n_steepest - 1, place = 0;
    for (int k = last; k >= 0; k--)
        if (walk->steepest[k].ph && sequence_equal(walk->steepest[k].ph->seq, one->ph->seq))
            last = k;                                   /* it makes room */
    while (place <= last && !(fall > walk->steepest_fall[place]))
        place++;
    if (place > last) {
        finish_free(one);
        return;
    }
    finish_free(&walk->steepest[last]);
    for (int k = last; k > place; k--) {
        walk->steepest[k] = walk->steepest[k - 1];
        walk->steepest_fall[k] = walk->steepest_fall[k - 1];
    }
    walk->steepest[place] = *one;
    walk->steepest_fall[place] = fall;
}

/* Takes over the program. */
static void measure(struct walk *walk, struct finish *one, const struct branch *branch)
{
    const double fall = fall_in(walk, one, NULL);
    const struct pool *run = walk->limits->run;
    tell(walk, branch, fall);
    if (walk->n_steepest == 0 || !(fall > STATIONARITY_FALL)
        || (run && pool_knows(run, POOL_DESCENT, branch->seq))) {
        finish_free(one);
        return;
    }
    finish_add_move(one, branch->what);
    keep_steepest(walk, one, fall);
}

/* --- From one sequence to the next ------------------------------------------------------------------------- */

static bool is_over(const struct walk *walk)
{
    return walk->out.n_branch >= walk->limits->n_branch || walk->work > walk->limits->work
           || finish_must_stop(walk->limits->task);
}

static bool is_new(struct walk *walk, const struct contained_in *in)
{
    for (int k = 0; k < walk->n_seen; k++)
        if (walk->seen[k].element == in->element && sequence_equal(walk->seen[k].seq, in->seq))
            return false;
    walk->seen = mem_grow(walk->seen, walk->n_seen, 1, sizeof *walk->seen);
    walk->seen[walk->n_seen++] = (struct seen){ sequence_copy(in->seq), in->element };
    return true;
}

/* A change of branch `from`, whose program is `of`. */
static void try_one(struct walk *walk, const struct finish *of, int from, const struct contained_in *in,
                    const char *what)
{
    struct finish one;
    if (!is_new(walk, in))
        return;
    if (is_over(walk)) {
        walk->stopped = true;
        return;
    }
    if (!contained_program(of, in, &one, &walk->work))
        return;
    walk->branch = mem_grow(walk->branch, walk->n, 1, sizeof *walk->branch);
    struct branch *branch = &walk->branch[walk->n++];
    *branch = (struct branch){ sequence_copy(in->seq), in->event, in->element, from, "" };
    (void)snprintf(branch->what, sizeof branch->what, "%s", what);
    measure(walk, &one, branch);
}

static void expand(struct walk *walk, const struct finish *of, int from)
{
    struct neighbours moved = neighbours_of(of, FOR_BETTER, CONTAINED_SHORT, NULL);
    for (int k = 0; k < moved.n; k++)
        try_one(walk, of, from, &(struct contained_in){ moved.list[k].seq, -1, -1 }, moved.list[k].what);
    neighbours_free(&moved);
    struct touches touches = touches_of(of);
    for (int k = 0; k < touches.n; k++) {
        const struct touch *touch = &touches.list[k];
        try_one(walk, of, from, &(struct contained_in){ touch->seq, touch->event, touch->element }, touch->what);
    }
    touches_free(&touches);
}

/* The program of branch k once more, by those that it comes from. */
static bool program_of(struct walk *walk, int k, struct finish *out)
{
    const struct branch *branch = &walk->branch[k];
    const struct contained_in in = { branch->seq, branch->event, branch->element };
    struct finish before;
    if (branch->from < 0)
        return contained_program(walk->finish, &in, out, &walk->work);
    if (!program_of(walk, branch->from, &before))
        return false;
    const bool made = contained_program(&before, &in, out, &walk->work);
    finish_free(&before);
    return made;
}

/* All there are: single changes first, then those of what they lead to. */
static void walk_all(struct walk *walk)
{
    expand(walk, walk->finish, -1);
    walk->out.n_pair = walk->n;
    for (int k = 0; k < walk->n && !walk->stopped; k++) {
        struct finish one;
        if (is_over(walk) || !program_of(walk, k, &one)) {
            walk->stopped = true;
            return;
        }
        expand(walk, &one, k);
        finish_free(&one);
    }
}

static void walk_free(struct walk *walk)
{
    for (int k = 0; k < walk->n; k++)
        sequence_free(walk->branch[k].seq);
    for (int k = 0; k < walk->n_seen; k++)
        sequence_free(walk->seen[k].seq);
    free(walk->branch);
    free(walk->seen);
    free(walk->steepest_fall);
}

struct stationarity stationarity_of(const struct finish *finish, const struct stationarity_limits *limits, int n,
                                    struct finish *steepest)
{
    struct walk walk = { .finish = finish,
                         .limits = limits,
                         .size = fmax(1, fabs(finish->objective)),
                         .out = { .is = STATIONARITY_NOT_DECIDED },
                         .n_steepest = n,
                         .steepest = steepest };
    for (int k = 0; k < n; k++)
        steepest[k] = (struct finish){ .objective = NAN };
    if (!contained_is_asked(finish) || !(fall_in(&walk, finish, finish->lambda) <= STATIONARITY_FALL))
        return walk.out;
    walk.steepest_fall = mem_alloc((size_t)n, sizeof *walk.steepest_fall);
    for (int k = 0; k < n; k++)
        walk.steepest_fall[k] = STATIONARITY_FALL;
    (void)is_new(&walk, &(struct contained_in){ finish->ph->seq, -1, -1 });
    walk_all(&walk);
    walk.out.is = walk.out.fall > STATIONARITY_FALL ? STATIONARITY_DESCENT
                  : walk.stopped                    ? STATIONARITY_NOT_DECIDED
                                                    : STATIONARITY_B;
    walk_free(&walk);
    return walk.out;
}
