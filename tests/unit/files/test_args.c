/* Tests of the command line: cli/args.h, cli/commands/direct.h. */
#include "cli/args.h"
#include "cli/commands/direct.h"
#include "core/base/status.h"
#include "core/model/read/read.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- A command line in one text ------------------------------------------------------------------------------ */

struct parsed {
    struct cli_args args;
    struct diag *diag;
    enum status st;
    char text[400], *argv[32];
};

/* Words are separated by blanks. */
static struct parsed *parse(const char *line)
{
    struct parsed *p = calloc(1, sizeof *p);
    int argc = 0;
    (void)snprintf(p->text, sizeof p->text, "cocp %s", line);
    for (char *word = strtok(p->text, " "); word; word = strtok(NULL, " "))
        p->argv[argc++] = word;
    p->diag = diag_create();
    p->st = args_parse(argc, p->argv, &p->args, p->diag);
    return p;
}

static void forget(struct parsed *p)
{
    args_free(&p->args);
    diag_free(p->diag);
    free(p);
}

static struct parsed *accept(const char *line)
{
    struct parsed *p = parse(line);
    if (p->st != STATUS_OK)
        fail_msg("%s: %s", line, diag_line(p->diag, 0));
    return p;
}

/* A usage error, whose exit status is 2, and whose message has `part` in it. */
static void refuse(const char *line, const char *part)
{
    struct parsed *p = parse(line);
    assert_int_equal(p->st, STATUS_USAGE);
    assert_int_equal(status_exit_code(p->st), 2);
    assert_int_equal(diag_n_errors(p->diag), 1);
    if (!strstr(diag_line(p->diag, 0), part))
        fail_msg("%s: \"%s\" does not say \"%s\"", line, diag_line(p->diag, 0), part);
    forget(p);
}

/* The one override of that path has that value. */
static void assert_override(const struct parsed *p, const char *path, const char *value)
{
    int n = 0;
    for (int k = 0; k < p->args.n_override; k++)
        if (strcmp(p->args.override[k].path, path) == 0) {
            assert_string_equal(p->args.override[k].value, value);
            n++;
        }
    if (n != 1)
        fail_msg("%s is set %d times", path, n);
}

/* --- Words and options --------------------------------------------------------------------------------------- */

static void every_command_is_known_by_its_name(void **state)
{
    (void)state;
    static const char *const name[CLI_NONE] = {
        [CLI_INIT] = "init",         [CLI_IMPORT] = "import",   [CLI_CHECK] = "check",     [CLI_SOLVE] = "solve",
        [CLI_SIMULATE] = "simulate", [CLI_TRACK] = "track",     [CLI_VERIFY] = "verify",   [CLI_BOUND] = "bound",
        [CLI_IMPACT] = "impact",     [CLI_CERTIFY] = "certify", [CLI_SWEEP] = "sweep",     [CLI_SHOW] = "show",
        [CLI_REPORT] = "report",     [CLI_EXPORT] = "export",   [CLI_SUMMARY] = "summary",
        [CLI_EXPLAIN] = "explain",
        [CLI_SCHEMA] = "schema",
    };
    for (int command = 0; command < CLI_NONE; command++) {
        char line[80];
        const bool is_alone = command == CLI_SCHEMA;
        (void)snprintf(line, sizeof line, "%s%s", name[command], is_alone ? "" : " a");
        struct parsed *p = accept(line);
        assert_int_equal(p->args.command, command);
        assert_int_equal(p->args.n_input, is_alone ? 0 : 1);
        forget(p);
    }
}

static void options_stand_anywhere(void **state)
{
    (void)state;
    static const char *const lines[] = { "solve a.yaml -q -o b.h5", "-q -o b.h5 solve a.yaml", "solve -qo b.h5 a.yaml",
                                         "solve -qob.h5 a.yaml", "solve --output=b.h5 --quiet a.yaml",
                                         "--quiet solve --output b.h5 -- a.yaml" };
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        struct parsed *p = accept(lines[k]);
        assert_int_equal(p->args.command, CLI_SOLVE);
        assert_string_equal(p->args.input[0], "a.yaml");
        assert_string_equal(p->args.out_path, "b.h5");
        assert_int_equal(p->args.verbosity, -1);
        forget(p);
    }
}

static void what_follows_two_dashes_is_an_operand(void **state)
{
    (void)state;
    struct parsed *p = accept("solve -- --odd.yaml");
    assert_string_equal(p->args.input[0], "--odd.yaml");
    forget(p);
    p = accept("export a.h5 -o -");
    assert_string_equal(p->args.out_path, "-");
    forget(p);
}

static void defaults_are_those_of_nothing_asked_for(void **state)
{
    (void)state;
    struct parsed *p = accept("simulate a.yaml");
    assert_int_equal(p->args.verbosity, 0);
    assert_true(isinf(p->args.max_time) && isinf(p->args.max_cpu) && isnan(p->args.tol));
    assert_int_equal(p->args.samples, 0);
    assert_int_equal(p->args.n_override, 0);
    assert_string_equal(p->args.out_path, "a.h5");
    assert_string_equal(p->args.history, "cocp simulate a.yaml");
    forget(p);
}

static void verbosity_counts_up_to_two(void **state)
{
    (void)state;
    static const struct { const char *line; int verbosity; } facts[] = {
        { "solve a -v", 1 }, { "solve a -vv", 2 }, { "solve a -v --verbose", 2 }, { "solve a -vvv", 2 }
    };
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        struct parsed *p = accept(facts[k].line);
        assert_int_equal(p->args.verbosity, facts[k].verbosity);
        forget(p);
    }
}

static void misspelt_words_are_named_with_what_is_near(void **state)
{
    (void)state;
    refuse("slove a.yaml", "unknown command \"slove\" (did you mean \"solve\"?)");
    refuse("solve --resovled a.yaml", "(did you mean \"--resolved\"?)");
    refuse("simulate --pertub=v=1 a.yaml", "unknown option \"--pertub=v=1\" (did you mean \"--perturb\"?)");
    refuse("solve -x a.yaml", "unknown option \"-x\"");
    refuse("frobnicate", "unknown command \"frobnicate\"");
}

static void what_is_missing_or_too_much_is_said(void **state)
{
    (void)state;
    refuse("", "a command is missing");
    refuse("solve", "solve wants SPEC");
    refuse("solve a b", "\"b\" is one too many");
    refuse("solve a -o", "--output wants a value: FILE");
    refuse("solve a --quiet=yes", "--quiet takes no value");
    refuse("solve a --resolved", "solve does not take --resolved");
    refuse("show a --max-time 3", "show does not take --max-time");
}

static void help_and_version_ask_for_nothing_else(void **state)
{
    (void)state;
    struct parsed *p = accept("--help");
    assert_true(p->args.help);
    forget(p);
    p = accept("certify -h");
    assert_true(p->args.help && p->args.command == CLI_CERTIFY);
    forget(p);
    p = accept("--version");
    assert_true(p->args.version);
    forget(p);
}

/* --- Values -------------------------------------------------------------------------------------------------- */

static void numbers_are_positive(void **state)
{
    (void)state;
    struct parsed *p = accept("solve a --max-time 2.5 --max-cpu 7 --verify=1e-4");
    assert_true(p->args.max_time == 2.5 && p->args.max_cpu == 7 && p->args.tol == 1e-4 && p->args.verify);
    forget(p);
    p = accept("solve a --verify");
    assert_true(p->args.verify && isnan(p->args.tol));
    forget(p);
    static const char *const wrong[] = { "soon", "0", "-1", "nan", "3s" };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char line[80];
        (void)snprintf(line, sizeof line, "solve a --max-time=%s", wrong[k]);
        refuse(line, "--max-time wants a positive number");
    }
}

static void set_splits_at_the_first_equals_sign(void **state)
{
    (void)state;
    struct parsed *p = accept("solve a --set parameters.mu=0.3 --set define.c=x==1 --set=name=");
    assert_int_equal(p->args.n_override, 3);
    assert_override(p, "parameters.mu", "0.3");
    assert_override(p, "define.c", "x==1");
    assert_override(p, "name", "");
    forget(p);
    refuse("check a --set mu", "--set wants PATH=VALUE, got \"mu\"");
    refuse("check a --set =3", "--set wants PATH=VALUE");
}

static void options_for_settings_are_overrides(void **state)
{
    (void)state;
    struct parsed *p = accept("simulate a --method moreau --max-events 7");
    assert_override(p, "simulate.method", "moreau");
    assert_override(p, "simulate.max_events", "7");
    forget(p);
    p = accept("certify a --levels p --levels p,e");
    assert_string_equal(p->args.override[p->args.n_override - 1].value, "[p,e]");
    forget(p);
    p = accept("impact a --sampling random");
    assert_override(p, "impact.sampling", "random");
    forget(p);
}

static void a_seed_is_that_of_the_command(void **state)
{
    (void)state;
    struct parsed *p = accept("--seed 5 solve a");
    assert_int_equal(p->args.n_override, 1);
    assert_override(p, "homotopy.seed", "5");
    forget(p);
    p = accept("--seed 5 impact a");
    assert_int_equal(p->args.n_override, 1);
    assert_override(p, "impact.seed", "5");
    forget(p);
    p = accept("simulate a --seed 5 --impacts set --samples 2");
    assert_int_equal(p->args.n_override, 2);
    assert_override(p, "homotopy.seed", "5");
    assert_override(p, "impact.seed", "5");
    forget(p);
    refuse("simulate a --impacts all", "--impacts wants the word set");
}

static void samples_are_those_of_the_command(void **state)
{
    (void)state;
    struct parsed *p = accept("--samples 12 simulate a");
    assert_int_equal(p->args.samples, 12);
    assert_int_equal(p->args.n_override, 0);
    forget(p);
    p = accept("--samples 12 impact a");
    assert_int_equal(p->args.samples, 0);
    assert_override(p, "impact.samples", "12");
    forget(p);
    refuse("simulate a --samples 0", "--samples wants a number from 1 to 1000000, got \"0\"");
    refuse("simulate a --samples 1.5", "--samples wants a number");
    refuse("simulate a --samples 1000001", "--samples wants a number");
    refuse("solve a --samples 3", "solve does not take --samples");
}

static void a_result_is_named_after_the_spec(void **state)
{
    (void)state;
    static const struct { const char *line, *path; } facts[] = {
        { "solve dir.d/hopper.yaml", "hopper.h5" }, { "solve hopper", "hopper.h5" }, { "solve .hidden", ".hidden.h5" },
        { "solve a.b.yaml", "a.b.h5" }, { "solve a.yaml -o x/y", "x/y" }, { "verify dir/a.h5", "dir/a.h5" }
    };
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        struct parsed *p = accept(facts[k].line);
        assert_string_equal(p->args.out_path, facts[k].path);
        forget(p);
    }
}

/* --- --perturb and --sweep ----------------------------------------------------------------------------------- */

static const char spec_text_of_ball[] = "cocp: 1\nname: ball\ntime: {horizon: 1}\n"
                                        "states: {height: {initial: 1}, speed: {initial: 0}}\n"
                                        "dynamics: {type: ode, rhs: {height: speed, speed: -9.81}}\n";

/* The status of perturb_read; *out as it left it, and the first message in text. */
static enum status perturb(const char *line, struct perturbation **out, char text[200])
{
    struct spec *spec;
    struct model *model;
    struct parsed *p = accept(line);
    assert_int_equal(spec_read_text("ball.yaml", spec_text_of_ball, 0, NULL, &spec, p->diag), STATUS_OK);
    assert_int_equal(model_read(spec, MODEL_FOR_SIMULATE, &model, p->diag), STATUS_OK);
    const enum status st = perturb_read(&p->args, model, out, p->diag);
    (void)snprintf(text, 200, "%s", st == STATUS_OK ? "" : diag_line(p->diag, 0));
    model_free(model);
    spec_free(spec);
    forget(p);
    return st;
}

static void perturbations_name_a_state_and_a_size(void **state)
{
    (void)state;
    struct perturbation *list;
    char text[200];
    assert_int_equal(perturb("simulate a --samples 3 --perturb speed=0.5 --perturb height=0", &list, text), STATUS_OK);
    assert_int_equal(list[0].state, 1);
    assert_true(list[0].size == 0.5);
    assert_int_equal(list[1].state, 0);
    assert_true(list[1].size == 0);
    free(list);
}

static void wrong_perturbations_are_refused(void **state)
{
    (void)state;
    static const struct { const char *line, *part; } facts[] = {
        { "simulate a --samples 3 --perturb sped=1", "no state is called \"sped\" (did you mean \"speed\"?)" },
        { "simulate a --samples 3 --perturb speed", "wants STATE=SIZE" },
        { "simulate a --samples 3 --perturb =1", "wants STATE=SIZE" },
        { "simulate a --samples 3 --perturb speed=", "wants STATE=SIZE" },
        { "simulate a --samples 3 --perturb speed=-1", "wants STATE=SIZE" },
        { "simulate a --samples 3 --perturb speed=nan", "wants STATE=SIZE" },
        { "simulate a --samples 3 --perturb speed=inf", "wants STATE=SIZE" },
        { "simulate a --samples 3 --perturb speed=1m", "wants STATE=SIZE" },
        { "simulate a --samples 3 --perturb speed=1 --perturb h=1", "no state is called \"h\"" },
        { "simulate a --samples 3", "--samples wants something that differs" },
        { "simulate a --perturb speed=1", "--perturb wants the number of runs" },
    };
    struct perturbation *list;
    char text[200];
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        assert_int_equal(perturb(facts[k].line, &list, text), STATUS_USAGE);
        assert_null(list);
        if (!strstr(text, facts[k].part))
            fail_msg("%s: \"%s\" does not say \"%s\"", facts[k].line, text, facts[k].part);
    }
}

/* A table of certify was an option of its own once. */
static void sweeps_of_certify_are_sweeps(void **state)
{
    (void)state;
    refuse("certify a --sweep parameters.d=0.1:2:40", "cocp sweep SPEC --run certify --sweep parameters.d=0.1:2:40");
}

/* --- Exit codes ---------------------------------------------------------------------------------------------- */

/* Those of the manual page. */
static void statuses_have_their_exit_codes(void **state)
{
    (void)state;
    static const struct { enum status st; int code; } facts[] = {
        { STATUS_OK, 0 }, { STATUS_INTERNAL, 1 }, { STATUS_USAGE, 2 }, { STATUS_SPEC, 3 }, { STATUS_IO, 4 },
        { STATUS_ACCEPTABLE, 10 }, { STATUS_INFEASIBLE, 20 }, { STATUS_UNBOUNDED, 30 }, { STATUS_LIMIT, 40 },
        { STATUS_NUMERIC, 50 }, { STATUS_UNVERIFIED, 60 }, { STATUS_INTERRUPTED, 130 }
    };
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++)
        assert_int_equal(status_exit_code(facts[k].st), facts[k].code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_is_known_by_its_name),
        cmocka_unit_test(options_stand_anywhere),
        cmocka_unit_test(what_follows_two_dashes_is_an_operand),
        cmocka_unit_test(defaults_are_those_of_nothing_asked_for),
        cmocka_unit_test(verbosity_counts_up_to_two),
        cmocka_unit_test(misspelt_words_are_named_with_what_is_near),
        cmocka_unit_test(what_is_missing_or_too_much_is_said),
        cmocka_unit_test(help_and_version_ask_for_nothing_else),
        cmocka_unit_test(numbers_are_positive),
        cmocka_unit_test(set_splits_at_the_first_equals_sign),
        cmocka_unit_test(options_for_settings_are_overrides),
        cmocka_unit_test(a_seed_is_that_of_the_command),
        cmocka_unit_test(samples_are_those_of_the_command),
        cmocka_unit_test(a_result_is_named_after_the_spec),
        cmocka_unit_test(perturbations_name_a_state_and_a_size),
        cmocka_unit_test(wrong_perturbations_are_refused),
        cmocka_unit_test(sweeps_of_certify_are_sweeps),
        cmocka_unit_test(statuses_have_their_exit_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
