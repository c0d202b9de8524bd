/* core/model/read.h - what the files of this room share while they read a spec
 *
 * A reader carries the model under construction and the tree it comes from. Parameters and defines may be
 * written in any order, so each is read when it is first named or when its turn comes, whichever is earlier.
 *
 * What could not be read is replaced by the symbol `broken`: reading carries on, and nothing is said about an
 * expression that depends on it, so that one mistake makes one message.
 * Errors  every function reports to r->diag; a status other than STATUS_OK has been reported.
 */
#ifndef COCP_CORE_MODEL_READ_H
#define COCP_CORE_MODEL_READ_H

#include "core/expression/parse.h"
#include "core/model/model.h"

enum { MAX_DEPTH = 400 };           /* of names naming names: a longer chain is a generated or hostile file */

enum read_state { UNREAD, READING, READ };

/* A moment at which impulses act (impulses.c): a bound is in s, or a part of the horizon. */
struct bound { double value; bool has_unit; };
struct impulse_moment {
    const struct spec_node *node;
    double part;                    /* of the horizon: where it is, or is guessed to be */
    bool is_free;                   /* between lo and hi */
    struct bound lo, hi;
    int at;                         /* the boundary of control intervals that it becomes */
};
struct moments { int n; struct impulse_moment *moment; };

struct reader {
    struct model *model;
    struct arena *mem;                          /* the model's */
    struct expr_graph *g;                       /* the model's */
    const struct spec_node *root;
    enum model_need need;
    struct diag *diag;
    expr broken;

    const struct spec_node **param_node;        /* [n_param]; NULL once the model is complete */
    const struct spec_node **define_node;       /* [n_define] */
    const struct spec_node **phase_node;        /* [n_phase] */
    const struct spec_node **impulse_node;      /* [n_impulse] */
    struct moments *impulse_moments;            /* [n_impulse] while the spec is read */
    int cap_param;                              /* room for parameters that impulses add; 0: none yet */
    const struct model_phase *phase;            /* whose constraints are read; NULL: those of all */
    int n_plain_param, n_plain_u;               /* without lengths and names of phases, which follow */
    int n_plain, n_relay;                       /* defines that are no relays; relays; signals of machines follow, then gap
                                                 * and reaction of each projection, H and force of each
                                                 * pair that has one */
    enum read_state *param_state, *define_state;
    struct known_names *names;                  /* while the model is read: what searches for a name have seen of it */
    const char **stack;                         /* [MAX_DEPTH + 1] names being read, [depth - 1] innermost */
    int depth;

    const char *path;                           /* of the expression being parsed */
    bool *is_coordinate;                        /* [n_x] position or velocity */
    bool numbers_only;                          /* names other than parameters are mistakes */
    bool ends_allowed;                          /* initial(e) and final(e) may stand here */
    bool contacts_allowed;                      /* foot.gap, foot.lambda_n, ... may stand here */
};

/* --- known_names.c: names of the model by hashing ------------------------------------------------------------ */
struct known_names *known_names_create(void);
void known_names_free(struct known_names *names);
enum name_kind { NAME_PARAMETER, NAME_STATE, NAME_CONTROL, NAME_IMPULSE, NAME_DEFINE, NAME_POINT, NAME_NONE };
struct name { enum name_kind kind; int index; };            /* of a point: 3 times its index, and which coordinate */
/* What the text names in the model as it is now, the first kind that has it; names NULL: by looking at all. */
struct name known_names_find(struct known_names *names, const struct model *m, const char *text);

/* --- scope.c: names, expressions, numbers ------------------------------------------------------------------ */
/* A reader for texts that come after the model has been read (settings, replaced controls). */
struct reader reader_reopen(struct model *model, struct diag *diag);

/* Checks that the key of a node is a legal name. */
enum status reader_check_letters(struct reader *r, const struct spec_node *node);
/* Checks a name of a parameter, state, control or define: legal, not taken, not used before. */
void reader_check_name(struct reader *r, const struct spec_node *node);
/* The result file has datasets "owner_suffix"; no variable may bear such a name. what: "contact", for the message. */
void reader_check_result_names(struct reader *r, const char *what, const char *owner, int n, const char *const *suffix);
/* Reads parameter or define k, if that has not been done. */
void reader_need_parameter(struct reader *r, int k);
void reader_need_define(struct reader *r, int k);
bool reader_is_broken(const struct reader *r, expr e);

/* A scalar as the parser wants it. */
struct parse_text reader_text(const struct spec_node *node);

/* The expression of a scalar node; r->broken after an error. reader_parameter_expr: of parameters alone. */
enum status reader_expr(struct reader *r, const struct spec_node *node, expr *out);
enum status reader_parameter_expr(struct reader *r, const struct spec_node *node, expr *out);
/* The same, smooth (else with a hint) and of the symbols allowed (USES_ flags, `what` says whose mistake). */
expr reader_smooth(struct reader *r, const struct spec_node *node, const char *hint, int allowed, const char *what);
enum status reader_relation(struct reader *r, const struct spec_node *node, struct parse_relation *out);
/* One inequality as what rises above 0 where it comes to hold; r->broken after an error. hint: where it is not smooth. */
expr reader_condition(struct reader *r, const struct spec_node *node, const char *what, const char *example, const char *hint);

/* A number: an expression of fixed parameters. On an error *out keeps its value. finite: no inf. */
enum status reader_number(struct reader *r, const struct spec_node *node, double *out);
enum status reader_finite(struct reader *r, const struct spec_node *node, double *out);
enum status reader_int(struct reader *r, const struct spec_node *node, int min, int max, int *out);
/* [lo, hi] with lo <= hi. */
enum status reader_range(struct reader *r, const struct spec_node *node, double *lo, double *hi);

/* --- moment.c, places.c: times and where constraints hold ---------------------------------------------------- */
/* The key of a node as a scalar. */
struct spec_node reader_key(const struct spec_node *node);
/* A time as it is written: "0.5 s", in units of time, or without a unit. Of another unit that is known, as "30 min", it is
 * converted. */
struct moment { double value; bool has_unit; };
enum status reader_moment(struct reader *r, const struct spec_node *node, struct moment *out);
bool moment_has_unit(const char *text);
/* A time as a number in [0, 1]: a fraction of the horizon, which must be fixed for times with a unit. */
enum status reader_fraction(struct reader *r, const struct spec_node *node, double *out);
/* Refuses an inner time at which the discretization cannot tell the state: where lengths of control intervals are
 * variables nothing is known of their ends, and raw solutions have points at these alone. */
enum status reader_check_time(struct reader *r, const struct spec_node *node, double fraction);
/* What `at` says, path without it; at is 0 after an error, AT_BOUNDARY in place of the 0 of model.h; AT_IMPULSES: of each
 * impulse. */
enum { AT_BOUNDARY = 1 << 30, AT_IMPULSES = 1 << 29 };
struct model_places { int at, n_time; double *time; };          /* [n_time] in the model's arena */
struct model_places reader_places(struct reader *r, const struct spec_node *node);

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

/* Indices by name, -1 if there is none; the _of form reports, with the nearest name. */
int model_find_state(const struct model *m, const char *name);
int model_find_control(const struct model *m, const char *name);
int reader_state_of(struct reader *r, const struct spec_node *node, struct srcpos pos, const char *name);
/* Reports that `name` is no `what`, with the nearest of the n variables (those of index, NULL: the first n). */
void reader_refuse_name(struct reader *r, const struct spec_node *node, struct srcpos pos, const char *name,
                        const char *what, int n, const struct model_var *var, const int *index);
/* The symbols of n states of an index, in the model's arena. */
expr *reader_symbols(struct reader *r, int n, const int *index);

/* --- check.c: what an expression may depend on ------------------------------------------------------------- */
enum uses { USES_POSITIONS = 1, USES_VELOCITIES = 2, USES_OTHER_STATES = 4, USES_CONTROLS = 8, USES_TIME = 16,
            USES_ENDS = 32, USES_LAMBDA = 64, USES_STATES = 7, USES_ALL = 31 };

/* STATUS_SPEC (reported at the node, `what` says whose mistake) if e depends on a symbol not allowed. */
enum status check_uses(struct reader *r, const struct spec_node *node, expr e, int allowed, const char *what);
/* Refuses abs, min, max, sign, step, if with a hint. */
enum status check_smooth(struct reader *r, const struct spec_node *node, expr e, const char *hint);
/* Is e a power above 1 of something, up to a factor? Where that is 0, so is its gradient. */
bool check_is_power(const struct expr_graph *g, expr e);
/* Is e zero for all values of the symbols, up to rounding? Tries a few points. */
bool check_is_zero(struct reader *r, expr e);
/* A value at the guess (first) or at the initial values. */
enum check_point { AT_GUESS, AT_START };
double check_eval(const struct model *m, expr e, enum check_point where);

/* --- One story each, in the order of reading --------------------------------------------------------------- */
void model_read_time_unit(struct reader *r);            /* first: others are in it */
void model_collect_phases(struct reader *r);            /* how many, before parameters and controls */
void model_collect_parameters(struct reader *r);        /* names; values later */
void model_read_parameters(struct reader *r);
void reader_read_parameter(struct reader *r, int k);
void model_read_time(struct reader *r);
/* phases.c: lengths and intervals make the horizon; which states have rates in all of them; what acts in each and what
 * jumps where it begins; after the dynamics of all, costs and constraints those of each; and ties of both ends. */
void model_read_lengths(struct reader *r);
/* The coordinate that a key names, -1 after an error; says that state k has a rate already, if it is one's. */
int reader_coordinate_of(struct reader *r, const struct spec_node *node);
void reader_refuse_coordinate(struct reader *r, const struct spec_node *node, int k);
bool reader_phases_give(const struct reader *r, const char *kind, const char *state);
expr reader_phases_blend(struct reader *r, const char *kind, const char *state, expr base);
void model_read_phases(struct reader *r);
void model_read_links(struct reader *r);
/* Costs and constraints of one phase are added to those that there are. */
void reader_add_running(struct reader *r, const struct spec_node *block, expr factor);
void reader_add_terminal(struct reader *r, const struct spec_node *block, const struct model_places *places);
void reader_add_constraints(struct reader *r, const struct spec_node *block);
void reader_add_end(struct reader *r, const struct spec_node *node, expr e);    /* e is 0 at the end of r->phase, not above before */
void reader_make_constraint_room(struct reader *r, int n);
void model_collect_variables(struct reader *r);
/* held.c: 0, or the order of the held control that a node of `controls` is; its states and its decision; their values and
 * their rates of change. */
int held_order(const struct spec_node *node);
void held_collect(struct reader *r, const struct spec_node *node, int order);
void held_read(struct reader *r, const struct spec_node *node, const struct model_held *held);
void held_add_rates(struct reader *r, bool *given);
/* loads.c: the states of an entry of `friction`; coordinates, before those of bodies; inertia and load, after all others;
 * what contacts.c needs of the k-th. */
void load_collect(struct reader *r);
int load_count(struct reader *r);
void load_add_coordinates(struct reader *r);
void load_add_inertia(struct reader *r);
/* variables.c: one more variable of that name, `node` says where; what states and controls have in common; both ends. */
void variables_add(struct reader *r, const struct spec_node *node, const char *name, int *n, struct model_var *var,
                   expr *sym);
void variables_read_common(struct reader *r, const struct spec_node *node, struct model_var *var);
void variables_read_ends(struct reader *r, const struct spec_node *node, struct model_var *var);
void variables_read_but_guess(struct reader *r, const struct spec_node *node, struct model_var *var);
void model_read_variables(struct reader *r);
/* impulses.c: is an entry of `controls` impulsive? Its name; which one that is, -1: none; moments, grid and parameters of
 * all; rows that hold free moments between their bounds. */
bool impulse_is_meant(const struct spec_node *node);
void impulse_collect(struct reader *r, const struct spec_node *node);
int model_find_impulse(const struct model *m, const char *name);
void model_read_impulses(struct reader *r);
void model_bound_impulses(struct reader *r);
/* sizes.c: a `scale`; solver.scale. */
void reader_size(struct reader *r, const struct spec_node *node, double *out);
void model_read_scaling(struct reader *r);
/* jumps.c: what states jump by where phases begin and impulses act; costs and constraints that are of each impulse. */
void model_read_jumps(struct reader *r);
/* An entry of a cost: a text, {expr, weight} or {squares, reference, weight}. */
expr reader_cost_entry(struct reader *r, const struct spec_node *node);
void jumps_add_cost(struct reader *r, const struct spec_node *block);
void jumps_add_relation(struct reader *r, const struct spec_node *node, const struct parse_relation *rel,
                        void (*add)(struct reader *r, const struct spec_node *node, const struct parse_relation *rel,
                                    const struct model_places *places));
/* One more parameter, of an impulsive control; optimized unless its bounds are one number. Returns its place among
 * all. */
int reader_add_parameter(struct reader *r, const struct model_var *of, const char *name, const char *units, double lb,
                         double ub, double value);
void model_collect_defines(struct reader *r);
void model_read_defines(struct reader *r);
void reader_read_define(struct reader *r, int k);
/* hysteresis.c: relay k of the block, whose name is define n_plain + k. */
void reader_read_relay(struct reader *r, const struct spec_node *node, struct model_hysteresis *relay, expr *out);
/* machines.c: where each signal is first named, and how many there are; then all the rest. */
int reader_list_signals(struct reader *r, const struct spec_node ***node);
void model_read_machines(struct reader *r);
/* projections.c: entry k of the block, behind them pairs with forces of their own; its gap and reaction, as
 * expressions; after the dynamics what the reactions push. */
const struct spec_node *projection_node(struct reader *r, int k);
void reader_read_projection(struct reader *r, int k);
void model_read_projections(struct reader *r);
/* own_pairs.c: is an entry of `complementarity` a pair with a force of its own? How many there are, and the k-th of
 * them; its name and symbols, its H; the first pair whose force e depends on; what only all of them tell. */
bool own_pair_is_meant(const struct spec_node *node);
int own_pair_count(const struct reader *r);
const struct spec_node *own_pair_node(const struct reader *r, int k);
void own_pair_name(struct reader *r, const struct spec_node *node, struct model_projection *one);
void own_pair_read(struct reader *r, const struct spec_node *node, struct model_projection *one);
const struct model_projection *own_pair_in(const struct reader *r, expr e);
void own_pairs_check(struct reader *r);
/* {through: {time: value}, by: linear | spline}: a function of time. */
void reader_through(struct reader *r, const struct spec_node *node, expr *out);
/* quantities.c: is a quantity of a contact meant? What "foot.lambda_n" stands for, r->broken after an error; does e
 * depend on forces, on impulses? Errors where it may not. */
bool quantity_is_meant(const struct model *m, const char *name);
expr reader_quantity(struct reader *r, const char *name, struct srcpos pos, struct diag *diag);
void model_name_forces(struct reader *r);               /* once contacts and projections are known */
expr reader_reaction(struct reader *r, int k);          /* of projection k, as it is called where r reads */
bool quantity_is_force(const struct model *m, expr e);
bool quantity_is_impulse(const struct model *m, expr e);
enum status quantity_refuse(struct reader *r, const struct spec_node *node, expr e, const char *what);
void model_read_coordinates(struct reader *r);
/* A state that becomes a position or a velocity, from a scalar that names it; -1 (reported) if it cannot. */
int reader_take_state(struct reader *r, const struct spec_node *node);
/* Makes two of them position i and velocity i. */
void reader_add_coordinate(struct reader *r, int q, int v);
/* bodies.c: their coordinates, then what they say of energy, and checks that need both. */
void model_read_bodies(struct reader *r);
expr model_bodies_kinetic(struct reader *r);
/* orientations.c: what is given of them at the ends is of unit length, and guesses are. */
void reader_check_orientations(struct reader *r);
/* grounds.c: the pieces of the grounds that a contact names or brings, or, where it says nothing, of z = 0; false after a
 * mistake. */
bool reader_ground_of(struct reader *r, const struct spec_node *contact, struct ground_pieces *pieces);
void model_read_grounds(struct reader *r);
/* contact_shapes.c: is it a shape in the plane? Its contacts with the pieces of its ground, each like `contact` with
 * its own name, gap and tangent, J_n, J_t and drift: their number, *out in the model's arena; 0 after a mistake. */
bool reader_is_shape(const struct spec_node *block);
int reader_shape_contacts(struct reader *r, const struct spec_node *block, const struct model_contact *contact,
                          struct model_contact **out);
/* coefficients.c: an expression of parameters with its value at the guess in [0, max]; 0 if absent. */
void reader_coefficient(struct reader *r, const struct spec_node *node, double max, expr *e, double *value);
/* Of friction: one, or one for each of n_t components of slip, which then count by their weights (model_contact.weight);
 * v_t, J_t and drift are known. */
void reader_friction(struct reader *r, const struct spec_node *node, struct model_contact *contact);
/* The third component of slip gets its weight; after reader_friction. */
void reader_drilling(struct reader *r, const struct spec_node *node, struct model_contact *contact);
/* contact_points.c: gap and tangential velocity of a point or sphere of a body above its ground. */
void reader_point_contact(struct reader *r, const struct spec_node *block, struct model_contact *contact);
/* Slip of the resistance to rolling of such a contact. */
void reader_point_rolling(struct reader *r, const struct spec_node *block, struct model_contact *contact);
void model_read_dynamics(struct reader *r);
void model_read_mechanical(struct reader *r, const struct spec_node *block);
void model_read_piecewise(struct reader *r, const struct spec_node *block);
void model_read_contacts(struct reader *r);
void model_read_cost(struct reader *r);
void model_read_data(struct reader *r);
void model_read_constraints(struct reader *r);
void model_read_complementarity(struct reader *r);
/* Constraints that initial or final values break, as they are given. */
void reader_check_given_ends(struct reader *r);
void model_collect_moments(struct reader *r);           /* places.c: all times that costs and constraints name */
void model_read_guess(struct reader *r);
void model_read_draw(struct reader *r);

/* rhs: {state: text} into out[n_x]; states not named stay as they are, named ones are marked in given [n_x] and
 * have their places in pos [n_x] (both may be NULL). */
void reader_rhs(struct reader *r, const struct spec_node *block, expr *out, struct srcpos *pos, bool *given);

#endif
