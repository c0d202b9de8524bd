#include "core/expression/expr.h"

#include "core/base/mem.h"
#include "core/expression/graph.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- Nodes ------------------------------------------------------------------------------------------------- */

enum { FIRST_SLOTS = 1024 };

struct expr_graph *expr_graph_create(void)
{
    struct expr_graph *g = mem_alloc(1, sizeof *g);
    g->n_slots = FIRST_SLOTS;
    g->slot = mem_alloc(FIRST_SLOTS, sizeof *g->slot);
    memset(g->slot, -1, FIRST_SLOTS * sizeof *g->slot);
    return g;
}

void expr_graph_free(struct expr_graph *g)
{
    if (!g)
        return;
    arena_free(&g->mem);
    free(g->node);
    free(g->pos);
    free(g->slot);
    free(g->sym_name);
    free(g->table);
    free(g->grid);
    free(g->place);
    free(g);
}

static void *copy(const void *from, int n, size_t size)
{
    void *to = mem_grow(NULL, 0, n, size);
    if (n > 0)
        memcpy(to, from, (size_t)n * size);
    return to;
}

struct expr_graph *expr_graph_fork(const struct expr_graph *g)
{
    struct expr_graph *fork = mem_alloc(1, sizeof *fork);
    *fork = *g;
    fork->mem = (struct arena){ NULL };
    fork->node = copy(g->node, g->n, sizeof *g->node);
    fork->pos = copy(g->pos, g->n, sizeof *g->pos);
    fork->slot = copy(g->slot, g->n_slots, sizeof *g->slot);
    fork->sym_name = copy(g->sym_name, g->n_sym, sizeof *g->sym_name);
    fork->table = copy(g->table, g->n_table, sizeof *g->table);
    fork->grid = copy(g->grid, g->n_grid, sizeof *g->grid);
    fork->place = NULL;
    fork->n_place = 0;
    return fork;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t node_hash(const struct node *node)
{
    uint64_t h = mix((uint64_t)node->op + 1, (uint32_t)node->arg[0]);
    h = mix(h, (uint64_t)(uint32_t)node->arg[1] << 32 | (uint32_t)node->arg[2]);
    h = mix(h, bits_of(node->value));
    return mix(h, (uint32_t)node->payload);
}

static bool nodes_equal(const struct node *p, const struct node *q)
{
    return p->op == q->op && p->arg[0] == q->arg[0] && p->arg[1] == q->arg[1] && p->arg[2] == q->arg[2] &&
           bits_of(p->value) == bits_of(q->value) && p->payload == q->payload;
}

/* The slot that holds a node equal to `node`, or the empty slot where it belongs. */
static size_t find_slot(const struct expr_graph *g, const struct node *node)
{
    const size_t mask = (size_t)g->n_slots - 1;
    size_t i = (size_t)node_hash(node) & mask;
    while (g->slot[i] >= 0 && !nodes_equal(&g->node[g->slot[i]], node))
        i = (i + 1) & mask;
    return i;
}

static void grow_slots(struct expr_graph *g)
{
    g->n_slots *= 4;
    g->slot = mem_resize(g->slot, (size_t)g->n_slots, sizeof *g->slot);
    memset(g->slot, -1, (size_t)g->n_slots * sizeof *g->slot);
    for (int k = 0; k < g->n; k++)
        g->slot[find_slot(g, &g->node[k])] = k;
}

expr graph_intern(struct expr_graph *g, enum expr_op op, expr a, expr b, expr c, double value, int payload)
{
    const struct node node = { op, { a, b, c }, value, payload };
    size_t slot = find_slot(g, &node);
    if (g->slot[slot] >= 0)
        return g->slot[slot];
    g->node = mem_grow(g->node, g->n, 1, sizeof *g->node);
    g->pos = mem_grow(g->pos, g->n, 1, sizeof *g->pos);
    if (g->n_slots < 2 * (g->n + 1)) {
        grow_slots(g);
        slot = find_slot(g, &node);
    }
    g->node[g->n] = node;
    g->pos[g->n] = (struct srcpos){ NULL, 0, 0 };
    g->slot[slot] = g->n;
    return g->n++;
}

expr expr_const(struct expr_graph *g, double value)
{
    return graph_intern(g, EXPR_CONST, EXPR_NONE, EXPR_NONE, EXPR_NONE, value == 0 ? 0.0 : value, 0);
}

expr expr_sym(struct expr_graph *g, const char *name)
{
    g->sym_name = mem_grow(g->sym_name, g->n_sym, 1, sizeof *g->sym_name);
    g->sym_name[g->n_sym] = arena_copy_text(&g->mem, name ? name : "");
    return graph_intern(g, EXPR_SYM, EXPR_NONE, EXPR_NONE, EXPR_NONE, 0, g->n_sym++);
}

/* --- Asking ------------------------------------------------------------------------------------------------ */

bool expr_is_const(const struct expr_graph *g, expr e, double *value)
{
    if (e < 0 || g->node[e].op != EXPR_CONST)
        return false;
    if (value)
        *value = g->node[e].value;
    return true;
}

bool expr_is_zero(const struct expr_graph *g, expr e)
{
    return e >= 0 && g->node[e].op == EXPR_CONST && g->node[e].value == 0;
}

enum expr_op expr_op_of(const struct expr_graph *g, expr e)
{
    return g->node[e].op;
}

int expr_n_args(const struct expr_graph *g, expr e)
{
    return op_info[g->node[e].op].n_args;
}

expr expr_arg(const struct expr_graph *g, expr e, int i)
{
    return g->node[e].arg[i];
}

int expr_n_nodes(const struct expr_graph *g)
{
    return g->n;
}

/* A heap of nodes that are still to be looked at, the largest on top; one may be in it more than once. */
struct heap { int n; expr *node; };

static void heap_push(struct heap *heap, expr e)
{
    heap->node = mem_grow(heap->node, heap->n, 1, sizeof *heap->node);
    int at = heap->n++;
    for (; at > 0 && heap->node[(at - 1) / 2] < e; at = (at - 1) / 2)
        heap->node[at] = heap->node[(at - 1) / 2];
    heap->node[at] = e;
}

static expr heap_pop(struct heap *heap)
{
    const expr top = heap->node[0], last = heap->node[--heap->n];
    int at = 0;
    for (int below; (below = 2 * at + 1) < heap->n; at = below) {
        below += below + 1 < heap->n && heap->node[below + 1] > heap->node[below];
        if (heap->node[below] <= last)
            break;
        heap->node[at] = heap->node[below];
    }
    heap->node[at] = last;
    return top;
}

static int largest_of(int n, const expr *e)
{
    int top = -1;
    for (int i = 0; i < n; i++)
        if (e[i] > top)
            top = e[i];
    return top;
}

/* The nodes by a heap, the last ones first: work that grows with how many there are and not with the graph. NULL
 * where they are more than max: then marking all nodes of the graph is cheaper. */
static expr *reach_few(const struct expr_graph *g, int n, const expr *e, int max, int *count)
{
    struct heap heap = { 0 };
    expr *reach = NULL;
    *count = 0;
    for (int i = 0; i < n; i++)
        if (e[i] >= 0)
            heap_push(&heap, e[i]);
    while (heap.n > 0 && *count <= max) {
        const expr k = heap_pop(&heap);
        if (*count && reach[*count - 1] == k)
            continue;
        reach = mem_grow(reach, *count, 1, sizeof *reach);
        reach[(*count)++] = k;
        for (int i = 0; i < 3 && g->node[k].arg[i] >= 0; i++)
            heap_push(&heap, g->node[k].arg[i]);
    }
    free(heap.node);
    for (int i = 0; 2 * i + 1 < *count; i++) {
        const expr swap = reach[i];
        reach[i] = reach[*count - 1 - i];
        reach[*count - 1 - i] = swap;
    }
    if (*count <= max)
        return reach ? reach : mem_alloc(0, sizeof *reach);
    free(reach);
    return NULL;
}

static expr *reach_many(const struct expr_graph *g, int n, const expr *e, int top, int *count)
{
    bool *mark = mem_alloc((size_t)top + 2, sizeof *mark);
    for (int i = 0; i < n; i++)
        if (e[i] >= 0)
            mark[e[i]] = true;
    int n_marked = 0;
    for (int k = top; k >= 0; k--) {
        if (!mark[k])
            continue;
        n_marked++;
        for (int i = 0; i < 3 && g->node[k].arg[i] >= 0; i++)
            mark[g->node[k].arg[i]] = true;
    }
    expr *reach = mem_alloc((size_t)n_marked, sizeof *reach);
    *count = 0;
    for (int k = 0; k <= top; k++)
        if (mark[k])
            reach[(*count)++] = k;
    free(mark);
    return reach;
}

expr *expr_reach(const struct expr_graph *g, int n, const expr *e, int *count)
{
    enum { SHARE = 64 };            /* a node costs as much in a heap as so many to be passed over */
    const int top = largest_of(n, e);
    expr *few = n <= top / SHARE ? reach_few(g, n, e, top / SHARE, count) : NULL;
    return few ? few : reach_many(g, n, e, top, count);
}

static int by_index(const void *a, const void *b)
{
    return *(const expr *)a - *(const expr *)b;
}

static bool is_among(int count, const expr *reach, expr e)
{
    return bsearch(&e, reach, (size_t)count, sizeof *reach, by_index) != NULL;
}

bool expr_depends(const struct expr_graph *g, expr e, int n, const expr *sym)
{
    int count;
    expr *reach = expr_reach(g, 1, &e, &count);
    bool found = false;
    for (int i = 0; i < n && !found; i++)
        found = is_among(count, reach, sym[i]);
    free(reach);
    return found;
}

void expr_depends_each(const struct expr_graph *g, expr e, int n, const expr *sym, bool *depends)
{
    int count;
    expr *reach = expr_reach(g, 1, &e, &count);
    for (int i = 0; i < n; i++)
        depends[i] = is_among(count, reach, sym[i]);
    free(reach);
}

bool expr_is_of(const struct expr_graph *g, expr e, int n, const expr *sym)
{
    int count;
    expr *reach = expr_reach(g, 1, &e, &count);
    bool is = true;
    for (int k = 0; k < count && is; k++) {
        is = g->node[reach[k]].op != EXPR_SYM;
        for (int i = 0; i < n && !is; i++)
            is = sym[i] == reach[k];
    }
    free(reach);
    return is;
}

expr expr_find_nonsmooth(const struct expr_graph *g, expr e)
{
    int count;
    expr *reach = expr_reach(g, 1, &e, &count);
    expr found = EXPR_NONE;
    for (int k = 0; k < count && found < 0; k++)
        if (op_info[g->node[reach[k]].op].is_nonsmooth)
            found = reach[k];
    free(reach);
    return found;
}

expr expr_relay(struct expr_graph *g, expr on, expr off, expr state)
{
    return graph_intern(g, EXPR_RELAY, on, off, state, 0, 0);
}

/* --- Rewriting --------------------------------------------------------------------------------------------- */

/* op of `like` applied to the expressions arg, simplified; a constant or table keeps its value or table. */
static expr build(struct expr_graph *g, expr like, const expr *arg)
{
    const enum expr_op op = g->node[like].op;
    if (op == EXPR_TABLE) {
        const struct table_data t = g->table[g->node[like].payload].data;
        return expr_table_of(g, &t, arg[0]);
    }
    if (op == EXPR_GRID) {
        const struct grid_data grid = g->grid[g->node[like].payload].data;
        return expr_grid(g, &grid, arg[0], arg[1]);
    }
    switch (op_info[op].n_args) {
    case 1:  return expr_unary(g, op, arg[0]);
    case 2:  return expr_binary(g, op, arg[0], arg[1]);
    case 3:  return (op == EXPR_RELAY ? expr_relay : op == EXPR_PICK ? expr_pick : expr_if)(g, arg[0], arg[1], arg[2]);
    default: return like;
    }
}

expr graph_rebuild(struct expr_graph *g, expr like, const expr *image)
{
    const struct node node = g->node[like];
    expr arg[3] = { EXPR_NONE, EXPR_NONE, EXPR_NONE };
    bool same = true;
    for (int i = 0; i < 3 && node.arg[i] >= 0; i++) {
        arg[i] = image[node.arg[i]];
        same = same && arg[i] == node.arg[i];
    }
    if (same)
        return like;
    const expr made = build(g, like, arg);
    expr_set_pos(g, made, g->pos[like]);    /* it is still what was written there */
    return made;
}

void expr_substitute(struct expr_graph *g, int n, const expr *e, int n_sym, const expr *sym, const expr *by,
                     expr *out)
{
    int count;
    expr *reach = expr_reach(g, n, e, &count);
    const int top = count ? reach[count - 1] : -1;
    expr *image = mem_alloc((size_t)top + 1, sizeof *image);
    for (int k = 0; k < count; k++)
        image[reach[k]] = EXPR_NONE;
    for (int s = 0; s < n_sym; s++)
        if (sym[s] <= top)
            image[sym[s]] = by[s];
    for (int k = 0; k < count; k++)
        if (image[reach[k]] < 0)
            image[reach[k]] = graph_rebuild(g, reach[k], image);
    for (int i = 0; i < n; i++)
        out[i] = e[i] >= 0 ? image[e[i]] : EXPR_NONE;
    free(image);
    free(reach);
}

/* --- Positions --------------------------------------------------------------------------------------------- */

void expr_set_pos(struct expr_graph *g, expr e, struct srcpos pos)
{
    if (e >= 0 && g->pos[e].line == 0)
        g->pos[e] = pos;
}

struct srcpos expr_pos(const struct expr_graph *g, expr e)
{
    return e >= 0 ? g->pos[e] : (struct srcpos){ NULL, 0, 0 };
}
