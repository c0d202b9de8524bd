/* tests/fuzz/fuzz_csv.c - hostile tables of controls: mistakes are reported with their line, and what is read is a
 * table */
#define _POSIX_C_SOURCE 200809L

#include "core/base/mem.h"
#include "core/model/read/read.h"
#include "transcription/start/control_table.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char spec_of_model[] =
    "cocp: 1\nname: m\ntime: {horizon: 1, intervals: 2}\nstates: {x: {initial: 0}}\n"
    "controls: {u: {}, force: {}}\ndynamics: {type: ode, rhs: {x: u + force}}\n";

static void require(bool fact)
{
    if (!fact)
        abort();
}

/* Made once: the reader does not change it. */
static const struct model *model_of_all(void)
{
    static struct model *model;
    static struct spec *spec;
    struct diag *diag = model ? NULL : diag_create();
    if (!model) {
        require(spec_read_text("m", spec_of_model, 0, NULL, &spec, diag) == STATUS_OK);
        require(model_read(spec, MODEL_FOR_SIMULATE, &model, diag) == STATUS_OK);
    }
    diag_free(diag);
    return model;
}

static void check_table(const struct control_table *table)
{
    require(table->n > 0);
    for (int k = 0; k < table->n; k++)
        require(isfinite(table->t[k]) && (k == 0 || table->t[k] > table->t[k - 1]));
    for (int k = 0; k < table->n * table->n_u; k++)
        require(!isinf(table->u[k]));
    require(control_table_row(table, table->t[table->n - 1]) == table->n - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct model *model = model_of_all();
    struct diag *diag = diag_create();
    struct control_table *table = control_table_create(model);
    FILE *in = size ? fmemopen((void *)data, size, "r") : NULL;      /* is only read */
    if (in) {
        const enum status st = control_table_read_csv(model, in, "u.csv", table, diag);
        require((st == STATUS_OK) == (diag_n_errors(diag) == 0));
        if (st == STATUS_OK)
            check_table(table);
        fclose(in);
    }
    control_table_free(table);
    diag_free(diag);
    return 0;
}
