/* transcription/step/task.h - what a simulation step by step is given, and what comes of it */
#ifndef COCP_TRANSCRIPTION_STEP_TASK_H
#define COCP_TRANSCRIPTION_STEP_TASK_H

#include "core/mpcc/homotopy.h"
#include "transcription/record/record.h"
#include "transcription/start/control_table.h"

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

struct simulate_result {
    enum status status;             /* the worst of the steps */
    struct record *record;
    int n_step;
    struct simulate_step *step;     /* [n_step] */
    double t_end;                   /* reached */
    double complementarity, violation;              /* the largest of all steps */
    int iterations;
    double seconds, eval_seconds;
    struct nlp_linear_work linear;
    int n_var, n_con, n_comp, nnz_jac, nnz_hess;    /* of one step */
    char *failure;                  /* where and why it ended early; or NULL */
};

#endif
