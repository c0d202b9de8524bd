/* core/spec/shape.h - what may stand where in a spec: the one table of keys
 *
 * Readers check the keys of their records against shapes, `cocp schema` prints them as a JSON schema and `cocp
 * explain` in words. What the texts of formulas and names mean is the readers' own matter.
 */
#ifndef COCP_CORE_SPEC_SHAPE_H
#define COCP_CORE_SPEC_SHAPE_H

#include "core/spec/spec.h"

enum shape_kind {
    SHAPE_NUMBER,                   /* or an expression of parameters */
    SHAPE_COUNT,                    /* a whole number from 1 on, or such an expression */
    SHAPE_FORMULA,                  /* an expression */
    SHAPE_TIME,                     /* a fraction of the horizon, or a time with its unit: 0.5 s */
    SHAPE_TEXT,
    SHAPE_FLAG,                     /* true or false */
    SHAPE_CHOICE,                   /* one of `words` */
    SHAPE_LIST,                     /* of values of shape `of`, from n_min to n_max of them (0: any number) */
    SHAPE_TABLE,                    /* names of the user's choice: values of shape `of` */
    SHAPE_RECORD,                   /* the keys of `key` */
    SHAPE_EITHER                    /* one of the shapes `either` */
};

struct shape {
    enum shape_kind kind;
    const char *const *words;       /* NULL-terminated */
    const struct shape *of;
    bool by_time, by_path;          /* of a table: its keys are times, or paths of the spec, not names */
    int n_min, n_max;
    const struct shape_key *key;    /* ends with one without a name; NULL: none */
    const char *main;               /* of a record: the key whose value may stand for it; or NULL */
    const struct shape *const *either;          /* NULL-terminated */
};

struct shape_key {
    const char *name;
    const struct shape *shape;      /* NULL: a block of settings that another room reads */
    bool needed;
    const char *unless[2];          /* of one that is needed: keys beside which it is not; NULL: none */
    const char *initial;            /* what counts where it is absent; NULL: nothing to say */
    const char *help;
};

extern const struct shape shape_number, shape_count, shape_formula, shape_time, shape_text, shape_flag, shape_range;
extern const struct shape shape_vector;             /* of three numbers */
extern const struct shape shape_turn;               /* roll, pitch, yaw (rad), R_z R_y R_x; or a quaternion, scalar first */

/* The key of that name in a list that ends with one without; NULL: none, or no list. */
const struct shape_key *shape_key_find(const struct shape_key *key, const char *name);

/* Reports keys of the node that the record does not have, as spec_check_keys. */
enum status shape_check_keys(struct diag *diag, const struct spec_node *node, const struct shape *record);

#endif
