/* transcription/discretize/dynamics.h - Runge-Kutta equations of all elements and the algebraic rows of their points */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_DYNAMICS_H
#define COCP_TRANSCRIPTION_DISCRETIZE_DYNAMICS_H

#include "transcription/discretize/places.h"

/* Errors  STATUS_SPEC where the scheme does not take the model (nested nonsmooth functions without a stage at the end). */
enum status tr_add_dynamics(struct transcription *tr, struct diag *diag);

#endif
