/* One state or control: bounds, values at both ends, its guess. */
#include "core/model/variables/read.h"

#include <math.h>
#include <string.h>

void variables_add(struct reader *r, const struct spec_node *node, const char *name, int *n, struct model_var *var,
                   expr *sym)
{
    struct spec_node named = *node;
    named.key = name;
    const int prefix = (int)(strlen(node->path) - strlen(node->key));
    named.path =
        strcmp(name, node->key) == 0 ? node->path : arena_printf(r->mem, "%.*s%s", prefix, node->path, name);
    reader_check_name(r, &named);
    var[*n] = (struct model_var){ .name = name, .units = "", .long_name = "", .path = node->path, .pos = node->key_pos,
                                  .lb = -INFINITY, .ub = INFINITY, .guess = NAN, .size = NAN, .starts = { .most = -1 },
                                  .initial = { END_MISSING, 0, 0, node->key_pos },
                                  .final = { END_FREE, 0, 0, node->key_pos } };
    sym[(*n)++] = expr_sym(r->g, name);
}

/* A value, a range [lo, hi] or the word free. */
static void read_end(struct reader *r, const struct spec_node *node, struct model_end *end)
{
    if (!node || node->kind == SPEC_NULL)
        return;
    end->pos = node->pos;
    if (node->kind == SPEC_SCALAR && strcmp(node->text, "free") == 0) {
        end->kind = END_FREE;
        return;
    }
    if (node->kind == SPEC_SEQUENCE) {
        const enum status st = reader_range(r, node, &end->lo, &end->hi);
        end->kind = st != STATUS_OK ? END_FREE : end->lo < end->hi ? END_RANGE : END_FIXED;
        return;
    }
    end->kind = reader_finite(r, node, &end->lo) == STATUS_OK ? END_FIXED : END_FREE;
    end->hi = end->lo;
}

/* The solver holds the bounds at both ends too: a value that they exclude has no solution. */
static void check_end(struct reader *r, const struct model_var *var, const struct model_end *end, const char *word)
{
    if (r->need != MODEL_FOR_SOLVE && r->need != MODEL_FOR_CHECK)
        return;
    if (end->kind == END_FIXED && !(end->lo >= var->lb && end->lo <= var->ub))
        diag_error(r->diag, end->pos, var->path, "%s value %.15g lies outside the bounds [%.15g, %.15g]", word,
                   end->lo, var->lb, var->ub);
    if (end->kind == END_RANGE && !(end->lo <= var->ub && end->hi >= var->lb))
        diag_error(r->diag, end->pos, var->path, "%s range [%.15g, %.15g] lies outside the bounds [%.15g, %.15g]",
                   word, end->lo, end->hi, var->lb, var->ub);
}

void variables_read_but_guess(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    const struct spec_node *bounds = spec_get(node, "bounds"), *scale = spec_get(node, "scale");
    reader_size(r, scale, &var->size);
    if (spec_get(node, "units"))
        var->units = reader_word(r, node, "units");
    var->long_name = reader_word(r, node, "long_name");
    if (bounds && bounds->kind != SPEC_NULL)
        reader_range(r, bounds, &var->lb, &var->ub);
}

void variables_read_common(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    const struct spec_node *guess = spec_get(node, "guess");
    variables_read_but_guess(r, node, var);
    if (guess && guess->kind != SPEC_NULL)
        reader_finite(r, guess, &var->guess);
}

void variables_read_ends(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    read_end(r, spec_get(node, "initial"), &var->initial);
    read_end(r, spec_get(node, "final"), &var->final);
    check_end(r, var, &var->initial, "the initial");
    check_end(r, var, &var->final, "the final");
}
