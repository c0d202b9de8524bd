#define _POSIX_C_SOURCE 200809L

#include "core/sweep/run.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/results/save.h"
#include "core/sweep/claim.h"
#include "core/sweep/folder.h"
#include "core/sweep/job.h"
#include "core/sweep/record.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double STOP_SECONDS = 2;   /* from SIGINT to SIGKILL: a point saves what it has within one */

enum point_state { POINT_MISSING, POINT_SOLVED, POINT_FAILED, POINT_ELSEWHERE };

struct point { unsigned char state, attempts; };

struct sweep {
    const struct sweep_run *run;
    struct point *point;            /* [last - first] */
    struct sweep_job *job;          /* [jobs]; pid 0: free */
    pid_t *pid;                     /* [jobs] scratch: those of the jobs */
    int n_running, n_done_now;
    double stopped;                 /* when SIGINT went out; NAN: it has not */
};

static struct point *point_of(struct sweep *sweep, int k)
{
    return &sweep->point[k - sweep->run->first];
}

/* --- What is on record --------------------------------------------------------------------------------------- */

static struct point read_point(const struct sweep_run *run, int k)
{
    char path[SWEEP_PATH_SIZE];
    struct point point = { POINT_MISSING, 0 };
    struct spec *record = sweep_record_read(sweep_job_path(run, k, "json", path));
    if (record) {
        const int attempts = sweep_record_int(record, "attempts", 1);
        const int exit_code = sweep_record_int(record, "exit_code", -1);
        point.state = sweep_is_done(run->command, exit_code) ? POINT_SOLVED : POINT_FAILED;
        point.attempts = (unsigned char)(attempts < 255 ? attempts : 255);
    }
    spec_free(record);
    return point;
}

/* A runner that was killed between its record and the end of its claim leaves the claim behind, and the line. */
static void clean_up(const struct sweep_run *run, int k)
{
    char claim[SWEEP_PATH_SIZE], line[SWEEP_PATH_SIZE];
    sweep_job_path(run, k, "claim", claim);
    if (access(claim, F_OK) != 0 || claim_is_held(claim))
        return;
    unlink(sweep_job_path(run, k, "line", line));
    claim_drop(claim);
}

static void count(const struct sweep *sweep, struct sweep_counts *counts)
{
    int n[4] = { 0 };
    for (int k = 0; k < sweep->run->last - sweep->run->first; k++)
        n[sweep->point[k].state]++;
    *counts = (struct sweep_counts){ n[POINT_SOLVED], n[POINT_FAILED], n[POINT_ELSEWHERE], n[POINT_MISSING] };
}

void sweep_count(const struct sweep_run *run, struct sweep_counts *counts, int n, int *failed)
{
    char path[SWEEP_PATH_SIZE];
    *counts = (struct sweep_counts){ 0 };
    for (int k = run->first; k < run->last; k++) {
        const struct point point = read_point(run, k);
        if (point.state == POINT_FAILED && counts->failed < n)
            failed[counts->failed] = k;
        counts->solved += point.state == POINT_SOLVED;
        counts->failed += point.state == POINT_FAILED;
        if (point.state == POINT_MISSING && claim_is_held(sweep_job_path(run, k, "claim", path)))
            counts->running++;
        else
            counts->missing += point.state == POINT_MISSING;
    }
}

enum status sweep_spare(const struct sweep_run *run, struct diag *diag)
{
    char path[SWEEP_PATH_SIZE];
    const char *const names[] = { "sweep", run->command->name }, *const whole[] = { "table.csv", "chart.h5" };
    enum status st = STATUS_OK;
    for (int i = 0; i < 4 && st == STATUS_OK; i++) {
        (void)snprintf(path, sizeof path, i < 2 ? "%s/%s.json" : "%s/%s", run->folder, i < 2 ? names[i] : whole[i - 2]);
        st = save_spare(path, diag);
    }
    for (int k = run->first; k < run->last && st == STATUS_OK; k++)
        st = sweep_job_spare(run, k, diag);
    return st;
}

/* --- Jobs that run ------------------------------------------------------------------------------------------- */

/* Takes the point of a job and starts it; one that is elsewhere or was done meanwhile is passed over. */
static enum status start(struct sweep *sweep, struct sweep_job *job, const struct sweep_job *what,
                         struct diag *diag)
{
    char path[SWEEP_PATH_SIZE];
    struct point *point = point_of(sweep, what->point);
    const enum status st = sweep_folder_make(sweep->run->folder, what->point, diag);
    if (st != STATUS_OK)
        return st;
    if (!claim_take(sweep_job_path(sweep->run, what->point, "claim", path))) {
        if (point->state == POINT_MISSING)
            point->state = POINT_ELSEWHERE;
        return STATUS_OK;
    }
    const struct point now = read_point(sweep->run, what->point);
    if (now.state != point->state || now.attempts != point->attempts) {
        *point = now;
        claim_drop(path);
        return STATUS_OK;
    }
    *job = *what;
    const enum status started = sweep_job_start(sweep->run, job, diag);
    if (started == STATUS_OK)
        sweep->n_running++;
    else
        claim_drop(path);
    return started;
}

static enum status end(struct sweep *sweep, struct sweep_job *job, int wait_status, struct diag *diag)
{
    enum job_outcome outcome;
    struct point *point = point_of(sweep, job->point);
    const enum status st = sweep_job_end(sweep->run, job, wait_status, &outcome, diag);
    sweep->n_running--;
    if (outcome == JOB_DROPPED)
        return st;
    point->attempts = (unsigned char)(job->attempts < 255 ? job->attempts : 255);
    if (outcome == JOB_SOLVED || job->guess < 0)
        point->state = outcome == JOB_SOLVED ? POINT_SOLVED : POINT_FAILED;
    sweep->n_done_now++;
    return st;
}

/* Takes the jobs that have ended; true if there was one. */
static bool reap(struct sweep *sweep, enum status *st, struct diag *diag)
{
    bool any = false;
    for (int i = 0; i < sweep->run->jobs; i++) {
        struct sweep_job *job = &sweep->job[i];
        int wait_status;
        if (job->pid > 0 && waitpid(job->pid, &wait_status, WNOHANG) == job->pid) {
            const enum status ended = end(sweep, job, wait_status, diag);
            *st = *st == STATUS_OK ? ended : *st;
            any = true;
        } else if (job->pid > 0) {
            sweep_job_watch(sweep->run, job);
        }
    }
    return any;
}

static void stop_all(struct sweep *sweep)
{
    const bool is_hard = clock_seconds() - sweep->stopped > STOP_SECONDS;
    if (!isnan(sweep->stopped) && !is_hard)
        return;
    for (int i = 0; i < sweep->run->jobs; i++)
        if (sweep->job[i].pid > 0)
            sweep_job_stop(&sweep->job[i], is_hard);
    if (isnan(sweep->stopped))
        sweep->stopped = clock_seconds();
}

static enum status why_stop(const struct sweep *sweep)
{
    for (int i = 0; i < sweep->run->jobs; i++)
        sweep->pid[i] = sweep->job[i].pid;
    stop_look_at_cpu(sweep->run->jobs, sweep->pid);
    return stop_asked() ? stop_status() : STATUS_OK;
}

static enum status fill(struct sweep *sweep, const struct sweep_job *queue, int n, int *next, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int i = 0; i < sweep->run->jobs && st == STATUS_OK; i++)
        while (sweep->job[i].pid == 0 && *next < n && st == STATUS_OK)
            st = start(sweep, &sweep->job[i], &queue[(*next)++], diag);
    return st;
}

static void tell(const struct sweep *sweep)
{
    struct sweep_counts counts;
    if (!sweep->run->progress)
        return;
    count(sweep, &counts);
    counts.running += sweep->n_running;
    counts.missing = counts.missing > sweep->n_running ? counts.missing - sweep->n_running : 0;
    sweep->run->progress(sweep->run->user, &counts, sweep->n_done_now);
}

/* From one look at the processes to the next: short while things happen, a fiftieth of a second at most. */
static void rest(int n_idle)
{
    const struct timespec pause = { 0, 1000000L * (n_idle < 20 ? n_idle : 20) };
    nanosleep(&pause, NULL);
}

/* Runs jobs [n] in their order, as many at a time as there may be. */
static enum status run_all(struct sweep *sweep, const struct sweep_job *queue, int n, struct diag *diag)
{
    static const double TELL_SECONDS = 0.5;
    double told = -INFINITY;
    enum status st = STATUS_OK;
    for (int next = 0, n_idle = 0; (next < n && st == STATUS_OK) || sweep->n_running > 0; n_idle++) {
        if (st == STATUS_OK)
            st = why_stop(sweep);
        if (st == STATUS_OK)
            st = fill(sweep, queue, n, &next, diag);
        else
            stop_all(sweep);
        if (reap(sweep, &st, diag))
            n_idle = 0;
        if (clock_seconds() - told > TELL_SECONDS) {
            tell(sweep);
            told = clock_seconds();
        }
        rest(n_idle);
    }
    return st;
}

/* --- What is to be done -------------------------------------------------------------------------------------- */

static enum status run_missing(struct sweep *sweep, struct diag *diag)
{
    const struct sweep_run *run = sweep->run;
    struct sweep_job *queue = mem_alloc((size_t)(run->last - run->first), sizeof *queue);
    int n = 0;
    for (int k = run->first; k < run->last; k++) {
        const struct point *point = point_of(sweep, k);
        if (point->state == POINT_MISSING || (run->again && point->state == POINT_FAILED))
            queue[n++] = (struct sweep_job){ .point = k, .attempts = 1, .guess = -1 };
    }
    const enum status st = run_all(sweep, queue, n, diag);
    free(queue);
    return st;
}

/* The solved point that is the rank-th nearest to k, rank from 0; -1: there are fewer. */
static int neighbour(struct sweep *sweep, int k, int rank)
{
    const struct sweep_points *points = sweep->run->points;
    double passed = -1;
    int passed_point = -1;
    for (; rank >= 0; rank--) {
        double nearest = INFINITY;
        int best = -1;
        for (int l = sweep->run->first; l < sweep->run->last; l++) {
            const double apart = point_of(sweep, l)->state == POINT_SOLVED ? sweep_points_distance(points, k, l)
                                                                           : INFINITY;
            const bool is_passed = apart < passed || (apart <= passed && l <= passed_point);
            if (!is_passed && apart < nearest) {
                nearest = apart;
                best = l;
            }
        }
        if (best < 0)
            return -1;
        passed = nearest;
        passed_point = best;
    }
    return passed_point;
}

static enum status retry_once(struct sweep *sweep, struct diag *diag)
{
    const struct sweep_run *run = sweep->run;
    struct sweep_job *queue = mem_alloc((size_t)(run->last - run->first), sizeof *queue);
    int n = 0;
    for (int k = run->first; k < run->last; k++) {
        const struct point *point = point_of(sweep, k);
        if (point->state != POINT_FAILED || point->attempts > run->retries)
            continue;
        const int from = neighbour(sweep, k, point->attempts - 1);
        if (from >= 0)
            queue[n++] = (struct sweep_job){ .point = k, .attempts = point->attempts + 1, .guess = from };
    }
    const enum status st = run_all(sweep, queue, n, diag);
    free(queue);
    return st;
}

/* Each round may solve points that help in the next. */
static enum status retry(struct sweep *sweep, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int round = 0; round < sweep->run->retries && sweep->run->command->takes_guess && st == STATUS_OK; round++)
        st = retry_once(sweep, diag);
    return st;
}

enum status sweep_run(const struct sweep_run *run, struct sweep_counts *counts, struct diag *diag)
{
    struct sweep sweep = { .run = run, .stopped = NAN };
    assert(run->jobs > 0 && run->first <= run->last);
    stop_keep();
    sweep.point = mem_alloc((size_t)(run->last - run->first), sizeof *sweep.point);
    sweep.job = mem_alloc((size_t)run->jobs, sizeof *sweep.job);
    sweep.pid = mem_alloc((size_t)run->jobs, sizeof *sweep.pid);
    for (int k = run->first; k < run->last; k++) {
        *point_of(&sweep, k) = read_point(run, k);
        if (point_of(&sweep, k)->state != POINT_MISSING)
            clean_up(run, k);
    }
    enum status st = run_missing(&sweep, diag);
    if (st == STATUS_OK)
        st = retry(&sweep, diag);
    tell(&sweep);
    count(&sweep, counts);
    free(sweep.point);
    free(sweep.job);
    free(sweep.pid);
    return st;
}
