/* transcription/multiphase/mesh.h - elements of their own lengths, and a solution carried over from one mesh to
 * another
 *
 * A mesh is grid.end of phases.h: where each element ends, as a part of its piece.
 */
#ifndef COCP_TRANSCRIPTION_MULTIPHASE_MESH_H
#define COCP_TRANSCRIPTION_MULTIPHASE_MESH_H

#include "transcription/multiphase/multiphase.h"

/* The mesh with element e of ph in parts[e] equal ones, [n_element]; in mem. */
double *mesh_split(const struct phases *ph, const int *parts, struct arena *mem);

/* About the same mesh for another sequence, events at t_event [n_event]: its pieces have the ends of elements
 * that lie in them, well apart. *n: their number; 0 where lengths of control intervals are free. */
double *mesh_remap(const struct phases *ph, const double *w, const struct sequence *seq, const double *t_event,
                   struct arena *mem, int *n);

/* Moves checked points to the elements of that mesh in which they lie. */
void mesh_move_checks(const int *parts, int n, struct phase_check *check);

/* The point w of `from` on another grid of the same sequence, by the polynomials of its elements: to_w of `to`. */
void mesh_transfer(const struct phases *from, const double *w, const struct phases *to, double *to_w);

#endif
