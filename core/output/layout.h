/* core/output/layout.h - /trajectory, /uniform, /grid and /events of every run: results.md
 *
 * This is the one place that says which datasets they have and how these are called. Programs (solve, and simulate
 * step by step) fill them from finite elements, the event-driven simulation from its smooth pieces, time-stepping
 * schemes from their steps; a table for each group lists its datasets.
 *
 * Shapes  columns of a point or a time as in columns.h; states [n_x]; impulses [3] normal, tangential, the second
 *         tangential one stored only where a contact of the model has two tangents.
 * Units   those of the spec; times s, impulses N s.
 */
#ifndef COCP_CORE_OUTPUT_LAYOUT_H
#define COCP_CORE_OUTPUT_LAYOUT_H

#include "core/output/columns.h"

enum layout_of { LAYOUT_ELEMENTS, LAYOUT_PIECES, LAYOUT_STEPS };

struct layout {                     /* what is laid out, and where; borrowed */
    struct result *result;
    const struct model *model;
    enum layout_of of;
    const double *p;                /* [n_p] optimized parameters; NULL: their guesses */
    bool freezes;                   /* physical time may stand still: how fast it goes is shown */
};

struct layout_point {
    double t, t_num;
    int element, stage, side;
    bool is_physical;
    double rate;                    /* dt/dt_num, which is shown where time freezes */
};

/* A list of points, and a row of columns for each. Starts as { 0 }; its arrays are freed by their owner. */
struct layout_points {
    int n;
    struct layout_point *point;     /* [n] */
    double *column;                 /* [n * columns_count] */
};

/* The row of the new point, to be filled. */
double *layout_add_point(const struct model *model, struct layout_points *list, struct layout_point point);

/* /trajectory. */
void layout_trajectory(const struct layout *to, const struct layout_points *points);

/* The columns over strictly ascending times, as the group `path`. */
void layout_uniform(const struct layout *to, const char *path, int n, const double *t, const double *column);

/* Bounds of the states and controls in the group `path`, for plots. */
void layout_bounds(const struct layout *to, const char *path);

struct layout_element { double h, t_start, t_end, t_num_start, t_num_end; };

struct layout_grid {
    int n;
    struct result_rows element;     /* [n] each begins with a struct layout_element */
    struct result_rows x_start, x_end;          /* [n] of n_x */
    int n_stage;                    /* 0: none */
    const double *c;                /* [n_stage] of a polynomial through x_start and the stages; NULL: there is none */
    struct result_rows x_stage;     /* [n] of n_stage * n_x */
    const double *force;            /* [n * n_stage * 3 n_contact] at the stages; NULL: not known */
    const double *impulse;          /* [n * CONTACT_ROWS n_contact] */
    int n_interval;
    const double *t_interval;       /* [n_interval]; NULL: no intervals */
    const double *u;                /* [n_interval * n_u]; NULL: controls vary within intervals */
    const double *speed;            /* [n_interval] of time, which is shown where it freezes; NULL: not known */
};

void layout_grid(const struct layout *to, const struct layout_grid *grid);

struct layout_event { double t, t_num; int element; const char *kind, *name; double impulse[CONTACT_ROWS]; };

/* /events: x [n * 2 n_x] before and after each. */
void layout_events(const struct layout *to, int n, const struct layout_event *event, const double *x);

/* The axis of the states; its coordinates are their names. */
int layout_states(struct result_group *group, const struct model *model);

#endif
