#include "core/results/results.h"

#include "core/base/mem.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Groups -------------------------------------------------------------------------------------------------- */

struct result *result_create(void)
{
    struct result *result = mem_alloc(1, sizeof *result);
    result->time_unit = "s";
    result_group(result, "/");
    return result;
}

void result_set_time_unit(struct result *result, const char *unit)
{
    result->time_unit = arena_copy_text(&result->mem, unit);
}

static void free_lists(struct result_group *group)
{
    free(group->axis);
    free(group->data);
    dictionary_free(&group->place);
    free(group->attr);
}

void result_free(struct result *result)
{
    if (!result)
        return;
    for (int k = 0; k < result->n_groups; k++)
        free_lists(result->group[k]);
    free(result->group);
    arena_free(&result->mem);
    free(result);
}

static int group_index(const struct result *result, const char *path)
{
    for (int k = 0; k < result->n_groups; k++)
        if (strcmp(result->group[k]->path, path) == 0)
            return k;
    return -1;
}

/* Makes the group "/a" before "/a/b", so that each has its creation order tracked in the file. */
static void make_parent(struct result *result, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return;
    char *parent = arena_copy_text(&result->mem, path);
    parent[slash - path] = '\0';
    result_group(result, parent);
}

struct result_group *result_group(struct result *result, const char *path)
{
    const int k = group_index(result, path);
    if (k >= 0)
        return result->group[k];
    assert(path[0] == '/');
    make_parent(result, path);
    struct result_group *group = arena_alloc(&result->mem, 1, sizeof *group);
    group->mem = &result->mem;
    group->of = result;
    group->path = arena_copy_text(&result->mem, path);
    result->group = mem_grow(result->group, result->n_groups, 1, sizeof *result->group);
    result->group[result->n_groups++] = group;
    return group;
}

const struct result_group *result_find(const struct result *result, const char *path)
{
    const int k = group_index(result, path);
    return k < 0 ? NULL : result->group[k];
}

static bool is_below(const char *path, const char *top)
{
    const size_t n = strlen(top);
    return strncmp(path, top, n) == 0 && (path[n] == '\0' || path[n] == '/' || n == 1);
}

void result_drop(struct result *result, const char *path)
{
    int kept = 0;
    for (int k = 0; k < result->n_groups; k++) {
        struct result_group *group = result->group[k];
        if (!is_below(group->path, path)) {
            result->group[kept++] = group;
            continue;
        }
        free_lists(group);
    }
    result->n_groups = kept;
    result_group(result, "/");
}

/* --- Axes ---------------------------------------------------------------------------------------------------- */

static const char *copy_or_empty(struct arena *mem, const char *text)
{
    return text ? arena_copy_text(mem, text) : "";
}

/* The text of units, those that follow from the unit of time written out. */
static const char *units_text(const struct result_group *group, const char *units)
{
    static const struct { const char *name, *in_seconds, *in_others; } follow[] = {
        { UNITS_TIME, "s", "%s" }, { UNITS_SPEED, "m/s", "m/%s" },
        { UNITS_FORCE, "N", "kg m/%s^2" }, { UNITS_IMPULSE, "N s", "kg m/%s" },
    };
    const bool is_second = strcmp(group->of->time_unit, "s") == 0;
    for (size_t k = 0; units && k < sizeof follow / sizeof *follow; k++)
        if (strcmp(units, follow[k].name) == 0)
            return is_second ? follow[k].in_seconds
                             : arena_printf(group->mem, follow[k].in_others, group->of->time_unit);
    return copy_or_empty(group->mem, units);
}

int result_axis_find(const struct result_group *group, const char *name)
{
    for (int k = 0; group && k < group->n_axes; k++)
        if (strcmp(group->axis[k]->name, name) == 0)
            return k;
    return -1;
}

int result_axis_size(const struct result *result, const char *path, const char *axis)
{
    const struct result_group *group = result_find(result, path);
    const int k = result_axis_find(group, axis);
    return k < 0 ? -1 : group->axis[k]->n;
}

int result_axis(struct result_group *group, const char *name, int n, const double *values, const char *units,
                const char *long_name)
{
    int k = result_axis_find(group, name);
    if (k < 0) {
        k = group->n_axes;
        group->axis = mem_grow(group->axis, k, 1, sizeof *group->axis);
        group->axis[k] = arena_alloc(group->mem, 1, sizeof **group->axis);
        group->n_axes++;
    } else {
        assert(group->axis[k]->n == n);     /* datasets over the axis would no longer fit */
    }
    assert(n >= 0);
    *group->axis[k] = (struct result_axis){
        .name = arena_copy_text(group->mem, name),
        .units = units_text(group, units),
        .long_name = copy_or_empty(group->mem, long_name),
        .n = n,
        .values = values ? arena_copy(group->mem, values, (size_t)n, sizeof *values) : NULL,
    };
    return k;
}

/* --- Attributes ---------------------------------------------------------------------------------------------- */

static struct result_attr *attr_find(const struct result_group *group, const char *name)
{
    for (int k = 0; k < group->n_attrs; k++)
        if (strcmp(group->attr[k]->name, name) == 0)
            return group->attr[k];
    return NULL;
}

void result_set_attr(struct result_group *group, const struct result_attr *given)
{
    struct result_attr *attr = attr_find(group, given->name);
    if (!attr) {
        attr = arena_alloc(group->mem, 1, sizeof *attr);
        group->attr = mem_grow(group->attr, group->n_attrs, 1, sizeof *group->attr);
        group->attr[group->n_attrs++] = attr;
    }
    *attr = *given;
    attr->name = arena_copy_text(group->mem, given->name);
    attr->text = copy_or_empty(group->mem, given->text);
}

void result_set_double(struct result_group *group, const char *attr, double value)
{
    result_set_attr(group, &(struct result_attr){ attr, RESULT_DOUBLE, .d = value });
}

void result_set_int(struct result_group *group, const char *attr, int value)
{
    result_set_attr(group, &(struct result_attr){ attr, RESULT_INT, .d = value, .i = value });
}

void result_set_text(struct result_group *group, const char *attr, const char *value)
{
    result_set_attr(group, &(struct result_attr){ attr, RESULT_TEXT, .d = NAN, .text = value });
}

double result_get_double(const struct result_group *group, const char *attr)
{
    const struct result_attr *found = attr_find(group, attr);
    return found ? found->d : NAN;
}

int result_get_int(const struct result_group *group, const char *attr, int absent)
{
    const double value = result_get_double(group, attr);
    return value >= INT_MIN && value <= INT_MAX ? (int)value : absent;
}

const char *result_get_text(const struct result_group *group, const char *attr)
{
    const struct result_attr *found = attr_find(group, attr);
    return found && found->type == RESULT_TEXT ? found->text : NULL;
}

/* --- Datasets ------------------------------------------------------------------------------------------------ */

static struct result_data *data_find(const struct result_group *group, const char *name)
{
    const int k = dictionary_find(&group->place, name);
    return k >= 0 ? group->data[k] : NULL;
}

const struct result_data *result_data_find(const struct result_group *group, const char *name)
{
    return data_find(group, name);
}

const struct result_data *result_data_of(const struct result *result, const char *path, const char *name)
{
    const struct result_group *group = result_find(result, path);
    return group ? data_find(group, name) : NULL;
}

const double *result_doubles_of(const struct result *result, const char *path, const char *name, int n)
{
    const struct result_data *data = result_data_of(result, path, name);
    return data && data->n == n ? data->d : NULL;
}

int result_index_of_text(const struct result_data *data, const char *text)
{
    for (int k = 0; k < data->n; k++)
        if (strcmp(data->text[k], text) == 0)
            return k;
    return -1;
}

double result_value(const struct result_data *data, int k)
{
    switch (data->type) {
    case RESULT_DOUBLE: return data->d[k];
    case RESULT_INT:    return data->i[k];
    case RESULT_FLAG:   return data->flag[k];
    case RESULT_TEXT:   break;
    }
    return NAN;
}

size_t result_size_of(enum result_type type)
{
    switch (type) {
    case RESULT_DOUBLE: return sizeof(double);
    case RESULT_INT:    return sizeof(int);
    case RESULT_FLAG:   return sizeof(unsigned char);
    case RESULT_TEXT:   return sizeof(const char *);
    }
    return 0;
}

/* The number of values over these axes. */
static int count_values(const struct result_group *group, int n_axes, const int *axis)
{
    int total = 1;
    for (int k = 0; k < n_axes; k++) {
        assert(axis[k] >= 0 && axis[k] < group->n_axes);
        const int n = group->axis[axis[k]]->n;
        assert(n == 0 || total <= INT_MAX / n);
        total *= n;
    }
    return total;
}

/* The copy of n values; texts are copied as well. */
static const void *copy_values(struct arena *mem, enum result_type type, int n, const void *values)
{
    void *copy = arena_copy(mem, values, (size_t)n, result_size_of(type));
    const char **text = copy;
    for (int k = 0; type == RESULT_TEXT && k < n; k++)
        text[k] = copy_or_empty(mem, text[k]);
    return copy;
}

void result_values(struct result_group *group, const char *name, enum result_type type, int n_axes, const int *axis,
                   const void *values, const char *units, const char *long_name, const char *role)
{
    struct result_data *data = data_find(group, name);
    const int n = count_values(group, n_axes, axis);
    const void *copy = copy_values(group->mem, type, n, values);
    if (!data) {
        data = arena_alloc(group->mem, 1, sizeof *data);
        group->data = mem_grow(group->data, group->n_data, 1, sizeof *group->data);
        group->data[group->n_data++] = data;
        data->name = arena_copy_text(group->mem, name);
        (void)dictionary_add(&group->place, data->name, group->n_data - 1);
    }
    *data = (struct result_data){
        .name = data->name, .units = units_text(group, units),
        .long_name = copy_or_empty(group->mem, long_name), .role = copy_or_empty(group->mem, role),
        .type = type, .n_axes = n_axes, .n = n, .lower_bound = NAN, .upper_bound = NAN, .values = copy,
        .d = type == RESULT_DOUBLE ? copy : NULL, .i = type == RESULT_INT ? copy : NULL,
        .flag = type == RESULT_FLAG ? copy : NULL, .text = type == RESULT_TEXT ? copy : NULL,
    };
    assert(n_axes >= 0 && n_axes <= (int)(sizeof data->axis / sizeof data->axis[0]));
    for (int k = 0; k < n_axes; k++)
        data->axis[k] = axis[k];
}

void result_doubles(struct result_group *group, const char *name, int n_axes, const int *axis, const double *val,
                    const char *units, const char *long_name, const char *role)
{
    result_values(group, name, RESULT_DOUBLE, n_axes, axis, val, units, long_name, role);
}

void result_texts(struct result_group *group, const char *name, int n_axes, const int *axis,
                  const char *const *val, const char *long_name)
{
    result_values(group, name, RESULT_TEXT, n_axes, axis, val, NULL, long_name, NULL);
}

void result_set_bounds(struct result_group *group, const char *name, double lower, double upper)
{
    struct result_data *data = data_find(group, name);
    assert(data);
    data->lower_bound = isfinite(lower) ? lower : NAN;
    data->upper_bound = isfinite(upper) ? upper : NAN;
}
