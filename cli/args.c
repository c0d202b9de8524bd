#include "cli/args.h"

#include "core/base/mem.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- The commands ------------------------------------------------------------------------------------------- */

struct command {
    const char *name, *operands;
    int n_min, n_max;               /* operands */
    const char *summary;            /* one line in `cocp --help` */
    const char *detail;             /* in `cocp COMMAND --help` */
};

static const struct command commands[CLI_NONE] = {
    [CLI_SOLVE] = {"solve", "SPEC", 1, 1, "solve an optimal control problem",
        "Discretizes the problem of SPEC, finds out which contacts and switches close when, and solves the smooth\n"
        "program of that sequence. What is tried and found goes to stderr (all programs with -v), one line to stdout,\n"
        "the trajectory to OUT.h5. The exit status is 0 only if the problem was solved to its tolerances; the best\n"
        "iterate is saved in any case."},
    [CLI_SIMULATE] = {"simulate", "SPEC", 1, 1, "simulate under given controls",
        "Integrates the system of SPEC from its initial values under the controls of its block `simulate` or of\n"
        "--controls: from event to event, each impact, lift-off, stick, slip and switch located to rounding, or with\n"
        "another --method of SPEC or the command line: fesd, fesd-j, time-freezing, time-stepping, moreau,\n"
        "stewart-trinkle."},
    [CLI_TRACK] = {"track", "SPEC", 1, 1, "carry out a plan and make it anew on the way",
        "Carries the solution of SPEC out on a plant, the event-driven simulation, and solves the rest again every period\n"
        "from the measured state. Noise, disturbances, delays and the plant are in the block `track` of SPEC."},
    [CLI_VERIFY] = {"verify", "FILE.h5", 1, 1, "replay a solution with the event-driven simulator and compare",
        "Drives the event-driven simulation with the controls of FILE.h5 from its initial state and reports how\n"
        "far the two are apart: states, event times, penetration, friction cone, energy, objective. Details go to\n"
        "stderr, one summary line to stdout, /verification into FILE.h5 (or OUT.h5). What else the file shows is computed\n"
        "again, or told to be only unchanged since it was written. Exits with 0 if the states are within TOL and nothing\n"
        "else is off, else with 60."},
    [CLI_CERTIFY] = {"certify", "SPEC", 1, 1, "Lyapunov stability of an equilibrium in contact",
        "Takes the initial positions of SPEC as an equilibrium of a planar body on one or two contacts and looks for\n"
        "a proof that it is stable. Prints certified, inconclusive, unstable or no-equilibrium; only the first exits\n"
        "with 0, the others with 60. Inconclusive does not mean unstable. With --check FILE.h5 takes the place of\n"
        "SPEC: the certificate in it is checked once more."},
    [CLI_BOUND] = {"bound", "SPEC [RESULT.h5]", 1, 2, "how far from the global optimum, proved",
        "Looks for a lower bound of the cost over all controls and all sequences of contacts and switches: a proof, by sums\n"
        "of squares whose degree is raised until the bound is within --gap of the objective of RESULT, or of --target. What\n"
        "each degree proves goes to stderr, one line to stdout, the certificate to SPEC.bound.h5. Exits with 0 if the gap was\n"
        "reached, or if there is nothing to compare with. With --check the certificate in FILE.h5, which takes the place of\n"
        "SPEC or follows it, is proved once more."},
    [CLI_IMPACT] = {"impact", "SPEC", 1, 1, "the set of outcomes of a simultaneous impact",
        "Samples what can happen when several contacts of SPEC hit at once, at its initial state or at an event of\n"
        "a result: velocities after the impact for many orders and shares of the contacts' impulses. Prints the\n"
        "outcomes by what the contacts do, with their share; all samples are in OUT.h5."},
    [CLI_SWEEP] = {"sweep", "SPEC [-- OPTIONS]", 1, 1, "many points of a problem, on all cores or a cluster",
        "Runs solve (or --run simulate, impact, certify, verify) for each point of a grid, of random draws or of a table,\n"
        "in a process of its own; OPTIONS go to each of them. Results, logs and records are in the folder of -o, the table\n"
        "in its table.csv. The same command goes on where it was stopped; points that failed are tried again from the\n"
        "solutions of their neighbours. Exits with 0 if every point came to an end that is 0, else with 50."},
    [CLI_CHECK] = {"check", "SPEC", 1, 1, "read and validate a spec, check derivatives; solve nothing",
        "Reports every mistake of SPEC with file, line and column, evaluates the problem at its guess and compares\n"
        "the derivatives with central differences. A check without findings exits with 0."},
    [CLI_SHOW] = {"show", "FILE.h5", 1, 1, "what is in a result, in words",
        "Prints status, sizes, events and the worst constraints of a result."},
    [CLI_SUMMARY] = {"summary", "FILE.h5...", 1, INT_MAX, "one row per result",
        "Prints the table of a sweep: one row per file."},
    [CLI_EXPORT] = {"export", "FILE.h5", 1, 1, "a result as CSV, or a robot's joints for other programs",
        "Writes a group of a result as comma-separated values, to stdout or to the file of -o. --joints writes the\n"
        "motion of a robot's joints in the order of its file: as CSV, as a JointTrajectory of ROS in YAML (--joints\n"
        "ros), or as qpos, qvel and ctrl of MuJoCo in an npz (--joints mujoco -o FILE.npz)."},
    [CLI_INIT] = {"init", "[KIND] [NAME]", 0, 2, "a commented template of a spec, by kind",
        "Writes a template that solves as NAME.yaml into the current folder, or to stdout without NAME; an existing\n"
        "file is left alone. --list shows the kinds; without KIND it is a block with dry friction."},
    [CLI_IMPORT] = {"import", "FILE", 1, 1, "a spec to start from, of a robot's file (URDF, MJCF)",
        "Writes a spec with the robot of FILE, in a posture that stands on its feet, with contacts of these, a cost and a\n"
        "drawing: to the file of -o, which must be new, or to stdout. The goal is for you to fill in."},
    [CLI_REPORT] = {"report", "FILE.h5", 1, 1, "a result as one HTML page: film, plots, events",
        "Writes FILE.html: the film of the spec's block `draw` with a slider for time, the plots beside it, events and\n"
        "what was found. The page is one file that asks no network for anything."},
    [CLI_EXPLAIN] = {"explain", "[PATH]", 0, 1, "what a key of a spec does, its default and why",
        "Explains a key, as discretization.stages or states.x.initial, or a block; without PATH it lists the blocks."},
    [CLI_SCHEMA] = {"schema", "", 0, 0, "the JSON schema of specs, for editors",
        "Prints a JSON schema (draft 7) made from the tables that the reader uses. Editors with a YAML language server\n"
        "complete and check specs with it: `cocp schema > cocp.json`, and `# yaml-language-server: $schema=cocp.json`\n"
        "as the first line of a spec."},
};

/* --- The options -------------------------------------------------------------------------------------------- */

/* What an option does with its value. */
enum effect { FLAG, TEXT, POSITIVE, NUMBER, COUNT,              /* stored at its place in cli_args */
              QUIET, VERBOSE, SET, PLANT, METHOD, SAMPLES, PERTURB, MAX_EVENTS, SAMPLING, IMPACTS, VERIFY, SENSITIVITY,
              SCENARIOS, SEED, LEVELS, SWEEP, JOINTS, BOUND };

enum {
    ON_SOLVE = 1 << CLI_SOLVE, ON_SIMULATE = 1 << CLI_SIMULATE, ON_VERIFY = 1 << CLI_VERIFY,
    ON_CERTIFY = 1 << CLI_CERTIFY, ON_CHECK = 1 << CLI_CHECK, ON_SHOW = 1 << CLI_SHOW, ON_SUMMARY = 1 << CLI_SUMMARY,
    ON_EXPORT = 1 << CLI_EXPORT, ON_INIT = 1 << CLI_INIT, ON_IMPACT = 1 << CLI_IMPACT, ON_SWEEP = 1 << CLI_SWEEP,
    ON_REPORT = 1 << CLI_REPORT, ON_TRACK = 1 << CLI_TRACK, ON_BOUND = 1 << CLI_BOUND, ON_IMPORT = 1 << CLI_IMPORT,
    ON_RUN = ON_SOLVE | ON_SIMULATE | ON_IMPACT | ON_TRACK,
    ON_SPEC = ON_RUN | ON_CHECK | ON_CERTIFY | ON_BOUND, ON_WRITES = ON_RUN | ON_VERIFY | ON_CERTIFY | ON_BOUND, ON_ALL = (1 << CLI_NONE) - 1
};

struct option {
    char letter;                    /* 0: none */
    const char *name;
    const char *value;              /* how --help calls its value; NULL: it has none */
    int commands;                   /* ON_ flags: who takes it */
    enum effect effect;
    size_t at;                      /* in cli_args */
    const char *help;
};

#define AT(name) offsetof(struct cli_args, name)
static const struct option options[] = {
    {'o', "output", "FILE", ON_WRITES | ON_EXPORT | ON_SWEEP | ON_REPORT | ON_IMPORT, TEXT, AT(out_path),
     "where the result goes (default: the input's name, here; export, import: stdout); of sweep: a folder"},
    {0, "force", NULL, ON_RUN | ON_CERTIFY | ON_BOUND | ON_SWEEP, FLAG, AT(force), "replace a better result, or another sweep"},
    {'q', "quiet", NULL, ON_ALL, QUIET, 0, "no progress, no warnings"},
    {'v', "verbose", NULL, ON_SPEC | ON_SHOW, VERBOSE, 0,
     "more progress; -vv shows the log of IPOPT; of show: what the search did"},
    {0, "json", NULL, ON_WRITES | ON_SHOW | ON_SUMMARY | ON_SWEEP, FLAG, AT(json), "machine-readable output on stdout"},
    {0, "csv", NULL, ON_SUMMARY | ON_EXPORT, FLAG, AT(csv), "comma-separated values"},
    {0, "set", "PATH=VALUE", ON_SPEC | ON_SWEEP, SET, 0, "override a value of the spec; may be repeated"},
    {0, "guess", "FILE.h5[@T]", ON_SOLVE | ON_CHECK | ON_TRACK, TEXT, AT(guess_path), "start from a result, or from its time T on"},
    {0, "plant", "PATH=VALUE", ON_TRACK, PLANT, 0, "what differs in the plant; may be repeated"},
    {0, "method", "NAME", ON_SIMULATE, METHOD, 0, "how to integrate: --set simulate.method=NAME"},
    {0, "controls", "FILE", ON_SIMULATE, TEXT, AT(controls_path), "controls of a result (.h5) or a table (.csv)"},
    {0, "samples", "N", ON_SIMULATE | ON_IMPACT, SAMPLES, 0, "runs of a bundle; of impact: impact.samples=N"},
    {0, "perturb", "NAME=SIZE", ON_SIMULATE | ON_SWEEP, PERTURB, 0,
     "from perturbed initial states; of sweep: PATH=SIZE around the spec's value"},
    {0, "max-events", "N", ON_SIMULATE, MAX_EVENTS, 0, "give up after N events: --set simulate.max_events=N"},
    {0, "sampling", "NAME", ON_IMPACT, SAMPLING, 0, "sobol or random: --set impact.sampling=NAME"},
    {0, "from", "FILE", ON_IMPACT | ON_SWEEP, TEXT, AT(from),
     "FILE.h5@T: start at the event at time T of a result; of sweep: a CSV table of points"},
    {0, "impacts", "set", ON_SIMULATE, IMPACTS, 0, "draw simultaneous impacts from the set of their outcomes"},
    {0, "verify", "[=TOL]", ON_SOLVE, VERIFY, 0, "verify the solution at once, as `cocp verify`"},
    {0, "bound", "[=GAP]", ON_SOLVE, BOUND, 0,
     "prove how far it is from the global optimum; end the search within GAP (0.001)"},
    {0, "sensitivity", NULL, ON_SOLVE, SENSITIVITY, 0, "derivatives by initial values and parameters: --set sensitivity=on"},
    {0, "scenarios", "N", ON_SOLVE | ON_CHECK, SCENARIOS, 0, "one plan for N scenarios: --set scenarios.number=N"},
    {0, "tol", "TOL", ON_VERIFY, POSITIVE, AT(tol), "tolerance of the states (default: 0.001, or verify.tol if less)"},
    {0, "floor", "SIZE", ON_VERIFY, POSITIVE, AT(floor), "least magnitude that their errors are relative to"},
    {0, "skip-existing", NULL, ON_RUN | ON_CERTIFY | ON_BOUND, FLAG, AT(skip_existing), "do nothing if the result is there and solved"},
    {0, "max-time", "SECONDS", ON_WRITES | ON_SWEEP | ON_CHECK, POSITIVE, AT(max_time),
     "stop after this time by the clock, save the best"},
    {0, "max-cpu", "SECONDS", ON_WRITES | ON_SWEEP | ON_CHECK, POSITIVE, AT(max_cpu),
     "the same by the time that all cores have worked, for busy machines"},
    {0, "seed", "N", ON_RUN | ON_CERTIFY | ON_SWEEP, SEED, 0, "of random numbers: --set homotopy.seed=N, impact.seed=N"},
    {0, "resolved", NULL, ON_CHECK, FLAG, AT(resolved), "print the spec with all defaults and overrides"},
    {0, "group", "NAME", ON_SHOW | ON_EXPORT, TEXT, AT(group), "group of the result (default of export: uniform)"},
    {0, "joints", "[=FORM]", ON_EXPORT, JOINTS, 0,
     "the motion of a robot's joints, as csv (default), ros or mujoco"},
    {0, "list", NULL, ON_INIT | ON_SWEEP, FLAG, AT(list),
     "show the kinds of templates; of sweep: print a command for each point, run nothing"},
    {0, "base", "NAME", ON_IMPORT, TEXT, AT(base), "how the root is on the world: floating, fixed or planar (default: a guess)"},
    {0, "levels", "LIST", ON_CERTIFY, LEVELS, 0, "as p,e,m: --set certify.levels=[p, e, m]"},
    {0, "sweep", "PATH=A:B:N", ON_SWEEP, SWEEP, 0, "N values from A to B, or PATH=V,V,...; may be repeated: a grid"},
    {0, "run", "COMMAND", ON_SWEEP, TEXT, AT(run), "what each point does: solve, simulate, impact, certify, verify"},
    {0, "random", "N", ON_SWEEP, COUNT, AT(n_random), "N draws of what --perturb names"},
    {0, "jobs", "N", ON_SWEEP | ON_SOLVE | ON_TRACK, COUNT, AT(jobs), "points, or discoveries, at a time (default: one per core)"},
    {0, "point-time", "SECONDS", ON_SWEEP, POSITIVE, AT(point_time), "time limit of each point"},
    {0, "point-cpu", "SECONDS", ON_SWEEP, POSITIVE, AT(point_cpu), "limit of the CPU time of each point"},
    {0, "point-memory", "MIB", ON_SWEEP, POSITIVE, AT(point_memory), "memory limit of each point"},
    {0, "retries", "N", ON_SWEEP, COUNT, AT(retries), "tries of a failed point from its neighbours' solutions (2)"},
    {0, "again", NULL, ON_SWEEP, FLAG, AT(again), "run points that failed once more"},
    {0, "chunk", "I/N", ON_SWEEP, TEXT, AT(chunk), "only the points of part I of N, I from 0"},
    {0, "status", NULL, ON_SWEEP, FLAG, AT(status), "how far it is and what failed, run nothing"},
    {0, "slurm", NULL, ON_SWEEP, FLAG, AT(slurm), "submit it as a job array of Slurm, and a job that gathers"},
    {0, "tasks", "N", ON_SWEEP, COUNT, AT(tasks), "tasks of the array (default: one per point, 1000 at most)"},
    {0, "sbatch-options", "TEXT", ON_SWEEP, TEXT, AT(sbatch_options), "passed on to sbatch, as \"--mem=2G --time=60\""},
    {0, "falsify", NULL, ON_CERTIFY, FLAG, AT(falsify), "look for motions that grow where nothing is certified"},
    {0, "target", "COST", ON_BOUND, NUMBER, AT(target), "the cost to compare with, in place of a result's"},
    {0, "gap", "GAP", ON_BOUND, POSITIVE, AT(gap), "how close to it is close enough, relative (default: 0.001)"},
    {0, "degree", "N", ON_BOUND, COUNT, AT(degree), "largest degree that is tried (default: 16)"},
    {0, "check", NULL, ON_CERTIFY | ON_BOUND, FLAG, AT(check), "check the certificate in a result again"},
    {'h', "help", NULL, ON_ALL, FLAG, AT(help), "this text"},
    {0, "version", NULL, ON_ALL, FLAG, AT(version), "version of the program"},
};
#undef AT
enum { N_OPTIONS = sizeof options / sizeof options[0] };

struct parser {
    int argc, next;
    char **argv;
    bool seen[N_OPTIONS];
    const char *seed, *samples;     /* of --seed and --samples: whose they are depends on the command, which may
                                     * follow */
    struct cli_args *args;
    struct diag *diag;
};

/* --- Values ------------------------------------------------------------------------------------------------- */

static enum status read_number(struct parser *parser, const struct option *option, const char *text, double *out)
{
    char *end = NULL;
    assert(text);
    *out = strtod(text, &end);
    if (end == text || *end || !(*out > 0))
        return diag_fail(parser->diag, STATUS_USAGE, "--%s wants a positive number, got \"%s\"", option->name,
                         text);
    return STATUS_OK;
}

static enum status read_any_number(struct parser *parser, const struct option *option, const char *text,
                                   double *out)
{
    char *end = NULL;
    assert(text);
    *out = strtod(text, &end);
    if (end == text || *end || !isfinite(*out))
        return diag_fail(parser->diag, STATUS_USAGE, "--%s wants a number, got \"%s\"", option->name, text);
    return STATUS_OK;
}

static enum status read_count(struct parser *parser, const struct option *option, const char *text, int *out)
{
    char *end = NULL;
    assert(text);
    const long n = strtol(text, &end, 10);
    if (end == text || *end || n < 0 || n > 10000000)
        return diag_fail(parser->diag, STATUS_USAGE, "--%s wants a whole number, got \"%s\"", option->name, text);
    *out = (int)n;
    return STATUS_OK;
}

static enum status read_samples(struct parser *parser, int *out)
{
    char *end = NULL;
    const long n = strtol(parser->samples, &end, 10);
    if (end == parser->samples || *end || n < 1 || n > 1000000)
        return diag_fail(parser->diag, STATUS_USAGE, "--samples wants a number from 1 to 1000000, got \"%s\"",
                         parser->samples);
    *out = (int)n;
    return STATUS_OK;
}

static void add_word(const char ***list, int *n, const char *word)
{
    *list = mem_grow(*list, *n, 1, sizeof **list);
    (*list)[(*n)++] = word;
}

static void add_override(struct cli_args *args, const char *path, const char *value)
{
    args->override = mem_grow(args->override, args->n_override, 1, sizeof *args->override);
    args->override[args->n_override++] = (struct spec_override){.path = path, .value = value};
}

static enum status read_override(struct parser *parser, const struct option *option, const char *text)
{
    assert(text);
    const char *equals = strchr(text, '='), *below = option->effect == PLANT ? "track.plant." : "";
    if (!equals || equals == text)
        return diag_fail(parser->diag, STATUS_USAGE, "--%s wants PATH=VALUE, got \"%s\"", option->name, text);
    add_override(parser->args, arena_printf(&parser->args->mem, "%s%.*s", below, (int)(equals - text), text),
                 equals + 1);
    return STATUS_OK;
}

static enum status read_impacts(struct parser *parser, const char *value)
{
    assert(value);
    parser->args->impacts = value;
    return strcmp(value, "set") == 0
               ? STATUS_OK
               : diag_fail(parser->diag, STATUS_USAGE, "--impacts wants the word set, got \"%s\"", value);
}

static bool is_joint_form(const char *word)
{
    return strcmp(word, "csv") == 0 || strcmp(word, "ros") == 0 || strcmp(word, "mujoco") == 0;
}

/* The form may be the next word, too. */
static enum status read_joints(struct parser *parser, const char *value)
{
    if (!value && parser->next < parser->argc && is_joint_form(parser->argv[parser->next]))
        value = parser->argv[parser->next++];
    parser->args->joints = value ? value : "csv";
    return is_joint_form(parser->args->joints)
               ? STATUS_OK
               : diag_fail(parser->diag, STATUS_USAGE, "--joints wants csv, ros or mujoco, got \"%s\"", value);
}

static enum status apply(struct parser *parser, const struct option *option, const char *value)
{
    struct cli_args *args = parser->args;
    void *at = (char *)args + option->at;
    parser->seen[option - options] = true;
    switch (option->effect) {
    case FLAG:       *(bool *)at = true; break;
    case TEXT:       *(const char **)at = value; break;
    case POSITIVE:   return read_number(parser, option, value, at);
    case NUMBER:     return read_any_number(parser, option, value, at);
    case COUNT:      return read_count(parser, option, value, at);
    case QUIET:      args->verbosity = -1; break;
    case VERBOSE:    args->verbosity = args->verbosity < 1 ? 1 : 2; break;
    case SET:
    case PLANT:      return read_override(parser, option, value);
    case METHOD:     add_override(args, "simulate.method", value); break;
    case SAMPLES:    parser->samples = value; break;
    case PERTURB:    add_word(&args->perturb, &args->n_perturb, value); break;
    case MAX_EVENTS: add_override(args, "simulate.max_events", value); break;
    case SAMPLING:   add_override(args, "impact.sampling", value); break;
    case IMPACTS:    return read_impacts(parser, value);
    case VERIFY:
        args->verify = true;
        return value ? read_number(parser, option, value, &args->tol) : STATUS_OK;
    case BOUND:
        args->bound = true;
        return value ? read_number(parser, option, value, &args->gap) : STATUS_OK;
    case SENSITIVITY: add_override(args, "sensitivity", "on"); break;
    case SCENARIOS:  add_override(args, "scenarios.number", value); break;
    case SEED:       parser->seed = value; break;
    case LEVELS:     add_override(args, "certify.levels", arena_printf(&args->mem, "[%s]", value)); break;
    case JOINTS:     return read_joints(parser, value);
    case SWEEP:      add_word(&args->sweep, &args->n_sweep, value); break;
    }
    return STATUS_OK;
}

/* --- Words -------------------------------------------------------------------------------------------------- */

/* `", did you mean \"--set\"?"`, or nothing; into text. */
static const char *hint(const char *word, int n, const char *const *candidate, const char *dashes, char text[80])
{
    const char *near = spec_suggest(word, n, candidate);
    text[0] = '\0';
    if (near)
        (void)snprintf(text, 80, " (did you mean \"%s%s\"?)", dashes, near);
    return text;
}

static enum status unknown_option(struct parser *parser, const char *word, const char *name)
{
    const char *names[N_OPTIONS];
    char text[80];
    for (int i = 0; i < N_OPTIONS; i++) names[i] = options[i].name;
    return diag_fail(parser->diag, STATUS_USAGE, "unknown option \"%s\"%s", word,
                     hint(name, N_OPTIONS, names, "--", text));
}

/* The value of an option: what follows in the same word, or the next word. */
static enum status apply_with_value(struct parser *parser, const struct option *option, const char *attached)
{
    if (attached)
        return apply(parser, option, attached);
    if (parser->next >= parser->argc)
        return diag_fail(parser->diag, STATUS_USAGE, "--%s wants a value: %s", option->name, option->value);
    return apply(parser, option, parser->argv[parser->next++]);
}

static enum status parse_long(struct parser *parser, const char *word)
{
    const char *name = word + 2, *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const char *attached = equals ? equals + 1 : NULL;
    for (const struct option *option = options; option < options + N_OPTIONS; option++) {
        if (strlen(option->name) != length || strncmp(option->name, name, length) != 0)
            continue;
        if (option->value && option->value[0] != '[')
            return apply_with_value(parser, option, attached);
        if (attached && !option->value)
            return diag_fail(parser->diag, STATUS_USAGE, "--%s takes no value", option->name);
        return apply(parser, option, attached);                 /* "[=VALUE]" may stand without one */
    }
    return unknown_option(parser, word, arena_printf(&parser->args->mem, "%.*s", (int)length, name));
}

/* -qvo FILE: letters up to the first that has a value. */
static enum status parse_short(struct parser *parser, const char *word)
{
    for (const char *letter = word + 1; *letter; letter++) {
        int id = 0;
        while (id < N_OPTIONS && options[id].letter != *letter) id++;
        if (id == N_OPTIONS)
            return unknown_option(parser, word, word + 1);
        if (options[id].value)
            return apply_with_value(parser, &options[id], letter[1] ? letter + 1 : NULL);
        const enum status st = apply(parser, &options[id], NULL);
        if (st != STATUS_OK)
            return st;
    }
    return STATUS_OK;
}

static enum status take_command(struct parser *parser, const char *word)
{
    const char *names[CLI_NONE];
    char text[80];
    for (int i = 0; i < CLI_NONE; i++) {
        names[i] = commands[i].name;
        if (strcmp(word, names[i]) == 0) {
            parser->args->command = (enum cli_command)i;
            return STATUS_OK;
        }
    }
    return diag_fail(parser->diag, STATUS_USAGE, "unknown command \"%s\"%s", word,
                     hint(word, CLI_NONE, names, "", text));
}

static enum status take_word(struct parser *parser, const char *word)
{
    struct cli_args *args = parser->args;
    if (args->command == CLI_NONE)
        return take_command(parser, word);
    add_word(&args->input, &args->n_input, word);
    return STATUS_OK;
}

/* --- The whole ---------------------------------------------------------------------------------------------- */

/* Does the command take the options and the number of operands it was given? */
static enum status check_use(const struct parser *parser)
{
    const struct cli_args *args = parser->args;
    if (args->command == CLI_NONE)
        return diag_fail(parser->diag, STATUS_USAGE, "a command is missing; cocp --help lists them");
    const struct command *command = &commands[args->command];
    if (args->command == CLI_CERTIFY && args->n_sweep)
        return diag_fail(parser->diag, STATUS_USAGE, "tables of certify are sweeps: cocp sweep SPEC --run certify --sweep %s "
                         "-o DIR; DIR/chart.h5 is for scripts/chart", args->sweep[0]);
    if (args->bound && args->command == CLI_SWEEP)
        return diag_fail(parser->diag, STATUS_USAGE, "a sweep takes --bound for each of its points: cocp sweep SPEC ... -- --bound");
    if (args->bound && args->command == CLI_TRACK)
        return diag_fail(parser->diag, STATUS_USAGE, "track takes no --bound, as a bound is one of a plan: cocp solve SPEC "
                         "--bound, then cocp track SPEC --guess FILE.h5");
    for (int i = 0; i < N_OPTIONS; i++)
        if (parser->seen[i] && !(options[i].commands & (1 << args->command)))
            return diag_fail(parser->diag, STATUS_USAGE, "%s does not take --%s; cocp %s --help lists its options",
                             command->name, options[i].name, command->name);
    if (args->n_input < command->n_min)
        return diag_fail(parser->diag, STATUS_USAGE, "%s wants %s", command->name, command->operands);
    if (args->n_input > command->n_max)
        return diag_fail(parser->diag, STATUS_USAGE, "%s wants %s; \"%s\" is one too many", command->name,
                         command->operands, args->input[command->n_max]);
    return STATUS_OK;
}

/* Where the result goes without -o; NULL: nowhere. */
static const char *default_out_path(struct cli_args *args)
{
    const char *path = args->n_input > 0 ? args->input[0] : "", *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    const size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    if (args->command == CLI_VERIFY)
        return path;
    if (args->command == CLI_SWEEP)
        return arena_printf(&args->mem, "%.*s_sweep", (int)length, base);
    if (args->command == CLI_BOUND)
        return arena_printf(&args->mem, "%.*s.bound.h5", (int)length, base);
    if (args->command == CLI_REPORT)
        return arena_printf(&args->mem, "%.*s.html", (int)length, base);
    return ON_WRITES & 1 << args->command ? arena_printf(&args->mem, "%.*s.h5", (int)length, base) : NULL;
}

/* The path as the command's own text. */
static void give_room(struct cli_args *args, const char *path)
{
    const size_t n = path ? strlen(path) + 1 : 0;
    args->out_path = path ? memcpy(arena_alloc(&args->mem, n + ARGS_OUT_ROOM, 1), path, n) : NULL;
}

/* Options whose meaning depends on the command. */
static enum status apply_late(struct parser *parser)
{
    struct cli_args *args = parser->args;
    const bool is_impact = args->command == CLI_IMPACT;
    if (parser->seed)
        args->seed = strtoull(parser->seed, NULL, 10);
    if (parser->seed && !is_impact)
        add_override(args, "homotopy.seed", parser->seed);
    if (parser->seed && args->command == CLI_TRACK)
        add_override(args, "track.seed", parser->seed);
    if (parser->seed && (is_impact || args->impacts))
        add_override(args, "impact.seed", parser->seed);
    if (parser->samples && is_impact)
        add_override(args, "impact.samples", parser->samples);
    return parser->samples && !is_impact ? read_samples(parser, &args->samples) : STATUS_OK;
}

enum status args_parse(int argc, char **argv, struct cli_args *args, struct diag *diag)
{
    struct parser parser = {.argc = argc, .next = 1, .argv = argv, .args = args, .diag = diag};
    *args = (struct cli_args){.command = CLI_NONE, .max_time = INFINITY, .max_cpu = INFINITY, .tol = NAN, .floor = NAN, .target = NAN, .gap = NAN, .seed = 1, .retries = 2,
                              .point_time = INFINITY, .point_cpu = INFINITY, .point_memory = INFINITY, .n_word = argc, .word = argv, .out = stdout,
                              .err = stderr, .history = ""};
    for (int i = 0; i < argc; i++)
        args->history = arena_printf(&args->mem, "%s%s%s", args->history, i ? " " : "", argv[i]);

    bool words_only = false;
    while (parser.next < argc) {
        const char *word = argv[parser.next++];
        enum status st;
        if (words_only && args->command == CLI_SWEEP && args->n_input > 0)
            st = STATUS_OK, add_word(&args->passed, &args->n_passed, word);
        else if (words_only || word[0] != '-' || !word[1])
            st = take_word(&parser, word);
        else if (strcmp(word, "--") == 0)
            st = STATUS_OK, words_only = true;
        else
            st = word[1] == '-' ? parse_long(&parser, word) : parse_short(&parser, word);
        if (st != STATUS_OK)
            return st;
    }
    enum status st = apply_late(&parser);
    if (args->help || args->version || st != STATUS_OK)
        return st;
    st = check_use(&parser);
    if (st == STATUS_OK)
        give_room(args, args->out_path ? args->out_path : default_out_path(args));
    return st;
}

void args_free(struct cli_args *args)
{
    free(args->override);
    free(args->perturb);
    free(args->input);
    free(args->sweep);
    free(args->passed);
    arena_free(&args->mem);
}

/* --- Help --------------------------------------------------------------------------------------------------- */

static int n_takers(const struct option *option)
{
    int n = 0;
    for (int i = 0; i < CLI_NONE; i++)
        n += (option->commands & 1 << i) != 0;
    return n;
}

/* Those that at least so many of the commands take. */
static void print_options(int wanted, int least, FILE *out)
{
    for (int i = 0; i < N_OPTIONS; i++) {
        const struct option *option = &options[i];
        if (!(option->commands & wanted) || n_takers(option) < least)
            continue;
        char left[40], letter[8] = "    ";
        if (option->letter)
            (void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
        (void)snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name,
                       option->value && option->value[0] != '[' ? " " : "",
                       option->value ? option->value : "");
        fprintf(out, "  %-24s  %s\n", left, option->help);
    }
}

enum { TAKEN_BY_MANY = 6 };

static void print_program_help(FILE *out)
{
    fputs("Usage: cocp COMMAND [OPTIONS] ...\n\n"
          "Optimal trajectories of systems that make and break contact, from one YAML file.\n\nCommands:\n", out);
    for (int i = 0; i < CLI_NONE; i++)
        fprintf(out, "  %-9s %-17s  %s\n", commands[i].name, commands[i].operands, commands[i].summary);
    fputs("\nOptions of many commands (cocp COMMAND --help lists all of one):\n", out);
    print_options(ON_ALL, TAKEN_BY_MANY, out);
    fputs("\nExit status: 0 solved, 10 acceptable, 20 infeasible, 30 unbounded, 40 limit, 50 failed, 60 unverified,\n"
          "1 internal error, 2 usage, 3 bad spec, 4 file, 129, 130 or 143 interrupted (the best is saved).\n", out);
}

void args_print_help(enum cli_command command, FILE *out)
{
    if (command == CLI_NONE) {
        print_program_help(out);
        return;
    }
    const struct command *info = &commands[command];
    fprintf(out, "Usage: cocp %s%s%s [OPTIONS]\n\n%s\n\nOptions:\n", info->name, *info->operands ? " " : "",
            info->operands, info->detail);
    print_options(1 << command, 1, out);
}
