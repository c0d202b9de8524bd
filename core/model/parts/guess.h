/* core/model/parts/guess.h - where `solve` starts */
#ifndef COCP_CORE_MODEL_PARTS_GUESS_H
#define COCP_CORE_MODEL_PARTS_GUESS_H

#include "core/spec/spec.h"

struct model_waypoint { double fraction; int n; const int *var; const double *val; };   /* var: state index, or
                                                                                         * n_x + control index */

struct model_guess {
    int n_waypoint;
    struct model_waypoint *waypoint;            /* fractions ascending */
    const char *file;                           /* or NULL */
    struct srcpos pos;
};

#endif
