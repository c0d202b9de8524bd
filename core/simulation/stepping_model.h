/* core/simulation/stepping_model.h - the functions of a mechanical model at a point, for the time-stepping schemes
 *
 * Shapes  M [n_q * n_q] by columns; f_v [n_q]; rhs [n_x], of extra states alone; slope [n_q * n_x] by columns,
 *         df_v/dx; contacts [n_contact].
 */
#ifndef COCP_CORE_SIMULATION_STEPPING_MODEL_H
#define COCP_CORE_SIMULATION_STEPPING_MODEL_H

#include "core/model/inputs.h"

struct stepping_contact { double gap, mu, e; };

struct stepping_model {
    struct arena mem;               /* owns the arrays */
    struct model *model;            /* borrowed */
    struct inputs inputs;
    double *M, *f_v, *rhs, *slope;
    struct stepping_contact *contact;
    double *J;                      /* [n_q * 3 n_contact]: normal, tangents (zero where there is none) */
    int n_slope, *slope_place;      /* [n_slope] place of a nonzero in slope */
    bool *is_extra;                 /* [n_x] neither position nor velocity */
    struct tape *flow, *slopes, *contacts;
    expr *flow_expr;                /* [n_q * n_q + n_q + n_x] what the tape of the flow computes */
    double *out, *work;             /* of the largest tape */
};

struct stepping_model *stepping_model_create(struct model *model, const double *p);
void stepping_model_free(struct stepping_model *at);

/* M, f_v, rhs and, if asked for, slope. False if one of them is not finite: text then says which. */
bool stepping_model_flow(struct stepping_model *at, const double *x, const double *u, double t, bool with_slopes,
                         char *text, size_t size);

/* Gaps and J at the positions in x. */
void stepping_model_contacts(struct stepping_model *at, const double *x);

/* The three columns of J of contact c. */
const double *stepping_model_J(const struct stepping_model *at, int c);

bool stepping_model_is_extra(const struct stepping_model *at, int i);

#endif
