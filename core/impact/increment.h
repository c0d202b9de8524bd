/* core/impact/increment.h - normal impulses of one step of a sample: what is drawn, sample.h
 *
 * Shapes  lambda_max, left, lambda_n [n_contact]; u [n_row].
 * Units   N s.
 */
#ifndef COCP_CORE_IMPACT_INCREMENT_H
#define COCP_CORE_IMPACT_INCREMENT_H

#include "core/impact/sampler.h"

/* Is it a corner sample in which one contact takes its turn after the other? */
bool increment_is_sequence(const struct impact_sampler *sampler, bool is_corner, uint64_t index);

/* Bounds of the step. turn: of a sequence, the contact whose turn it is; it goes on where
 * that no longer approaches. */
void increment_draw(const struct impact_sampler *sampler, bool is_corner, uint64_t index, int step, const double *u,
                    int *turn, double *lambda_max);

/* Of what is left to be given back: the same draws; in a sequence, and by the first corner sample, all of it. */
void increment_draw_return(const struct impact_sampler *sampler, bool is_corner, uint64_t index, int step,
                           const double *left, double *lambda_n);

#endif
