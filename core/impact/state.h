/* core/impact/state.h - the impact that a model has at a state: contacts that are closed, M, J, friction, v
 *
 * Contacts whose gap is at most gap_tol take part. J has J_n and J_t of the model for each.
 *
 * Shapes  x [n_x], p [n_p] (NULL: the guesses).
 * Errors  STATUS_SPEC with a position: the model is not mechanical, no contact is closed, none approaches and
 *         none is pressed by its own impulse (Painleve);
 *         STATUS_NUMERIC: NaN, or M is not positive definite.
 */
#ifndef COCP_CORE_IMPACT_STATE_H
#define COCP_CORE_IMPACT_STATE_H

#include "core/contact/system.h"
#include "core/model/model.h"

struct impact_state {
    struct arena mem;               /* owns every array; free it */
    struct impact_system system;
    double *v_minus;                /* [n_v] */
    int *contact;                   /* [n_contact] index in the model */
};

/* state->mem is to be freed, whatever came back. */
enum status impact_state_read(const struct model *model, const double *x, const double *p, double gap_tol,
                              int n_dir_3d, struct impact_state *state, struct diag *diag);

#endif
