/* cli/outcome.h - what a run says on stdout when it is done, and whether it need be done at all
 *
 *   solved monoped objective=12.3456 comp=3.2e-10 viol=1.1e-09 steps=9 iter=412 time=3.81 out=monoped.h5
 */
#ifndef COCP_CLI_OUTCOME_H
#define COCP_CLI_OUTCOME_H

#include "core/base/diag.h"

#include <stdbool.h>
#include <stdio.h>

struct outcome {
    enum status status;
    const char *name;               /* of the spec */
    double objective, complementarity, infeasibility;   /* NAN where there is none: left out */
    int steps, iterations;          /* -1: left out */
    double seconds;
    const char *out_path;
};

/* The summary line, or with is_json the same as a JSON object on one line. */
void outcome_print(const struct outcome *outcome, bool is_json, FILE *out);

/* Text in quotes, as JSON. */
void outcome_print_json_text(const char *text, FILE *out);

/* Is there a readable result of that name whose status is "solved"? If so a note calls it `word`, as its command does.
 * For --skip-existing. */
bool outcome_is_enough(const char *path, const char *word, struct diag *diag);

#endif
