/* core/model/scope/known_names.c - what a name is in a model that is being read
 *
 * Names come block by block; a search first enters those that have come since the last one. A name stays where it
 * is.
 */
#include "core/model/scope/known_names.h"

#include "core/base/dictionary.h"
#include "core/base/mem.h"
#include "core/model/model.h"

#include <stdlib.h>
#include <string.h>

const char *const name_kind_text[] = { "parameter", "state", "control", "control", "define", "point", "name" };

struct known_names {
    struct dictionary of[NAME_NONE];            /* each kind for itself */
    int n[NAME_NONE];                           /* entered */
};

struct known_names *known_names_create(void)
{
    return mem_alloc(1, sizeof(struct known_names));
}

void known_names_free(struct known_names *names)
{
    for (int kind = 0; kind < NAME_NONE; kind++)
        dictionary_free(&names->of[kind]);
    free(names);
}

static int count(const struct model *m, enum name_kind kind)
{
    switch (kind) {
    case NAME_PARAMETER: return m->n_param;
    case NAME_STATE:     return m->n_x;
    case NAME_CONTROL:   return m->n_u;
    case NAME_IMPULSE:   return m->impulses.n_impulse;
    case NAME_DEFINE:    return m->defines.n_define;
    case NAME_POINT:     return m->mechanics.n_quantity;
    case NAME_NONE:      break;
    }
    return 0;
}

static const char *name_at(const struct model *m, enum name_kind kind, int k)
{
    switch (kind) {
    case NAME_PARAMETER: return m->param[k].name;
    case NAME_STATE:     return m->x[k].name;
    case NAME_CONTROL:   return m->u[k].name;
    case NAME_IMPULSE:   return m->impulses.impulse[k].var.name;
    case NAME_DEFINE:    return m->defines.name[k];
    case NAME_POINT:     return m->mechanics.quantity[k].name;
    case NAME_NONE:      break;
    }
    return "";
}

static int find_by_hash(struct known_names *names, const struct model *m, enum name_kind kind, const char *text)
{
    for (; names->n[kind] < count(m, kind); names->n[kind]++)
        (void)dictionary_add(&names->of[kind], name_at(m, kind, names->n[kind]), names->n[kind]);
    return dictionary_find(&names->of[kind], text);
}

static int find_by_looking(const struct model *m, enum name_kind kind, const char *text)
{
    for (int k = 0; k < count(m, kind); k++)
        if (strcmp(name_at(m, kind, k), text) == 0)
            return k;
    return -1;
}

struct name known_names_find(struct known_names *names, const struct model *m, const char *text)
{
    for (enum name_kind kind = 0; kind < NAME_NONE; kind++) {
        const int k = names ? find_by_hash(names, m, kind, text) : find_by_looking(m, kind, text);
        if (k >= 0)
            return (struct name){ kind, k };
    }
    return (struct name){ NAME_NONE, 0 };
}
