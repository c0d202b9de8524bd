#include "cli/impact_result.h"

#include "cli/result_parts.h"
#include "core/base/mem.h"
#include "core/impact/hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Names --------------------------------------------------------------------------------------------------- */

static const struct model_contact *contact_of(const struct problem *problem, const struct impact_found *found,
                                              int c)
{
    return &problem->model->contact[found->state->contact[c]];
}

/* "leading_v_n", "leading_v_t", in 3D "leading_v_t1". */
static const char *velocity_name(const struct problem *problem, const struct impact_found *found, int c, int i,
                                 struct arena *mem)
{
    const struct model_contact *contact = contact_of(problem, found, c);
    if (i == 0)
        return arena_printf(mem, "%s_v_n", contact->name);
    return contact->n_t == 1 ? arena_printf(mem, "%s_v_t", contact->name)
                             : arena_printf(mem, "%s_v_t%d", contact->name, i);
}

static const char *mode_name(const struct problem *problem, const struct impact_found *found, int mode,
                             struct arena *mem)
{
    const char *name = "";
    for (int c = 0; c < found->state->system.n_contact; c++)
        name = arena_printf(mem, "%s%s%s %s", name, c ? ", " : "", contact_of(problem, found, c)->name,
                            impact_kind_text(impact_kind_of(mode, c)));
    return name;
}

/* --- Velocities over an axis --------------------------------------------------------------------------------- */

struct velocities { int n; const double *v; double *column; };     /* v [n * n_v] */

/* Column of contact velocity `row` of all v; in set->column. */
static const double *contact_column(const struct impact_system *system, const struct velocities *set, int row)
{
    for (int k = 0; k < set->n; k++) {
        double sum = 0;
        for (int j = 0; j < system->n_v; j++)
            sum += system->J[j + row * system->n_v] * set->v[k * system->n_v + j];
        set->column[k] = sum;
    }
    return set->column;
}

/* One dataset per velocity of the model and of the contacts. */
static void write_velocities(const struct problem *problem, const struct impact_found *found, int n,
                             const double *v, int axis, struct result_group *group)
{
    const struct impact_system *system = &found->state->system;
    const struct velocities set = { n, v, mem_alloc((size_t)n, sizeof(double)) };
    struct arena mem = { NULL };
    for (int j = 0; j < system->n_v; j++) {
        const struct model_var *var = &problem->model->x[problem->model->v_index[j]];
        for (int k = 0; k < n; k++)
            set.column[k] = v[k * system->n_v + j];
        result_doubles(group, var->name, 1, &axis, set.column, var->units, var->long_name, "state");
    }
    for (int c = 0; c < system->n_contact; c++)
        for (int i = 0; i <= system->contact[c].n_t; i++)
            result_doubles(group, velocity_name(problem, found, c, i, &mem), 1, &axis,
                           contact_column(system, &set, system->contact[c].row + i), "m/s", "", "contact");
    arena_free(&mem);
    free(set.column);
}

/* --- Samples and outcomes ------------------------------------------------------------------------------------ */

static void write_head_of_samples(const struct impact_found *found, struct result_group *group)
{
    const struct impact_summary *summary = found->summary;
    result_set_int(group, "samples", found->set->n);
    result_set_int(group, "unfinished", found->set->n - summary->n_ended);
    result_set_int(group, "unsolved", summary->n_unsolved);
    result_set_double(group, "lcps_per_sample", summary->lcps);
    result_set_double(group, "several_solutions", summary->multiple);
    result_set_double(group, "samples_per_second", found->set->n / found->set->seconds);
    result_set_double(group, "time", found->set->seconds);
    result_set_double(group, "energy_before", found->sampler->energy_minus);
    result_set_double(group, "energy_min", summary->energy_min);
    result_set_double(group, "energy_max", summary->energy_max);
    result_set_double(group, "worst_violation", summary->violation);
    result_set_double(group, "worst_energy_growth", summary->growth);
    result_set_text(group, "friction_cone", found->pointed->is_pointed ? "pointed" : "not pointed");
    result_set_double(group, "step_bound", found->step_bound);
    result_set_double(group, "step_bound_probability", step_bound_probability);
    if (found->from)
        result_set_text(group, "from", found->from);
}

/* Row in /outcomes of each mode. */
static int row_of_mode(const struct impact_summary *summary, int mode)
{
    for (int k = 0; k < summary->n_share; k++)
        if (summary->share[k].mode == mode)
            return k;
    return -1;
}

static void write_samples(const struct problem *problem, const struct impact_found *found, struct result *result)
{
    const int n = found->set->n;
    struct result_group *group = result_group(result, "/samples");
    const int axis = result_axis(group, "sample", n, NULL, NULL, NULL);
    double *val = mem_alloc((size_t)n, sizeof *val);
    int *count = mem_alloc((size_t)n, sizeof *count);
    unsigned char *flag = mem_alloc((size_t)n, sizeof *flag);
    write_head_of_samples(found, group);
    write_velocities(problem, found, n, found->set->v, axis, group);
    for (int k = 0; k < n; k++)
        count[k] = row_of_mode(found->summary, found->summary->mode[k]);
    result_ints(group, "mode", 1, &axis, count, "row of /outcomes; -1: unfinished");
    for (int k = 0; k < n; k++)
        count[k] = found->set->sample[k].n_steps;
    result_ints(group, "lcps", 1, &axis, count, "steps, each one linear complementarity problem");
    for (int k = 0; k < n; k++)
        val[k] = found->set->sample[k].energy;
    result_doubles(group, "energy", 1, &axis, val, "J", "kinetic energy", NULL);
    for (int k = 0; k < n; k++)
        flag[k] = found->set->sample[k].terminated;
    result_flags(group, "terminated", 1, &axis, flag, "no contact approaches any more");
    for (int k = 0; k < n; k++)
        flag[k] = k >= found->n_samples;
    result_flags(group, "corner", 1, &axis, flag, "drawn from the corners of the box of impulses");
    free(val);
    free(count);
    free(flag);
}

static void write_outcomes(const struct problem *problem, const struct impact_found *found, struct result *result)
{
    const struct impact_summary *summary = found->summary;
    const int n = summary->n_share;
    struct result_group *group = result_group(result, "/outcomes");
    const int axis = result_axis(group, "outcome", n, NULL, NULL, NULL);
    struct arena mem = { NULL };
    const char **text = arena_alloc(&mem, (size_t)n, sizeof *text);
    double *val = arena_alloc(&mem, (size_t)n, sizeof *val);
    int *count = arena_alloc(&mem, (size_t)n, sizeof *count);
    for (int k = 0; k < n; k++) {
        text[k] = mode_name(problem, found, summary->share[k].mode, &mem);
        count[k] = summary->share[k].n;
        val[k] = (double)count[k] / summary->n_ended;
    }
    result_texts(group, "name", 1, &axis, text, "what the contacts do after the impact");
    result_ints(group, "samples", 1, &axis, count, "");
    result_doubles(group, "share", 1, &axis, val, "1", "of the samples that ended", NULL);
    for (int k = 0; k < n; k++)
        val[k] = summary->share[k].energy_min;
    result_doubles(group, "energy_min", 1, &axis, val, "J", "kinetic energy", NULL);
    for (int k = 0; k < n; k++)
        val[k] = summary->share[k].energy_max;
    result_doubles(group, "energy_max", 1, &axis, val, "J", "kinetic energy", NULL);
    arena_free(&mem);
}

static void write_contacts(const struct problem *problem, const struct impact_found *found, struct result *result)
{
    const struct impact_system *system = &found->state->system;
    const struct impact_summary *summary = found->summary;
    struct result_group *group = result_group(result, "/contacts");
    struct arena mem = { NULL };
    const int n = system->n_row, axis = result_axis(group, "velocity", n, NULL, NULL, NULL);
    const char **text = arena_alloc(&mem, (size_t)n, sizeof *text);
    for (int c = 0; c < system->n_contact; c++)
        for (int i = 0; i <= system->contact[c].n_t; i++)
            text[system->contact[c].row + i] = velocity_name(problem, found, c, i, &mem);
    result_texts(group, "name", 1, &axis, text, "contact velocity");
    result_doubles(group, "before", 1, &axis, found->sampler->u_minus, "m/s", "", NULL);
    result_doubles(group, "least", 1, &axis, summary->u_min, "m/s", "after the impact", NULL);
    result_doubles(group, "largest", 1, &axis, summary->u_max, "m/s", "after the impact", NULL);
    arena_free(&mem);
}

/* --- Hulls and paths ----------------------------------------------------------------------------------------- */

static void write_hull(const struct problem *problem, const struct impact_found *found, const int contact[2],
                       const int part[2], struct result *result)
{
    const struct impact_system *system = &found->state->system;
    struct arena mem = { NULL };
    const struct velocities set = { found->set->n, found->set->v,
                                    arena_alloc(&mem, (size_t)found->set->n, sizeof(double)) };
    struct hull_point *point = arena_alloc(&mem, (size_t)set.n, sizeof *point);
    const double *column = contact_column(system, &set, system->contact[contact[0]].row + part[0]);
    for (int k = 0; k < set.n; k++)
        point[k].x = found->summary->mode[k] < 0 ? (double)NAN : column[k];
    column = contact_column(system, &set, system->contact[contact[1]].row + part[1]);
    for (int k = 0; k < set.n; k++)
        point[k].y = column[k];
    const int n = hull_convex(set.n, point);
    struct result_group *group = result_group(result, "/hull");
    const char *name = arena_printf(&mem, "%s__%s", velocity_name(problem, found, contact[0], part[0], &mem),
                                    velocity_name(problem, found, contact[1], part[1], &mem));
    const int axes[2] = { result_axis(group, arena_printf(&mem, "corner_%s", name), n, NULL, NULL, NULL),
                          result_axis(group, "coordinate", 2, NULL, NULL, NULL) };
    double *val = arena_alloc(&mem, 2 * (size_t)n, sizeof *val);
    for (int k = 0; k < n; k++) {
        val[2 * k] = point[k].x;
        val[2 * k + 1] = point[k].y;
    }
    result_doubles(group, name, 2, axes, val, "m/s", "corners of the convex hull, counterclockwise", NULL);
    arena_free(&mem);
}

/* Normal velocities of each two contacts, and the velocities of each contact. */
static void write_hulls(const struct problem *problem, const struct impact_found *found, struct result *result)
{
    const struct impact_system *system = &found->state->system;
    for (int c = 0; c < system->n_contact; c++) {
        for (int d = c + 1; d < system->n_contact; d++)
            write_hull(problem, found, (const int[]){ c, d }, (const int[]){ 0, 0 }, result);
        for (int i = 0; i < system->contact[c].n_t; i++)
            for (int j = i + 1; j <= system->contact[c].n_t; j++)
                write_hull(problem, found, (const int[]){ c, c }, (const int[]){ i, j }, result);
    }
}

/* n ways of n_points points each, of [n_row] contact velocities; NULL where a way is not known or has ended. */
struct ways { int n, n_points; const double *const *point; };      /* [n * n_points] */

static void write_ways(const struct problem *problem, const struct impact_found *found, const struct ways *ways,
                       const int axes[2], struct result_group *group)
{
    const struct impact_system *system = &found->state->system;
    struct arena mem = { NULL };
    double *val = arena_alloc(&mem, (size_t)(ways->n * ways->n_points), sizeof *val);
    for (int c = 0; c < system->n_contact; c++)
        for (int i = 0; i <= system->contact[c].n_t; i++) {
            for (int k = 0; k < ways->n * ways->n_points; k++)
                val[k] = ways->point[k] ? ways->point[k][system->contact[c].row + i] : (double)NAN;
            result_doubles(group, velocity_name(problem, found, c, i, &mem), 2, axes, val, "m/s", "", "contact");
        }
    arena_free(&mem);
}

static void write_paths(const struct problem *problem, const struct impact_found *found, struct result *result)
{
    const int n = found->set->n_paths, n_points = found->path_points, n_row = found->state->system.n_row;
    struct result_group *group = result_group(result, "/paths");
    const int axes[2] = { result_axis(group, "path", n, NULL, NULL, "first samples"),
                          result_axis(group, "step", n_points, NULL, NULL, NULL) };
    const double **point = mem_alloc((size_t)(n * n_points), sizeof *point);
    for (int k = 0; k < n * n_points; k++)
        point[k] = found->set->path + k * n_row;        /* NAN where the path has ended */
    write_ways(problem, found, &(struct ways){ n, n_points, point }, axes, group);
    free(point);
}

/* --- Other laws ---------------------------------------------------------------------------------------------- */

static void write_comparison(const struct problem *problem, const struct impact_found *found,
                             struct result *result)
{
    const struct impact_system *system = &found->state->system;
    const int n = found->n_rivals;
    if (problem->impact.compare == 0)
        return;
    struct result_group *group = result_group(result, "/comparison");
    struct arena mem = { NULL };
    const int axis = result_axis(group, "rival", n, NULL, NULL, "outcomes of other laws");
    const char **text = arena_alloc(&mem, (size_t)n, sizeof *text);
    double *val = arena_alloc(&mem, (size_t)n, sizeof *val);
    double *v = arena_alloc(&mem, (size_t)(n * system->n_v), sizeof *v);
    unsigned char *flag = arena_alloc(&mem, (size_t)n, sizeof *flag);
    for (int k = 0; k < n; k++)
        text[k] = found->rival[k].law;
    result_texts(group, "law", 1, &axis, text, "");
    for (int k = 0; k < n; k++)
        text[k] = found->rival[k].order;
    result_texts(group, "order", 1, &axis, text, "of contacts in a sequence; what a sweep varies");
    for (int k = 0; k < n; k++) {
        val[k] = found->rival[k].parameter;
        flag[k] = found->rival[k].is_complete;
        memcpy(v + k * system->n_v, found->rival[k].v, (size_t)system->n_v * sizeof *v);
    }
    result_doubles(group, "parameter", 1, &axis, val, NULL, "of a sweep", NULL);
    for (int k = 0; k < n; k++)
        val[k] = found->rival[k].first_share;
    result_doubles(group, "first_share", 1, &axis, val, "1",
                   "of the impulse of the contact that began, what came before the other one's", NULL);
    result_flags(group, "complete", 1, &axis, flag, "the law came to an end");
    write_velocities(problem, found, n, v, axis, group);
    for (int k = 0; k < n; k++)
        val[k] = impact_energy(system, v + k * system->n_v);
    result_doubles(group, "energy", 1, &axis, val, "J", "kinetic energy", NULL);
    arena_free(&mem);
}

static void write_comparison_paths(const struct problem *problem, const struct impact_found *found,
                                   struct result *result)
{
    const int n = found->n_rivals, n_row = found->state->system.n_row;
    int n_points = 0;
    for (int k = 0; k < n; k++)
        if (found->rival[k].n_points > n_points)
            n_points = found->rival[k].n_points;
    if (n_points == 0)
        return;
    struct result_group *group = result_group(result, "/comparison_paths");
    const int axes[2] = { result_axis(group, "rival", n, NULL, NULL, "as in /comparison"),
                          result_axis(group, "turn", n_points, NULL, NULL, NULL) };
    const double **point = mem_alloc((size_t)(n * n_points), sizeof *point);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < found->rival[k].n_points; i++)
            point[k * n_points + i] = found->rival[k].path + i * n_row;
    write_ways(problem, found, &(struct ways){ n, n_points, point }, axes, group);
    free(point);
}

/* --- The file ------------------------------------------------------------------------------------------------ */

enum status impact_result_write(const struct cli_args *args, const struct problem *problem,
                                const struct impact_found *found, const char *out_path, struct diag *diag)
{
    const struct result_head head = { found->status, NAN, NAN, NAN };
    struct result *result = result_create();
    write_head(args, problem, &head, result);
    result_set_text(result_group(result, "/"), "method", "impact");
    write_parameters(problem, found->p, result);
    write_samples(problem, found, result);
    write_outcomes(problem, found, result);
    write_contacts(problem, found, result);
    write_hulls(problem, found, result);
    write_paths(problem, found, result);
    write_comparison(problem, found, result);
    write_comparison_paths(problem, found, result);
    write_spec(problem, result);
    const enum status st = result_write(result, out_path, diag);
    result_free(result);
    return st;
}
