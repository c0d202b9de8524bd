/* core/expression/ops.h - the operations of expressions, one row each */
#ifndef COCP_CORE_EXPRESSION_OPS_H
#define COCP_CORE_EXPRESSION_OPS_H

#include <stdbool.h>

enum expr_op {
    EXPR_CONST, EXPR_SYM,
    EXPR_ADD, EXPR_MUL,
    EXPR_NEG, EXPR_SQUARE, EXPR_SIN, EXPR_COS, EXPR_TAN, EXPR_ASIN, EXPR_ACOS, EXPR_ATAN,   /* one argument */
    EXPR_SINH, EXPR_COSH, EXPR_TANH, EXPR_EXP, EXPR_LOG, EXPR_LOG10, EXPR_SQRT,
    EXPR_ABS, EXPR_SIGN, EXPR_STEP,                                     /* sign(0) = 0, step(0) = 1/2 when evaluated */
    EXPR_DIV, EXPR_ATAN2, EXPR_HYPOT, EXPR_POW, EXPR_MIN, EXPR_MAX,     /* two arguments */
    EXPR_LT, EXPR_LE, EXPR_EQ, EXPR_AND, EXPR_OR, EXPR_NOT,             /* conditions: 0 or 1 */
    EXPR_IF,                                                            /* three arguments: condition, then, else */
    EXPR_RELAY,                                                         /* three: expr_relay */
    EXPR_TABLE,                                                         /* piecewise cubic of one argument */
    EXPR_GRID,                                                          /* piecewise bicubic of two */
    EXPR_SIDE,                                                          /* one: expr_side */
    EXPR_PICK                                                           /* three: expr_pick */
};

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
