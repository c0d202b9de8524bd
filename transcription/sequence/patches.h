/* transcription/sequence/patches.h - which face or corner of its ground a closed contact touches
 *
 * The gap of a contact with a polygon is put together from pieces (core/model/geometry/polygon.h): where the
 * contact comes from a face to a corner its normal does not jump, but the curvature does, and with it gap'' and
 * the forces. So a mode says which piece, its patch: the sides of the corner functions are numbers in it, and its
 * program is smooth. On patch f
 *
 *   sign_fk c_k(q) >= 0                 for every corner function k whose side it tells: at stages
 *   c_k(q) = 0                          where it goes over to a patch g with sign_gk = - sign_fk: at the end of the mode
 *
 * There forces jump as where controls do: what they set off, a lift-off or slip, may happen at the same time,
 * and is held by what follows alone (events.c). An open contact has the pieces that its place says; so has one
 * whose patch is not given.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_PATCHES_H
#define COCP_TRANSCRIPTION_SEQUENCE_PATCHES_H

#include "transcription/sequence/sequence.h"
#include "transcription/sequence/system.h"

/* Value of side k on a patch: 1 or 0. */
double patches_side(const struct phase_contact *contact, int patch, int k);
/* Sign of corner function k on a patch; 0: any. */
int patches_sign(const struct phase_contact *contact, int patch, int k);

/* Are two patches beside each other? The corner function that is 0 between them; -1: they are not. */
int patches_corner_between(const struct phase_contact *contact, int from, int to);

/* Patches of a sequence whose states were changed: those that are closed and have none take that of the mode
 * before or after, those that are open keep one only as what they went to. True if that changes anything. */
bool patches_settle(const struct phase_system *sys, struct sequence *seq);
/* Does every contact go over to a patch beside its own, and inside an interval? */
bool patches_allow(const struct phase_system *sys, const struct sequence *seq);

#endif
