#include "core/base/mem.h"
#include "core/spec/traps.h"
#include "core/spec/tree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MAX_ANCHORS = 200 };

struct anchor {
    const char *name;
    struct srcpos pos;
    struct spec_node *node; /* NULL while its value is being read */
    bool used;
};

struct reader {
    struct spec *spec;
    struct trap_text src;
    struct diag *diag;
    yaml_parser_t parser;
    size_t index, byte; /* a place in the text: libyaml counts characters, we look at bytes */
    size_t torn_end;    /* what starts before this byte is a piece of a torn expression */
    int n_anchor;
    struct anchor anchor[MAX_ANCHORS];
    bool mistaken; /* the spec has mistakes */
    struct srcpos last_mistake;
    bool failed; /* one that leaves no tree: stop reading */
};

/* Where a value stands. */
struct place {
    const char *path;
    int depth;
    bool flow; /* inside { } or [ ] */
};

static struct srcpos pos_of(const struct reader *r, yaml_mark_t mark)
{
    return (struct srcpos){r->src.file, (int)mark.line + 1, (int)mark.column + 1};
}

/* Byte offset of a mark. Marks come in rising order but for rare looks back, so that the walk is short. */
static size_t byte_of(struct reader *r, yaml_mark_t mark)
{
    if (mark.index < r->index) r->index = r->byte = 0;
    while (r->index < mark.index && r->byte < r->src.size) {
        r->byte++;
        while (r->byte < r->src.size && ((unsigned char)r->src.text[r->byte] & 0xc0) == 0x80) r->byte++;
        r->index++;
    }
    return r->byte;
}

__attribute__((format(printf, 4, 5)))
static void mistake(struct reader *r, struct srcpos pos, const char *path, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    diag_vadd(r->diag, DIAG_ERROR, STATUS_SPEC, pos, path, fmt, args);
    va_end(args);
    r->mistaken = true;
    r->last_mistake = pos;
}

/* --- Events -------------------------------------------------------------------------------------------------- */

static void report_syntax(struct reader *r)
{
    const yaml_parser_t *p = &r->parser;
    r->failed = true;
    if (p->error == YAML_READER_ERROR) {
        trap_report_byte(r->diag, &r->src, p->problem_offset);
        return;
    }
    struct trap_syntax e = {.problem = p->problem, .context = p->context, .pos = pos_of(r, p->problem_mark)};
    if (p->context) e.context_pos = pos_of(r, p->context_mark);
    e.offset = byte_of(r, p->problem_mark);
    e.reported = r->last_mistake;
    trap_report_syntax(r->diag, &r->src, &e);
}

/* The next event, which the caller deletes; false when there is none to go on with. */
static bool next(struct reader *r, yaml_event_t *event)
{
    if (r->failed) return false;
    if (tree_is_full(r->spec)) {
        mistake(r, pos_of(r, r->parser.mark), NULL, "the spec grows too large: its aliases copy too much");
        r->failed = true;
        return false;
    }
    if (!yaml_parser_parse(&r->parser, event)) {
        report_syntax(r);
        return false;
    }
    return true;
}

/* Position of the value itself, which an anchor or the | of a block of text may precede. */
static struct srcpos content_pos(struct reader *r, const yaml_event_t *event, bool anchored)
{
    const bool block = event->type == YAML_SCALAR_EVENT && (event->data.scalar.style == YAML_LITERAL_SCALAR_STYLE ||
                                                            event->data.scalar.style == YAML_FOLDED_SCALAR_STYLE);
    const struct srcpos pos = pos_of(r, event->start_mark);
    return anchored || block ? trap_content(&r->src, byte_of(r, event->start_mark), pos, anchored, block) : pos;
}

static bool is_null_word(const char *text)
{
    return *text == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0;
}

/* --- Anchors and aliases ------------------------------------------------------------------------------------- */

/* Remembers the anchor of a value that begins here; -1 if it has none. */
static int open_anchor(struct reader *r, const yaml_char_t *name, const yaml_event_t *event)
{
    if (!name) return -1;
    if (r->n_anchor == MAX_ANCHORS) {
        mistake(r, pos_of(r, event->start_mark), NULL, "more than %d anchors", MAX_ANCHORS);
        r->failed = true;
        return -1;
    }
    r->anchor[r->n_anchor] = (struct anchor){.name = arena_copy_text(&r->spec->mem, (const char *)name),
                                             .pos = pos_of(r, event->start_mark)};
    return r->n_anchor++;
}

static struct anchor *find_anchor(struct reader *r, const char *name)
{
    for (int i = r->n_anchor - 1; i >= 0; i--) /* the last one of a name counts */
        if (strcmp(r->anchor[i].name, name) == 0) return &r->anchor[i];
    return NULL;
}

/* `key: &a + b`: an anchor that nobody uses on a scalar is an expression that wanted quotes. */
static void report_unused_anchors(struct reader *r)
{
    for (int i = 0; i < r->n_anchor; i++) {
        const struct anchor *a = &r->anchor[i];
        if (!a->used && a->node && a->node->kind <= SPEC_SCALAR)
            mistake(r, a->pos, a->node->path,
                    "\"&%s\" makes this an anchor that no alias uses: put an expression that "
                    "begins with \"&\" in quotes (conditions are joined by \"and\")",
                    a->name);
    }
}

static struct spec_node *read_alias(struct reader *r, const yaml_event_t *event, const struct place *at)
{
    const char *name = (const char *)event->data.alias.anchor;
    const struct srcpos pos = pos_of(r, event->start_mark);
    struct anchor *anchor = find_anchor(r, name);
    struct spec_node *empty = tree_node(r->spec, SPEC_SCALAR, pos, at->path);
    empty->text = "0"; /* stands in for a wrong alias: one mistake, one message */
    if (!anchor) {
        mistake(r, pos, at->path,
                "there is no anchor \"&%s\" before this alias; put an expression that begins with "
                "\"*\" in quotes",
                name);
        return empty;
    }
    anchor->used = true;
    if (!anchor->node) {
        mistake(r, pos, at->path, "the alias \"*%s\" stands inside its own anchor", name);
        return empty;
    }
    if (at->depth + tree_depth(anchor->node) > TREE_MAX_DEPTH) {
        mistake(r, pos, at->path, "nested more than %d levels deep", TREE_MAX_DEPTH);
        return empty;
    }
    struct spec_node *copy = tree_copy(r->spec, anchor->node, at->path);
    return copy ? copy : empty; /* the budget: `next` reports it */
}

/* --- Scalars ------------------------------------------------------------------------------------------------- */

static bool is_plain(const yaml_event_t *event)
{
    return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* The text from start to end in one line, shortened to what fits. */
static void one_line(const char *text, size_t n, char *out, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < n && used + 4 < size; i++) {
        const bool blank = strchr(" \t\r\n", text[i]);
        if (!blank || (used && out[used - 1] != ' ')) out[used++] = blank ? ' ' : text[i];
        if (used + 4 == size) {
            memcpy(out + used, "...", 3);
            used += 3;
        }
    }
    out[used] = '\0';
}

/* Reports a torn expression; returns the whole of it, or NULL if the text is none. */
static const char *check_torn(struct reader *r, const yaml_event_t *event, const struct place *at,
                              struct srcpos pos)
{
    const char *text = (const char *)event->data.scalar.value;
    if (!at->flow || !is_plain(event) || !strchr(text, '(')) return NULL;
    const size_t start = byte_of(r, event->start_mark);
    const size_t end = start < r->torn_end ? 0 : trap_torn_end(&r->src, start);
    if (!end) return NULL;
    char whole[100];
    one_line(r->src.text + start, end - start, whole, sizeof whole);
    r->torn_end = end;
    mistake(r, pos, at->path, "a comma ends the value here, also within ( ): put it in quotes, \"%s\"", whole);
    char *text_in_source = arena_alloc(&r->spec->mem, end - start + 1, 1);
    return memcpy(text_in_source, r->src.text + start, end - start);
}

static struct spec_node *read_scalar(struct reader *r, const yaml_event_t *event, const struct place *at)
{
    const char *text = (const char *)event->data.scalar.value;
    const struct srcpos pos = content_pos(r, event, event->data.scalar.anchor);
    struct spec_node *node = tree_node(r->spec, SPEC_SCALAR, pos, at->path);
    node->text = arena_copy(&r->spec->mem, text, event->data.scalar.length + 1, 1);
    node->quoted = event->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
                   event->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    r->spec->n_bytes += event->data.scalar.length;
    if (strlen(text) != event->data.scalar.length) mistake(r, pos, at->path, "the text contains a NUL character");
    if (is_plain(event) && is_null_word(text)) {
        node->kind = SPEC_NULL;
        node->text = NULL;
        return node;
    }
    const char *whole = check_torn(r, event, at, pos);
    if (whole) node->text = whole; /* so that its reader does not stumble over the piece */
    return node;
}

/* --- Sequences and mappings ---------------------------------------------------------------------------------- */

static struct spec_node *read_node(struct reader *r, yaml_event_t *event, const struct place *at);

static void read_items(struct reader *r, struct spec_node *node, const struct place *at, bool flow)
{
    yaml_event_t event;
    while (next(r, &event) && event.type != YAML_SEQUENCE_END_EVENT) {
        char index[16];
        snprintf(index, sizeof index, "%d", node->n);
        const bool piece = byte_of(r, event.start_mark) < r->torn_end;
        const struct place item = {
            .path = tree_path(r->spec, at->path, index), .depth = at->depth + 1, .flow = flow};
        struct spec_node *child = read_node(r, &event, &item);
        if (child && !piece) tree_add(r->spec, node, child);
    }
    if (!r->failed) yaml_event_delete(&event);
}

/* The children of a mapping as they are met: own ones have rank 0, those merged in by << have rank 1, 2, ... in
 * the order of preference. */
struct entry {
    struct spec_node *node;
    int rank, place;
};
struct entries {
    struct entry *entry;
    int n, n_merged;
};

static void add_entry(struct entries *list, struct spec_node *node, int rank)
{
    list->entry = mem_grow(list->entry, list->n, 1, sizeof *list->entry);
    list->entry[list->n] = (struct entry){node, rank, list->n};
    list->n++;
}

static int by_key(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    const int keys = strcmp(p->node->key, q->node->key);
    if (keys) return keys;
    if (p->rank != q->rank) return p->rank < q->rank ? -1 : 1;
    return p->place < q->place ? -1 : 1;
}

static int by_place(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    return p->place < q->place ? -1 : 1;
}

/* One entry of each key stays: the mapping's own before merged ones. Two own ones are a mistake. */
static void settle_entries(struct reader *r, struct spec_node *node, struct entries *list)
{
    if (list->n) qsort(list->entry, (size_t)list->n, sizeof *list->entry, by_key);
    int n = 0;
    for (int i = 0; i < list->n; i++) {
        const struct entry *kept = n ? &list->entry[n - 1] : NULL, *e = &list->entry[i];
        if (!kept || strcmp(kept->node->key, e->node->key) != 0) list->entry[n++] = *e;
        else if (e->rank == 0)
            mistake(r, e->node->key_pos, node->path, "the key \"%s\" is given twice (first in line %d)",
                    e->node->key, kept->node->key_pos.line);
    }
    if (n) qsort(list->entry, (size_t)n, sizeof *list->entry, by_place);
    for (int i = 0; i < n; i++) tree_add(r->spec, node, list->entry[i].node);
}

static void merge_mapping(struct reader *r, struct entries *list, const struct spec_node *from)
{
    if (from->kind != SPEC_MAPPING) {
        if (from->pos.line != r->last_mistake.line || from->pos.col != r->last_mistake.col) /* an unknown alias */
            mistake(r, from->pos, from->path, "\"<<\" merges mappings: write <<: *name or <<: [*name, *other]");
        return;
    }
    list->n_merged++;
    for (int i = 0; i < from->n; i++) add_entry(list, from->child[i], list->n_merged);
}

/* The value of <<: a mapping, or a list of them. Its children are copied to where they are used. */
static void read_merge(struct reader *r, struct entries *list, const struct place *at)
{
    yaml_event_t event;
    if (!next(r, &event)) return;
    struct spec_node *value = read_node(r, &event, at);
    if (!value) return;
    if (value->kind != SPEC_SEQUENCE) {
        merge_mapping(r, list, value);
        return;
    }
    for (int i = 0; i < value->n; i++) { /* without the index in the paths */
        const struct spec_node *copy = tree_copy(r->spec, value->child[i], at->path);
        if (copy) merge_mapping(r, list, copy);
    }
}

/* The key of an event; NULL, with a message, for one that cannot be a key. The event is deleted. */
static const char *read_key(struct reader *r, yaml_event_t *event, const struct place *at)
{
    const struct srcpos pos = pos_of(r, event->start_mark);
    if (event->type != YAML_SCALAR_EVENT) {
        mistake(r, pos, at->path, "a key is a word; put a key that begins with \"*\", \"{\" or \"[\" in quotes");
        read_node(r, event, at);
        return NULL;
    }
    const char *key = arena_copy_text(&r->spec->mem, (const char *)event->data.scalar.value);
    if (event->data.scalar.anchor || event->data.scalar.tag)
        mistake(r, pos, at->path, "anchors and tags belong to values, not to keys");
    else if (strlen(key) > TREE_MAX_KEY || strlen(key) != event->data.scalar.length)
        mistake(r, pos, at->path, "this key is longer than %d bytes, or contains a NUL character", TREE_MAX_KEY);
    else if (strpbrk(key, "\n\t\x7f\x1b")) mistake(r, pos, at->path, "a key is one line of plain text");
    else check_torn(r, event, at, pos);
    yaml_event_delete(event);
    return strlen(key) > TREE_MAX_KEY ? NULL : key;
}

/* `{x:1}`: without a space the whole is a key. Reported and taken for what it was meant to be. */
static void mend_colon(struct reader *r, struct spec_node *child, const struct place *at)
{
    const char *colon = strchr(child->key, ':');
    if (!colon || child->kind != SPEC_NULL) return;
    const int len = (int)(colon - child->key);
    mistake(r, child->key_pos, at->path, "a space is missing after the colon: \"%.*s: %s\"", len, child->key,
            colon + 1);
    child->key = arena_printf(&r->spec->mem, "%.*s", len, child->key);
    child->path = tree_path(r->spec, at->path, child->key);
    child->kind = SPEC_SCALAR;
    child->text = colon + 1;
}

static void read_pair(struct reader *r, yaml_event_t *event, struct entries *list, const struct place *at,
                      bool flow)
{
    const struct srcpos pos = pos_of(r, event->start_mark);
    const bool piece = byte_of(r, event->start_mark) < r->torn_end;
    const bool scalar = event->type == YAML_SCALAR_EVENT;
    const bool quoted = scalar && !is_plain(event);
    const struct place here = {at->path, at->depth + 1, flow};
    const char *key = read_key(r, event, &here);
    if (key && !quoted && strcmp(key, "<<") == 0) {
        read_merge(r, list, &here);
        return;
    }
    yaml_event_t value;
    if (!next(r, &value)) return;
    const struct place below = {key ? tree_path(r->spec, at->path, key) : at->path, at->depth + 1, flow};
    struct spec_node *child = read_node(r, &value, &below);
    if (!child || !key || piece) return;
    child->key = key;
    child->key_pos = pos;
    if (flow && !quoted) mend_colon(r, child, at);
    add_entry(list, child, 0);
}

static void read_pairs(struct reader *r, struct spec_node *node, const struct place *at, bool flow)
{
    struct entries list = {NULL, 0, 0};
    yaml_event_t event;
    while (next(r, &event) && event.type != YAML_MAPPING_END_EVENT) read_pair(r, &event, &list, at, flow);
    if (!r->failed) {
        yaml_event_delete(&event);
        settle_entries(r, node, &list);
    }
    free(list.entry);
}

static struct spec_node *read_collection(struct reader *r, const yaml_event_t *event, const struct place *at)
{
    const bool is_map = event->type == YAML_MAPPING_START_EVENT;
    const bool flow = at->flow || (is_map ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                                          : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
    const struct srcpos pos = content_pos(r, event, event->data.scalar.anchor);
    if (at->depth >= TREE_MAX_DEPTH) {
        mistake(r, pos, NULL, "nested more than %d levels deep", TREE_MAX_DEPTH);
        r->failed = true;
        return NULL;
    }
    struct spec_node *node = tree_node(r->spec, is_map ? SPEC_MAPPING : SPEC_SEQUENCE, pos, at->path);
    if (is_map) read_pairs(r, node, at, flow);
    else read_items(r, node, at, flow);
    return node;
}

/* --- Any value ----------------------------------------------------------------------------------------------- */

/* Reads the value that begins with the event, which is deleted; NULL when reading has failed. */
static struct spec_node *read_node(struct reader *r, yaml_event_t *event, const struct place *at)
{
    /* scalars, sequences and mappings begin alike in libyaml's union: anchor, tag */
    const bool is_alias = event->type == YAML_ALIAS_EVENT;
    if (!is_alias && event->data.scalar.tag)
        mistake(r, pos_of(r, event->start_mark), at->path,
                "\"!\" at the start of a value makes it a YAML tag, which "
                "specs do not have: put the expression in quotes (negation is \"not\")");
    const int anchor = open_anchor(r, is_alias ? NULL : event->data.scalar.anchor, event);
    struct spec_node *node = NULL;
    if (is_alias) node = read_alias(r, event, at);
    else if (event->type == YAML_SCALAR_EVENT) node = read_scalar(r, event, at);
    else node = read_collection(r, event, at);
    yaml_event_delete(event);
    if (anchor >= 0) r->anchor[anchor].node = node;
    return r->failed ? NULL : node;
}

/* --- The document -------------------------------------------------------------------------------------------- */

/* The next event must be of this type; `what` is said of another one. */
static bool expect(struct reader *r, yaml_event_type_t type, const char *what)
{
    yaml_event_t event;
    if (!next(r, &event)) return false;
    const bool as_expected = event.type == type;
    if (!as_expected) {
        mistake(r, pos_of(r, event.start_mark), NULL, "%s", what);
        r->failed = true;
    }
    yaml_event_delete(&event);
    return as_expected;
}

static struct spec_node *read_document(struct reader *r, const char *path)
{
    const struct place top = {.path = path, .depth = 0};
    yaml_event_t event;
    if (!expect(r, YAML_STREAM_START_EVENT, "not YAML") ||
        !expect(r, YAML_DOCUMENT_START_EVENT, "there is nothing in it: a spec begins with \"cocp: 1\"") ||
        !next(r, &event))
        return NULL;
    struct spec_node *root = read_node(r, &event, &top);
    if (root && expect(r, YAML_DOCUMENT_END_EVENT, "not YAML"))
        expect(r, YAML_STREAM_END_EVENT, "a second YAML document begins here: one file holds one spec");
    return root;
}

enum status yaml_read(struct spec *spec, const char *file, const char *text, size_t size, const char *path,
                      struct spec_node **root, struct diag *diag)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (size >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        size -= 3;
    }
    struct reader *r = mem_alloc(1, sizeof *r);
    r->spec = spec;
    r->src = (struct trap_text){file, text, size};
    r->diag = diag;
    if (!yaml_parser_initialize(&r->parser)) mem_alloc(SIZE_MAX, 2); /* ends the program: no memory */
    yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r->parser, (const unsigned char *)text, size);
    *root = read_document(r, path);
    report_unused_anchors(r);
    if (r->failed) *root = NULL;
    const enum status st = r->failed || r->mistaken ? STATUS_SPEC : STATUS_OK;
    yaml_parser_delete(&r->parser);
    free(r);
    return st;
}

const char *spec_yaml_version(void)
{
    return yaml_get_version_string();
}
