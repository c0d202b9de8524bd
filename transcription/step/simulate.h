/* transcription/step/simulate.h - a simulation step by step with the machinery of solve
 *
 *   step k: one control interval of `time.elements` finite elements, x fixed where the last step ended; its MPCC
 *   is solved by homotopy from "everything as it is now", and the solution appended to a record
 *
 * Steps have the length T / steps in numerical time. With time-freezing physical time is the clock's: steps follow
 * until it reaches the horizon, and the last one ends there exactly (math.md C.7). Where a table of controls jumps,
 * a step ends too.
 *
 * A step of FESD-J is foreseen (foresee.h) where that is possible, with up to two elements more if it has more events
 * than elements. Otherwise its MPCC is solved; if that fails, it is tried again: with other guesses, a slower homotopy,
 * one element more, a wider dead band, and at last as two of half the length. What could not be solved ends the simulation; what was found so far is kept.
 */
#ifndef COCP_TRANSCRIPTION_STEP_SIMULATE_H
#define COCP_TRANSCRIPTION_STEP_SIMULATE_H

#include "core/mpcc/homotopy.h"
#include "transcription/start/control_table.h"
#include "transcription/record/record.h"

enum simulate_method {
    SIMULATE_EVENT, SIMULATE_FESD, SIMULATE_FESD_J, SIMULATE_TIME_FREEZING, SIMULATE_TIME_STEPPING,
    SIMULATE_MOREAU, SIMULATE_STEWART_TRINKLE
};
enum impact_law { IMPACT_LAW_NEWTON, IMPACT_LAW_POISSON };

struct simulate_settings {          /* the block `simulate`, without `controls` */
    int method;                     /* enum simulate_method */
    int steps;                      /* SETTING_AUTO_INT: time.intervals */
    double rtol, atol;              /* of the event-driven method */
    int impact_law;                 /* enum impact_law */
    int max_events;
};

extern const struct setting_table simulate_table;

/* Reads the block (NULL: defaults); its key `controls` is left to the caller. */
enum status simulate_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                   struct simulate_settings *out, struct diag *diag);
const char *simulate_method_name(enum simulate_method method);

/* A simulation starts somewhere: x [n_x], the one initial value of each state; a range or `free` is an error. */
enum status simulate_read_initial(const struct model *model, double *x, struct diag *diag);

struct simulate_step {              /* one solved or failed step */
    double t_start, t_end;          /* physical time */
    int n_element, n_attempt;       /* attempts: 1 if the first one worked */
    double sigma, complementarity, violation;
    int iterations;                 /* of all attempts, as seconds */
    double seconds;
    enum status status;
};

struct simulation {                 /* what a run is given; set up by simulation_init, then changed field by field */
    struct model *model;
    const struct discretization *discretization;    /* its method is the one to use */
    const struct homotopy_settings *homotopy;
    int steps;
    const struct control_table *controls;           /* or NULL: controls at their guess */
    const expr *u_expr;             /* [n_u] what took a control's place (model_replace_controls), or NULL */
    double max_seconds;             /* wall time; INFINITY: none */
    const volatile sig_atomic_t *interrupt;
    int n_option;
    const struct nlp_option *option;
    int print_level;
    void (*on_step)(void *user, const struct simulate_step *step);  /* after each step; may be NULL */
    void (*on_note)(void *user, const char *text);                  /* what a step needed; may be NULL */
    void *user;
};

void simulation_init(struct simulation *sim, struct model *model);

struct simulate_result {
    enum status status;             /* the worst of the steps */
    struct record *record;
    int n_step;
    struct simulate_step *step;     /* [n_step] */
    double t_end;                   /* reached */
    double complementarity, violation;              /* the largest of all steps */
    int iterations;
    double seconds, eval_seconds;
    int n_var, n_con, n_comp, nnz_jac, nnz_hess;    /* of one step */
    char *failure;                  /* where and why it ended early; or NULL */
};

/* Simulates from the initial values over the horizon. STATUS_SPEC and STATUS_USAGE with messages in `diag`; the rest
 * is a result. simulate_result_free afterwards, whatever came back. */
enum status simulate_run(const struct simulation *sim, struct simulate_result *out, struct diag *diag);
void simulate_result_free(struct simulate_result *result);

#endif
