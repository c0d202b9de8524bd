/* cli/ticker.h - one live line on a terminal: what is done now, for how long, and its share of --max-time
 *
 *   attempt 2 of at most 12: from the presolve, iteration 41, violation 2.1e-03   12.4 s of 120 s (10 %)
 *
 * A thread draws it from the second second on and keeps the time going, whatever the program is busy with;
 * without a terminal, and where the user wants quiet or the solver's log, there is none. Whoever prints to the
 * terminal meanwhile calls ticker_clear first.
 */
#ifndef COCP_CLI_TICKER_H
#define COCP_CLI_TICKER_H

#include <stdbool.h>
#include <stdio.h>

struct ticker;

/* ticker_free it. out: usually stderr; what: the first activity; max_seconds: INFINITY
 * where there is no end. NULL, which all functions take, where there is to be no line. */
struct ticker *ticker_create(FILE *out, int verbosity, const char *what, double max_seconds);
void ticker_free(struct ticker *ticker);

/* No line from now on: the summary follows. */
void ticker_end(struct ticker *ticker);

/* What is done now. */
void ticker_set(struct ticker *ticker, const char *what);

/* Takes the line away, until it is drawn the next time. */
void ticker_clear(struct ticker *ticker);

/* Seconds since `start`, by clock_seconds, and their share of the time: "12.4 s of 120 s (10 %)", into text. */
const char *ticker_time(double start, double max_seconds, char text[60]);

/* Is it a terminal that moves its cursor? */
bool ticker_is_terminal(FILE *out);

#endif
