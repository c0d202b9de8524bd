#include "core/results/handover.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const int32_t magic = 0x636f6370;

/* --- Writing ------------------------------------------------------------------------------------------------- */

static void put(FILE *out, const void *values, size_t n, size_t size)
{
    if (n > 0)
        fwrite(values, size, n, out);
}

static void put_int(FILE *out, int value)
{
    const int32_t stored = value;
    put(out, &stored, 1, sizeof stored);
}

static void put_double(FILE *out, double value)
{
    put(out, &value, 1, sizeof value);
}

static void put_text(FILE *out, const char *text)
{
    const size_t n = strlen(text);
    put_int(out, n > INT_MAX ? INT_MAX : (int)n);
    put(out, text, n > INT_MAX ? INT_MAX : n, 1);
}

static void put_attr(FILE *out, const struct result_attr *attr)
{
    put_text(out, attr->name);
    put_int(out, (int)attr->type);
    put_double(out, attr->d);
    put_int(out, attr->i);
    put_text(out, attr->text);
}

static void put_axis(FILE *out, const struct result_axis *axis)
{
    put_text(out, axis->name);
    put_text(out, axis->units);
    put_text(out, axis->long_name);
    put_int(out, axis->n);
    put_int(out, axis->values != NULL);
    if (axis->values)
        put(out, axis->values, (size_t)axis->n, sizeof *axis->values);
}

static void put_data(FILE *out, const struct result_data *data)
{
    put_text(out, data->name);
    put_text(out, data->units);
    put_text(out, data->long_name);
    put_text(out, data->role);
    put_int(out, (int)data->type);
    put_int(out, data->n_axes);
    for (int k = 0; k < data->n_axes; k++)
        put_int(out, data->axis[k]);
    if (data->type == RESULT_TEXT)
        for (int k = 0; k < data->n; k++)
            put_text(out, data->text[k]);
    else
        put(out, data->values, (size_t)data->n, result_size_of(data->type));
    put_double(out, data->lower_bound);
    put_double(out, data->upper_bound);
}

void handover_write(const struct result *result, FILE *out)
{
    put_int(out, magic);
    put_int(out, result->n_groups);
    for (int k = 0; k < result->n_groups; k++) {
        const struct result_group *group = result->group[k];
        put_text(out, group->path);
        put_int(out, group->n_attrs);
        for (int i = 0; i < group->n_attrs; i++)
            put_attr(out, group->attr[i]);
        put_int(out, group->n_axes);
        for (int i = 0; i < group->n_axes; i++)
            put_axis(out, group->axis[i]);
        put_int(out, group->n_data);
        for (int i = 0; i < group->n_data; i++)
            put_data(out, group->data[i]);
    }
    put_int(out, magic);
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

struct bytes {
    const char *at;
    size_t left;
    bool broken;                    /* from the first mistake on nothing is taken */
    struct arena mem;               /* texts on their way into a result */
};

/* The next n * size bytes; NULL where there are not as many. */
static const void *take(struct bytes *in, size_t n, size_t size)
{
    if (in->broken || (size && n > in->left / size)) {
        in->broken = true;
        return NULL;
    }
    const void *at = in->at;
    in->at += n * size;
    in->left -= n * size;
    return at;
}

/* An integer from least to most; least after a mistake. */
static int take_int(struct bytes *in, int least, int most)
{
    int32_t value = least;
    const void *at = take(in, 1, sizeof value);
    if (at)
        memcpy(&value, at, sizeof value);
    in->broken = in->broken || value < least || value > most;
    return in->broken ? least : value;
}

static double take_double(struct bytes *in)
{
    double value = 0;
    const void *at = take(in, 1, sizeof value);
    if (at)
        memcpy(&value, at, sizeof value);
    return value;
}

static const char *take_text(struct bytes *in)
{
    const int n = take_int(in, 0, INT_MAX);
    const char *at = take(in, (size_t)n, 1);
    if (!at)
        return "";
    char *text = arena_alloc(&in->mem, (size_t)n + 1, 1);
    return memcpy(text, at, (size_t)n);
}

/* n values; bytes of a stream know no alignment. */
static const void *take_values(struct bytes *in, int n, size_t size)
{
    const void *at = take(in, (size_t)n, size);
    return at ? arena_copy(&in->mem, at, (size_t)n, size) : NULL;
}

static const void *take_texts(struct bytes *in, int n)
{
    if ((size_t)n > in->left / sizeof(int32_t))         /* each has a count at least */
        in->broken = true;
    const char **text = arena_alloc(&in->mem, in->broken ? 0 : (size_t)n, sizeof *text);
    for (int k = 0; k < n && !in->broken; k++)
        text[k] = take_text(in);
    return text;
}

static void take_attr(struct bytes *in, struct result_group *group)
{
    struct result_attr attr = { .name = take_text(in) };
    attr.type = (enum result_type)take_int(in, RESULT_DOUBLE, RESULT_TEXT);
    attr.d = take_double(in);
    attr.i = take_int(in, INT_MIN, INT_MAX);
    attr.text = take_text(in);
    if (!in->broken)
        result_set_attr(group, &attr);
}

static void take_axis(struct bytes *in, struct result_group *group)
{
    const char *const name = take_text(in), *const units = take_text(in), *const long_name = take_text(in);
    const int n = take_int(in, 0, INT_MAX);
    const bool has_values = take_int(in, 0, 1);
    const double *values = has_values ? take_values(in, n, sizeof *values) : NULL;
    in->broken = in->broken || result_axis_find(group, name) >= 0;
    if (!in->broken)
        result_axis(group, name, n, values, units, long_name);
}

/* The number of values over the axes; a mistake where it is no int. */
static int count(struct bytes *in, const struct result_group *group, int n_axes, const int *axis)
{
    int total = 1;
    for (int k = 0; k < n_axes && !in->broken; k++) {
        const int n = group->axis[axis[k]]->n;
        in->broken = n > 0 && total > INT_MAX / n;
        total = in->broken ? 0 : total * n;
    }
    return total;
}

static void take_data(struct bytes *in, struct result_group *group)
{
    const char *const name = take_text(in), *const units = take_text(in), *const long_name = take_text(in);
    const char *role = take_text(in);
    const enum result_type type = (enum result_type)take_int(in, RESULT_DOUBLE, RESULT_TEXT);
    const int n_axes = take_int(in, 0, 4);
    int axis[4] = { 0 };
    for (int k = 0; k < n_axes; k++)
        axis[k] = take_int(in, 0, group->n_axes - 1);
    const int n = count(in, group, n_axes, axis);
    const void *values = type == RESULT_TEXT ? take_texts(in, n) : take_values(in, n, result_size_of(type));
    const double lower = take_double(in), upper = take_double(in);
    if (in->broken)
        return;
    result_values(group, name, type, n_axes, axis, values, units, long_name, role);
    result_set_bounds(group, name, lower, upper);
}

static void take_group(struct bytes *in, struct result *result)
{
    const char *path = take_text(in);
    in->broken = in->broken || path[0] != '/';
    if (in->broken)
        return;
    struct result_group *group = result_group(result, path);
    for (int n = take_int(in, 0, INT_MAX); n > 0 && !in->broken; n--)
        take_attr(in, group);
    for (int n = take_int(in, 0, INT_MAX); n > 0 && !in->broken; n--)
        take_axis(in, group);
    for (int n = take_int(in, 0, INT_MAX); n > 0 && !in->broken; n--)
        take_data(in, group);
}

struct result *handover_read(const void *bytes, size_t n)
{
    struct bytes in = { .at = bytes, .left = n };
    struct result *result = result_create();
    take_int(&in, magic, magic);
    for (int k = take_int(&in, 0, INT_MAX); k > 0 && !in.broken; k--)
        take_group(&in, result);
    take_int(&in, magic, magic);
    arena_free(&in.mem);
    if (!in.broken && in.left == 0)
        return result;
    result_free(result);
    return NULL;
}
