#include "transcription/track/settings.h"

#include "core/base/mem.h"
#include "core/model/read/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(struct track_settings, name)

static const char *const horizons[] = { "shrinking", "receding", NULL };

static const struct setting_key keys[] = {
    { .name = "period", .type = SETTING_INT, .offset = FIELD(period), .initial = 1, .min = 1, .max = 1e6,
      .help = "control intervals from one re-solve to the next",
      .why = "plans that share the ends of intervals share their sequence; on another grid it would have to be found again" },
    { .name = "steps", .type = SETTING_INT, .offset = FIELD(steps), .initial = NAN, .min = 1, .max = 1e6,
      .auto_word = "auto", .help = "periods until it ends; auto: as long as the horizon of the first plan" },
    { .name = "horizon", .type = SETTING_CHOICE, .offset = FIELD(horizon), .initial = TRACK_SHRINKING, .choices = horizons,
      .help = "of a re-solve: shrinking, the time that is left; or receding, the whole horizon again",
      .why = "a motion that ends somewhere has a time to get there; gaits and balancing go on: receding" },
    { .name = "delay", .type = SETTING_DOUBLE, .offset = FIELD(delay), .initial = 0, .min = 0, .max = INFINITY,
      .open_max = true, .auto_word = "solve",
      .help = "from a measurement until its plan takes over, in the unit of time; solve: what the re-solve took on this machine",
      .why = "0 is the same on every machine" },
    { .name = "max_solve", .type = SETTING_DOUBLE, .offset = FIELD(max_solve), .initial = 2, .min = 0,
      .open_min = true, .max = INFINITY, .units = "s", .help = "for one re-solve, after which it has failed",
      .why = "most take milliseconds; one that takes seconds is lost among neighbours of its sequence" },
    { .name = "tries", .type = SETTING_INT, .offset = FIELD(tries), .initial = 0, .min = 0, .max = 1e6,
      .help = "neighbouring sequences that are tried for a better one, once a re-solve has one",
      .why = "the last plan was the best of its neighbours; what a receding horizon adds at its end is not" },
    { .name = "rediscover", .type = SETTING_BOOL, .offset = FIELD(rediscover), .initial = 0,
      .help = "where the sequence of the last plan and its neighbours lead nowhere, discover others as `solve` does",
      .why = "seconds, in which the last plan goes on; without, it goes on until the next period" },
    { .name = "feedback", .type = SETTING_BOOL, .offset = FIELD(feedback), .initial = 1,
      .help = "where a re-solve fails, and until a delayed one is there, the last plan's controls answer to the measured state",
      .why = "one linear system of that plan's program tells what a re-solve would change, in the first order" },
    { .name = "soften", .type = SETTING_BOOL, .offset = FIELD(soften), .initial = 1,
      .help = "where a re-solve cannot reach final values any more, or not keep what holds along the path, come as near as can be",
      .why = "a box that slides on after its push cannot be stopped elsewhere; noise puts states beyond their bounds" },
    { .name = "tol", .type = SETTING_DOUBLE, .offset = FIELD(tol), .initial = 0.05, .min = 0, .open_min = true,
      .max = INFINITY,
      .help = "of final values at the end, relative to the width of a state's bounds (1 where they are wider)" },
    { .name = "seed", .type = SETTING_INT, .offset = FIELD(seed), .initial = 1, .min = 0, .max = 2147483647,
      .help = "of noise and disturbances" },
};

static const struct shape sizes = { .kind = SHAPE_TABLE, .of = &shape_number };
static const struct shape changes = { .kind = SHAPE_TABLE, .of = &shape_formula, .by_path = true };
static const struct shape_key also[] = {
    { "noise", &sizes, .initial = "none", .help = "{state: size}: measured with an error drawn evenly from [-size, size]" },
    { "disturbance", &sizes, .initial = "none",
      .help = "{state: size}: at each measurement it jumps by a number drawn evenly from [-size, size]" },
    { "plant", &changes, .initial = "the model", .help = "{path: value}: what differs in the plant, as parameters.mu: 0.3" },
    { .name = NULL }
};

const struct setting_table track_table = { .block = "track", keys, sizeof keys / sizeof keys[0], .also = also };

static int find_state(const struct model *model, const char *name)
{
    for (int i = 0; i < model->n_x; i++)
        if (strcmp(model->x[i].name, name) == 0)
            return i;
    return -1;
}

static enum status unknown_state(const struct model *model, const struct spec_node *node, struct diag *diag)
{
    const char **names = mem_alloc((size_t)model->n_x, sizeof *names);
    for (int i = 0; i < model->n_x; i++)
        names[i] = model->x[i].name;
    const char *near = spec_suggest(node->key, model->n_x, names);
    free(names);
    return spec_error(diag, node, "no state is called \"%s\"%s%s%s", node->key, near ? " (did you mean \"" : "",
                      near ? near : "", near ? "\"?)" : "");
}

enum status track_sizes_read(const struct spec_node *node, struct model *model, double *size, struct diag *diag)
{
    const struct setting_eval eval = model_eval(model);
    enum status st = STATUS_OK;
    for (int i = 0; i < model->n_x; i++)
        size[i] = 0;
    if (!node || node->kind == SPEC_NULL)
        return STATUS_OK;
    if (node->kind != SPEC_MAPPING)
        return spec_error(diag, node, "expected a mapping of states to sizes");
    for (int k = 0; k < node->n; k++) {
        const struct spec_node *child = node->child[k];
        const int i = find_state(model, child->key);
        double value = NAN;
        if (i < 0)
            st = unknown_state(model, child, diag);
        else if (eval.number(eval.user, child, &value, diag) != STATUS_OK)
            st = STATUS_SPEC;
        else if (!(value >= 0 && isfinite(value)))
            st = spec_error(diag, child, "must be a number >= 0, got %g", value);
        else
            size[i] = value;
    }
    return st;
}

struct leaves { struct arena *mem; int n; struct spec_override *list; };

static void add_leaves(struct leaves *to, const struct spec_node *node, const char *path)
{
    for (int k = 0; k < node->n; k++) {
        const struct spec_node *child = node->child[k];
        const char *name = arena_printf(to->mem, "%s%s%s", path, *path ? "." : "", child->key);
        if (child->kind == SPEC_MAPPING) {
            add_leaves(to, child, name);
            continue;
        }
        char *yaml = spec_to_yaml(child);
        struct spec_override *list = arena_alloc(to->mem, (size_t)to->n + 1, sizeof *list);
        if (to->n)
            memcpy(list, to->list, (size_t)to->n * sizeof *list);
        list[to->n++] = (struct spec_override){ name, arena_printf(to->mem, "%s", yaml) };
        to->list = list;
        free(yaml);
    }
}

enum status track_plant_read(const struct spec_node *node, struct arena *mem, int *n, struct spec_override **out,
                             struct diag *diag)
{
    struct leaves found = { mem, 0, NULL };
    *n = 0;
    *out = NULL;
    if (!node || node->kind == SPEC_NULL)
        return STATUS_OK;
    if (node->kind != SPEC_MAPPING)
        return spec_error(diag, node, "expected a mapping of paths of the spec to values");
    add_leaves(&found, node, "");
    *n = found.n;
    *out = found.list;
    return STATUS_OK;
}

enum status track_settings_read(const struct spec_node *block, struct model *model, struct track_settings *out,
                                struct diag *diag)
{
    const struct setting_eval eval = model_eval(model);
    struct arena mem = { NULL };
    struct spec_override *changed;
    int n;
    double *size = arena_alloc(&mem, (size_t)model->n_x, sizeof *size);
    enum status st = settings_read(&track_table, block, &eval, out, diag);
    if (track_sizes_read(spec_get(block, "noise"), model, size, diag) != STATUS_OK)
        st = STATUS_SPEC;
    if (track_sizes_read(spec_get(block, "disturbance"), model, size, diag) != STATUS_OK)
        st = STATUS_SPEC;
    if (track_plant_read(spec_get(block, "plant"), &mem, &n, &changed, diag) != STATUS_OK)
        st = STATUS_SPEC;
    arena_free(&mem);
    return st;
}
