/* tests/unit/read_spec.h - from a spec to its model, for tests and measurements
 *
 * What goes wrong is printed and ends the program: it is not what the test is about.
 */
#ifndef COCP_TESTS_UNIT_READ_SPEC_H
#define COCP_TESTS_UNIT_READ_SPEC_H

#include "core/model/model.h"
#include "core/model/read/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void read_check(struct diag *diag, enum status st)
{
    if (st == STATUS_OK)
        return;
    diag_print(diag, stderr);
    fprintf(stderr, "%s\n", status_text(st));
    exit(1);
}

/* A spec, by its text or, if that is one line, by its path. */
static inline void read_spec(const char *text, enum model_need need, struct diag *diag, struct spec **spec,
                             struct model **model)
{
    read_check(diag, strchr(text, '\n') ? spec_read_text("test.yaml", text, 0, NULL, spec, diag)
                                        : spec_read_file(text, 0, NULL, spec, diag));
    read_check(diag, model_read(*spec, need, model, diag));
}

#endif
