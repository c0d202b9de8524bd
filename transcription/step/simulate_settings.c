/* The block `simulate` of the spec. */
#include "transcription/step/simulate.h"

#include "core/spec/shape.h"

#include <math.h>

static const char *const methods[] = {
    "event", "fesd", "fesd-j", "time-freezing", "time-stepping", "moreau", "stewart-trinkle", NULL
};
static const char *const laws[] = { "newton", "poisson", NULL };

#define FIELD(name) offsetof(struct simulate_settings, name)

static const struct setting_key keys[] = {
    { .name = "method", .type = SETTING_CHOICE, .offset = FIELD(method), .initial = SIMULATE_EVENT,
      .choices = methods, .help = "how to integrate",
      .why = "it knows nothing of a discretization and locates events to rounding" },
    { .name = "steps", .type = SETTING_INT, .offset = FIELD(steps), .initial = NAN, .min = 1, .max = 1e6,
      .auto_word = "auto", .help = "steps of fixed-step methods over the horizon; auto: time.intervals" },
    { .name = "rtol", .type = SETTING_DOUBLE, .offset = FIELD(rtol), .initial = 1e-12, .min = 0, .open_min = true,
      .max = 1, .help = "event: relative tolerance",
      .why = "steps of order 20 reach it at little cost, and events are judged on it" },
    { .name = "atol", .type = SETTING_DOUBLE, .offset = FIELD(atol), .initial = 1e-14, .min = 0, .open_min = true,
      .max = 1, .help = "event: absolute tolerance",
      .why = "two digits below rtol, for states near 0" },
    { .name = "impact_law", .type = SETTING_CHOICE, .offset = FIELD(impact_law), .initial = IMPACT_LAW_NEWTON,
      .choices = laws, .help = "event: law of restitution" },
    { .name = "max_events", .type = SETTING_INT, .offset = FIELD(max_events), .initial = 10000, .min = 1,
      .max = 1e9, .help = "event: events before a simulation gives up",
      .why = "impacts that accumulate are led to rest long before" },
};

static const struct shape formulas = { .kind = SHAPE_TABLE, .of = &shape_formula };
static const struct shape *const given[] = { &formulas, &shape_text, NULL };
static const struct shape controls = { .kind = SHAPE_EITHER, .either = given };
static const struct shape_key also[] = {
    { "controls", &controls, .initial = "each at its guess",
      .help = "{control: expression of t, states and parameters}, or the name of a CSV file with columns t and controls" },
    { .name = NULL }
};

const struct setting_table simulate_table = { .block = "simulate", keys, sizeof keys / sizeof keys[0], .also = also };

enum status simulate_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                   struct simulate_settings *out, struct diag *diag)
{
    return settings_read(&simulate_table, block, eval, out, diag);
}

const char *simulate_method_name(enum simulate_method method)
{
    return methods[method];
}
