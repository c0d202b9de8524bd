/* core/contact/cone.h - contacts with polyhedral friction as a linear complementarity problem
 *
 *   r = sum of z_k force_k over rays k: of each contact its normal, then directions of friction
 *   0 <= z_k     _|_  along_k'(u + G r) + slip_c >= 0         (normals without slip_c)
 *   0 <= slip_c  _|_  mu_c z_normal - sum of z_k over the directions of c >= 0
 *
 * Anitescu and Potra's problem, Stewart and Trinkle's as well (impact.md 6): with two opposite directions in the
 * plane exact, in space a pyramid. force is along, but for a contact that slips in a given direction: its normal
 * brings its friction with it.
 *
 * Shapes  z = [`first` unknowns of the caller; rays; slip_c of contacts with friction], n in all; contact c has the
 *         components row ... row + size - 1 of u and r: normal, tangents; G [ld * ld] by columns; M [n * n].
 */
#ifndef COCP_CORE_CONTACT_CONE_H
#define COCP_CORE_CONTACT_CONE_H

#include "core/base/arena.h"
#include "core/base/slip.h"

struct cone_ray { int contact, row, size; double force[CONTACT_ROWS], along[CONTACT_ROWS]; };

struct cone {
    int n, first, n_ray, n_contact;
    struct cone_ray *ray;           /* [n_ray] */
    int *slip;                      /* [n_contact] place of slip_c; -1: no friction */
    double *mu;                     /* [n_contact] to be set by the caller */
};

/* Room for n_contact contacts with at most n_directions each; arrays in mem. */
struct cone cone_create(int n_contact, int n_directions, int first, struct arena *mem);

/* The rays are listed: normals of all contacts in their order first (t NULL), then directions t [size -
 * 1]. The ray, to be changed. */
struct cone_ray *cone_add(struct cone *cone, int contact, int row, int size, const double *t);

/* All rays are there: finds the places of slip_c and n. */
void cone_close(struct cone *cone);

/* M, and q at u; both are zero for the caller's unknowns. */
void cone_fill(const struct cone *cone, int ld, const double *G, double *M);
void cone_set_q(const struct cone *cone, const double *u, double *q);

/* Adds the impulses of a solution z to r. */
void cone_add_impulse(const struct cone *cone, const double *z, double *r);

#endif
