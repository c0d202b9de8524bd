/* core/base/stop.h - has somebody asked the program to stop?
 *
 * A signal, or the end of the time that --max-time gives, is noted here and stays; every loop that may take longer than
 * a moment asks. It costs one load. The notes are the only mutable globals of the program: a signal handler has no
 * other way to tell.
 */
#ifndef COCP_CORE_BASE_STOP_H
#define COCP_CORE_BASE_STOP_H

#include <signal.h>
#include <stdbool.h>

/* By a signal handler: notes the number of a signal; the first one stays. SIGALRM is the end of the time. */
void stop_ask(int number);

/* 0, or the number that was noted. */
const volatile sig_atomic_t *stop_flag(void);

bool stop_asked(void);

/* Before another run in the same process: nobody has asked, there is nothing to save. */
void stop_forget(void);

/* From now on there is something to save: whoever was asked to stop waits for it. */
void stop_keep(void);
bool stop_keeps(void);

#endif
