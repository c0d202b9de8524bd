/* core/base/status.h - what a command or a function can come to; cli/manual/cocp.1
 *
 * One list for the whole program: functions return it, results store its word, the shell sees its number.
 */
#ifndef COCP_CORE_BASE_STATUS_H
#define COCP_CORE_BASE_STATUS_H

enum status {
    STATUS_OK,              /* done; of a solve: solved to its tolerances */
    STATUS_ACCEPTABLE,      /* feasible and complementary, but looser than asked for */
    STATUS_INFEASIBLE,      /* no feasible point was found */
    STATUS_UNBOUNDED,       /* the objective runs away */
    STATUS_LIMIT,           /* iterations, events or time are used up */
    STATUS_NUMERIC,         /* NaN, singular matrix, breakdown of a method */
    STATUS_UNVERIFIED,      /* an answer that its check refused */
    STATUS_INTERNAL,        /* our mistake */
    STATUS_USAGE,           /* the command line makes no sense */
    STATUS_SPEC,            /* the user's mistake in a spec, with a position */
    STATUS_IO,              /* file, disk */
    STATUS_INTERRUPTED      /* Ctrl-C or SIGTERM; the best iterate is saved */
};

/* The word for summary lines and the `status` attribute of results: "solved", "acceptable", ... */
const char *status_text(enum status st);

/* The exit status of the program; STATUS_INTERRUPTED gives 128 and the number of the
 * signal that came, 130 without. */
int status_exit_code(enum status st);

/* What a run that was asked to stop (core/base/stop.h) comes to: STATUS_LIMIT at the end of the time, else
 * STATUS_INTERRUPTED. */
enum status stop_status(void);

#endif
