/* core/model/parts/costs.h - what is minimized */
#ifndef COCP_CORE_MODEL_PARTS_COSTS_H
#define COCP_CORE_MODEL_PARTS_COSTS_H

#include "core/expression/expr.h"
#include "core/spec/spec.h"

/* Weight included. Costs and constraints of contact forces are no method's: of the finish and of replays alone. */
struct model_cost { const char *name, *path; struct srcpos pos; expr e; bool of_forces; };

/* Charged at each of its times: as those of a constraint, of AT_INITIAL, AT_FINAL and AT_TIMES. */
struct model_sampled { struct model_cost cost; int at, n_time; const double *time; };

struct model_reference { const char *name; expr e; };       /* what a running cost draws a quantity to */

struct model_costs {
    int n_running, n_terminal;
    struct model_cost *running, *terminal;      /* t_sym in a terminal one is the final time */
    int n_sampled;
    struct model_sampled *sampled;
    int n_impact;
    struct model_cost *impact;                  /* summed over impacts, of the state before them and impulses */
    int n_reference;
    struct model_reference *reference;          /* the first of each name */
};

#endif
