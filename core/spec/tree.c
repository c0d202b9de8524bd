#include "core/spec/tree.h"

#include "core/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tree_is_full(const struct spec *spec)
{
    return spec->n_bytes > TREE_MAX_BYTES;
}

struct spec_node *tree_node(struct spec *spec, enum spec_kind kind, struct srcpos pos, const char *path)
{
    struct spec_node *node = arena_alloc(&spec->mem, 1, sizeof *node);
    spec->n_bytes += sizeof *node;
    node->kind = kind;
    node->pos = pos;
    node->path = path;
    return node;
}

const char *tree_path(struct spec *spec, const char *parent, const char *key)
{
    spec->n_bytes += strlen(parent) + strlen(key) + 2;
    return arena_printf(&spec->mem, "%s%s%s", parent, *parent ? "." : "", key);
}

/* The array doubles whenever n reaches a power of two, so that its capacity need not be stored. */
void tree_add(struct spec *spec, struct spec_node *parent, struct spec_node *child)
{
    const int n = parent->n;
    if ((n & (n - 1)) == 0) {
        const size_t cap = n ? 2 * (size_t)n : 1;
        struct spec_node **grown = arena_alloc(&spec->mem, cap, sizeof *grown);
        if (n) memcpy(grown, parent->child, (size_t)n * sizeof *grown);
        parent->child = grown;
        spec->n_bytes += cap * sizeof *grown;
    }
    parent->child[parent->n++] = child;
}

struct spec_node *tree_copy(struct spec *spec, const struct spec_node *src, const char *path)
{
    if (tree_is_full(spec)) return NULL;
    struct spec_node *node = tree_node(spec, src->kind, src->pos, path);
    node->key = src->key;
    node->key_pos = src->key_pos;
    node->text = src->text;
    node->quoted = src->quoted;
    node->is_made = src->is_made;
    for (int i = 0; i < src->n; i++) {
        char index[16];
        snprintf(index, sizeof index, "%d", i);
        const char *key = src->child[i]->key ? src->child[i]->key : index;
        struct spec_node *child = tree_copy(spec, src->child[i], tree_path(spec, path, key));
        if (!child) return NULL;
        tree_add(spec, node, child);
    }
    return node;
}

const struct spec_node *spec_get(const struct spec_node *node, const char *key)
{
    if (!node || node->kind != SPEC_MAPPING) return NULL;
    for (int i = 0; i < node->n; i++)
        if (strcmp(node->child[i]->key, key) == 0) return node->child[i];
    return NULL;
}

void tree_merge(struct spec *spec, struct spec_node *into, const struct spec_node *from)
{
    for (int i = 0; i < from->n && !tree_is_full(spec); i++) {
        struct spec_node *child = from->child[i], *own = (struct spec_node *)spec_get(into, child->key);
        if (!own)
            tree_add(spec, into, child);
        else if (own->kind == SPEC_MAPPING && child->kind == SPEC_MAPPING)
            tree_merge(spec, own, child);
    }
}

int tree_depth(const struct spec_node *node)
{
    int depth = 0;
    for (int i = 0; i < node->n; i++) {
        const int below = 1 + tree_depth(node->child[i]);
        depth = below > depth ? below : depth;
    }
    return depth;
}

char *tree_read_all(struct arena *mem, FILE *in, size_t *size)
{
    size_t cap = 1 << 14, n = 0;
    char *buf = mem_alloc(cap + 1, 1);
    for (size_t got; n <= TREE_MAX_TEXT && (got = fread(buf + n, 1, cap - n, in)) > 0;) {
        n += got;
        if (n == cap) {
            cap *= 2;
            buf = mem_resize(buf, cap + 1, 1);
        }
    }
    buf[n] = '\0';
    char *text = arena_copy(mem, buf, n + 1, 1);
    free(buf);
    *size = n;
    return text;
}
