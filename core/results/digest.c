#include "core/results/digest.h"

#include "core/base/mem.h"
#include "core/base/sha256.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_among(const char *name, int n, const char *const *list)
{
    for (int k = 0; k < n; k++)
        if (strcmp(name, list[k]) == 0)
            return true;
    return false;
}

#define IS_AMONG(name, list) is_among(name, (int)(sizeof (list) / sizeof (list)[0]), list)

/* --- Numbers and texts, the same on every machine ------------------------------------------------------------ */

static void add_bytes(struct sha256 *sha, uint64_t value, size_t size)
{
    unsigned char byte[8];
    for (size_t k = 0; k < size; k++)
        byte[k] = (unsigned char)(value >> 8 * k & 0xff);
    sha256_add(sha, byte, size);
}

static void add_count(struct sha256 *sha, int n)
{
    add_bytes(sha, (uint64_t)(int64_t)n, 8);
}

static void add_text(struct sha256 *sha, const char *text)
{
    const size_t n = strlen(text);
    add_bytes(sha, n, 8);
    sha256_add(sha, text, n);
}

/* All that are no numbers are one. */
static void add_double(struct sha256 *sha, double value)
{
    const double one = isnan(value) ? (double)NAN : value;
    uint64_t bits;
    memcpy(&bits, &one, sizeof bits);
    add_bytes(sha, isnan(value) ? UINT64_C(0x7ff8000000000000) : bits, 8);
}

/* --- Attributes ---------------------------------------------------------------------------------------------- */

static bool describes(const struct result_group *group, const struct result_attr *attr)
{
    static const char *const words[] = { "title", "history", "date_created", "source", "comment", "references",
                                         "institution", "Conventions" };
    return strcmp(group->path, "/") == 0 && IS_AMONG(attr->name, words);
}

static bool counts(const struct result_group *group, const struct result_attr *attr)
{
    const bool is_table = strcmp(group->path, DIGEST_GROUP) == 0 && strcmp(attr->name, "sha256") == 0;
    const bool is_empty = attr->type == RESULT_TEXT && !*attr->text;
    return !is_table && !is_empty && !describes(group, attr) && strcmp(attr->name, "coordinates") != 0;
}

static void add_attr(struct sha256 *sha, const struct result_attr *attr)
{
    add_text(sha, attr->name);
    add_text(sha, attr->type == RESULT_TEXT ? "text" : "number");
    if (attr->type == RESULT_TEXT)
        add_text(sha, attr->text);
    else
        add_double(sha, attr->type == RESULT_INT ? attr->i : attr->d);
}

/* --- Variables: datasets, and axes with values, which are one kind of thing in a file ------------------------ */

struct variable { const struct result_group *group; struct result_data data; };

static void add_values(struct sha256 *sha, const struct result_data *data)
{
    for (int k = 0; k < data->n; k++)
        switch (data->type) {
        case RESULT_DOUBLE: add_double(sha, data->d[k]); break;
        case RESULT_INT:    add_bytes(sha, (uint64_t)(int64_t)data->i[k], 4); break;
        case RESULT_FLAG:   add_bytes(sha, data->flag[k], 1); break;
        case RESULT_TEXT:   add_text(sha, data->text[k]); break;
        }
}

/* Without values it has no type either: programs that rewrite files give it one of theirs. */
static void add_variable(struct sha256 *sha, const struct variable *variable)
{
    static const char *const types[] = { [RESULT_DOUBLE] = "double", [RESULT_INT] = "int", [RESULT_FLAG] = "flag",
                                         [RESULT_TEXT] = "text" };
    const struct result_data *data = &variable->data;
    add_text(sha, data->name);
    add_text(sha, data->n > 0 ? types[data->type] : "");
    add_count(sha, data->n_axes);
    for (int k = 0; k < data->n_axes; k++) {
        add_text(sha, variable->group->axis[data->axis[k]]->name);
        add_count(sha, variable->group->axis[data->axis[k]]->n);
    }
    add_text(sha, data->units);
    add_text(sha, data->long_name);
    add_text(sha, data->role);
    add_double(sha, data->lower_bound);
    add_double(sha, data->upper_bound);
    add_values(sha, data);
}

static struct result_data data_of_axis(const struct result_axis *axis, int k)
{
    return (struct result_data){ .name = axis->name, .units = axis->units, .long_name = axis->long_name, .role = "",
                                 .type = RESULT_DOUBLE, .n_axes = 1, .axis = { k }, .n = axis->n, .values = axis->values,
                                 .lower_bound = NAN, .upper_bound = NAN, .d = axis->values };
}

/* Numbers over an axis of their name are read back as the values of the axis, without bounds. */
static struct result_data data_as_read(const struct result_group *group, const struct result_data *data)
{
    struct result_data as = *data;
    if (data->type != RESULT_DOUBLE
        || (data->n_axes == 1 && !*data->role && strcmp(group->axis[data->axis[0]]->name, data->name) == 0))
        as.lower_bound = as.upper_bound = NAN;
    return as;
}

/* In `list`, with room for all; their number. */
static int variables_of(const struct result_group *group, struct variable *list)
{
    int n = 0;
    for (int k = 0; k < group->n_axes; k++)
        if (group->axis[k]->values && group->axis[k]->n > 0)
            list[n++] = (struct variable){ group, data_of_axis(group->axis[k], k) };
    for (int k = 0; k < group->n_data; k++)
        list[n++] = (struct variable){ group, data_as_read(group, group->data[k]) };
    return n;
}

/* --- Groups -------------------------------------------------------------------------------------------------- */

static int compare_attrs(const void *a, const void *b)
{
    const struct result_attr *const *first = a, *const *second = b;
    return strcmp((*first)->name, (*second)->name);
}

static int compare_variables(const void *a, const void *b)
{
    const struct variable *first = a, *second = b;
    const int order = strcmp(first->data.name, second->data.name);
    return order ? order : (first->data.n_axes > second->data.n_axes) - (first->data.n_axes < second->data.n_axes);
}

static void add_attrs(struct sha256 *sha, const struct result_group *group)
{
    const struct result_attr **list = mem_alloc((size_t)group->n_attrs, sizeof *list);
    int n = 0;
    for (int k = 0; k < group->n_attrs; k++)
        if (counts(group, group->attr[k]))
            list[n++] = group->attr[k];
    qsort(list, (size_t)n, sizeof *list, compare_attrs);
    add_count(sha, n);
    for (int k = 0; k < n; k++)
        add_attr(sha, list[k]);
    free(list);
}

static void digest_of(const struct result_group *group, char out[SHA256_ROOM])
{
    struct variable *list = mem_alloc((size_t)(group->n_axes + group->n_data), sizeof *list);
    const int n = variables_of(group, list);
    struct sha256 sha;
    sha256_begin(&sha);
    add_text(&sha, group->path);
    add_attrs(&sha, group);
    qsort(list, (size_t)n, sizeof *list, compare_variables);
    add_count(&sha, n);
    for (int k = 0; k < n; k++)
        add_variable(&sha, &list[k]);
    sha256_end(&sha, out);
    free(list);
}

/* /verification and what is below it, of the whole or of a scenario. */
static bool is_verification(const char *path)
{
    static const char name[] = "/verification";
    const char *at = strstr(path, name);
    return at && (at[sizeof name - 1] == '\0' || at[sizeof name - 1] == '/');
}

/* Is there anything in the group that a digest is to hold? */
static bool is_covered(const struct result_group *group)
{
    bool any = group->n_data > 0;
    for (int k = 0; k < group->n_axes; k++)
        any = any || group->axis[k]->values;
    for (int k = 0; k < group->n_attrs; k++)
        any = any || counts(group, group->attr[k]);
    return any && !is_verification(group->path) && strcmp(group->path, DIGEST_GROUP) != 0;
}

/* --- /digest ------------------------------------------------------------------------------------------------- */

struct table { int n; const char *const *path, *const *hex; };

/* False where there is none, or what is there is no table. */
static bool read_table(const struct result *result, struct table *table)
{
    const struct result_data *path = result_data_of(result, DIGEST_GROUP, "group");
    const struct result_data *hex = result_data_of(result, DIGEST_GROUP, "sha256");
    if (!path || !path->text || !hex || !hex->text || path->n != hex->n)
        return false;
    *table = (struct table){ path->n, path->text, hex->text };
    return true;
}

static void write_table(struct result *result, const struct table *table)
{
    char whole[SHA256_ROOM];
    struct result_group *group = result_group(result, DIGEST_GROUP);
    const int axis = result_axis(group, "group", table->n, NULL, NULL, NULL);
    result_texts(group, "group", 1, &axis, table->path, "what the digest is of");
    result_texts(group, "sha256", 1, &axis, table->hex, "of names, types, units and values, in the order of names");
    digest_of(group, whole);
    result_set_text(group, "sha256", whole);
}

static const char *hex_of(const struct result_group *group, struct arena *mem)
{
    char hex[SHA256_ROOM];
    digest_of(group, hex);
    return arena_copy_text(mem, hex);
}

void digest_write(struct result *result)
{
    struct arena mem = { NULL };
    const size_t room = (size_t)result->n_groups;
    const char **path = arena_alloc(&mem, room, sizeof *path), **hex = arena_alloc(&mem, room, sizeof *hex);
    int n = 0;
    result_drop(result, DIGEST_GROUP);
    for (int k = 0; k < result->n_groups; k++)
        if (is_covered(result->group[k])) {
            path[n] = result->group[k]->path;
            hex[n++] = hex_of(result->group[k], &mem);
        }
    write_table(result, &(struct table){ n, path, hex });
    arena_free(&mem);
}

void digest_renew(struct result *result, const char *path)
{
    struct arena mem = { NULL };
    struct table table;
    const struct result_group *group = result_find(result, path);
    if (group && read_table(result, &table)) {
        const char **hex = arena_copy(&mem, table.hex, (size_t)table.n, sizeof *hex);
        for (int k = 0; k < table.n; k++)
            if (strcmp(table.path[k], path) == 0)
                hex[k] = hex_of(group, &mem);
        write_table(result, &(struct table){ table.n, table.path, hex });
    }
    arena_free(&mem);
}

/* --- Checking ------------------------------------------------------------------------------------------------ */

static void list_path(const char **list, const char *path, struct arena *mem)
{
    *list = arena_printf(mem, "%s%s%s", *list, **list ? ", " : "", path);
}

/* Would a reader take it for a part of the result? */
static bool has_known_name(const char *path)
{
    static const char *const known[] = {
        "/", "/bound", "/bundle", "/certificate", "/comparison", "/comparison_paths", "/contacts", "/draw", "/events", "/fit", "/grid",
        "/homotopy", "/hull", "/modes", "/outcomes", "/parameters", "/paths", "/phases", "/plans", "/reference", "/residuals",
        "/samples", "/scenarios", "/sensitivity", "/solver", "/spec", "/trajectory", "/uniform" };
    const char *end = strchr(path + 1, '/');
    struct arena mem = { NULL };
    const char *top = end ? arena_printf(&mem, "%.*s", (int)(end - path), path) : path;
    const bool has = IS_AMONG(top, known);
    arena_free(&mem);
    return has;
}

static void compare_groups(const struct result *result, const struct table *table, struct digest_finding *found,
                           struct arena *mem)
{
    for (int k = 0; k < table->n; k++) {
        const struct result_group *group = result_find(result, table->path[k]);
        char hex[SHA256_ROOM] = "";
        if (group)
            digest_of(group, hex);
        if (strcmp(hex, table->hex[k]) != 0) {
            list_path(&found->changed, table->path[k], mem);
            found->n_changed++;
        }
    }
}

static void find_new_groups(const struct result *result, const struct table *table, struct digest_finding *found,
                            struct arena *mem)
{
    for (int k = 0; k < result->n_groups; k++) {
        const char *path = result->group[k]->path;
        if (!is_covered(result->group[k]) || is_among(path, table->n, table->path))
            continue;
        if (has_known_name(path)) {
            list_path(&found->changed, path, mem);
            found->n_changed++;
        } else {
            list_path(&found->added, path, mem);
        }
    }
}

struct digest_finding digest_check(const struct result *result, struct arena *mem)
{
    const struct result_group *group = result_find(result, DIGEST_GROUP);
    struct digest_finding found = { .is_there = group != NULL, .changed = "", .added = "" };
    struct table table = { .n = 0 };
    char whole[SHA256_ROOM];
    if (!group)
        return found;
    const char *stored = result_get_text(group, "sha256");
    digest_of(group, whole);
    found.is_whole = stored && strcmp(stored, whole) == 0 && read_table(result, &table);
    if (found.is_whole) {
        compare_groups(result, &table, &found, mem);
        find_new_groups(result, &table, &found, mem);
    }
    return found;
}
