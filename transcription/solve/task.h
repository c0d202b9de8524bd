/* transcription/solve/task.h - what a solve is given, and what comes of it */
#ifndef COCP_TRANSCRIPTION_SOLVE_TASK_H
#define COCP_TRANSCRIPTION_SOLVE_TASK_H

#include "core/base/clock.h"
#include "core/mpcc/homotopy.h"
#include "core/replay/replay.h"
#include "transcription/start/guess.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct solve_hooks {                /* all may be NULL */
    void (*note)(void *user, const char *text);                 /* what is done now */
    void (*headline)(void *user, const char *text);             /* a line of the story: what came of it */
    void (*step)(void *user, const struct homotopy_step *step, int index);
    nlp_monitor *iteration;
    void *user;
};

/* Is a solution of that cost proved to be so near to the global optimum that nobody needs to look for a better one?
 * is_near NULL: nobody knows. */
struct solve_judge { bool (*is_near)(void *user, double cost); void *user; };

/* A time-stepping solution, finished or not: borrowed. */
struct solve_coarse { const struct transcription *tr; const double *w; };

struct solve_task {
    struct model *model;
    const struct discretization *discretization;
    const struct homotopy_settings *homotopy;
    const struct solver_settings *solver;
    const struct guess *guess;      /* from --guess; NULL: the spec's own */
    bool guess_alone;               /* of the finish: no other discoveries where the guess leads nowhere, */
    bool once;                      /* and nothing is looked at between stages, or replayed */
    struct solve_coarse coarse;     /* what is saved, on the program's grid, where no time is left; tr NULL: nothing */
    double max_seconds;             /* INFINITY: no limit */
    double reserve;                 /* s after them, in which what was found by then may still be replayed */
    const struct replay_settings *judged;       /* by which a finished solution is; NULL: replay_settings_default */
    int print_level;
    int jobs;                       /* processes at a time; 0: as many as there are cores */
    const volatile sig_atomic_t *interrupt;
    const volatile sig_atomic_t *interrupt_late;        /* of a replay, where the search has to leave time for it;
                                                         * NULL: the same */
    struct solve_hooks hooks;
    struct solve_judge bound;
};

static inline void solve_note(const struct solve_task *task, const char *text)
{
    if (task->hooks.note)
        task->hooks.note(task->hooks.user, text);
}

/* A line of the story, with a format. */
static inline void __attribute__((format(printf, 2, 3)))
solve_headline(const struct solve_task *task, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (task->hooks.headline)
        task->hooks.headline(task->hooks.user, text);
}

/* A note with a format, for what is counted. */
static inline void __attribute__((format(printf, 2, 3)))
solve_notef(const struct solve_task *task, const char *fmt, ...)
{
    char text[240];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    solve_note(task, text);
}

/* start: when the solve began, by clock_seconds. */
static inline double solve_seconds_left(const struct solve_task *task, double start)
{
    return task->max_seconds - (clock_seconds() - start);
}

static inline bool solve_must_stop(const struct solve_task *task, double start)
{
    return (task->interrupt && *task->interrupt) || solve_seconds_left(task, start) <= 0;
}

struct solve_step { struct homotopy_step step; int attempt; const char *what; /* it was made for */ };

struct solve_result {
    struct transcription *tr;       /* of the best attempt */
    struct homotopy_result homotopy;            /* its result */
    int attempt, n_attempt;         /* which one, of how many */
    const char *how;                /* what it was; static text */
    bool strict_jumps;              /* time-freezing: time stands still all through a jump (cross.c) */
    double loose_speed;             /* without that: m/s, with which a contact still approaches while time runs */
    double dead_band;               /* half width it was solved with, and the largest shift used; 0: none */
    double largest_shift;
    int n_step;
    struct solve_step *step;        /* [n_step] of all attempts */
    int iterations;
    double seconds, eval_seconds;
    struct nlp_linear_work linear;
    const char *failure, *advice;   /* what cannot be met and what to try, in words; borrowed; NULL: nobody has asked */
};

#endif
