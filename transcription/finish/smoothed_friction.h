/* transcription/finish/smoothed_friction.h - what sticks in space and what slips, by friction that is smoothed
 *
 * With friction in space a sequence says at each moment what slips and what sticks, and the directions of slip
 * are free: from a motion that is far from what is asked its program rarely comes to a solution. So all that is
 * closed slips at first, with
 *
 *   lambda_t = - mu lambda_n v_t / sqrt(|v_t|^2 + width^2)                                                           (1)
 *
 * viscous friction for slow slip, the exact cone for fast slip. With root that square root, dir = v_t / root
 * and speed = root are rows in place of v_t = speed dir and |dir| = 1, in stages and impacts: they are linear
 * in dir and speed. With speed^2 - |v_t|^2 = width^2 in their place no width below 0.3 m/s was solved. The
 * width shrinks until slip that is slower than it is next to none, and shows what sticks. When gaps open and
 * close is that of the given sequence.
 */
#ifndef COCP_TRANSCRIPTION_FINISH_SMOOTHED_FRICTION_H
#define COCP_TRANSCRIPTION_FINISH_SMOOTHED_FRICTION_H

#include "transcription/finish/finish.h"

/* The sequence with everything that is closed and has friction in space slipping, and its impacts, too, and the
 * trajectory with these modes: *out, extract_free afterwards. False: nothing has any, or other contacts are hit. */
bool smoothed_friction_undecided(const struct phase_system *sys, const struct extract *from, struct extract *out);

/* Solves the program of such a sequence for smaller and smaller widths. The last solution tells the exact sequence:
 * *out, which extract_free releases; *found: there is one. */
enum status smoothed_friction_decide(const struct finish_task *task, const struct extract *undecided,
                                     struct extract *out, bool *found, struct diag *diag);

#endif
