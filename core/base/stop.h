/* core/base/stop.h - has somebody asked the program to stop?
 *
 * A signal, or the end of the time that --max-time or --max-cpu gives, is noted here and stays; every loop that
 * may take longer than a moment asks. It costs one load. The notes are the only mutable globals of the program: a
 * signal handler has no other way to tell.
 */
#ifndef COCP_CORE_BASE_STOP_H
#define COCP_CORE_BASE_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* By a signal handler: notes the number of a signal; the first one stays. SIGALRM is the end of the time by the
 * clock, SIGXCPU that of the CPU. */
void stop_ask(int number);

/* 0, or the number that was noted. */
const volatile sig_atomic_t *stop_flag(void);

bool stop_asked(void);

/* A part of the run may take so many seconds of CPU time, and by the clock: until stop_part_end, stop_asked says
 * yes once either are over, and nothing is noted. Parts do not stand within others. */
void stop_part_begin(double cpu, double clock);
void stop_part_end(void);

/* Has the time come to its end, by the clock or of the CPU? The option that gave it, for messages. */
bool stop_is_late(void);
const char *stop_late_option(void);

/* From now on this process, and those that it starts, have so many seconds of CPU time together. The
 * process itself is stopped by a timer of its own; whoever waits for others [n] asks from time to time
 * whether all of them are late. */
void stop_limit_cpu(double seconds);
void stop_look_at_cpu(int n, const pid_t *pid);

/* s of CPU time that are left of it; INFINITY: there is no limit. */
double stop_cpu_left(void);

/* The flag of a search that leaves a share of the CPU time to what comes after it: raised with stop_flag, and
 * before that once no more than this share of the limit is left. stop_flag itself where there is no limit. */
const volatile sig_atomic_t *stop_early_flag(double share);

/* Before another run in the same process: nobody has asked, there is nothing to save, CPU time has no limit. */
void stop_forget(void);

/* From now on there is something to save: whoever was asked to stop waits for it. */
void stop_keep(void);
bool stop_keeps(void);

/* Asked, and nothing to save: what reads and builds may leave everything as it is. Once there is something, what
 * saves it may have to read, too. */
bool stop_leaves_nothing(void);

#endif
