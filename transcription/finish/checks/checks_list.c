#include "transcription/finish/checks/checks_list.h"

#include "core/base/mem.h"

#include <math.h>

#define CHECK_APART 1e-4            /* of an element: checked points this close are one */

void checks_append(struct checks *to, const struct phase_check *one)
{
    to->check = mem_grow(to->check, to->n, 1, sizeof *to->check);
    to->check[to->n++] = *one;
}

void checks_add(struct checks *to, const struct phase_check *one)
{
    for (int k = 0; k < to->n; k++)
        if (to->check[k].element == one->element && to->check[k].subject == one->subject
            && fabs(to->check[k].c - one->c) < CHECK_APART)
            return;
    checks_append(to, one);
}
