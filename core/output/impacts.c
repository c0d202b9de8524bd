#include "core/output/impacts.h"

#include "core/base/mem.h"
#include "core/impact/hull.h"
#include "core/output/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Names --------------------------------------------------------------------------------------------------- */

static const struct model_contact *contact_of(const struct impact_found *found, int c)
{
    return &found->model->contacts.contact[found->state->contact[c]];
}

static const char *mode_name(const struct impact_found *found, int mode, struct arena *mem)
{
    const char *name = "";
    for (int c = 0; c < found->state->system.n_contact; c++)
        name = arena_printf(mem, "%s%s%s %s", name, c ? ", " : "", contact_of(found, c)->name,
                            impact_kind_text(impact_kind_of(mode, c)));
    return name;
}

/* --- Velocities over an axis --------------------------------------------------------------------------------- */

double *impacts_unweigh(const struct impact_found *found, int n, const double *u, struct arena *mem)
{
    const struct impact_system *system = &found->state->system;
    double *out = arena_copy(mem, u, (size_t)n * (size_t)system->n_row, sizeof *out);
    double *weight = arena_alloc(mem, SLIP_MAX * (size_t)found->model->contacts.n_contact, sizeof *weight);
    model_weights(found->model, found->p, weight);
    for (int k = 0; k < n; k++)
        for (int c = 0; c < system->n_contact; c++)
            for (int i = 0; i < system->contact[c].n_t; i++)
                out[k * system->n_row + system->contact[c].row + 1 + i] /=
                    weight[SLIP_MAX * found->state->contact[c] + i];
    return out;
}

/* One dataset for each contact velocity: rows of [n_row]. */
static void write_contact_velocities(const struct impact_found *found, int n, const double *u, int n_axes,
                                     const int *axis, struct result_group *group)
{
    const struct impact_system *system = &found->state->system;
    struct arena mem = { NULL };
    const struct result_rows rows = { impacts_unweigh(found, n, u, &mem), (size_t)system->n_row * sizeof *u, n };
    for (int c = 0; c < system->n_contact; c++)
        for (int part = 0; part <= system->contact[c].n_t; part++) {
            const struct result_field field = {
                columns_contact_name(contact_of(found, c), "v", part, &mem), RESULT_DOUBLE,
                (size_t)(system->contact[c].row + part) * sizeof *u, UNITS_SPEED, .role = "contact"
            };
            result_fields(group, n_axes, axis, rows, 1, &field);
        }
    arena_free(&mem);
}

/* Contact velocities of n velocities v [n * n_v]: [n * n_row], malloc'ed. */
static double *contact_velocities(const struct impact_system *system, int n, const double *v)
{
    double *u = mem_alloc((size_t)n * (size_t)system->n_row, sizeof *u);
    for (int k = 0; k < n; k++)
        impact_contact_velocity(system, v + (size_t)k * (size_t)system->n_v, u + (size_t)k * (size_t)system->n_row);
    return u;
}

/* One dataset per velocity of the model and of the contacts. */
static void write_velocities(const struct impact_found *found, int n, const double *v, int axis,
                             struct result_group *group)
{
    const struct impact_system *system = &found->state->system;
    double *u = contact_velocities(system, n, v);
    for (int j = 0; j < system->n_v; j++) {
        const struct model_var *var = &found->model->x[found->model->mechanics.v_index[j]];
        const struct result_field field = { var->name, RESULT_DOUBLE, (size_t)j * sizeof *v, var->units,
                                            var->long_name, "state", .room = 0 };
        result_fields(group, 1, &axis, (struct result_rows){ v, (size_t)system->n_v * sizeof *v, n }, 1, &field);
    }
    write_contact_velocities(found, n, u, 1, &axis, group);
    free(u);
}

/* --- Samples and outcomes ------------------------------------------------------------------------------------ */

static void write_head_of_samples(const struct impact_found *found, struct result_group *group)
{
    const struct impact_summary *summary = found->summary;
    result_set_int(group, "samples", found->set->n);
    result_set_int(group, "unfinished", found->set->n - summary->n_ended);
    result_set_int(group, "unsolved", summary->n_unsolved);
    result_set_int(group, "restitution_cut", summary->n_cut);
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

struct sample_row { struct impact_sample sample; int mode; bool is_corner; };

static void write_samples(const struct impact_found *found, struct result *result)
{
#define AT(name) offsetof(struct sample_row, name)
    static const struct result_field fields[] = {
        { .name = "mode", RESULT_INT, AT(mode), NULL, "row of /outcomes; -1: unfinished" },
        { .name = "lcps", RESULT_INT, AT(sample.n_steps), NULL, "steps, each one linear complementarity problem" },
        { .name = "energy", RESULT_DOUBLE, AT(sample.energy), "J", "kinetic energy" },
        { .name = "terminated", RESULT_FLAG, AT(sample.terminated), NULL, "no contact approaches any more" },
        { .name = "corner", RESULT_FLAG, AT(is_corner), NULL, "drawn from the corners of the box of impulses" },
    };
#undef AT
    const int n = found->set->n;
    struct result_group *group = result_group(result, "/samples");
    const int axis = result_axis(group, "sample", n, NULL, NULL, NULL);
    struct sample_row *row = mem_alloc((size_t)n, sizeof *row);
    for (int k = 0; k < n; k++)
        row[k] = (struct sample_row){ found->set->sample[k], row_of_mode(found->summary, found->summary->mode[k]),
                                      k >= found->n_samples };
    write_head_of_samples(found, group);
    write_velocities(found, n, found->set->v, axis, group);
    result_fields(group, 1, &axis, (struct result_rows){ row, sizeof *row, n }, COUNT(fields), fields);
    free(row);
}

struct outcome_row { struct impact_share share; const char *name; double part; };

static void write_outcomes(const struct impact_found *found, struct result *result)
{
#define AT(name) offsetof(struct outcome_row, name)
    static const struct result_field fields[] = {
        { .name = "name", RESULT_TEXT, AT(name), NULL, "what the contacts do after the impact" },
        { .name = "samples", RESULT_INT, AT(share.n) },
        { .name = "share", RESULT_DOUBLE, AT(part), "1", "of the samples that ended" },
        { .name = "energy_min", RESULT_DOUBLE, AT(share.energy_min), "J", "kinetic energy" },
        { .name = "energy_max", RESULT_DOUBLE, AT(share.energy_max), "J", "kinetic energy" },
    };
#undef AT
    const struct impact_summary *summary = found->summary;
    const int n = summary->n_share;
    struct result_group *group = result_group(result, "/outcomes");
    const int axis = result_axis(group, "outcome", n, NULL, NULL, NULL);
    struct arena mem = { NULL };
    struct outcome_row *row = arena_alloc(&mem, (size_t)n, sizeof *row);
    for (int k = 0; k < n; k++)
        row[k] = (struct outcome_row){ summary->share[k], mode_name(found, summary->share[k].mode, &mem),
                                       (double)summary->share[k].n / summary->n_ended };
    result_fields(group, 1, &axis, (struct result_rows){ row, sizeof *row, n }, COUNT(fields), fields);
    arena_free(&mem);
}

static void write_contacts(const struct impact_found *found, struct result *result)
{
    const struct impact_system *system = &found->state->system;
    struct result_group *group = result_group(result, "/contacts");
    struct arena mem = { NULL };
    const int n = system->n_row, axis = result_axis(group, "velocity", n, NULL, NULL, NULL);
    const char **text = arena_alloc(&mem, (size_t)n, sizeof *text);
    for (int c = 0; c < system->n_contact; c++)
        for (int part = 0; part <= system->contact[c].n_t; part++)
            text[system->contact[c].row + part] = columns_contact_name(contact_of(found, c), "v", part, &mem);
    result_texts(group, "name", 1, &axis, text, "contact velocity");
    result_doubles(group, "before", 1, &axis, impacts_unweigh(found, 1, found->sampler->u_minus, &mem),
                   UNITS_SPEED, "", NULL);
    result_doubles(group, "least", 1, &axis, impacts_unweigh(found, 1, found->summary->u_min, &mem), UNITS_SPEED,
                   "after the impact", NULL);
    result_doubles(group, "largest", 1, &axis, impacts_unweigh(found, 1, found->summary->u_max, &mem), UNITS_SPEED,
                   "after the impact", NULL);
    result_doubles(group, "bound_least", 1, &axis, impacts_unweigh(found, 1, found->bound->least, &mem),
                   UNITS_SPEED, "no outcome is below, sampled or not", NULL);
    result_doubles(group, "bound_largest", 1, &axis, impacts_unweigh(found, 1, found->bound->largest, &mem),
                   UNITS_SPEED, "no outcome is above, sampled or not", NULL);
    arena_free(&mem);
}

/* --- Hulls and paths ----------------------------------------------------------------------------------------- */

struct velocity_of { int contact, part; };

/* Two of the contact velocities u [set.n * n_row] against each other. */
static void write_hull(const struct impact_found *found, const double *u, struct velocity_of x,
                       struct velocity_of y, struct result *result)
{
    const struct impact_system *system = &found->state->system;
    const int n = found->set->n, x_row = system->contact[x.contact].row + x.part;
    const int y_row = system->contact[y.contact].row + y.part;
    struct arena mem = { NULL };
    struct hull_point *point = arena_alloc(&mem, (size_t)n, sizeof *point);
    for (int k = 0; k < n; k++) {
        const double *row = u + (size_t)k * (size_t)system->n_row;
        point[k] = (struct hull_point){ found->summary->mode[k] < 0 ? (double)NAN : row[x_row], row[y_row] };
    }
    const int n_corner = hull_convex(n, point);
    struct result_group *group = result_group(result, "/hull");
    const char *name = arena_printf(&mem, "%s__%s",
                                    columns_contact_name(contact_of(found, x.contact), "v", x.part, &mem),
                                    columns_contact_name(contact_of(found, y.contact), "v", y.part, &mem));
    const int axes[2] = { result_axis(group, arena_printf(&mem, "corner_%s", name), n_corner, NULL, NULL, NULL),
                          result_axis(group, "coordinate", 2, NULL, NULL, NULL) };
    const struct result_field field = { name, RESULT_DOUBLE, 0, UNITS_SPEED,
                                        "corners of the convex hull, counterclockwise", .room = 0 };
    result_fields(group, 2, axes, (struct result_rows){ point, sizeof *point, n_corner }, 1, &field);
    arena_free(&mem);
}

/* Normal velocities of each two contacts, and the velocities of each contact. */
static void write_hulls(const struct impact_found *found, struct result *result)
{
    const struct impact_system *system = &found->state->system;
    struct arena mem = { NULL };
    double *weighted = contact_velocities(system, found->set->n, found->set->v);
    const double *u = impacts_unweigh(found, found->set->n, weighted, &mem);
    for (int c = 0; c < system->n_contact; c++) {
        for (int d = c + 1; d < system->n_contact; d++)
            write_hull(found, u, (struct velocity_of){ c, 0 }, (struct velocity_of){ d, 0 }, result);
        for (int i = 0; i < system->contact[c].n_t; i++)
            for (int j = i + 1; j <= system->contact[c].n_t; j++)
                write_hull(found, u, (struct velocity_of){ c, i }, (struct velocity_of){ c, j }, result);
    }
    arena_free(&mem);
    free(weighted);
}

/* NAN where a path has ended. */
static void write_paths(const struct impact_found *found, struct result *result)
{
    const int n = found->set->n_paths, n_points = found->path_points;
    struct result_group *group = result_group(result, "/paths");
    const int axes[2] = { result_axis(group, "path", n, NULL, NULL, "first samples"),
                          result_axis(group, "step", n_points, NULL, NULL, NULL) };
    static const struct result_field s = { "s", RESULT_DOUBLE, 0, UNITS_IMPULSE, "normal impulse of all contacts until then", .room = 0 };
    write_contact_velocities(found, n * n_points, found->set->path, 2, axes, group);
    result_fields(group, 2, axes, (struct result_rows){ found->set->path_s, sizeof(double), n * n_points }, 1, &s);
}

/* --- Other laws ---------------------------------------------------------------------------------------------- */

static void write_comparison(const struct impact_found *found, struct result *result)
{
#define AT(name) offsetof(struct impact_rival, name)
    static const struct result_field fields[] = {
        { .name = "law", RESULT_TEXT, AT(law) },
        { .name = "order", RESULT_TEXT, AT(order), NULL, "of contacts in a sequence; what a sweep varies" },
        { .name = "parameter", RESULT_DOUBLE, AT(parameter), NULL, "of a sweep" },
        { .name = "first_share", RESULT_DOUBLE, AT(first_share), "1",
          "of the impulse of the contact that began, what came before the other one's" },
        { .name = "complete", RESULT_FLAG, AT(is_complete), NULL, "the law came to an end" },
    };
    static const struct result_field energy
        = { .name = "energy", RESULT_DOUBLE, AT(energy), "J", "kinetic energy" };
#undef AT
    const size_t n_v = (size_t)found->state->system.n_v;
    const int n = found->rivals->n;
    struct result_group *group = result_group(result, "/comparison");
    const int axis = result_axis(group, "rival", n, NULL, NULL, "outcomes of other laws");
    const struct result_rows rows = { found->rivals->rival, sizeof(struct impact_rival), n };
    double *v = mem_alloc((size_t)n * n_v, sizeof *v);
    for (int k = 0; k < n; k++)
        memcpy(v + (size_t)k * n_v, found->rivals->rival[k].v, n_v * sizeof *v);
    result_fields(group, 1, &axis, rows, COUNT(fields), fields);
    write_velocities(found, n, v, axis, group);
    result_fields(group, 1, &axis, rows, 1, &energy);
    free(v);
}

/* Contact velocities along the ways that are known; NAN where one is not known or has ended. */
static void write_comparison_paths(const struct impact_found *found, struct result *result)
{
    const struct impact_rivals *rivals = found->rivals;
    const size_t n_row = (size_t)found->state->system.n_row;
    int n_points = 0;
    for (int k = 0; k < rivals->n; k++)
        n_points = rivals->rival[k].n_points > n_points ? rivals->rival[k].n_points : n_points;
    if (n_points == 0)
        return;
    struct result_group *group = result_group(result, "/comparison_paths");
    const int axes[2] = { result_axis(group, "rival", rivals->n, NULL, NULL, "as in /comparison"),
                          result_axis(group, "turn", n_points, NULL, NULL, NULL) };
    const size_t n_way = (size_t)n_points * n_row, n_all = (size_t)rivals->n * n_way;
    double *u = mem_alloc(n_all, sizeof *u);
    for (size_t i = 0; i < n_all; i++)
        u[i] = NAN;
    for (int k = 0; k < rivals->n; k++)
        if (rivals->rival[k].n_points > 0)
            memcpy(u + (size_t)k * n_way, rivals->rival[k].path,
                   (size_t)rivals->rival[k].n_points * n_row * sizeof *u);
    write_contact_velocities(found, rivals->n * n_points, u, 2, axes, group);
    free(u);
}

/* --- The file ------------------------------------------------------------------------------------------------ */

struct result *impacts_result(const struct output_origin *origin, const struct impact_found *found)
{
    const struct output_head head = { found->status, NAN, NAN, NAN, NULL };
    struct result *result = output_begin(origin, &head, found->p);
    write_samples(found, result);
    write_outcomes(found, result);
    write_contacts(found, result);
    write_hulls(found, result);
    write_paths(found, result);
    if (found->is_compared)
        write_comparison(found, result);
    write_comparison_paths(found, result);
    output_write_spec(origin, result);
    return result;
}
