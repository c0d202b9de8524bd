/* transcription/discretize/transcription.h - a continuous problem on its grid: model -> MPCC
 *
 *   model  --dcs.h-->  dynamic complementarity system  --FESD or fixed grid-->  program.h (an MPCC)
 *
 * places.h says where everything stands; each block of rows and pairs has a file of its own in this folder.
 */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_TRANSCRIPTION_H
#define COCP_TRANSCRIPTION_DISCRETIZE_TRANSCRIPTION_H

#include "transcription/discretize/places.h"
#include "transcription/discretize/slots.h"

/* Builds everything. Errors: what dcs_create refuses; switches of controls that jump, but with time steps; schemes
 * that do not fit. */
enum status transcription_create(struct model *model, const struct discretization *settings,
                                 const struct transcription_task *task, struct transcription **out,
                                 struct diag *diag);
void transcription_free(struct transcription *tr);

#endif
