/* core/model/parts/defines.h - expressions by name, and those of them that results have */
#ifndef COCP_CORE_MODEL_PARTS_DEFINES_H
#define COCP_CORE_MODEL_PARTS_DEFINES_H

#include "core/expression/expr.h"
#include "core/spec/spec.h"

enum { MAX_DEPTH = 400 };           /* of names naming names: a longer chain is a generated or hostile file */

struct model_output {               /* a define with `output: true` */
    const char *name, *units, *long_name, *path;
    struct srcpos pos;
    expr e;                         /* of x, u, p, t; may be nonsmooth */
};

/* Points of a define that were in a file: at [n] in units of time, ascending. */
struct model_points { const char *define; int n; double *at, *value; };

struct model_defines {
    int n_define;
    const char **name;                          /* for naming switches after a define: [n_define]; then relays, signals,
                                                 * "wall.gap" and "wall.lambda" of projections, "diode.H" and
                                                 * "diode.lambda" of pairs */
    expr *e;                                    /* [n_define] */
    int n_output;
    struct model_output *output;
    int n_points;
    struct model_points *points;                /* [n_points] */
};

#endif
