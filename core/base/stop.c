#define _POSIX_C_SOURCE 200809L         /* SIGALRM, clock_getcpuclockid */

#include "core/base/stop.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

static volatile sig_atomic_t noted, keeps;
static double cpu_end = INFINITY;       /* on the clock of cpu_seconds */

void stop_ask(int number)
{
    if (!noted)
        noted = number;
}

const volatile sig_atomic_t *stop_flag(void)
{
    return &noted;
}

bool stop_asked(void)
{
    return noted != 0;
}

bool stop_is_late(void)
{
    return noted == SIGALRM || noted == SIGXCPU;
}

const char *stop_late_option(void)
{
    return noted == SIGXCPU ? "--max-cpu" : "--max-time";
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    return clock_gettime(clock, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

static double seconds_in(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Of this process and of those that it has started and waited for. */
static double cpu_seconds(void)
{
    struct rusage ended;
    const double others = getrusage(RUSAGE_CHILDREN, &ended) == 0 ? seconds_in(ended.ru_utime) + seconds_in(ended.ru_stime)
                                                                  : 0;
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID) + others;
}

void stop_limit_cpu(double seconds)
{
    cpu_end = cpu_seconds() + seconds;
}

void stop_look_at_cpu(int n, const pid_t *pid)
{
    double seconds = isfinite(cpu_end) ? cpu_seconds() : 0;
    for (int i = 0; i < n && isfinite(cpu_end); i++) {
        clockid_t clock;
        if (pid[i] > 0 && clock_getcpuclockid(pid[i], &clock) == 0)
            seconds += seconds_of(clock);
    }
    if (seconds > cpu_end)
        stop_ask(SIGXCPU);
}

void stop_forget(void)
{
    noted = keeps = 0;
    cpu_end = INFINITY;
}

void stop_keep(void)
{
    keeps = 1;
}

bool stop_keeps(void)
{
    return keeps != 0;
}

bool stop_leaves_nothing(void)
{
    return noted != 0 && keeps == 0;
}
