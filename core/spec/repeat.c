/* core/spec/repeat.c - the tree of a spec with its repetitions written out */
#include "core/spec/repeat.h"

#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

/* Words for readers and files, no formulas: an N there is a newton. The name of a joint is one of formulas. */
static bool is_prose(const struct spec_node *node)
{
    static const char *const words[] = { "units", "long_name", "description", "name", "title", "file", NULL };
    if (strncmp(node->path, "bodies.", 7) == 0)
        return false;
    return (node->key && is_one_of(node->key, words)) || strncmp(node->path, "solver.", 7) == 0;
}

/* `size:` repeats an entry of these blocks. */
static const struct spec_node *size_of(const struct spec_node *entry)
{
    static const char *const blocks[] = { "parameters", "states", "controls", "define", "contacts", "hysteresis", NULL };
    const char *dot = strchr(entry->path, '.');
    char block[16];
    if (!dot || strchr(dot + 1, '.') || (size_t)(dot - entry->path) >= sizeof block)
        return NULL;
    memcpy(block, entry->path, (size_t)(dot - entry->path));
    block[dot - entry->path] = '\0';
    return is_one_of(block, blocks) ? spec_get(entry, "size") : NULL;
}

/* --- Is there anything to repeat? ------------------------------------------------------------------------------ */

static bool repeats(const struct spec_node *node)
{
    if (is_prose(node))
        return false;
    if (node->text && (strchr(node->text, '[') || strstr(node->text, " for ")))
        return true;
    if ((node->key && strchr(node->key, '[')) || size_of(node))
        return true;
    for (int i = 0; i < node->n; i++)
        if (repeats(node->child[i]))
            return true;
    return false;
}

/* --- Copies with indices filled in ----------------------------------------------------------------------------- */

static struct spec_node *expand(struct repeating *r, const struct spec_node *src, const char *key,
                                const char *path);

static bool add_entry(struct repeating *r, struct spec_node *parent, const struct spec_node *src, const char *key)
{
    struct spec_node *child = expand(r, src, key, tree_path(r->spec, parent->path, key));
    if (child)
        tree_add(r->spec, parent, child);
    return child != NULL;
}

struct entries { struct spec_node *parent; const struct spec_node *src; size_t n_name; };

/* x[2,3] is x_2_3. */
static bool add_indexed(struct repeating *r, const struct tuple *tuple, void *user)
{
    const struct entries *entries = user;
    const char *key = arena_printf(&r->spec->mem, "%.*s", (int)entries->n_name, entries->src->key);
    for (int i = 0; i < tuple->n; i++) {
        if (tuple->value[i] < 0)
            return repeat_mistake(r, "the index %ld is negative", tuple->value[i]);
        key = arena_printf(&r->spec->mem, "%s_%ld", key, tuple->value[i]);
    }
    return add_entry(r, entries->parent, entries->src, key);
}

static bool expand_entry(struct repeating *r, struct spec_node *parent, const struct spec_node *src)
{
    const char *open = strchr(src->key, '[');
    struct entries entries = { parent, src, open ? (size_t)(open - src->key) : strlen(src->key) };
    const struct spec_node *size = open ? NULL : size_of(src);
    r->node = parent;
    r->pos = src->key_pos;
    if (size) {
        r->node = size;
        r->pos = size->pos;
        if (!size->text)
            return repeat_mistake(r, "expected a whole number");
        const char *range = arena_printf(&r->spec->mem, "i=1..%s", size->text);
        return repeat_over(r, range, strlen(range), true, add_indexed, &entries);
    }
    if (!open)
        return add_entry(r, parent, src, src->key);
    const size_t n = strlen(open), close = repeat_closing(open, 0, n);
    if (close + 1 != n || whole_name_length(src->key) != entries.n_name)
        return repeat_mistake(r, "a key with indices is written name[i=1..N], not \"%s\"", src->key);
    return repeat_over(r, open + 1, close - 1, false, add_indexed, &entries);
}

static bool add_item(struct repeating *r, struct spec_node *parent, const struct spec_node *src, const char *text)
{
    char index[16];
    snprintf(index, sizeof index, "%d", parent->n);
    struct spec_node part = *src;
    part.text = text;
    struct spec_node *child = expand(r, &part, NULL, tree_path(r->spec, parent->path, index));
    if (child)
        tree_add(r->spec, parent, child);
    return child != NULL;
}

struct items { struct spec_node *parent; const struct spec_node *src; const char *text; };

static bool add_repeated(struct repeating *r, const struct tuple *tuple, void *user)
{
    (void)tuple;
    const struct items *items = user;
    return add_item(r, items->parent, items->src, items->text);
}

/* An item of a list, `m[i] for i=1..N` as many. */
static bool expand_item(struct repeating *r, struct spec_node *parent, const struct spec_node *src)
{
    const size_t n = src->text ? strlen(src->text) : 0, at = src->text ? repeat_for(src->text, n) : n;
    if (at == n)
        return add_item(r, parent, src, src->text);
    const struct items items = { parent, src, arena_printf(&r->spec->mem, "%.*s", (int)at, src->text) };
    r->node = src;
    r->pos = src->pos;
    return repeat_over(r, src->text + at + 5, n - at - 5, true, add_repeated, (void *)&items);
}

static int by_key(const void *a, const void *b)
{
    const struct spec_node *const *p = a, *const *q = b;
    const int keys = strcmp((*p)->key, (*q)->key);
    return keys ? keys : (*p)->key_pos.line - (*q)->key_pos.line;
}

/* x[3] and x_3 are one name. */
static void check_twice(struct repeating *r, const struct spec_node *node)
{
    struct spec_node **const child =
        arena_copy(&r->spec->mem, node->child, (size_t)node->n, sizeof(struct spec_node *));
    qsort(child, (size_t)node->n, sizeof(struct spec_node *), by_key);
    for (int i = 1; i < node->n; i++)
        if (strcmp(child[i]->key, child[i - 1]->key) == 0) {
            r->node = node;
            r->pos = child[i]->key_pos;
            (void)repeat_mistake(r, "the key \"%s\" is given twice (first in line %d)", child[i]->key,
                                 child[i - 1]->key_pos.line);
        }
}

static bool expand_children(struct repeating *r, struct spec_node *node, const struct spec_node *src)
{
    const struct spec_node *size = size_of(src);
    bool ok = true;
    for (int i = 0; i < src->n && !tree_is_full(r->spec); i++)
        if (src->child[i] != size)
            ok = (src->kind == SPEC_SEQUENCE ? expand_item(r, node, src->child[i])
                                             : expand_entry(r, node, src->child[i])) && ok;
    if (src->kind == SPEC_MAPPING && node->n > 1)
        check_twice(r, node);
    return ok;
}

/* NULL after a mistake that leaves no node. */
static struct spec_node *expand(struct repeating *r, const struct spec_node *src, const char *key, const char *path)
{
    struct spec_node *node = tree_node(r->spec, src->kind, src->pos, path);
    node->key = key;
    node->key_pos = src->key_pos;
    node->quoted = src->quoted;
    node->text = src->text;
    if (tree_is_full(r->spec)) {
        r->node = src;
        r->pos = src->pos;
        (void)repeat_mistake(r, "the spec grows too large: its repetitions write too much");
        return NULL;
    }
    if (src->text && !is_prose(src)) {
        r->node = node;
        r->pos = src->pos;
        node->text = repeat_text(r, src->text);
        if (!node->text)
            node->text = "0";                   /* stands in for a wrong text: one mistake, one message */
        node->is_made = strcmp(node->text, src->text) != 0;
    }
    (void)expand_children(r, node, src);
    return node;
}

/* --- Sizes ----------------------------------------------------------------------------------------------------- */

static void read_size(struct repeating *r, const struct spec_node *size)
{
    struct whole_error error = { NULL, NULL, 0 };
    const struct whole_names names = { r->n_name, r->name };
    long value = 0;
    r->node = size;
    r->pos = size->pos;
    if (!spec_is_name(size->key) || r->n_name == REPEAT_MAX_NAMES / 2)
        (void)repeat_mistake(r, "sizes are at most %d names with whole numbers", REPEAT_MAX_NAMES / 2);
    else if (size->kind != SPEC_SCALAR || !whole_value(&names, size->text, strlen(size->text), &value, &error)
             || value < 0)
        (void)repeat_mistake(r, "expected a whole number from 0 on, or such an expression of sizes before it");
    else
        r->name[r->n_name++] = (struct whole_name){ size->key, strlen(size->key), value };
    r->n_size = r->n_name;
}

/* In formulas a size is a parameter. */
static void add_parameters(struct repeating *r, const struct spec_node *sizes, struct spec_node *root)
{
    struct spec_node *block = (struct spec_node *)spec_get(root, "parameters");
    if (!block) {
        block = tree_node(r->spec, SPEC_MAPPING, sizes->pos, "parameters");
        block->key = "parameters";
        block->key_pos = sizes->key_pos;
        tree_add(r->spec, root, block);
    }
    for (int i = 0; i < sizes->n && block->kind == SPEC_MAPPING; i++)
        if (i < r->n_size) {
            struct spec_node size = *sizes->child[i];
            size.text = arena_printf(&r->spec->mem, "%ld", r->name[i].value);
            if (add_entry(r, block, &size, size.key))
                block->child[block->n - 1]->is_made = true;
        }
    if (block->n)
        check_twice(r, block);
}

static void read_sizes(struct repeating *r, const struct spec_node *sizes)
{
    r->node = sizes;
    r->pos = sizes->pos;
    if (sizes->kind != SPEC_MAPPING)
        (void)repeat_mistake(r, "expected a mapping (name: whole number)");
    for (int i = 0; i < sizes->n && !r->mistaken; i++)
        read_size(r, sizes->child[i]);
}

/* --- The whole ------------------------------------------------------------------------------------------------- */

enum status repeat_tree(struct spec *spec, struct diag *diag)
{
    struct repeating r = { .spec = spec, .diag = diag };
    const struct spec_node *sizes = spec_get(spec->root, "sizes");
    if (!sizes && !repeats(spec->root))
        return STATUS_OK;
    if (sizes)
        read_sizes(&r, sizes);
    struct spec_node *root = tree_node(spec, SPEC_MAPPING, spec->root->pos, "");
    for (int i = 0; i < spec->root->n && !r.mistaken; i++)
        if (spec->root->child[i] != sizes)
            (void)expand_entry(&r, root, spec->root->child[i]);
    if (sizes && sizes->kind == SPEC_MAPPING && root->n)
        add_parameters(&r, sizes, root);
    if (root->n)
        spec->root = root;
    return r.mistaken ? STATUS_SPEC : STATUS_OK;
}
