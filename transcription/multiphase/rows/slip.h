/* transcription/multiphase/rows/slip.h - how far slip is from a jam
 *
 * A contact that slips with dir v_t/|v_t| has the force lambda_n (J_n - mu J_t dir), which its own acceleration
 * needs:
 *
 *   gap'' = b + lambda_n J_n' M^-1 (J_n - mu J_t dir) = 0,   b what it is without a force                         (1)
 *   yield = J_n' M^-1 (J_n - mu J_t dir) / (J_n' M^-1 J_n) = 1 - mu (J_t dir)'x / J_n'x,   M x = J_n               (2)
 *
 * 1 without friction. Towards 0 the force grows without bound (slip jams), below it several modes are consistent
 * or none, and which one comes is not told (Painleve). Each contact is looked at as if it were closed alone.
 */
#ifndef COCP_TRANSCRIPTION_MULTIPHASE_ROWS_SLIP_H
#define COCP_TRANSCRIPTION_MULTIPHASE_ROWS_SLIP_H

#include "transcription/multiphase/rows/rows.h"

#endif
