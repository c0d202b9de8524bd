/* transcription/reading/step_switches.h - what switches do in time steps beside contacts
 *
 * Implicit Euler has a switching function at 0 at the ends of the steps in which it slides; a relaxed solution up
 * to sigma, as its step alpha says (phases.md "Reading"). Nested functions depend on those inside them, whose steps
 * are known first.
 */
#ifndef COCP_TRANSCRIPTION_READING_STEP_SWITCHES_H
#define COCP_TRANSCRIPTION_READING_STEP_SWITCHES_H

#include "transcription/reading/extract.h"

struct step_switches {
    const struct phase_system *sys;
    const struct time_steps *from;
    const double *grid;             /* [n_interval + 1], borrowed */
    int n;                          /* switches of the model; the sides of its complementarities are not among them */
    struct tape *c;
    double *slot, *value, *work;
    double *at_end;                 /* [(n_step + 1) * n] switching functions at the ends of steps */
    double *most;                   /* [n] of each its largest magnitude */
    unsigned char *state;           /* [(n_step + 1) * n] of the step that ends there; first the start */
};

struct step_switches step_switches_read(const struct phase_system *sys, const struct time_steps *from,
                                        const double *grid);
void step_switches_free(struct step_switches *at);

/* Their states at the start, start [n], and all changes. */
void step_switches_add(const struct step_switches *at, struct changes *changes, unsigned char *start);

/* At the end of step k, but with the speeds v [n_a]: does switch l have this state there? */
bool step_switches_has(struct step_switches *at, int l, int k, const double *v, int state);

#endif
