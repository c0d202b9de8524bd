#include "cli/args.h"

#include "core/base/mem.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
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
        "Discretizes the problem of SPEC and solves it by a homotopy of relaxed nonlinear programs. The table of\n"
        "its steps goes to stderr, one summary line to stdout, the trajectory to OUT.h5. The exit status is 0 only\n"
        "if the problem was solved to its tolerances; the best iterate is saved in any case."},
    [CLI_SIMULATE] = {"simulate", "SPEC", 1, 1, "simulate under given controls",
        "Integrates the system of SPEC from its initial values under the controls of its block `simulate` or of\n"
        "--controls: from event to event, each impact, lift-off, stick, slip and switch located to rounding, or with\n"
        "another --method of SPEC or the command line: fesd, fesd-j, time-freezing, time-stepping, moreau,\n"
        "stewart-trinkle."},
    [CLI_VERIFY] = {"verify", "SOL.h5", 1, 1, "replay a solution with the event-driven simulator and compare",
        "Drives the event-driven simulation with the controls of SOL.h5 from its initial state and reports how\n"
        "far the two are apart: states, event times, penetration, friction cone, energy, objective. Details go to\n"
        "stderr, one summary line to stdout, /verification into SOL.h5 (or OUT.h5). Exits with 0 if the error of\n"
        "the states at the end is at most TOL, else with 60."},
    [CLI_CERTIFY] = {"certify", "SPEC", 1, 1, "Lyapunov stability of an equilibrium in contact",
        "Takes the initial positions of SPEC as an equilibrium of a planar body on one or two contacts and looks for\n"
        "a proof that it is stable. Prints certified, inconclusive, unstable or no-equilibrium; only the first exits\n"
        "with 0, the others with 60. Inconclusive does not mean unstable. With --check FILE.h5 takes the place of\n"
        "SPEC: the certificate in it is checked once more."},
    [CLI_IMPACT] = {"impact", "SPEC", 1, 1, "the set of outcomes of a simultaneous impact",
        "Samples what can happen when several contacts of SPEC hit at once, at its initial state or at an event of\n"
        "a result: velocities after the impact for many orders and shares of the contacts' impulses. Prints the\n"
        "outcomes by what the contacts do, with their share; all samples are in OUT.h5."},
    [CLI_CHECK] = {"check", "SPEC", 1, 1, "read and validate a spec, check derivatives; solve nothing",
        "Reports every mistake of SPEC with file, line and column, evaluates the problem at its guess and compares\n"
        "the derivatives with central differences. A check without findings exits with 0."},
    [CLI_SHOW] = {"show", "FILE.h5", 1, 1, "what is in a result, in words",
        "Prints status, sizes, events and the worst constraints of a result."},
    [CLI_SUMMARY] = {"summary", "FILE.h5...", 1, INT_MAX, "one row per result",
        "Prints the table of a sweep: one row per file."},
    [CLI_EXPORT] = {"export", "FILE.h5", 1, 1, "a result as CSV, for plotters without HDF5",
        "Writes a group of a result as comma-separated values, to stdout or to the file of -o."},
    [CLI_INIT] = {"init", "[NAME]", 0, 1, "a commented template of a spec",
        "Writes NAME.yaml into the current folder, or the template to stdout without NAME. An existing file is left\n"
        "alone."},
};

const char *args_command_text(enum cli_command command)
{
    return command < CLI_NONE ? commands[command].name : "";
}

/* --- The options -------------------------------------------------------------------------------------------- */

enum option_id {
    OPT_OUT, OPT_QUIET, OPT_VERBOSE, OPT_JSON, OPT_CSV, OPT_SET, OPT_GUESS, OPT_METHOD, OPT_CONTROLS,
    OPT_SAMPLES, OPT_PERTURB, OPT_MAX_EVENTS, OPT_SAMPLING, OPT_FROM, OPT_IMPACTS, OPT_VERIFY, OPT_TOL, OPT_SKIP_EXISTING,
    OPT_MAX_TIME, OPT_SEED,
    OPT_RESOLVED, OPT_GROUP, OPT_LEVELS, OPT_SWEEP, OPT_FALSIFY, OPT_CHECK, OPT_HELP, OPT_VERSION,
    N_OPTIONS
};

enum {
    ON_SOLVE = 1 << CLI_SOLVE, ON_SIMULATE = 1 << CLI_SIMULATE, ON_VERIFY = 1 << CLI_VERIFY,
    ON_CERTIFY = 1 << CLI_CERTIFY, ON_CHECK = 1 << CLI_CHECK, ON_SHOW = 1 << CLI_SHOW, ON_SUMMARY = 1 << CLI_SUMMARY,
    ON_EXPORT = 1 << CLI_EXPORT, ON_IMPACT = 1 << CLI_IMPACT, ON_RUN = ON_SOLVE | ON_SIMULATE | ON_IMPACT,
    ON_SPEC = ON_RUN | ON_CHECK | ON_CERTIFY, ON_WRITES = ON_RUN | ON_VERIFY | ON_CERTIFY, ON_ALL = (1 << CLI_NONE) - 1
};

struct option {
    char letter;                    /* 0: none */
    const char *name;
    const char *value;              /* how --help calls its value; NULL: it has none */
    int commands;                   /* ON_ flags: who takes it */
    const char *help;
};

static const struct option options[N_OPTIONS] = {
    [OPT_OUT] = {'o', "output", "FILE", ON_WRITES | ON_EXPORT, "result file (default: the spec's name, here)"},
    [OPT_QUIET] = {'q', "quiet", NULL, ON_ALL, "no progress, no warnings"},
    [OPT_VERBOSE] = {'v', "verbose", NULL, ON_SPEC, "more progress; -vv shows the log of IPOPT"},
    [OPT_JSON] = {0, "json", NULL, ON_WRITES | ON_SHOW | ON_SUMMARY, "machine-readable output on stdout"},
    [OPT_CSV] = {0, "csv", NULL, ON_SUMMARY | ON_EXPORT, "comma-separated values"},
    [OPT_SET] = {0, "set", "PATH=VALUE", ON_SPEC, "override a value of the spec; may be repeated"},
    [OPT_GUESS] = {0, "guess", "FILE.h5", ON_SOLVE | ON_CHECK, "start from a result, matched by variable names"},
    [OPT_METHOD] = {0, "method", "NAME", ON_SIMULATE, "how to integrate: --set simulate.method=NAME"},
    [OPT_CONTROLS] = {0, "controls", "FILE", ON_SIMULATE, "controls of a result (.h5) or a table (.csv)"},
    [OPT_SAMPLES] = {0, "samples", "N", ON_SIMULATE | ON_IMPACT, "runs of a bundle; of impact: impact.samples=N"},
    [OPT_PERTURB] = {0, "perturb", "STATE=SIZE", ON_SIMULATE, "from perturbed initial states; may be repeated"},
    [OPT_MAX_EVENTS] = {0, "max-events", "N", ON_SIMULATE, "give up after N events: --set simulate.max_events=N"},
    [OPT_SAMPLING] = {0, "sampling", "NAME", ON_IMPACT, "sobol or random: --set impact.sampling=NAME"},
    [OPT_IMPACTS] = {0, "impacts", "set", ON_SIMULATE, "draw simultaneous impacts from the set of their outcomes"},
    [OPT_FROM] = {0, "from", "FILE.h5@T", ON_IMPACT, "start from the event at time T of a result"},
    [OPT_VERIFY] = {0, "verify", "[=TOL]", ON_SOLVE, "verify the solution at once, as `cocp verify`"},
    [OPT_TOL] = {0, "tol", "TOL", ON_VERIFY, "tolerance of the states at the end (default: verify.tol)"},
    [OPT_SKIP_EXISTING] = {0, "skip-existing", NULL, ON_RUN | ON_CERTIFY, "do nothing if the result is there and solved"},
    [OPT_MAX_TIME] = {0, "max-time", "SECONDS", ON_WRITES, "stop after this time and save the best iterate"},
    [OPT_SEED] = {0, "seed", "N", ON_RUN | ON_CERTIFY, "of random numbers: --set homotopy.seed=N, impact.seed=N"},
    [OPT_RESOLVED] = {0, "resolved", NULL, ON_CHECK, "print the spec with all defaults and overrides"},
    [OPT_GROUP] = {0, "group", "NAME", ON_SHOW | ON_EXPORT, "group of the result (default: uniform)"},
    [OPT_LEVELS] = {0, "levels", "LIST", ON_CERTIFY, "as p,e,m: --set certify.levels=[p, e, m]"},
    [OPT_SWEEP] = {0, "sweep", "PATH=A:B:N", ON_CERTIFY, "a table over N values from A to B; twice for a chart"},
    [OPT_FALSIFY] = {0, "falsify", NULL, ON_CERTIFY, "look for motions that grow where nothing is certified"},
    [OPT_CHECK] = {0, "check", NULL, ON_CERTIFY, "check the certificate in a result again"},
    [OPT_HELP] = {'h', "help", NULL, ON_ALL, "this text"},
    [OPT_VERSION] = {0, "version", NULL, ON_ALL, "version of the program"},
};

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

static enum status read_number(struct parser *parser, enum option_id id, const char *text, double *out)
{
    char *end = NULL;
    *out = strtod(text, &end);
    if (end == text || *end || !(*out > 0))
        return diag_fail(parser->diag, STATUS_USAGE, "--%s wants a positive number, got \"%s\"", options[id].name,
                         text);
    return STATUS_OK;
}

static enum status read_count(struct parser *parser, enum option_id id, const char *text, int *out)
{
    char *end = NULL;
    const long n = strtol(text, &end, 10);
    if (end == text || *end || n < 1 || n > 1000000)
        return diag_fail(parser->diag, STATUS_USAGE, "--%s wants a number from 1 to 1000000, got \"%s\"",
                         options[id].name, text);
    *out = (int)n;
    return STATUS_OK;
}

static void add_perturbation(struct cli_args *args, const char *text)
{
    args->perturb = mem_resize(args->perturb, (size_t)args->n_perturb + 1, sizeof *args->perturb);
    args->perturb[args->n_perturb++] = text;
}

/* Takes over path. */
static enum status add_override(struct parser *parser, char *path, const char *value)
{
    struct cli_args *args = parser->args;
    args->override = mem_resize(args->override, (size_t)args->n_override + 1, sizeof *args->override);
    args->override[args->n_override++] = (struct spec_override){.path = path, .value = value};
    return STATUS_OK;
}

static enum status read_override(struct parser *parser, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return diag_fail(parser->diag, STATUS_USAGE, "--set wants PATH=VALUE, got \"%s\"", text);
    char *path = mem_copy_text(text);
    path[equals - text] = '\0';
    return add_override(parser, path, equals + 1);
}

static void add_sweep(struct cli_args *args, const char *text)
{
    args->sweep = mem_resize(args->sweep, (size_t)args->n_sweep + 1, sizeof *args->sweep);
    args->sweep[args->n_sweep++] = text;
}

/* "p,e" as the YAML list "[p,e]". */
static enum status add_levels(struct parser *parser, const char *list)
{
    struct cli_args *args = parser->args;
    free(args->levels);
    const size_t size = strlen(list) + 3;
    args->levels = mem_alloc(size, 1);
    (void)snprintf(args->levels, size, "[%s]", list);
    return add_override(parser, mem_copy_text("certify.levels"), args->levels);
}

static enum status read_impacts(struct parser *parser, const char *value)
{
    parser->args->impacts = value;
    return strcmp(value, "set") == 0
               ? STATUS_OK
               : diag_fail(parser->diag, STATUS_USAGE, "--impacts wants the word set, got \"%s\"", value);
}

static enum status apply(struct parser *parser, enum option_id id, const char *value)
{
    struct cli_args *args = parser->args;
    parser->seen[id] = true;
    switch (id) {
    case OPT_OUT:           args->out_path = value; break;
    case OPT_QUIET:         args->verbosity = -1; break;
    case OPT_VERBOSE:       args->verbosity = args->verbosity < 1 ? 1 : 2; break;
    case OPT_JSON:          args->json = true; break;
    case OPT_CSV:           args->csv = true; break;
    case OPT_SET:           return read_override(parser, value);
    case OPT_GUESS:         args->guess_path = value; break;
    case OPT_METHOD:        return add_override(parser, mem_copy_text("simulate.method"), value);
    case OPT_CONTROLS:      args->controls_path = value; break;
    case OPT_MAX_EVENTS:    return add_override(parser, mem_copy_text("simulate.max_events"), value);
    case OPT_SAMPLES:       parser->samples = value; break;
    case OPT_PERTURB:       add_perturbation(args, value); break;
    case OPT_VERIFY:
        args->verify = true;
        return value ? read_number(parser, id, value, &args->tol) : STATUS_OK;
    case OPT_TOL:           return read_number(parser, id, value, &args->tol);
    case OPT_SKIP_EXISTING: args->skip_existing = true; break;
    case OPT_MAX_TIME:      return read_number(parser, id, value, &args->max_time);
    case OPT_SEED:          parser->seed = value; break;
    case OPT_SAMPLING:      return add_override(parser, mem_copy_text("impact.sampling"), value);
    case OPT_FROM:          args->from = value; break;
    case OPT_IMPACTS:       return read_impacts(parser, value);
    case OPT_RESOLVED:      args->resolved = true; break;
    case OPT_GROUP:         args->group = value; break;
    case OPT_LEVELS:        return add_levels(parser, value);
    case OPT_SWEEP:         add_sweep(args, value); break;
    case OPT_FALSIFY:       args->falsify = true; break;
    case OPT_CHECK:         args->check = true; break;
    case OPT_HELP:          args->help = true; break;
    case OPT_VERSION:       args->version = true; break;
    case N_OPTIONS:         break;
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
static enum status apply_with_value(struct parser *parser, enum option_id id, const char *attached)
{
    if (attached)
        return apply(parser, id, attached);
    if (parser->next >= parser->argc)
        return diag_fail(parser->diag, STATUS_USAGE, "--%s wants a value: %s", options[id].name, options[id].value);
    return apply(parser, id, parser->argv[parser->next++]);
}

static enum status parse_long(struct parser *parser, const char *word)
{
    const char *name = word + 2, *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    for (int i = 0; i < N_OPTIONS; i++) {
        const struct option *option = &options[i];
        if (strlen(option->name) != length || strncmp(option->name, name, length) != 0)
            continue;
        if (option->value && option->value[0] == '[')          /* it may stand without one */
            return apply(parser, (enum option_id)i, equals ? equals + 1 : NULL);
        if (option->value)
            return apply_with_value(parser, (enum option_id)i, equals ? equals + 1 : NULL);
        if (equals)
            return diag_fail(parser->diag, STATUS_USAGE, "--%s takes no value", option->name);
        return apply(parser, (enum option_id)i, NULL);
    }
    char *bare = mem_copy_text(name);
    bare[length] = '\0';
    const enum status st = unknown_option(parser, word, bare);
    free(bare);
    return st;
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
            return apply_with_value(parser, (enum option_id)id, letter[1] ? letter + 1 : NULL);
        const enum status st = apply(parser, (enum option_id)id, NULL);
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
    args->input = mem_resize(args->input, (size_t)args->n_input + 1, sizeof *args->input);
    args->input[args->n_input++] = word;
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

static char *join_words(int argc, char **argv)
{
    size_t size = 1;
    for (int i = 0; i < argc; i++) size += strlen(argv[i]) + 1;
    char *text = mem_alloc(size, 1), *end = text;
    for (int i = 0; i < argc; i++)
        end += snprintf(end, size - (size_t)(end - text), "%s%s", i ? " " : "", argv[i]);
    return text;
}

/* Options whose meaning depends on the command. */
static enum status apply_late(struct parser *parser)
{
    struct cli_args *args = parser->args;
    const bool is_impact = args->command == CLI_IMPACT;
    if (parser->seed && !is_impact)
        (void)add_override(parser, mem_copy_text("homotopy.seed"), parser->seed);
    if (parser->seed && (is_impact || args->impacts))
        (void)add_override(parser, mem_copy_text("impact.seed"), parser->seed);
    if (parser->samples && is_impact)
        return add_override(parser, mem_copy_text("impact.samples"), parser->samples);
    return parser->samples ? read_count(parser, OPT_SAMPLES, parser->samples, &args->samples) : STATUS_OK;
}

enum status args_parse(int argc, char **argv, struct cli_args *args, struct diag *diag)
{
    struct parser parser = {.argc = argc, .next = 1, .argv = argv, .args = args, .diag = diag};
    *args = (struct cli_args){.command = CLI_NONE, .max_time = INFINITY, .tol = NAN};
    args->history = join_words(argc, argv);

    bool words_only = false;
    while (parser.next < argc) {
        const char *word = argv[parser.next++];
        enum status st;
        if (words_only || word[0] != '-' || !word[1])
            st = take_word(&parser, word);
        else if (strcmp(word, "--") == 0)
            st = STATUS_OK, words_only = true;
        else
            st = word[1] == '-' ? parse_long(&parser, word) : parse_short(&parser, word);
        if (st != STATUS_OK)
            return st;
    }
    const enum status st = apply_late(&parser);
    return args->help || args->version || st != STATUS_OK ? st : check_use(&parser);
}

void args_free(struct cli_args *args)
{
    for (int i = 0; i < args->n_override; i++) free((char *)args->override[i].path);
    free(args->override);
    free(args->perturb);
    free(args->input);
    free(args->levels);
    free(args->sweep);
    free((char *)args->history);
}

/* --- Help --------------------------------------------------------------------------------------------------- */

static void print_options(int wanted, FILE *out)
{
    for (int i = 0; i < N_OPTIONS; i++) {
        const struct option *option = &options[i];
        if (!(option->commands & wanted))
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

static void print_program_help(FILE *out)
{
    fputs("Usage: cocp COMMAND [OPTIONS] ...\n\n"
          "Optimal trajectories of systems that make and break contact, from one YAML file.\n\nCommands:\n", out);
    for (int i = 0; i < CLI_NONE; i++)
        fprintf(out, "  %-9s %-11s  %s\n", commands[i].name, commands[i].operands, commands[i].summary);
    fputs("\nOptions of most commands (cocp COMMAND --help lists all of one):\n", out);
    print_options(ON_ALL & ~(ON_SUMMARY | ON_SHOW), out);
    fputs("\nExit status: 0 solved, 10 acceptable, 20 infeasible, 30 unbounded, 40 limit, 50 failed, 60 unverified,\n"
          "1 internal error, 2 usage, 3 bad spec, 4 file, 130 or 143 interrupted (the best iterate is saved).\n", out);
}

void args_print_help(enum cli_command command, FILE *out)
{
    if (command == CLI_NONE) {
        print_program_help(out);
        return;
    }
    const struct command *info = &commands[command];
    fprintf(out, "Usage: cocp %s %s [OPTIONS]\n\n%s\n\nOptions:\n", info->name, info->operands, info->detail);
    print_options(1 << command, out);
}

char *args_out_path(const struct cli_args *args, const char *ext)
{
    assert(args->n_input > 0);
    if (args->out_path)
        return mem_copy_text(args->out_path);
    const char *slash = strrchr(args->input[0], '/');
    const char *base = slash ? slash + 1 : args->input[0];
    const char *dot = strrchr(base, '.');
    const size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    char *path = mem_alloc(length + strlen(ext) + 1, 1);
    memcpy(path, base, length);
    memcpy(path + length, ext, strlen(ext));
    return path;
}
