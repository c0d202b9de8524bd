#include "core/kkt/tree.h"

#include "core/base/mem.h"

#include <suitesparse/amd.h>

#include <stdlib.h>
#include <string.h>

#define SMALL_FRONT 8               /* fronts with fewer pivots are merged while at most half of them is zeros */
#define ZEROS_SMALL 0.5
#define ZEROS 0.2                   /* any front is merged while this part of it at most is zeros */

/* A column of L, numbered by the fill-reducing order; later a front that has taken in some of its children. */
struct node {
    int n_pivot, n_row;
    int *row;                       /* [n_row] later columns; owned */
    int parent, child, sibling;     /* -1: none */
    int last_member, next_member;   /* columns of a front form a list that starts at its own */
    int first_member;
    bool merged;                    /* into its parent */
    double zeros;                   /* entries that are stored but zero */
};

struct analysis {
    const struct sparse *pattern;
    int n;
    int *order, *rank;              /* [n] rank-th column is row order[rank] of the matrix */
    int *start, *adjacent;          /* both triangles, without the diagonal */
    struct node *node;              /* [n] */
    int *mark, *list;               /* [n] scratch */
};

static void *array_of(int n, size_t size)
{
    return mem_alloc((size_t)n + 1, size);
}

static void make_adjacency(struct analysis *an)
{
    const struct sparse *low = an->pattern;
    an->start = array_of(an->n + 1, sizeof *an->start);
    an->adjacent = array_of(2 * low->nnz, sizeof *an->adjacent);
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < an->n; j++)
            for (int k = low->colptr[j]; k < low->colptr[j + 1]; k++) {
                const int i = low->rowind[k];
                if (i == j)
                    continue;
                if (pass == 1) {
                    an->adjacent[an->start[i]] = j;
                    an->adjacent[an->start[j]] = i;
                }
                an->start[i]++;
                an->start[j]++;
            }
        /* after the first pass counts become starts, after the second ends do */
        for (int i = 0, before = 0; i <= an->n; i++) {
            const int here = an->start[i];
            an->start[i] = before;
            before = pass == 0 ? before + here : here;
        }
    }
}

static void order_columns(struct analysis *an)
{
    an->order = array_of(an->n, sizeof *an->order);
    an->rank = array_of(an->n, sizeof *an->rank);
    if (amd_order(an->n, an->pattern->colptr, an->pattern->rowind, an->order, NULL, NULL) < AMD_OK)
        for (int i = 0; i < an->n; i++)
            an->order[i] = i;
    for (int k = 0; k < an->n; k++)
        an->rank[an->order[k]] = k;
}

/* Adds the columns in from[0..n) after j that are not in the list yet. */
static int gather(struct analysis *an, int j, int n, const int *from, const int *rank, int n_list)
{
    for (int k = 0; k < n; k++) {
        const int i = rank ? rank[from[k]] : from[k];
        if (i > j && an->mark[i] != j) {
            an->mark[i] = j;
            an->list[n_list++] = i;
        }
    }
    return n_list;
}

/* Rows of column j of L: those of A and of the children in the elimination tree; the first is the parent. */
static void find_rows(struct analysis *an, int j)
{
    struct node *node = &an->node[j];
    const int own = an->order[j];
    int n = gather(an, j, an->start[own + 1] - an->start[own], an->adjacent + an->start[own], an->rank, 0);
    for (int c = node->child; c >= 0; c = an->node[c].sibling)
        n = gather(an, j, an->node[c].n_row, an->node[c].row, NULL, n);
    node->row = array_of(n, sizeof *node->row);
    node->n_row = n;
    node->n_pivot = 1;
    memcpy(node->row, an->list, (size_t)n * sizeof *node->row);
    node->parent = n > 0 ? node->row[0] : -1;
    for (int k = 1; k < n; k++)
        if (node->row[k] < node->parent)
            node->parent = node->row[k];
}

/* Entries that merging child into parent would store in vain, and how many it would store in all. */
static double zeros_of_merge(const struct node *child, const struct node *parent)
{
    return child->zeros + parent->zeros +
           (double)child->n_pivot * (parent->n_pivot + parent->n_row - child->n_row);
}

static double size_of_merge(const struct node *child, const struct node *parent)
{
    const double n = child->n_pivot + parent->n_pivot;
    return n * (n + 1) / 2 + n * parent->n_row;
}

static bool is_cheap(const struct node *child, const struct node *parent)
{
    const double zeros = zeros_of_merge(child, parent), size = size_of_merge(child, parent);
    const bool small = child->n_pivot < SMALL_FRONT && parent->n_pivot < SMALL_FRONT;
    return zeros <= (small ? ZEROS_SMALL : ZEROS) * size;
}

/* The child's pivots come first in the parent's; its children become the parent's. */
static void merge(struct analysis *an, int c, int p)
{
    struct node *child = &an->node[c], *parent = &an->node[p];
    parent->zeros = zeros_of_merge(child, parent);
    parent->n_pivot += child->n_pivot;
    an->node[child->last_member].next_member = parent->first_member;
    parent->first_member = child->first_member;
    child->merged = true;
    for (int g = child->child, next; g >= 0; g = next) {
        next = an->node[g].sibling;
        an->node[g].parent = p;
        an->node[g].sibling = parent->child;
        parent->child = g;
    }
}

static void drop_merged(struct analysis *an, int p)
{
    int kept = -1;
    for (int c = an->node[p].child, next; c >= 0; c = next) {
        next = an->node[c].sibling;
        if (an->node[c].merged)
            continue;
        an->node[c].sibling = kept;
        kept = c;
    }
    an->node[p].child = kept;
}

/* Takes in the children that cost nothing, then those that cost little; grandchildren are not asked again. */
static void amalgamate(struct analysis *an, int p)
{
    struct node *parent = &an->node[p];
    int n = 0;
    for (int c = parent->child; c >= 0; c = an->node[c].sibling)
        an->list[n++] = c;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < n; k++) {
            const struct node *child = &an->node[an->list[k]];
            const bool is_free = child->n_row == parent->n_pivot + parent->n_row;
            if (!child->merged && (is_free || (pass == 1 && is_cheap(child, parent))))
                merge(an, an->list[k], p);
        }
    drop_merged(an, p);
}

static void find_fronts(struct analysis *an)
{
    an->node = array_of(an->n, sizeof *an->node);
    an->mark = array_of(an->n, sizeof *an->mark);
    an->list = array_of(an->n, sizeof *an->list);
    for (int j = 0; j < an->n; j++) {
        an->node[j] =
            (struct node){ .child = -1, .sibling = -1, .next_member = -1, .first_member = j, .last_member = j };
        an->mark[j] = -1;
    }
    for (int j = 0; j < an->n; j++) {
        find_rows(an, j);
        amalgamate(an, j);
        const int parent = an->node[j].parent;
        if (parent >= 0) {
            an->node[j].sibling = an->node[parent].child;
            an->node[parent].child = j;
        }
    }
}

/* --- From the analysis to the tree -------------------------------------------------------------------------- */

/* A node in the order of the walk: its front's number, and the places of its pivots. */
static void visit(const struct analysis *an, int j, struct kkt_tree *tree, int *front_of, int *place_of)
{
    int place = tree->first[tree->n_front];
    front_of[j] = tree->n_front;
    for (int member = an->node[j].first_member; member >= 0; member = an->node[member].next_member)
        place_of[member] = place++;
    tree->row_start[tree->n_front + 1] = tree->row_start[tree->n_front] + an->node[j].n_row;
    tree->first[++tree->n_front] = place;
}

/* Numbers fronts and places, children first. */
static void walk(struct analysis *an, struct kkt_tree *tree, int *front_of, int *place_of)
{
    int *stack = an->list, *next = an->mark;
    for (int root = 0; root < an->n; root++) {
        if (an->node[root].merged || an->node[root].parent >= 0)
            continue;
        int depth = 0;
        stack[0] = root;
        next[root] = an->node[root].child;
        while (depth >= 0) {
            const int at = stack[depth], child = next[at];
            if (child < 0) {
                visit(an, at, tree, front_of, place_of);
                depth--;
                continue;
            }
            next[at] = an->node[child].sibling;
            next[child] = an->node[child].child;
            stack[++depth] = child;
        }
    }
}

static int compare_ints(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void fill_rows(const struct analysis *an, struct kkt_tree *tree, const int *front_of, const int *place_of)
{
    for (int j = 0; j < an->n; j++) {
        const struct node *node = &an->node[j];
        if (node->merged)
            continue;
        const int f = front_of[j];
        int *row = tree->row + tree->row_start[f];
        for (int k = 0; k < node->n_row; k++)
            row[k] = place_of[node->row[k]];
        qsort(row, (size_t)node->n_row, sizeof *row, compare_ints);
        tree->parent[f] = node->parent >= 0 ? front_of[node->parent] : -1;
    }
}

static void fill_children(struct kkt_tree *tree)
{
    for (int f = 0; f < tree->n_front; f++)
        if (tree->parent[f] >= 0)
            tree->child_start[tree->parent[f] + 1]++;
    for (int f = 0; f < tree->n_front; f++)
        tree->child_start[f + 1] += tree->child_start[f];
    for (int f = tree->n_front - 1; f >= 0; f--) {
        const int parent = tree->parent[f];
        tree->odd[f] = parent >= 0 && !tree->odd[parent];
    }
}

/* Where the rows of each child stand in the front of its parent: a merge of two ascending lists. */
static void fill_maps(struct kkt_tree *tree, int *scratch)
{
    memcpy(scratch, tree->child_start, (size_t)tree->n_front * sizeof *scratch);
    for (int f = 0; f < tree->n_front; f++) {
        const int p = tree->parent[f];
        if (p < 0)
            continue;
        tree->child[scratch[p]++] = f;
        const int first = tree->first[p], n_pivot = tree->first[p + 1] - first;
        const int *row = tree->row + tree->row_start[p];
        int at = 0;
        for (int k = tree->row_start[f]; k < tree->row_start[f + 1]; k++) {
            const int place = tree->row[k];
            if (place < first + n_pivot) {
                tree->map[k] = place - first;
                tree->n_to_pivot[f]++;
                continue;
            }
            while (row[at] < place)
                at++;
            tree->map[k] = n_pivot + at;
        }
    }
}

static void lay_out(struct analysis *an, struct arena *mem, struct kkt_tree *tree)
{
    const size_t n = (size_t)an->n;
    int *front_of = array_of(an->n, sizeof *front_of), *place_of = array_of(an->n, sizeof *place_of);
    tree->place = arena_alloc(mem, n, sizeof *tree->place);
    tree->first = arena_alloc(mem, n + 1, sizeof *tree->first);
    tree->row_start = arena_alloc(mem, n + 1, sizeof *tree->row_start);
    walk(an, tree, front_of, place_of);
    for (int i = 0; i < an->n; i++)
        tree->place[i] = place_of[an->rank[i]];
    const size_t n_front = (size_t)tree->n_front, n_row = (size_t)tree->row_start[tree->n_front];
    tree->row = arena_alloc(mem, n_row, sizeof *tree->row);
    tree->map = arena_alloc(mem, n_row, sizeof *tree->map);
    tree->parent = arena_alloc(mem, n_front, sizeof *tree->parent);
    tree->child_start = arena_alloc(mem, n_front + 1, sizeof *tree->child_start);
    tree->child = arena_alloc(mem, n_front, sizeof *tree->child);
    tree->n_to_pivot = arena_alloc(mem, n_front, sizeof *tree->n_to_pivot);
    tree->odd = arena_alloc(mem, n_front, sizeof *tree->odd);
    fill_rows(an, tree, front_of, place_of);
    fill_children(tree);
    fill_maps(tree, front_of);
    free(front_of);
    free(place_of);
}

static void analysis_free(struct analysis *an)
{
    for (int j = 0; j < an->n; j++)
        free(an->node[j].row);
    free(an->node);
    free(an->order);
    free(an->rank);
    free(an->start);
    free(an->adjacent);
    free(an->mark);
    free(an->list);
}

struct kkt_tree kkt_tree_create(struct arena *mem, const struct sparse *pattern)
{
    struct analysis an = { .pattern = pattern, .n = pattern->n_cols };
    struct kkt_tree tree = { .n = an.n };
    make_adjacency(&an);
    order_columns(&an);
    find_fronts(&an);
    lay_out(&an, mem, &tree);
    analysis_free(&an);
    return tree;
}
