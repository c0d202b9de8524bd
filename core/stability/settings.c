#include "core/stability/settings.h"

#include <math.h>

static const char *const levels[] = { "p", "e", "m", NULL };

int level_n_p(int level)
{
    return level == LEVEL_M ? LEVEL_MAX_P : 9;
}

#define FIELD(name) offsetof(struct certify_settings, name)

static const struct setting_key keys[] = {
    { .name = "levels", .type = SETTING_SET, .offset = FIELD(levels), .initial = LEVEL_P | LEVEL_E | LEVEL_M,
      .min = 1, .choices = levels, .help = "forms of Lyapunov functions to try",
      .why = "the simplest form that proves stability is the easiest to check" },
    { .name = "gap_tol", .type = SETTING_DOUBLE, .offset = FIELD(gap_tol), .initial = 1e-6, .min = 0,
      .max = INFINITY, .open_max = true, .units = "m", .help = "contacts with at most this gap are closed",
      .why = "rounding of positions computed by others" },
    { .name = "each_level", .type = SETTING_BOOL, .offset = FIELD(each_level),
      .help = "try every level by itself, after one has certified, too: for charts; a sweep does" },
    { .name = "outer_feet", .type = SETTING_BOOL, .offset = FIELD(outer_feet),
      .help = "of three and more feet on a line take the outer two: assumes that the others never hit" },
};

const struct setting_table certify_table = { .block = "certify", keys, sizeof keys / sizeof keys[0] };

enum status certify_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                  struct certify_settings *out, struct diag *diag)
{
    return settings_read(&certify_table, block, eval, out, diag);
}
