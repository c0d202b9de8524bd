/* Mode selection for many contacts: forces and accelerations as a complementarity problem. */
#include "core/contact/jump.h"
#include "core/simulation/select.h"

#include <math.h>
#include <string.h>

struct gathered {                   /* the contacts that have a choice */
    struct jump_impact in;
    int *option;                    /* [n_c] their place among the options */
    double *a_free, *direction;     /* [3 n_c], [2 n_c] */
    bool *slips;
    enum jump_rest *rest;
};

static void add_contact(const struct select *select, int k, int c, struct gathered *g)
{
    const struct system *sys = select->flow->sys;
    const struct contact_at at = system_contact(sys, c);
    g->slips[k] = select->n_of[g->option[k]] == 2 && sys->mu[c] > 0;
    memcpy(&g->direction[2 * k], &select->trial.direction[2 * c], 2 * sizeof(double));
    if (sys->model->contact[c].n_t == 1) {
        g->direction[2 * k] = at.v_t[0] < 0 ? -1 : 1;
        g->direction[2 * k + 1] = 0;
    }
    flow_contact_acceleration(select->flow, c, &g->a_free[3 * k]);
}

static struct gathered gather(const struct select *select, struct arena *mem)
{
    const size_t n = (size_t)select->n_option;
    int *contact = arena_alloc(mem, n, sizeof *contact), n_c = 0;
    struct gathered g = {.option = arena_alloc(mem, n, sizeof(int)),
                         .a_free = arena_alloc(mem, 3 * n, sizeof(double)),
                         .direction = arena_alloc(mem, 2 * n, sizeof(double)),
                         .slips = arena_alloc(mem, n, sizeof(bool)),
                         .rest = arena_alloc(mem, n, sizeof(enum jump_rest))};
    for (int k = 0; k < select->n_option; k++)
        if (select->subject[k] < select->flow->sys->n_c) {
            g.option[n_c] = k;
            contact[n_c++] = select->subject[k];
        }
    for (int k = 0; k < n_c; k++)
        add_contact(select, k, contact[k], &g);
    g.in = system_impact(select->flow->sys, n_c, contact, mem);
    return g;
}

/* The option of a contact that is the given mode; one without friction has FORWARD alone. */
static int option_of(const struct select *select, int k, enum jump_rest rest)
{
    static const enum sim_mode mode[] = { SIM_OPEN, SIM_STICKS, SIM_FORWARD, SIM_BACKWARD };
    for (int i = 0; i < select->n_of[k]; i++)
        if (select->option[k][i] == (int)mode[rest])
            return i;
    return select->n_of[k] - 1;
}

bool select_by_complementarity(struct select *select, double t, const double *x)
{
    struct flow *flow = select->flow;
    struct arena mem = { 0 };
    bool solved = false;
    for (int k = 0; k < select->n_option; k++)
        select->trial.of[select->subject[k]] = select->subject[k] < flow->sys->n_c
                                                   ? SIM_OPEN : (enum sim_mode)select->option[k][select->at[k]];
    if (flow_eval(flow, &select->trial, t, x) == FLOW_OK) {
        system_eval_contacts(flow->sys);
        struct gathered g = gather(select, &mem);
        double *d = arena_alloc(&mem, 2 * (size_t)g.in.n_c, sizeof *d);
        solved = g.in.n_c > 0 && jump_forces(&g.in, g.a_free, g.slips, g.direction, g.rest, d) == STATUS_OK;
        for (int k = 0; k < g.in.n_c && solved; k++) {
            const int option = g.option[k];
            select->at[option] = option_of(select, option, g.rest[k]);
            if (g.in.n_t[k] == 2 && g.rest[k] == JUMP_FORWARD)
                memcpy(&select->trial.direction[2 * select->subject[option]], &d[2 * k], 2 * sizeof *d);
        }
    }
    arena_free(&mem);
    return solved;
}
