/* tests/acceptance/robots/matrices.c - the equations of a mechanical spec at given states, as numbers
 *
 *   matrices SPEC <STATES
 *
 * Prints the names of states, of velocities in the order of the equations, and of points; then reads states, n_x
 * numbers each, and prints for each one line: M by columns, the forces at rest of all controls, the coordinates of
 * the points.
 */
#include "core/base/mem.h"
#include "core/model/inputs.h"
#include "tests/unit/read_spec.h"

static void print_names(const struct model *m)
{
    fputs("states", stdout);
    for (int k = 0; k < m->n_x; k++)
        printf(" %s", m->x[k].name);
    fputs("\nvelocities", stdout);
    for (int k = 0; k < m->mechanics.n_q; k++)
        printf(" %s", m->x[m->mechanics.v_index[k]].name);
    fputs("\npoints", stdout);
    for (int k = 0; k < m->mechanics.n_point; k++)
        printf(" %s", m->mechanics.point[k].name);
    putchar('\n');
}

/* M, f_v, points, one behind the other; *n of them. */
static expr *all_expressions(const struct model *m, int *n)
{
    const int n_q = m->mechanics.n_q;
    expr *e = mem_alloc((size_t)(n_q * n_q + n_q + 3 * m->mechanics.n_point), sizeof *e);
    *n = 0;
    for (int k = 0; k < n_q * n_q; k++)
        e[(*n)++] = m->mechanics.M[k];
    for (int k = 0; k < n_q; k++)
        e[(*n)++] = m->mechanics.f_v[k];
    for (int k = 0; k < 3 * m->mechanics.n_point; k++)
        e[(*n)++] = m->mechanics.point[k / 3].at[k % 3];
    return e;
}

int main(int argc, char **argv)
{
    struct diag *diag = diag_create();
    struct spec *spec;
    struct model *model;
    if (argc != 2)
        return 2;
    read_spec(argv[1], MODEL_FOR_SIMULATE, diag, &spec, &model);
    print_names(model);
    int n;
    expr *all = all_expressions(model, &n);
    struct function values = function_create(model, NULL, n, all);
    double *x = mem_alloc((size_t)model->n_x, sizeof *x);
    for (int k = 0; scanf("%lf", &x[k]) == 1; k = (k + 1) % model->n_x) {       /* NOLINT(cert-err34-c) */
        if (k < model->n_x - 1)
            continue;
        const double *out = function_eval(&values, 0, x, NULL);
        for (int i = 0; i < n; i++)
            printf("%.17g%c", out[i], i < n - 1 ? ' ' : '\n');
    }
    function_free(&values);
    free(all);
    free(x);
    model_free(model);
    spec_free(spec);
    diag_free(diag);
    return 0;
}
