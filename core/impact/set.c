#define _POSIX_C_SOURCE 200809L

#include "core/impact/set.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 256, MAX_THREADS = 256, MAX_CORNERS = 4096 };

struct crew {                       /* what threads share */
    const struct impact_task *task;
    struct impact_set *set;
    double start;
    atomic_int next;                /* chunk to be taken */
};

int impact_n_corners(const struct impact_system *system, const struct impact_settings *settings)
{
    const int n = settings->samples < MAX_CORNERS ? settings->samples : MAX_CORNERS;
    return settings->corners ? 1 + system->n_contact + n : 0;
}

static bool must_stop(const struct crew *crew)
{
    const struct impact_task *task = crew->task;
    return (task->interrupt && *task->interrupt) || clock_seconds() - crew->start > task->max_seconds;
}

static void run_chunk(const struct crew *crew, struct impact_step_work *work, int first, int end)
{
    const struct impact_task *task = crew->task;
    const struct impact_system *system = task->sampler->system;
    const size_t n_points = (size_t)task->path_points;
    for (int k = first; k < end; k++) {
        const bool is_corner = k >= task->n_samples;
        const bool is_kept = k < crew->set->n_paths;
        const struct impact_way way = {
            .n = task->path_points, .u = is_kept ? crew->set->path + (size_t)k * n_points * (size_t)system->n_row : NULL,
            .s = is_kept ? crew->set->path_s + (size_t)k * n_points : NULL
        };
        crew->set->sample[k] = impact_sample_run(task->sampler, work, is_corner,
                                                 (uint64_t)(is_corner ? k - task->n_samples : k),
                                                 crew->set->v + (size_t)k * (size_t)system->n_v, NULL,
                                                 is_kept ? &way : NULL);
    }
}

static void *work_along(void *user)
{
    struct crew *crew = user;
    const int n = crew->task->n_samples + crew->task->n_corners, n_chunks = (n + CHUNK - 1) / CHUNK;
    struct impact_step_work *work = impact_step_work_create(crew->task->sampler->step);
    while (!must_stop(crew)) {
        const int chunk = atomic_fetch_add(&crew->next, 1);
        if (chunk >= n_chunks)
            break;
        run_chunk(crew, work, chunk * CHUNK, chunk == n_chunks - 1 ? n : (chunk + 1) * CHUNK);
    }
    impact_step_work_free(work);
    return NULL;
}

/* This thread works too; one that cannot be started is done without. */
static void run_threads(struct crew *crew)
{
    pthread_t thread[MAX_THREADS];
    long n_wanted = crew->task->n_threads > 0 ? crew->task->n_threads : sysconf(_SC_NPROCESSORS_ONLN);
    int n = 0;
    if (n_wanted > MAX_THREADS)
        n_wanted = MAX_THREADS;
    while (n < n_wanted - 1 && pthread_create(&thread[n], NULL, work_along, crew) == 0)
        n++;
    work_along(crew);
    while (n > 0)
        pthread_join(thread[--n], NULL);
}

enum status impact_set_run(const struct impact_task *task, struct impact_set *set)
{
    const struct impact_system *system = task->sampler->system;
    const int n = task->n_samples + task->n_corners;
    struct crew crew = { .task = task, .set = set, .start = clock_seconds() };
    *set = (struct impact_set){ .n = n, .n_paths = task->n_paths < n ? task->n_paths : n };
    const size_t n_ways = (size_t)set->n_paths * (size_t)task->path_points,
                 n_points = n_ways * (size_t)system->n_row;
    set->v = arena_alloc(&set->mem, (size_t)n * (size_t)system->n_v, sizeof *set->v);
    set->sample = arena_alloc(&set->mem, (size_t)n, sizeof *set->sample);
    set->path = arena_alloc(&set->mem, n_points, sizeof *set->path);
    set->path_s = arena_alloc(&set->mem, n_ways, sizeof *set->path_s);
    for (size_t k = 0; k < n_points; k++)
        set->path[k] = NAN;
    for (size_t k = 0; k < n_ways; k++)
        set->path_s[k] = NAN;
    atomic_init(&crew.next, 0);
    run_threads(&crew);
    set->seconds = clock_seconds() - crew.start;
    const long long done = (long long)atomic_load(&crew.next) * CHUNK;      /* chunks that were taken are done */
    if (done >= n)
        return STATUS_OK;
    set->n = (int)done;
    set->n_paths = set->n_paths < set->n ? set->n_paths : set->n;
    return task->interrupt && *task->interrupt ? stop_status() : STATUS_LIMIT;
}
