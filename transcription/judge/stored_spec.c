/* /spec: the verbatim spec. */
#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "core/model/read/read.h"
#include "transcription/judge/stored_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *model_text(const struct model *model)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        model_print_resolved(model, out);
        (void)fclose(out);
    }
    return text;
}

/* The verbatim spec is that of its hash, or differs in its looks alone. */
static bool has_its_spec(const struct stored *at)
{
    const struct solution_file *file = at->file;
    const struct result_data *yaml = result_data_of(file->result, "/spec", "yaml");
    const char *hash = result_get_text(result_find(file->result, "/"), "spec_sha256");
    struct spec *spec = NULL;
    struct model *model = NULL;
    struct diag *silent = diag_create();
    bool same = !yaml || !yaml->text || yaml->n < 1;
    if (!same && spec_read_stored("/spec/yaml", yaml->text[0], &spec, silent) == STATUS_OK) {
        same = hash && strcmp(hash, spec_sha256(spec)) == 0;
        if (!same && model_read(spec, MODEL_FOR_SIMULATE, &model, silent) == STATUS_OK) {
            char *verbatim = model_text(model), *resolved = model_text(file->model);
            same = verbatim && resolved && strcmp(verbatim, resolved) == 0;
            free(verbatim);
            free(resolved);
        }
    }
    model_free(model);
    spec_free(spec);
    diag_free(silent);
    return same;
}

void stored_judge_spec(const struct stored *at)
{
    stored_add_shape(at, has_its_spec(at), "verbatim spec", "/spec/yaml is not the spec that was solved");
}
