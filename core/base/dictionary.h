/* core/base/dictionary.h - from names to numbers, by hashing
 *
 *   struct dictionary d = { 0 };
 *   dictionary_add(&d, "mass", 3);
 *   dictionary_find(&d, "mass")  is 3, of a name that is not there -1
 *
 * A search costs the same however many names there are. Names are borrowed.
 */
#ifndef COCP_CORE_BASE_DICTIONARY_H
#define COCP_CORE_BASE_DICTIONARY_H

#include <stdbool.h>

struct dictionary {
    int n;                          /* names */
    int n_slot;                     /* a power of two, at least 2 n; 0: none yet */
    struct dictionary_slot { const char *name; int number; } *slot;     /* name NULL: empty */
};

/* Gives the name a number from 0 on; where it has one already it keeps that: false. */
bool dictionary_add(struct dictionary *d, const char *name, int number);
int dictionary_find(const struct dictionary *d, const char *name);
void dictionary_free(struct dictionary *d);

#endif
