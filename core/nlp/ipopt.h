/* core/nlp/ipopt.h - IPOPT's C interface, which is included behind this header alone
 *
 * A program, options, one run. What IPOPT prints, it prints on stdout.
 * Errors  an option that IPOPT does not take is refused with a message of its own on stdout: options.h checks
 *         before.
 */
#ifndef COCP_CORE_NLP_IPOPT_H
#define COCP_CORE_NLP_IPOPT_H

#include "core/nlp/nlp.h"

struct ipopt;

/* nlp is borrowed. NULL: IPOPT refuses the sizes. */
struct ipopt *ipopt_create(const struct nlp *nlp);
void ipopt_free(struct ipopt *ipopt);

/* False: refused. A number that is NAN keeps IPOPT's default. */
bool ipopt_set_word(struct ipopt *ipopt, const char *name, const char *word);
bool ipopt_set_number(struct ipopt *ipopt, const char *name, double x);
bool ipopt_set_int(struct ipopt *ipopt, const char *name, int i);

/* Ends at the deadline, by clock_seconds, or once it has stalled for `patience` iterations
 * (stall.h), as at the limit of these. The multipliers of point and the monitor may be NULL. info:
 * what a run can tell; the rest stays. */
void ipopt_solve(struct ipopt *ipopt, struct nlp_point *point, nlp_monitor *monitor, void *monitor_user,
                 double deadline, int patience, struct nlp_info *info);

#endif
