#define _POSIX_C_SOURCE 200809L

#include "core/sweep/record.h"

#include "core/results/save.h"
#include "core/results/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value of --set as JSON: a number where it is one. */
static void print_value(const char *text, FILE *out)
{
    char *end;
    const double value = strtod(text, &end);
    if (end != text && !*end && isfinite(value))
        print_json_number(value, out);
    else
        print_json_text(text, out);
}

static void print_values(const struct sweep_points *points, int k, FILE *out)
{
    char text[SWEEP_VALUE_SIZE];
    fputs("{", out);
    for (int i = 0; i < points->n_path; i++) {
        fputs(i ? ", " : "", out);
        print_json_text(points->path[i], out);
        fputs(": ", out);
        print_value(sweep_points_value(points, k, i, text), out);
    }
    fputs("}", out);
}

static void print_record(const struct sweep_record *record, const struct sweep_points *points, FILE *out)
{
    fprintf(out, "{\"point\": %d, \"command\": \"%s\", \"values\": ", record->point, record->command);
    print_values(points, record->point, out);
    fputs(", \"status\": ", out);
    print_json_text(record->status, out);
    fprintf(out, ", \"exit_code\": %d, \"signal\": %d, \"seconds\": %.3f, \"attempts\": %d, \"guess\": ",
            record->exit_code, record->signal, record->seconds, record->attempts);
    if (record->guess >= 0)
        fprintf(out, "%d", record->guess);
    else
        fputs("null", out);
    fprintf(out, ", \"summary\": %s}\n", record->summary ? record->summary : "null");
}

enum status sweep_record_write(const char *path, const struct sweep_record *record,
                               const struct sweep_points *points, struct diag *diag)
{
    char *bytes = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&bytes, &n);
    if (!out)
        return diag_fail(diag, STATUS_IO, "cannot write %s", path);
    print_record(record, points, out);
    fclose(out);
    const enum status st = save_bytes(path, bytes, n, diag);
    free(bytes);
    return st;
}

static enum status write_count(const char *path, const char *text, int attempts, struct diag *diag)
{
    static const char key[] = "\"attempts\": ";
    const char *at = strstr(text, key);
    if (!at)
        return diag_fail(diag, STATUS_IO, "%s is damaged", path);
    at += strlen(key);
    struct arena mem = { NULL };
    const char *bytes =
        arena_printf(&mem, "%.*s%d%s", (int)(at - text), text, attempts, at + strspn(at, "0123456789"));
    const enum status st = save_bytes(path, bytes, strlen(bytes), diag);
    arena_free(&mem);
    return st;
}

enum status sweep_record_count(const char *path, int attempts, struct diag *diag)
{
    struct spec *record = sweep_record_read(path);
    if (!record)
        return diag_fail(diag, STATUS_IO, "cannot read %s", path);
    const enum status st = write_count(path, spec_text(record), attempts, diag);
    spec_free(record);
    return st;
}

struct spec *sweep_record_read(const char *path)
{
    struct spec *record = NULL;
    struct diag *diag = diag_create();      /* a record that is damaged is none */
    const enum status st = spec_read_file(path, 0, NULL, &record, diag);
    if (st != STATUS_OK || spec_root(record)->kind != SPEC_MAPPING || !spec_get(spec_root(record), "status")) {
        spec_free(record);
        record = NULL;
    }
    diag_free(diag);
    return record;
}

int sweep_record_int(const struct spec *record, const char *key, int absent)
{
    const struct spec_node *node = spec_get(spec_root(record), key);
    char *end;
    if (!node || node->kind != SPEC_SCALAR)
        return absent;
    const long value = strtol(node->text, &end, 10);
    return end != node->text && !*end ? (int)value : absent;
}
