/* core/sweep/task.h - what a sweep is to do: the points, the command of each, its limits */
#ifndef COCP_CORE_SWEEP_TASK_H
#define COCP_CORE_SWEEP_TASK_H

#include "core/sweep/points.h"

#include <stdbool.h>

struct sweep_command {
    const char *program;            /* the file that is run */
    const char *name;               /* "solve", ... */
    const char *spec;               /* NULL: the point's own result takes its place (verify) */
    int n_option;
    const char *const *option;      /* [n_option] words that go to every point */
    bool takes_guess;               /* --guess FILE: failures are tried again */
    int answer;                     /* an exit status that is an answer as 0 is (a body that is not certified); 0: none */
};

/* Has a command that exits so done what it was asked? */
static inline bool sweep_is_done(const struct sweep_command *command, int exit_code)
{
    return exit_code == 0 || (command->answer && exit_code == command->answer);
}

struct sweep_counts { int solved, failed, running, missing; };

struct sweep_run {
    const struct sweep_points *points;
    const struct sweep_command *command;
    const char *folder;
    int first, last;                /* points first, ..., last - 1 */
    int jobs, retries;              /* processes at a time; tries from neighbours for each failure */
    bool again;                     /* failures on record are run once more */
    double point_seconds, point_cpu;            /* by the clock, of the CPU; INFINITY: none */
    double point_bytes;             /* of address space; INFINITY: none */
    void (*progress)(void *user, const struct sweep_counts *counts, int n_done_now);    /* now and then */
    void *user;
};

#endif
