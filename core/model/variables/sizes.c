/* Typical sizes of variables, for programs that are solved in units of them (core/nlp/scaled.h). */
#include "core/model/variables/read.h"

#include <string.h>

void reader_size(struct reader *r, const struct spec_node *node, double *out)
{
    double size;
    if (!node || node->kind == SPEC_NULL || reader_finite(r, node, &size) != STATUS_OK)
        return;
    if (size > 0)
        *out = size;
    else
        spec_error(r->diag, node, "must be above 0, got %.15g", size);
}

void model_read_scaling(struct reader *r)
{
    struct model *m = r->model;
    m->has_sizes = strcmp(reader_word(r, spec_get(r->root, "solver"), "scale"), "auto") == 0;
}
