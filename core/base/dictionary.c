#include "core/base/dictionary.h"

#include "core/base/mem.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a, its upper bits folded in. */
static uint64_t hash_of(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return h ^ h >> 32;
}

/* The slot that holds the name, or the empty one where it belongs. */
static struct dictionary_slot *slot_of(const struct dictionary *d, const char *name)
{
    const size_t mask = (size_t)d->n_slot - 1;
    size_t i = (size_t)hash_of(name) & mask;
    while (d->slot[i].name && strcmp(d->slot[i].name, name) != 0)
        i = (i + 1) & mask;
    return &d->slot[i];
}

static void grow(struct dictionary *d)
{
    enum { FIRST_SLOTS = 64 };
    const struct dictionary old = *d;
    d->n_slot = old.n_slot ? 2 * old.n_slot : FIRST_SLOTS;
    d->slot = mem_alloc((size_t)d->n_slot, sizeof *d->slot);
    for (int i = 0; i < old.n_slot; i++)
        if (old.slot[i].name)
            *slot_of(d, old.slot[i].name) = old.slot[i];
    free(old.slot);
}

bool dictionary_add(struct dictionary *d, const char *name, int number)
{
    if (2 * (d->n + 1) > d->n_slot)
        grow(d);
    struct dictionary_slot *slot = slot_of(d, name);
    if (slot->name)
        return false;
    *slot = (struct dictionary_slot){ name, number };
    d->n++;
    return true;
}

int dictionary_find(const struct dictionary *d, const char *name)
{
    const struct dictionary_slot *slot = d->n_slot ? slot_of(d, name) : NULL;
    return slot && slot->name ? slot->number : -1;
}

void dictionary_free(struct dictionary *d)
{
    free(d->slot);
    *d = (struct dictionary){ 0 };
}
