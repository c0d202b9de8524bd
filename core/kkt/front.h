/* core/kkt/front.h - dense work on one front: pivots, the update they leave, and its part of a solve
 *
 *   [ F11 F12 ]   [ L11    ] [ D   ] [ L11' L21' ]          F11 fully summed: its columns are complete
 *   [ F21  C  ] = [ L21  I ] [   S ] [       I   ],         S = C - L21 D L21' goes to the parent
 *
 * The same source (front_body.h) is built for each vector width; results are the same bits. Source: kkt.md 3, 4.
 *
 * Shapes  columns of a front are n_row long and stand one after the other; the lower triangle is used, what is
 *         above it may be overwritten with anything, as are up to FRONT_SLACK numbers behind the last column.
 */
#ifndef COCP_CORE_KKT_FRONT_H
#define COCP_CORE_KKT_FRONT_H

#include <stdbool.h>

enum { FRONT_SLACK = 8 };           /* numbers of the widest vector */

struct kkt_pivots {                 /* [n] each, by order of elimination */
    double *d, *e;                  /* inverse of D: its diagonal, and the entry below it in a 2 x 2 block */
    char *kind;                     /* 1, or 2 and 0 for the two of a block */
};

/* Rows p and q that the first n_column columns have yet to exchange. */
struct kkt_exchange { int n_column, p, q; };

struct kkt_panel {                  /* in: a front summed up; out: L in the columns of its pivots */
    int n_full, n_row;              /* fully summed, and all of them */
    double *F;                      /* n_full columns */
    int *place;                     /* [n_row] of each row; moves with the rows */
    double threshold;
    bool is_root;                   /* nothing can be passed on: what is 0 becomes a zero pivot */
    struct kkt_pivots pivots;       /* those of this front on */
    int n_negative, n_zero, n_uncertain, n_two_by_two;  /* counted on */
    double *W;                      /* [n_full * (n_row + FRONT_SLACK)] scratch */
    int n_later;                    /* exchanges that eliminated columns have yet to make, in their order; the kernel's */
    struct kkt_exchange *later;
};

struct kkt_kernel {
    const char *name;
    /* Eliminates what it can; returns how many. The others stand last among the fully summed, updated. */
    int (*eliminate)(struct kkt_panel *panel);
    /* C -= L21 D L21' for the rows behind the fully summed ones; n_pivot as returned; columns of C are ld apart,
     * ld at least the number of rows rounded up to FRONT_SLACK. */
    void (*update)(const struct kkt_panel *panel, int n_pivot, double *C, int ld);
    /* x [n_row]: L^-1 x for the first n_pivot, the others updated; and the way back with L'. */
    void (*forward)(int n_row, int n_pivot, const double *L, double *x);
    void (*backward)(int n_row, int n_pivot, const double *L, double *x);
};

/* Kernel i of those that this processor can run, the fastest first; NULL past the end. */
const struct kkt_kernel *kkt_kernel_get(int i);

extern const struct kkt_kernel kkt_kernel_base;
#if defined(__x86_64__)
extern const struct kkt_kernel kkt_kernel_avx2, kkt_kernel_avx512;
#endif

#endif
