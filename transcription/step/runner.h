/* transcription/step/runner.h - a simulation between its steps, and what makes one; private to this room */
#ifndef COCP_TRANSCRIPTION_STEP_RUNNER_H
#define COCP_TRANSCRIPTION_STEP_RUNNER_H

#include "transcription/discretize/transcription.h"
#include "transcription/step/recipe.h"
#include "transcription/step/task.h"

/* A transcription of a step, kept for the steps that are like it. */
struct kept_program { struct transcription *tr; double length; int n_element; double band; };

struct runner {
    const struct simulation *sim;
    struct simulate_result *out;
    struct diag *diag;
    struct homotopy_settings homotopy;      /* the user's, in part tightened; borrowed arrays */
    struct kept_program kept[N_CACHE];
    int n_kept;
    double *x;                      /* [n_x] now */
    double *lam, *sel;              /* of the last stage of the last step; NULL before the first one */
    double t, start;                /* physical time now; of the wall clock at the start */
    int row;                        /* of the table of controls */
    bool freezes;
};

/* What one step is to be. */
struct step_shape {
    double length;                  /* in numerical time */
    enum transcription_end end;
    double t_end;                   /* END_OF_PHYSICAL_TIME */
};

struct step_solution {
    struct transcription *tr;
    bool owns_tr;
    struct homotopy_result result;
};

double runner_time_tol(const struct runner *run);
double runner_seconds_left(const struct runner *run);
bool runner_is_interrupted(const struct runner *run);
/* Wall time is up, or the user wants to stop. */
bool runner_must_stop(const struct runner *run);
void runner_say(const struct runner *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The program of a step, new or kept from steps that were like it; step->owns_tr says
 * whose it is (step_program.c). */
enum status step_find_program(struct runner *run, const struct step_shape *shape, const struct step_try *how,
                              struct step_solution *step);
/* Initial state, controls and guess of a step: everything as it is now. */
void step_prepare(struct runner *run, struct transcription *tr, const struct step_try *how);
/* Usual half width of the dead band; 0: there is none. */
double step_band(const struct runner *run);

/* One step, by whatever of recipe.c it takes (step_solve.c): one way after the other; *best is the first
 * solution, else the best of what came out (an acceptable one is used). STATUS_SPEC, STATUS_USAGE and
 * STATUS_INTERNAL end it, and *best is empty. step_free afterwards. */
enum status step_solve(struct runner *run, const struct step_shape *shape, struct step_solution *best,
                       struct simulate_step *log);
void step_free(struct step_solution *step);

#endif
