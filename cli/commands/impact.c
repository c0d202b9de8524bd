#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/outputs/impact_print.h"
#include "cli/spec_command.h"

#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/output/event_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct srcpos nowhere = { NULL, 0, 0 };

/* Samples whose way is kept, and points of each, for pictures. */
enum { MAX_PATHS = 2000, MAX_PATH_POINTS = 50 };

/* --- What is asked ------------------------------------------------------------------------------------------- */

static enum status check_h(const struct problem *problem, const struct impact_state *state, struct diag *diag)
{
    const struct spec_node *root = spec_root(problem->spec), *block = spec_get(root, impact_table.block);
    double u[IMPACT_MAX_ROWS];
    if (!isnan(problem->impact.h))
        return STATUS_OK;
    impact_contact_velocity(&state->system, state->v_minus, u);
    const double stopping = impact_stopping_impulse(&state->system, u);
    const char *unit = strcmp(problem->model->time.unit, "s") == 0 ? " N s" : "";
    if (stopping > 0)
        return diag_error(diag, (block ? block : root)->pos, "impact.h", "is missing: normal impulses of a step are drawn from "
                          "[0, h]; %.2g%s would stop the fastest contact by itself", stopping, unit);
    return diag_error(diag, (block ? block : root)->pos, "impact.h",
                      "is missing: normal impulses of a step are drawn from [0, h]");
}

/* A cone that is not pointed promises nothing. */
static void warn(const struct problem *problem, const struct impact_state *state,
                 const struct impact_pointed *pointed, struct diag *diag)
{
    struct arena mem = { NULL };
    const char *names = "";
    const struct model_contact *last = NULL;
    for (int c = 0; c < state->system.n_contact; c++) {
        const struct model_contact *contact = &problem->model->contacts.contact[state->contact[c]];
        if (!pointed->is_pointed && pointed->against[c]) {
            names = arena_printf(&mem, "%s%s%s", names, *names ? ", " : "", contact->name);
            last = contact;
        }
    }
    if (!pointed->is_pointed)
        diag_add(diag, DIAG_WARNING, STATUS_OK, last ? last->pos : nowhere, "contacts",
                 "the friction cone is not pointed: %s can push against each other without moving anything, so "
                 "that samples need not end and there is no bound on their steps; those that end are as good as any",
                 *names ? names : "some contacts");
    arena_free(&mem);
}

static void note_pressed(const struct impact_sampler *sampler, struct diag *diag)
{
    if (sampler->is_pressed)
        diag_add(diag, DIAG_NOTE, STATUS_OK, nowhere, NULL,
                 "nothing approaches, but a contact slides so that its own impulse presses it down (a paradox of Painleve): the "
                 "outcomes are those of an impact without collision, which comes where no finite force is consistent");
}

/* Poisson's law can make energy grow; how often that was prevented. */
static void note_cut(const struct impact_summary *summary, struct diag *diag)
{
    if (summary->n_cut > 0)
        diag_add(diag, DIAG_NOTE, STATUS_OK, nowhere, NULL,
                 "%d of %d samples gave back less than their restitution says: with more, energy would grow", summary->n_cut,
                 summary->n_ended);
}

/* --- The command --------------------------------------------------------------------------------------------- */

/* All samples unfinished is no set; some are left out and counted. */
static enum status status_of_set(enum status st, const struct impact_summary *summary)
{
    return st == STATUS_OK && summary->n_ended == 0 ? STATUS_LIMIT : st;
}

static enum status sample_and_report(const struct cli_args *args, struct problem *problem,
                                     const struct impact_state *state, const double *x, const double *p,
                                     struct diag *diag)
{
    struct impact_step *step = impact_step_create(&state->system);
    struct impact_sampler sampler;
    struct impact_pointed pointed;
    struct impact_bound bound;
    struct impact_set set;
    struct impact_summary summary;
    struct impact_rivals rivals;
    const int max_steps = problem->impact.max_steps;
    impact_sampler_init(&sampler, step, state->v_minus, &problem->impact);
    impact_pointed_check(&state->system, &pointed);
    impact_bound_find(&state->system, state->v_minus, !sampler.has_restitution, &bound);
    warn(problem, state, &pointed, diag);
    note_pressed(&sampler, diag);
    const int most_steps = (sampler.has_restitution ? 3 : 1) * max_steps;
    const struct impact_task task = {
        .sampler = &sampler, .n_samples = problem->impact.samples,
        .n_corners = impact_n_corners(&state->system, &problem->impact), .n_paths = MAX_PATHS,
        .path_points = 1 + (most_steps < MAX_PATH_POINTS ? most_steps : MAX_PATH_POINTS),
        .max_seconds = args->max_time, .interrupt = interrupt_flag()
    };
    stop_keep();
    enum status st = impact_set_run(&task, &set);
    impact_summarize(&sampler, &set, &summary);
    note_cut(&summary, diag);
    impact_rivals_find(problem->model, problem->impact.compare, state, x, p, &rivals, diag);
    if (stop_asked())
        st = stop_status();
    const struct impact_found found = {
        .status = status_of_set(st, &summary), .from = args->from, .model = problem->model, .state = state,
        .sampler = &sampler,
        .set = &set, .summary = &summary, .n_samples = problem->impact.samples, .path_points = task.path_points,
        .pointed = &pointed, .bound = &bound, .is_compared = problem->impact.compare != 0, .rivals = &rivals, .p = p,
        .step_bound = impact_step_bound(&state->system, &pointed, state->v_minus, sampler.h,
                                        step_bound_probability)
    };
    const struct output_origin origin = problem_origin(args, problem, "impact");
    const enum status written = output_file_write(args, impacts_result(&origin, &found), diag);
    if (written == STATUS_OK)
        impact_print(args, &found);
    if (found.status == STATUS_LIMIT && summary.n_ended == 0)
        diag_add(diag, DIAG_NOTE, STATUS_OK, nowhere, NULL,
                 "no sample has ended after %d steps: raise impact.max_steps or impact.h", max_steps);
    arena_free(&summary.mem);
    arena_free(&set.mem);
    impact_step_free(step);
    impact_rivals_free(&rivals);
    return written == STATUS_OK ? found.status : written;
}

static enum status impact(const struct cli_args *args, struct problem *problem, struct diag *diag)
{
    const struct model *model = problem->model;
    double *x = mem_alloc((size_t)model->n_x, sizeof *x), *p = mem_alloc((size_t)model->n_p, sizeof *p);
    struct impact_state state = { .v_minus = NULL };
    enum status st = event_state_read(model, args->from, x, p, diag);
    if (st == STATUS_OK)
        st = impact_state_read(model, x, p, problem->impact.gap_tol, problem->discretization.directions, &state,
                               diag);
    if (st == STATUS_OK)
        st = check_h(problem, &state, diag);
    if (st == STATUS_OK)
        st = sample_and_report(args, problem, &state, x, p, diag);
    arena_free(&state.mem);
    free(x);
    free(p);
    return st;
}

enum status cmd_impact(const struct cli_args *args, struct diag *diag)
{
    return spec_command_unless_done(args, MODEL_FOR_IMPACT, "solved", impact, diag);
}
