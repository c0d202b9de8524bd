#include "core/impact/settings.h"

#include <math.h>

static const char *const samplings[] = { "sobol", "random", NULL };
static const char *const restitutions[] = { "poisson", "none", NULL };
static const char *const laws[] = { "anitescu-potra", "sequential", "compliant", NULL };

#define FIELD(name) offsetof(struct impact_settings, name)

static const struct setting_key keys[] = {
    { .name = "h", .type = SETTING_DOUBLE, .offset = FIELD(h), .initial = NAN, .min = 0, .open_min = true,
      .max = INFINITY, .open_max = true, .units = "N s",
      .help = "normal impulses of a step are drawn from [0, h]; to be given",
      .why = "it is the size of a step of the set: no number suits all masses and speeds" },
    { .name = "max_steps", .type = SETTING_INT, .offset = FIELD(max_steps), .initial = 10, .min = 1, .max = 1e6,
      .help = "steps until an impact counts as unfinished" },
    { .name = "samples", .type = SETTING_INT, .offset = FIELD(samples), .initial = 16384, .min = 1, .max = 1e9,
      .help = "sequences of impulses",
      .why = "a power of two, as Sobol sequences like it; shares are then good to a percent" },
    { .name = "sampling", .type = SETTING_CHOICE, .offset = FIELD(sampling), .initial = SAMPLE_SOBOL,
      .choices = samplings, .help = "how they are drawn",
      .why = "covers the orders of impulses evenly" },
    { .name = "seed", .type = SETTING_INT, .offset = FIELD(seed), .initial = 1, .min = 0, .max = 2147483647,
      .help = "of random numbers" },
    { .name = "restitution", .type = SETTING_CHOICE, .offset = FIELD(restitution), .initial = RESTITUTION_POISSON,
      .choices = restitutions, .help = "poisson: each contact gives back its restitution times the normal impulse it "
      "took, as long as energy does not grow; none: impacts are inelastic" },
    { .name = "corners", .type = SETTING_BOOL, .offset = FIELD(corners),
      .help = "add samples with every entry 0 or h" },
    { .name = "eps", .type = SETTING_DOUBLE, .offset = FIELD(eps), .initial = 1e-4, .min = 0, .open_min = true,
      .max = INFINITY, .open_max = true,
      .help = "an unfinished sample gets one small step more that moves its velocities by at most eps/3" },
    { .name = "gap_tol", .type = SETTING_DOUBLE, .offset = FIELD(gap_tol), .initial = 1e-6, .min = 0,
      .max = INFINITY, .open_max = true, .units = "m", .help = "contacts with at most this gap take part",
      .why = "rounding of positions computed by others" },
    { .name = "compare", .type = SETTING_SET, .offset = FIELD(compare), .choices = laws,
      .help = "other laws beside the set: anitescu-potra, sequential, compliant" },
};

const struct setting_table impact_table = { .block = "impact", keys, sizeof keys / sizeof keys[0] };
