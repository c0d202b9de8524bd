/* core/spec/read.c - a tree from a file or a text, overrides applied */
#include "core/spec/spec.h"

#include "core/base/mem.h"
#include "core/base/regular.h"
#include "core/spec/include.h"
#include "core/spec/repeat.h"
#include "core/spec/robots.h"
#include "core/spec/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(const char *path, const char *block)
{
    const size_t n = strlen(block);
    return strncmp(path, block, n) == 0 && (path[n] == '.' || !path[n]);
}

/* Robots are set before their files are read and sizes before entries are repeated, all else after it. */
static enum status override_some(struct spec *spec, int n, const struct spec_override *override, bool first,
                                 struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int i = 0; i < n; i++)
        if ((is_of(override[i].path, "sizes") || is_of(override[i].path, "robots")) == first
            && override_apply(spec, &override[i], diag) != STATUS_OK)
            st = STATUS_SPEC;
    return st;
}

/* The text of a spec with other files is that of all its files together, so that a result needs none of them. */
static void keep_text(struct spec *spec, const char *with)
{
    char *yaml = spec_to_yaml(spec->root);
    spec->text = arena_printf(&spec->mem, "# with the files %s\n%s", with, yaml);
    sha256_text(spec->text, strlen(spec->text), spec->sha256);
    free(yaml);
}

static enum status add_included(struct spec *spec, const char *name, bool is_file, struct diag *diag)
{
    const struct spec_node *include = spec_get(spec->root, "include");
    if (!include)
        return STATUS_OK;
    if (!is_file)
        return spec_error(diag, include, "only a spec in a file includes others");
    const enum status st = include_files(spec, name, diag);
    keep_text(spec, "that it includes");
    return st;
}

static enum status add_robots(struct spec *spec, const char *name, struct diag *diag)
{
    if (!spec_get(spec->root, "robots"))
        return STATUS_OK;
    const enum status st = robots_expand(spec, name, diag);
    if (spec->root)
        keep_text(spec, "of its robots");
    return st;
}

static enum status build(struct spec *spec, const char *name, size_t size, bool is_file, int n_override,
                         const struct spec_override *override, struct diag *diag)
{
    if (size > TREE_MAX_TEXT)
        return diag_error(diag, (struct srcpos){name, 0, 0}, NULL, "larger than %d MB: this is no spec",
                          TREE_MAX_TEXT >> 20);
    sha256_text(spec->text, size, spec->sha256);
    enum status st = yaml_read(spec, name, spec->text, size, "", &spec->root, diag);
    if (!spec->root) return STATUS_SPEC;
    if (spec->root->kind != SPEC_MAPPING) {
        const struct srcpos pos = spec->root->pos;
        spec->root = NULL;
        return diag_error(diag, pos, NULL, "a spec is a mapping of blocks (key: value), \"cocp: 1\" first");
    }
    if (add_included(spec, name, is_file, diag) != STATUS_OK) st = STATUS_SPEC;
    if (override_some(spec, n_override, override, true, diag) != STATUS_OK) st = STATUS_SPEC;
    if (add_robots(spec, name, diag) != STATUS_OK) st = STATUS_SPEC;
    if (!spec->root) return STATUS_SPEC;
    if (repeat_tree(spec, diag) != STATUS_OK) st = STATUS_SPEC;
    if (override_some(spec, n_override, override, false, diag) != STATUS_OK) st = STATUS_SPEC;
    return st;
}

/* Takes spec over; *out is NULL where there is no tree to go on with. */
static enum status finish(struct spec *spec, enum status st, struct spec **out)
{
    *out = spec->root ? spec : NULL;
    if (!spec->root) spec_free(spec);
    return st;
}

static enum status read_text(const char *name, const char *text, bool is_stored, int n_override,
                             const struct spec_override *override, struct spec **out, struct diag *diag)
{
    struct spec *spec = mem_alloc(1, sizeof *spec);
    spec->text = arena_copy_text(&spec->mem, text);
    spec->is_stored = is_stored;
    const char *file = arena_copy_text(&spec->mem, name);
    return finish(spec, build(spec, file, strlen(text), false, n_override, override, diag), out);
}

enum status spec_read_text(const char *name, const char *text, int n_override,
                           const struct spec_override *override, struct spec **out, struct diag *diag)
{
    return read_text(name, text, false, n_override, override, out, diag);
}

enum status spec_read_stored(const char *name, const char *text, struct spec **out, struct diag *diag)
{
    return read_text(name, text, true, 0, NULL, out, diag);
}

bool spec_is_stored(const struct spec *spec)
{
    return spec->is_stored;
}

enum status spec_read_file(const char *path, int n_override, const struct spec_override *override,
                           struct spec **out, struct diag *diag)
{
    struct spec *spec = mem_alloc(1, sizeof *spec);
    const char *file = arena_copy_text(&spec->mem, path);
    size_t size = 0;
    enum status st = STATUS_OK;
    const char *why = NULL;
    FILE *in = regular_open(path, "the spec", diag, &why);
    if (in)
        spec->text = tree_read_all(&spec->mem, in, &size);
    if (in && ferror(in))
        why = strerror(errno);
    if (why)
        st = diag_add(diag, DIAG_ERROR, STATUS_IO, (struct srcpos){file, 0, 0}, NULL, "cannot read it: %s", why);
    if (in) fclose(in);
    if (st == STATUS_OK) st = build(spec, file, size, true, n_override, override, diag);
    return finish(spec, st, out);
}

void spec_free(struct spec *spec)
{
    if (!spec) return;
    arena_free(&spec->mem);
    free(spec);
}

const struct spec_node *spec_root(const struct spec *spec)
{
    return spec->root;
}

const char *spec_text(const struct spec *spec)
{
    return spec->text;
}

const char *spec_sha256(const struct spec *spec)
{
    return spec->sha256;
}
