/* transcription/proposals/fit_search.h - parameters of a fit, searched by simulations alone
 *
 * Where a simulation jumps (doses, bounces, resets, relays) its misfit to data,
 *
 *   f(p, x_0) = sum_k ((e_k - value_k) / sigma_k)^2
 *
 * has a local minimum for each order of events and measurements, and steps from one to the next: a
 * program that keeps an order, or its derivatives, says nothing of the others. A simulation costs a
 * millisecond, so many are compared:
 *
 *   1. Sobol' points (draw.h), every other one in the whole box of optimized parameters and free initial values, the others
 *      within NEAR_GUESS of the guess. Where there are no bounds the box goes as far from the guess as that is
 *      large; a positive range of more than two decades is divided by ratios
 *   2. from the best few of these, one after the other, the simplex method of Nelder and Mead (Computer Journal 7, 308,
 *      1965), which asks for no derivative: events pass measurements as they like
 *   3. where none of that comes down to what errors of that sigma make (fit_search_limit), the best points evolve by
 *      differences of one another (Storn and Price, Journal of Global Optimization 11, 341, 1997), and simplexes again
 *
 * Simulations are those of simulated.h, made of the same compiled functions. Numbers are counted, not seconds,
 * but for the limits: the same seed gives the same parameters.
 */
#ifndef COCP_TRANSCRIPTION_PROPOSALS_FIT_SEARCH_H
#define COCP_TRANSCRIPTION_PROPOSALS_FIT_SEARCH_H

#include "transcription/reading/simulated.h"

enum { FIT_SEARCHES = 8 };          /* simplexes at most; each leaves a proposal */

struct fit_search;

/* Data, something that they may tell, and nothing free beside: no controls, phases or lengths. */
bool fit_search_fits(const struct model *model);

/* Chi-squared that errors of the given sigma exceed in one of a thousand fits, by the formula of Wilson and
 * Hilferty (1931); INFINITY where sigma is relative, or there are as many unknowns as values. */
double fit_search_limit(const struct model *model);

/* Searches; ends early at the limits. The model is borrowed. fit_search_free afterwards. */
struct fit_search *fit_search_run(struct model *model, unsigned seed, const struct simulated_limits *limits);
void fit_search_free(struct fit_search *at);

int fit_search_n_simulations(const struct fit_search *at);
/* Its proposals, the least misfit first. */
int fit_search_n(const struct fit_search *at);
double fit_search_misfit(const struct fit_search *at, int k);
/* The motion of one; NULL: the limits are reached. sim_free afterwards. */
struct sim *fit_search_motion(struct fit_search *at, int k, const struct simulated_limits *limits);

#endif
