#include "core/bound/reading.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Digits of a mode ---------------------------------------------------------------------------------------- */

static int radix(const struct reading *r, int digit)
{
    return digit < r->modes.n_relay ? 2 : r->model->switching.machine[digit - r->modes.n_relay].n_state;
}

static int stride(const struct reading *r, int digit)
{
    int step = 1;
    for (int k = 0; k < digit; k++)
        step *= radix(r, k);
    return step;
}

static int digit_of(const struct reading *r, int mode, int digit)
{
    return mode / stride(r, digit) % radix(r, digit);
}

static int n_digit(const struct reading *r)
{
    return r->modes.n_relay + r->modes.n_machine;
}

/* --- Which there are ----------------------------------------------------------------------------------------- */

static enum status refuse(const struct reading *r, struct srcpos pos, const char *path, const char *what)
{
    return diag_error(r->diag, pos, path, "bounds do not know %s yet", what);
}

/* The node of a relay; EXPR_NONE: right sides do not ask for it. */
static expr node_of(const struct reading *r, expr state)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->defines.n_define; k++)
        if (expr_op_of(r->g, m->defines.e[k]) == EXPR_RELAY && expr_arg(r->g, m->defines.e[k], 2) == state)
            return m->defines.e[k];
    return EXPR_NONE;
}

static enum status find_relays(struct reading *r)
{
    const struct model *m = r->model;
    if (m->switching.n_hysteresis > READING_MAX_RELAY)
        return refuse(r, m->switching.hysteresis[READING_MAX_RELAY].pos,
                      m->switching.hysteresis[READING_MAX_RELAY].path, "so many relays");
    for (int k = 0; k < m->switching.n_hysteresis; k++) {
        const expr node = node_of(r, m->switching.hysteresis[k].state);
        if (node == EXPR_NONE)
            continue;
        const int n = r->modes.n_relay++;
        r->modes.relay[n] = &m->switching.hysteresis[k];
        r->modes.state[n] = m->switching.hysteresis[k].state;
        r->modes.on[n] = expr_arg(r->g, node, 0);
        r->modes.off[n] = expr_arg(r->g, node, 1);
    }
    return STATUS_OK;
}

/* The longest time that a transition waits for; NAN: none waits. */
static double longest_wait(const struct model_machine *machine)
{
    double longest = NAN;
    for (int k = 0; k < machine->n_transition; k++)
        longest = fmax(longest, machine->transition[k].after);
    return longest;
}

static bool is_commanded(const struct reading *r, const struct model_transition *transition)
{
    return transition->when != EXPR_NONE
           && expr_depends(r->g, transition->when, r->model->n_u, r->model->u_sym);
}

/* A command that works anywhere and changes nothing else: its machine has no clock. */
static bool is_free(const struct reading *r, const struct model_machine *machine,
                    const struct model_transition *transition)
{
    return is_commanded(r, transition) && transition->n_only == 0 && transition->n_reset == 0
           && isnan(longest_wait(machine));
}

/* Does a chain of commands lead from state `at` to state `to`? of_free: of such as are free. */
static bool commands_lead(const struct reading *r, const struct model_machine *machine, int at, int to, int steps,
                          bool of_free)
{
    bool do_ = false;
    for (int k = 0; k < machine->n_transition && steps > 0 && !do_; k++) {
        const struct model_transition *transition = &machine->transition[k];
        if (transition->from == at
            && (of_free ? is_free(r, machine, transition) : is_commanded(r, transition)))
            do_ = transition->to == to || commands_lead(r, machine, transition->to, to, steps - 1, of_free);
    }
    return do_;
}

/* States between which free commands lead to and fro cost the same from there on: the first of them. */
static int first_alike(const struct reading *r, const struct model_machine *machine, int state)
{
    for (int s = 0; s < state; s++)
        if (commands_lead(r, machine, state, s, machine->n_state, true)
            && commands_lead(r, machine, s, state, machine->n_state, true))
            return s;
    return state;
}

static bool is_between_alike(const struct reading *r, const struct model_machine *machine,
                             const struct model_transition *transition)
{
    return is_free(r, machine, transition)
           && first_alike(r, machine, transition->from) == first_alike(r, machine, transition->to);
}

static enum status check_machine(const struct reading *r, const struct model_machine *machine)
{
    enum status st = STATUS_OK;
    for (int k = 0; k < machine->n_transition; k++) {
        const struct model_transition *transition = &machine->transition[k];
        if (is_commanded(r, transition) && !is_between_alike(r, machine, transition)
            && commands_lead(r, machine, transition->to, transition->from, machine->n_state, false))
            st = refuse(r, transition->pos, transition->path,
                        "commands that lead back to where they came from, but under conditions or in time,");
        if (transition->n_reset > 0 && (r->modes.n_relay > 0 || r->model->switching.n_projection > 0))
            st = refuse(r, transition->pos, transition->path, "resets beside relays or projections");
    }
    return st;
}

static enum status find_machines(struct reading *r)
{
    const struct model *m = r->model;
    enum status st = STATUS_OK;
    if (m->switching.n_machine > READING_MAX_MACHINE)
        return refuse(r, m->switching.machine[READING_MAX_MACHINE].pos,
                      m->switching.machine[READING_MAX_MACHINE].path, "so many machines");
    r->modes.n_machine = m->switching.n_machine;
    for (int k = 0; k < r->modes.n_machine && st == STATUS_OK; k++) {
        const double longest = longest_wait(&m->switching.machine[k]);
        st = check_machine(r, &m->switching.machine[k]);
        r->modes.clock[k] = -1;
        if (isnan(longest) || st != STATUS_OK)
            continue;
        if (r->out->n_var + 1 > BOUND_MAX_VAR)
            return refuse(r, m->switching.machine[k].pos, m->switching.machine[k].path,
                          "so many states and clocks");
        r->modes.clock[k] = r->out->n_var;
        reading_add_variable(r, arena_printf(r->mem, "since %s", m->switching.machine[k].name), BOUND_CLOCK, k, 0,
                             longest);
        r->out->arguments |= 1u << r->modes.clock[k];
    }
    return st;
}

enum status reading_modes(struct reading *r)
{
    const struct model *m = r->model;
    enum status st = find_relays(r);
    if (st == STATUS_OK)
        st = find_machines(r);
    r->modes.n = stride(r, n_digit(r));
    if (st == STATUS_OK && n_digit(r) > 0 && m->contacts.n_contact > 0)
        st = refuse(r, m->contacts.contact[0].pos, m->contacts.contact[0].path,
                    "contacts beside relays or machines");
    if (st == STATUS_OK && r->modes.n > BOUND_MAX_PLACE)
        st = refuse(r, r->modes.n_relay ? r->modes.relay[0]->pos : m->switching.machine[0].pos,
                    r->modes.n_relay ? r->modes.relay[0]->path : m->switching.machine[0].path,
                    "relays and machines of so many combinations");
    return st;
}

/* --- What they are in a mode --------------------------------------------------------------------------------- */

bool reading_depends_on_mode(const struct reading *r, expr e)
{
    const struct model_switching *of = &r->model->switching;
    return expr_depends(r->g, e, r->modes.n_relay, r->modes.state)
           || expr_depends(r->g, e, of->n_signal, of->signal);
}

void reading_name_mode(struct reading *r, int mode)
{
    const struct model_switching *of = &r->model->switching;
    for (int k = 0; k < r->modes.n_relay; k++)
        reading_name(r, r->modes.state[k], enclosed_constant(r->mem, iv(digit_of(r, mode, k))));
    for (int k = 0; k < r->modes.n_machine; k++) {
        const struct model_machine *machine = &of->machine[k];
        const int state = digit_of(r, mode, r->modes.n_relay + k);
        for (int i = 0; i < machine->n_signal; i++)
            reading_name(r, of->signal[machine->first_signal + i],
                         enclosed_constant(r->mem, iv(machine->value[state * machine->n_signal + i])));
    }
}

/* Adds sign e >= 0 of states. */
static enum status require_sign(struct reading *r, expr e, double sign, struct written at,
                                struct bound_region *region)
{
    struct interval_poly a;
    const enum status st = reading_sign(r, e, at, &a);
    if (st == STATUS_OK && (enclosed_variables(a) & r->out->controls))
        return refuse(r, at.pos, at.path, "conditions of controls and states at once");
    if (st == STATUS_OK && region->n >= BOUND_MAX_REGION / 2)
        return refuse(r, at.pos, at.path, "so many conditions of one state");
    if (st == STATUS_OK)
        bound_require(region, reading_unit_size(r, enclosed_scale(r->mem, iv(sign), a)));
    return st;
}

static struct written place_of_machine(const struct model_transition *transition)
{
    return (struct written){ transition->pos, transition->path };
}

/* A state is left once its condition holds, unless other conditions or a command are asked for, too. */
static bool leaves_at_once(const struct reading *r, const struct model_transition *transition)
{
    return transition->when != EXPR_NONE && transition->n_only == 0 && !is_commanded(r, transition);
}

/* What holds in a mode while time passes. Of a guard, of digit `without`, less is asked: of its own digit nothing,
 * and other machines may be about to leave their states, too, as at the start, or where a reset met their
 * conditions. */
enum { WHILE_TIME_PASSES = -1 };
static enum status require_mode(struct reading *r, int mode, int without, struct bound_region *region)
{
    enum status st = STATUS_OK;
    for (int k = 0; k < r->modes.n_relay && st == STATUS_OK; k++) {
        const bool is_on = digit_of(r, mode, k);
        if (k != without)
            st = require_sign(r, is_on ? r->modes.off[k] : r->modes.on[k], is_on ? 1 : -1,
                              (struct written){ r->modes.relay[k]->pos, r->modes.relay[k]->path }, region);
    }
    for (int k = 0; k < r->modes.n_machine && st == STATUS_OK; k++) {
        const struct model_machine *machine = &r->model->switching.machine[k];
        const int state = digit_of(r, mode, r->modes.n_relay + k);
        for (int i = 0; i < machine->n_transition && st == STATUS_OK && r->modes.n_relay + k != without; i++) {
            const struct model_transition *transition = &machine->transition[i];
            if (transition->from != state)
                continue;
            if (leaves_at_once(r, transition) && without == WHILE_TIME_PASSES)
                st = require_sign(r, transition->when, -1, place_of_machine(transition), region);
            else if (!isnan(transition->after))
                reading_require_range(r, region, r->modes.clock[k], 0, transition->after);
        }
    }
    return st;
}

static bool waits(const struct model_machine *machine, int state)
{
    bool does = false;
    for (int i = 0; i < machine->n_transition; i++)
        does = does || (machine->transition[i].from == state && !isnan(machine->transition[i].after));
    return does;
}

/* Variable k is this number. */
static void set_number(const struct reading *r, struct bound_frame *frame, int k, double value)
{
    const struct bound_var *var = &r->out->var[k];
    frame->gone |= 1u << k;
    frame->with[k] = enclosed_constant(r->mem, iv_div(iv_sub(iv(value), iv(var->mid)), iv(var->half)));
}

enum status reading_mode_place(struct reading *r, int mode, struct bound_place *place)
{
    size_t used = 0;
    place->like = mode;
    for (int k = 0; k < r->modes.n_machine; k++) {
        const int digit = r->modes.n_relay + k, state = digit_of(r, mode, digit);
        place->like +=
            (first_alike(r, &r->model->switching.machine[k], state) - state) * stride(r, digit);
    }
    place->own = place->like == mode;
    for (int k = 0; k < n_digit(r) && used < sizeof place->name; k++) {
        const int state = digit_of(r, mode, k);
        if (k < r->modes.n_relay)
            (void)snprintf(place->name + used, sizeof place->name - used, "%s%s %s", used ? ", " : "",
                           r->modes.relay[k]->name, state ? "on" : "off");
        else
            (void)snprintf(place->name + used, sizeof place->name - used, "%s%s %s", used ? ", " : "",
                           r->model->switching.machine[k - r->modes.n_relay].name,
                           r->model->switching.machine[k - r->modes.n_relay].state[state]);
        used = strlen(place->name);
    }
    for (int k = 0; k < r->modes.n_machine; k++)
        if (r->modes.clock[k] >= 0
            && !waits(&r->model->switching.machine[k], digit_of(r, mode, r->modes.n_relay + k)))
            set_number(r, &place->frame, r->modes.clock[k], 0);
    return require_mode(r, mode, WHILE_TIME_PASSES, &place->region);
}

/* --- From one to another ------------------------------------------------------------------------------------- */

/* NULL: one too many, which is reported. */
static struct bound_guard *new_guard(struct reading *r, int from, int to, struct written at)
{
    if (r->out->n_guard >= BOUND_MAX_GUARD) {
        (void)refuse(r, at.pos, at.path, "relays and machines with so many transitions");
        return NULL;
    }
    struct bound_guard *const guard = &r->out->guard[r->out->n_guard++];
    *guard = (struct bound_guard){ .from = from, .to = to, .level = true, .before = r->out->place[from].frame };
    memcpy(guard->name, arena_printf(r->mem, "%-63.63s", at.path), sizeof guard->name);
    return guard;
}

static unsigned free_at(const struct reading *r, const struct bound_frame *frame)
{
    return r->out->arguments & ~frame->gone;
}

/* The guard is where a = 0. */
static void put_on(struct reading *r, struct bound_guard *guard, struct interval_poly a)
{
    if (!bound_frame_solve(r->mem, &guard->before, a, free_at(r, &guard->before)))
        bound_require_zero(&guard->region, reading_unit_size(r, bound_in_frame(r->mem, &guard->before, a)));
}

static enum status add_relay_guard(struct reading *r, int mode, int k)
{
    const struct written at = { r->modes.relay[k]->pos, r->modes.relay[k]->path };
    const bool is_on = digit_of(r, mode, k);
    struct interval_poly beyond;
    struct bound_guard *const guard = new_guard(r, mode, mode + (is_on ? -1 : 1) * stride(r, k), at);
    enum status st = guard ? reading_sign(r, is_on ? r->modes.off[k] : r->modes.on[k], at, &beyond) : STATUS_SPEC;
    if (st != STATUS_OK)
        return st;
    put_on(r, guard, beyond);
    guard->after = guard->before;
    return require_mode(r, mode, k, &guard->region);
}

/* A state may be entered where its condition holds already: the guard is all of where it holds. */
static enum status condition_of(struct reading *r, const struct model_transition *transition,
                                struct bound_guard *guard)
{
    const struct written at = place_of_machine(transition);
    enum status st = STATUS_OK;
    for (int i = 0; i < transition->n_only && st == STATUS_OK; i++)
        st = require_sign(r, transition->only[i], 1, at, &guard->region);
    if (st == STATUS_OK && !is_commanded(r, transition))
        st = require_sign(r, transition->when, 1, at, &guard->region);
    return st;
}

/* What jumps: states by resets, the clock of the machine to 0. */
static enum status jump_of(struct reading *r, const struct model_transition *transition, int clock,
                           struct bound_guard *guard)
{
    const struct written at = place_of_machine(transition);
    enum status st = STATUS_OK;
    guard->after = guard->before;
    for (int i = 0; i < transition->n_reset && st == STATUS_OK; i++) {
        const int k = r->of_state[transition->reset_x[i]];
        const struct bound_var *var = &r->out->var[k];
        struct interval_poly to;
        for (int l = 0; l < r->out->place[0].n_switch; l++)
            if (enclosed_degree_in(r->out->place[0].c[l], k) > 0)
                return refuse(r, at.pos, at.path, "resets that throw a switch");
        st = reading_polynomial(r, transition->reset[i], at, &to);
        if (st != STATUS_OK)
            return st;
        to = enclosed_add(r->mem, to, iv(-1), enclosed_constant(r->mem, iv(var->mid)));
        to = bound_in_frame(r->mem, &guard->before, enclosed_scale(r->mem, iv_div(iv(1), iv(var->half)), to));
        guard->after.gone |= 1u << k;
        guard->after.with[k] = to;
        for (int f = 0; f < r->n_function; f++)
            if (r->function[f].base == k)
                return refuse(r, at.pos, at.path, "resets of what sin, cos or exp is of");
    }
    if (clock >= 0)
        set_number(r, &guard->after, clock, 0);
    return st;
}

static enum status add_transition(struct reading *r, int mode, int k, const struct model_transition *transition)
{
    const int digit = r->modes.n_relay + k, clock = r->modes.clock[k];
    const int to = mode + (transition->to - transition->from) * stride(r, digit);
    struct bound_guard *const guard = new_guard(r, mode, to, place_of_machine(transition));
    enum status st = STATUS_OK;
    if (!guard)
        return STATUS_SPEC;
    if (!isnan(transition->after))
        set_number(r, &guard->before, clock, transition->after);
    else
        st = condition_of(r, transition, guard);
    if (st == STATUS_OK)
        st = require_mode(r, mode, digit, &guard->region);
    if (st == STATUS_OK)
        st = jump_of(r, transition, clock, guard);
    return st;
}

enum status reading_mode_guards(struct reading *r)
{
    enum status st = STATUS_OK;
    for (int mode = 0; mode < r->modes.n && n_digit(r) > 0; mode++) {
        for (int k = 0; k < r->modes.n_relay && st == STATUS_OK; k++)
            st = add_relay_guard(r, mode, k);
        for (int k = 0; k < r->modes.n_machine && st == STATUS_OK; k++) {
            const struct model_machine *machine = &r->model->switching.machine[k];
            for (int i = 0; i < machine->n_transition && st == STATUS_OK; i++)
                if (machine->transition[i].from == digit_of(r, mode, r->modes.n_relay + k)
                    && !is_between_alike(r, machine, &machine->transition[i]))
                    st = add_transition(r, mode, k, &machine->transition[i]);
        }
    }
    return st;
}

/* --- Start and end ------------------------------------------------------------------------------------------- */

/* A relay is what `start` says, or what its threshold says where that is passed. */
bool reading_mode_starts(struct reading *r, int mode, struct bound_region *region)
{
    bool may = true;
    for (int k = 0; k < r->modes.n_relay; k++) {
        const bool is_on = digit_of(r, mode, k);
        const struct written at = { r->modes.relay[k]->pos, r->modes.relay[k]->path };
        if (is_on != r->modes.relay[k]->starts_on)
            may = may && require_sign(r, is_on ? r->modes.on[k] : r->modes.off[k], is_on ? 1 : -1, at, region)
                             == STATUS_OK;
    }
    for (int k = 0; k < r->modes.n_machine; k++)
        may = may && digit_of(r, mode, r->modes.n_relay + k) == r->model->switching.machine[k].start;
    return may;
}

bool reading_mode_ends(const struct reading *r, int mode)
{
    bool may = true;
    for (int k = 0; k < r->modes.n_machine; k++) {
        const struct model_machine *machine = &r->model->switching.machine[k];
        bool is_final = machine->n_final == 0;
        for (int i = 0; i < machine->n_final; i++)
            is_final = is_final || machine->final[i] == digit_of(r, mode, r->modes.n_relay + k);
        may = may && is_final;
    }
    return may;
}

double reading_clock_at_start(const struct reading *r, int k)
{
    return r->model->switching.machine[k].since;
}
