#include "transcription/method/method.h"

static enum status refuse(struct srcpos pos, const char *path, enum method method, const char *what,
                          const char *instead, struct diag *diag)
{
    return diag_error(diag, pos, path, "method %s %s; %s", method_name(method), what, instead);
}

/* Who takes switches; time-stepping has no memory of relays. */
static const char *who_switches(const struct model *model)
{
    if (model->contacts.n_contact)
        return model->switching.n_hysteresis ? "time-freezing does" : "time-freezing and time-stepping do";
    return model->switching.n_hysteresis ? "fesd does" : "fesd and time-stepping do";
}

static enum status refuse_sets(const struct model *model, enum method method, struct diag *diag)
{
    const struct model_projection *one = &model->switching.projection[0];
    if (model->switching.n_projection == 0)
        return STATUS_OK;
    return refuse(one->pos, one->path, method,
                  model->contacts.n_contact ? "takes no projection beside contacts" : "takes no projection",
                  model->contacts.n_contact ? "time-freezing does" : who_switches(model), diag);
}

/* Where the first switch of forces and right-hand sides is written; path NULL: there is none. */
struct place { struct srcpos pos; const char *path; };

static struct place first_switch(const struct model *model)
{
    for (int i = 0; i < model->mechanics.n_q; i++)
        if (expr_find_nonsmooth(model->graph, model->mechanics.f_v[i]) != EXPR_NONE)
            return (struct place){ model->mechanics.f_v_pos[i], "dynamics.force" };
    for (int i = 0; i < model->n_x; i++)
        if (model->dynamics.rhs[i] != EXPR_NONE
            && expr_find_nonsmooth(model->graph, model->dynamics.rhs[i]) != EXPR_NONE)
            return (struct place){ model->dynamics.rhs_pos[i], "dynamics.rhs" };
    return (struct place){ .path = NULL };
}

bool method_has_switches(const struct model *model)
{
    return model->switching.n_projection > 0 || first_switch(model).path;
}

/* Sets, too: their reactions are such. */
static enum status refuse_switches(const struct model *model, enum method method, struct diag *diag)
{
    if (refuse_sets(model, method, diag) != STATUS_OK)
        return STATUS_SPEC;
    const struct place found = first_switch(model);
    if (!found.path)
        return STATUS_OK;
    return refuse(found.pos, found.path, method,
                  model->contacts.n_contact ? "takes no switches beside contacts" : "takes no switches",
                  who_switches(model), diag);
}

static const char *const take_jumps = "fesd takes them without contacts, time-stepping with contacts, and fesd-j where nothing "
                                      "else switches";

/* Time that is frozen, and intervals of free lengths, have no lengths of phases. */
static enum status check_impulses(const struct model *model, const struct discretization *settings,
                                  struct diag *diag)
{
    const struct model_var *var = &model->impulses.impulse[0].var;
    if (settings->method == METHOD_TIME_FREEZING)
        return refuse(var->pos, var->path, METHOD_TIME_FREEZING, "takes no impulsive controls", take_jumps, diag);
    return STATUS_OK;
}

static enum status check_phases(const struct model *model, const struct discretization *settings, struct diag *diag)
{
    const struct model_phase *phase = &model->time.phase[0];
    if (settings->method == METHOD_TIME_FREEZING)
        return refuse(phase->pos, "phases", METHOD_TIME_FREEZING, "takes no phases", take_jumps, diag);
    if (settings->control_grid != CONTROL_GRID_EQUIDISTANT)
        return diag_error(diag, phase->pos, "phases", "control intervals of a phase have one length: "
                          "discretization.control_grid must be equidistant");
    return STATUS_OK;
}

enum { MACHINE_STATES = 52 };       /* sequence.h: one letter each */

/* A control jumps where an interval begins, and commands there; what states do besides is met in between. */
static enum status check_command(const struct model *model, const struct model_transition *one, struct diag *diag)
{
    const struct expr_graph *g = model->graph;
    if (expr_depends(g, one->when, model->n_x, model->x_sym) || expr_depends(g, one->when, 1, &model->t_sym))
        return diag_error(diag, one->pos, one->path, "waits for a control, which jumps, and for states in one formula: in a solve "
                          "let a control alone command it, and list what must hold of states, as `when: [shift >= 0.5, v >= 2]`, or "
                          "write a condition of the states alone");
    for (int k = 0; k < model->n_u; k++)
        if (model->u[k].n_value && expr_depends(g, one->when, 1, &model->u_sym[k]))
            return diag_error(diag, one->pos, one->path, "waits for %s, a control with `values`: what it decides needs no machine, "
                              "multiply by it; or give it bounds in their place", model->u[k].name);
    return STATUS_OK;
}

enum status method_check_machines(const struct model *model, bool finishes, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int m = 0; m < model->switching.n_machine; m++) {
        const struct model_machine *machine = &model->switching.machine[m];
        if (!finishes)
            st = diag_error(diag, machine->pos, machine->path,
                            "is solved by the finish alone: write `finish: {use: on}`");
        if (machine->n_state > MACHINE_STATES)
            st = diag_error(diag, machine->pos, machine->path, "has %d states; a solve takes %d at most",
                            machine->n_state, MACHINE_STATES);
        for (int k = 0; k < machine->n_transition; k++) {
            const struct model_transition *one = &machine->transition[k];
            if (!model_is_commanded(model, one) && one->n_only > 0)
                st = diag_error(diag, one->pos, one->path, "waits for several conditions, none of them a command: a solve takes one "
                                "of the states, or a command by a control and what must hold of states where it is given");
            if (model_is_commanded(model, one) && check_command(model, one, diag) != STATUS_OK)
                st = STATUS_SPEC;
        }
    }
    return st;
}

/* Polyhedra are made of directions in a plane. */
static enum status check_polyhedra(const struct model *model, const struct discretization *settings,
                                   struct diag *diag)
{
    for (int c = 0; c < model->contacts.n_contact && settings->friction_form == FRICTION_POLYHEDRAL; c++)
        if (model->contacts.contact[c].n_t > 2)
            return diag_error(diag, model->contacts.contact[c].pos, model->contacts.contact[c].path,
                              "friction_form polyhedral takes no slip of "
                              "three components: write discretization.friction_form: cone, or auto");
    return STATUS_OK;
}

/* Pairs with forces of their own are sides that switch (build.c). */
static enum status check_pairs(const struct model *model, enum method method, struct diag *diag)
{
    const struct model_projection *one = model_first_own_pair(model);
    if (!one || method == METHOD_AUTO)
        return STATUS_OK;
    if (model->contacts.n_contact || (method != METHOD_FESD && method != METHOD_TIME_STEPPING))
        return refuse(one->pos, one->path, method, "takes no pair with a force of its own",
                      model->contacts.n_contact ? "beside contacts `simulate` does, from event to event"
                                                : "fesd and time-stepping do",
                      diag);
    return STATUS_OK;
}

enum status method_check(const struct model *model, const struct discretization *settings, struct diag *diag)
{
    const enum method method = (enum method)settings->method;
    if ((model->time.n_phase && check_phases(model, settings, diag) != STATUS_OK)
        || (model->impulses.n_impulse && check_impulses(model, settings, diag) != STATUS_OK))
        return STATUS_SPEC;
    if (check_polyhedra(model, settings, diag) != STATUS_OK || check_pairs(model, method, diag) != STATUS_OK)
        return STATUS_SPEC;
    switch (method) {
    case METHOD_FESD:
        if (model->contacts.n_contact)
            return refuse(model->contacts.contact[0].pos, "contacts", method, "takes no contacts",
                          "fesd-j, time-freezing and time-stepping do", diag);
        return STATUS_OK;
    case METHOD_FESD_J:
        return refuse_switches(model, method, diag);
    case METHOD_TIME_FREEZING:
        if (!model->contacts.n_contact)
            return refuse(model->mechanics.f_v_pos ? model->mechanics.f_v_pos[0] : model->time.horizon_pos,
                          "discretization.method", method,
                          "takes no model without contacts", who_switches(model), diag);
        for (int c = 0; c < model->contacts.n_contact; c++)
            if (model->contacts.contact[c].load_of >= 0)
                return refuse(model->contacts.contact[c].pos, model->contacts.contact[c].path, method,
                              "takes no friction under the force of a "
                              "contact, nor resistance to rolling", "fesd-j and time-stepping do", diag);
        for (int c = 0; c < model->contacts.n_contact; c++)
            if (model->contacts.contact[c].moves)
                return refuse(model->contacts.contact[c].pos, model->contacts.contact[c].path, method,
                              "takes no surfaces that move", "fesd-j and time-stepping do", diag);
        return STATUS_OK;
    case METHOD_TIME_STEPPING:
        if (model->switching.n_hysteresis)
            return refuse(model->switching.hysteresis[0].pos, model->switching.hysteresis[0].path, method,
                          "has no memory of relays", who_switches(model), diag);
        return model->contacts.n_contact ? refuse_sets(model, method, diag) : STATUS_OK;
    case METHOD_AUTO:
        break;
    }
    return STATUS_OK;
}

static bool takes(const struct model *model, const struct discretization *settings, enum method method)
{
    struct discretization with = *settings;
    struct diag *silent = diag_create();
    with.method = method;
    const bool fits = method_check(model, &with, silent) == STATUS_OK;
    diag_free(silent);
    return fits;
}

enum method method_choose(const struct model *model, const struct discretization *settings, const char **why)
{
    if (!model->contacts.n_contact) {
        *why = "no contacts: switches are detected";
        return METHOD_FESD;
    }
    if (takes(model, settings, METHOD_FESD_J) || model->time.n_phase || model->impulses.n_impulse) {
        *why = "contacts: impacts and friction in the discretization";
        return METHOD_FESD_J;
    }
    *why = "contacts with what fesd-j does not take: switches";
    return METHOD_TIME_FREEZING;
}

bool method_has_curved_gap(const struct model *model)
{
    for (int c = 0; c < model->contacts.n_contact; c++)
        if (!model->contacts.contact[c].gap_is_linear)
            return true;
    return false;
}

bool contact_needs_band(const struct model_contact *contact)
{
    return !contact->gap_is_linear && contact->e <= 0;
}

bool method_needs_band(const struct model *model)
{
    for (int c = 0; c < model->contacts.n_contact; c++)
        if (contact_needs_band(&model->contacts.contact[c]))
            return true;
    return false;
}
