#include "transcription/phases/settings.h"
#include "transcription/phases/recipe.h"

#include <math.h>

#define FIELD(name) offsetof(struct finish_settings, name)

static const char *const uses[] = { "off", "on", NULL };

static const struct setting_key keys[] = {
    { .name = "use", .type = SETTING_CHOICE, .offset = FIELD(use), .initial = FINISH_ON, .choices = uses,
      .help = "end in the smooth program of the sequence of modes that was found" },
    { .name = "stages", .type = SETTING_INT, .offset = FIELD(stages), .initial = 4, .min = 1, .max = 9,
      .help = "of Radau IIA, in the finished solution" },
    { .name = "elements", .type = SETTING_INT, .offset = FIELD(elements), .initial = 2, .min = 1, .max = 100,
      .help = "of every piece between events" },
    { .name = "tol", .type = SETTING_DOUBLE, .offset = FIELD(tol), .initial = 1e-4, .min = 0, .open_min = true,
      .max = INFINITY, .open_max = true,
      .help = "error of the states at the end, replayed by events: elements are doubled until it is below" },
    { .name = "starts", .type = SETTING_INT, .offset = FIELD(starts), .initial = 3, .min = 0, .max = 100,
      .help = "time-stepping solutions to take sequences of contacts from" },
    { .name = "tries", .type = SETTING_INT, .offset = FIELD(tries), .initial = SEARCH_TRIES, .min = 0, .max = 10000,
      .help = "neighbouring sequences to try from each of the best, at most" },
};

const struct setting_table finish_table = { "finish", keys, sizeof keys / sizeof keys[0] };

enum status finish_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                 struct finish_settings *out, struct diag *diag)
{
    if (!block || block->kind != SPEC_SCALAR)
        return settings_read(&finish_table, block, eval, NULL, out, diag);
    struct spec_node use = *block, *child = &use, alone = *block;       /* `finish: off` is short for {use: off} */
    use.key = "use";
    alone.kind = SPEC_MAPPING;
    alone.n = 1;
    alone.child = &child;
    return settings_read(&finish_table, &alone, eval, NULL, out, diag);
}
