/* transcription/discover/value_orders.h - the order of values whose starts cost or last, by branch and bound on
 * the grid
 *
 *   node        values of some controls in some intervals, others relaxed: its program, with starts and stays
 *               relaxed as rows/starts.c says, costs no more than any order that it leaves; exactly so where it
 *               is convex, else about
 *   branch      at the control and interval farthest from any value: one node for each value that stays admit
 *   bound       nodes that cost as much as the best order are dropped; the cheapest one is next
 *   orders      first those of motions on the grid (proposals/grid_motions.h); then of every node the admissible
 *               one whose integrals are nearest (finish/admissible.h), solved on the grid
 *
 * Intervals have the lengths of the grid here; with free ones the best orders are solved afterwards (values.c).
 */
#ifndef COCP_TRANSCRIPTION_DISCOVER_VALUE_ORDERS_H
#define COCP_TRANSCRIPTION_DISCOVER_VALUE_ORDERS_H

#include "transcription/candidates/discovery.h"

enum { VALUE_ORDERS_KEPT = 6 };

struct value_orders {
    int n;                          /* the best one of each number of starts, the cheapest first */
    struct finish best[VALUE_ORDERS_KEPT];
    int n_node;
    double bound;                   /* no order on the grid costs less, where the programs of nodes are convex */
};

/* From a relaxed solution. value_orders_free afterwards. */
enum status value_orders_search(struct discovery *at, const struct finish *relaxed, struct value_orders *out);
void value_orders_free(struct value_orders *orders);

#endif
