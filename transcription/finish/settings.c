#include "transcription/finish/settings.h"
#include "transcription/mechanisms/mechanisms.h"
#include "transcription/sequence/recipe.h"

#include <math.h>

#define FIELD(name) offsetof(struct finish_settings, name)

static const char *const uses[] = { "off", "on", NULL };

static const char *const schemes[] = { "auto", "radau-iia", "gauss-legendre", NULL };

static const struct setting_key keys[] = {
    { .name = "use", .type = SETTING_CHOICE, .offset = FIELD(use), .initial = FINISH_ON, .choices = uses,
      .help = "end in the smooth program of the sequence of modes that was found",
      .why = "with the sequence fixed the problem is smooth: exact events, and errors of a replay near rounding" },
    { .name = "scheme", .type = SETTING_CHOICE, .offset = FIELD(scheme), .initial = FINISH_SCHEME_AUTO, .choices = schemes,
      .auto_word = "auto", .help = "of the finished solution: radau-iia, or gauss-legendre",
      .why = "auto is gauss-legendre where discretization.scheme is: order 2 s, but undamped; else radau-iia" },
    { .name = "stages", .type = SETTING_INT, .offset = FIELD(stages), .initial = 4, .min = 1, .max = 9,
      .help = "of each element",
      .why = "order 7 of Radau IIA: two elements between events reach tol nearly always" },
    { .name = "elements", .type = SETTING_INT, .offset = FIELD(elements), .initial = 2, .min = 1, .max = 100,
      .help = "of every piece between events",
      .why = "divided where they are off, until a replay agrees to tol" },
    { .name = "tol", .type = SETTING_DOUBLE, .offset = FIELD(tol), .initial = 1e-4, .min = 0, .open_min = true,
      .max = INFINITY, .open_max = true,
      .help = "error of the states at the end, replayed by events: elements are divided until it is below",
      .why = "well below what actuators can follow; tighter costs more elements" },
    { .name = "starts", .type = SETTING_INT, .offset = FIELD(starts), .initial = STARTS_DEFAULT, .min = 0, .max = 100,
      .help = "time-stepping solutions to take sequences of contacts from, at most: two that agree end it, and by default "
              "one where little happens",
      .why = "which sequence comes out is a matter of luck: several find the better one more often than one" },
    { .name = "tries", .type = SETTING_INT, .offset = FIELD(tries), .initial = SEARCH_TRIES, .min = 0, .max = 10000,
      .help = "neighbouring sequences to try from each of the best, at most",
      .why = "a neighbour takes a few milliseconds to a second" },
    { .name = "without", .type = SETTING_SET, .offset = FIELD(without), .choices = mechanism_names, .meanings = mechanism_helps,
      .help = "mechanisms of the search that are left out; `cocp show -v` counts what each has done",
      .why = "all of them are of use to some problem" },
    { .name = "only", .type = SETTING_SET, .offset = FIELD(only), .choices = mechanism_names, .meanings = mechanism_helps,
      .help = "of generators, moves, continuations or gates only these, where any of their kind is named",
      .why = "to see what one generator alone finds" },
};

const struct setting_table finish_table = { .block = "finish", keys, sizeof keys / sizeof keys[0], .main = "use" };

static const struct setting_key sensitivity_keys[] = {
    { .name = "use", .type = SETTING_CHOICE, .offset = offsetof(struct sensitivity_settings, use), .initial = 0,
      .choices = uses, .help = "derivatives of the finished solution with respect to initial values and parameters",
      .why = "a second of work and a group of the result that few ask for" },
};

const struct setting_table sensitivity_table = { .block = "sensitivity", sensitivity_keys,
                                                 sizeof sensitivity_keys / sizeof sensitivity_keys[0], .main = "use" };

enum status finish_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                 struct finish_settings *out, struct diag *diag)
{
    return settings_read(&finish_table, block, eval, out, diag);
}
