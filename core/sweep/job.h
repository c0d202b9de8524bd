/* core/sweep/job.h - one point in a process of its own, from its claim to its record */
#ifndef COCP_CORE_SWEEP_JOB_H
#define COCP_CORE_SWEEP_JOB_H

#include "core/sweep/task.h"

#include <sys/types.h>

struct sweep_job {
    int point, attempts, guess;     /* which attempt this is, from 1; the point whose solution it starts from, or -1 */
    pid_t pid;                      /* 0: none */
    double start, renewed;          /* clock_seconds() */
    bool is_interrupted, is_late;   /* a signal was sent */
};

enum job_outcome { JOB_SOLVED, JOB_FAILED, JOB_DROPPED };       /* dropped: interrupted, no record */

/* STATUS_IO if a file that was read (core/base/read_files.h) stands where the point writes. */
enum status sweep_job_spare(const struct sweep_run *run, int point, struct diag *diag);

/* Starts job->point with its guess, its claim taken by the caller. */
enum status sweep_job_start(const struct sweep_run *run, struct sweep_job *job, struct diag *diag);

/* Renews the claim, ends what is over its limits. */
void sweep_job_watch(const struct sweep_run *run, struct sweep_job *job);

/* SIGINT to the group, SIGKILL for is_hard. */
void sweep_job_stop(struct sweep_job *job, bool is_hard);

/* The process has ended with this status of waitpid: record, claim. */
enum status sweep_job_end(const struct sweep_run *run, struct sweep_job *job, int wait_status,
                          enum job_outcome *outcome, struct diag *diag);

/* "DIR/000/000123.solve.json" and the like. */
const char *sweep_job_path(const struct sweep_run *run, int point, const char *suffix, char *path);

#endif
