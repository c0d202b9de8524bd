/* cli/args.h - the command line: which command, its operands and options; cli/manual/cocp.1
 *
 * One table names the commands and one the options, with the commands that take them and their help; parser,
 * --help and suggestions are made from both. Options may stand anywhere, before or after the command, short ones
 * may be joined (-qo FILE), values follow as the next word or after `=`; `--` ends the options.
 *
 * Errors  STATUS_USAGE with a message in `diag` that names the word and, where one is near, what was meant.
 */
#ifndef COCP_CLI_ARGS_H
#define COCP_CLI_ARGS_H

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/spec/spec.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum cli_command {
    CLI_INIT, CLI_IMPORT, CLI_CHECK, CLI_SOLVE, CLI_SIMULATE, CLI_TRACK, CLI_VERIFY, CLI_BOUND, CLI_IMPACT,
    CLI_CERTIFY, CLI_SWEEP, CLI_SHOW, CLI_REPORT, CLI_EXPORT, CLI_SUMMARY, CLI_EXPLAIN, CLI_SCHEMA, CLI_NONE
};

enum { ARGS_OUT_ROOM = 64 };

struct result;
struct ticker;

/* What a call of the library (library/cocp.h) has in memory, where the program has files; NULL: a file. */
struct cli_call {
    const char *text;               /* of the spec */
    const struct result *guess;
    struct result *subject;         /* of verify: what is judged; it gets /verification */
    struct result *found;           /* the result, left here instead of written */
};

struct cli_args {
    enum cli_command command;
    bool help, version;             /* asked for; the rest then need not be complete */
    const char *history;            /* the command line as one text */
    int n_word;
    char *const *word;              /* [n_word] argv, borrowed */
    int n_input;
    const char **input;             /* [n_input] specs, result files or a name */
    char *out_path;                 /* -o, else where the command writes: SPEC with its ending replaced by .h5, in the
                                     * current folder; verify: its input; NULL: nowhere. With ARGS_OUT_ROOM bytes to
                                     * spare: what is written elsewhere renames it in place (output_file.h) */
    bool force;                     /* replace what is better, or go on in the folder of another sweep */
    int verbosity;                  /* -1 quiet, 0, 1 (-v), 2 (-vv: the solver's log) */
    bool json, csv;
    bool check;                     /* certify, bound --check: input is a result; of bound it may follow a spec */
    bool bound;                     /* solve --bound */
    double target, gap;             /* bound: the cost to compare with; how close, of solve --bound, too; NAN: not
                                     * given */
    int degree;                     /* bound: the largest; 0: not given */
    int n_sweep;
    const char **sweep;             /* [n_sweep] --sweep PATH=A:B:N, of sweep also PATH=V,V */
    const char *run;                /* sweep --run: the command of its points, or NULL */
    int n_random, jobs, retries, tasks;     /* of sweep, jobs of solve too; jobs, tasks 0: not given */
    uint64_t seed;                  /* --seed as a number, 1 by default */
    double point_time, point_cpu, point_memory;     /* s, s of the CPU, MiB for each point of a sweep; INFINITY: none */
    const char *experiment;         /* of a spec's data, taken alone; NULL: as it stands */
    const char *chunk;              /* sweep --chunk: "I/N", or NULL */
    bool list;                      /* init --list, sweep --list */
    bool status, again, slurm;      /* of sweep */
    const char *sbatch_options;     /* sweep --sbatch-options, or NULL */
    int n_passed;
    const char **passed;            /* [n_passed] words behind -- of sweep: options of its points */
    bool falsify;                   /* certify --falsify */
    bool resolved;                  /* check --resolved */
    bool skip_existing;
    int n_override;
    struct spec_override *override; /* [n_override] of --set and of options for settings */
    const char *guess_path;         /* --guess, or NULL */
    const char *controls_path;      /* simulate --controls, or NULL */
    bool verify;                    /* solve --verify */
    double tol;                     /* verify --tol, solve --verify=TOL; NAN: not given */
    double floor;                   /* verify --floor; NAN: not given */
    int samples;                    /* simulate --samples; 0: not given */
    int n_perturb;
    const char **perturb;           /* [n_perturb] of --perturb: STATE=SIZE (simulate), PATH=SIZE (sweep) */
    const char *impacts;            /* simulate --impacts: "set", or NULL */
    const char *from;               /* impact --from FILE.h5@T, sweep --from TABLE.csv, or NULL */
    const char *base;               /* import --base, or NULL */
    const char *joints;             /* export --joints: csv, ros or mujoco, or NULL */
    const char *group;              /* --group of show and export ("/trajectory"), or NULL */
    double max_time, max_cpu;       /* s by the clock, of the CPU; INFINITY: none */
    struct ticker *ticker;          /* the live line, main's; NULL: none (ticker.h) */
    FILE *out, *err;                /* stdout and stderr, or those of a call */
    struct cli_call *call;          /* borrowed; NULL: it is the program */
    struct arena mem;               /* texts that are not argv's */
};

/* Reads argv; args_free(args) afterwards, whatever came back. */
enum status args_parse(int argc, char **argv, struct cli_args *args, struct diag *diag);
void args_free(struct cli_args *args);

/* The help of a command, of the program for CLI_NONE. */
void args_print_help(enum cli_command command, FILE *out);

#endif
