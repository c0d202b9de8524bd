/* core/spec/include.c - blocks that several specs share, from files of their own */
#include "core/spec/include.h"

#include "core/base/regular.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_INCLUDES = 10 };                     /* within each other */

struct including {
    struct spec *spec;
    struct diag *diag;
    const char *file[MAX_INCLUDES + 1];         /* the way down: the spec, a file that it includes, ... */
    int depth;
    enum status st;
};

static enum status resolve(struct including *in, struct spec_node *root);

/* A path in a file is seen from that file's folder. */
static const char *seen_from(struct including *in, const char *path)
{
    const char *from = in->file[in->depth], *slash = strrchr(from, '/');
    return *path == '/' || !slash ? path : arena_printf(&in->spec->mem, "%.*s/%s", (int)(slash - from), from, path);
}

static bool is_open(const struct including *in, const char *path)
{
    for (int i = 0; i <= in->depth; i++)
        if (strcmp(in->file[i], path) == 0)
            return true;
    return false;
}

/* The file as a tree with its own includes; NULL with a message. */
static struct spec_node *read_part(struct including *in, const struct spec_node *node, const char *path)
{
    const char *why = NULL;
    FILE *file = regular_open(path, "a file that the spec includes", in->diag, &why);
    size_t size = 0;
    diag_withhold(in->diag, path);
    const char *text = file ? tree_read_all(&in->spec->mem, file, &size) : NULL;
    if (file && ferror(file))
        why = strerror(errno);
    if (file)
        (void)fclose(file);
    if (!why && size > TREE_MAX_TEXT)
        why = "too large for a spec";
    struct spec_node *part = NULL;
    if (why)
        in->st = spec_error(in->diag, node, "cannot read \"%s\": %s", path, why);
    else if (yaml_read(in->spec, path, text, size, "", &part, in->diag) != STATUS_OK)
        in->st = STATUS_SPEC;
    if (part && part->kind != SPEC_MAPPING)
        in->st = spec_error(in->diag, node, "\"%s\" is no mapping of blocks", path);
    return part && part->kind == SPEC_MAPPING ? part : NULL;
}

static void include_file(struct including *in, const struct spec_node *node, struct spec_node *root)
{
    const char *path = node->kind == SPEC_SCALAR ? seen_from(in, node->text) : NULL;
    if (!path || in->depth == MAX_INCLUDES || is_open(in, path)) {
        in->st = spec_error(in->diag, node, !path ? "expected a file, or a list of them"
                                            : in->depth == MAX_INCLUDES ? "too many files that include each other"
                                                                        : "this file includes itself");
        return;
    }
    struct spec_node *part = read_part(in, node, path);
    if (!part)
        return;
    in->file[++in->depth] = path;
    (void)resolve(in, part);
    in->depth--;
    tree_merge(in->spec, root, part);
}

/* Puts what is included behind the root's own blocks. */
static enum status resolve(struct including *in, struct spec_node *root)
{
    const struct spec_node *list = spec_get(root, "include");
    if (!list)
        return in->st;
    struct spec_node *whole = tree_node(in->spec, SPEC_MAPPING, root->pos, "");
    for (int i = 0; i < root->n; i++)
        if (root->child[i] != list)
            tree_add(in->spec, whole, root->child[i]);
    if (list->kind != SPEC_SEQUENCE)
        include_file(in, list, whole);
    for (int i = 0; i < list->n && list->kind == SPEC_SEQUENCE; i++)
        include_file(in, list->child[i], whole);
    root->n = whole->n;
    root->child = whole->child;
    return in->st;
}

enum status include_files(struct spec *spec, const char *file, struct diag *diag)
{
    struct including in = { .spec = spec, .diag = diag, .file = { file }, .st = STATUS_OK };
    return resolve(&in, spec->root);
}
