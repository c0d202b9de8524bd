#include "cli/perturb.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int find_state(const struct model *model, const char *name, size_t length)
{
    for (int i = 0; i < model->n_x; i++)
        if (strlen(model->x[i].name) == length && strncmp(model->x[i].name, name, length) == 0)
            return i;
    return -1;
}

static enum status unknown_state(const struct model *model, const char *text, struct diag *diag)
{
    char *word = mem_copy_text(text);
    const char **names = mem_alloc((size_t)model->n_x, sizeof *names);
    for (int i = 0; i < model->n_x; i++)
        names[i] = model->x[i].name;
    word[strcspn(word, "=")] = '\0';
    const char *near = spec_suggest(word, model->n_x, names);
    const enum status st = diag_fail(diag, STATUS_USAGE, "--perturb: no state is called \"%s\"%s%s%s", word,
                                     near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
    free(names);
    free(word);
    return st;
}

/* STATE=SIZE */
static enum status read_one(const struct model *model, const char *text, struct perturbation *out,
                            struct diag *diag)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    const double size = equals ? strtod(equals + 1, &end) : NAN;
    if (!equals || equals == text || end == equals + 1 || *end || !(size >= 0) || isinf(size))
        return diag_fail(diag, STATUS_USAGE, "--perturb wants STATE=SIZE with SIZE a number >= 0, got \"%s\"",
                         text);
    *out = (struct perturbation){ find_state(model, text, (size_t)(equals - text)), size };
    return out->state < 0 ? unknown_state(model, text, diag) : STATUS_OK;
}

enum status perturb_read(const struct cli_args *args, const struct model *model, struct perturbation **out,
                         struct diag *diag)
{
    *out = NULL;
    if (args->samples > 0 && args->n_perturb == 0 && !args->impacts)
        return diag_fail(diag, STATUS_USAGE, "--samples wants something that differs: --perturb STATE=SIZE, or "
                         "--impacts set");
    if (args->samples == 0 && args->n_perturb > 0)
        return diag_fail(diag, STATUS_USAGE, "--perturb wants the number of runs: --samples N");
    struct perturbation *list = mem_alloc((size_t)args->n_perturb, sizeof *list);
    enum status st = STATUS_OK;
    for (int k = 0; k < args->n_perturb && st == STATUS_OK; k++)
        st = read_one(model, args->perturb[k], &list[k], diag);
    if (st == STATUS_OK)
        *out = list;
    else
        free(list);
    return st;
}
