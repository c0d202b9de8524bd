/* core/lcp/lcp.h - linear complementarity problems by Lemke's method
 *
 *   w = M z + q,   w >= 0,   z >= 0,   z'w = 0
 *
 * CPS 4.4. The method follows the almost complementary path of w = M z + q + cover z_0 from the ray of large z_0
 * until z_0 leaves (a solution) or the path ends in another ray. Ties are broken lexicographically, so that it
 * cannot cycle. There is no other ray if M is copositive and q'z >= 0 for all z >= 0 with M z >= 0, z'M z = 0.
 *
 * Shapes  M [n x n] by columns, M[row + col * ld]; q, z, w [n].
 * Units   any: M and q are scaled by powers of two to size one, so only their spread matters.
 * Errors  see enum lcp_outcome; nothing is printed and nothing allocated after lcp_create.
 */
#ifndef COCP_CORE_LCP_LCP_H
#define COCP_CORE_LCP_LCP_H

struct lcp_problem {
    int n;                      /* at least 1 */
    const double *M;            /* [ld * n]; borrowed, like q */
    int ld;                     /* at least n */
    const double *q;            /* [n] */
};

/* Where several solutions exist, these decide which one is found; a zeroed struct is the usual choice. */
struct lcp_choice {
    const double *cover;        /* [n], each > 0: the covering vector; NULL: ones */
    const int *order;           /* [n], a permutation: the order in which ties perturb q; NULL: 0, 1, ... */
    int max_pivots;             /* 0: 50 + 20 n, several times what problems of contact take */
};

enum lcp_outcome {
    LCP_SOLVED,
    LCP_RAY,                    /* no solution was found; for many classes of M there is none then */
    LCP_LIMIT,                  /* max_pivots are used up */
    LCP_NUMERIC                 /* NaN or infinity in M, q or on the way */
};

struct lcp_info {
    enum lcp_outcome outcome;
    int n_pivots;
    /* With LCP_RAY, else NULL and 0: w + s ray_w = M (z + s ray_z) + q + cover (z_0 + s ray_z_0) stays
     * nonnegative and almost complementary for all s >= 0. If M is copositive-plus, ray_z proves that not even
     * z >= 0, M z + q >= 0 has a solution: ray_z'M <= 0 and ray_z'q < 0. Borrowed, until the next solve. */
    const double *ray_z, *ray_w;
    double z_0, ray_z_0;
};

struct lcp;

/* Workspace for problems of up to n_max unknowns; one per thread. */
struct lcp *lcp_create(int n_max);
void lcp_free(struct lcp *lcp);

/* A solution z with its w; with another outcome than LCP_SOLVED where the path ended. What is below zero by
 * rounding is zero. choice may be NULL. */
enum lcp_outcome lcp_solve(struct lcp *lcp, const struct lcp_problem *problem, const struct lcp_choice *choice,
                           double *z, double *w, struct lcp_info *info);

/* The outcome in words, for messages. */
const char *lcp_outcome_text(enum lcp_outcome outcome);

#endif
