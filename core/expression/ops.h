/* core/expression/ops.h - the operations of expressions, one row each */
#ifndef COCP_CORE_EXPRESSION_OPS_H
#define COCP_CORE_EXPRESSION_OPS_H

#include "core/expression/expr.h"

struct op_info {
    const char *name;               /* in specs; NULL: it is a number, a symbol or an operator */
    int n_args;
    double (*call1)(double);        /* of libm; NULL: it is none of its functions of one argument, */
    double (*call2)(double, double);        /* of two */
    enum { NEITHER, ODD, EVEN } parity;     /* f(-a) = -f(a), f(a) */
    bool is_nonsmooth;              /* must be replaced before an expression can be differentiated; conditions too */
};
extern const struct op_info op_info[];         /* by enum expr_op */

#endif
