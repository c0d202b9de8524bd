/* tests/fuzz/fuzz_result.c - hostile result files: core/results must refuse them or read them, whatever they hold
 *
 * The input is a file. It is read in this process, by code that the program runs in a child only: libhdf5 itself
 * crashes on some inputs, and the fuzzer goes on (-ignore_crashes). What crashes it is shown to the program
 * afterwards (tests/fuzz/judge_results). What can be read is handed over, and must be the same; its tables are
 * printed.
 */
#define _POSIX_C_SOURCE 200809L

#include "core/results/handover.h"
#include "core/results/hdf5_read.h"
#include "core/results/table.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static char *handed_over(const struct result *result, size_t *n)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, n);
    require(out != NULL);
    handover_write(result, out);
    fclose(out);
    return bytes;
}

static void hand_over(const struct result *result)
{
    size_t n, m;
    char *bytes = handed_over(result, &n);
    struct result *got = handover_read(bytes, n);
    require(got != NULL);
    char *again = handed_over(got, &m);
    require(n == m && memcmp(bytes, again, n) == 0);
    result_free(got);
    free(bytes);
    free(again);
}

static void print_tables(const struct result *result)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    for (int k = 0; k < result->n_groups; k++)
        for (int axis = 0; axis < result->group[k]->n_axes; axis++) {
            if (result->group[k]->axis[axis]->n > 1000)
                continue;
            struct table *table = table_from_group(result->group[k], axis);
            table_print(table, 2, 10, out);
            table_print_csv(table, out);
            table_free(table);
        }
    fclose(out);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag *diag = diag_create();
    struct result *result = NULL;
    const enum status st = size > 0 ? hdf5_read("input", data, size, &result, diag) : STATUS_IO;
    require(st == STATUS_OK ? result != NULL : !result);
    if (result) {
        hand_over(result);
        print_tables(result);
    }
    result_free(result);
    diag_free(diag);
    return 0;
}
