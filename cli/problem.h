/* cli/problem.h - what solve, simulate and check read: the spec, the model in it, the settings of its blocks */
#ifndef COCP_CLI_PROBLEM_H
#define COCP_CLI_PROBLEM_H

#include "cli/args.h"
#include "core/impact/settings.h"
#include "core/model/model.h"
#include "core/mpcc/settings.h"
#include "core/output/head.h"
#include "core/output/settings.h"
#include "core/replay/replay.h"
#include "core/stability/settings.h"
#include "transcription/ensemble/settings.h"
#include "transcription/finish/settings.h"
#include "transcription/method/settings.h"
#include "transcription/start/guess.h"
#include "transcription/step/simulate.h"
#include "transcription/track/settings.h"

struct problem {
    struct spec *spec;
    struct model *model;
    struct discretization discretization;
    struct homotopy_settings homotopy;
    struct solver_settings solver;
    struct simulate_settings simulate;
    struct track_settings track;
    struct impact_settings impact;
    struct certify_settings certify;
    struct verify_settings verify;
    struct finish_settings finish;
    struct sensitivity_settings sensitivity;
    struct scenario_settings scenarios;
    struct output_settings output;
    const char *why_method;         /* why `method: auto` became what `discretization` says; NULL: it was named */
    char *resolved;                 /* once problem_resolved has been asked for it */
};

/* Reads args->input[0] with its overrides; every mistake is in `diag`. problem_free afterwards, whatever came
 * back. */
enum status problem_read(const struct cli_args *args, enum model_need need, struct problem *problem,
                         struct diag *diag);
/* Is the spec for a command that takes no control intervals: does a block say so? */
bool problem_is_for_others(const struct problem *problem);
/* The spec alone: args->input[0], or the text of a call, with these overrides. */
enum status problem_read_spec(const struct cli_args *args, int n_override, const struct spec_override *override,
                              struct spec **spec, struct diag *diag);
/* A path in the spec is seen from the spec's folder. */
const char *problem_path_beside(const struct cli_args *args, const char *path, struct arena *mem);
/* Notes the files that the spec names, data, controls and guess (core/base/read_files.h): whether the command
 * comes to read them or not, no output takes their place. problem_read does it, too. */
void problem_note_files(const struct cli_args *args, const struct spec *spec, struct diag *diag);
void problem_free(struct problem *problem);

/* The starting point: that of a call, of --guess or of the spec; NULL where there is none. */
enum status problem_read_guess(const struct cli_args *args, const struct problem *problem, struct guess **guess,
                               struct diag *diag);

/* What a result is made of; method NULL: that of `discretization`. Borrowed from the problem and args. */
struct output_origin problem_origin(const struct cli_args *args, struct problem *problem, const char *method);

/* The blocks of settings of a spec, in the order in which they are printed; ends with one without a table. */
struct problem_block { const struct setting_table *table; size_t at; /* of its settings in struct problem */ };
extern const struct problem_block problem_blocks[];
/* The table of that block, or NULL. */
const struct setting_table *problem_block_find(const char *name);

/* The spec with overrides and the defaults of its settings, as YAML with comments; the problem's. */
const char *problem_resolved(struct problem *problem);

#endif
