/* core/mpcc/psi.h - functions psi(a, b; sigma) <= 0 that stand for a b = 0, a >= 0, b >= 0; mpcc.md 1, E.3 */
#ifndef COCP_CORE_MPCC_PSI_H
#define COCP_CORE_MPCC_PSI_H

#include "core/mpcc/settings.h"

/* psi and its derivatives at (a, b) with sigma. d = psi, psi_a, psi_b, psi_aa, psi_ab, psi_bb. */
void relax_psi(enum relax_kind kind, double a, double b, double sigma, double d[6]);

/* Second row of Lin-Fukushima, turned around: t^2 - (a + t)(b + t) <= 0 with t^2 = sigma. */
void relax_lin_fukushima_second(double a, double b, double sigma, double d[6]);

/* a b <= sigma, and second -a b <= sigma; fesd_j.md (5) */
void relax_two_sided(bool is_second, double a, double b, double sigma, double d[6]);

#endif
