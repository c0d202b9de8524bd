/* core/simulation/verify_settings.h - the block `verify` of the spec; README.md "The spec" */
#ifndef COCP_CORE_SIMULATION_VERIFY_SETTINGS_H
#define COCP_CORE_SIMULATION_VERIFY_SETTINGS_H

#include "core/spec/settings.h"

struct verify_settings {
    double tol;                     /* largest error of a state at the end, relative to max(1, its largest size) */
};

extern const struct setting_table verify_table;

/* Reads the block (NULL: defaults). */
enum status verify_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                 struct verify_settings *out, struct diag *diag);

#endif
