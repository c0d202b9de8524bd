#include "core/simulation/verify_settings.h"

#include <math.h>

#define FIELD(name) offsetof(struct verify_settings, name)

static const struct setting_key keys[] = {
    { .name = "tol", .type = SETTING_DOUBLE, .offset = FIELD(tol), .initial = 1e-3, .min = 0, .open_min = true,
      .max = INFINITY, .open_max = true,
      .help = "largest error of a state at the end, relative to max(1, its largest magnitude)" },
};

const struct setting_table verify_table = { "verify", keys, sizeof keys / sizeof keys[0] };

enum status verify_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                 struct verify_settings *out, struct diag *diag)
{
    return settings_read(&verify_table, block, eval, NULL, out, diag);
}
