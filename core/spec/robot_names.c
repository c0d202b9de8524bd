#include "core/spec/robot_names.h"

#include "core/base/dictionary.h"
#include "core/spec/spec.h"

#include <ctype.h>
#include <string.h>

enum { MAX_NAME = 90 };                         /* bytes; states add a few behind them */

static char *spelled(const char *name, const char *prefix, struct arena *mem)
{
    char *out =
        arena_printf(mem, "%s%s%.*s", prefix,
                     !*prefix && !isalpha((unsigned char)*name) && *name != '_' ? "_" : "", MAX_NAME, name);
    for (char *c = out; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return out;
}

static const char *unlike(struct dictionary *taken, const char *plain, struct arena *mem)
{
    const char *out = plain;
    for (int k = 2; !dictionary_add(taken, out, 0); k++)
        out = arena_printf(mem, "%s_%d", plain, k);
    return out;
}

static const char *name_of(struct robot_names *names, struct dictionary *taken, const char *name,
                           const char *prefix, struct arena *mem)
{
    const char *out = unlike(taken, spelled(name, prefix, mem), mem);
    if (strcmp(out + strlen(prefix), name) != 0 && names->n_changed++ == 0) {
        names->from = name;
        names->to = out;
    }
    return out;
}

/* A link with several shapes has them by numbers. */
static void name_shapes(struct robot_names *names, const struct robot *robot, const char *prefix, struct arena *mem)
{
    struct dictionary taken = { 0 };
    names->shape = arena_alloc(mem, (size_t)robot->n_shape, sizeof *names->shape);
    for (int k = 0; k < robot->n_shape; k++) {
        const struct robot_shape *shape = &robot->shape[k];
        const char *name = shape->name && *shape->name ? shape->name : shape->link;
        names->shape[k] = shape->collides && name ? unlike(&taken, spelled(name, prefix, mem), mem) : "";
    }
    dictionary_free(&taken);
}

struct robot_names robot_names_of(const struct robot *robot, const char *prefix, struct arena *mem)
{
    struct robot_names names = { .n_changed = 0 };
    struct dictionary taken = { 0 }, states = { 0 }, loops = { 0 };
    names.body = arena_alloc(mem, (size_t)robot->n_body, sizeof *names.body);
    names.joint = arena_alloc(mem, (size_t)robot->n_body, sizeof *names.joint);
    names.frame = arena_alloc(mem, (size_t)robot->n_frame, sizeof *names.frame);
    names.loop = arena_alloc(mem, (size_t)robot->n_loop, sizeof *names.loop);
    for (int b = 0; b < robot->n_body; b++)
        names.body[b] = name_of(&names, &taken, robot->body[b].name, prefix, mem);
    for (int k = 0; k < robot->n_frame; k++)
        names.frame[k] = name_of(&names, &taken, robot->frame[k].name, prefix, mem);
    for (int b = 0; b < robot->n_body; b++) {
        const struct robot_joint *joint = &robot->body[b].joint;
        names.joint[b] = joint->name ? name_of(&names, &states, joint->name, prefix, mem) : names.body[b];
    }
    name_shapes(&names, robot, prefix, mem);
    for (int k = 0; k < robot->n_loop; k++)
        names.loop[k] = name_of(&names, &loops, robot->loop[k].name, prefix, mem);
    dictionary_free(&loops);
    dictionary_free(&taken);
    dictionary_free(&states);
    return names;
}
