#include "core/results/fields.h"

#include "core/base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct result_field *field, const char *row)
{
    if (field->text)
        return field->text(row);
    return field->room ? row + field->offset : *(const char *const *)(const void *)(row + field->offset);
}

/* `width` values of each row, one row after the other. */
static void gather(const struct result_field *field, struct result_rows rows, size_t width, char *to)
{
    const size_t size = result_size_of(field->type);
    for (int k = 0; k < rows.n; k++, to += width * size) {
        const char *row = (const char *)rows.at + (size_t)k * rows.size;
        if (field->type == RESULT_TEXT)
            *(const char **)(void *)to = text_of(field, row);
        else if (field->number)
            *(double *)(void *)to = field->number(row);
        else
            memcpy(to, row + field->offset, width * size);
    }
}

void result_fields(struct result_group *group, int n_axes, const int *axis, struct result_rows rows, int n,
                   const struct result_field *field)
{
    size_t total = 1;
    for (int k = 0; k < n_axes; k++)
        total *= (size_t)group->axis[axis[k]]->n;
    char *values = mem_alloc(total, sizeof(double));        /* no type is larger */
    for (int k = 0; k < n; k++) {
        if (rows.n > 0)
            gather(&field[k], rows, total / (size_t)rows.n, values);
        result_values(group, field[k].name, field[k].type, n_axes, axis, values, field[k].units, field[k].long_name,
                      field[k].role);
    }
    free(values);
}

void result_set_fields(struct result_group *group, const void *row, int n, const struct result_field *field)
{
    assert(row);
    for (const struct result_field *f = field; f < field + n; f++) {
        const char *at = (const char *)row + f->offset;
        if (f->type == RESULT_TEXT) {
            const char *text = text_of(f, row);
            if (text)
                result_set_text(group, f->name, text);
        } else if (f->type == RESULT_DOUBLE) {
            result_set_double(group, f->name, f->number ? f->number(row) : *(const double *)(const void *)at);
        } else {
            result_set_int(group, f->name, f->type == RESULT_INT ? *(const int *)(const void *)at
                                                                 : *(const unsigned char *)at);
        }
    }
}

const struct result_field *result_get_fields(const struct result_group *group, void *at, size_t size, int n_rows,
                                             int width, int n, const struct result_field *field)
{
    for (const struct result_field *f = field; f < field + n; f++) {
        const struct result_data *data = group ? result_data_find(group, f->name) : NULL;
        const size_t bytes = (size_t)width * result_size_of(f->type);
        if (!data || data->type != f->type || data->n / width != n_rows || data->n % width != 0)
            return f;
        for (int k = 0; k < n_rows; k++) {
            char *to = (char *)at + (size_t)k * size + f->offset;
            if (f->type == RESULT_TEXT)
                (void)snprintf(to, f->room, "%s", data->text[k]);
            else
                memcpy(to, (const char *)data->values + (size_t)k * bytes, bytes);
        }
    }
    return NULL;
}
