#include "core/bound/read.h"

#include "core/bound/reading.h"

#include <math.h>
#include <stdio.h>

/* --- What does not fit --------------------------------------------------------------------------------------- */

static enum status refuse(struct diag *diag, struct srcpos pos, const char *path, const char *what)
{
    return diag_error(diag, pos, path, "bounds do not know %s yet", what);
}

/* Where a block of the spec stands. */
static struct srcpos block_pos(const struct model *m, const char *block)
{
    const struct spec_node *node = spec_get(spec_root(m->spec), block);
    return node ? node->key_pos : (struct srcpos){ .file = m->file };
}

/* Blocks whose motions are others than those of problem.h. */
static enum status refuse_blocks(const struct model *m, struct diag *diag)
{
    enum status st = STATUS_OK;
    if (m->time.n_phase)
        st = refuse(diag, m->time.phase[0].pos, m->time.phase[0].path, "phases");
    if (m->time.n_steps)
        st = refuse(diag, m->u[m->time.steps[0].u].pos, m->u[m->time.steps[0].u].path, "steps");
    if (m->impulses.n_impulse)
        st = refuse(diag, m->impulses.impulse[0].var.pos, m->impulses.impulse[0].var.path, "impulsive controls");
    for (int k = 0; k < m->impulses.n_jump && !m->time.n_phase && !m->impulses.n_impulse; k++)
        st = refuse(diag, m->impulses.jump[k].pos, m->impulses.jump[k].path, "states that jump at given times");
    if (m->constraints.n_noted)
        st = refuse(diag, block_pos(m, "constraints"), "constraints", "constraints at times that are optimized");
    if (m->constraints.n_conditional)
        st = refuse(diag, m->constraints.conditional[0].of.pos, m->constraints.conditional[0].of.path,
                    "constraints with conditions");
    if (m->mechanics.n_rotation)
        st = refuse(diag, block_pos(m, "dynamics"), "dynamics", "orientations in space");
    if (m->mechanics.loops.n > 0)
        st = refuse(diag, m->mechanics.loops.loop[0].pos, m->mechanics.loops.loop[0].path, "closed loops");
    if (m->data.n_experiment || model_has_samples(m))
        st = refuse(diag, m->costs.n_sampled ? m->costs.sampled[0].cost.pos : block_pos(m, "data"),
                    m->costs.n_sampled ? m->costs.sampled[0].cost.path : "data", "costs at single times and data");
    for (int k = 0; k < m->contacts.n_load; k++)
        if (m->contacts.load[k].of >= 0)
            st = refuse(diag, m->contacts.contact[m->contacts.n_contact - m->contacts.n_load + k].pos,
                        m->contacts.contact[m->contacts.n_contact - m->contacts.n_load + k].path,
                        "friction whose load is the force of a contact");
    if (m->mechanics.n_q > 0 && !m->mechanics.M_is_constant && m->contacts.n_contact > 0)
        st = refuse(diag, block_pos(m, "dynamics"), "dynamics", "mass matrices that vary where there are contacts");
    else if (m->mechanics.n_q > 3 && !m->mechanics.M_is_constant)
        st = refuse(diag, block_pos(m, "dynamics"), "dynamics",
                    "mass matrices that vary, of more than three velocities,");
    if (m->contacts.n_contact - m->contacts.n_load > BOUND_MAX_CONTACT)
        st = refuse(diag, m->contacts.contact[BOUND_MAX_CONTACT].pos, m->contacts.contact[BOUND_MAX_CONTACT].path,
                    "so many contacts");
    return st;
}

enum status bound_read(struct arena *mem, const struct model *model, const struct bound_wish *wish,
                       struct bound_problem *out, struct diag *diag)
{
    *out = (struct bound_problem){ .mem = mem, .time = -1, .below = NAN, .cost_scale = wish->cost_scale };
    enum status st = refuse_blocks(model, diag);
    if (st != STATUS_OK)
        return st;
    struct model *fork = model_fork(model);
    struct reading *r = arena_alloc(mem, 1, sizeof *r);
    *r = (struct reading){ .mem = mem, .whole = fork, .g = fork->graph, .wish = wish, .out = out, .diag = diag };
    r->names = (struct polynomial_names){ .sym = r->sym, .is = r->is };
    st = reading_reduce(r);
    if (st == STATUS_OK)
        st = reading_variables(r);
    if (st == STATUS_OK)
        st = reading_functions(r);
    if (st == STATUS_OK)
        st = reading_pairs(r);
    if (st == STATUS_OK)
        st = reading_modes(r);
    if (st == STATUS_OK)
        reading_boundary(r);
    if (st == STATUS_OK)
        st = reading_motion(r);
    if (st == STATUS_OK)
        st = reading_contacts(r);
    if (st == STATUS_OK)
        st = reading_ends(r);
    switch_set_free(&r->set);
    model_free(fork);
    return st;
}
