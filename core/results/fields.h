/* core/results/fields.h - datasets as tables of data: how each is called, and where its values lie in a row
 *
 * Rows are structs or stretches of an array, `size` bytes apart. A field is one dataset over them: of each row
 * the value that begins `offset` bytes into it, or as many as the other axes ask for. A field that is no part of
 * the row is made of it by a filler. The same table writes datasets, writes attributes, and reads datasets back.
 *
 *   static const struct result_field fields[] = {
 *       { .name = "t", RESULT_DOUBLE, offsetof(struct event, t), "s", "physical time" },
 *       { .name = "kind", RESULT_TEXT, .long_name = "what happens", .text = kind_of_event },
 *   };
 *   result_fields(group, 1, &axis, (struct result_rows){ event, sizeof *event, n }, 2, fields);
 */
#ifndef COCP_CORE_RESULTS_FIELDS_H
#define COCP_CORE_RESULTS_FIELDS_H

#include "core/results/results.h"

#include <stddef.h>

struct result_field {
    const char *name;
    enum result_type type;          /* double; int; bool or unsigned char; const char * */
    size_t offset;
    const char *units, *long_name, *role;       /* NULL: none */
    size_t room;                    /* of a text that is a char [room] in the row; 0: a pointer to it */
    const char *(*text)(const void *row);       /* fillers, in place of an offset; NULL: none */
    double (*number)(const void *row);
};

/* The n of a table. */
#define COUNT(list) ((int)(sizeof (list) / sizeof (list)[0]))

struct result_rows { const void *at; size_t size; int n; };

/* A dataset over n_axes axes for each field. Their sizes multiply to rows.n times the values of one row. */
void result_fields(struct result_group *group, int n_axes, const int *axis, struct result_rows rows, int n,
                   const struct result_field *field);

/* An attribute of the group for each field, of the one row; a text that is NULL is left out. */
void result_set_fields(struct result_group *group, const void *row, int n, const struct result_field *field);

/* Fills `at`, n_rows rows of `size` bytes, from the datasets, `width` values in each row; texts into their room.
 * The first field that is missing or of another size or type, NULL if all are there. */
const struct result_field *result_get_fields(const struct result_group *group, void *at, size_t size, int n_rows,
                                             int width, int n, const struct result_field *field);

#endif
