#include "core/output/settings.h"

#define FIELD(name) offsetof(struct output_settings, name)

static const struct setting_key keys[] = {
    { .name = "points", .type = SETTING_INT, .offset = FIELD(points), .initial = 501, .min = 2, .max = 1e7,
      .help = "points of /uniform in the result" },
};

const struct setting_table output_table = { "output", keys, sizeof keys / sizeof keys[0] };

enum status output_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                 struct output_settings *out, struct diag *diag)
{
    return settings_read(&output_table, block, eval, NULL, out, diag);
}
