#include "core/expression/names.h"

#include "core/expression/ops.h"

#include <string.h>

/* Names of the grammar that are no functions of the graph; calls are the caller's. */
static const char *const constants[] = { "pi", "inf", NULL };
static const char *const operators[] = { "and", "or", "not", NULL };
static const char *const calls[] = { "ddt", "initial", "final", NULL };

bool names_find_function(const char *name, enum expr_op *op)
{
    for (*op = 0; *op < EXPR_TABLE; ++*op)
        if (op_info[*op].name && strcmp(op_info[*op].name, name) == 0)
            return true;
    return false;
}

static bool is_in(const char *const *list, const char *name)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

bool names_is_taken(const char *name)
{
    enum expr_op op;
    return is_in(constants, name) || is_in(operators, name) || is_in(calls, name) || names_find_function(name, &op);
}

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

/* Letters to change, insert, delete or swap with their neighbour to get from a to b. */
static int edit_distance(const char *a, const char *b)
{
    enum { LEN_MAX = 40 };
    const int n_a = (int)strlen(a), n_b = (int)strlen(b);
    if (n_a > LEN_MAX || n_b > LEN_MAX)
        return LEN_MAX;
    int d[LEN_MAX + 1][LEN_MAX + 1];
    for (int i = 0; i <= n_a; i++)
        d[i][0] = i;
    for (int j = 0; j <= n_b; j++)
        d[0][j] = j;
    for (int i = 1; i <= n_a; i++)
        for (int j = 1; j <= n_b; j++) {
            d[i][j] = min_of(d[i - 1][j], d[i][j - 1]) + 1;
            d[i][j] = min_of(d[i][j], d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = min_of(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n_a][n_b];
}

void names_consider(struct nearest *best, const char *name, const char *candidate)
{
    const int distance = edit_distance(name, candidate);
    if (distance < best->distance) {
        best->name = candidate;
        best->distance = distance;
    }
}

/* What other languages call them. */
static const char *const elsewhere[][2] = {
    { "sgn", "sign" }, { "ln", "log" }, { "fabs", "abs" }, { "arctan", "atan" }, { "arcsin", "asin" },
    { "arccos", "acos" }, { "arctan2", "atan2" }, { "heaviside", "step" }, { "if_else", "if" }, { "where", "if" },
};

struct nearest names_nearest(const char *name, bool is_function)
{
    for (size_t k = 0; is_function && k < sizeof elsewhere / sizeof *elsewhere; k++)
        if (strcmp(name, elsewhere[k][0]) == 0)
            return (struct nearest){ elsewhere[k][1], 0 };
    const int slips = (int)strlen(name) / 3;
    struct nearest best = { NULL, (slips > 1 ? slips : 1) + 1 };
    for (enum expr_op op = 0; is_function && op < EXPR_TABLE; op++)
        if (op_info[op].name)
            names_consider(&best, name, op_info[op].name);
    for (const char *const *word = is_function ? calls : constants; *word; word++)
        names_consider(&best, name, *word);
    return best;
}
