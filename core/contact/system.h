/* core/contact/system.h - what an impact is made of: inertia, directions and friction of the contacts that close
 *
 *   v_plus = v + M^-1 J lambda,   u = J'v,   u_plus = u + G lambda,   G = J'M^-1 J            impact.md 1, 3
 *
 * Positions do not change during an impact, so that everything here is constant. A contact has one row (column of
 * J) for its normal and one per tangent; the rows of a contact follow each other. Friction is polyhedral: its
 * impulse lies in mu lambda_n conv{d_1, ..., d_k}; planar d = +1, -1, in 3D k unit vectors at equal angles.
 *
 * Shapes  M [n_v x n_v] and J [n_v x n_row] by columns; G [n_row x n_row], symmetric; lambda, u [n_row].
 * Units   those of the model: lambda in N s, u in m/s.
 * Errors  STATUS_NUMERIC if M is not positive definite or a number is not finite.
 */
#ifndef COCP_CORE_CONTACT_SYSTEM_H
#define COCP_CORE_CONTACT_SYSTEM_H

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/contact/cone.h"
#include "core/contact/jump.h"

#include <stdbool.h>

enum { IMPACT_MAX_CONTACTS = 16, IMPACT_MAX_DIRECTIONS = 16, IMPACT_MAX_ROWS = 3 * IMPACT_MAX_CONTACTS };

struct impact_contact {
    int n_t;                        /* tangents: 0, 1 planar, 2 in 3D */
    int row;                        /* of its normal; its tangents follow */
    double mu;                      /* 0: no friction, whatever n_t */
    double e;                       /* restitution */
    int n_dir;                      /* directions of its friction, 0 without friction */
    double d[IMPACT_MAX_DIRECTIONS][2];     /* [n_dir][n_t] */
};

struct impact_system {
    int n_v, n_contact, n_row;
    struct impact_contact *contact; /* [n_contact] */
    double *M, *J;
    double *MinvJ;                  /* [n_v * n_row] M^-1 J */
    double *G;
};

/* Of the impact (whose velocity is not looked at, and nothing borrowed; e NULL: inelastic); n_dir_3d >= 3
 * counts the directions of friction with two tangents. Arrays are made in mem. */
enum status impact_system_init(struct impact_system *system, struct arena *mem, const struct jump_impact *impact,
                               int n_dir_3d, struct diag *diag);

/* u = J'v. */
void impact_contact_velocity(const struct impact_system *system, const double *v, double *u);

/* v += M^-1 J lambda. */
void impact_apply(const struct impact_system *system, const double *lambda, double *v);

/* Kinetic energy v'Mv / 2. */
double impact_energy(const struct impact_system *system, const double *v);

/* The normal impulse that would stop the fastest approaching contact alone, N s: a size for what is to come; 0 if
 * none approaches. u as above. */
double impact_stopping_impulse(const struct impact_system *system, const double *u);

/* The cones of its contacts, for a complementarity problem with `first` unknowns before theirs. */
struct cone impact_system_cone(const struct impact_system *system, int first, struct arena *mem);

/* Is some contact approaching faster than IMPACT_TOL? u as above. */
bool impact_is_colliding(const struct impact_system *system, const double *u);

#define IMPACT_TOL 1e-8             /* m/s, absolute: impact.md 4 */
enum { IMPACT_MAX_TURNS = 1000 };    /* of contacts taken one after the other */

#endif
