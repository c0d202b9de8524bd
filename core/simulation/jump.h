/* core/simulation/jump.h - velocities after an impact: restitution with Coulomb friction
 *
 *   M (v_plus - v_minus) = sum_c J_n r_n + J_t r_t                                   HYB, (2ncp1)
 *   Newton    0 <= r_n  _|_  u_n - target >= 0,  target = e max(0, -u_n_minus),  u = J'v_plus
 *   friction  |r_t| <= mu r_n;  r_t opposes u_t, of full size where u_t is not 0     exact cone, in space too
 *   Poisson   compression as Newton with e = 0; then expansion, with at least e r_n of it as normal impulse:
 *             0 <= r_n - e r_n_compression  _|_  u_n >= 0
 *
 * For few contacts every combination of released, sticking and slipping contacts is tried and all solutions are
 * found; where there are several, the one that leaves the least kinetic energy is taken. For many the combination
 * comes from Lemke's method on a polyhedral cone, and is then solved with the exact one. What neither solves is
 * found by sweeps of proximal points.
 *
 * Errors  STATUS_NUMERIC with a text: no combination solves the problem.
 */
#ifndef COCP_CORE_SIMULATION_JUMP_H
#define COCP_CORE_SIMULATION_JUMP_H

#include "core/simulation/simulation.h"

struct jump_options {
    enum sim_restitution restitution;
    bool inelastic;                 /* e = 0 whatever the contacts say: the end of a Zeno sequence */
    bool without_collision;         /* of several solutions the one with the largest impulse: a contact that slides
                                     * into itself takes a finite impulse without approaching (Painleve) */
};

struct jump_info {
    int n_solutions;                /* that differ in v_plus; 0: not all were looked for */
    double loss;                    /* of kinetic energy */
};

enum status jump_solve(const struct jump_options *options, const struct sim_impact *impact, double *v_plus,
                       double *impulse, struct jump_info *info, char *why, size_t why_size);

/* Forces instead of impulses, contacts that are closed and stay so or open: 0 <= f_n  _|_  a_n >= 0, and friction
 * as above with accelerations a = a_free + G f in place of velocities; a contact that slips already (slips[c]) has
 * its friction against direction [2 * c]. in->v_minus and in->e are not looked at. a_free [3 * n_c]; rest [n_c]
 * tells what each contact does, slip_direction [2 * n_c] where to it slips. */
enum jump_rest { JUMP_OPENS, JUMP_STICKS, JUMP_FORWARD, JUMP_BACKWARD };
enum status jump_forces(const struct sim_impact *in, const double *a_free, const bool *slips,
                        const double *direction, enum jump_rest *rest, double *slip_direction);

/* v'M v / 2. */
double jump_kinetic(int n_q, const double *M, const double *v);

#endif
