#include "core/stability/settings.h"

#include <math.h>

static const char *const methods[] = { "cones", "sos", "sos-original", NULL };
static const char *const levels[] = { "p", "e", "m", NULL };

int level_n_p(int level)
{
    return level == LEVEL_M ? LEVEL_MAX_P : 9;
}

const char *certify_method_text(int method)
{
    return methods[method];
}

#define FIELD(name) offsetof(struct certify_settings, name)

static const struct setting_key keys[] = {
    { .name = "method", .type = SETTING_CHOICE, .offset = FIELD(method), .initial = CERTIFY_CONES, .choices = methods,
      .help = "cones: functions of `levels` by quadratic forms on cones; sos: a polynomial of `degree` by sums of squares "
              "(SOS, Theorem 2); sos-original: one that never grows, not even in flight (Theorem 1)",
      .why = "cones takes milliseconds and proves what it finds; the others are there to compare" },
    { .name = "degree", .type = SETTING_INT, .offset = FIELD(degree), .initial = 3, .min = 2, .max = 4,
      .help = "of the polynomial of sos and sos-original",
      .why = "SOS (53): 55 coefficients; with restitution 2 takes seconds and 3 many minutes" },
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
