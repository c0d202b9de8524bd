#define _POSIX_C_SOURCE 200809L

#include "cli/problem.h"

#include "cli/output_file.h"

#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/model/check/contradictions.h"
#include "core/model/check/products.h"
#include "core/model/check/roots.h"
#include "core/model/check/scales.h"
#include "core/model/check/sliding.h"
#include "core/model/check/surfaces.h"
#include "core/model/check/units.h"
#include "core/model/check/unused.h"
#include "core/model/read/read.h"
#include "core/model/shapes.h"
#include "transcription/method/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum status worse(enum status a, enum status b)
{
    return a != STATUS_OK ? a : b;
}

bool problem_is_for_others(const struct problem *problem)
{
    const struct spec_node *root = spec_root(problem->spec);
    return spec_get(root, impact_table.block) || spec_get(root, certify_table.block)
           || spec_get(spec_get(root, simulate_table.block), "method");
}

/* What `auto` becomes. Simulations and certificates have a method of their own, or need none. */
static enum status choose_method(struct problem *problem, enum model_need need, struct diag *diag)
{
    int *method = &problem->discretization.method;
    if (problem->model->switching.n_machine && need != MODEL_FOR_SOLVE)
        return STATUS_OK;                       /* no method takes them, but sequences */
    if (need == MODEL_FOR_SOLVE
        && method_check_machines(problem->model, problem->finish.use == FINISH_ON, diag) != STATUS_OK)
        return STATUS_SPEC;
    if (problem->model->time.n_phase && (need == MODEL_FOR_IMPACT || need == MODEL_FOR_CERTIFY))
        return diag_error(diag, problem->model->time.phase[0].pos, "phases",
                          "are for `solve` and `simulate`: an impact "
                          "and an equilibrium are one moment, and take a spec without them");
    if (problem->model->impulses.n_impulse && (need == MODEL_FOR_IMPACT || need == MODEL_FOR_CERTIFY))
        return diag_error(diag, problem->model->impulses.impulse[0].var.pos,
                          problem->model->impulses.impulse[0].var.path,
                          "an impulsive control is for `solve` and `simulate`: an impact and an equilibrium are one "
                          "moment, and take a spec without it");
    const bool is_needed = need == MODEL_FOR_SOLVE || (need == MODEL_FOR_CHECK && !problem_is_for_others(problem));
    if (*method == METHOD_AUTO && (is_needed || !problem->model->contacts.n_contact))
        *method = (int)method_choose(problem->model, &problem->discretization, &problem->why_method);
    if (need == MODEL_FOR_SIMULATE || need == MODEL_FOR_CERTIFY)
        return STATUS_OK;
    return method_check(problem->model, &problem->discretization, diag);
}

/* The name of a table of controls is left to `simulate`. */
static enum status check_simulated_controls(const struct problem *problem, struct diag *diag)
{
    const struct spec_node *node = spec_get(spec_get(spec_root(problem->spec), simulate_table.block), "controls");
    if (!node || node->kind == SPEC_NULL || node->kind == SPEC_SCALAR)
        return STATUS_OK;
    return model_check_controls(problem->model, node, diag);
}

static enum status read_settings(struct problem *problem, struct diag *diag)
{
    const struct spec_node *root = spec_root(problem->spec);
    const struct setting_eval eval = model_eval(problem->model);
    enum status st = discretization_read(spec_get(root, "discretization"), &eval, &problem->discretization, diag);
    st = worse(st, homotopy_settings_read(spec_get(root, "homotopy"), &eval, &problem->homotopy, diag));
    st = worse(st, solver_settings_read(spec_get(root, "solver"), &problem->solver, diag));
    st = worse(st, simulate_settings_read(spec_get(root, "simulate"), &eval, &problem->simulate, diag));
    st = worse(st, check_simulated_controls(problem, diag));
    st = worse(st, track_settings_read(spec_get(root, "track"), problem->model, &problem->track, diag));
    st = worse(st, settings_read(&impact_table, spec_get(root, "impact"), &eval, &problem->impact, diag));
    st = worse(st, certify_settings_read(spec_get(root, "certify"), &eval, &problem->certify, diag));
    st = worse(st, settings_read(&verify_table, spec_get(root, "verify"), &eval, &problem->verify, diag));
    st = worse(st, finish_settings_read(spec_get(root, "finish"), &eval, &problem->finish, diag));
    st = worse(
        st, settings_read(&sensitivity_table, spec_get(root, "sensitivity"), &eval, &problem->sensitivity, diag));
    st = worse(st, scenario_settings_read(root, problem->model, &problem->scenarios, diag));
    return worse(st, settings_read(&output_table, spec_get(root, "output"), &eval, &problem->output, diag));
}

enum status problem_read_spec(const struct cli_args *args, int n_override, const struct spec_override *override,
                              struct spec **spec, struct diag *diag)
{
    const char *path = args->input[0], *text = args->call ? args->call->text : NULL;
    return text ? spec_read_text(path, text, n_override, override, spec, diag)
                : spec_read_file(path, n_override, override, spec, diag);
}

/* --- What the spec names ------------------------------------------------------------------------------------- */

const char *problem_path_beside(const struct cli_args *args, const char *path, struct arena *mem)
{
    const char *spec = args->input[0], *slash = strrchr(spec, '/');
    return path[0] == '/' || !slash ? path : arena_printf(mem, "%.*s/%s", (int)(slash - spec), spec, path);
}

static void note_beside(const struct cli_args *args, const struct spec_node *node, const char *what,
                        struct diag *diag)
{
    struct arena mem = { NULL };
    if (node && node->kind == SPEC_SCALAR)
        read_files_add(diag_read_files(diag), problem_path_beside(args, node->text, &mem), what);
    arena_free(&mem);
}

void problem_note_files(const struct cli_args *args, const struct spec *spec, struct diag *diag)
{
    static const char measured[] = "what was measured";
    const struct spec_node *root = spec_root(spec), *data = spec_get(root, "data");
    const struct spec_node *tables = spec_get(root, "tables"), *defines = spec_get(root, "define");
    const struct spec_node *guess = spec_get(spec_get(root, "guess"), "file");
    note_beside(args, spec_get(spec_get(root, simulate_table.block), "controls"), "the table of simulate.controls",
                diag);
    note_beside(args, spec_get(data, "file"), measured, diag);
    for (int k = 0; data && k < data->n; k++)               /* of several experiments */
        note_beside(args, spec_get(data->child[k], "file"), measured, diag);
    for (int k = 0; tables && k < tables->n; k++)
        note_beside(args, spec_get(tables->child[k], "file"), "the values of a table", diag);
    for (int k = 0; defines && k < defines->n; k++)
        note_beside(args, spec_get(spec_get(defines->child[k], "through"), "file"), "what goes through points",
                    diag);
    if (guess && guess->kind == SPEC_SCALAR)
        output_file_note(guess->text, "the guess of the spec", diag);
}

/* Settings are read even when the model has mistakes, so that one run reports all of them. */
enum status problem_read(const struct cli_args *args, enum model_need need, struct problem *problem,
                         struct diag *diag)
{
    *problem = (struct problem){.spec = NULL};
    enum status st = problem_read_spec(args, args->n_override, args->override, &problem->spec, diag);
    if (!problem->spec)
        return st;
    problem_note_files(args, problem->spec, diag);
    if (args->experiment)
        st = worse(st, spec_take(problem->spec, "data", args->experiment, diag));
    const enum status st_model = model_read(problem->spec, need, &problem->model, diag);
    if (!problem->model)
        return worse(st, st_model);
    if (st_model != STATUS_OK && st_model != STATUS_SPEC)
        return st_model;                        /* stopped: what is not read is no mistake */
    if (st_model == STATUS_OK) {
        model_check_units(problem->model, diag);
        model_check_products(problem->model, diag);
        model_check_roots(problem->model, diag);
        model_check_contradictions(problem->model, diag);
        model_check_sliding(problem->model, diag);
        model_check_turning(problem->model, diag);
        if (need <= MODEL_FOR_SOLVE && !spec_get(spec_get(spec_root(problem->spec), "solver"), "scale"))
            model_check_scales(problem->model, diag);
    }
    const int n_errors = diag_n_errors(diag);
    st = worse(st, read_settings(problem, diag));
    if (st == STATUS_SPEC && diag_n_errors(diag) == n_errors && stop_asked())
        return diag_fail(diag, stop_status(), "stopped while the settings of the spec were read");
    if (st == STATUS_OK && st_model == STATUS_OK)
        st = model_check_unused(problem->model, diag);
    return worse(st, st_model == STATUS_OK ? choose_method(problem, need, diag) : st_model);
}

enum status problem_read_guess(const struct cli_args *args, const struct problem *problem, struct guess **guess,
                               struct diag *diag)
{
    const struct result *given = args->call ? args->call->guess : NULL;
    const char *path = args->guess_path ? args->guess_path : problem->model->guess.file;
    *guess = NULL;
    if (given)
        return guess_from_result(problem->model, given, "the guess", NAN, guess, diag);
    return path ? guess_from_file(problem->model, path, guess, diag) : STATUS_OK;
}

void problem_free(struct problem *problem)
{
    if (problem->model) {
        discretization_free(&problem->discretization);
        homotopy_settings_free(&problem->homotopy);
        solver_settings_free(&problem->solver);
        scenario_settings_free(&problem->scenarios);
    }
    model_free(problem->model);
    spec_free(problem->spec);
    free(problem->resolved);
}

struct output_origin problem_origin(const struct cli_args *args, struct problem *problem, const char *method)
{
    return (struct output_origin){
        .spec = problem->spec, .model = problem->model, .resolved = problem_resolved(problem),
        .method = method ? method : method_name((enum method)problem->discretization.method),
        .history = args->history
    };
}

/* --- The resolved spec --------------------------------------------------------------------------------------- */

const struct problem_block problem_blocks[] = {
#define AT(name) offsetof(struct problem, name)
    { &discretization_table, AT(discretization) }, { &homotopy_settings_table, AT(homotopy) },
    { &simulate_table, AT(simulate) }, { &track_table, AT(track) }, { &impact_table, AT(impact) }, { &certify_table, AT(certify) },
    { &verify_table, AT(verify) }, { &finish_table, AT(finish) }, { &sensitivity_table, AT(sensitivity) },
    { &scenario_table, AT(scenarios) }, { &output_table, AT(output) },
    { NULL, 0 }
#undef AT
};

const struct setting_table *problem_block_find(const char *name)
{
    for (const struct problem_block *block = problem_blocks; block->table; block++)
        if (strcmp(block->table->block, name) == 0)
            return block->table;
    return NULL;
}

/* The blocks that neither the model nor a table prints: as they stand in the spec. */
static void print_other_blocks(const struct spec_node *root, FILE *out)
{
    struct spec_node rest = *root;
    rest.n = 0;
    rest.child = mem_alloc((size_t)root->n, sizeof *rest.child);
    for (int i = 0; i < root->n; i++) {
        const struct shape_key *key = shape_key_find(model_spec_shape.key, root->child[i]->key);
        if (key && !key->shape && !problem_block_find(key->name))
            rest.child[rest.n++] = root->child[i];
    }
    if (rest.n > 0) {
        char *text = spec_to_yaml(&rest);
        fputs(text, out);
        free(text);
    }
    free(rest.child);
}

/* Keys of the block that have no place in its table, as they stand in the spec. */
static void print_other_keys(const struct problem *problem, const struct setting_table *table, FILE *out)
{
    const struct spec_node *block = spec_get(spec_root(problem->spec), table->block);
    for (const struct shape_key *key = table->also; key && key->name; key++) {
        struct spec_node only = { .kind = SPEC_MAPPING, .n = 1 }, *child = (struct spec_node *)spec_get(block, key->name);
        if (!child)
            continue;
        only.child = &child;
        char *text = spec_to_yaml(&only), *rest = text;
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            fprintf(out, "  %s\n", line);
        free(text);
    }
}

const char *problem_resolved(struct problem *problem)
{
    size_t size = 0;
    FILE *out = problem->resolved ? NULL : open_memstream(&problem->resolved, &size);
    if (!out)
        return problem->resolved ? problem->resolved : "";
    model_print_resolved(problem->model, out);
    for (const struct problem_block *block = problem_blocks; block->table; block++) {
        if (block->table == &discretization_table && problem->why_method)
            fprintf(out, "# discretization.method: auto became %s (%s)\n",
                    method_name((enum method)problem->discretization.method), problem->why_method);
        fprintf(out, "%s:\n", block->table->block);
        settings_print(block->table, (const char *)problem + block->at, 2, out);
        print_other_keys(problem, block->table, out);
    }
    print_other_blocks(spec_root(problem->spec), out);
    (void)fclose(out);
    return problem->resolved;
}
