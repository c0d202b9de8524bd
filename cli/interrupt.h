/* cli/interrupt.h - Ctrl-C and SIGTERM ask politely first
 *
 * The first signal only sets a flag, which solvers poll between iterations, so that the best iterate is saved;
 * the second one ends the program as usual.
 */
#ifndef COCP_CLI_INTERRUPT_H
#define COCP_CLI_INTERRUPT_H

#include <signal.h>

void interrupt_install(void);

/* The flag: 0, or the number of the signal that came. */
const volatile sig_atomic_t *interrupt_flag(void);

#endif
