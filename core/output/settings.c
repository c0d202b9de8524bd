#include "core/output/settings.h"

static const struct setting_key keys[] = {
    { .name = "points", .type = SETTING_INT, .offset = offsetof(struct output_settings, points), .initial = 501,
      .min = 2, .max = 1e7, .help = "points of /uniform in the result",
      .why = "smooth to the eye in any picture, small in a file" },
};

const struct setting_table output_table = { .block = "output", keys, sizeof keys / sizeof keys[0] };
