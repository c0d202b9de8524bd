#include "core/output/scene.h"

#include "core/base/mem.h"
#include "core/model/inputs.h"
#include "core/output/columns.h"
#include "core/output/surfaces.h"
#include "core/results/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The expressions of a drawing or of references, at all times: value [n_t * n]. */
struct sheet {
    const struct model *model;
    struct result *result;
    int n_t, n;
    const double *t;
    const double *x, *u;            /* [n_t * n_x], [n_t * n_u] */
    const double *value;
    struct arena mem;
};

/* --- At the times of /uniform -------------------------------------------------------------------------------- */

/* The values of variables of /uniform as rows: [n_t * n]; NULL if one is missing. */
static const double *read_rows(struct sheet *sheet, int n, const struct model_var *var)
{
    double *row = arena_alloc(&sheet->mem, (size_t)sheet->n_t * (size_t)n, sizeof *row);
    for (int i = 0; i < n; i++) {
        const struct result_data *data = result_data_of(sheet->result, "/uniform", var[i].name);
        if (!data || !data->d || data->n != sheet->n_t)
            return NULL;
        for (int k = 0; k < sheet->n_t; k++)
            row[(size_t)k * (size_t)n + (size_t)i] = data->d[k];
    }
    return row;
}

static bool find_times(struct sheet *sheet)
{
    const struct result_group *group = result_find(sheet->result, "/uniform");
    const int axis = result_axis_find(group, "t");
    if (axis < 0 || !group->axis[axis]->values)
        return false;
    sheet->n_t = group->axis[axis]->n;
    sheet->t = group->axis[axis]->values;
    return true;
}

static bool eval_sheet(struct sheet *sheet, const double *p, int n, const expr *e)
{
    const struct model *model = sheet->model;
    if (!find_times(sheet))
        return false;
    const double *x = read_rows(sheet, model->n_x, model->x), *u = read_rows(sheet, model->n_u, model->u);
    if (!x || !u)
        return false;
    sheet->x = x;
    sheet->u = u;
    struct function f = function_create(model, p, n, e);
    double *value = arena_alloc(&sheet->mem, (size_t)sheet->n_t * (size_t)n, sizeof *value);
    for (int k = 0; k < sheet->n_t; k++)
        memcpy(
            value + (size_t)k * (size_t)n,
            function_eval(&f, sheet->t[k], x + (size_t)k * (size_t)model->n_x, u + (size_t)k * (size_t)model->n_u),
            (size_t)n * sizeof *value);
    function_free(&f);
    sheet->n = n;
    sheet->value = value;
    return true;
}

/* --- /reference ---------------------------------------------------------------------------------------------- */

static void write_references(const struct model *model, const double *p, struct result *result)
{
    struct sheet sheet = { .model = model, .result = result };
    const int n = model->costs.n_reference;
    expr *e = arena_alloc(&sheet.mem, (size_t)n, sizeof *e);
    struct result_field *field = arena_alloc(&sheet.mem, (size_t)n, sizeof *field);
    for (int k = 0; k < n; k++) {
        e[k] = model->costs.reference[k].e;
        field[k] = (struct result_field){ .name = model->costs.reference[k].name, .type = RESULT_DOUBLE,
                                          .offset = (size_t)k * sizeof(double), .role = "reference" };
    }
    if (n > 0 && eval_sheet(&sheet, p, n, e)) {
        struct result_group *group = result_group(result, "/reference");
        const int axis = result_axis(group, "t", sheet.n_t, sheet.t, UNITS_TIME, "physical time");
        result_fields(group, 1, &axis, (struct result_rows){ sheet.value, (size_t)n * sizeof(double), sheet.n_t },
                      n, field);
    }
    arena_free(&sheet.mem);
}

/* --- /draw --------------------------------------------------------------------------------------------------- */

/* Columns `first` to first + n of the sheet as a dataset over t and the coordinates. */
static void write_columns(const struct sheet *sheet, struct result_group *group, const char *name, int n, int first,
                          const char *units, const char *role)
{
    static const char *const in_plane[] = { "x", "z" }, *const in_space[] = { "x", "y", "z" };
    const char *const axis_name = n == 3 ? "xyz" : "xz";
    int axes[2] = { result_axis(group, "t", sheet->n_t, sheet->t, UNITS_TIME, "physical time") };
    const struct result_field field = { .name = name, .type = RESULT_DOUBLE, .offset = (size_t)first * sizeof(double),
                                        .units = units, .role = role };
    if (n > 1) {
        axes[1] = result_axis(group, axis_name, n, NULL, NULL, NULL);
        result_texts(group, axis_name, 1, &axes[1], n == 3 ? in_space : in_plane, NULL);
    }
    result_fields(group, n > 1 ? 2 : 1, axes,
                  (struct result_rows){ sheet->value, (size_t)sheet->n * sizeof(double), sheet->n_t }, 1, &field);
}

static const char *kind_word(enum draw_kind kind)
{
    switch (kind) {
    case DRAW_POINT:  return "point";
    case DRAW_LINK:   return "link";
    case DRAW_SPRING: return "spring";
    case DRAW_CIRCLE: return "circle";
    case DRAW_BOX:    return "box";
    case DRAW_GROUND: return "ground";
    case DRAW_FORCE:  return "force";
    }
    return "";
}

static const double *force_column(const struct sheet *sheet, int contact, int part, struct arena *mem)
{
    const struct model *model = sheet->model;
    const bool is_reaction = contact >= model->contacts.n_contact;
    if (part > (is_reaction ? 0 : model->contacts.contact[contact].n_t))
        return NULL;
    const char *name =
        is_reaction ? columns_reaction_name(&model->switching.projection[contact - model->contacts.n_contact], mem)
                                   : columns_contact_name(&model->contacts.contact[contact], "lambda", part, mem);
    const struct result_data *data = result_data_of(sheet->result, "/uniform", name);
    return data && data->n == sheet->n_t ? data->d : NULL;
}

/* The force of a contact by components: lambda_n along its unit normal, lambda_t along its tangents; in the plane
 * the tangent is to the right of the normal, in space tangents are x and y. */
static void write_contact_force(const struct sheet *sheet, struct result_group *group, const char *name,
                                const struct model_drawn *drawn, int first)
{
    struct arena mem = { NULL };
    const double *force[3];
    for (int q = 0; q < 3; q++)
        force[q] = force_column(sheet, drawn->contact, q, &mem);
    const int n = drawn->n == 3 || force[2] ? 3 : 2;
    double *vector = arena_alloc(&mem, (size_t)(n * sheet->n_t), sizeof *vector);
    for (int k = 0; k < sheet->n_t; k++) {
        const double *normal = sheet->value + (size_t)k * (size_t)sheet->n + first;
        double *to = vector + (size_t)(n * k), lambda[3] = { 0 }, up[3] = { 0, n == 2, n == 3 };
        for (int q = 0; q < 3; q++)
            lambda[q] = force[q] ? force[q][k] : 0;
        for (int q = 0; q < drawn->n; q++)
            up[q] = normal[q];
        const double length = sqrt(up[0] * up[0] + up[1] * up[1] + up[2] * up[2]);
        for (int q = 0; q < n && length > 0; q++)
            to[q] = lambda[0] * up[q] / length;
        to[0] += n == 2 && length > 0 ? lambda[1] * up[1] / length : n == 3 ? lambda[1] : 0;
        to[1] += n == 2 && length > 0 ? -lambda[1] * up[0] / length : n == 3 ? lambda[2] : 0;
    }
    struct sheet made = *sheet;
    made.n = n;
    made.value = vector;
    write_columns(&made, group, name, n, 0, UNITS_FORCE, "force");
    arena_free(&mem);
}

static const char *at_of_row(const void *row)
{
    const struct model_drawn *const *drawn = row;
    return (*drawn)->n_at > 0 && (*drawn)->at ? (*drawn)->at[0] : "";
}

static const char *kind_of_row(const void *row)
{
    const struct model_drawn *const *drawn = row;
    return kind_word((*drawn)->kind);
}

static const char *name_of_row(const void *row)
{
    const struct model_drawn *const *drawn = row;
    return (*drawn)->name;
}

static double size_0(const void *row) { const struct model_drawn *const *drawn = row; return (*drawn)->size[0]; }
static double size_1(const void *row) { const struct model_drawn *const *drawn = row; return (*drawn)->size[1]; }

/* What is drawn: a row for each part, a link or spring with a row for each two of its points. */
static void write_parts(const struct model *model, struct result_group *group)
{
    static const struct result_field fields[] = {
        { .name = "kind", RESULT_TEXT, .long_name = "point, link, spring, circle, box, ground or force", .text = kind_of_row },
        { .name = "name", RESULT_TEXT, .text = name_of_row },
        { .name = "at", RESULT_TEXT, .long_name = "point it is at", .text = at_of_row },
        { .name = "width", RESULT_DOUBLE, .units = "m",
          .long_name = "radius of a circle or, 0 where it is a line, of a link", .number = size_0 },
        { .name = "height", RESULT_DOUBLE, .units = "m", .number = size_1 },
    };
    struct arena mem = { NULL };
    int n = 0, most = 0;
    for (int k = 0; k < model->drawing.n_draw; k++)
        most += model->drawing.draw[k].n_at > 2 ? model->drawing.draw[k].n_at : 1;
    const struct model_drawn **row = arena_alloc(&mem, (size_t)most, sizeof *row);
    const char **to = arena_alloc(&mem, (size_t)most, sizeof *to);
    for (int k = 0; k < model->drawing.n_draw; k++) {
        const struct model_drawn *drawn = &model->drawing.draw[k];
        for (int i = 0; i < (drawn->at && drawn->n_at > 2 ? drawn->n_at - 1 : 1); i++) {
            struct model_drawn *part = arena_copy(&mem, drawn, 1, sizeof *part);
            part->at = drawn->at ? drawn->at + i : NULL;
            to[n] = drawn->at && drawn->n_at > 1 ? drawn->at[i + 1] : "";
            row[n++] = part;
        }
    }
    const int axis = result_axis(group, "part", n, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ row, sizeof *row, n }, COUNT(fields), fields);
    result_texts(group, "to", 1, &axis, to, "point at the other end of a link or spring");
    arena_free(&mem);
}

static void write_ground(struct result_group *group, const struct model_drawn *drawn, const char *name)
{
    struct arena mem = { NULL };
    const int n = drawn->n;
    double *corner = arena_alloc(&mem, (size_t)(n * drawn->n_at), sizeof *corner);
    for (int k = 0; k < drawn->n_at; k++)
        memcpy(corner + n * k, drawn->corner + 3 * k, (size_t)n * sizeof *corner);
    const int axes[2] = { result_axis(group, arena_printf(&mem, "%s_corner", name), drawn->n_at, NULL, NULL, NULL),
                          result_axis(group, n == 3 ? "xyz" : "xz", n, NULL, NULL, NULL) };
    result_doubles(group, name, 2, axes, corner, "m", NULL, "ground");
    arena_free(&mem);
}

/* What the drawing has no ground for: lines where gaps are 0. */
static void write_surfaces(struct sheet *sheet, const double *p, struct result_group *group)
{
    struct surface *surface;
    const int n =
        surfaces_find(&(struct surface_motion){ sheet->model, p, sheet->n_t, sheet->t, sheet->x, sheet->u },
                      &sheet->mem, &surface);
    for (int k = 0; k < n; k++) {
        const char *name = arena_printf(&sheet->mem, "surface_%s", surface[k].name);
        const int axes[2] = { result_axis(group, arena_printf(&sheet->mem, "%s_corner", name), surface[k].n, NULL, NULL, NULL),
                              result_axis(group, "xz", 2, NULL, NULL, NULL) };
        result_doubles(group, name, 2, axes, surface[k].corner, "m", NULL, "surface");
    }
}

static void write_drawn(const struct sheet *sheet, struct result_group *group)
{
    struct arena mem = { NULL };
    int first = 0;
    for (int k = 0; k < sheet->model->drawing.n_draw; k++) {
        const struct model_drawn *drawn = &sheet->model->drawing.draw[k];
        const char *name = arena_printf(&mem, "%s_%s", kind_word(drawn->kind), drawn->name);
        if (drawn->kind == DRAW_POINT)
            write_columns(sheet, group, name, drawn->n, first, "m", "point");
        else if (drawn->kind == DRAW_BOX)
            write_columns(sheet, group, name, 1, first, "rad", "angle");
        else if (drawn->kind == DRAW_FORCE && drawn->contact >= 0)
            write_contact_force(sheet, group, name, drawn, first);
        else if (drawn->kind == DRAW_FORCE)
            write_columns(sheet, group, name, drawn->n, first, UNITS_FORCE, "force");
        else if (drawn->kind == DRAW_GROUND)
            write_ground(group, drawn, name);
        first += drawn->n_at > 0 && drawn->kind == DRAW_GROUND ? 0 : drawn->n;
    }
    arena_free(&mem);
}

static void write_drawing(const struct model *model, const double *p, struct result *result)
{
    struct sheet sheet = { .model = model, .result = result };
    expr *e = arena_alloc(&sheet.mem, 3 * (size_t)model->drawing.n_draw, sizeof *e);
    int n = 0;
    for (int k = 0; k < model->drawing.n_draw; k++)
        for (int i = 0; model->drawing.draw[k].kind != DRAW_GROUND && i < model->drawing.draw[k].n; i++)
            e[n++] = model->drawing.draw[k].e[i];
    if (n > 0 && eval_sheet(&sheet, p, n, e)) {
        struct result_group *group = result_group(result, "/draw");
        write_drawn(&sheet, group);
        write_surfaces(&sheet, p, group);
        write_parts(model, group);
    }
    arena_free(&sheet.mem);
}

void scene_write(const struct model *model, const double *p, struct result *result)
{
    write_references(model, p, result);
    write_drawing(model, p, result);
}
