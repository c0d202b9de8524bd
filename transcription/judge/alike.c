#include "transcription/judge/alike.h"

#include <math.h>
#include <string.h>

/* NULL: the same. */
static const char *difference_of_numbers(const struct result_data *a, const struct result_data *b,
                                         const struct alike *how)
{
    double scale = how->floor;
    if (!isfinite(how->tol))
        return NULL;
    for (int k = 0; k < b->n; k++)
        scale = isfinite(result_value(b, k)) ? fmax(scale, fabs(result_value(b, k))) : scale;
    for (int k = 0; k < b->n; k++) {
        const double one = result_value(a, k), other = result_value(b, k);
        if (!(one == other) && !(isnan(one) && isnan(other)) && !(fabs(one - other) <= how->tol * scale))
            return "other numbers";
    }
    return NULL;
}

static const char *difference_of_values(const struct result_data *a, const struct result_data *b,
                                        const struct alike *how)
{
    if (b->type != RESULT_TEXT)
        return difference_of_numbers(a, b, how);
    for (int k = 0; k < b->n; k++)
        if (strcmp(a->text[k], b->text[k]) != 0)
            return "other words";
    return NULL;
}

static bool is_same_bound(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static const char *difference_of_data(const struct result_group *group, const struct result_data *a,
                                      const struct result_group *again, const struct result_data *b,
                                      const struct alike *how)
{
    if (a->n_axes != b->n_axes || a->n != b->n)
        return "another shape";
    for (int k = 0; k < b->n_axes; k++)
        if (strcmp(group->axis[a->axis[k]]->name, again->axis[b->axis[k]]->name) != 0)
            return "other axes";
    if (b->n > 0 && a->type != b->type)
        return "another type";
    if (strcmp(a->units, b->units) != 0)
        return "another unit";
    if (strcmp(a->long_name, b->long_name) != 0 || strcmp(a->role, b->role) != 0)
        return "another meaning";
    if (how->bounds
        && !(is_same_bound(a->lower_bound, b->lower_bound) && is_same_bound(a->upper_bound, b->upper_bound)))
        return "other bounds";
    return difference_of_values(a, b, how);
}

static const char *difference_of_axis(const struct result_axis *a, const struct result_axis *b)
{
    if (a->n != b->n)
        return "another length";
    if (!b->values || b->n == 0)
        return NULL;
    if (!a->values)
        return "no values";
    if (strcmp(a->units, b->units) != 0)
        return "another unit";
    return strcmp(a->long_name, b->long_name) != 0 ? "another meaning" : NULL;
}

const char *alike_difference(const struct result_group *group, const struct result_group *again,
                             const struct alike *how, struct arena *mem)
{
    if (!group)
        return arena_printf(mem, "%s: missing", again->path);
    for (int k = 0; k < again->n_axes; k++) {
        const struct result_axis *axis = again->axis[k];
        const int own = result_axis_find(group, axis->name);
        const char *missing = axis->values ? "missing" : NULL;      /* others are there where datasets have them */
        const char *why = own < 0 ? missing : difference_of_axis(group->axis[own], axis);
        if (why)
            return arena_printf(mem, "%s/%s: %s", group->path, axis->name, why);
    }
    for (int k = 0; k < again->n_data; k++) {
        const struct result_data *data = result_data_find(group, again->data[k]->name);
        const char *why = data ? difference_of_data(group, data, again, again->data[k], how) : "missing";
        if (why)
            return arena_printf(mem, "%s/%s: %s", group->path, again->data[k]->name, why);
    }
    return NULL;
}
