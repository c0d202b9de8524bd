#include "core/sweep/points.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/sweep/points_table.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && isfinite(*out);
}

/* --- A grid -------------------------------------------------------------------------------------------------- */

bool sweep_axis_read(const char *text, struct sweep_axis *axis)
{
    *axis = (struct sweep_axis){ .value = NULL };
    char *end;
    axis->first = strtod(text, &end);
    if (end == text || *end != ':')
        return false;
    text = end + 1;
    axis->last = strtod(text, &end);
    if (end == text || *end != ':')
        return false;
    text = end + 1;
    const long n = strtol(text, &end, 10);
    axis->n = n < 1 || n > SWEEP_MAX_POINTS ? 0 : (int)n;
    return end != text && !*end && axis->n > 0 && isfinite(axis->first) && isfinite(axis->last);
}

/* Length of the value at the start of text: up to a comma that stands in no quotes and no brackets. */
static size_t value_length(const char *text)
{
    char quote = 0;
    int depth = 0;
    size_t n = 0;
    for (; text[n] && (text[n] != ',' || quote || depth > 0); n++) {
        if (quote)
            quote = text[n] == quote ? '\0' : quote;
        else if (text[n] == '"' || text[n] == '\'')
            quote = text[n];
        else if (strchr("[{(", text[n]))
            depth++;
        else if (strchr("]})", text[n]))
            depth--;
    }
    return n;
}

/* VALUE,VALUE,... */
static bool read_list(const char *text, struct arena *mem, struct sweep_axis *axis)
{
    const char **list = NULL;
    bool is_good = true;
    for (;; text++) {
        const size_t n = value_length(text);
        is_good = is_good && n > 0;
        list = mem_grow(list, axis->n, 1, sizeof *list);
        list[axis->n++] = arena_printf(mem, "%.*s", (int)n, text);
        text += n;
        if (!*text)
            break;
    }
    axis->value = arena_copy(mem, list, (size_t)axis->n, sizeof *list);
    free(list);
    return is_good;
}

/* PATH=REST; rest points into text. */
static bool split(const char *text, struct arena *mem, const char **path, const char **rest)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return false;
    *path = arena_printf(mem, "%.*s", (int)(equals - text), text);
    *rest = equals + 1;
    return true;
}

static enum status read_axis(const char *text, struct sweep_points *points, struct diag *diag)
{
    const char *rest;
    struct sweep_axis axis = { .n = 0 };
    if (!split(text, &points->mem, &points->path[points->n_path], &rest))
        return diag_fail(diag, STATUS_USAGE, "--sweep wants PATH=FIRST:LAST:NUMBER or PATH=VALUE,VALUE, got \"%s\"",
                         text);
    if (!sweep_axis_read(rest, &axis)) {
        axis = (struct sweep_axis){ .n = 0 };
        if (strchr(rest, ':') && !strpbrk(rest, "{[\"'"))
            return diag_fail(diag, STATUS_USAGE, "--sweep wants PATH=FIRST:LAST:NUMBER, as parameters.d=0.1:2:40, got "
                             "\"%s\"", text);
        if (!read_list(rest, &points->mem, &axis))
            return diag_fail(diag, STATUS_USAGE, "--sweep: a value is empty in \"%s\"", text);
    }
    points->axis[points->n_axis++] = axis;
    points->n_path++;
    return STATUS_OK;
}

/* --- A table: one axis of rows, whose columns go together ------------------------------------------------------ */

static enum status read_table(const char *path, struct sweep_points *points, struct diag *diag)
{
    struct points_table table;
    const enum status st = points_table_read(path, &points->mem, &table, diag);
    if (st != STATUS_OK)
        return st;
    points->path = arena_alloc(&points->mem, (size_t)table.n_column, sizeof *points->path);
    points->axis = arena_alloc(&points->mem, (size_t)table.n_column, sizeof *points->axis);
    for (int i = 0; i < table.n_column; i++) {
        const char **value = arena_alloc(&points->mem, (size_t)table.n_row, sizeof *value);
        for (int row = 0; row < table.n_row; row++)
            value[row] = table.field[row * table.n_column + i];
        points->path[i] = table.name[i];
        points->axis[i] = (struct sweep_axis){ .n = table.n_row, .value = value };
    }
    points->n_path = points->n_axis = table.n_column;
    points->is_table = true;
    return STATUS_OK;
}

/* --- What is drawn ------------------------------------------------------------------------------------------- */

static const struct spec_node *find(const struct spec_node *node, const char *path)
{
    if (strcmp(node->path, path) == 0)
        return node;
    for (int i = 0; i < node->n; i++) {
        const struct spec_node *found = find(node->child[i], path);
        if (found)
            return found;
    }
    return NULL;
}

static enum status read_perturbed(const char *text, const struct spec_node *root, struct sweep_points *points,
                                  struct diag *diag)
{
    const int i = points->n_path - points->n_axis;
    const char *path, *rest;
    if (!split(text, &points->mem, &path, &rest) || !is_number(rest, &points->size[i]) || !(points->size[i] >= 0))
        return diag_fail(diag, STATUS_USAGE, "--perturb wants PATH=SIZE, as parameters.mu=0.1, got \"%s\"", text);
    const struct spec_node *node = find(root, path);
    const char *key = spec_main_key(path);
    if (node && node->kind == SPEC_MAPPING && key)
        node = spec_get(node, key);
    if (!node || node->kind != SPEC_SCALAR || !is_number(node->text, &points->value[i]))
        return diag_fail(diag, STATUS_USAGE, "--perturb: the spec has no number at \"%s\"", path);
    points->path[points->n_path++] = path;
    return STATUS_OK;
}

static enum status read_draws(const struct sweep_request *request, struct sweep_points *points, struct diag *diag)
{
    enum status st = STATUS_OK;
    if ((request->n_random > 0) != (request->n_perturb > 0))
        return diag_fail(diag, STATUS_USAGE, "--random N and --perturb PATH=SIZE belong together");
    const size_t n_path = (size_t)(points->n_path + request->n_perturb), n = (size_t)request->n_perturb;
    const char **path = arena_alloc(&points->mem, n_path, sizeof *path);
    for (int i = 0; i < points->n_path; i++) path[i] = points->path[i];
    points->path = path;
    points->value = arena_alloc(&points->mem, n, sizeof *points->value);
    points->size = arena_alloc(&points->mem, n, sizeof *points->size);
    for (int i = 0; i < request->n_perturb && st == STATUS_OK; i++)
        st = read_perturbed(request->perturb[i], request->root, points, diag);
    points->n_random = request->n_random > 0 ? request->n_random : 1;
    points->seed = request->seed;
    return st;
}

/* --- Where the values of a list lie among each other ----------------------------------------------------------- */

static void place_values(struct sweep_axis *axis, struct arena *mem)
{
    double low = INFINITY, high = -INFINITY, value;
    for (int k = 0; k < axis->n; k++) {
        if (!is_number(axis->value[k], &value))
            return;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    double *place = arena_alloc(mem, (size_t)axis->n, sizeof *place);
    for (int k = 0; k < axis->n && high > low; k++)
        place[k] = (strtod(axis->value[k], NULL) - low) / (high - low);
    axis->place = place;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static enum status read_axes(const struct sweep_request *request, struct sweep_points *points, struct diag *diag)
{
    enum status st = STATUS_OK;
    if (request->table)
        return request->n_axis == 0
                   ? read_table(request->table, points, diag)
                   : diag_fail(diag, STATUS_USAGE, "a sweep has points of --from or of --sweep, not of both");
    points->path = arena_alloc(&points->mem, (size_t)request->n_axis, sizeof *points->path);
    points->axis = arena_alloc(&points->mem, (size_t)request->n_axis, sizeof *points->axis);
    for (int i = 0; i < request->n_axis && st == STATUS_OK; i++)
        st = read_axis(request->axis[i], points, diag);
    return st;
}

static enum status count(struct sweep_points *points, struct diag *diag)
{
    double n = points->n_random;
    for (int i = 0; i < points->n_axis && !(points->is_table && i > 0); i++)
        n *= points->axis[i].n;
    if (n > SWEEP_MAX_POINTS)
        return diag_fail(diag, STATUS_USAGE, "a sweep has at most %d points", SWEEP_MAX_POINTS);
    points->n = (int)n;
    return STATUS_OK;
}

static enum status check_paths(const struct sweep_points *points, struct diag *diag)
{
    if (points->n_path == 0)
        return diag_fail(diag, STATUS_USAGE, "a sweep wants points: --sweep, --random with --perturb, or --from");
    for (int i = 0; i < points->n_path; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(points->path[i], points->path[j]) == 0)
                return diag_fail(diag, STATUS_USAGE, "\"%s\" is swept twice", points->path[i]);
    return STATUS_OK;
}

enum status sweep_points_read(const struct sweep_request *request, struct sweep_points *points, struct diag *diag)
{
    *points = (struct sweep_points){ .n = 0 };
    enum status st = read_axes(request, points, diag);
    if (st == STATUS_OK)    st = read_draws(request, points, diag);
    if (st == STATUS_OK)    st = check_paths(points, diag);
    for (int i = 0; i < points->n_axis && st == STATUS_OK; i++)
        if (points->axis[i].value)
            place_values(&points->axis[i], &points->mem);
    if (st == STATUS_OK)    st = count(points, diag);
    return st;
}

void sweep_points_free(struct sweep_points *points)
{
    arena_free(&points->mem);
}

/* --- A point ------------------------------------------------------------------------------------------------- */

/* Place of point k on axis i. */
static int place_on(const struct sweep_points *points, int k, int i)
{
    int rest = k / points->n_random;
    if (points->is_table)
        return rest;
    for (int j = points->n_axis - 1; j > i; j--)
        rest /= points->axis[j].n;
    return rest % points->axis[i].n;
}

/* In [-1, 1), of perturbed path i at point k. */
static double draw(const struct sweep_points *points, int k, int i)
{
    const uint64_t number = (uint64_t)(k % points->n_random);
    return random_signed(random_mix(random_mix(random_mix(points->seed) + number) + (uint64_t)i));
}

static double on_range(const struct sweep_axis *axis, int place)
{
    const double share = axis->n > 1 ? (double)place / (axis->n - 1) : 0;
    return axis->first * (1 - share) + axis->last * share;
}

/* Fifteen digits: 0.3, not 0.30000000000000004. */
static const char *print_value(double value, char *text)
{
    (void)snprintf(text, SWEEP_VALUE_SIZE, "%.15g", value);
    return text;
}

const char *sweep_points_value(const struct sweep_points *points, int k, int i, char *text)
{
    if (i >= points->n_axis) {
        const int j = i - points->n_axis;
        return print_value(points->value[j] + points->size[j] * draw(points, k, j), text);
    }
    const struct sweep_axis *axis = &points->axis[i];
    const int place = place_on(points, k, i);
    return axis->value ? axis->value[place] : print_value(on_range(axis, place), text);
}

/* Where value i of point k lies in [0, 1]. */
static double scaled(const struct sweep_points *points, int k, int i)
{
    if (i >= points->n_axis)
        return (draw(points, k, i - points->n_axis) + 1) / 2;
    const struct sweep_axis *axis = &points->axis[i];
    const int place = place_on(points, k, i);
    return axis->n > 1 ? (axis->place ? axis->place[place] : (double)place / (axis->n - 1)) : 0;
}

double sweep_points_distance(const struct sweep_points *points, int k, int l)
{
    double sum = 0;
    for (int i = 0; i < points->n_path; i++) {
        const double apart = scaled(points, k, i) - scaled(points, l, i);
        sum += apart * apart;
    }
    return sum;
}
