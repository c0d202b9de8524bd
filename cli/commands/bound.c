#include "cli/bounds/bound_boxes.h"
#include "cli/bounds/bound_words.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/outputs/line.h"
#include "cli/spec_command.h"
#include "cli/ticker.h"
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/base/visible.h"
#include "core/model/read/read.h"
#include "core/output/bound.h"
#include "core/results/digest.h"
#include "core/sos/semidefinite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The motion that is compared with ------------------------------------------------------------------------ */

struct motion {
    double cost;
    struct bound_boxes boxes;
};

/* Blocks that say what the continuous problem is; grids and methods are not among them. */
static const char *const blocks[] = { "sizes",      "parameters",      "states",   "controls",
                                      "define",     "bodies",          "shapes",   "apart",    "loops",
                                      "gravity",
                                      "grounds",    "hysteresis",      "machines", "dynamics", "contacts",
                                      "friction",   "projection",      "phases",   "links",    "cost",
                                      "complementarity",               "constraints",          "data" };

static char *block_text(const struct spec_node *node)
{
    return node ? spec_to_yaml(node) : mem_copy_text("");
}

static bool is_same(const struct spec_node *a, const struct spec_node *b)
{
    char *one = block_text(a), *other = block_text(b);
    const bool is = strcmp(one, other) == 0;
    free(one);
    free(other);
    return is;
}

/* The first block in which two specs differ; NULL: none. */
static const char *first_difference(const struct spec *a, const struct spec *b)
{
    const char *found = NULL;
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks && !found; k++)
        if (!is_same(spec_get(spec_root(a), blocks[k]), spec_get(spec_root(b), blocks[k])))
            found = blocks[k];
    const struct spec_node *time_a = spec_get(spec_root(a), "time"), *time_b = spec_get(spec_root(b), "time");
    const bool same_time = is_same(spec_get(time_a, "horizon"), spec_get(time_b, "horizon"))
                           && is_same(spec_get(time_a, "unit"), spec_get(time_b, "unit"));
    return found || same_time ? found : "time";
}

/* Is the result one of this problem? */
static enum status check_same(const char *path, const struct result *result, struct problem *problem,
                              struct diag *diag)
{
    const struct result_data *text = result_data_of(result, "/spec", "resolved");
    struct spec *stored = NULL, *own = NULL;
    struct arena mem = { NULL };
    if (!text || !text->text || text->n < 1)
        return diag_fail(diag, STATUS_IO, "%s does not say whose result it is: /spec/resolved is missing", path);
    enum status st = spec_read_stored(arena_printf(&mem, "%s:/spec/resolved", path), text->text[0], &stored, diag);
    if (st == STATUS_OK)
        st = spec_read_stored("the spec", problem_resolved(problem), &own, diag);
    const char *different = st == STATUS_OK ? first_difference(stored, own) : NULL;
    if (different)
        st = diag_fail(diag, STATUS_USAGE, "%s is of another problem: its block \"%s\" is not that of the spec",
                       path, different);
    spec_free(stored);
    spec_free(own);
    arena_free(&mem);
    return st;
}

/* The motion of a result called path, which has to be solved, of this problem and of some cost. */
static enum status take_motion(const char *path, const struct result *result, struct problem *problem,
                               struct arena *mem, struct motion *to, struct diag *diag)
{
    const struct result_group *root = result_find(result, "/");
    const char *status = result_get_text(root, "status");
    const enum status st = check_same(path, result, problem, diag);
    if (st != STATUS_OK)
        return st;
    if (!status || strcmp(status, status_text(STATUS_OK)) != 0)
        return diag_fail(diag, STATUS_USAGE, "%s is not solved: its objective is not that of a motion", path);
    if (isnan(to->cost))
        to->cost = result_get_double(root, "objective");
    if (isnan(to->cost))
        return diag_fail(diag, STATUS_USAGE, "%s has no objective", path);
    bound_boxes_of(result, problem->model, mem, &to->boxes);
    return STATUS_OK;
}

/* That of the result beside the spec, or of a call's; without one --target is what is compared with. */
static enum status read_motion(const struct cli_args *args, struct problem *problem, struct arena *mem,
                               struct motion *to, struct diag *diag)
{
    const char *path = args->n_input > 1 ? args->input[1] : NULL;
    const struct result *given = args->call ? args->call->guess : NULL;
    struct result *result = NULL;
    *to = (struct motion){ .cost = args->target };
    if (!path)
        return given ? take_motion("the result", given, problem, mem, to, diag) : STATUS_OK;
    enum status st = result_read(path, &result, diag);
    if (st == STATUS_OK)
        st = take_motion(path, result, problem, mem, to, diag);
    result_free(result);
    return st;
}

/* --- A bound ------------------------------------------------------------------------------------------------- */

static enum status status_of(const struct bound_found *found, double cost)
{
    if (!found->proof)
        return stop_asked() ? stop_status() : STATUS_LIMIT;
    if (found->proof->infeasible && bound_is_over_all(found->problem))
        return STATUS_INFEASIBLE;
    if (!isnan(cost) && found->gap < -BOUND_ABOVE)
        return STATUS_UNVERIFIED;
    if (found->end == BOUND_REACHED || isnan(cost))
        return STATUS_OK;
    return found->end == BOUND_STOPPED ? stop_status() : STATUS_LIMIT;
}

static void print_line(const struct cli_args *args, const struct problem *problem, const struct bound_found *found,
                       double cost, enum status st, double seconds)
{
    const struct line line = { args->out, args->json };
    line_begin(&line, !found->proof ? "no-bound" : st == STATUS_INFEASIBLE ? "infeasible" : "bounded",
               status_text(st), st, problem->model->name);
    const double bound = found->proof ? found->proof->bound : NAN;
    line_number(&line, "bound", args->json ? "%.17g" : "%.8g",
                args->json ? bound : bound_words_round_down(bound, BOUND_LINE_DIGITS));
    line_number(&line, "objective", args->json ? "%.17g" : "%.8g", cost);
    line_number(&line, "gap", args->json ? NULL : "%.1g", found->proof ? found->gap : NAN);
    line_count(&line, "degree", found->proof ? found->proof->conditions.degree : 0);
    line_number(&line, "time", "%.1f", seconds);
    line_end(&line, args->out_path);
}

static enum status write_result(const struct cli_args *args, struct problem *problem,
                                const struct bound_found *found, const struct bound_outcome *outcome,
                                enum status status, double seconds, struct diag *diag)
{
    const struct output_origin origin = problem_origin(args, problem, "bound");
    const struct output_head head = { status, NAN, NAN, NAN, found->proof ? NULL : outcome->words };
    struct result *result = output_begin(&origin, &head, NULL);
    bound_write(outcome, problem_resolved(problem), result);
    output_write_spec(&origin, result);
    result_set_text(result_group(result, "/solver"), "solver", LMI_SOLVER);
    result_set_double(result_group(result, "/solver"), "time_total", seconds);
    return output_file_write(args, result, diag);
}

static enum status refuse_scenarios(struct problem *problem, struct arena *mem, struct diag *diag)
{
    const struct spec_node *root = spec_root(problem->spec), *node = spec_get(root, "scenarios");
    struct scenarios scenarios = { .n = 0 };
    enum status st = scenarios_read(root, problem->model, &problem->scenarios, mem, &scenarios, diag);
    if (st == STATUS_OK && scenarios.n > 0)
        st = diag_error(diag, node ? node->key_pos : (struct srcpos){ .file = NULL }, "scenarios",
                        "a bound is of one problem: take the spec without scenarios, --set scenarios.number=0");
    return st;
}

static enum status bound_once(const struct cli_args *args, struct problem *problem, struct diag *diag)
{
    struct arena mem = { NULL };
    struct bound_found found = { .gap = NAN };
    struct motion motion = { .cost = NAN };
    const double start = clock_seconds();
    enum status st = refuse_scenarios(problem, &mem, diag);
    if (st == STATUS_OK)
        st = read_motion(args, problem, &mem, &motion, diag);
    const struct bound_search search = { .model = problem->model,
                                         .lo = motion.boxes.lo,
                                         .hi = motion.boxes.hi,
                                         .u_lo = motion.boxes.u_lo,
                                         .u_hi = motion.boxes.u_hi,
                                         .target = motion.cost,
                                         .gap = isnan(args->gap) ? BOUND_GAP : args->gap,
                                         .max_degree = args->degree > 0 ? args->degree : BOUND_DEGREE,
                                         .in_pieces = true,
                                         .tell = bound_words_tell,
                                         .user = (void *)(uintptr_t)args };
    if (st == STATUS_OK)
        st = bound_search(&search, &found, diag);
    if (st == STATUS_OK) {
        const enum status outcome_status = status_of(&found, motion.cost);
        const double seconds = clock_seconds() - start;
        const struct bound_outcome outcome = { .problem = found.problem,
                                               .proof = found.proof,
                                               .objective = motion.cost,
                                               .gap = found.gap,
                                               .words = bound_words_of(problem->model, &found, motion.cost, &mem),
                                               .about = bound_words_about(found.problem, &mem),
                                               .n_attempt = found.n_attempt,
                                               .attempt = found.attempt };
        st = write_result(args, problem, &found, &outcome, outcome_status, seconds, diag);
        if (st == STATUS_OK) {
            if (args->verbosity >= 0)
                fprintf(args->err, "%s: %s\n%s: of the problem in %s\n%s: %s\n", args->input[0], outcome.words,
                        args->input[0], outcome.about, args->input[0], bound_words_end(found.end));
            print_line(args, problem, &found, motion.cost, outcome_status, seconds);
            st = outcome_status;
        }
    }
    bound_found_free(&found);
    arena_free(&mem);
    return st;
}

/* --- A certificate checked again ----------------------------------------------------------------------------- */

/* The text that the certificate is about: stored beside it, and that of the spec where one is named. NULL:
 * refused. */
static const char *text_to_check(const struct cli_args *args, const struct result *result, struct problem *problem,
                                 char *why, size_t size)
{
    const struct result_data *stored = result_data_of(result, "/spec", "resolved");
    const char *text = stored && stored->text && stored->n > 0 ? stored->text[0] : NULL;
    if (!text)
        (void)snprintf(why, size, "the file does not say whose it is: /spec/resolved is missing");
    else if (!bound_is_about(result, text))
        (void)snprintf(why, size, "the spec in the file is not the one that was bounded");
    else if (args->n_input > 1 && strcmp(problem_resolved(problem), text) != 0)
        (void)snprintf(why, size, "%s is not the spec that was bounded", args->input[0]);
    else
        return text;
    return NULL;
}

static bool is_unchanged(const struct result *result, char *why, size_t size)
{
    struct arena mem = { NULL };
    const struct digest_finding digest = digest_check(result, &mem);
    const bool is = digest.is_there && digest.is_whole && digest.n_changed == 0;
    if (!is)
        (void)snprintf(why, size, "the file has changed since it was written%s%.100s",
                       digest.n_changed ? ": " : "", digest.n_changed ? digest.changed : "");
    arena_free(&mem);
    return is;
}

static enum status check_file(const struct cli_args *args, const char *path, struct problem *problem,
                              struct diag *diag)
{
    struct result *result = NULL;
    struct bound_certificate certificate;
    struct spec *spec = NULL;
    struct model *model = NULL;
    struct arena mem = { NULL };
    char why[200] = "";
    bool holds = false;
    enum status st = result_read(path, &result, diag);
    if (st == STATUS_OK)
        st = bound_read_certificate(result, &certificate, diag);
    const char *text = st == STATUS_OK && is_unchanged(result, why, sizeof why)
                           ? text_to_check(args, result, problem, why, sizeof why)
                           : NULL;
    if (text) {
        st = spec_read_stored(arena_printf(&mem, "%s:/spec/resolved", path), text, &spec, diag);
        if (st == STATUS_OK)
            st = model_read(spec, MODEL_FOR_SOLVE, &model, diag);
        holds = st == STATUS_OK && bound_certificate_check(model, &certificate, why, sizeof why, diag);
    }
    if (st == STATUS_OK) {
        const struct line line = { args->out, args->json };
        st = holds ? STATUS_OK : STATUS_UNVERIFIED;
        line_begin(&line, holds ? "bounded" : "refused", status_text(st), st, path);
        const double bound = holds ? certificate.bound : NAN;
        line_number(&line, "bound", args->json ? "%.17g" : "%.8g",
                    args->json ? bound : bound_words_round_down(bound, BOUND_LINE_DIGITS));
        line_count(&line, "degree", certificate.degree);
        fputs(args->json ? "}\n" : "\n", args->out);
        if (!holds) {
            fprintf(args->err, "%s: the certificate proves nothing: ", path);
            visible_print(why, args->err);
            fputs("\n", args->err);
        }
    }
    model_free(model);
    spec_free(spec);
    result_free(result);
    arena_free(&mem);
    return st;
}

/* FILE.h5, or SPEC FILE.h5: then it has to be about this spec. */
static enum status check_again(const struct cli_args *args, struct diag *diag)
{
    struct problem problem = { .spec = NULL };
    enum status st = args->n_input > 1 ? problem_read(args, MODEL_FOR_SOLVE, &problem, diag) : STATUS_OK;
    if (st == STATUS_OK)
        st = check_file(args, args->input[args->n_input - 1], &problem, diag);
    problem_free(&problem);
    return st;
}

enum status cmd_bound(const struct cli_args *args, struct diag *diag)
{
    if (args->check)
        return check_again(args, diag);
    return spec_command_unless_done(args, MODEL_FOR_SOLVE, "bounded", bound_once, diag);
}
