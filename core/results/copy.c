/* A part of one result, as a part of another. */
#include "core/results/results.h"

#include <string.h>

static void copy_group(const struct result_group *from, struct result_group *to)
{
    for (int k = 0; k < from->n_attrs; k++)
        result_set_attr(to, from->attr[k]);
    for (int k = 0; k < from->n_axes; k++) {
        const struct result_axis *axis = from->axis[k];
        (void)result_axis(to, axis->name, axis->n, axis->values, axis->units, axis->long_name);
    }
    for (int k = 0; k < from->n_data; k++) {
        const struct result_data *data = from->data[k];
        result_values(to, data->name, data->type, data->n_axes, data->axis, data->values, data->units,
                      data->long_name, data->role);
        result_set_bounds(to, data->name, data->lower_bound, data->upper_bound);
    }
}

void result_copy(const struct result *from, const char *top, struct result *to, const char *path)
{
    const size_t n = strcmp(top, "/") == 0 ? 0 : strlen(top);
    const char *below = strcmp(path, "/") == 0 ? "" : path;
    struct arena mem = { NULL };
    result_drop(to, path);
    for (int k = 0; k < from->n_groups; k++) {
        const char *name = from->group[k]->path, *rest = name + n;
        if (strncmp(name, top, n) != 0 || (n && *rest && *rest != '/'))
            continue;
        const char *whole = arena_printf(&mem, "%s%s", below, strcmp(rest, "/") == 0 ? "" : rest);
        copy_group(from->group[k], result_group(to, *whole ? whole : "/"));
    }
    arena_free(&mem);
}
