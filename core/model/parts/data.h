/* core/model/parts/data.h - what was measured */
#ifndef COCP_CORE_MODEL_PARTS_DATA_H
#define COCP_CORE_MODEL_PARTS_DATA_H

#include "core/expression/expr.h"
#include "core/spec/spec.h"

/* What was measured: the cost is the sum over rows and series of ((e - value) / sigma)^2. */
struct model_series {
    const char *name;               /* of the state or define that e is */
    struct srcpos pos;
    const char *units;              /* "" if not known */
    expr e;                         /* of x, p, t; smooth */
    double *value;                  /* [n_row] NAN: missing */
    double *sigma;                  /* [n_row] standard deviation of the value; of relative ones up to a common factor */
};
struct model_data {                 /* of one experiment */
    int n_experiment;               /* several: then there are no data, and each is a spec of its own (spec_take) */
    const char **experiment;        /* [n_experiment] names */
    int n_row, n_series;            /* n_series 0: there are no data */
    double *part;                   /* [n_row] times, parts of the horizon */
    double *t;                      /* [n_row] the same in s */
    struct model_series *series;    /* [n_series] */
    bool is_relative;               /* sigma says which value is how good beside the others, and nothing of how good */
};

#endif
