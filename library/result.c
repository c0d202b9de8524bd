#include "library/run.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

struct cocp_result *library_result(struct result *tree, const struct read_files *files)
{
    if (!tree)
        return NULL;
    struct cocp_result *result = mem_alloc(1, sizeof *result);
    result->tree = tree;
    if (files)
        read_files_copy(files, &result->files);
    return result;
}

void cocp_result_free(struct cocp_result *result)
{
    if (!result)
        return;
    result_free(result->tree);
    read_files_free(&result->files);
    free(result);
}

struct cocp_result *cocp_result_copy(const struct cocp_result *result)
{
    if (!result)
        return NULL;
    struct result *tree = result_create();
    result_copy(result->tree, "/", tree, "/");
    return library_result(tree, &result->files);
}

/* --- Files --------------------------------------------------------------------------------------------------- */

/* Files need the caller to be alone; why [size] says what failed. */
static enum status with_file(enum status (*work)(void *user, const char *path, struct diag *diag), void *user,
                             const char *path, char *why, size_t size)
{
    struct diag *diag = diag_create();
    enum status st;
    if (!path) {
        st = diag_fail(diag, STATUS_USAGE, "no path: NULL");
    } else if (!library_enter()) {
        st = diag_fail(diag, STATUS_USAGE, "%s: a run is going on in this thread: what it calls to tell its log cannot read "
                       "and write results", path);
    } else {
        st = work(user, path, diag);
        library_leave();
    }
    if (why && size > 0)
        (void)snprintf(why, size, "%s", diag_n_errors(diag) ? diag_text(diag, 0) : "");
    diag_free(diag);
    return st;
}

static enum status read_tree(void *user, const char *path, struct diag *diag)
{
    return result_read(path, user, diag);
}

static enum status write_tree(void *user, const char *path, struct diag *diag)
{
    const struct cocp_result *result = user;
    if (!result)
        return diag_fail(diag, STATUS_USAGE, "%s: no result: NULL", path);
    const char *what = read_files_find(&result->files, path);
    return what ? diag_fail(diag, STATUS_IO, "%s would be written over: it is %s, which made the result; write that to another "
                            "file", path, what)
                : result_write(result->tree, path, diag);
}

struct cocp_result *cocp_result_read(const char *path, char *why, size_t size)
{
    struct result *tree = NULL;
    (void)with_file(read_tree, &tree, path, why, size);
    return library_result(tree, NULL);
}

bool cocp_result_write(const struct cocp_result *result, const char *path, char *why, size_t size)
{
    return with_file(write_tree, (void *)result, path, why, size) == STATUS_OK;
}

/* --- Groups -------------------------------------------------------------------------------------------------- */

static const struct result_group *group_of(const struct cocp_result *result, int group)
{
    return result && group >= 0 && group < result->tree->n_groups ? result->tree->group[group] : NULL;
}

static enum cocp_type type_of(enum result_type type)
{
    switch (type) {
    case RESULT_DOUBLE: return COCP_DOUBLE;
    case RESULT_INT:    return COCP_INT;
    case RESULT_FLAG:   return COCP_FLAG;
    case RESULT_TEXT:   return COCP_TEXT;
    }
    return COCP_TEXT;
}

const char *cocp_result_group(const struct cocp_result *result, int group)
{
    const struct result_group *at = group_of(result, group);
    return at ? at->path : NULL;
}

bool cocp_result_attribute(const struct cocp_result *result, int group, int i, struct cocp_attribute *out)
{
    const struct result_group *at = group_of(result, group);
    if (!at || !out || i < 0 || i >= at->n_attrs)
        return false;
    const struct result_attr *attr = at->attr[i];
    const bool is_text = attr->type == RESULT_TEXT;
    *out = (struct cocp_attribute){ attr->name, type_of(attr->type), is_text ? NAN : attr->d, is_text ? attr->text : NULL };
    return true;
}

bool cocp_result_axis(const struct cocp_result *result, int group, int i, struct cocp_axis *out)
{
    const struct result_group *at = group_of(result, group);
    if (!at || !out || i < 0 || i >= at->n_axes)
        return false;
    const struct result_axis *axis = at->axis[i];
    *out = (struct cocp_axis){ axis->name, axis->units, axis->long_name, axis->n, axis->values };
    return true;
}

bool cocp_result_dataset(const struct cocp_result *result, int group, int i, struct cocp_dataset *out)
{
    const struct result_group *at = group_of(result, group);
    if (!at || !out || i < 0 || i >= at->n_data)
        return false;
    const struct result_data *data = at->data[i];
    *out = (struct cocp_dataset){ .name = data->name, .units = data->units, .long_name = data->long_name,
                                  .role = data->role, .type = type_of(data->type), .n_axes = data->n_axes, .n = data->n,
                                  .values = data->values, .lower_bound = data->lower_bound,
                                  .upper_bound = data->upper_bound };
    for (int k = 0; k < data->n_axes; k++) {
        out->axis[k] = at->axis[data->axis[k]]->name;
        out->size[k] = at->axis[data->axis[k]]->n;
    }
    return true;
}
