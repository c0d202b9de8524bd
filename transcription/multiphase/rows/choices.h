/* transcription/multiphase/rows/choices.h - values that several controls may take at once
 *
 * A constraint of controls with values alone, such as w1 + w2 + w3 == 1, couples them: what is left are some of
 * all combinations of their values. A point u between them is a mean of some of these,
 *
 *   u = sum of part_j choice_j,   part_j > 0,   sum of part_j = 1
 *
 * of which one is found by taking off the choice nearest to what is left, as much of it as leaves the rest
 * between the least and the largest values.
 * Shapes  value [n * n_u], NAN for controls without values.
 */
#ifndef COCP_TRANSCRIPTION_MULTIPHASE_ROWS_CHOICES_H
#define COCP_TRANSCRIPTION_MULTIPHASE_ROWS_CHOICES_H

#include "core/model/model.h"

/* n is 0 where nothing couples controls with values, or they have more than
 * CHOICES_MOST (recipe.h) combinations. */
struct choices { int n, n_u; double *value; };

struct choices choices_of(const struct model *model);
void choices_free(struct choices *choices);

/* Is the constraint one of controls with values alone, all along the horizon? Of combinations that
 * it admits it says nothing. */
bool choices_settle(const struct model *model, const struct model_constraint *constraint);

/* The choice nearest to u [n_u], distances by the widths of the controls' bounds. */
int choices_nearest(const struct choices *choices, const struct model *model, const double *u);

/* Parts of choices whose mean is u, as near as may be: [n] in part, 0 of those that do not take part. */
void choices_split(const struct choices *choices, const struct model *model, const double *u, double *part);

#endif
