#include "core/results/npz.h"

#include "core/base/arena.h"
#include "core/base/mem.h"
#include "core/results/save.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNED = 64, DOS_DAY_1 = 0x21 }; /* DOS_DAY_1: 1980-01-01, the first day that zip has */

struct bytes {
    unsigned char *at;
    size_t n, room;
};

static void put(struct bytes *out, const void *from, size_t n)
{
    if (out->n + n > out->room) {
        out->room = 2 * (out->n + n);
        out->at = mem_resize(out->at, out->room, 1);
    }
    if (n > 0)
        memcpy(out->at + out->n, from, n);
    out->n += n;
}

/* The lowest n bytes of a number, the lowest first. */
static void put_number(struct bytes *out, uint64_t value, int n)
{
    for (int i = 0; i < n; i++)
        put(out, &(unsigned char){ (unsigned char)(value >> 8 * i & 0xff) }, 1);
}

/* --- npy ----------------------------------------------------------------------------------------------------- */

static size_t longest(const struct npz_array *array)
{
    size_t most = 1;
    for (int k = 0; k < array->rows && array->text; k++)
        most = strlen(array->text[k]) > most ? strlen(array->text[k]) : most;
    return most;
}

static void put_header(struct bytes *out, const struct npz_array *array)
{
    struct arena mem = { NULL };
    const char *type = array->text ? arena_printf(&mem, "<U%zu", longest(array)) : "<f8";
    const char *shape = array->columns < 0 ? arena_printf(&mem, "(%d,)", array->rows)
                                           : arena_printf(&mem, "(%d, %d)", array->rows, array->columns);
    const char *text = arena_printf(&mem, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    const size_t used = 10 + strlen(text) + 1, padding = (ALIGNED - used % ALIGNED) % ALIGNED;
    put(out, "\x93NUMPY\x01\x00", 8);
    put_number(out, strlen(text) + padding + 1, 2);
    put(out, text, strlen(text));
    for (size_t k = 0; k < padding; k++)
        put(out, " ", 1);
    put(out, "\n", 1);
    arena_free(&mem);
}

static void put_values(struct bytes *out, const struct npz_array *array)
{
    const size_t n = (size_t)array->rows * (size_t)(array->columns < 0 ? 1 : array->columns),
                 width = longest(array);
    for (size_t k = 0; k < n && !array->text; k++) {
        uint64_t bits;
        memcpy(&bits, &array->d[k], sizeof bits);
        put_number(out, bits, 8);
    }
    for (size_t k = 0; k < n && array->text; k++)
        for (size_t i = 0; i < width; i++)
            put_number(out, i < strlen(array->text[k]) ? (unsigned char)array->text[k][i] : 0, 4);
}

/* --- zip ----------------------------------------------------------------------------------------------------- */

/* ISO 3309, as zip and PNG have it. */
static uint32_t crc_of(const struct bytes *of)
{
    uint32_t crc = 0xffffffffu;
    for (size_t k = 0; k < of->n; k++) {
        crc ^= of->at[k];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* What a file's own header and its entry in the directory share. */
static void put_entry(struct bytes *out, const char *name, uint32_t crc, size_t size)
{
    put_number(out, 20, 2); /* version that is needed */
    put_number(out, 0, 2);
    put_number(out, 0, 2); /* stored as it is */
    put_number(out, 0, 2);
    put_number(out, DOS_DAY_1, 2);
    put_number(out, crc, 4);
    put_number(out, size, 4);
    put_number(out, size, 4);
    put_number(out, strlen(name), 2);
    put_number(out, 0, 2);
}

static void put_file(struct bytes *out, struct bytes *directory, const struct npz_array *array)
{
    struct arena mem = { NULL };
    struct bytes file = { 0 };
    const char *name = arena_printf(&mem, "%s.npy", array->name);
    const size_t where = out->n;
    put_header(&file, array);
    put_values(&file, array);
    const uint32_t crc = crc_of(&file);
    put(out, "PK\x03\x04", 4);
    put_entry(out, name, crc, file.n);
    put(out, name, strlen(name));
    put(out, file.at, file.n);
    put(directory, "PK\x01\x02", 4);
    put_number(directory, 20, 2);
    put_entry(directory, name, crc, file.n);
    put_number(directory, 0, 6); /* no remark, disk 0, no attributes */
    put_number(directory, 0, 4);
    put_number(directory, where, 4);
    put(directory, name, strlen(name));
    free(file.at);
    arena_free(&mem);
}

enum status npz_write(const char *path, int n, const struct npz_array *array, struct diag *diag)
{
    struct bytes out = { 0 }, directory = { 0 };
    for (int k = 0; k < n; k++)
        put_file(&out, &directory, &array[k]);
    const size_t where = out.n;
    put(&out, directory.at, directory.n);
    put(&out, "PK\x05\x06", 4);
    put_number(&out, 0, 4);
    put_number(&out, (uint64_t)n, 2);
    put_number(&out, (uint64_t)n, 2);
    put_number(&out, directory.n, 4);
    put_number(&out, where, 4);
    put_number(&out, 0, 2);
    const enum status st = out.n >> 32 ? diag_fail(diag, STATUS_IO, "%s would be larger than 4 GiB", path)
                                       : save_bytes(path, out.at, out.n, diag);
    free(out.at);
    free(directory.at);
    return st;
}
