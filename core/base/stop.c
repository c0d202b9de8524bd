#define _POSIX_C_SOURCE 200809L         /* SIGALRM, clock_getcpuclockid */

#include "core/base/stop.h"

#include "core/base/clock.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static volatile sig_atomic_t noted, keeps;
static volatile sig_atomic_t early;     /* as noted, but raised while some of the CPU time is left */
static double cpu_end = INFINITY, early_end = INFINITY;         /* on the clock of cpu_seconds */
static double cpu_limit = INFINITY;     /* s, all of it */
static double part_cpu_end = INFINITY;  /* on the same clock */
static double part_clock_end = INFINITY;                        /* by clock_seconds */
static timer_t early_timer;
static bool has_early_timer;

void stop_ask(int number)
{
    if (!noted)
        noted = number;
    if (!early)
        early = number;
}

/* The first reason to stop that there is. */
static int reason(void)
{
    return noted ? noted : early;
}

const volatile sig_atomic_t *stop_flag(void)
{
    return &noted;
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
    const double others =
        getrusage(RUSAGE_CHILDREN, &ended) == 0 ? seconds_in(ended.ru_utime) + seconds_in(ended.ru_stime) : 0;
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID) + others;
}

bool stop_asked(void)
{
    return noted != 0 || (isfinite(part_cpu_end) && cpu_seconds() > part_cpu_end)
           || (isfinite(part_clock_end) && clock_seconds() > part_clock_end);
}

void stop_part_begin(double cpu, double clock)
{
    part_cpu_end = cpu_seconds() + cpu;
    part_clock_end = clock_seconds() + clock;
}

void stop_part_end(void)
{
    part_cpu_end = part_clock_end = INFINITY;
}

bool stop_is_late(void)
{
    return reason() == SIGALRM || reason() == SIGXCPU;
}

const char *stop_late_option(void)
{
    return reason() == SIGXCPU ? "--max-cpu" : "--max-time";
}

double stop_cpu_left(void)
{
    return isfinite(cpu_end) ? fmax(0, cpu_end - cpu_seconds()) : INFINITY;
}

void stop_limit_cpu(double seconds)
{
    cpu_limit = seconds;
    cpu_end = cpu_seconds() + seconds;
}

static void raise_early(int number)
{
    (void)number;
    early = early ? early : SIGXCPU;
}

/* One that is left over would raise the flag of the next run. */
static void drop_early_timer(void)
{
    if (has_early_timer)
        (void)timer_delete(early_timer);
    has_early_timer = false;
}

const volatile sig_atomic_t *stop_early_flag(double share)
{
    if (!isfinite(cpu_end))
        return &noted;
    drop_early_timer();
    struct sigevent event;
    struct sigaction action;
    memset(&event, 0, sizeof event);
    memset(&action, 0, sizeof action);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGPROF;
    action.sa_handler = raise_early;
    action.sa_flags = (int)SA_RESTART;
    early_end = cpu_end - share * cpu_limit;
    const double left = early_end - cpu_seconds();
    const struct itimerspec in = { .it_value = { (time_t)left, (long)(1e9 * fmod(left, 1)) } };
    if (!(left > 0))
        raise_early(SIGPROF);
    else if (sigaction(SIGPROF, &action, NULL) == 0
             && timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &early_timer) == 0) {
        has_early_timer = true;
        (void)timer_settime(early_timer, 0, &in, NULL);
    }
    return &early;
}

void stop_look_at_cpu(int n, const pid_t *pid)
{
    double seconds = isfinite(cpu_end) ? cpu_seconds() : 0;
    for (int i = 0; i < n && isfinite(cpu_end); i++) {
        clockid_t clock;
        if (pid[i] > 0 && clock_getcpuclockid(pid[i], &clock) == 0)
            seconds += seconds_of(clock);
    }
    if (seconds > early_end)
        raise_early(SIGPROF);
    if (seconds > cpu_end)
        stop_ask(SIGXCPU);
}

void stop_forget(void)
{
    drop_early_timer();
    noted = early = keeps = 0;
    cpu_end = early_end = cpu_limit = INFINITY;
    stop_part_end();
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
