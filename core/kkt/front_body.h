/* core/kkt/front_body.h - the dense work of a front, written once for all vector widths
 *
 * Included by front_base.c and its siblings, which say FRONT_VECTOR_BYTES. Each entry is summed in the order of
 * the pivots, with no fused multiplication, so that the width changes no bit.
 */
#include "core/kkt/front.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#ifndef FRONT_VECTOR_BYTES
#define FRONT_VECTOR_BYTES 16        /* alone, for those who read it by itself */
#endif

#define TINY 1e-20                  /* scaled entries up to this are zero */
#define CANCELLED 1e-12             /* a 2 x 2 determinant this much below its terms is rounding */
#define UNCERTAIN 1e-13             /* scaled pivots below: rounding decides the sign */
enum {
    PANEL = 24,                     /* columns that are eliminated before the others learn of it */
    LATER = 200,                    /* exchanges that eliminated columns make together */
    WIDTH = FRONT_VECTOR_BYTES / 8
};

typedef double vec __attribute__((vector_size(FRONT_VECTOR_BYTES), aligned(8)));
typedef long long mask __attribute__((vector_size(FRONT_VECTOR_BYTES), aligned(8)));

static inline vec load(const double *x)
{
    return *(const vec *)x;
}

static inline void store(double *x, vec v)
{
    *(vec *)x = v;
}

static inline vec splat(double x)
{
    return x - (vec){ 0 };
}

/* --- Column operations -------------------------------------------------------------------------------------- */

/* Largest |x[i]|, i in [from, to). */
static double largest(const double *x, int from, int to)
{
    double out = 0.0;
    int i = from;
    if (to - from >= WIDTH) {
        vec most = { 0 };
        for (; i + WIDTH <= to; i += WIDTH) {
            const vec v = load(x + i), up = (vec)((mask)v & 0x7fffffffffffffffLL);
            const mask more = up > most;
            most = (vec)(((mask)up & more) | ((mask)most & ~more));
        }
        double part[WIDTH];
        store(part, most);
        for (int half = WIDTH / 2; half > 0; half /= 2)
            for (int l = 0; l < half; l++)
                part[l] = part[l + half] > part[l] ? part[l + half] : part[l];
        out = part[0];
    }
    for (; i < to; i++)
        out = fabs(x[i]) > out ? fabs(x[i]) : out;
    return out;
}

/* y[i] -= a x[i], i in [from, to). */
static void subtract(double *y, const double *x, double a, int from, int to)
{
    const vec av = splat(a);
    int i = from;
    for (; i + WIDTH <= to; i += WIDTH)
        store(y + i, load(y + i) - load(x + i) * av);
    for (; i < to; i++)
        y[i] -= x[i] * a;
}

/* y[i] -= a x[i], then -= b z[i]. */
static void subtract_two(double *y, const double *x, double a, const double *z, double b, int from, int to)
{
    const vec av = splat(a), bv = splat(b);
    int i = from;
    for (; i + WIDTH <= to; i += WIDTH)
        store(y + i, load(y + i) - load(x + i) * av - load(z + i) * bv);
    for (; i < to; i++)
        y[i] = y[i] - x[i] * a - z[i] * b;
}

/* --- Pivots ------------------------------------------------------------------------------------------------- */

static double *column(const struct kkt_panel *panel, int j)
{
    return panel->F + (size_t)j * (size_t)panel->n_row;
}

/* Columns that are eliminated make the exchanges that they have missed: one after the other, each while it is in the cache. */
static void catch_up(struct kkt_panel *panel)
{
    int first = 0;                              /* those before it concern none of the columns from c on */
    for (int c = 0; first < panel->n_later; c++) {
        double *x = column(panel, c), t;
        while (first < panel->n_later && panel->later[first].n_column <= c)
            first++;
        for (int k = first; k < panel->n_later; k++) {
            const int p = panel->later[k].p, q = panel->later[k].q;
            t = x[p], x[p] = x[q], x[q] = t;
        }
    }
    panel->n_later = 0;
}

/* Exchanges fully summed rows and columns p < q, of columns before p (of L) included: the first n_done of these, which are
 * eliminated, are not looked at before the front is done, and catch up later. */
static void exchange(struct kkt_panel *panel, int n_done, int p, int q)
{
    if (p == q)
        return;
    double *P = column(panel, p), *Q = column(panel, q), t;
    if (panel->n_later == LATER)
        catch_up(panel);
    panel->later[panel->n_later++] = (struct kkt_exchange){ n_done, p, q };
    for (int c = n_done; c < p; c++) {
        double *x = column(panel, c);
        t = x[p], x[p] = x[q], x[q] = t;
    }
    t = P[p], P[p] = Q[q], Q[q] = t;
    for (int r = p + 1; r < q; r++) {
        double *R = column(panel, r);
        t = P[r], P[r] = R[q], R[q] = t;
    }
    for (int r = q + 1; r < panel->n_row; r++)
        t = P[r], P[r] = Q[r], Q[r] = t;
    const int place = panel->place[p];
    panel->place[p] = panel->place[q];
    panel->place[q] = place;
}

/* What the entries beside the pivots at (k, k) and (r, r) say; kkt.md 3. */
struct candidate {
    int r;                          /* row of the largest entry below k among the columns at hand, or -1 */
    double at_r, rest_k, rest_r;    /* |F(r, k)|; largest other entry of column k; of column r, (r, k) left out */
};

/* Fills what concerns column k: the panel's columns are [k, end), and `below` is the largest entry of later rows. */
static struct candidate look_down(const struct kkt_panel *panel, int k, int end, double below)
{
    const double *K = column(panel, k);
    struct candidate out = { .r = -1 };
    double second = 0.0;
    for (int i = k + 1; i < end; i++) {
        const double v = fabs(K[i]);
        if (v > out.at_r) {
            second = out.at_r;
            out.at_r = v;
            out.r = i;
        } else if (v > second) {
            second = v;
        }
    }
    out.rest_k = below > second ? below : second;
    return out;
}

static double largest_beside(const struct kkt_panel *panel, int k, int r)
{
    double out = largest(column(panel, r), r + 1, panel->n_row);
    for (int c = k + 1; c < r; c++) {
        const double v = fabs(column(panel, c)[r]);
        out = v > out ? v : out;
    }
    return out;
}

static bool is_good_pair(const struct candidate *cand, double akk, double arr, double threshold)
{
    const double square = cand->at_r * cand->at_r, product = akk * arr;
    const double det = fabs(product - square), terms = fmax(fabs(product), square);
    return det > CANCELLED * terms && det > TINY * TINY &&
           threshold * (fabs(arr) * cand->rest_k + cand->at_r * cand->rest_r) <= det &&
           threshold * (fabs(akk) * cand->rest_r + cand->at_r * cand->rest_k) <= det;
}

/* Can neither the pair of k and r nor r alone pass, however small the rest of column r is? Then it need not be known. */
static bool is_hopeless(struct candidate cand, double akk, double arr, double threshold)
{
    cand.rest_r = 0.0;
    return !is_good_pair(&cand, akk, arr, threshold) && !(fabs(arr) > TINY && fabs(arr) >= threshold * cand.at_r);
}

/* Is there a pivot with column k? 1 or 2 if so, and it has been brought to k (and k + 1). 0 if not. */
static int find_pivot(struct kkt_panel *panel, int k, int end)
{
    const double *K = column(panel, k), u = panel->threshold, akk = K[k];
    const double beside = largest(K, k + 1, end), below = largest(K, end, panel->n_row);
    if (fabs(akk) > TINY && fabs(akk) >= u * (below > beside ? below : beside))
        return 1;
    if (!(beside > TINY))
        return 0;
    struct candidate cand = look_down(panel, k, end, below);
    const double arr = column(panel, cand.r)[cand.r];
    if (is_hopeless(cand, akk, arr, u))
        return 0;
    cand.rest_r = largest_beside(panel, k, cand.r);
    if (is_good_pair(&cand, akk, arr, u)) {
        exchange(panel, k, k + 1, cand.r);
        return 2;
    }
    if (fabs(arr) > TINY && fabs(arr) >= u * fmax(cand.rest_r, cand.at_r)) {
        exchange(panel, k, k, cand.r);
        return 1;
    }
    return 0;
}

static void count_one(struct kkt_panel *panel, double d)
{
    panel->n_negative += d < 0.0;
    panel->n_uncertain += fabs(d) < UNCERTAIN;
}

/* Divides column k by its pivot; the columns up to end learn of it. */
static void eliminate_one(struct kkt_panel *panel, int k, int end)
{
    double *K = column(panel, k);
    const double inverse = 1.0 / K[k];
    count_one(panel, K[k]);
    panel->pivots.d[k] = inverse;
    panel->pivots.e[k] = 0.0;
    panel->pivots.kind[k] = 1;
    for (int j = k + 1; j < end; j++)
        if (K[j] != 0.0)
            subtract(column(panel, j), K, K[j] * inverse, j, panel->n_row);
    const vec scale = splat(inverse);
    int i = k + 1;
    for (; i + WIDTH <= panel->n_row; i += WIDTH)
        store(K + i, load(K + i) * scale);
    for (; i < panel->n_row; i++)
        K[i] *= inverse;
}

/* The same for the block of k and k + 1. */
static void eliminate_two(struct kkt_panel *panel, int k, int end)
{
    double *K = column(panel, k), *R = column(panel, k + 1);
    const double a = K[k], b = K[k + 1], c = R[k + 1], det = a * c - b * b, trace = a + c;
    const double d = c / det, e = -b / det, f = a / det;
    panel->n_negative += det < 0.0 ? 1 : trace < 0.0 ? 2 : 0;
    panel->n_uncertain += fabs(det) < UNCERTAIN * fabs(trace);  /* the smaller eigenvalue is about det / trace */
    panel->n_two_by_two++;
    panel->pivots.d[k] = d;
    panel->pivots.d[k + 1] = f;
    panel->pivots.e[k] = e;
    panel->pivots.e[k + 1] = 0.0;
    panel->pivots.kind[k] = 2;
    panel->pivots.kind[k + 1] = 0;
    for (int j = k + 2; j < end; j++)
        if (K[j] != 0.0 || R[j] != 0.0)
            subtract_two(column(panel, j), K, K[j] * d + R[j] * e, R, K[j] * e + R[j] * f, j, panel->n_row);
    for (int i = k + 2; i < panel->n_row; i++) {
        const double x = K[i], y = R[i];
        K[i] = x * d + y * e;
        R[i] = x * e + y * f;
    }
    K[k + 1] = 0.0;
}

/* Pivots from columns [k, end) until none is left that passes. A column that fails goes to the end and is tried
 * again when the others are through, as their elimination may have helped it. */
static int eliminate_panel(struct kkt_panel *panel, int k, int end)
{
    int untried = end;
    bool found = false;
    while (k < untried) {
        const int kind = find_pivot(panel, k, end);
        if (kind == 1)
            eliminate_one(panel, k, end);
        else if (kind == 2)
            eliminate_two(panel, k, end);
        else
            exchange(panel, k, k, --untried);
        k += kind;
        found = found || kind > 0;
        if (k >= untried && found) {
            untried = end;
            found = false;
        }
    }
    return k;
}

/* --- Updates by many pivots at once ------------------------------------------------------------------------- */

/* W(p, j) = (D L')(p, j) for pivots [from, to) and rows first + j, j in [0, n): a column of W after the other. */
static void times_pivots(const struct kkt_panel *panel, int from, int to, int first, int n, double *W)
{
    const struct kkt_pivots *pivots = &panel->pivots;
    const size_t k = (size_t)(to - from);
    for (int p = from; p < to; p++) {
        const double *x = column(panel, p) + first, *y = x + panel->n_row;
        double *w = W + (p - from);
        if (pivots->kind[p] == 1) {
            const double d = pivots->d[p] != 0.0 ? 1.0 / pivots->d[p] : 0.0;
            for (int j = 0; j < n; j++)
                w[(size_t)j * k] = x[j] * d;
            continue;
        }
        const double i11 = pivots->d[p], i22 = pivots->d[p + 1], i21 = pivots->e[p], det = i11 * i22 - i21 * i21;
        const double d11 = i22 / det, d22 = i11 / det, d21 = -i21 / det;
        for (int j = 0; j < n; j++) {
            w[(size_t)j * k] = x[j] * d11 + y[j] * d21;
            w[(size_t)j * k + 1] = x[j] * d21 + y[j] * d22;
        }
        p++;
    }
}

/* A tile of the product below: rows i.., `rows` vectors of them, and columns j.. */
#define TILE_COLUMNS 4
static inline __attribute__((always_inline)) void tile(int rows, int columns, int k, const double *A, size_t lda,
                                                       const double *W, double *C, size_t ldc)
{
    vec sum[TILE_COLUMNS][2];
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++)
            sum[c][r] = load(C + (size_t)c * ldc + r * WIDTH);
    for (int p = 0; p < k; p++, A += lda) {
        vec a[2];
        for (int r = 0; r < rows; r++)
            a[r] = load(A + r * WIDTH);
        for (int c = 0; c < columns; c++) {
            const vec w = splat(W[(size_t)c * (size_t)k + (size_t)p]);
            for (int r = 0; r < rows; r++)
                sum[c][r] -= a[r] * w;
        }
    }
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++)
            store(C + (size_t)c * ldc + r * WIDTH, sum[c][r]);
}

/* C(i, j) -= sum over p of A(i, p) W(p, j) for i in [j, m), j in [0, n). Rows are done in whole vectors: some
 * above j and some behind m are spoilt. */
static void subtract_product(int m, int n, int k, const double *A, size_t lda, const double *W, double *C,
                             size_t ldc)
{
    int j = 0;
    for (; j + TILE_COLUMNS <= n; j += TILE_COLUMNS) {
        const double *w = W + (size_t)j * (size_t)k;
        double *c = C + (size_t)j * ldc;
        int i = j - j % WIDTH;
        for (; i + WIDTH < m; i += 2 * WIDTH)
            tile(2, TILE_COLUMNS, k, A + i, lda, w, c + i, ldc);
        for (; i < m; i += WIDTH)
            tile(1, TILE_COLUMNS, k, A + i, lda, w, c + i, ldc);
    }
    for (; j < n; j++)
        for (int i = j - j % WIDTH; i < m; i += WIDTH)
            tile(1, 1, k, A + i, lda, W + (size_t)j * (size_t)k, C + (size_t)j * ldc + i, ldc);
}

/* Fully summed columns [end, n_full) learn of the pivots [from, to). */
static void update_later(struct kkt_panel *panel, int from, int to, int end)
{
    const int n = panel->n_full - end, m = panel->n_row - end;
    if (n <= 0 || to == from)
        return;
    times_pivots(panel, from, to, end, n, panel->W);
    subtract_product(m, n, to - from, column(panel, from) + end, (size_t)panel->n_row, panel->W,
                     column(panel, end) + end, (size_t)panel->n_row);
}

static int eliminate(struct kkt_panel *panel)
{
    struct kkt_exchange later[LATER];
    int k = 0, end = 0;
    panel->later = later;
    panel->n_later = 0;
    while (end < panel->n_full) {
        const int from = k, next = (k > end - PANEL ? k : end) + PANEL;
        end = next < panel->n_full ? next : panel->n_full;
        k = eliminate_panel(panel, k, end);
        update_later(panel, from, k, end);
    }
    catch_up(panel);
    panel->later = NULL;
    if (!panel->is_root)
        return k;
    for (; k < panel->n_full; k++) {    /* all that is left is zero */
        panel->pivots.d[k] = panel->pivots.e[k] = 0.0;
        panel->pivots.kind[k] = 1;
        panel->n_zero++;
        memset(column(panel, k) + k, 0, (size_t)(panel->n_row - k) * sizeof *panel->F);
    }
    return k;
}

static void update(const struct kkt_panel *panel, int n_pivot, double *C, int ld)
{
    const int n = panel->n_row - panel->n_full;
    if (n == 0 || n_pivot == 0)
        return;
    times_pivots(panel, 0, n_pivot, panel->n_full, n, panel->W);
    subtract_product(n, n, n_pivot, panel->F + panel->n_full, (size_t)panel->n_row, panel->W, C, (size_t)ld);
}

/* --- Solves ------------------------------------------------------------------------------------------------- */

static void forward(int n_row, int n_pivot, const double *L, double *x)
{
    int p = 0;
    for (; p + 1 < n_pivot; p += 2) {
        const double *K = L + (size_t)p * (size_t)n_row, *R = K + n_row;
        x[p + 1] -= K[p + 1] * x[p];
        subtract_two(x, K, x[p], R, x[p + 1], p + 2, n_row);
    }
    if (p < n_pivot)
        subtract(x, L + (size_t)p * (size_t)n_row, x[p], p + 1, n_row);
}

/* Sums are kept in four parts whatever the width, so that they round alike. */
typedef double quad __attribute__((vector_size(32), aligned(8)));

static double sum_of(const quad *part, double rest)
{
    return ((*part)[0] + (*part)[2]) + ((*part)[1] + (*part)[3]) + rest;
}

/* sum[0] = sum of a[i] x[i], sum[1] = sum of b[i] x[i], i in [from, to). */
static void products(const double *a, const double *b, const double *x, int from, int to, double *sum)
{
    quad part_a = { 0 }, part_b = { 0 };
    double rest_a = 0.0, rest_b = 0.0;
    int i = from;
    for (; i + 4 <= to; i += 4) {
        const quad v = *(const quad *)(x + i);
        part_a += *(const quad *)(a + i) * v;
        part_b += *(const quad *)(b + i) * v;
    }
    for (; i < to; i++) {
        rest_a += a[i] * x[i];
        rest_b += b[i] * x[i];
    }
    sum[0] = sum_of(&part_a, rest_a);
    sum[1] = sum_of(&part_b, rest_b);
}

static void backward(int n_row, int n_pivot, const double *L, double *x)
{
    double sum[2];
    int p = n_pivot;
    if (p % 2 == 1) {
        const double *K = L + (size_t)--p * (size_t)n_row;
        products(K, K, x, p + 1, n_row, sum);
        x[p] -= sum[0];
    }
    for (p -= 2; p >= 0; p -= 2) {
        const double *K = L + (size_t)p * (size_t)n_row, *R = K + n_row;
        products(K, R, x, p + 2, n_row, sum);
        x[p + 1] -= sum[1];
        x[p] -= sum[0] + K[p + 1] * x[p + 1];
    }
}
