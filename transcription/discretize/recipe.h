/* transcription/discretize/recipe.h - every number of the discretization: value, unit, why, from which trial */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_RECIPE_H
#define COCP_TRANSCRIPTION_DISCRETIZE_RECIPE_H

#define GAP_CLOSED 1e-9             /* m: a gap this small at the start is closed: rounding of a step that ended there */
#define AT_REST 1e-8                /* m/s: what is slower does not close a gap, nor slip: rounding as well */
#define PAIR_BAND 1e-4              /* in the unit of a side: what is held at 0 by a constant control may be off between ends of
                                     * its interval; a tenth of what replays allow */
#define PAIR_SCALE_MOST 100         /* of the first sigma: with 1 a force of 100 N starts within 1 cm of the ground, and does
                                     * not find over a stone (massless_leg with one: 2 of 4 variants; with 30 to 300 all) */
#define GUARD_TOLERANCE 1e-6        /* m: FESD-J; persistent contacts of curved gaps drift within (fesd_j.md 11) */
#define FREEZING_SHARE 0.02         /* of h0: how much of an element may pass in free flight (cross.c); TF Ex. 5 */
#define EQUILIBRATION_WIDTH 0.1     /* of the scaled indicator, sigma_se (fesd.md 5) */
#define GUIDE_GOAL 1000             /* weight of the goal, in units of the line's (attempts.md 3) */
#define FADED_PENALTY 1e-6          /* of equilibration and dead bands in the last NLP: the cost alone decides */

#endif
