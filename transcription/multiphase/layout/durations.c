/* How long it takes from one event to another: a sum of pieces, of which several may have one variable. */
#include "transcription/multiphase/layout/phases.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* coef times the variable, or coef itself where it is none, added to a sum with each variable once. */
struct sum { int n, *var; double *coef, known; };

static void add_to(struct sum *sum, int var, double coef)
{
    int i = 0;
    if (var < 0) {
        sum->known += coef;
        return;
    }
    while (i < sum->n && sum->var[i] != var) i++;
    sum->var[i] = var;
    sum->coef[i] = i < sum->n ? sum->coef[i] + coef : coef;
    sum->n += i == sum->n;
}

void phases_add_duration(struct phases *ph, int j, int end, double lb, double ub, struct mpcc_label label)
{
    const size_t n = (size_t)ph->n_piece;
    struct sum sum = { 0, mem_alloc(n, sizeof(int)), mem_alloc(n, sizeof(double)), 0 };
    for (int i = 0; i < ph->n_piece; i++)
        if (ph->piece[i].mode > j && ph->piece[i].mode <= end) {
            add_to(&sum, ph->piece[i].length, ph->piece[i].coef);
            label.interval = ph->piece[i].interval;
            label.element = ph->piece[i].first;
        }
    const int row = program_row(ph->prog, lb - sum.known, ub - sum.known, label);
    for (int i = 0; i < sum.n; i++)
        program_linear(ph->prog, row, sum.var[i], sum.coef[i]);
    free(sum.var);
    free(sum.coef);
}
