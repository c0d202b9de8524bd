/* transcription/sequence/couple.h - which contacts feel an impact, and what it leaves of the velocities
 *
 *   M (v+ - v-) = R' Lambda,   R v+ = the impact law        R: rows of those that take part
 *
 * in numbers at one state, in the least-squares sense where rows repeat each other. For reading sequences; the
 * program of phases has the law itself.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_COUPLE_H
#define COCP_TRANSCRIPTION_SEQUENCE_COUPLE_H

#include "transcription/sequence/sequence.h"
#include "transcription/sequence/system.h"

struct couple;

/* At state y [n_y], parameters at their guess. */
struct couple *couple_create(const struct phase_system *sys, const double *y);
void couple_free(struct couple *couple);

/* Adds to hit [n_contact] the contacts that are closed before and after and that an impulse of one that is hit
 * reaches: with their state after. */
void couple_add_closed(const struct couple *couple, const unsigned char *before, const unsigned char *after,
                       unsigned char *hit);

/* Does an impulse of the contacts in hit reach contact c, in normal or tangential direction? */
bool couple_reaches(const struct couple *couple, const unsigned char *hit, int c);
/* May it leave contact c slipping? Not where momentum and restitution alone say that it is at rest afterwards. */
bool couple_drags(const struct couple *couple, const unsigned char *before, const unsigned char *hit, int c);
/* Does it change switching function l? */
bool couple_reaches_switch(const struct couple *couple, const unsigned char *hit, int l);

/* Velocity v_plus [n_a] after the impact of hit from v_minus: sticking ones stop, slipping ones as without
 * friction. Contacts that are open before rebound with their restitution. */
void couple_velocity_after(const struct couple *couple, const unsigned char *before, const unsigned char *hit,
                           const double *v_minus, double *v_plus);

/* Normal velocity of contact c, tangential velocity k. */
double couple_normal(const struct couple *couple, int c, const double *v);
double couple_slip(const struct couple *couple, int c, int k, const double *v);

#endif
