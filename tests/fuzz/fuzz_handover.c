/* tests/fuzz/fuzz_handover.c - what a child that was hurt may send: core/results/handover.c must refuse it or read it */
#define _POSIX_C_SOURCE 200809L

#include "core/results/handover.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct result *result = handover_read(data, size);
    char *bytes = NULL;
    size_t n;
    FILE *out = result ? open_memstream(&bytes, &n) : NULL;
    if (out) {
        handover_write(result, out);        /* touches all that was read */
        fclose(out);
        struct result *again = handover_read(bytes, n);
        if (!again)
            abort();
        result_free(again);
        free(bytes);
    }
    result_free(result);
    return 0;
}
