#include "core/mpcc/settings.h"

#include "core/base/mem.h"
#include "core/nlp/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const relaxations[] = {
    "scholtes", "steffensen-ulbrich", "kanzow-schwartz", "lin-fukushima", "fischer-burmeister", NULL
};
static const char *const elastic_modes[] = { "none", "l1", "linf", NULL };
static const char *const schedules[] = { "linear", "superlinear", NULL };
static const char *const presolves[] = { "auto", "none", "time-stepping", NULL };
static const char *const polishes[] = { "auto", "off", NULL };

#define FIELD(name) offsetof(struct homotopy_settings, name)

static const struct setting_key homotopy_keys[] = {
    { .name = "relaxation", .type = SETTING_CHOICE, .offset = FIELD(relaxation), .choices = relaxations,
      .help = "what replaces G H = 0 at a positive sigma",
      .why = "smooth, and the one that the recipe of the homotopy was made with (mpcc.md)" },
    { .name = "elastic", .type = SETTING_CHOICE, .offset = FIELD(elastic), .choices = elastic_modes,
      .help = "slack in the relaxed pairs, at the cost slack/sigma: one per pair (l1) or one for all (linf)",
      .why = "slacks hide infeasibility until the last step" },
    { .name = "sigma_0", .type = SETTING_DOUBLE, .offset = FIELD(sigma_0), .initial = NAN, .min = 0.0,
      .max = INFINITY, .open_min = true, .open_max = true, .auto_word = "auto",
      .help = "first relaxation; auto: what suits the method",
      .why = "late where a presolve has found the sequence, 1 where nothing is known" },
    { .name = "sigma_N", .type = SETTING_DOUBLE, .offset = FIELD(sigma_N), .initial = 1e-9, .min = 0.0,
      .max = INFINITY, .open_min = true, .open_max = true, .help = "last relaxation",
      .why = "the crossover makes complementarity exact afterwards" },
    { .name = "update_slope", .type = SETTING_DOUBLE, .offset = FIELD(update_slope), .initial = NAN, .min = 0.0,
      .max = 1.0, .open_min = true, .open_max = true, .auto_word = "auto",
      .help = "sigma shrinks by this factor from step to step; auto: what suits the method",
      .why = "contacts are decided between 0.1 and 0.01; slower does not change them" },
    { .name = "schedule", .type = SETTING_CHOICE, .offset = FIELD(schedule), .choices = schedules,
      .help = "superlinear: sigma^1.5 where that is smaller",
      .why = "no measurement speaks for the other" },
    { .name = "sigma", .type = SETTING_LIST, .offset = FIELD(sigma), .min = 0.0, .max = INFINITY,
      .open_min = true, .open_max = true, .help = "exactly these relaxations, in place of the four above" },
    { .name = "comp_tol", .type = SETTING_DOUBLE, .offset = FIELD(comp_tol), .initial = 1e-7, .min = 0.0,
      .max = INFINITY, .open_min = true, .open_max = true, .help = "largest product G H of a solution",
      .why = "relative to gaps in m and forces in N: below what a film shows" },
    { .name = "presolve", .type = SETTING_CHOICE, .offset = FIELD(presolve), .choices = presolves,
      .help = "where the guess comes from; auto: time-stepping for fesd-j",
      .why = "a coarse time-stepping solution knows which contacts close" },
    { .name = "polish", .type = SETTING_CHOICE, .offset = FIELD(polish), .choices = polishes,
      .help = "fix the active set at the end and solve once more",
      .why = "exact complementarity for the cost of one step" },
    { .name = "restarts", .type = SETTING_DOUBLE, .offset = FIELD(restarts), .initial = NAN, .min = 0.0,
      .max = 1000.0, .auto_word = "auto", .help = "further starts; the best result counts",
      .why = "the first solution ends it; such problems have many local ones" },
    { .name = "seed", .type = SETTING_INT, .offset = FIELD(seed), .initial = 1, .min = 0, .max = 2147483647.0,
      .help = "of the random perturbations",
      .why = "any number: runs are repeatable" },
};

const struct setting_table homotopy_settings_table = {
    .block = "homotopy", homotopy_keys, sizeof homotopy_keys / sizeof homotopy_keys[0]
};

void homotopy_settings_free(struct homotopy_settings *settings)
{
    free(settings->sigma.val);
    settings->sigma = (struct setting_list){ 0 };
}

static enum status check_settings(const struct homotopy_settings *s, const struct spec_node *block,
                                  struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int k = 1; k < s->sigma.n; k++)
        if (!(s->sigma.val[k] < s->sigma.val[k - 1]))
            st = spec_error(diag, spec_get(block, "sigma"), "must decrease, but %g follows %g", s->sigma.val[k],
                            s->sigma.val[k - 1]);
    if (s->sigma_0 < s->sigma_N)                /* false where sigma_0 is auto */
        st = spec_error(diag, spec_get(block, "sigma_0"), "must be at least sigma_N = %g, got %g", s->sigma_N,
                        s->sigma_0);
    if (s->restarts != floor(s->restarts) && !isnan(s->restarts))
        st = spec_error(diag, spec_get(block, "restarts"), "must be a whole number, got %g", s->restarts);
    return st;
}

enum status homotopy_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                   struct homotopy_settings *out, struct diag *diag)
{
    settings_init(&homotopy_settings_table, out);
    const enum status st = settings_read(&homotopy_settings_table, block, eval, out, diag);
    return st == STATUS_OK && block ? check_settings(out, block, diag) : st;
}

/* Those of the linear solver come first. */
static void add_option(struct solver_settings *out, struct nlp_option option)
{
    int k = out->n_option++;
    if (option_is_linear(option.name))
        for (out->n_linear++; k > out->n_linear - 1; k--)
            out->option[k] = out->option[k - 1];
    out->option[k] = option;
}

static enum status read_options(const struct spec_node *ipopt, struct solver_settings *out, struct diag *diag)
{
    if (ipopt->kind != SPEC_MAPPING && ipopt->kind != SPEC_NULL)
        return spec_error(diag, ipopt, "expected a mapping of IPOPT's options");
    enum status st = STATUS_OK;
    out->option = mem_alloc((size_t)ipopt->n, sizeof *out->option);
    for (int i = 0; i < ipopt->n; i++) {
        const struct spec_node *node = ipopt->child[i];
        const struct nlp_option option = { node->key, node->kind == SPEC_SCALAR ? node->text : "" };
        struct option_value value;
        if (option_read(&option, node->pos, node->path, &value, diag) != STATUS_OK)
            st = STATUS_SPEC;
        else
            add_option(out, option);
    }
    return st;
}

static const struct shape options = { .kind = SHAPE_TABLE, .of = &shape_text };
static const char *const scale_words[] = { "off", "auto", NULL };
static const struct shape scale = { .kind = SHAPE_CHOICE, .words = scale_words };
static const struct shape_key solver_keys[] = {
    { "scale", &scale, .initial = "off", .help = "auto: programs are solved in units of the sizes of their variables, rows and cost" },
    { "ipopt", &options, .help = "{option: value} as IPOPT has them, for the method's own program; "
                                "linear_solver: auto (core/kkt), mumps, ..." },
    { .name = NULL }
};
const struct shape solver_shape = { .kind = SHAPE_RECORD, .key = solver_keys };

enum status solver_settings_read(const struct spec_node *block, struct solver_settings *out, struct diag *diag)
{
    *out = (struct solver_settings){ 0 };
    if (!block)
        return STATUS_OK;
    const enum status st = shape_check_keys(diag, block, &solver_shape);
    const struct spec_node *ipopt = spec_get(block, "ipopt"), *word = spec_get(block, "scale");
    const enum status st_options = ipopt ? read_options(ipopt, out, diag) : STATUS_OK;
    enum status st_scale = STATUS_OK;
    if (word && strcmp(word->kind == SPEC_SCALAR ? word->text : "", scale_words[0]) != 0
        && strcmp(word->kind == SPEC_SCALAR ? word->text : "", scale_words[1]) != 0)
        st_scale = spec_error(diag, word, "must be one of off, auto");
    return st != STATUS_OK ? st : st_options != STATUS_OK ? st_options : st_scale;
}

void solver_settings_free(struct solver_settings *settings)
{
    free(settings->option);
    *settings = (struct solver_settings){ 0 };
}
