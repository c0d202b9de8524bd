#include "core/spec/shape.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

const struct shape shape_number = { .kind = SHAPE_NUMBER };
const struct shape shape_count = { .kind = SHAPE_COUNT };
const struct shape shape_formula = { .kind = SHAPE_FORMULA };
const struct shape shape_time = { .kind = SHAPE_TIME };
const struct shape shape_text = { .kind = SHAPE_TEXT };
const struct shape shape_flag = { .kind = SHAPE_FLAG };
const struct shape shape_range = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 2, .n_max = 2 };
const struct shape shape_vector = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 3, .n_max = 3 };
const struct shape shape_turn = { .kind = SHAPE_LIST, .of = &shape_number, .n_min = 3, .n_max = 4 };

const struct shape_key *shape_key_find(const struct shape_key *key, const char *name)
{
    for (; key && key->name; key++)
        if (strcmp(key->name, name) == 0)
            return key;
    return NULL;
}

enum status shape_check_keys(struct diag *diag, const struct spec_node *node, const struct shape *record)
{
    int n = 0;
    while (record->key[n].name)
        n++;
    const char **known = mem_alloc((size_t)n + 1, sizeof *known);
    for (int k = 0; k < n; k++)
        known[k] = record->key[k].name;
    const enum status st = spec_check_keys(diag, node, known);
    free(known);
    return st;
}
