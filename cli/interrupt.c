#define _POSIX_C_SOURCE 200809L

#include "cli/interrupt.h"

#include "core/base/status.h"
#include "core/base/stop.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const long GRACE_NS = 700000000;         /* from the note to the end, where there is nothing to save */
static const double LONGEST = 1e9;              /* seconds that a timer takes */
static const double TOGETHER = 0.5;             /* s: signals this close are one, sent to the process and to its group */

static timer_t timer;                           /* set before any signal can come, as the next one is */
static enum interrupt_way way_to_end;
static struct timespec asked;                   /* when the first one came */

static void set_timer(time_t seconds, long ns)
{
    const struct itimerspec in = { .it_value = { seconds, ns } };
    (void)timer_settime(timer, 0, &in, NULL);   /* in a child there is none: its parent sees to it */
}

static _Noreturn void end_with_nothing(void)
{
    static const char saves[] = "cocp: stopped before there was anything to save\n";
    static const char ends[] = "cocp: stopped before it had come to an end\n";
    const ssize_t written = way_to_end == INTERRUPT_SAVES ? write(STDERR_FILENO, saves, sizeof saves - 1)
                                                          : write(STDERR_FILENO, ends, sizeof ends - 1);
    (void)written;
    _exit(status_exit_code(stop_status()));
}

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* SIGALRM is the end of the time, or that of the grace after it or after a signal; SIGXCPU is that of the CPU
 * time. Who asks twice does not want to wait. */
static void remember(int number)
{
    const int before = *stop_flag();
    stop_ask(number);
    if (way_to_end == INTERRUPT_ENDS)
        end_with_nothing();
    if (!before) {
        (void)clock_gettime(CLOCK_MONOTONIC, &asked);
        set_timer(0, GRACE_NS);
    } else if (number == SIGALRM) {
        if (!stop_keeps())
            end_with_nothing();
    } else if (number != SIGXCPU && seconds_since(&asked) > TOGETHER) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void catch(int number)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    action.sa_flags = (int)SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void catch_unless_silenced(int number)
{
    struct sigaction old;
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        catch(number);
}

/* SIGXCPU after so much CPU time of this process; that of others is added where they are waited for. */
static void limit_cpu(double seconds)
{
    timer_t cpu_timer;
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGXCPU;
    const struct itimerspec in = { .it_value = { (time_t)seconds, (long)(1e9 * fmod(seconds, 1)) } };
    stop_limit_cpu(seconds);
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &cpu_timer) == 0)
        (void)timer_settime(cpu_timer, 0, &in, NULL);
}

void interrupt_install(double max_seconds, double max_cpu, enum interrupt_way way)
{
    way_to_end = way;
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    if (timer_create(CLOCK_MONOTONIC, NULL, &timer) != 0)
        return;                                 /* no memory for a timer: signals end the program as usual */
    catch(SIGINT);
    catch(SIGTERM);
    catch_unless_silenced(SIGHUP);
    catch(SIGALRM);
    catch(SIGXCPU);
    if (max_cpu < LONGEST)
        limit_cpu(max_cpu);
    if (max_seconds < LONGEST)
        set_timer((time_t)max_seconds, (long)(1e9 * fmod(max_seconds, 1)));
}

const volatile sig_atomic_t *interrupt_flag(void)
{
    return stop_flag();
}
