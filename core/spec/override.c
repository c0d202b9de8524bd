#include "core/spec/tree.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* One --set on its way down the tree. */
struct setting {
    struct spec *spec;
    struct diag *diag;
    const char *file; /* "--set PATH" */
    struct spec_node *value;
};

static struct srcpos no_line(const struct setting *s)
{
    return (struct srcpos){s->file, 0, 0};
}

/* --- Steps of the path --------------------------------------------------------------------------------------- */

/* Child of a mapping whose key begins the path; keys contain dots, and the longest one that fits counts. */
static struct spec_node *find_child(const struct spec_node *node, const char *path, size_t *len)
{
    struct spec_node *best = NULL;
    for (int i = 0; i < node->n; i++) {
        const char *key = node->child[i]->key;
        const size_t n = strlen(key);
        if (n && strncmp(path, key, n) == 0 && (path[n] == '.' || !path[n]) && (!best || n > *len)) {
            best = node->child[i];
            *len = n;
        }
    }
    return best;
}

/* Length of a new key at the start of the path: up to the dot, but a fraction (0.5) is one key. */
static size_t new_key_length(const char *path)
{
    size_t n = strcspn(path, ".");
    if (n && strspn(path, "0123456789") == n && path[n] == '.') {
        const size_t digits = strspn(path + n + 1, "0123456789");
        const char end = path[n + 1 + digits];
        if (digits && (end == '.' || !end)) n += 1 + digits;
    }
    return n;
}

/* A new key comes from the command line: plain characters only, as YAML cannot hold every byte. */
static bool is_key(const char *key, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!isprint((unsigned char)key[i])) return false;
    return len > 0 && len <= TREE_MAX_KEY;
}

static struct spec_node *add_child(struct setting *s, struct spec_node *node, const char *key)
{
    struct spec_node *child = tree_node(s->spec, SPEC_NULL, no_line(s), tree_path(s->spec, node->path, key));
    child->key = key;
    child->key_pos = no_line(s);
    tree_add(s->spec, node, child);
    return child;
}

/* The element of a sequence that the path begins with; NULL with a message. */
static struct spec_node *find_element(struct setting *s, const struct spec_node *node, const char *path,
                                      size_t *len)
{
    char *end;
    const long i = strtol(path, &end, 10);
    *len = (size_t)(end - path);
    if (isdigit((unsigned char)*path) && (*end == '.' || !*end) && i < node->n) return node->child[i];
    diag_error(s->diag, no_line(s), node->path,
               "it is a list of %d: the next step of the path must be a number from "
               "0 to %d",
               node->n, node->n - 1);
    return NULL;
}

/* A scalar that stands for a record becomes one: `mu: 0.8` is `mu: {value: 0.8}`. */
static enum status open_scalar(struct setting *s, struct spec_node *node)
{
    const char *key = spec_main_key(node->path);
    if (node->kind == SPEC_SCALAR && !key)
        return diag_error(s->diag, no_line(s), node->path,
                          "it is the value \"%.60s\", there is nothing inside: set "
                          "it as a whole",
                          node->text);
    if (node->kind == SPEC_SCALAR) {
        struct spec_node *child = tree_copy(s->spec, node, tree_path(s->spec, node->path, key));
        if (!child) return diag_error(s->diag, no_line(s), NULL, "the spec grows too large");
        child->key = key;
        child->key_pos = node->pos;
        tree_add(s->spec, node, child);
    }
    node->kind = SPEC_MAPPING;
    node->text = NULL;
    return STATUS_OK;
}

/* The node of the path, made where it is missing; NULL with a message. */
static struct spec_node *walk(struct setting *s, struct spec_node *node, const char *path)
{
    for (int depth = 0; depth < TREE_MAX_DEPTH; depth++) {
        size_t len = 0;
        struct spec_node *child;
        if (node->kind == SPEC_SEQUENCE) {
            if (!(child = find_element(s, node, path, &len))) return NULL;
        } else {
            if (node->kind != SPEC_MAPPING && open_scalar(s, node) != STATUS_OK) return NULL;
            child = find_child(node, path, &len);
            if (!child) {
                len = new_key_length(path);
                if (!is_key(path, len)) break;
                const char *key = arena_printf(&s->spec->mem, "%.*s", (int)len, path);
                child = add_child(s, node, key);
            }
        }
        if (!path[len]) return child;
        path += len + 1;
        node = child;
    }
    diag_error(s->diag, no_line(s), NULL, "a path is keys joined by dots, as in parameters.mu");
    return NULL;
}

/* --- The value ----------------------------------------------------------------------------------------------- */

/* Keys that give the record's value in another form than its main key. */
static bool is_other_form(const char *key)
{
    static const char *const form[] = {"through", "by", "squares", "reference"};
    for (size_t i = 0; i < sizeof form / sizeof *form; i++)
        if (strcmp(key, form[i]) == 0) return true;
    return false;
}

/* The main value of a record, for a scalar to go to; what gave the value in another form leaves. */
static struct spec_node *main_child(struct setting *s, struct spec_node *record, const char *key)
{
    int n = 0;
    for (int i = 0; i < record->n; i++)
        if (!is_other_form(record->child[i]->key)) record->child[n++] = record->child[i];
    const struct spec_node *const end = n < record->n ? record : NULL;
    if (end) { /* tree_add counts on n telling the size of the array */
        struct spec_node **kept = record->child;
        record->n = 0;
        record->child = NULL;
        for (int i = 0; i < n; i++) tree_add(s->spec, record, kept[i]);
    }
    size_t len = 0;
    struct spec_node *child = find_child(record, key, &len);
    return child ? child : add_child(s, record, key);
}

/* The value takes the place of what the node held; the key stays where it was. */
static enum status put_value(struct setting *s, struct spec_node *node)
{
    const char *main_key = spec_main_key(node->path);
    if (node->kind == SPEC_MAPPING && main_key && s->value->kind == SPEC_SCALAR)
        node = main_child(s, node, main_key);
    const struct spec_node *copy = tree_copy(s->spec, s->value, node->path);
    if (!copy) return diag_error(s->diag, no_line(s), NULL, "the spec grows too large");
    const char *key = node->key;
    const struct srcpos key_pos = node->key_pos;
    *node = *copy;
    node->key = key;
    node->key_pos = key_pos;
    return STATUS_OK;
}

enum status override_apply(struct spec *spec, const struct spec_override *override, struct diag *diag)
{
    struct setting s = {.spec = spec, .diag = diag};
    s.file = arena_printf(&spec->mem, "--set %s", override->path);
    const char *text = arena_copy_text(&spec->mem, override->value);
    if (!*text) {
        s.value = tree_node(spec, SPEC_NULL, no_line(&s), "");
    } else if (yaml_read(spec, s.file, text, strlen(text), override->path, &s.value, diag) != STATUS_OK) {
        return STATUS_SPEC;
    }
    struct spec_node *node = walk(&s, spec->root, override->path);
    return node ? put_value(&s, node) : STATUS_SPEC;
}

/* --- One of several ------------------------------------------------------------------------------------------ */

static enum status apply_all(struct spec *spec, const struct spec_node *set, struct diag *diag)
{
    enum status st = STATUS_OK;
    if (set->kind != SPEC_MAPPING)
        return spec_error(diag, set, "expected {path: value}, as {states.x.initial: 0.3}");
    for (int k = 0; k < set->n; k++) {
        if (strncmp(set->child[k]->key, "robots", 6) == 0) {
            st = diag_error(diag, set->child[k]->key_pos, set->child[k]->path,
                            "robots are the same in all experiments: set \"bodies\" or \"states\"");
            continue;
        }
        char *text = spec_to_yaml(set->child[k]);
        if (override_apply(spec, &(struct spec_override){ set->child[k]->key, text }, diag) != STATUS_OK) {
            diag_error(diag, set->child[k]->key_pos, set->child[k]->path, "could not be set");
            st = STATUS_SPEC;
        }
        free(text);
    }
    return st;
}

enum status spec_take(struct spec *spec, const char *block, const char *name, struct diag *diag)
{
    struct spec_node *old = (struct spec_node *)spec_get(spec->root, block);
    const struct spec_node *one = spec_get(old, name), *set = spec_get(one, "set");
    if (!one)
        return diag_fail(diag, STATUS_USAGE, "%s has no %s", block, name);
    struct spec_node *taken = tree_copy(spec, one, block);
    if (!taken)
        return spec_error(diag, one, "the spec grows too large");
    struct spec_node **kept = taken->child;
    const int n = taken->n;
    taken->n = 0;
    taken->child = NULL;
    for (int k = 0; k < n; k++)
        if (strcmp(kept[k]->key, "set") != 0)
            tree_add(spec, taken, kept[k]);
    taken->key = old->key;
    taken->key_pos = old->key_pos;
    *old = *taken;
    return set ? apply_all(spec, set, diag) : STATUS_OK;
}
