/* core/model/parts/tables.h - functions of one or two arguments that a spec gives by their values */
#ifndef COCP_CORE_MODEL_PARTS_TABLES_H
#define COCP_CORE_MODEL_PARTS_TABLES_H

#include "core/expression/expr.h"
#include "core/spec/spec.h"

enum table_curve { TABLE_SPLINE, TABLE_LINEAR };
/* What it is beyond its axes: nothing (arguments are kept within them), the value at the
 * edge, or the line from there. */
enum table_outside { TABLE_REFUSE, TABLE_CONSTANT, TABLE_LINE };

struct model_table {
    const char *name, *path;
    struct srcpos pos;
    int n_arg;                      /* 1 or 2; 0: it could not be read */
    const char *arg[2];             /* names of the arguments, for messages */
    int n[2];                       /* points of each axis; n[1] is 1 where there is one argument */
    const double *at[2];            /* [n[k]] ascending */
    const double *value;            /* [n[0] * n[1]], the second axis fastest */
    enum table_curve by;
    enum table_outside outside;
};

/* A formula calls a table, and has this as argument number `axis` of it. */
struct model_table_use {
    int table, axis;
    expr arg, value;                /* value: what the call stands for */
    struct srcpos pos;              /* of the call */
    const char *path;
    int first, end;                 /* control intervals, those of a phase; end 0: all */
    bool is_kept;                   /* a constraint keeps the argument within the axis */
};

struct model_tables {
    int n_table;
    struct model_table *table;                  /* [n_table] */
    int n_use, cap_use;
    struct model_table_use *use;                /* [n_use] */
};

#endif
