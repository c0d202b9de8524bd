/* transcription/judge/stored_parts.h - what the sources of stored.h have in common */
#ifndef COCP_TRANSCRIPTION_JUDGE_STORED_PARTS_H
#define COCP_TRANSCRIPTION_JUDGE_STORED_PARTS_H

#include "core/results/fields.h"
#include "transcription/report/solution_file.h"

#include <math.h>

#define SAME 1e-6                   /* of the largest magnitude of a quantity, at least the floor: the same number, computed
                                     * again */
#define SLACK 30                    /* times the tolerance of states: sums of impulses, forces between points */

struct stored {
    const struct solution_file *file;
    const struct replay_settings *settings;
    struct findings *to;
    struct arena mem;
};

/* The worst place of a quantity: how far it is off there, and when; name: of what. */
struct off { double figure, t; const char *name; };

/* The worse of what is known and of this place; NaN is infinitely far off. */
static inline void off_raise(struct off *off, double figure, double t, const char *name)
{
    if (!(figure <= off->figure))
        *off = (struct off){ isnan(figure) ? INFINITY : figure, t, name };
}

/* Adds the finding of a quantity that is off, and of one that fits or does not: `how` says what is wrong then. */
void stored_add(const struct stored *at, const char *name, const struct off *off, double tol, const char *how);
void stored_add_text(const struct stored *at, const char *name, const char *difference, const char *how);
void stored_add_shape(const struct stored *at, bool fits, const char *name, const char *reason);

/* The largest magnitude, at least the floor. */
double stored_scale(const struct stored *at, const double *value, int n);

/* The dataset of doubles, [n] (n < 0: any); NULL: there is none. */
const double *stored_doubles(const struct stored *at, const char *group, const char *name, int n);
/* The axis of times of a group, of length *n; NULL: there is none. */
const double *stored_times(const struct stored *at, const char *path, int *n);

/* Elements of /grid, by their starts. */
int stored_n_elements(const struct stored *at);

/* Columns of /trajectory or /uniform in the order of columns.h: [columns_count], [n] each; NULL: missing. */
const double **stored_columns(struct stored *at, const char *group, int n, const struct result_field **field);

/* How far control k at t is from that of the grid, before or after t. */
double stored_control_off(const struct solution_file *file, int k, double t, double value);

/* Each adds its findings. */
void stored_judge_trajectory(struct stored *at);    /* stored_trajectory.c */
void stored_judge_uniform(struct stored *at);       /* stored_uniform.c */
void stored_judge_grid(struct stored *at);          /* stored_grid.c */
void stored_judge_events(struct stored *at);        /* stored_events.c */
void stored_judge_looks(struct stored *at);         /* stored_looks.c: names, units, the drawing */
void stored_judge_modes(struct stored *at);         /* stored_modes.c */
void stored_judge_phases(struct stored *at);        /* stored_phases.c */
void stored_judge_rows(struct stored *at);          /* stored_rows.c: residuals and multipliers */
void stored_judge_fit(struct stored *at);           /* stored_fit.c */
void stored_judge_spec(const struct stored *at);    /* stored_spec.c: the verbatim spec */

#endif
