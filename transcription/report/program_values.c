#include "transcription/report/program_values.h"

#include "core/base/mem.h"
#include "core/results/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const sign_text =
    "gradient of the objective + sum of multiplier times gradient of its row or variable = 0: raising an active bound by d "
    "changes the objective by - multiplier d";
static const char *const units_text = "of the objective per unit of the row";

/* A row or a variable. */
struct entry {
    int constraint, interval, element, stage;
    double t, lower, upper, value, multiplier;
};

/* All entries of one name and path. */
struct group {
    const struct mpcc_label *label;
    bool is_bound;
    int line;                       /* of the spec */
    int n, place;                   /* entries; place in /residuals */
    double violation, t, multiplier, t_multiplier;
};

struct table {
    struct arena mem;
    const struct phases *ph;
    double *start;                  /* [n_piece + 1] of pieces */
    int n_entry, n_row;             /* rows first */
    struct entry *entry;
    int n_group;
    struct group *group;
};

/* --- Reading ------------------------------------------------------------------------------------------------- */

static double time_of(const struct table *table, const struct mpcc_label *label)
{
    const struct phases *ph = table->ph;
    int k = 0;
    if (label->element < 0) {
        while (k < ph->n_piece && ph->piece[k].interval != label->interval) k++;
        return k < ph->n_piece ? table->start[k] : NAN;
    }
    k = ph->piece_of[label->element];
    const double part = label->stage > 0 ? ph->c[label->stage - 1] : 0;
    return table->start[k] + (table->start[k + 1] - table->start[k])
                             * (ph->from[label->element] + part * ph->part[label->element]);
}

/* An interior time lies at a part of its element that no stage has. */
static double time_at(const struct table *table, const struct phase_interior_time *at, const double *w)
{
    const struct phases *ph = table->ph;
    const double part = at->tau >= 0 ? w[at->tau] : at->c,
                 length = table->start[at->piece + 1] - table->start[at->piece];
    return table->start[at->piece] + length * (ph->from[at->element] + part * ph->part[at->element]);
}

static double time_of_row(const struct table *table, int row, const double *w)
{
    const struct phases *ph = table->ph;
    for (int k = 0; k < ph->n_interior_time; k++)
        for (int i = 0; i < ph->interior_time[k].n_row; i++)
            if (ph->interior_time[k].row[i] == row)
                return time_at(table, &ph->interior_time[k], w);
    return time_of(table, &ph->mpcc.row[row]);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static int group_of(struct table *table, const struct mpcc_label *label, bool is_bound)
{
    int k = table->n_group - 1;
    for (; k >= 0; k--) {
        const struct group *group = &table->group[k];
        if (group->is_bound == is_bound && same_text(group->label->name, label->name)
            && same_text(group->label->path, label->path))
            return k;
    }
    table->group = mem_grow(table->group, table->n_group, 1, sizeof *table->group);
    table->group[table->n_group] = (struct group){ .label = label, .is_bound = is_bound, .line = label->pos.line,
                                                   .violation = -1, .t = NAN, .t_multiplier = NAN };
    return table->n_group++;
}

static void add(struct table *table, const struct mpcc_label *label, double t, bool is_bound, double lower,
                double upper, double value, double multiplier)
{
    const double violation = fmax(0, fmax(lower - value, value - upper));
    const int k = group_of(table, label, is_bound);
    struct group *group = &table->group[k];
    table->entry[table->n_entry++] =
        (struct entry){ k, label->interval, label->element, label->stage, t, lower, upper, value, multiplier };
    group->n++;
    if (violation > group->violation) {
        group->violation = violation;
        group->t = t;
    }
    if (fabs(multiplier) > fabs(group->multiplier)) {
        group->multiplier = multiplier;
        group->t_multiplier = t;
    }
}

static int worse_first(const void *a, const void *b)
{
    const struct group *const *first = a, *const *second = b;
    const double difference = (*second)->violation - (*first)->violation;
    if (difference != 0)
        return difference > 0 ? 1 : -1;
    return *first < *second ? -1 : 1;           /* groups lie in one array: the order of the program */
}

/* The groups in the order of /residuals; entries point there. */
static struct group *sort(struct table *table)
{
    const size_t n = (size_t)table->n_group;
    struct group **order = mem_alloc(n, sizeof *order), *sorted = arena_alloc(&table->mem, n, sizeof *sorted);
    for (size_t k = 0; k < n; k++)
        order[k] = &table->group[k];
    qsort(order, n, sizeof *order, worse_first);
    for (size_t k = 0; k < n; k++) {
        order[k]->place = (int)k;
        sorted[k] = *order[k];
    }
    for (int k = 0; k < table->n_entry; k++)
        table->entry[k].constraint = table->group[table->entry[k].constraint].place;
    free(order);
    return sorted;
}

/* Of fixed variables the solver gives no multipliers: what makes the gradient of the Lagrangian 0. z
 * [n_w], upper minus lower bound. */
static void complete_multipliers(const struct finish *best, double *z, struct arena *mem)
{
    const struct nlp *nlp = &best->ph->mpcc.nlp;
    double *gradient = arena_alloc(mem, (size_t)nlp->n_w, sizeof *gradient);
    double *jac = arena_alloc(mem, (size_t)nlp->jac.nnz, sizeof *jac);
    const bool known =
        nlp->eval_grad(nlp->user, best->w, true, gradient) && nlp->eval_jac(nlp->user, best->w, false, jac);
    for (int k = 0; k < nlp->n_w; k++) {
        z[k] = best->z_upper[k] - best->z_lower[k];
        if (nlp->lbw[k] < nlp->ubw[k] || !known)
            continue;
        z[k] = -gradient[k];
        for (int e = nlp->jac.colptr[k]; e < nlp->jac.colptr[k + 1]; e++)
            z[k] -= jac[e] * best->lambda[nlp->jac.rowind[e]];
    }
}

static struct table read_program(const struct finish *best)
{
    const struct phases *ph = best->ph;
    const struct nlp *nlp = &ph->mpcc.nlp;
    struct table table = { .ph = ph, .n_row = nlp->n_g };
    double *g = arena_alloc(&table.mem, (size_t)nlp->n_g, sizeof *g);
    double *z = arena_alloc(&table.mem, (size_t)nlp->n_w, sizeof *z);
    double *event = arena_alloc(&table.mem, (size_t)ph->seq->n_event, sizeof *event);
    table.start = arena_alloc(&table.mem, (size_t)ph->n_piece + 1, sizeof *table.start);
    table.entry = arena_alloc(&table.mem, (size_t)(nlp->n_g + nlp->n_w), sizeof *table.entry);
    phases_times(ph, best->w, table.start, event);
    complete_multipliers(best, z, &table.mem);
    nlp->eval_g(nlp->user, best->w, true, g);
    for (int k = 0; k < nlp->n_g; k++)
        add(&table, &ph->mpcc.row[k], time_of_row(&table, k, best->w), false, nlp->lbg[k], nlp->ubg[k], g[k],
            best->lambda[k]);
    for (int k = 0; k < nlp->n_w; k++)
        add(&table, &ph->mpcc.var[k], time_of(&table, &ph->mpcc.var[k]), true, nlp->lbw[k], nlp->ubw[k], best->w[k],
            z[k]);
    return table;
}

/* --- Writing ------------------------------------------------------------------------------------------------- */

static const char *path_of_group(const void *row)
{
    const struct group *group = row;
    return group->label->path ? group->label->path : "";
}

static const char *name_of_group(const void *row)
{
    const struct group *group = row;
    return group->label->name;
}

static const char *kind_of_group(const void *row)
{
    const struct group *group = row;
    return group->is_bound ? "bound" : "row";
}

static void describe(struct result_group *group)
{
    result_set_text(group, "multiplier_sign", sign_text);
    result_set_text(group, "multiplier_units", units_text);
}

static void write_groups(const struct table *table, const struct group *sorted, struct result *result)
{
#define AT(name) offsetof(struct group, name)
    static const struct result_field fields[] = {
        { .name = "name", RESULT_TEXT, .text = name_of_group },
        { .name = "path", RESULT_TEXT, .long_name = "spec path", .text = path_of_group },
        { .name = "line", RESULT_INT, AT(line), NULL, "line of the spec; 0: none" },
        { .name = "kind", RESULT_TEXT, .long_name = "row, or bound of a variable", .text = kind_of_group },
        { .name = "n", RESULT_INT, AT(n), NULL, "how many there are on the grid" },
        { .name = "violation", RESULT_DOUBLE, AT(violation), NULL, "largest of them, absolute, in the units of the row" },
        { .name = "t", RESULT_DOUBLE, AT(t), UNITS_TIME, "of the largest violation" },
        { .name = "multiplier", RESULT_DOUBLE, AT(multiplier), NULL, "largest of them; see multiplier_sign" },
        { .name = "t_multiplier", RESULT_DOUBLE, AT(t_multiplier), UNITS_TIME, "of the largest multiplier" },
    };
#undef AT
    struct result_group *group = result_group(result, "/residuals");
    const int axis = result_axis(group, "constraint", table->n_group, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ sorted, sizeof *sorted, table->n_group }, COUNT(fields),
                  fields);
    describe(group);
}

static void write_entries(struct result *result, const char *path, const char *axis_name, int n,
                          const struct entry *entry)
{
#define AT(name) offsetof(struct entry, name)
    static const struct result_field fields[] = {
        { .name = "constraint", RESULT_INT, AT(constraint), NULL, "row of /residuals, which has its name" },
        { .name = "interval", RESULT_INT, AT(interval), NULL, "control interval; -1: none" },
        { .name = "element", RESULT_INT, AT(element), NULL, "element of /grid; -1: none" },
        { .name = "stage", RESULT_INT, AT(stage), NULL, "Runge-Kutta stage from 1; 0: left boundary; -1: none" },
        { .name = "t", RESULT_DOUBLE, AT(t), UNITS_TIME, "physical time" },
        { .name = "lower", RESULT_DOUBLE, AT(lower) },
        { .name = "upper", RESULT_DOUBLE, AT(upper) },
        { .name = "value", RESULT_DOUBLE, AT(value), NULL, "in the units of the row" },
        { .name = "multiplier", RESULT_DOUBLE, AT(multiplier), NULL, "see multiplier_sign" },
    };
#undef AT
    struct result_group *group = result_group(result, path);
    const int axis = result_axis(group, axis_name, n, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ entry, sizeof *entry, n }, COUNT(fields), fields);
    describe(group);
}

void program_values_write(const struct finish *best, struct result *result)
{
    struct table table = read_program(best);
    const struct group *sorted = sort(&table);
    write_groups(&table, sorted, result);
    write_entries(result, "/grid/rows", "row", table.n_row, table.entry);
    write_entries(result, "/grid/variables", "variable", table.n_entry - table.n_row, table.entry + table.n_row);
    free(table.group);
    arena_free(&table.mem);
}
