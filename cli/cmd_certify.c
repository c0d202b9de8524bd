#include "cli/certificate_result.h"
#include "cli/commands.h"
#include "cli/outcome.h"
#include "cli/result_parts.h"
#include "cli/sweep.h"
#include "cli/table.h"
#include "core/nlp/nlp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status status_of(const struct verdict *verdict)
{
    return verdict->outcome == CERTIFY_CERTIFIED ? STATUS_OK : STATUS_UNVERIFIED;
}

/* What was found beside the verdict. */
struct beside {
    bool has_motion;
    struct falsify_result motion;
};

/* --- What came out ------------------------------------------------------------------------------------------- */

/* `key=text`, or `, "key": "text"`. */
static void print_text(const char *key, const char *text, bool is_json)
{
    if (is_json) {
        printf(", \"%s\": ", key);
        table_print_json_text(text, stdout);
    } else {
        printf(" %s=%s", key, text);
    }
}

static void print_number(const char *key, double value, const char *fmt, bool is_json)
{
    printf(is_json ? ", \"%s\": " : " %s=", key);
    if (isfinite(value) && is_json)
        table_print_exact(value, stdout);
    else if (isfinite(value))
        printf(fmt, value);
    else
        fputs(is_json ? "null" : "none", stdout);
}

static const char *level_of(const struct certify_result *found)
{
    return found->level ? certify_level_text(found->level) : "one-contact";
}

static void print_summary(const struct cli_args *args, const struct problem *problem,
                          const struct certify_result *found, const struct beside *beside, double seconds,
                          const char *out_path)
{
    const struct verdict *verdict = &found->verdict;
    const char *outcome = certify_outcome_text(verdict->outcome);
    const enum status st = status_of(verdict);
    if (args->json) {
        printf("{\"outcome\": \"%s\", \"status\": \"%s\", \"exit_code\": %d, \"name\": ", outcome, status_text(st),
               status_exit_code(st));
        table_print_json_text(problem->model->name, stdout);
    } else {
        printf("%s %s", outcome, problem->model->name);
    }
    if (st == STATUS_OK)
        print_text("level", level_of(found), args->json);
    else
        print_text("reason", verdict->reason, args->json);
    if (isfinite(verdict->margin) || args->json)
        print_number("margin", verdict->margin, "%.6g", args->json);
    if (beside->has_motion)
        print_text("growth", beside->motion.grows ? "found" : "none", args->json);
    if (args->json)
        print_text("explanation", verdict->words, true);
    print_number("time", seconds, "%.3f", args->json);
    print_text("out", out_path, args->json);
    fputs(args->json ? "}\n" : "\n", stdout);
}

/* -v: what each level came to. */
static void print_levels(const struct certify_result *found)
{
    for (int which = 0; which < 3; which++)
        if (found->solver_code[which] >= 0)
            fprintf(stderr, "  level %s  variables %d  code %d  t %.3e  %s\n", certify_level_text(1 << which),
                    found->n_y[which], found->solver_code[which], found->t[which],
                    isnan(found->level_margin[which]) ? "not certified" : "certified");
}

static enum status write_result(const struct cli_args *args, const struct problem *problem,
                                const struct certify_result *found, const struct beside *beside, double seconds,
                                const char *out_path, struct diag *diag)
{
    const struct result_head head = { status_of(&found->verdict), NAN, NAN, NAN };
    struct result *result = result_create();
    write_head(args, problem, &head, result);
    result_set_text(result_group(result, "/"), "method", "certify");
    write_parameters(problem, NULL, result);
    certificate_write(found, result);
    if (beside->has_motion)
        growth_write(found, &beside->motion, result);
    write_spec(problem, result);
    result_set_text(result_group(result, "/solver"), "solver", "CSDP 6.2.0");
    result_set_double(result_group(result, "/solver"), "time_total", seconds);
    const enum status st = result_write(result, out_path, diag);
    result_free(result);
    return st;
}

static void print_motion(const struct cli_args *args, const struct falsify_result *motion)
{
    const char *file = args->input[0];
    if (motion->grows && isfinite(motion->factor))
        fprintf(stderr, "%s: counter-evidence: a small motion grows by a factor of %.0f in %d events\n", file,
                motion->factor, motion->n_event - 1);
    else if (motion->grows)
        fprintf(stderr, "%s: counter-evidence: after %d events a mode goes on forever\n", file,
                motion->n_event - 1);
    else
        fprintf(stderr, "%s: no random motion was found to grow (largest factor %.3g)\n", file, motion->factor);
}

static void report(const struct cli_args *args, const struct problem *problem, const struct certify_result *found,
                   const struct beside *beside, double seconds, const char *out_path)
{
    if (args->verbosity >= 1)
        print_levels(found);
    if (args->verbosity >= 0)
        fprintf(stderr, "%s: %s\n", args->input[0], found->verdict.words);
    if (args->verbosity >= 0 && beside->has_motion)
        print_motion(args, &beside->motion);
    print_summary(args, problem, found, beside, seconds, out_path);
}

/* --- One point ----------------------------------------------------------------------------------------------- */

static void look_beside(const struct cli_args *args, const struct problem *problem,
                        const struct certify_result *found, struct arena *mem, struct beside *beside)
{
    if (found->n_contact != 2 || !found->name[0])
        return;
    if (args->falsify && !found->level) {
        const struct falsify_settings settings = falsify_defaults((uint64_t)problem->homotopy.seed);
        falsify(&found->body, &settings, mem, &beside->motion);
        beside->has_motion = true;
    }
}

static enum status certify_once(const struct cli_args *args, struct problem *problem, const char *out_path,
                                struct diag *diag)
{
    struct certify_result found = { .level = 0 };
    struct beside beside = { .has_motion = false };
    struct arena mem = { NULL };
    const double start = nlp_wall_time();
    enum status st = certify_model(problem->model, &problem->certify, false, &found, diag);
    if (st == STATUS_OK) {
        look_beside(args, problem, &found, &mem, &beside);
        const double seconds = nlp_wall_time() - start;
        st = write_result(args, problem, &found, &beside, seconds, out_path, diag);
        if (st == STATUS_OK)
            report(args, problem, &found, &beside, seconds, out_path);
    }
    arena_free(&mem);
    return st == STATUS_OK ? status_of(&found.verdict) : st;
}

/* --- A certificate checked again ----------------------------------------------------------------------------- */

static enum status check_again(const struct cli_args *args, struct diag *diag)
{
    struct result *result = NULL;
    struct certificate certificate;
    char why[200];
    enum status st = result_read(args->input[0], &result, diag);
    if (st == STATUS_OK)
        st = certificate_read(result, &certificate, diag);
    bool ok = st == STATUS_OK && certificate_check(&certificate, why, sizeof why);
    if (ok && !certificate_says_so(result, &certificate)) {
        (void)snprintf(why, sizeof why, "its words are not those of its numbers");
        ok = false;
    }
    result_free(result);
    if (st != STATUS_OK)
        return st;
    if (!ok) {
        printf("refused %s level=%s\n", args->input[0], certify_level_text(certificate.level));
        fprintf(stderr, "%s: the certificate proves nothing: %s\n", args->input[0], why);
        return STATUS_UNVERIFIED;
    }
    printf("certified %s level=%s margin=%.6g\n", args->input[0], certify_level_text(certificate.level),
           certificate.margin);
    return STATUS_OK;
}

/* --- The command --------------------------------------------------------------------------------------------- */

enum status cmd_certify(const struct cli_args *args, struct diag *diag)
{
    struct problem problem;
    if (args->check)
        return check_again(args, diag);
    char *out_path = args_out_path(args, ".h5");
    if (args->skip_existing && outcome_is_enough(out_path, "certified", diag)) {
        free(out_path);
        return STATUS_OK;
    }
    if (args->n_sweep > 0) {
        const enum status st = sweep_run(args, out_path, diag);
        free(out_path);
        return st;
    }
    enum status st = problem_read(args, MODEL_FOR_CERTIFY, &problem, diag);
    if (st == STATUS_OK)
        st = certify_once(args, &problem, out_path, diag);
    problem_free(&problem);
    free(out_path);
    return st;
}
