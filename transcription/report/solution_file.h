/* transcription/report/solution_file.h - a solution read back from its result file: what replay.h compares with;
 * results.md
 *
 * The problem is the one the solution was made of: the text of /spec/resolved, overrides applied, whatever the
 * spec on the disk says by now. It is data: files that it names are not opened. Initial state, optimized parameters
 * and a free horizon are the solution's.
 * A simulation is read alike; controls that expressions took the place of are theirs again, from the spec.
 * Errors  STATUS_IO naming what is missing; STATUS_SPEC with positions in "FILE.h5:/spec/resolved".
 */
#ifndef COCP_TRANSCRIPTION_REPORT_SOLUTION_FILE_H
#define COCP_TRANSCRIPTION_REPORT_SOLUTION_FILE_H

#include "core/model/model.h"
#include "core/output/settings.h"
#include "core/results/results.h"
#include "core/replay/replay.h"
#include "transcription/step/simulate.h"

struct solution_file {
    struct arena mem;               /* owns the arrays of `solution` */
    struct result *result;
    bool is_borrowed;               /* the result */
    struct spec *spec;
    struct model *model;            /* its horizon is the solution's */
    struct simulate_settings simulate;
    struct verify_settings verify;
    struct output_settings output;
    struct replay_solution solution;
    int n_row;                      /* of /trajectory */
    int *row;                       /* [n_point] of each point; -1: none */
    bool is_simulation;             /* not the result of an optimization */
    expr *u_expr;                   /* [n_u] what took a control's place in a simulation; or NULL */
};

/* The same of a result in memory, named so in messages; it stays the caller's. */
enum status solution_file_of(struct result *result, const char *name, struct solution_file *file,
                             struct diag *diag);
/* solution_file_free afterwards, whatever came back. */
enum status solution_file_read(const char *path, struct solution_file *file, struct diag *diag);
void solution_file_free(struct solution_file *file);

#endif
