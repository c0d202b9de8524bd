/* cocp.h - the commands of cocp as calls: what they find stays in memory, what they say comes back as messages
 *
 *   const char *const words[] = { "solve", "hopper.yaml", "--set", "parameters.mu=0.3" };
 *   struct cocp_run *run = cocp_run(4, words, NULL);
 *
 * The words are those of the command line (man cocp): solve, simulate, verify, impact, certify, bound,
 * track, check. What the program would write to -o is cocp_run_result, with the groups and datasets of a
 * result file (docs/results.md).
 *
 * Threads    runs, reading and writing of files wait for one another, as a run uses all cores by itself; the
 *            rest may be called at any time, for one run or result by one thread. cocp_stop: from anywhere, by
 *            signal handlers too. What a run calls to tell its log may not run another, nor read or write a
 *            file: that is an error.
 * Forks      a child may run commands of its own, also where it was forked while another thread ran one.
 * Process    no call ends the process, sets a signal handler or prints, but for IPOPT's log (-vv), on stdout.
 *            Only where memory runs out the process ends, with a line on stderr.
 * Strings    UTF-8; a spec that is none is a mistake with a place, and names of files may be any bytes. What is
 *            handed out stays until the run or the result it belongs to is freed.
 * NULL       a run, a result, a path or a word that is NULL is an error like others ("usage"), or nothing: no
 *            message, no group. Freed it is left alone.
 * Stability  within a version 0.x of COCP_API nothing here changes but by additions; everything is
 *            opaque or plain data.
 */
#ifndef COCP_H
#define COCP_H

#include <stdbool.h>
#include <stddef.h>

#define COCP_API 1
#define COCP_PUBLIC __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

struct cocp_run;                    /* a command that was run, and what came of it */
struct cocp_result;                 /* what a result file holds */

COCP_PUBLIC const char *cocp_version(void);

/* --- Running a command --------------------------------------------------------------------------------------- */

struct cocp_call {                  /* each may be NULL */
    const char *text;               /* the spec itself; its word is then only its name in messages */
    const struct cocp_result *guess;        /* as --guess, of solve and track */
    struct cocp_result *subject;    /* of verify: judged in place of a file, it gets the group /verification */
    void (*log)(void *user, const char *line);      /* each line of the log while it runs, in any thread */
    void *user;                     /* for log */
};

/* Never NULL; call may be. cocp_run_free it. Options that the program answers by itself,
 * as --help, are errors here. */
COCP_PUBLIC struct cocp_run *cocp_run(int n, const char *const *words, const struct cocp_call *call);
COCP_PUBLIC void cocp_run_free(struct cocp_run *run);

/* Ends the command that is running as Ctrl-C does: with the best there is. */
COCP_PUBLIC void cocp_stop(void);

/* "solved", "infeasible", "bad spec", ... and the exit status of the program: 0 only if solved. */
COCP_PUBLIC const char *cocp_run_status(const struct cocp_run *run);
COCP_PUBLIC int cocp_run_exit_code(const struct cocp_run *run);

/* What the program prints on stdout. */
COCP_PUBLIC const char *cocp_run_output(const struct cocp_run *run);

/* The result, cocp_result_free it; NULL where there is none, and after the first call. */
COCP_PUBLIC struct cocp_result *cocp_run_result(struct cocp_run *run);

struct cocp_message {
    const char *level;              /* "error", "warning", "note" */
    const char *file;               /* NULL: of no file */
    int line, column;               /* from 1; 0: of no place */
    const char *text;               /* what is wrong, and what would be right */
    const char *whole;              /* file:line:column: level: path: text */
};

/* Message i from 0, in the order of the file; false past the last one. */
COCP_PUBLIC bool cocp_run_message(struct cocp_run *run, int i, struct cocp_message *message);

/* --- A result ------------------------------------------------------------------------------------------------ */

/* From and to a file; NULL and false where that fails, with the reason in why [size]. An existing
 * file is replaced, but for those that the run has read whose result it is: its spec, what the
 * spec includes, data, a guess. */
COCP_PUBLIC struct cocp_result *cocp_result_read(const char *path, char *why, size_t size);
COCP_PUBLIC bool cocp_result_write(const struct cocp_result *result, const char *path, char *why, size_t size);
COCP_PUBLIC void cocp_result_free(struct cocp_result *result);

/* Another of its own: what becomes of one does not change the other. */
COCP_PUBLIC struct cocp_result *cocp_result_copy(const struct cocp_result *result);

enum cocp_type { COCP_DOUBLE, COCP_INT, COCP_FLAG, COCP_TEXT };

struct cocp_attribute {
    const char *name;
    enum cocp_type type;
    double number;                  /* NAN of a text */
    const char *text;               /* NULL of a number */
};

struct cocp_axis {
    const char *name, *units, *long_name;
    int n;
    const double *values;           /* [n]; NULL: 0, ..., n - 1 */
};

struct cocp_dataset {
    const char *name, *units, *long_name;
    const char *role;               /* "state", "control", "contact", "output", "optimized" or "" */
    enum cocp_type type;
    int n_axes;                     /* 0: a scalar */
    const char *axis[4];            /* [n_axes] their names, slowest first, and sizes */
    int size[4];
    int n;                          /* values: the product of the sizes */
    const void *values;             /* [n] double, int, unsigned char or const char *, by type */
    double lower_bound, upper_bound;        /* of the variable; NAN: none */
};

/* Each from 0; NULL or false past the last one. Groups are named by their path: "/", "/trajectory". */
COCP_PUBLIC const char *cocp_result_group(const struct cocp_result *result, int group);
COCP_PUBLIC bool cocp_result_attribute(const struct cocp_result *result, int group, int i,
                                       struct cocp_attribute *out);
COCP_PUBLIC bool cocp_result_axis(const struct cocp_result *result, int group, int i, struct cocp_axis *out);
COCP_PUBLIC bool cocp_result_dataset(const struct cocp_result *result, int group, int i, struct cocp_dataset *out);

#ifdef __cplusplus
}
#endif

#endif
