/* core/model/define/read.h - names that stand for expressions: defines, relays, signals, gaps and reactions */
#ifndef COCP_CORE_MODEL_DEFINE_READ_H
#define COCP_CORE_MODEL_DEFINE_READ_H

#include "core/model/scope/reader.h"

/* define.c */
void model_collect_defines(struct reader *r);
void model_read_defines(struct reader *r);

/* through.c: {through: {time: value}, by: linear | spline}: a function of time. */
void reader_through(struct reader *r, const struct spec_node *node, expr *out);

/* tables.c: their names; then those that no formula has named so far. */
void model_collect_tables(struct reader *r);
void model_read_tables(struct reader *r);

/* hysteresis.c: relay k of the block, whose name is define n_plain + k. */
void reader_read_relay(struct reader *r, const struct spec_node *node, struct model_hysteresis *relay, expr *out);

/* machines.c: where each signal is first named, and how many there are; then all the rest. */
int reader_list_signals(struct reader *r, const struct spec_node ***node);
void model_read_machines(struct reader *r);

/* own_pairs.c: is an entry of `complementarity` a pair with a force of its own? How many there are, and the k-th of
 * them; its name and symbols, its H; what only all of them tell. */
bool own_pair_is_meant(const struct spec_node *node);
int own_pair_count(const struct reader *r);
const struct spec_node *own_pair_node(const struct reader *r, int k);
void own_pair_name(struct reader *r, const struct spec_node *node, struct model_projection *one);
void own_pair_read(struct reader *r, const struct spec_node *node, struct model_projection *one);
void own_pairs_check(struct reader *r);

/* projections.c: entry k of the block, behind them pairs with forces of their own; its gap and reaction, as
 * expressions; after the dynamics what the reactions push. */
const struct spec_node *projection_node(struct reader *r, int k);
void reader_read_projection(struct reader *r, int k);
void model_read_projections(struct reader *r);

#endif
