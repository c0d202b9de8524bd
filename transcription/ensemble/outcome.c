#include "transcription/ensemble/outcome.h"

#include "core/base/mem.h"
#include "core/results/fields.h"
#include "transcription/report/finished.h"

#include <stdlib.h>

struct row { double weight, objective, error, violation; int events; enum status status; };

static const char *status_of(const void *row)
{
    return status_text(((const struct row *)row)->status);
}

static void write_table(const struct ensemble_origin *origin, const struct ensemble *found,
                        struct result_group *group)
{
#define AT(name) offsetof(struct row, name)
    static const struct result_field fields[] = {
        { .name = "weight", RESULT_DOUBLE, AT(weight), NULL, "of its objective in that of the plan" },
        { .name = "objective", RESULT_DOUBLE, AT(objective), NULL, "of the plan in this scenario" },
        { .name = "status", RESULT_TEXT, .long_name = "of the scenario", .text = status_of },
        { .name = "events", RESULT_INT, AT(events), NULL, "changes of what contacts and switches do" },
        { .name = "error", RESULT_DOUBLE, AT(error), NULL, "of the states, replayed by events" },
        { .name = "violation", RESULT_DOUBLE, AT(violation), NULL, "largest one of its conditions" },
    };
#undef AT
    const struct scenarios *list = origin->scenarios;
    const int axis = result_axis(group, "scenario", found->n, NULL, NULL, "below this group by its number");
    struct row *row = mem_alloc((size_t)found->n, sizeof *row);
    double *value = mem_alloc((size_t)found->n, sizeof *value);
    for (int i = 0; i < list->n_path; i++) {
        for (int k = 0; k < found->n; k++)
            value[k] = list->value[k * list->n_path + i];
        result_doubles(group, list->path[i], 1, &axis, value, NULL, "what varies", NULL);
    }
    for (int k = 0; k < found->n; k++) {
        const struct solution *one = &found->one[k].solution;
        row[k] = (struct row){ list->weight[k], one->best.objective, one->replay.error, one->best.violation,
                               one->best.ph->seq->n_event, one->status };
    }
    result_fields(group, 1, &axis, (struct result_rows){ row, sizeof *row, found->n }, COUNT(fields), fields);
    free(value);
    free(row);
}

/* The root is the plan's: its groups show one scenario, what it came to is that of all. */
static void set_root(const struct ensemble_origin *origin, const struct ensemble *found, struct result *result)
{
    struct result_group *root = result_group(result, "/");
    output_set_status(result, found->status);
    result_set_double(root, "objective", found->objective);
    result_set_double(root, "infeasibility", found->violation);
    if (found->status != STATUS_OK)
        result_set_text(root, "failure", found->reason);
    result_drop(result, "/spec");
    output_write_spec(origin->whole, result);
    result_drop(result, "/solver");
    output_write_effort(origin->solver, &(struct output_effort){ found->n_var, found->n_con, 0, found->nnz_jac,
                                                                 found->nnz_hess, found->work.iterations,
                                                                 found->seconds, found->work.eval_seconds,
                                                                 found->work.linear }, result);
}

struct result *ensemble_result(const struct ensemble_origin *origin, const struct ensemble *found, bool worst)
{
    const int nominal = scenarios_nominal(origin->scenarios);
    struct result *result = finished_result(&origin->scenario[nominal], origin->solver, &found->one[nominal],
                                            origin->n_uniform);
    set_root(origin, found, result);
    struct result_group *group = result_group(result, "/scenarios");
    result_set_text(group, "cost", worst ? "worst" : "mean");
    result_set_double(group, "objective", found->objective);
    result_set_int(group, "nominal", nominal);
    write_table(origin, found, group);
    for (int k = 0; k < found->n; k++) {
        struct arena mem = { NULL };
        struct result *one =
            finished_result(&origin->scenario[k], origin->solver, &found->one[k], origin->n_uniform);
        result_copy(one, "/", result, arena_printf(&mem, "/scenarios/%d", k));
        result_free(one);
        arena_free(&mem);
    }
    return result;
}
