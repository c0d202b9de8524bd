/* cli/outputs/line.h - the one line on stdout that says what a run came to, or the same as a JSON object
 *
 *   solved monoped objective=12.3456 comp=0.0e+00 viol=1.1e-12 error=3.4e-06 steps=9 iter=412 time=3.81 out=monoped.h5
 *
 * Begun, filled key by key, ended. What is missing is left out, or null.
 */
#ifndef COCP_CLI_OUTPUTS_LINE_H
#define COCP_CLI_OUTPUTS_LINE_H

#include "core/base/diag.h"

#include <stdbool.h>

struct line { FILE *out; bool is_json; };

/* "<word> <name>": word is the outcome where a command has words of its own for it (JSON then has both), else
 * that of the status (NULL). */
void line_begin(const struct line *line, const char *outcome, const char *word, enum status st, const char *name);
void line_text(const struct line *line, const char *key, const char *text);
void line_count(const struct line *line, const char *key, int value);
void line_flag(const struct line *line, const char *key, bool value);
/* fmt NULL: the fewest digits that give the same number back. */
void line_number(const struct line *line, const char *key, const char *fmt, double value);
void line_end(const struct line *line, const char *out_path);

/* The line of solve and simulate. */
struct run_line {
    enum status status;
    const char *name;               /* of the spec */
    const char *experiment;         /* of its data; NULL: it is of the whole */
    double objective, complementarity, infeasibility;   /* NAN where there is none */
    double error;                   /* of a replay by events; NAN: none was made */
    bool has_bound;                 /* one was asked for */
    double bound, gap;              /* what it is, how far the objective is from it; NAN: nothing is proved */
    bool unstable;                  /* and what then counts: that of single intervals */
    double interval;
    int steps, iterations;          /* -1: left out */
    double seconds;
    const char *out_path;
};
void run_line_print(FILE *out, const struct run_line *run, bool is_json);

#endif
