/* core/results/results.h - result files: tables in memory, HDF5 on disk; results.md
 *
 * A result is a set of groups; a group has attributes, axes (dimension scales) and datasets over its axes. The
 * same structure is written and read back, so that show, export, plots' data and `--guess FILE` need no second
 * description of the layout. Files are valid netCDF-4: each axis has a dimension scale, creation order is
 * tracked, strings are variable-length UTF-8, flags uint8.
 * Written to a temporary file in the same folder, fsync'ed, renamed: the old file or the new one, never half.
 * Errors  STATUS_IO with a message in `diag`.
 */
#ifndef COCP_CORE_RESULTS_RESULTS_H
#define COCP_CORE_RESULTS_RESULTS_H

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/base/dictionary.h"

#include <stdbool.h>

enum result_type { RESULT_DOUBLE, RESULT_INT, RESULT_FLAG, RESULT_TEXT };

struct result_data {                /* a dataset */
    const char *name, *units, *long_name, *role;    /* "" where there is none */
    enum result_type type;
    int n_axes;                     /* 0: a scalar */
    int axis[4];                    /* indices of the group's axes, slowest first */
    int n;                          /* number of values */
    const void *values;             /* [n] row-major; also as the one below that has the type, the others NULL */
    double lower_bound, upper_bound;    /* of the variable, NAN where it has none; stored as attributes */
    const double *d;
    const int *i;
    const unsigned char *flag;
    const char *const *text;
};

struct result_axis {
    const char *name, *units, *long_name;
    int n;
    const double *values;           /* [n]; NULL: 0, ..., n - 1 */
};

struct result_attr {
    const char *name;
    enum result_type type;
    double d;                       /* of an int as well; NAN of a text */
    int i;
    const char *text;
};

/* To be read; what has been handed out stays where it is while the lists grow. */
struct result_group {
    struct arena *mem;              /* borrowed: the result's */
    const struct result *of;        /* borrowed: the result */
    const char *path;               /* "/", "/trajectory" */
    struct result_axis **axis;      /* [n_axes] */
    struct result_data **data;      /* [n_data] */
    struct dictionary place;        /* in data, by name */
    struct result_attr **attr;      /* [n_attrs] */
    int n_axes, n_data, n_attrs;
};

struct result {
    struct arena mem;               /* owns all texts and values */
    struct result_group **group;    /* [n_groups], parents before what is below them */
    int n_groups;
    const char *time_unit;
};

/* Units that follow from the unit of time: with "s" they are s, m/s, N and N s; with "h"
 * h, m/h, kg m/h^2 and kg m/h. */
#define UNITS_TIME    "[time]"
#define UNITS_SPEED   "[speed]"
#define UNITS_FORCE   "[force]"
#define UNITS_IMPULSE "[impulse]"

/* The unit of time is "s" until it is set; what is added afterwards follows it. */
struct result *result_create(void);
void result_set_time_unit(struct result *result, const char *unit);
void result_free(struct result *result);

/* The group of that path, made when it is not there. */
struct result_group *result_group(struct result *result, const char *path);
/* As above, but NULL when it is not there. */
const struct result_group *result_find(const struct result *result, const char *path);

/* Removes the group and those below it, if it is there: a command that repeats its part starts from nothing.
 * The root stays and is emptied. */
void result_drop(struct result *result, const char *path);

/* The group `top` of one result, with what is below it, as the group `path` of another ("/" is a whole result)
 * in place of what is there. */
void result_copy(const struct result *from, const char *top, struct result *to, const char *path);

/* Adding; everything is copied, and what has the name already is replaced. An axis is returned as its index in
 * the group; one of the same name must have the same n. values, units, long_name may be NULL. */
int result_axis(struct result_group *group, const char *name, int n, const double *values, const char *units,
                const char *long_name);
void result_set_attr(struct result_group *group, const struct result_attr *given);
void result_set_double(struct result_group *group, const char *attr, double value);
void result_set_int(struct result_group *group, const char *attr, int value);
void result_set_text(struct result_group *group, const char *attr, const char *value);

/* A dataset over n_axes axes (indices) of the values of its type; their number follows from the axes.
 * units, long_name and role may be NULL. Roles: state, control, contact, output; "optimized" for
 * parameters that `solve` chose. */
void result_values(struct result_group *group, const char *name, enum result_type type, int n_axes, const int *axis,
                   const void *values, const char *units, const char *long_name, const char *role);
void result_doubles(struct result_group *group, const char *name, int n_axes, const int *axis, const double *val,
                    const char *units, const char *long_name, const char *role);
void result_texts(struct result_group *group, const char *name, int n_axes, const int *axis,
                  const char *const *val, const char *long_name);

/* Bounds of a dataset that is there, for plots; +-INFINITY and NAN are no bounds. */
void result_set_bounds(struct result_group *group, const char *name, double lower, double upper);

/* Reading what is there. */
size_t result_size_of(enum result_type type);                                       /* bytes of a value */
/* -1 if the axis is absent; group may be NULL. */
int result_axis_find(const struct result_group *group, const char *name);
int result_axis_size(const struct result *result, const char *path, const char *axis);
const struct result_data *result_data_find(const struct result_group *group, const char *name);
/* The dataset "name" of the group "path"; NULL if either is absent. */
const struct result_data *result_data_of(const struct result *result, const char *path, const char *name);
/* Its numbers [n]; NULL if it is absent, of another length or not of doubles. */
const double *result_doubles_of(const struct result *result, const char *path, const char *name, int n);
/* Where the text stands in a dataset of texts; -1: nowhere. */
int result_index_of_text(const struct result_data *data, const char *text);
double result_value(const struct result_data *data, int k);                         /* NAN of a text */
double result_get_double(const struct result_group *group, const char *attr);      /* NAN if absent */
int result_get_int(const struct result_group *group, const char *attr, int absent);
const char *result_get_text(const struct result_group *group, const char *attr);   /* NULL if absent */

/* A 1-D dataset named as its axis becomes that axis' coordinate variable (the names of `state`, say). Writing to
 * /dev/null writes nothing and is fine; other things that are no regular files are refused. */
enum status result_write(const struct result *result, const char *path, struct diag *diag);

/* Of libhdf5: major, minor, release. */
void result_hdf5_version(unsigned version[3]);

/* Files by others are welcome: what has no place here (compound types, more than four axes) is left out, an axis
 * without a scale is named "dim_<size>". *out is NULL on failure. */
enum status result_read(const char *path, struct result **out, struct diag *diag);

#endif
