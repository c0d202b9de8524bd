#include "core/model/mass.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void mass_solve(struct expr_graph *g, int n, const expr *M, expr *b)
{
    expr *A = mem_alloc((size_t)(n * n), sizeof *A);
    memcpy(A, M, (size_t)(n * n) * sizeof *A);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            if (expr_is_zero(g, A[i + k * n]))
                continue;
            const expr l = expr_div(g, A[i + k * n], A[k + k * n]);
            for (int j = k; j < n; j++)
                A[i + j * n] = expr_sub(g, A[i + j * n], expr_mul(g, l, A[k + j * n]));
            b[i] = expr_sub(g, b[i], expr_mul(g, l, b[k]));
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] = expr_sub(g, b[k], expr_mul(g, A[k + j * n], b[j]));
        b[k] = expr_div(g, b[k], A[k + k * n]);
    }
    free(A);
}
