#include "core/kkt/factor.h"

#include "core/base/mem.h"
#include "core/base/stop.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 2.0                    /* of what is needed without delays */
#define SCALED_MIN 0.25             /* rows with a largest entry outside are scaled anew */
#define SCALED_MAX 2.0
#define SCALING_LOST 1e100          /* beyond, and below its inverse, a scaling is made from nothing */
enum { SWEEPS = 4, EXPONENT_OF_1 = 1023, EXPONENT_SHIFT = 52 };

/* --- Room ---------------------------------------------------------------------------------------------------- */

static void grow(struct buffer *buffer, size_t n)
{
    if (n + FRONT_SLACK <= buffer->capacity)
        return;
    buffer->capacity = n + n / 2 + FRONT_SLACK;
    buffer->at = mem_resize(buffer->at, buffer->capacity, sizeof *buffer->at);
}

static void grow_places(struct kkt *kkt, size_t n)
{
    if (n <= kkt->n_place_room)
        return;
    kkt->n_place_room = n + n / 2;
    kkt->front_place = mem_resize(kkt->front_place, kkt->n_place_room, sizeof *kkt->front_place);
}

static int padded(int n)
{
    return (n + FRONT_SLACK - 1) / FRONT_SLACK * FRONT_SLACK;
}

static size_t area(int a, int b)
{
    return (size_t)a * (size_t)b;
}

/* The children's part of the stack is free once they are in their parent's front. */
static void drop_children(const struct kkt *kkt, int f, size_t *top)
{
    const struct kkt_tree *tree = &kkt->tree;
    if (tree->child_start[f] < tree->child_start[f + 1])
        top[!tree->odd[f]] = kkt->front[tree->child[tree->child_start[f]]].update;
}

/* What a first factorization needs, with room for some delays. */
static void reserve(struct kkt *kkt)
{
    const struct kkt_tree *tree = &kkt->tree;
    size_t n_L = 0, n_place = 0, W = 0, top[2] = { 0, 0 }, stack[2] = { 0, 0 };
    for (int f = 0; f < tree->n_front; f++) {
        const int n_full = tree->first[f + 1] - tree->first[f], odd = tree->odd[f];
        const int n_behind = tree->row_start[f + 1] - tree->row_start[f], n_row = n_full + n_behind;
        const size_t F = area(n_full, n_row), C = area(n_behind, padded(n_behind));
        n_L += F;
        n_place += (size_t)n_row;
        W = F > W ? F : W;
        stack[odd] = top[odd] + C + F > stack[odd] ? top[odd] + C + F : stack[odd];
        kkt->front[f].update = top[odd];
        drop_children(kkt, f, top);
        top[odd] += tree->parent[f] < 0 ? 0 : C;
    }
    grow(&kkt->L, (size_t)(ROOM * (double)n_L));
    grow(&kkt->W, (size_t)(ROOM * ROOM * (double)W));
    grow(&kkt->stack[0], stack[0]);
    grow(&kkt->stack[1], stack[1]);
    grow_places(kkt, (size_t)(ROOM * (double)n_place));
}

/* --- Values and scaling -------------------------------------------------------------------------------------- */

static bool sum_triplets(struct kkt *kkt, int n_entry, const double *val)
{
    memset(kkt->val, 0, (size_t)kkt->low.nnz * sizeof *kkt->val);
    for (int k = 0; k < n_entry; k++)
        kkt->val[kkt->slot[k]] += val[k];
    double sum = 0.0;
    for (int k = 0; k < kkt->low.nnz; k++)
        sum += fabs(kkt->val[k]);
    return isfinite(sum);
}

/* most[i] = largest entry of row i in S A S. */
static void largest_entries(const struct kkt *kkt, double *most)
{
    const struct sparse *low = &kkt->low;
    memset(most, 0, (size_t)low->n_cols * sizeof *most);
    for (int j = 0; j < low->n_cols; j++) {
        const double s = kkt->scale[j];
        double top = most[j];
        for (int k = low->colptr[j]; k < low->colptr[j + 1]; k++) {
            const int i = low->rowind[k];
            const double v = fabs(kkt->val[k]) * s * kkt->scale[i];
            top = v > top ? v : top;
            most[i] = v > most[i] ? v : most[i];
        }
        most[j] = top > most[j] ? top : most[j];
    }
}

static bool is_lost(int n, const double *most)
{
    for (int i = 0; i < n; i++)
        if (!(most[i] <= SCALING_LOST && most[i] >= 1.0 / SCALING_LOST))
            return true;
    return false;
}

/* Starts at the scaling of the last matrix, which mostly still holds, unless that is off beyond measure: products
 * with it could be Inf, or 0 where the matrix is not. Largest entries of the rows into kkt->work. */
static void start_scaling(struct kkt *kkt)
{
    const int n = kkt->low.n_cols;
    if (kkt->is_scaled) {
        largest_entries(kkt, kkt->work);
        if (!is_lost(n, kkt->work))
            return;
    }
    for (int i = 0; i < n; i++)
        kkt->scale[i] = 1.0;
    kkt->is_scaled = true;
    largest_entries(kkt, kkt->work);
}

/* 2^-k of a normal number in [2^k, 2^(k + 1)): its bits are the exponent, from -1023 on, and the digits. */
static double inverse_power(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (2 * EXPONENT_OF_1 - (bits >> EXPONENT_SHIFT)) << EXPONENT_SHIFT;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* kkt.md 2: s_i /= sqrt(largest entry of row i), to powers of two. False where all rows are near 1 already. */
static bool sweep(struct kkt *kkt)
{
    bool moved = false;
    for (int i = 0; i < kkt->low.n_cols; i++) {
        const double most = kkt->work[i];
        if (most == 0.0 || (most >= SCALED_MIN && most <= SCALED_MAX))
            continue;
        kkt->scale[i] *= inverse_power(sqrt(most));
        moved = true;
    }
    return moved;
}

static void rescale(struct kkt *kkt)
{
    start_scaling(kkt);
    for (int k = 1; sweep(kkt) && k < SWEEPS; k++)
        largest_entries(kkt, kkt->work);
}

/* --- Assembly ------------------------------------------------------------------------------------------------ */

/* One front while it is worked on. */
struct assembly {
    struct kkt *kkt;
    int f;
    int n_pivot, n_passed, n_behind;    /* own pivots; passed on by children; rows behind the fully summed */
    double *F;                      /* columns of n_row */
    double *C;                      /* update matrix, columns of ld */
    int ld;
};

static int n_passed_by(const struct front *front)
{
    return front->n_full - front->n_pivot;
}

static int n_behind_in(const struct front *front)
{
    return front->n_row - front->n_full;
}

static void add_entries(const struct assembly *as)
{
    const struct kkt *kkt = as->kkt;
    const struct front *front = &kkt->front[as->f];
    const int first = kkt->tree.first[as->f];
    for (int c = 0; c < as->n_pivot; c++) {
        double *column = as->F + area(c, front->n_row);
        const double s = kkt->scale[first + c];
        for (int k = kkt->low.colptr[first + c]; k < kkt->low.colptr[first + c + 1]; k++) {
            const int row = kkt->local_row[k];
            column[row < as->n_pivot ? row : row + as->n_passed] =
                kkt->val[k] * s * kkt->scale[kkt->low.rowind[k]];
        }
    }
}

/* Local rows in the parent of the rows behind the child's fully summed ones. */
static const int *rows_in_parent(const struct assembly *as, int c)
{
    const struct kkt_tree *tree = &as->kkt->tree;
    const int *map = tree->map + tree->row_start[c];
    if (as->n_passed == 0)
        return map;
    for (int i = 0; i < n_behind_in(&as->kkt->front[c]); i++)
        as->kkt->local[i] = map[i] < as->n_pivot ? map[i] : map[i] + as->n_passed;
    return as->kkt->local;
}

/* Adds a child's update matrix: its first columns are pivots of the parent, the others lie behind those. */
static void add_update(const struct assembly *as, int c, const int *to)
{
    const struct kkt *kkt = as->kkt;
    const struct front *child = &kkt->front[c], *front = &kkt->front[as->f];
    const int n = n_behind_in(child), n_to_pivot = kkt->tree.n_to_pivot[c], ld = padded(n);
    const double *from = kkt->stack[kkt->tree.odd[c]].at + child->update;
    for (int j = 0; j < n_to_pivot; j++, from += ld) {
        double *column = as->F + area(to[j], front->n_row);
        for (int i = j; i < n; i++)
            column[to[i]] += from[i];
    }
    for (int j = n_to_pivot; j < n; j++, from += ld) {
        double *column = as->C + area(to[j] - front->n_full, as->ld);
        for (int i = j; i < n; i++)
            column[to[i] - front->n_full] += from[i];
    }
}

/* Adds the columns a child passes on, as fully summed columns at.. of the parent. */
static void add_passed(const struct assembly *as, int c, const int *to, int at)
{
    const struct kkt *kkt = as->kkt;
    const struct front *child = &kkt->front[c], *front = &kkt->front[as->f];
    const int n_passed = n_passed_by(child), n_behind = n_behind_in(child), n = n_passed + n_behind;
    const double *from = kkt->stack[kkt->tree.odd[c]].at + child->passed;
    const int *place = kkt->front_place + child->place + child->n_pivot;
    for (int j = 0; j < n_passed; j++, from += n) {
        double *column = as->F + area(at + j, front->n_row);
        kkt->front_place[front->place + (size_t)(at + j)] = place[j];
        for (int i = j; i < n_passed; i++)
            column[at + i] += from[i];
        for (int i = 0; i < n_behind; i++) {
            if (to[i] > at + j)
                column[to[i]] += from[n_passed + i];
            else
                as->F[area(to[i], front->n_row) + (size_t)(at + j)] += from[n_passed + i];
        }
    }
}

/* Sizes of front f, and room for it: F behind the factors so far, C on the stack of its parity. */
static struct assembly open_front(struct kkt *kkt, int f, size_t L, size_t place, size_t top)
{
    const struct kkt_tree *tree = &kkt->tree;
    struct assembly as = { .kkt = kkt, .f = f, .n_pivot = tree->first[f + 1] - tree->first[f] };
    as.n_behind = tree->row_start[f + 1] - tree->row_start[f];
    for (int e = tree->child_start[f]; e < tree->child_start[f + 1]; e++)
        as.n_passed += n_passed_by(&kkt->front[tree->child[e]]);
    as.ld = padded(as.n_behind);
    const int n_full = as.n_pivot + as.n_passed, n_row = n_full + as.n_behind;
    kkt->front[f] = (struct front){ .n_full = n_full, .n_row = n_row, .L = L, .place = place, .update = top };
    grow(&kkt->L, L + area(n_full, n_row));
    grow(&kkt->W, area(n_full, n_row));
    grow(&kkt->stack[tree->odd[f]], top + area(as.n_behind, as.ld) + area(n_full, n_row));
    grow_places(kkt, place + (size_t)n_row);
    as.F = kkt->L.at + L;
    as.C = kkt->stack[tree->odd[f]].at + top;
    memset(as.F, 0, area(n_full, n_row) * sizeof *as.F);
    memset(as.C, 0, area(as.n_behind, as.ld) * sizeof *as.C);
    return as;
}

static void assemble(const struct assembly *as)
{
    struct kkt *kkt = as->kkt;
    const struct kkt_tree *tree = &kkt->tree;
    int *place = kkt->front_place + kkt->front[as->f].place;
    for (int i = 0; i < as->n_pivot; i++)
        place[i] = tree->first[as->f] + i;
    memcpy(place + as->n_pivot + as->n_passed, tree->row + tree->row_start[as->f],
           (size_t)as->n_behind * sizeof *place);
    add_entries(as);
    int at = as->n_pivot;
    for (int e = tree->child_start[as->f]; e < tree->child_start[as->f + 1]; e++) {
        const int c = tree->child[e];
        const int *to = rows_in_parent(as, c);
        add_update(as, c, to);
        add_passed(as, c, to, at);
        at += n_passed_by(&kkt->front[c]);
    }
}

/* --- Elimination --------------------------------------------------------------------------------------------- */

/* Finds the pivots of an assembled front and counts them; leaves update matrix and columns to pass on. */
static void eliminate_front(const struct assembly *as, double threshold)
{
    struct kkt *kkt = as->kkt;
    struct front *front = &kkt->front[as->f];
    const int at = front->first_pivot;
    struct kkt_panel panel = { .n_full = front->n_full,
                               .n_row = front->n_row,
                               .F = as->F,
                               .W = kkt->W.at,
                               .place = kkt->front_place + front->place,
                               .threshold = threshold,
                               .is_root = kkt->tree.parent[as->f] < 0,
                               .pivots = { kkt->pivots.d + at, kkt->pivots.e + at, kkt->pivots.kind + at } };
    front->n_pivot = kkt->kernel->eliminate(&panel);
    kkt->kernel->update(&panel, front->n_pivot, as->C, as->ld);
    kkt->inertia.negative += panel.n_negative;
    kkt->inertia.zero += panel.n_zero;
    kkt->inertia.uncertain += panel.n_uncertain;
    kkt->inertia.positive += front->n_pivot - panel.n_negative - panel.n_zero;
    kkt->size.n_two_by_two += panel.n_two_by_two;
}

/* Copies the columns without a pivot, from their diagonal's row on, behind the update matrix; returns the new top.
 */
static size_t pass_on(const struct assembly *as)
{
    struct kkt *kkt = as->kkt;
    struct front *front = &kkt->front[as->f];
    const int n_passed = n_passed_by(front), n = front->n_row - front->n_pivot;
    front->passed = front->update + area(as->n_behind, as->ld);
    double *to = kkt->stack[kkt->tree.odd[as->f]].at + front->passed;
    for (int j = 0; j < n_passed; j++, to += n)
        memcpy(to, as->F + area(front->n_pivot + j, front->n_row) + front->n_pivot, (size_t)n * sizeof *to);
    kkt->size.n_delayed += n_passed;
    return front->passed + area(n_passed, n);
}

static void count_size(struct kkt *kkt, const struct front *front)
{
    struct kkt_size *size = &kkt->size;
    const double k = front->n_pivot, n = front->n_row;
    size->n_factor += k * n - k * (k - 1) / 2;
    size->flops += k * n * n - k * k * n + k * k * k / 3;
    size->largest_front = front->n_row > size->largest_front ? front->n_row : size->largest_front;
}

/* All fronts, children first. Stops where too many eigenvalues are negative. */
static enum kkt_outcome eliminate_all(struct kkt *kkt, double threshold, int max_negative)
{
    const struct kkt_tree *tree = &kkt->tree;
    size_t L = 0, place = 0, top[2] = { 0, 0 };
    int first_pivot = 0;
    for (int f = 0; f < tree->n_front; f++) {
        const int odd = tree->odd[f];
        const struct assembly as = open_front(kkt, f, L, place, top[odd]);
        struct front *front = &kkt->front[f];
        front->first_pivot = first_pivot;
        assemble(&as);
        drop_children(kkt, f, top);
        eliminate_front(&as, threshold);
        top[odd] = tree->parent[f] < 0 ? top[odd] : pass_on(&as);
        count_size(kkt, front);
        L += area(front->n_pivot, front->n_row);
        place += (size_t)front->n_row;
        first_pivot += front->n_pivot;
        if (kkt->inertia.negative > max_negative)
            return KKT_TOO_MANY_NEGATIVE;
        if (stop_asked())
            return KKT_STOPPED;
    }
    return kkt->inertia.zero > 0 ? KKT_SINGULAR : KKT_FACTORIZED;
}

static bool pivots_are_finite(const struct kkt *kkt)
{
    double sum = 0.0;
    for (int i = 0; i < kkt->tree.n; i++)
        sum += fabs(kkt->pivots.d[i]) + fabs(kkt->pivots.e[i]);
    return isfinite(sum);
}

enum kkt_outcome kkt_factorize(struct kkt *kkt, const double *val, double threshold, int max_negative)
{
    kkt->has_factors = false;
    kkt->inertia = (struct kkt_inertia){ 0 };
    kkt->size = (struct kkt_size){ .n = kkt->tree.n, .n_front = kkt->tree.n_front };
    if (!sum_triplets(kkt, kkt->n_entry, val))
        return KKT_NOT_FINITE;
    if (!kkt->L.at)
        reserve(kkt);
    rescale(kkt);
    const enum kkt_outcome outcome = eliminate_all(kkt, fmin(threshold, 0.5), max_negative);
    if (outcome == KKT_TOO_MANY_NEGATIVE || outcome == KKT_STOPPED)
        return outcome;
    kkt->has_factors = pivots_are_finite(kkt);
    return kkt->has_factors ? outcome : KKT_NOT_FINITE;
}
