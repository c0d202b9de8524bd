/* core/spec/tree.h - how the tree of spec.h is built; for the sources of this folder alone
 *
 * A tree has a budget of bytes: aliases and long keys can make a small file a huge tree. Whoever builds asks
 * tree_is_full and gives up.
 *
 * Errors  STATUS_SPEC with file:line:column for each mistake of the text; memory running out ends the program.
 */
#ifndef COCP_CORE_SPEC_TREE_H
#define COCP_CORE_SPEC_TREE_H

#include "core/base/arena.h"
#include "core/base/sha256.h"
#include "core/spec/spec.h"

#include <stddef.h>

enum {
    TREE_MAX_DEPTH = 40,            /* of nesting; specs have 6 */
    TREE_MAX_KEY = 128,             /* bytes of a key */
    TREE_MAX_TEXT = 1 << 24,        /* bytes of a file */
    TREE_MAX_BYTES = 3 << 25        /* bytes of nodes and paths */
};

struct spec {
    struct arena mem;               /* owns every node and text */
    const char *text;               /* the file, verbatim, NUL-terminated */
    char sha256[SHA256_ROOM];
    struct spec_node *root;
    size_t n_bytes;                 /* of the budget, used */
    bool is_stored;                 /* it comes from a result */
};

/* Is the budget of bytes used up? */
bool tree_is_full(const struct spec *spec);

/* A node without parent and children; path is borrowed. */
struct spec_node *tree_node(struct spec *spec, enum spec_kind kind, struct srcpos pos, const char *path);

/* Path of a child: "" and "states" give "states", "states" and "x" give "states.x". */
const char *tree_path(struct spec *spec, const char *parent, const char *key);

/* The child becomes the last one of the parent. */
void tree_add(struct spec *spec, struct spec_node *parent, struct spec_node *child);

/* A copy of the subtree under another path, positions kept; NULL when the budget is used up. */
struct spec_node *tree_copy(struct spec *spec, const struct spec_node *src, const char *path);

/* Puts the children of one mapping behind those of another. What is there already counts;
 * mappings are put together. */
void tree_merge(struct spec *spec, struct spec_node *into, const struct spec_node *from);

/* Number of levels below a node. */
int tree_depth(const struct spec_node *node);

/* Reads one YAML document of `size` bytes into nodes of `spec`, the root of which has the path `path`. `file` is
 * for positions and lives as long as the tree. A syntax error gives NULL; after other mistakes (duplicate keys,
 * torn expressions) the tree is there all the same. */
enum status yaml_read(struct spec *spec, const char *file, const char *text, size_t size, const char *path,
                      struct spec_node **root, struct diag *diag);

/* The rest of an open file in the arena, one byte beyond TREE_MAX_TEXT at most. */
char *tree_read_all(struct arena *mem, FILE *in, size_t *size);

/* Applies one --set to the tree. */
enum status override_apply(struct spec *spec, const struct spec_override *override, struct diag *diag);

#endif
