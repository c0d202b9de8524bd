#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/outputs/line.h"
#include "cli/spec_command.h"
#include "core/base/clock.h"
#include "core/model/read/read.h"
#include "core/output/certificate.h"
#include "core/sos/semidefinite.h"

#include <math.h>
#include <stdio.h>

static enum status status_of(const struct verdict *verdict)
{
    return verdict->outcome == CERTIFY_CERTIFIED ? STATUS_OK : STATUS_UNVERIFIED;
}

/* --- What came out ------------------------------------------------------------------------------------------- */

static const char *level_of(const struct certify_result *found)
{
    return found->level ? certify_level_text(found->level) : "one-contact";
}

static void print_summary(const struct cli_args *args, const struct problem *problem,
                          const struct certify_result *found, const struct falsify_result *motion, double seconds)
{
    const struct verdict *verdict = &found->verdict;
    const struct line line = { args->out, args->json };
    const enum status st = status_of(verdict);
    line_begin(&line, certify_outcome_text(verdict->outcome), status_text(st), st, problem->model->name);
    if (st == STATUS_OK)
        line_text(&line, "level", level_of(found));
    else
        line_text(&line, "reason", verdict->reason);
    line_number(&line, "margin", args->json ? NULL : "%.6g", verdict->margin);
    if (motion)
        line_text(&line, "growth", motion->grows ? "found" : "none");
    if (args->json)
        line_text(&line, "explanation", verdict->words);
    line_number(&line, "time", args->json ? NULL : "%.3f", seconds);
    line_end(&line, args->out_path);
}

/* -v: what each level came to. */
static void print_levels(const struct certify_result *found, FILE *out)
{
    for (int which = 0; which < 3; which++)
        if (found->solver_code[which] >= 0)
            fprintf(out, "  level %s  variables %d  code %d  t %.3e  %s\n", certify_level_text(1 << which),
                    found->n_y[which], found->solver_code[which], found->t[which],
                    isnan(found->level_margin[which]) ? "not certified" : "certified");
    const struct polynomial_result *polynomial = &found->polynomial;
    if (polynomial->degree)
        fprintf(out, "  %s  degree %d  coefficients %d  conditions %d  equations %d  code %d  slack %.1e  %s\n",
                certify_method_text(found->method), polynomial->degree, polynomial->n_unknown,
                polynomial->n_condition, polynomial->n_equation, polynomial->code, polynomial->slack,
                found->level ? "proved" : "not proved");
}

static enum status write_result(const struct cli_args *args, struct problem *problem,
                                const struct certify_result *found, const struct falsify_result *motion,
                                double seconds, struct diag *diag)
{
    const struct output_origin origin = problem_origin(args, problem, "certify");
    const struct output_head head = { status_of(&found->verdict), NAN, NAN, NAN, NULL };
    struct result *result = output_begin(&origin, &head, NULL);
    certificate_write(found, result);
    if (motion)
        growth_write(found, motion, result);
    output_write_spec(&origin, result);
    result_set_text(result_group(result, "/solver"), "solver", LMI_SOLVER);
    result_set_double(result_group(result, "/solver"), "time_total", seconds);
    return output_file_write(args, result, diag);
}

static void print_motion(const struct cli_args *args, const struct falsify_result *motion)
{
    const char *file = args->input[0];
    if (motion->grows && isfinite(motion->factor))
        fprintf(args->err, "%s: counter-evidence: a small motion grows by a factor of %.0f in %d events\n", file,
                motion->factor, motion->n_event - 1);
    else if (motion->grows)
        fprintf(args->err, "%s: counter-evidence: after %d events a mode goes on forever\n", file,
                motion->n_event - 1);
    else
        fprintf(args->err, "%s: no random motion was found to grow (largest factor %.3g)\n", file, motion->factor);
}

static void report(const struct cli_args *args, const struct problem *problem, const struct certify_result *found,
                   const struct falsify_result *motion, double seconds)
{
    if (args->verbosity >= 1)
        print_levels(found, args->err);
    if (args->verbosity >= 0)
        fprintf(args->err, "%s: %s\n", args->input[0], found->verdict.words);
    if (args->verbosity >= 0 && motion)
        print_motion(args, motion);
    print_summary(args, problem, found, motion, seconds);
}

/* --- One point ----------------------------------------------------------------------------------------------- */

/* --falsify: looks for a motion that grows, where nothing is certified. */
static bool find_motion(const struct cli_args *args, const struct problem *problem,
                        const struct certify_result *found, struct arena *mem, struct falsify_result *motion)
{
    if (!args->falsify || found->level || found->n_contact != 2 || !found->name[0])
        return false;
    const struct falsify_settings settings = falsify_defaults((uint64_t)problem->homotopy.seed);
    falsify(&found->body, &settings, mem, motion);
    return true;
}

static enum status certify_once(const struct cli_args *args, struct problem *problem, struct diag *diag)
{
    struct certify_result found = { .level = 0 };
    struct falsify_result sought, *motion = NULL;
    struct arena mem = { NULL };
    const double start = clock_seconds();
    enum status st = certify_model(problem->model, &problem->certify, &found, diag);
    if (st == STATUS_OK) {
        if (find_motion(args, problem, &found, &mem, &sought))
            motion = &sought;
        const double seconds = clock_seconds() - start;
        st = write_result(args, problem, &found, motion, seconds, diag);
        if (st == STATUS_OK)
            report(args, problem, &found, motion, seconds);
    }
    arena_free(&mem);
    return st == STATUS_OK ? status_of(&found.verdict) : st;
}

/* --- A certificate checked again ----------------------------------------------------------------------------- */

/* Are the stored parameters those of the model? */
static bool has_its_parameters(const struct result *result, const struct model *model, char *why, size_t size)
{
    for (int k = 0; k < model->n_param; k++) {
        const struct result_data *data = result_data_of(result, "/parameters", model->param[k].name);
        const double wanted = model->param[k].value;
        if (data && data->d && data->n == 1 && fabs(data->d[0] - wanted) <= 1e-12 * fabs(wanted))
            continue;
        (void)snprintf(why, size, "/parameters/%s is not what the spec says, %.7g", model->param[k].name, wanted);
        return false;
    }
    return true;
}

/* Is it about the model in the file? */
static enum status is_about_spec(const char *path, const struct result *result,
                                 const struct certificate *certificate, bool *is, char *why, size_t size,
                                 struct diag *diag)
{
    const struct result_data *text = result_data_of(result, "/spec", "resolved");
    const struct result_data *foot = result_data_of(result, "/certificate", "foot_name");
    struct spec *spec = NULL;
    struct model *model = NULL;
    struct certify_settings settings;
    struct arena mem = { NULL };
    *is = false;
    if (!text || !text->text || text->n < 1 || !foot || !foot->text || foot->n != 2) {
        (void)snprintf(why, size, "the file does not say whose it is: /spec/resolved or foot_name is missing");
        return STATUS_OK;
    }
    enum status st = spec_read_stored(arena_printf(&mem, "%s:/spec/resolved", path), text->text[0], &spec, diag);
    if (st == STATUS_OK)
        st = model_read(spec, MODEL_FOR_CERTIFY, &model, diag);
    if (st == STATUS_OK) {
        const struct setting_eval eval = model_eval(model);
        st = certify_settings_read(spec_get(spec_root(spec), certify_table.block), &eval, &settings, diag);
    }
    if (st == STATUS_OK && has_its_parameters(result, model, why, size))
        st = certify_is_of(model, &settings, certificate, foot->text, is, why, size, diag);
    model_free(model);
    spec_free(spec);
    arena_free(&mem);
    return st;
}

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
    if (ok)
        st = is_about_spec(args->input[0], result, &certificate, &ok, why, sizeof why, diag);
    result_free(result);
    if (st != STATUS_OK)
        return st;
    if (!ok) {
        fprintf(args->out, "refused %s level=%s\n", args->input[0], certify_level_text(certificate.level));
        fprintf(args->err, "%s: the certificate proves nothing: %s\n", args->input[0], why);
        return STATUS_UNVERIFIED;
    }
    fprintf(args->out, "certified %s level=%s margin=%.6g\n", args->input[0], certify_level_text(certificate.level),
            certificate.margin);
    return STATUS_OK;
}

/* --- The command --------------------------------------------------------------------------------------------- */

enum status cmd_certify(const struct cli_args *args, struct diag *diag)
{
    if (args->check)
        return check_again(args, diag);
    return spec_command_unless_done(args, MODEL_FOR_CERTIFY, "certified", certify_once, diag);
}
