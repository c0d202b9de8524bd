#include "core/spec/spec.h"

#include <ctype.h>
#include <string.h>

enum status spec_error(struct diag *diag, const struct spec_node *node, const char *fmt, ...)
{
    const struct srcpos none = {NULL, 0, 0};
    va_list args;
    va_start(args, fmt);
    diag_vadd(diag, DIAG_ERROR, STATUS_SPEC, node ? node->pos : none, node ? node->path : NULL, fmt, args);
    va_end(args);
    return STATUS_SPEC;
}

bool spec_is_name(const char *text)
{
    if (!(isalpha((unsigned char)*text) || *text == '_')) return false;
    for (; *text; text++)
        if (!(isalnum((unsigned char)*text) || *text == '_')) return false;
    return true;
}

static int is_one_below(const char *path, const char *block)
{
    const size_t len = strlen(block);
    return strncmp(path, block, len) == 0 && path[len] && !strchr(path + len, '.');
}

const char *spec_main_key(const char *path)
{
    static const char *const block[] = {"define.", "constraints.", "cost.running.", "cost.sampled.", "cost.terminal."};
    if (is_one_below(path, "parameters.")) return "value";
    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
        if (is_one_below(path, block[i])) return "expr";
    return NULL;
}

/* --- The nearest word ---------------------------------------------------------------------------------------- */

enum { MAX_WORD = 64 };

/* Upper and lower case are one, and so are - and _: who mixes them up means the same word. */
static int fold(char c)
{
    return c == '-' ? '_' : tolower((unsigned char)c);
}

static int min3(int a, int b, int c)
{
    const int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Edit distance: a letter more, less or other counts 1, and so do two neighbours swapped. */
static int distance(const char *a, int n_a, const char *b, int n_b)
{
    int row[3][MAX_WORD + 1]; /* rows i - 2, i - 1 and i of the table, cyclic */
    for (int j = 0; j <= n_b; j++) row[0][j] = j;
    for (int i = 1; i <= n_a; i++) {
        int *const cur = row[i % 3], *const last = row[(i + 2) % 3], *const before = row[(i + 1) % 3];
        cur[0] = i;
        for (int j = 1; j <= n_b; j++) {
            const int same = fold(a[i - 1]) == fold(b[j - 1]);
            cur[j] = min3(last[j] + 1, cur[j - 1] + 1, last[j - 1] + !same);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]) &&
                before[j - 2] + 1 < cur[j])
                cur[j] = before[j - 2] + 1;
        }
    }
    return row[n_a % 3][n_b];
}

const char *spec_suggest(const char *word, int n, const char *const *candidate)
{
    const size_t len = strlen(word);
    if (len > MAX_WORD) return NULL;
    const char *best = NULL;
    int best_distance = (int)(len + 1) / 3 < 3 ? (int)(len + 1) / 3 : 3; /* one mistake in three letters */
    for (int i = 0; i < n; i++) {
        const size_t other = strlen(candidate[i]);
        if (other > MAX_WORD) continue;
        const int d = distance(word, (int)len, candidate[i], (int)other);
        if (d < best_distance || (d == best_distance && !best)) {
            best = candidate[i];
            best_distance = d;
        }
    }
    return best;
}

/* --- Unknown keys -------------------------------------------------------------------------------------------- */

static int count(const char *const *word)
{
    int n = 0;
    while (word[n]) n++;
    return n;
}

static void join(const char *const *word, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; word[i]; i++) {
        const size_t need = strlen(word[i]) + 2;
        if (used + need + 5 > size) {
            strcpy(out + used, ", ...");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", word[i]);
    }
}

static bool is_known(const char *key, const char *const *known)
{
    for (int i = 0; known[i]; i++)
        if (strcmp(key, known[i]) == 0) return true;
    return false;
}

/* What other programs and papers call a key. Of those with one name here the first that the block knows is
 * meant. */
static const struct { const char *word, *key; } other_name[] = {
    { "min", "bounds" },         { "max", "bounds" },          { "lower", "bounds" },     { "upper", "bounds" },
    { "lb", "bounds" },          { "ub", "bounds" },           { "limits", "bounds" },    { "range", "bounds" },
    { "derivatives", "rhs" },    { "equations", "rhs" },       { "f", "rhs" },            { "ode", "rhs" },
    { "model", "dynamics" },     { "objective", "cost" },      { "costs", "cost" },       { "inputs", "controls" },
    { "actuators", "controls" }, { "variables", "states" },    { "constants", "parameters" },
    { "start", "initial" },      { "x0", "initial" },          { "goal", "final" },       { "target", "final" },
    { "end", "final" },          { "T", "horizon" },           { "duration", "horizon" }, { "N", "intervals" },
    { "mu", "friction" },        { "e", "restitution" },       { "distance", "gap" },     { "init", "guess" },
};

static const char *name_here(const char *word, const char *const *known)
{
    for (size_t k = 0; k < sizeof other_name / sizeof *other_name; k++)
        if (strcmp(word, other_name[k].word) == 0 && is_known(other_name[k].key, known))
            return other_name[k].key;
    return NULL;
}

enum status spec_check_keys(struct diag *diag, const struct spec_node *node, const char *const *known)
{
    char list[300];
    join(known, list, sizeof list);
    if (!node || node->kind == SPEC_NULL) /* a block with all its lines commented out */
        return STATUS_OK;
    if (node->kind != SPEC_MAPPING) return spec_error(diag, node, "expected a mapping (key: value) of %s", list);

    enum status st = STATUS_OK;
    for (int i = 0; i < node->n; i++) {
        const struct spec_node *child = node->child[i];
        if (is_known(child->key, known)) continue;
        const char *here = name_here(child->key, known);
        const char *near = spec_suggest(child->key, count(known), known);
        if (here)
            st = diag_error(diag, child->key_pos, node->path, "unknown key \"%s\" (it is called \"%s\" here)",
                            child->key, here);
        else if (near)
            st = diag_error(diag, child->key_pos, node->path, "unknown key \"%s\" (did you mean \"%s\"?)",
                            child->key, near);
        else st = diag_error(diag, child->key_pos, node->path, "unknown key \"%s\" (known: %s)", child->key, list);
    }
    return st;
}
