#include "transcription/ensemble/settings.h"

#include "core/base/mem.h"
#include "core/model/read/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_NUMBER = 5, MOST_SCENARIOS = 1000 };
#define GOLDEN 0.6180339887498949   /* its multiples, modulo 1, fill the unit interval evenly */

#define FIELD(name) offsetof(struct scenario_settings, name)

static const char *const costs[] = { "mean", "worst", NULL };

static const struct setting_key keys[] = {
    { .name = "number", .type = SETTING_INT, .offset = FIELD(number), .initial = NAN, .min = 0, .max = MOST_SCENARIOS,
      .auto_word = "auto", .help = "of scenarios; 0: the spec as written alone; auto: as many as there are values, else 5",
      .why = "a solve takes about that many times as long as one of a single scenario" },
    { .name = "cost", .type = SETTING_CHOICE, .offset = FIELD(cost), .initial = SCENARIO_MEAN, .choices = costs,
      .help = "mean: the weighted mean of their costs; worst: the largest of them",
      .why = "mean is the expected cost, where weights are probabilities" },
    { .name = "weights", .type = SETTING_LIST, .offset = FIELD(weights), .min = 0, .open_min = true, .max = INFINITY,
      .open_max = true, .help = "of the mean, one for each scenario; not given: all the same" },
};

static const struct shape numbers = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 1 };
static const struct shape_key varied_keys[] = {
    { "values", &numbers, .help = "one for each scenario" },
    { "spread", &shape_number, .help = "standard deviation around the spec's own value: parts of equal probability" },
    { "range", &shape_range, .help = "[lo, hi]: evenly from one end to the other" },
    { .name = NULL }
};
static const struct shape varied = { .kind = SHAPE_RECORD, .key = varied_keys, .main = "values" };
static const struct shape vary = { .kind = SHAPE_TABLE, .of = &varied, .by_path = true };
static const struct shape_key also[] = {
    { "vary", &vary, .initial = "nothing",
      .help = "{path: values}: what differs from scenario to scenario, as parameters.mu: {spread: 0.05}" },
    { .name = NULL }
};

const struct setting_table scenario_table = { .block = "scenarios", keys, sizeof keys / sizeof keys[0], .also = also };

/* --- One path ------------------------------------------------------------------------------------------------ */

enum kind { VALUES, SPREAD, RANGE };

/* How one number varies. */
struct varying {
    const struct spec_node *node;
    const char *path;
    enum kind kind;
    int n;                          /* of VALUES */
    double *value;                  /* [n]; SPREAD: the size; RANGE: both ends */
    double nominal;
};

struct reading {
    const struct spec_node *root;
    struct model *model;
    struct arena *mem;
    struct diag *diag;
    int n;
    struct varying *list;           /* [n] */
};

/* The node at a path; NULL if there is none. */
static const struct spec_node *node_at(const struct spec_node *node, const char *path)
{
    char key[128];
    for (size_t n; node && *path; path += n + (path[n] == '.')) {
        n = strcspn(path, ".");
        if (n >= sizeof key)
            return NULL;
        memcpy(key, path, n);
        key[n] = '\0';
        node = spec_get(node, key);
    }
    return node;
}

/* parameters.NAME or states.NAME.initial. */
static bool may_vary(const char *path)
{
    static const char initial[] = ".initial";
    const size_t n = strlen(path), m = sizeof initial - 1;
    if (strncmp(path, "parameters.", 11) == 0)
        return spec_is_name(path + 11);
    return strncmp(path, "states.", 7) == 0 && n > 7 + m && strcmp(path + n - m, initial) == 0;
}

/* Is it a parameter that no formula names? */
static bool is_idle(const struct model *model, const char *path)
{
    bool idle = false;
    for (int k = 0; k < model->n_param; k++)
        idle = idle || (strcmp(model->param[k].path, path) == 0 && !model->param[k].is_used);
    return idle;
}

static enum status find_nominal(struct reading *at, struct varying *one)
{
    const struct spec_node *node = node_at(at->root, one->path);
    const struct setting_eval eval = model_eval(at->model);
    one->nominal = NAN;
    if (!node)
        return spec_error(at->diag, one->node, "the spec has no %s", one->path);
    if (node->kind == SPEC_MAPPING && spec_get(node, "optimize"))
        return spec_error(at->diag, one->node, "%s is optimized: it is one for all scenarios", one->path);
    if (is_idle(at->model, one->path))
        return spec_error(at->diag, one->node, "changes nothing: no formula of the spec names this parameter");
    if (node->kind == SPEC_MAPPING)
        node = spec_get(node, "value");
    struct diag *silent = diag_create();        /* free, or a range: it has none, which only a spread minds */
    if (!node || eval.number(eval.user, node, &one->nominal, silent) != STATUS_OK)
        one->nominal = NAN;
    diag_free(silent);
    if (one->kind == SPREAD && !isfinite(one->nominal))
        return spec_error(at->diag, one->node,
                          "%s has no value that others could spread around: give values or a range", one->path);
    return STATUS_OK;
}

static enum status read_numbers(struct reading *at, const struct spec_node *node, struct varying *one)
{
    const struct setting_eval eval = model_eval(at->model);
    if (node->kind != SPEC_SEQUENCE || node->n == 0)
        return spec_error(at->diag, node, "expected a list of numbers, as [0.2, 0.3, 0.4]");
    one->n = node->n;
    one->value = arena_alloc(at->mem, (size_t)node->n, sizeof *one->value);
    for (int k = 0; k < node->n; k++) {
        if (eval.number(eval.user, node->child[k], &one->value[k], at->diag) != STATUS_OK)
            return STATUS_SPEC;
        if (!isfinite(one->value[k]))
            return spec_error(at->diag, node->child[k], "must be a finite number, got %g", one->value[k]);
    }
    return STATUS_OK;
}

static enum status read_spread(struct reading *at, const struct spec_node *node, struct varying *one)
{
    const struct setting_eval eval = model_eval(at->model);
    one->value = arena_alloc(at->mem, 1, sizeof *one->value);
    if (eval.number(eval.user, node, one->value, at->diag) != STATUS_OK)
        return STATUS_SPEC;
    return *one->value > 0 && isfinite(*one->value)
               ? STATUS_OK
               : spec_error(at->diag, node, "must be a number > 0, got %g", *one->value);
}

static enum status read_range(struct reading *at, const struct spec_node *node, struct varying *one)
{
    if (read_numbers(at, node, one) != STATUS_OK)
        return STATUS_SPEC;
    return one->n == 2 && one->value[0] < one->value[1]
               ? STATUS_OK
               : spec_error(at->diag, node, "must be [lo, hi] with lo < hi");
}

static enum status read_varying(struct reading *at, const struct spec_node *node, const char *path)
{
    struct varying one = { .node = node, .path = path };
    const struct spec_node *values = node->kind == SPEC_SEQUENCE ? node : spec_get(node, "values");
    const struct spec_node *spread = spec_get(node, "spread"), *range = spec_get(node, "range");
    if (node->kind == SPEC_MAPPING && shape_check_keys(at->diag, node, &varied) != STATUS_OK)
        return STATUS_SPEC;
    if ((values != NULL) + (spread != NULL) + (range != NULL) != 1)
        return spec_error(at->diag, node, "expected one of values: [0.2, 0.3], spread: 0.05 and range: [0.2, 0.4]");
    if (!may_vary(path))
        return spec_error(at->diag, node,
                          "%s cannot vary: scenarios differ in parameters.NAME and states.NAME.initial", path);
    one.kind = values ? VALUES : spread ? SPREAD : RANGE;
    enum status st = values   ? read_numbers(at, values, &one)
                     : spread ? read_spread(at, spread, &one)
                              : read_range(at, range, &one);
    if (find_nominal(at, &one) != STATUS_OK)
        st = STATUS_SPEC;
    at->list = mem_grow(at->list, at->n, 1, sizeof *at->list);
    at->list[at->n++] = one;
    return st;
}

/* Paths may be written as they are or nested, as `--set scenarios.vary.parameters.mu.spread=0.1` makes them. */
static enum status read_vary(struct reading *at, const struct spec_node *node, const char *path)
{
    enum status st = STATUS_OK;
    for (int k = 0; k < node->n; k++) {
        const struct spec_node *child = node->child[k];
        const char *name = arena_printf(at->mem, "%s%s%s", path, *path ? "." : "", child->key);
        const bool above = child->kind == SPEC_MAPPING && child->n > 0 && child->child[0]->kind == SPEC_MAPPING;
        const bool between = child->kind == SPEC_MAPPING && !may_vary(name)
                             && (strcmp(name, "parameters") == 0 || strncmp(name, "states", 6) == 0);
        if ((above || between ? read_vary(at, child, name) : read_varying(at, child, name)) != STATUS_OK)
            st = STATUS_SPEC;
    }
    return st;
}

/* --- All of them --------------------------------------------------------------------------------------------- */

/* The normal distribution's value below which it is with probability p. */
static double quantile(double p)
{
    double lo = -10, hi = 10;
    for (int k = 0; k < 100; k++) {
        const double middle = 0.5 * (lo + hi);
        if (0.5 * erfc(-middle * sqrt(0.5)) < p)
            lo = middle;
        else
            hi = middle;
    }
    return 0.5 * (lo + hi);
}

/* Value k of n. */
static double value_of(const struct varying *one, int k, int n)
{
    if (one->kind == VALUES)
        return one->value[k];
    if (one->kind == SPREAD)
        return 2 * k + 1 == n ? one->nominal : one->nominal + *one->value * quantile((k + 0.5) / n);
    return n == 1 ? 0.5 * (one->value[0] + one->value[1])
                  : one->value[0] + (one->value[1] - one->value[0]) * k / (n - 1);
}

static double turn_of(int k, int turns)
{
    const double at = (k + 1) * GOLDEN * turns;
    return at - floor(at);
}

/* The place of scenario k in the order of what varies as number `turns`: of the first one as they come. */
static int place_of(int k, int turns, int n)
{
    int place = 0;
    for (int j = 0; j < n; j++)
        place += turn_of(j, turns) < turn_of(k, turns) || (turn_of(j, turns) == turn_of(k, turns) && j < k);
    return turns ? place : k;
}

static enum status count(const struct reading *at, const struct scenario_settings *settings,
                         const struct spec_node *block, int *n)
{
    int given = -1;
    for (int i = 0; i < at->n; i++) {
        const struct varying *one = &at->list[i];
        if (one->kind != VALUES)
            continue;
        if (given >= 0 && one->n != given)
            return spec_error(at->diag, one->node, "has %d values, others have %d: a scenario takes one of each",
                              one->n, given);
        given = one->n;
    }
    *n = settings->number != SETTING_AUTO_INT ? settings->number : given >= 0 ? given : USUAL_NUMBER;
    if (given >= 0 && *n != given)
        return spec_error(at->diag, spec_get(block, "number"), "there are %d values: write %d or nothing, or a range or "
                          "spread in place of values", given, given);
    return STATUS_OK;
}

static enum status set_weights(const struct scenario_settings *settings, const struct spec_node *block,
                               struct scenarios *out, struct diag *diag)
{
    double sum = 0;
    if (settings->weights.n && settings->weights.n != out->n)
        return spec_error(diag, spec_get(block, "weights"), "has %d of them for %d scenarios", settings->weights.n,
                          out->n);
    for (int k = 0; k < out->n; k++)
        sum += out->weight[k] = settings->weights.n ? settings->weights.val[k] : 1;
    for (int k = 0; k < out->n; k++)
        out->weight[k] /= sum;
    return STATUS_OK;
}

/* From its smallest to its largest value; 1 where they are the same. */
static double width_of(const struct scenarios *list, int i)
{
    double lo = INFINITY, hi = -INFINITY;
    for (int k = 0; k < list->n; k++) {
        lo = fmin(lo, list->value[k * list->n_path + i]);
        hi = fmax(hi, list->value[k * list->n_path + i]);
    }
    return hi > lo ? hi - lo : 1;
}

static void set_distances(struct scenarios *list)
{
    for (int k = 0; k < list->n; k++) {
        double sum = 0;
        for (int i = 0; i < list->n_path; i++) {
            const double off = (list->value[k * list->n_path + i] - list->nominal[i]) / width_of(list, i);
            sum += isnan(off) ? 0 : off * off;
        }
        list->distance[k] = sqrt(sum);
    }
}

static enum status set_values(struct reading *at, const struct scenario_settings *settings,
                              const struct spec_node *block, struct scenarios *out)
{
    if (count(at, settings, block, &out->n) != STATUS_OK)
        return STATUS_SPEC;
    const size_t n = (size_t)out->n, n_path = (size_t)at->n;
    out->n_path = at->n;
    out->path = arena_alloc(at->mem, n_path, sizeof *out->path);
    out->nominal = arena_alloc(at->mem, n_path, sizeof *out->nominal);
    out->value = arena_alloc(at->mem, n * n_path, sizeof *out->value);
    out->weight = arena_alloc(at->mem, n, sizeof *out->weight);
    out->distance = arena_alloc(at->mem, n, sizeof *out->distance);
    for (int i = 0, turns = 0; i < at->n; i++) {
        const struct varying *one = &at->list[i];
        out->path[i] = one->path;
        out->nominal[i] = one->nominal;
        for (int k = 0; k < out->n; k++)
            out->value[k * at->n + i] = value_of(one, one->kind == VALUES ? k : place_of(k, turns, out->n), out->n);
        turns += one->kind != VALUES;
    }
    set_distances(out);
    return set_weights(settings, block, out, at->diag);
}

enum status scenarios_read(const struct spec_node *root, struct model *model,
                           const struct scenario_settings *settings, struct arena *mem, struct scenarios *out,
                           struct diag *diag)
{
    const struct spec_node *block = spec_get(root, scenario_table.block), *node = spec_get(block, "vary");
    struct reading at = { .root = root, .model = model, .mem = mem, .diag = diag };
    *out = (struct scenarios){ .n = 0 };
    if (!block || block->kind == SPEC_NULL || settings->number == 0
        || (!node && settings->number == SETTING_AUTO_INT))
        return STATUS_OK;                       /* a resolved spec has the block in any case */
    if (!node || node->kind != SPEC_MAPPING || node->n == 0)
        return spec_error(diag, node ? node : block, "needs what varies: vary: {parameters.NAME: {spread: 0.1}}");
    enum status st = read_vary(&at, node, "");
    if (st == STATUS_OK)
        st = set_values(&at, settings, block, out);
    free(at.list);
    return st;
}

enum status scenario_settings_read(const struct spec_node *root, struct model *model, struct scenario_settings *out,
                                   struct diag *diag)
{
    const struct setting_eval eval = model_eval(model);
    struct arena mem = { NULL };
    struct scenarios list;
    enum status st = settings_read(&scenario_table, spec_get(root, scenario_table.block), &eval, out, diag);
    if (st == STATUS_OK)
        st = scenarios_read(root, model, out, &mem, &list, diag);
    arena_free(&mem);
    return st;
}

void scenario_settings_free(struct scenario_settings *settings)
{
    free(settings->weights.val);
    settings->weights = (struct setting_list){ 0 };
}

int scenarios_nominal(const struct scenarios *scenarios)
{
    int nearest = 0;
    for (int k = 1; k < scenarios->n; k++)
        if (scenarios->distance[k] < scenarios->distance[nearest])
            nearest = k;
    return nearest;
}
