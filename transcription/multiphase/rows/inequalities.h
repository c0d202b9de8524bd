/* transcription/multiphase/rows/inequalities.h - what a point between stages has to keep: by its mode, and by the
 * user
 *
 * Gaps, forces, cones, signs of slip and of switching functions, conditions of machines, alpha, bounds of states
 * and the user's constraints at stages or along the path. Programs hold them at points that are checked
 * (phases.h, phases_add_checks), and solutions are looked at for those that they break (checks.h).
 */
#ifndef COCP_TRANSCRIPTION_MULTIPHASE_ROWS_INEQUALITIES_H
#define COCP_TRANSCRIPTION_MULTIPHASE_ROWS_INEQUALITIES_H

#include "transcription/multiphase/rows/rows.h"

enum check_kind { CHECK_STATE, CHECK_WHEN, CHECK_CONSTRAINT, CHECK_Y, CHECK_UNKNOWN };

/* lb <= value <= ub. */
struct inequality {
    enum check_kind kind;
    int index;                      /* of an output of the state function, of transition `subject` where that is CHECK_WHEN,
                                     * of a constraint, or of a component of y or of the unknowns */
    double lb, ub;
    int subject;                    /* a contact, a switch after them, a transition; -1: none */
    const char *what;
};

/* As many as a point may have. */
int inequalities_most(const struct phases *ph);

/* All of a point: to [inequalities_most]; returns how many. */
int inequalities_list(const struct phases *ph, const struct phase_point *point, struct inequality *to);

/* The gap of a check's open contact, the cone of one that sticks, the sign of its switch: check->clear off their
 * bounds. */
void inequalities_keep_clear(const struct phases *ph, const struct phase_check *check, struct inequality *one,
                             int n);

/* What the user's constraints evaluate, 0 for those of no stages, then those with conditions:
 * [inequalities_n_constraint], the caller frees it. The constraint with that index. */
int inequalities_n_constraint(const struct phases *ph);
expr *inequalities_constraints(const struct phases *ph);
const struct model_constraint *inequalities_constraint(const struct phases *ph, int index);

#endif
