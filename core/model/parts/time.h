/* core/model/parts/time.h - the horizon, its control intervals and phases */
#ifndef COCP_CORE_MODEL_PARTS_TIME_H
#define COCP_CORE_MODEL_PARTS_TIME_H

#include "core/expression/expr.h"
#include "core/spec/spec.h"

/* Control intervals of one length beside each other, of a phase or between impulses: `length` times the optimized
 * parameter p, times the horizon (LENGTH_OF_HORIZON), or in s (LENGTH_FIXED). */
enum { LENGTH_FIXED = -1, LENGTH_OF_HORIZON = -2 };
struct model_stretch { int first, n_interval, p; double length; };

/* What a contact is in a phase: not there, so that bodies pass through; there, open or closed as the solver
 * finds; or as the user says all through it. */
enum contact_role { CONTACT_ABSENT, CONTACT_THERE, CONTACT_OPEN, CONTACT_STICKS };

/* A phase by the user. */
struct model_phase {
    const char *name, *path;
    struct srcpos pos;
    int param;                      /* its length among all parameters: "held_length" */
    int p;                          /* the optimized parameter that is its length; -1: it is fixed */
    double length;                  /* s; the guess of an optimized one */
    int first, n_interval;          /* its control intervals */
    int u;                          /* the control that is 1 in it */
    expr until;                     /* it ends as soon as this rises above 0; EXPR_NONE: with its length alone */
    struct srcpos until_pos;
    bool *has_u;                    /* [n_u] which controls act in it */
    enum contact_role *contact;    /* [n_contact] */
    int n_start;
    int *start_x;                   /* [n_start] states that jump where it begins */
    expr *start;                    /* [n_start] what to, of what is before */
};

/* A function of time that is constant between jumps at known parts of the horizon: a
 * control that the spec gives. */
struct model_steps {
    int u;                          /* that control */
    int n;
    const double *part, *value;     /* [n] value k from part k on, ascending; before the first one its value, too */
};

struct model_time {
    const char *unit;                           /* of t and the horizon: "s", or what time.unit says */
    bool horizon_free;
    double horizon, horizon_min, horizon_max;   /* fixed value or guess; bounds of a free one */
    struct srcpos horizon_pos;
    int n_intervals;                            /* 0 if not given */
    int *elements;                              /* [max(1, n_intervals)] finite elements of each interval */
    int n_phase;                                /* 0: none, and all intervals have the same length */
    struct model_phase *phase;                  /* [n_phase] */
    bool prescribes;                            /* all say what each contact is: nothing is left to find */
    int n_steps;                                /* 0 where there are phases */
    struct model_steps *steps;                  /* [n_steps]; their controls come last */
    int n_stretch;                              /* 0: all intervals have the same length */
    struct model_stretch *stretch;              /* [n_stretch] those of phases, or what impulses make */
    int n_interior_time;
    double *interior_time;                      /* [n_interior_time] inner times that sampled costs, data and
                                                 * constraints name, parts of the horizon, ascending, each once */
};

#endif
