#include "core/simulation/finding.h"

#include <math.h>
#include <string.h>

bool finding_fails(const struct finding *finding)
{
    return !isnan(finding->tol) && !(finding->figure <= finding->tol);
}

static struct finding *next_row(struct findings *to)
{
    if (to->n == to->room) {
        struct finding *grown = arena_alloc(&to->mem, (size_t)(to->room = 2 * to->room + 16), sizeof *grown);
        if (to->n)
            memcpy(grown, to->row, (size_t)to->n * sizeof *grown);
        to->row = grown;
    }
    return &to->row[to->n++];
}

void findings_add(struct findings *to, const struct finding *finding)
{
    const bool fails = finding_fails(finding);
    struct finding *row = next_row(to);
    *row = *finding;
    row->name = arena_copy_text(&to->mem, finding->name);
    row->where = arena_copy_text(&to->mem, finding->where ? finding->where : "");
    row->reason = arena_copy_text(&to->mem, fails && finding->reason ? finding->reason : "");
}

const struct finding *findings_first_failure(const struct findings *findings)
{
    for (int k = 0; k < findings->n; k++)
        if (finding_fails(&findings->row[k]))
            return &findings->row[k];
    return NULL;
}

void findings_free(struct findings *findings)
{
    arena_free(&findings->mem);
    *findings = (struct findings){ .n = 0 };
}
