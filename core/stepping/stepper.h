/* core/stepping/stepper.h - one step of a time-stepping scheme; private to stepping_run.c; stepping.h has the
 * formulas
 *
 * A step starts from x at t with controls u and leaves x_plus, and impulses of the active contacts.
 */
#ifndef COCP_CORE_SIMULATION_STEPPER_H
#define COCP_CORE_SIMULATION_STEPPER_H

#include "core/contact/friction.h"
#include "core/stepping/stepping.h"
#include "core/simulation/system.h"

#include <lapacke.h>

struct stepper {
    struct arena mem;               /* owns every array below */
    const struct stepping_task *task;
    const struct model *model;
    struct stepping *out;           /* borrowed */
    struct system *at;              /* owned: the model's functions at a point */
    struct function slopes;         /* nonzeros of df_v/dx; their places in slope, by columns */
    int *slope_place;
    struct function rates;          /* [n_position] N v */
    double *slope;                  /* [n_q * n_x] */
    bool *is_extra;                 /* [n_x] neither position nor velocity */
    struct friction *friction;      /* owned; NULL without contacts */
    double t, h;
    double *x, *x_plus, *x_m, *x_before;    /* [n_x]; x_before: x_plus of the iteration before */
    double *u;                      /* [n_u] */
    double *A;                      /* [n_q * n_q] factors of M, or of M with the slopes of the forces */
    lapack_int *pivot;              /* [n_q] */
    double *dv, *v_plus;            /* [n_q] */
    int n_active, *active, *n_t;    /* [n_contact] contacts of the step; their tangents */
    bool *is_active;                /* [n_contact] */
    double *J, *W;                  /* [n_q * CONTACT_ROWS n_contact] of the active ones; A^-1 J */
    double *G, *v_c, *v_c_plus, *mu, *v_least, *impulse;     /* for friction.h, active contacts */
    double *gap, *v_n;              /* [n_contact] at the start of the step; v_n of the velocity before */
};

/* stepper_free afterwards, whatever came back. */
enum status stepper_create(const struct stepping_task *task, struct stepping *out, struct stepper *s,
                           struct diag *diag);
void stepper_free(struct stepper *s);

/* Status and message of the run; returns st. */
enum status stepper_fail(struct stepper *s, enum status st, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Gaps and gradients at the positions in x. */
void stepper_eval_contacts(struct stepper *s, double t, const double *x);

/* x_plus from x, over h. */
enum status stepper_moreau(struct stepper *s);
enum status stepper_stewart_trinkle(struct stepper *s);

#endif
