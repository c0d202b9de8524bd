/* cli/interrupt.h - Ctrl-C, SIGTERM, SIGHUP and the end of --max-time or --max-cpu ask first
 *
 * The first of them only notes that it came (core/base/stop.h), so that the best there is is saved; a second
 * signal ends the program as usual. Where a moment later there is nothing to save yet, the program ends: reading
 * and building need not ask. Files cannot be left half-written: they wait for no one (core/results/save.h).
 * SIGXFSZ and SIGPIPE are errors of the write that they come from, as a full disk is. A SIGHUP that nohup
 * has silenced stays so.
 */
#ifndef COCP_CLI_INTERRUPT_H
#define COCP_CLI_INTERRUPT_H

#include <signal.h>

/* Is there ever something to save? Else the first one ends the program. */
enum interrupt_way { INTERRUPT_SAVES, INTERRUPT_ENDS };

/* max_seconds, by the clock, and max_cpu, of the CPU: from now; INFINITY: no end. */
void interrupt_install(double max_seconds, double max_cpu, enum interrupt_way way);

/* The flag: 0, or the number of the signal that came. */
const volatile sig_atomic_t *interrupt_flag(void);

#endif
