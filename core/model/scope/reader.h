/* core/model/scope/reader.h - what the files that read a spec share: the reader, formulas and numbers
 *
 * A reader carries the model under construction and the tree it comes from. Parameters and defines may be
 * written in any order, so each is read when it is first named or when its turn comes, whichever is earlier; who
 * collects their names says how they are read.
 *
 * What could not be read is replaced by the symbol `broken`: reading carries on, and nothing is said about an
 * expression that depends on it, so that one mistake makes one message.
 * Errors  every function reports to r->diag; a status other than STATUS_OK has been reported.
 */
#ifndef COCP_CORE_MODEL_SCOPE_READER_H
#define COCP_CORE_MODEL_SCOPE_READER_H

#include "core/base/csv.h"
#include "core/expression/parse.h"
#include "core/model/model.h"
#include "core/model/scope/known_names.h"

struct reader;
enum read_state { UNREAD, READING, READ };

/* Names whose values are read when they are needed. */
struct late_names {
    const struct spec_node **node;              /* NULL once the model is complete */
    enum read_state *state;                     /* likewise */
    void (*read)(struct reader *r, int k);      /* the value of the k-th */
};

struct reader {
    struct model *model;
    struct arena *mem;                          /* the model's */
    struct expr_graph *g;                       /* the model's */
    const struct spec_node *root;
    enum model_need need;
    struct diag *diag;
    expr broken;

    struct late_names param, define, table;     /* [n_param], [n_define], [n_table] */
    struct known_names *names;                  /* while the model is read: what searches for a name have seen of it */
    const char **stack;                         /* [MAX_DEPTH + 1] names being read, [depth - 1] innermost */
    int depth;

    const struct spec_node **phase_node;        /* [n_phase] */
    const struct spec_node **impulse_node;      /* [n_impulse] */
    const struct spec_node **steps_node;        /* [n_steps] */
    struct moments *impulse_moments;            /* [n_impulse] while the spec is read (variables/impulses.h) */
    int cap_param;                              /* room for parameters that impulses add; 0: none yet */
    int n_plain_param, n_plain_u;               /* without lengths and names of phases, which follow */
    int n_plain, n_relay;                       /* defines that are no relays; relays; signals of machines follow, then gap
                                                 * and reaction of each projection, H and force of each
                                                 * pair that has one */
    bool *is_coordinate;                        /* [n_x] position or velocity */
    struct joint_tree *tree;                    /* of bodies on joints (mechanics/joint_tree.h); NULL: there are none */

    const char *path;                           /* of the expression being parsed */
    const struct model_phase *phase;            /* whose constraints are read; NULL: those of all */
    const struct model_conditional *condition;  /* of the constraint that is read; NULL: none */
    bool numbers_only;                          /* names other than parameters are mistakes */
    bool ends_allowed;                          /* initial(e) and final(e) may stand here */
    bool contacts_allowed;                      /* foot.gap, foot.lambda_n, ... may stand here */
};

/* --- reader.c: words and blocks ------------------------------------------------------------------------------- */
/* A reader for texts that come after the model has been read (settings, replaced controls). */
struct reader reader_reopen(struct model *model, struct diag *diag);

bool reader_is_broken(const struct reader *r, expr e);
/* The text of the child `key`, "" if there is none. */
const char *reader_word(struct reader *r, const struct spec_node *node, const char *key);
enum status reader_bool(struct reader *r, const struct spec_node *node, bool *out);
/* The i with word[i] == the scalar's text, NULL-terminated list; -1 after an error. */
int reader_choice(struct reader *r, const struct spec_node *node, const char *const *word);
/* The node of a block that must be a mapping; NULL if absent, empty or (reported) something else. */
const struct spec_node *reader_block(struct reader *r, const struct spec_node *parent, const char *key);
/* The child of a mapping by key; NULL if it is absent, or stands there without a value. */
const struct spec_node *reader_given(const struct spec_node *parent, const char *key);
/* The child `key` of a record, or the node itself if it is a scalar: a record may be its main value. */
const struct spec_node *reader_main(const struct spec_node *node, const char *key);
/* The symbols of n states of an index, in the model's arena. */
expr *reader_symbols(struct reader *r, int n, const int *index);
/* Reports that `name` is no `what`, with the nearest of the n variables (those of index, NULL: the first n). */
void reader_refuse_name(struct reader *r, const struct spec_node *node, struct srcpos pos, const char *name,
                        const char *what, int n, const struct model_var *var, const int *index);

/* --- names.c -------------------------------------------------------------------------------------------------- */
/* Checks that the key of a node is a legal name. */
enum status reader_check_letters(struct reader *r, const struct spec_node *node);
/* Checks a name of a parameter, state, control or define: legal, not taken, not used before. */
void reader_check_name(struct reader *r, const struct spec_node *node);
/* The result file has datasets "owner_suffix"; no variable may bear such a name. what:
 * "contact", for the message. */
void reader_check_result_names(struct reader *r, const char *what, const char *owner, int n,
                               const char *const *suffix);
/* One more quantity of bodies, "tool.x", "distance.hands". */
void reader_add_quantity(struct reader *r, const char *name, expr e);
/* The state of that name; -1: there is none, which is reported, with the nearest name. */
int reader_state_of(struct reader *r, const struct spec_node *node, struct srcpos pos, const char *name);

/* --- scope.c: expressions and numbers ------------------------------------------------------------------------- */
/* Reads parameter or define k, if that has not been done. */
void reader_need_parameter(struct reader *r, int k);
void reader_need_define(struct reader *r, int k);

/* A scalar as the parser wants it. */
struct parse_text reader_text(const struct spec_node *node);

/* The expression of a scalar node; r->broken after an error. reader_parameter_expr: of parameters alone. */
enum status reader_expr(struct reader *r, const struct spec_node *node, expr *out);
enum status reader_parameter_expr(struct reader *r, const struct spec_node *node, expr *out);
/* The same, smooth (else with a hint) and of the symbols allowed (USES_ flags, `what` says whose mistake). */
expr reader_smooth(struct reader *r, const struct spec_node *node, const char *hint, int allowed, const char *what);
enum status reader_relation(struct reader *r, const struct spec_node *node, struct parse_relation *out);
/* One inequality as what rises above 0 where it comes to hold; r->broken after an error.
 * hint: where it is not smooth. */
expr reader_condition(struct reader *r, const struct spec_node *node, const char *what, const char *example,
                      const char *hint);

/* A number: an expression of fixed parameters. On an error *out keeps its value. finite: no inf. */
enum status reader_number(struct reader *r, const struct spec_node *node, double *out);
enum status reader_finite(struct reader *r, const struct spec_node *node, double *out);
enum status reader_int(struct reader *r, const struct spec_node *node, int min, int max, int *out);
/* [lo, hi] with lo <= hi. */
enum status reader_range(struct reader *r, const struct spec_node *node, double *lo, double *hi);

/* --- solids.c: points, and shapes in space; NULL (reported): the scalar names none. -------------------------- */
const struct model_point *reader_point_of(struct reader *r, const struct spec_node *node);
const struct model_solid *reader_solid_of(struct reader *r, const struct spec_node *node);
/* Their gaps (solid.h): the number; 0 (reported at the node) where there are none. b NULL: the plane z = 0. */
int reader_solid_gaps(struct reader *r, const struct spec_node *node, const struct model_solid *a,
                      const struct model_solid *b, struct solid_gap *out);

/* --- tables.c: table k, which is ready, at n arguments; r->broken after an error. The name that is nearest, or NULL.  */
expr reader_call_table(struct reader *r, int k, int n, const expr *arg, struct srcpos pos);
const char *reader_nearest_table(const struct reader *r, const char *name);
/* scope.c: reads table k if that has not been done; false (reported): it is being read. */
bool reader_table_is_ready(struct reader *r, int k, struct srcpos pos);

/* --- files.c: a CSV beside the spec; `stored` says why a result's spec names none. csv_free it in any case. -- */
enum status reader_csv(struct reader *r, const struct spec_node *node, const char *what, const char *stored,
                       struct csv *out);
/* -1, reported at the node with `advice` (or "") behind it, if there is none of that name. */
int reader_csv_column(struct reader *r, const struct spec_node *node, const struct csv *csv, const char *name,
                      const char *advice);
/* What is in a cell; where that is no finite number, an error. */
enum status reader_csv_number(struct reader *r, const struct csv *csv, int row, int column, double *out);

/* --- check.c: what an expression may depend on ---------------------------------------------------------------- */
enum uses { USES_POSITIONS = 1, USES_VELOCITIES = 2, USES_OTHER_STATES = 4, USES_CONTROLS = 8, USES_TIME = 16,
            USES_ENDS = 32, USES_LAMBDA = 64, USES_STATES = 7, USES_ALL = 31 };

/* STATUS_SPEC (reported at the node, `what` says whose mistake) if e depends on a symbol not allowed. */
enum status check_uses(struct reader *r, const struct spec_node *node, expr e, int allowed, const char *what);
/* Refuses abs, min, max, sign, step, if with a hint. */
enum status check_smooth(struct reader *r, const struct spec_node *node, expr e, const char *hint);
/* Is e a power above 1 of something, up to a factor? Where that is 0, so is its gradient. */
bool check_is_power(const struct expr_graph *g, expr e);

/* --- orientation_error.c: is "tool.orientation_error.goal.x" meant? What it stands for, r->broken after an error.  */
bool orientation_error_is_meant(const char *name);
expr reader_orientation_error(struct reader *r, const char *name, struct srcpos pos);

/* --- wrenches.c: force and moment of a contact in space, all of its family: "force.x". Is such a part meant? - */
bool wrench_is_meant(const char *part);
expr reader_wrench(struct reader *r, int contact, const char *part, struct srcpos pos);

/* --- quantities.c: what contacts do, by name ------------------------------------------------------------------ */
/* Is a quantity of a contact meant? What "foot.lambda_n" stands for, r->broken after an error; does e depend on
 * forces, on impulses? Errors where it may not. */
bool quantity_is_meant(const struct model *m, const char *name);
expr reader_quantity(struct reader *r, const char *name, struct srcpos pos, struct diag *diag);
void model_name_forces(struct reader *r);               /* once contacts and projections are known */
expr reader_reaction(struct reader *r, int k);          /* of projection k, as it is called where r reads */
bool quantity_is_force(const struct model *m, expr e);
bool quantity_is_impulse(const struct model *m, expr e);
enum status quantity_refuse(struct reader *r, const struct spec_node *node, expr e, const char *what);

#endif
