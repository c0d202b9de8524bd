/* transcription/multiphase/rows/rows.h - rows and bounds of the smooth program, and the costs
 *
 * Each part writes the rows of one subject for the whole program, once its variables are there (phases.h).
 */
#ifndef COCP_TRANSCRIPTION_MULTIPHASE_ROWS_ROWS_H
#define COCP_TRANSCRIPTION_MULTIPHASE_ROWS_ROWS_H

#include "transcription/multiphase/layout/phases.h"

/* --- Parts, in the order in which phases_create calls them (multiphase.c) ------------------------------------ */
void phases_find_determined(struct phases *ph);                 /* determined.c: signs that final values determine */
bool phases_is_determined(const struct phases *ph, int element, int k, int l);
bool phases_slip_is_determined(const struct phases *ph, int element, int k, int c);
void phases_find_carried(struct phases *ph);                    /* carried.c */
void phases_find_sticks(struct phases *ph);                     /* sticks.c */
void phases_lay_out_sides(struct phases *ph);                   /* sides.c */
void phases_add_motion(struct phases *ph);                      /* motion.c; with the next for every stage: */
void phases_add_bounds_of(struct phases *ph, const struct phase_point *point, int element, int k);  /* modes.c */
void phases_bound_sides(struct phases *ph, const struct phase_point *point, int e, int stage);    /* sides.c */
void phases_add_start(struct phases *ph);                       /* start.c */
void phases_add_events(struct phases *ph);                      /* events.c: impacts, what starts after an event */
void phases_add_sides(struct phases *ph);                       /* sides.c: what is held at 0 from an event on */
void phases_add_resets(struct phases *ph);                      /* resets.c: jumps where phases by the user begin, impulses
                                                                 * act, and of transitions */
void phases_add_machine_bounds(struct phases *ph, const struct phase_point *point, int element, int k);
void phases_add_machines(struct phases *ph);                    /* machines.c */
/* Is the condition of transition k not to be met at a stage of this mode? A row of it, from the newest point of
 * ph->state. */
bool phases_waits(const struct phases *ph, const struct phase_point *point, int k);
/* Does piece k last no time, as the transition that ends it is made at once? */
bool phases_is_instant(const struct phases *ph, int k);
void phases_transition_row(struct phases *ph, int k, double lb, double ub, const char *what,
                           const struct phase_point *point);
void phases_add_cost(struct phases *ph);                        /* objective.c */
void phases_add_starts(struct phases *ph);                      /* starts.c: of controls with values */
void phases_add_constraints(struct phases *ph);                 /* objective.c */
void phases_add_final_values(struct phases *ph);                /* final_values.c */
/* Does conditional constraint k hold where switches are in these states [n_switch]? */
bool phases_condition_holds(const struct phases *ph, int k, const unsigned char *sw);
void phases_add_conditional(struct phases *ph);                 /* conditional.c */
void phases_add_yields(struct phases *ph);                      /* slip.c */
void phases_add_checks(struct phases *ph);                      /* checks_rows.c */

/* --- What they need of each other ------------------------------------------------------------------------------ */
/* Does e depend on anything that is free at the start? */
bool phases_is_free_at_start(const struct phases *ph, expr e);
enum phase_carried phases_carried(const struct phases *ph, int event, int contact);
/* Rows that say that contact `subject` rests: combinations of its slip, outputs from `out` on. */
void phases_rest_rows(struct phases *ph, struct program_block *block, int out, const struct slip_rows *rows,
                      int subject, const char *what, const struct phase_point *point);
/* At a stage where contact c sticks and `rests` asks nothing of it, its friction is not determined: its
 * square becomes a penalty, so that the program has one solution. The weight is so small for a start at w
 * that nothing else feels it. */
void phases_note_free_force(struct phases *ph, const struct phase_point *point, int c,
                            const struct slip_rows *rests);
void phases_weigh_free_forces(struct phases *ph, const double *w);
/* Does a contact that slips come to rest at point k of an element, as an event is there? */
bool phases_slip_stops(const struct phases *ph, int element, int k, int c);
/* The conditions that give the unknowns of a mode, at the newest points of ph->motion and ph->state. before: states
 * before the event that the point follows, or NULL; what stuck there has a rate of slip but no velocity yet. */
void phases_add_mode_rows(struct phases *ph, const struct phase_point *point, int mode,
                          const unsigned char *before);

/* --- Asking -------------------------------------------------------------------------------------------------- */
/* Has the model constraints along the path, of which grid.slack is about? */
bool phases_has_path(const struct model *model);

/* Largest error of a fixed final value, whether a row says it or what is closed at the end. */
double phases_final_error(const struct phases *ph, const double *w);
/* Largest violation of rows and bounds, absolute; of such a final value where it is missed by more than drift
 * explains. */
double phases_violation(const struct phases *ph, const double *w);
/* Sides of the user's complementarity at the points of elements, [n_element * n_point * n_pair * 2], the caller's;
 * and the largest product of two. */
double *phases_side_values(const struct phases *ph, const double *w);
double phases_complementarity(const struct phases *ph, const double *w);
/* Which side of the user's complementarity is 0 in a state? */
enum pair_side phases_zero_side(int state);

#endif
