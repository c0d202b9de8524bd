/* The block `simulate` of the spec. */
#include "transcription/step/simulate.h"

#include <math.h>

static const char *const methods[] = {
    "event", "fesd", "fesd-j", "time-freezing", "time-stepping", "moreau", "stewart-trinkle", NULL
};
static const char *const laws[] = { "newton", "poisson", NULL };

#define FIELD(name) offsetof(struct simulate_settings, name)

static const struct setting_key keys[] = {
    { .name = "method", .type = SETTING_CHOICE, .offset = FIELD(method), .initial = SIMULATE_EVENT,
      .choices = methods, .help = "how to integrate" },
    { .name = "steps", .type = SETTING_INT, .offset = FIELD(steps), .initial = NAN, .min = 1, .max = 1e6,
      .auto_word = "auto", .help = "steps of fixed-step methods over the horizon; auto: time.intervals" },
    { .name = "rtol", .type = SETTING_DOUBLE, .offset = FIELD(rtol), .initial = 1e-12, .min = 0, .open_min = true,
      .max = 1, .help = "event: relative tolerance" },
    { .name = "atol", .type = SETTING_DOUBLE, .offset = FIELD(atol), .initial = 1e-14, .min = 0, .open_min = true,
      .max = 1, .help = "event: absolute tolerance" },
    { .name = "impact_law", .type = SETTING_CHOICE, .offset = FIELD(impact_law), .initial = IMPACT_LAW_NEWTON,
      .choices = laws, .help = "event: law of restitution" },
    { .name = "max_events", .type = SETTING_INT, .offset = FIELD(max_events), .initial = 10000, .min = 1,
      .max = 1e9, .help = "event: events before a simulation gives up" },
};

const struct setting_table simulate_table = { "simulate", keys, sizeof keys / sizeof keys[0] };

enum status simulate_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                   struct simulate_settings *out, struct diag *diag)
{
    static const char *const also[] = { "controls", NULL };
    return settings_read(&simulate_table, block, eval, also, out, diag);
}

const char *simulate_method_name(enum simulate_method method)
{
    return methods[method];
}
