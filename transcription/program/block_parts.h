/* transcription/program/block_parts.h - what a block is made of; for block.c, block_pattern.c and block_eval.c */
#ifndef COCP_TRANSCRIPTION_PROGRAM_BLOCK_PARTS_H
#define COCP_TRANSCRIPTION_PROGRAM_BLOCK_PARTS_H

#include "transcription/program/pointfun.h"

struct slot_term { int var; double coef; };

struct out_place { int row; double coef; int a, b; };      /* row PROGRAM_NO_ROW: unused */

struct places { int n; int *at; };                  /* of contributions, in the order in which they are added */

struct program_block {
    struct arena mem;               /* owns what is known once nothing is added any more: the arrays marked mem */
    struct pointfun *fun;
    int n_point;
    double *offset;                 /* [n_point * n_in] constant part of a slot */
    int *n_terms;                   /* [n_point * n_in] */
    struct slot_term **terms;       /* [n_point * n_in] while building; then slices of `term` */
    struct slot_term *term;         /* mem: all terms after block_place, point by point, slot by slot */
    int *term_start;                /* mem: [n_point * n_in + 1] */
    struct out_place *out;          /* [n_point * n_out] */

    struct places jac_place;        /* point, Jacobian entry, term: place in jac, or variable of a cost row */
    struct places scale_place;      /* point, output: (row, a), (row, b); -1: none */
    struct places hess_place;       /* point, Hessian entry, terms of row slot, terms of col slot */
    struct places cross_place;      /* point, Jacobian entry with a scaled output, term: (a, v), (b, v) */
    struct places ab_place;         /* point, output: (a, b); -1: none */

    double *in;                     /* mem, as those below: [(n_in + n_out) * n_point] slots, then multipliers */
    double *value, *jac, *hess;     /* [n_out | n_jac | n_hess][n_point] */
    double *work;
};

#endif
