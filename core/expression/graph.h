/* core/expression/graph.h - the inside of an expression graph, for the sources of this folder
 *
 * Arguments of a node have smaller indices than the node, so that loops over indices replace recursion.
 */
#ifndef COCP_CORE_EXPRESSION_GRAPH_H
#define COCP_CORE_EXPRESSION_GRAPH_H

#include "core/base/arena.h"
#include "core/expression/expr.h"

struct node {
    enum expr_op op;
    expr arg[3];                    /* EXPR_NONE where there is none */
    double value;                   /* of EXPR_CONST */
    int payload;                    /* EXPR_SYM: place in sym_name; EXPR_TABLE: place in table; EXPR_GRID: in grid; else 0 */
};

struct table {
    struct table_data data;
    int derivative;                 /* place of the derivative table; -1: not made yet */
};

struct grid {
    struct grid_data data;
    int derivative[2];              /* by each argument; -1: not made yet */
};

struct expr_graph {
    struct arena mem;               /* names, arrays of tables and grids */
    struct node *node;              /* [n] */
    struct srcpos *pos;             /* [n] */
    int n;
    int *slot;                      /* [n_slots] open hash table of node indices, -1: empty */
    int n_slots;                    /* a power of two, at least 2 n */
    const char **sym_name;          /* [n_sym] */
    int n_sym;
    struct table *table;            /* [n_table] */
    int n_table;
    struct grid *grid;              /* [n_grid] */
    int n_grid;
    int *place;                     /* [n_place] of derivatives (diff.c): -1 but while one is made */
    int n_place;
};

/* The node that is exactly op(args) with this value and payload, made if need be; nothing is simplified. */
expr graph_intern(struct expr_graph *g, enum expr_op op, expr a, expr b, expr c, double value, int payload);

/* The node with its arguments replaced by image[argument], simplified as the public builders do; for any node but
 * symbols. Its position stays. */
expr graph_rebuild(struct expr_graph *g, expr like, const expr *image);

/* Value of node e when its arguments have the values arg; of a symbol NaN. */
double graph_node_value(const struct expr_graph *g, expr e, const double *arg);

/* Value of op with one, two or three arguments (no constant, symbol, table or grid). */
double graph_op_value(enum expr_op op, double a, double b, double c);

/* Values of e and of all nodes that it is made of, by node, where sym[k] = value[k] [n_sym]; malloc'ed. */
double *graph_values(const struct expr_graph *g, expr e, int n_sym, const expr *sym, const double *value);

/* Value of a table at s; NaN at NaN. */
double graph_table_value(const struct table_data *table, double s);

/* The table of node e with derivative coefficients, of the same argument. */
expr graph_table_derivative(struct expr_graph *g, expr e);

/* The same of grids; argument k is 0 or 1. */
double graph_grid_value(const struct grid_data *grid, double a, double b);
expr graph_grid_derivative(struct expr_graph *g, expr e, int k);

/* The piece of n between ascending breaks [n + 1] that holds s; the first before them, the last beyond. */
int graph_piece(int n, const double *breaks, double s);

/* A copy of the data and its arrays. */
const struct table_data *graph_copy_table(struct arena *mem, const struct table_data *from);
const struct grid_data *graph_copy_grid(struct arena *mem, const struct grid_data *from);

/* Text of e, cut off with "..." after about max_size characters; malloc'ed. */
char *graph_text(const struct expr_graph *g, expr e, size_t max_size);

#endif
