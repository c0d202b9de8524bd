/* core/model/parts/drawing.h - what films show */
#ifndef COCP_CORE_MODEL_PARTS_DRAWING_H
#define COCP_CORE_MODEL_PARTS_DRAWING_H

#include "core/expression/expr.h"

enum draw_kind { DRAW_POINT, DRAW_LINK, DRAW_SPRING, DRAW_CIRCLE, DRAW_BOX, DRAW_GROUND, DRAW_FORCE };

/* A part of the drawing: n expressions e are a point's place, a box's angle, a contact force's normal (0:
 * upwards) or any other force itself. */
struct model_drawn {
    enum draw_kind kind;
    const char *name;
    int n_at;
    const char **at;                /* [n_at] points it is at, or goes through */
    int contact;                    /* whose force it is, n_contact + k: the reaction of projection k; -1: none */
    double size[2];                 /* radius of a circle or a link; width and height of a box */
    double *corner;                 /* [3 * n_at] of a ground */
    int n;
    expr e[3];
};

/* A shape in the plane as a contact gives it; what films show where the spec does not say. */
struct model_shape {
    const char *name;               /* of the contact, or "name_other" */
    expr at[2], angle;
    double radius, size[2];         /* radius 0: a point; size 0: no box */
};

struct model_drawing {
    int n_draw;
    struct model_drawn *draw;
    int n_shape;
    struct model_shape *shape;                  /* [n_shape] */
};

#endif
