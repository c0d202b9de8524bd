/* core/contact/jump.h - velocities after an impact: restitution with Coulomb friction, the exact cone in space
 * too
 *
 *   M (v_plus - v_minus) = sum_c J_n r_n + J_t r_t                                   HYB, (2ncp1)
 *   Newton    0 <= r_n  _|_  u_n - target >= 0,  target = e max(0, -u_n_minus),  u = J'v_plus
 *   friction  |r_t| <= mu r_n;  r_t opposes u_t, of full size where u_t is not 0
 *   Poisson   compression as Newton with e = 0; then expansion, with at least e r_n of it as normal impulse:
 *             0 <= r_n - e r_n_compression  _|_  u_n >= 0
 *
 * For few contacts every combination of released, sticking and slipping contacts is tried and all solutions are
 * found; where there are several, the one that leaves the least kinetic energy is taken. For many, or more than
 * two with friction in space, impulses are found by Newton's method on the cones (friction_newton.h); else the
 * combination is that of the impulses that Lemke's method finds (friction.h). What neither solves is found by
 * sweeps of proximal points.
 *
 * Shapes  contact c has the columns R c ... R c + R - 1 of J [n_q * R n_c], R = CONTACT_ROWS: normal, tangents (0
 *         where there is none); impulse [R n_c] likewise; M [n_q * n_q].
 * Errors  STATUS_NUMERIC with a text: no combination solves the problem.
 */
#ifndef COCP_CORE_CONTACT_JUMP_H
#define COCP_CORE_CONTACT_JUMP_H

#include "core/base/slip.h"
#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* An impact: the contacts that are closed (their gap is 0), and the velocity before it. */
struct jump_impact {
    int n_q, n_c;
    const int *contact;             /* [n_c] index in the model */
    const int *n_t;                 /* [n_c] 0 .. SLIP_MAX */
    const double *v_minus;          /* [n_q] */
    const double *M, *J;
    const double *mu, *e;           /* [n_c] */
    const double *drift;            /* [R n_c] what moving surfaces add to u = J'v; NULL: none moves */
};

enum jump_law { JUMP_NEWTON, JUMP_POISSON,
                JUMP_WITHOUT_COLLISION };   /* e = 0, and of several solutions the one with the largest impulse: a contact
                                             * that slides into itself takes a finite impulse without approaching
                                             * (Painleve) */

struct jump_info {
    int n_solutions;                /* that differ in v_plus; 0: not all were looked for */
    double loss;                    /* of kinetic energy */
};

enum status jump_solve(enum jump_law law, const struct jump_impact *impact, double *v_plus, double *impulse,
                       struct jump_info *info, char *why, size_t why_size);

/* Forces instead of impulses, contacts that are closed and stay so or open: 0 <= f_n  _|_  a_n >= 0, and friction
 * as above with accelerations a = a_free + G f in place of velocities; a contact that slips already (slips[c]) has
 * its friction against direction [SLIP_MAX * c]. in->v_minus and in->e are not looked at. a_free [R * n_c]; rest [n_c]
 * tells what each contact does, slip_direction [SLIP_MAX * n_c] where to it slips. */
enum jump_rest { JUMP_OPENS, JUMP_STICKS, JUMP_FORWARD, JUMP_BACKWARD };
enum status jump_forces(const struct jump_impact *in, const double *a_free, const bool *slips,
                        const double *direction, enum jump_rest *rest, double *slip_direction);

#endif
