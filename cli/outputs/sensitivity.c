#include "cli/outputs/sensitivity.h"

#include "core/base/mem.h"
#include "core/model/read/read.h"
#include "transcription/report/sensitivities.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SENSITIVITY_STEP 1e-5       /* of a number, or of 1 where it is 0: half the step of differences */

/* The model of the spec with one number changed; NULL if there is none. */
struct changed { struct spec *spec; struct model *model; };

static struct changed read_changed(const struct cli_args *args, const char *path, double value)
{
    struct changed changed = { NULL, NULL };
    char text[40];
    const int n = args->n_override;
    struct spec_override *override = mem_alloc((size_t)n + 1, sizeof *override);
    struct diag *silent = diag_create();
    snprintf(text, sizeof text, "%.17g", value);
    for (int k = 0; k < n; k++)
        override[k] = args->override[k];
    override[n] = (struct spec_override){ .path = path, .value = text };
    if (problem_read_spec(args, n + 1, override, &changed.spec, silent) == STATUS_OK
        && model_read(changed.spec, MODEL_FOR_SOLVE, &changed.model, silent) != STATUS_OK) {
        model_free(changed.model);
        changed.model = NULL;
    }
    diag_free(silent);
    free(override);
    return changed;
}

static void changed_free(struct changed *changed)
{
    model_free(changed->model);
    spec_free(changed->spec);
}

static void add_number(struct sensitivities *list, const struct cli_args *args, const char *path, const char *name,
                       const char *units, const char *kind, double value)
{
    const double half = SENSITIVITY_STEP * (value != 0 ? fabs(value) : 1);
    struct changed less = read_changed(args, path, value - half), more = read_changed(args, path, value + half);
    sensitivities_add(list, name, units, kind, value, less.model, more.model, 2 * half);
    changed_free(&less);
    changed_free(&more);
}

/* Is the parameter a plain number in the spec? */
static bool is_number(const struct spec *spec, const struct model_param *param)
{
    const struct spec_node *node = spec_get(spec_get(spec_root(spec), "parameters"), param->name);
    const struct spec_node *value = node && node->kind == SPEC_MAPPING ? spec_get(node, "value") : node;
    char *end = NULL;
    if (param->optimize || !value || value->kind != SPEC_SCALAR)
        return false;
    (void)strtod(value->text, &end);
    return end != value->text && *end == 0;
}

void sensitivity_add(const struct cli_args *args, const struct problem *problem, const struct finish *finish,
                     struct result *result)
{
    const struct model *model = problem->model;
    struct sensitivities *list = sensitivities_create(finish, problem->output.points);
    struct arena mem = { NULL };
    for (int i = 0; i < model->n_x; i++)
        if (model->x[i].initial.kind == END_FIXED)
            add_number(list, args, arena_printf(&mem, "states.%s.initial", model->x[i].name), model->x[i].name,
                       model->x[i].units, "initial value", model->x[i].initial.lo);
    for (int k = 0; k < model->n_param; k++)
        if (is_number(problem->spec, &model->param[k]))
            add_number(list, args, arena_printf(&mem, "parameters.%s", model->param[k].name), model->param[k].name,
                       model->param[k].units, "parameter", model->param[k].value);
    sensitivities_write(list, result);
    sensitivities_free(list);
    arena_free(&mem);
}
