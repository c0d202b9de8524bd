#include "core/spec/robots.h"

#include "core/base/dictionary.h"
#include "core/base/mem.h"
#include "core/spec/robot_blocks.h"
#include "core/spec/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The block ----------------------------------------------------------------------------------------------- */

static const char *const actuate_words[] = { "all", "none", NULL };
static const struct shape base = { .kind = SHAPE_CHOICE, .words = robot_base_words };
static const struct shape posture = { .kind = SHAPE_TABLE, .of = &shape_number };
static const struct shape names = { .kind = SHAPE_LIST, .of = &shape_text };
static const struct shape actuate_word = { .kind = SHAPE_CHOICE, .words = actuate_words };
static const struct shape *const actuate_forms[] = { &actuate_word, &names, NULL };
static const struct shape actuate = { .kind = SHAPE_EITHER, .either = actuate_forms };
static const char *const friction_words[] = { "file", "none", NULL };
static const struct shape friction_word = { .kind = SHAPE_CHOICE, .words = friction_words };
static const char *const shapes_words[] = { "all", "none", NULL };
static const struct shape shapes_word = { .kind = SHAPE_CHOICE, .words = shapes_words };
static const struct shape *const shapes_forms[] = { &shapes_word, &names, NULL };
static const struct shape shapes = { .kind = SHAPE_EITHER, .either = shapes_forms };
static const struct shape_key robot_keys[] = {
    { "file", &shape_text, .needed = true, .help = "a URDF or an MJCF, seen from the spec" },
    { "base", &base, .initial = "as in the file", .help = "how its root is on the world" },
    { "at", &shape_vector, .initial = "[0, 0, 0]", .help = "where its root is, at the start if it moves (m)" },
    { "turn", &shape_turn, .initial = "[0, 0, 0]",
      .help = "how it is turned: roll, pitch, yaw (rad), or a quaternion, scalar first" },
    { "posture", &posture, .help = "{joint: where it is at the start}" },
    { "lock", &names, .help = "joints that do not move; where `posture` has them, else at 0" },
    { "actuate", &actuate, .initial = "those that the file drives",
      .help = "joints with a control: a list, all or none" },
    { "dry_friction", &friction_word, .initial = "file",
      .help = "of joints, each of which is a switch: as the file says, or none" },
    { "shapes", &shapes, .initial = "none",
      .help = "shapes against which the file tests collisions, which become entries of `shapes`: all, or those of "
              "a list of links or shapes; balls, capsules, boxes, and cylinders as the capsules around them" },
    { "prefix", &shape_text,
      .help = "what its names begin with; without it the robot's name, if those of two robots are alike" },
    { .name = NULL }
};
static const struct shape robot = { .kind = SHAPE_RECORD, .key = robot_keys, .main = "file" };
const struct shape robots_shape = { .kind = SHAPE_TABLE, .of = &robot };

/* --- One robot ----------------------------------------------------------------------------------------------- */

struct entry {
    const struct spec_node *node;
    struct robot *robot;                        /* NULL after an error */
    struct robot_names names;
    const char *prefix;                         /* given; or NULL */
    struct robot_start start;
};

struct expansion {
    struct spec *spec;
    const char *file;
    struct diag *diag;
    int n;
    struct entry *entry;                        /* [n] */
    enum status st;
};

static void refuse(struct expansion *x, enum status st)
{
    if (x->st == STATUS_OK)
        x->st = st;
}

static const char *path_of(struct expansion *x, const struct spec_node *node)
{
    const char *from =
        node->pos.file && node->pos.line && strncmp(node->pos.file, "--set ", 6) != 0 ? node->pos.file : x->file;
    const char *slash = strrchr(from, '/');
    return *node->text == '/' || !slash
               ? node->text
               : arena_printf(&x->spec->mem, "%.*s%s", (int)(slash - from) + 1, from, node->text);
}

/* n_min to n_max numbers of a list, without formulas: they are needed before parameters are known. Their number. */
static int read_numbers(struct expansion *x, const struct spec_node *node, int n_min, int n_max, double *out)
{
    if (!node || node->kind == SPEC_NULL)
        return 0;
    bool good = node->kind == SPEC_SEQUENCE && node->n >= n_min && node->n <= n_max;
    for (int i = 0; good && i < node->n; i++)
        good = robot_literal(node->child[i], &out[i]);
    if (good)
        return node->n;
    refuse(x, n_min == n_max ? spec_error(x->diag, node, "expected %d numbers", n_min)
                             : spec_error(x->diag, node, "expected %d or %d numbers", n_min, n_max));
    return 0;
}

/* Where `at` and `turn` put the robot. */
static struct pose read_place(struct expansion *x, const struct spec_node *node)
{
    struct pose out = pose_identity();
    double given[4];
    read_numbers(x, spec_get(node, "at"), 3, 3, out.p);
    const int n = read_numbers(x, spec_get(node, "turn"), 3, 4, given);
    const double square =
        n == 4 ? given[0] * given[0] + given[1] * given[1] + given[2] * given[2] + given[3] * given[3] : 1;
    if (n == 3)
        rotation_of_rpy(given, out.R);
    else if (n == 4 && fabs(square - 1) < 1e-6)
        rotation_of_quaternion(given, out.R);
    else if (n == 4)
        refuse(x, spec_error(x->diag, spec_get(node, "turn"), "a quaternion must have the length 1"));
    return out;
}

/* The body of the joint of that name, as the file or as the spec calls it; -1 (reported): none. */
static int find_joint(struct expansion *x, const struct entry *e, const struct spec_node *node, struct srcpos pos,
                      const char *name)
{
    int b = robot_find_joint(e->robot, name);
    for (int k = 0; b < 0 && k < e->robot->n_body; k++)
        if (strcmp(e->names.joint[k], name) == 0)
            b = k;
    if (b >= 0 && robot_joint_has_axis(e->robot->body[b].joint.type) && e->robot->body[b].joint.mimic < 0)
        return b;
    const char *near = b < 0 ? spec_suggest(name, e->robot->n_body, e->names.joint) : NULL;
    refuse(x, diag_error(x->diag, pos, node->path,
                         b < 0 ? near ? "the file has no joint \"%.60s\" (did you mean \"%s\"?)"
                                      : "the file has no joint \"%.60s\"%s"
                         : e->robot->body[b].joint.mimic >= 0 ? "joint \"%.60s\" follows another one%s"
                                                              : "joint \"%.60s\" has no axis to move along%s",
                         name, near ? near : ""));
    return -1;
}

static void read_posture(struct expansion *x, struct entry *e)
{
    const struct spec_node *list = spec_get(e->node, "posture");
    if (!list || list->kind == SPEC_NULL)
        return;
    if (list->kind != SPEC_MAPPING) {
        refuse(x, spec_error(x->diag, list, "expected {joint: where it is}"));
        return;
    }
    for (int i = 0; i < list->n; i++) {
        const int b = find_joint(x, e, list, list->child[i]->key_pos, list->child[i]->key);
        if (b >= 0 && list->child[i]->kind == SPEC_SCALAR)
            e->start.posture[b] = list->child[i];
        else if (b >= 0)
            refuse(x, spec_error(x->diag, list->child[i], "expected where the joint is, a number"));
    }
}

static void lock(struct expansion *x, struct entry *e)
{
    const struct spec_node *list = spec_get(e->node, "lock");
    if (!list || list->kind == SPEC_NULL)
        return;
    if (list->kind != SPEC_SEQUENCE) {
        refuse(x, spec_error(x->diag, list, "expected a list of joints"));
        return;
    }
    for (int i = 0; i < list->n; i++) {
        const char *name = list->child[i]->kind == SPEC_SCALAR ? list->child[i]->text : "";
        const int b = find_joint(x, e, list->child[i], list->child[i]->pos, name);
        double position = 0;
        if (b >= 0 && e->start.posture[b] && !robot_literal(e->start.posture[b], &position))
            refuse(x, spec_error(x->diag, e->start.posture[b],
                                 "a joint that is locked needs a number here, without names"));
        else if (b >= 0)
            robot_lock(e->robot, b, position);
    }
}

static void read_actuate(struct expansion *x, struct entry *e)
{
    const struct spec_node *node = spec_get(e->node, "actuate");
    const bool all = node && node->kind == SPEC_SCALAR && strcmp(node->text, "all") == 0;
    const bool none = node && node->kind == SPEC_SCALAR && strcmp(node->text, "none") == 0;
    if (!node || node->kind == SPEC_NULL)
        return;
    if (!all && !none && node->kind != SPEC_SEQUENCE) {
        refuse(x, spec_error(x->diag, node, "expected all, none or a list of joints"));
        return;
    }
    for (int b = 0; b < e->robot->n_body; b++)
        e->robot->body[b].joint.has_actuator = all && e->robot->body[b].joint.mimic < 0;
    for (int i = 0; i < node->n; i++) {
        const struct spec_node *child = node->child[i];
        const int b = find_joint(x, e, child, child->pos, child->kind == SPEC_SCALAR ? child->text : "");
        if (b >= 0)
            e->robot->body[b].joint.has_actuator = true;
    }
}

static void read_dry_friction(struct expansion *x, struct entry *e)
{
    const struct spec_node *node = spec_get(e->node, "dry_friction");
    const bool is_word = node && node->kind == SPEC_SCALAR, none = is_word && strcmp(node->text, "none") == 0;
    if (!node || node->kind == SPEC_NULL)
        return;
    if (!none && !(is_word && strcmp(node->text, "file") == 0))
        refuse(x, spec_error(x->diag, node, "expected file or none"));
    for (int b = 0; b < e->robot->n_body && none; b++)
        e->robot->body[b].joint.friction = 0;
}

/* Is the shape, or the link that it is on, of that name? */
static bool is_of(const struct robot_shape *shape, const char *name)
{
    return (shape->name && strcmp(shape->name, name) == 0) || (shape->link && strcmp(shape->link, name) == 0);
}

static void refuse_shape(struct expansion *x, const struct entry *e, const struct spec_node *node, bool is_there)
{
    const struct robot *file = e->robot;
    const char **name = mem_alloc(2 * (size_t)file->n_shape, sizeof *name);
    int n = 0;
    for (int k = 0; k < file->n_shape; k++) {
        if (file->shape[k].name)
            name[n++] = file->shape[k].name;
        if (file->shape[k].link)
            name[n++] = file->shape[k].link;
    }
    const char *word = node->kind == SPEC_SCALAR ? node->text : "", *near = spec_suggest(word, n, name);
    if (is_there)
        refuse(x, spec_error(x->diag, node,
                             "\"%.60s\" has no ball, capsule, cylinder or box that collides: write one among "
                             "\"shapes\"",
                             word));
    else
        refuse(x, spec_error(x->diag, node, "the file has no link with shapes or shape \"%.60s\"%s%s%s", word,
                             near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : ""));
    free(name);
}

/* Which of its shapes the spec asks for, once it is lumped. */
static void read_shapes(struct expansion *x, struct entry *e)
{
    const struct spec_node *node = spec_get(e->node, "shapes");
    const struct robot *file = e->robot;
    const bool all = node && node->kind == SPEC_SCALAR && strcmp(node->text, "all") == 0;
    e->start.has_shape = arena_alloc(&x->spec->mem, (size_t)file->n_shape, sizeof *e->start.has_shape);
    if (!node || node->kind == SPEC_NULL || (node->kind == SPEC_SCALAR && strcmp(node->text, "none") == 0))
        return;
    if (!all && node->kind != SPEC_SEQUENCE) {
        refuse(x, spec_error(x->diag, node, "expected all, none or a list of links and shapes"));
        return;
    }
    for (int k = 0; all && k < file->n_shape; k++)
        e->start.has_shape[k] = robot_shape_is_taken(&file->shape[k]);
    for (int i = 0; i < node->n; i++) {
        const char *name = node->child[i]->kind == SPEC_SCALAR ? node->child[i]->text : "";
        bool is_there = false, is_taken = false;
        for (int k = 0; k < file->n_shape; k++) {
            if (!is_of(&file->shape[k], name))
                continue;
            is_there = true;
            is_taken = is_taken || robot_shape_is_taken(&file->shape[k]);
            e->start.has_shape[k] = e->start.has_shape[k] || robot_shape_is_taken(&file->shape[k]);
        }
        if (!is_taken)
            refuse_shape(x, e, node->child[i], is_there);
    }
}

/* How the root is on the world: what the spec asks for, where the file lets it choose. */
static void set_base(struct expansion *x, struct entry *e)
{
    const struct spec_node *node = spec_get(e->node, "base");
    if (!node || node->kind == SPEC_NULL)
        return;
    enum robot_joint_type type;
    int n_root;
    const bool known = robot_base_type(node->kind == SPEC_SCALAR ? node->text : "", &type);
    enum robot_joint_type *now = &e->robot->body[robot_root(e->robot, &n_root)].joint.type;
    if (!known)
        refuse(x, spec_error(x->diag, node, "expected floating, fixed or planar"));
    else if (n_root > 1)
        refuse(x, spec_error(x->diag, node, "the file has %d bodies on the world: leave its bases as they are",
                             n_root));
    else if (*now != ROBOT_FIXED && *now != ROBOT_FREE && *now != type)
        refuse(x, spec_error(x->diag, node, "the file has joints of its own between the world and the robot"));
    else
        *now = type;
}

/* The robot of an entry, simplified as the entry asks. */
static void read_entry(struct expansion *x, struct entry *e)
{
    const struct spec_node *file = e->node->kind == SPEC_SCALAR ? e->node : spec_get(e->node, "file");
    const struct spec_node *prefix = spec_get(e->node, "prefix");
    if (e->node->kind != SPEC_SCALAR && shape_check_keys(x->diag, e->node, &robot) != STATUS_OK)
        refuse(x, STATUS_SPEC);
    if (!spec_is_name(e->node->key))
        refuse(x, diag_error(x->diag, e->node->key_pos, e->node->path,
                             "\"%s\" is no name: use letters, digits and _", e->node->key));
    if (!file || file->kind != SPEC_SCALAR) {
        refuse(x, spec_error(x->diag, file ? file : e->node, "\"file\" is missing: a URDF or an MJCF"));
        return;
    }
    if (prefix && prefix->kind != SPEC_NULL
        && (prefix->kind != SPEC_SCALAR || (*prefix->text && !spec_is_name(prefix->text))))
        refuse(x, spec_error(x->diag, prefix, "expected letters, digits and _"));
    else if (prefix && prefix->kind == SPEC_SCALAR)
        e->prefix = prefix->text;
    const enum status st = robot_read(path_of(x, file), file->pos, &e->robot, x->diag);
    if (st != STATUS_OK) {
        refuse(x, STATUS_SPEC);
        return;
    }
    set_base(x, e);
    e->start.posture = arena_alloc(&x->spec->mem, (size_t)e->robot->n_body, sizeof *e->start.posture);
    e->names = robot_names_of(e->robot, "", &x->spec->mem);
    e->start.place = read_place(x, e->node);
    read_posture(x, e);
    read_actuate(x, e);
    read_dry_friction(x, e);
    lock(x, e);
    robot_start_lump(e->robot, &e->start);
    read_shapes(x, e);
}

/* --- Names --------------------------------------------------------------------------------------------------- */

static bool add_all(struct dictionary *taken, int n, const char *const *name, int owner)
{
    bool alone = true;
    for (int k = 0; k < n; k++)
        if (!dictionary_add(taken, name[k], owner) && dictionary_find(taken, name[k]) != owner)
            alone = false;
    return alone;
}

/* Do two robots have a name in common? */
static bool are_alike(const struct expansion *x)
{
    struct dictionary bodies = { 0 }, states = { 0 }, shapes_of = { 0 };
    bool alone = true;
    for (int i = 0; i < x->n; i++) {
        const struct entry *e = &x->entry[i];
        if (!e->robot)
            continue;
        alone &= add_all(&bodies, e->robot->n_body, e->names.body, i);
        alone &= add_all(&bodies, e->robot->n_frame, e->names.frame, i);
        alone &= add_all(&states, e->robot->n_body, e->names.joint, i);
        for (int k = 0; k < e->robot->n_shape; k++)
            alone &= !e->start.has_shape[k] || add_all(&shapes_of, 1, &e->names.shape[k], i);
    }
    dictionary_free(&bodies);
    dictionary_free(&states);
    dictionary_free(&shapes_of);
    return !alone;
}

static void choose_names(struct expansion *x)
{
    struct arena *mem = &x->spec->mem;
    for (int i = 0; i < x->n; i++)
        if (x->entry[i].robot)
            x->entry[i].names =
                robot_names_of(x->entry[i].robot, x->entry[i].prefix ? x->entry[i].prefix : "", mem);
    const bool alike = are_alike(x);
    for (int i = 0; i < x->n; i++) {
        struct entry *e = &x->entry[i];
        if (e->robot && alike && !e->prefix)
            e->names = robot_names_of(e->robot, arena_printf(mem, "%s_", e->node->key), mem);
        if (e->robot && e->names.n_changed)
            diag_add(x->diag, DIAG_NOTE, STATUS_OK, e->node->key_pos, e->node->path,
                     "%d name%s of %s %s written otherwise, as \"%s\" is \"%s\"", e->names.n_changed,
                     e->names.n_changed == 1 ? "" : "s", e->robot->file, e->names.n_changed == 1 ? "is" : "are",
                     e->names.from, e->names.to);
    }
}

/* --- All ----------------------------------------------------------------------------------------------------- */

static void remove_block(struct spec *spec, const struct spec_node *block)
{
    struct spec_node **kept = spec->root->child;
    const int n = spec->root->n;
    spec->root->n = 0;
    spec->root->child = NULL;
    for (int i = 0; i < n; i++)
        if (kept[i] != block)
            tree_add(spec, spec->root, kept[i]);
}

enum status robots_expand(struct spec *spec, const char *file, struct diag *diag)
{
    const struct spec_node *block = spec_get(spec->root, "robots");
    struct expansion x = { .spec = spec, .file = file, .diag = diag, .st = STATUS_OK };
    bool is_whole = true;
    if (block->kind != SPEC_MAPPING && block->kind != SPEC_NULL)
        return spec_error(diag, block, "expected {name: {file: a URDF or an MJCF}}");
    if (spec->is_stored)
        return spec_error(diag, block, "a result names no file to be read: its robots are in \"bodies\"");
    x.n = block->n;
    x.entry = mem_alloc((size_t)x.n, sizeof *x.entry);
    for (int i = 0; i < x.n; i++) {
        x.entry[i].node = block->child[i];
        read_entry(&x, &x.entry[i]);
    }
    remove_block(spec, block);
    choose_names(&x);
    for (int i = 0; i < x.n; i++)
        if (x.entry[i].robot)
            robot_put_blocks(spec, x.entry[i].robot, &x.entry[i].names, &x.entry[i].start);
        else
            is_whole = false;
    for (int i = 0; i < x.n; i++)
        robot_free(x.entry[i].robot);
    free(x.entry);
    if (tree_is_full(spec))
        refuse(&x, spec_error(diag, block, "the spec grows too large"));
    if (!is_whole)
        spec->root = NULL;
    return x.st;
}
