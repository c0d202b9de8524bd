/* core/nlp/joined.h - several programs as one: some variables in common, to each a cost and rows of its own
 *
 *   min  sum_k weight_k f_k(w_k)       or, in the worst case,    min s   s.t.  f_k(w_k) - s <= 0 for all k
 *   s.t. the rows and bounds of each program k,   w_k = w[var_k]
 *
 * Rows of program k stand together, in the order of the programs; those of the worst case come last, and s is the
 * last variable. What is in common has the bounds of all. A factorization whose order goes by the pattern
 * eliminates what each has for itself first: the matrix is one of bordered blocks.
 */
#ifndef COCP_CORE_NLP_JOINED_H
#define COCP_CORE_NLP_JOINED_H

#include "core/nlp/nlp.h"

struct joined_part {
    const struct nlp *nlp;          /* borrowed */
    const int *var;                 /* [nlp->n_w] its variables among those of the whole; borrowed */
    double weight;
};

struct joined;

/* n_w: variables of all parts together, without s; each belongs to one of them at least. */
struct joined *joined_create(int n, const struct joined_part *part, int n_w, bool worst);
void joined_free(struct joined *joined);

/* Borrowed. */
const struct nlp *joined_nlp(const struct joined *joined);

#endif
