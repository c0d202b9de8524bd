/* tests/unit/read_settings.h - the blocks of a spec that a transcription wants; FESD where it names no method */
#ifndef COCP_TESTS_UNIT_READ_SETTINGS_H
#define COCP_TESTS_UNIT_READ_SETTINGS_H

#include "core/mpcc/settings.h"
#include "transcription/method/settings.h"

#include "core/model/read/read.h"
#include "tests/unit/read_spec.h"

static inline void read_settings(const struct spec *spec, struct model *model,
                                 struct discretization *discretization, struct homotopy_settings *homotopy,
                                 struct diag *diag)
{
    const struct setting_eval eval = model_eval(model);
    const struct spec_node *root = spec_root(spec);
    read_check(diag, discretization_read(spec_get(root, "discretization"), &eval, discretization, diag));
    read_check(diag, homotopy_settings_read(spec_get(root, "homotopy"), &eval, homotopy, diag));
    if (discretization->method == METHOD_AUTO)
        discretization->method = METHOD_FESD;
}

#endif
