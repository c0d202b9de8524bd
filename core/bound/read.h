/* core/bound/read.h - what a model says, as a problem in polynomials (problem.h)
 *
 * Controls may be anything measurable within their bounds: that `solve` keeps them constant in its intervals, or at
 * given values, is left out, and so are constraints that are asked for at single times: the bound holds all the
 * more. What would change which motions there are is refused, with its place in the spec: functions that are no
 * polynomials, phases, impulses, data; relays and machines beside contacts; commands of machines that go back and
 * forth under conditions; contacts with nonlinear gaps, with friction in space, with friction beside other
 * contacts, or that act on each other; switches that an impact throws or that look at a relay or a machine; gaps of
 * projections with square roots.
 * Errors  STATUS_SPEC with messages.
 */
#ifndef COCP_CORE_BOUND_READ_H
#define COCP_CORE_BOUND_READ_H

#include "core/bound/problem.h"
#include "core/model/model.h"

/* In mem. */
enum status bound_read(struct arena *mem, const struct model *model, const struct bound_wish *wish,
                       struct bound_problem *out, struct diag *diag);

#endif
