/* Machines in the multiphase program: transitions that are not due yet, those that are made, and time limits of
 * states (phases.md "Machines"). */
#include "transcription/multiphase/rows/rows.h"

#include "core/base/mem.h"

#include <math.h>

#define COMMAND_MARGIN 1e-6         /* by which a control is beyond what its condition asks for, or short of it */

/* Of a control nothing is near: it keeps away from where its command would be given by rounding. */
void phases_transition_row(struct phases *ph, int k, double lb, double ub, const char *what,
                           const struct phase_point *point)
{
    const struct model_transition *one = ph->sys->transition[k].model;
    const double margin = ph->sys->transition[k].commanded ? COMMAND_MARGIN : 0;
    const char *name = arena_printf(&ph->mem, "%s %s", one->name, what);
    const int row = program_row(ph->prog, lb + margin, ub - margin, phases_label(name, one->path, one->pos, point));
    block_out(ph->state, ph->sys->out.when + k, row, 1, PROGRAM_ONE, PROGRAM_ONE);
}

static bool leaves(const struct phase_system *sys, int k, const unsigned char *machine)
{
    return sys->transition[k].model->from == machine[sys->transition[k].machine];
}

/* May transition k, which has a condition, be made in these states? */
static bool waits(const struct phase_system *sys, int k, const unsigned char *machine)
{
    return sys->transition[k].model->when != EXPR_NONE && leaves(sys, k, machine);
}

/* --- Within a mode ------------------------------------------------------------------------------------------- */

/* What must hold of states where a command is given: beyond rounding, as the command is. */
static void add_conditions(struct phases *ph, int k, const struct phase_point *point)
{
    const struct phase_transition *one = &ph->sys->transition[k];
    const char *name = arena_printf(&ph->mem, "%s where it is commanded", one->model->name);
    for (int i = 0; i < one->model->n_only; i++) {
        const int row = program_row(ph->prog, COMMAND_MARGIN, INFINITY,
                                    phases_label(name, one->model->path, one->model->pos, point));
        block_out(ph->state, ph->sys->out.only + one->first_only + i, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    }
}

/* A mode that lasts no time: its end is a transition whose condition is met there, and of
 * none before it in the list. */
static void bound_instant(struct phases *ph, const struct phase_point *point, int made)
{
    for (int k = 0; k <= made; k++)
        if (waits(ph->sys, k, point->machine))
            phases_transition_row(ph, k, k == made ? 0 : -INFINITY, k == made ? INFINITY : 0, "at once", point);
    add_conditions(ph, made, point);
}

bool phases_is_instant(const struct phases *ph, int k)
{
    const struct phase_piece *piece = &ph->piece[k];
    return piece->ends_inside && sequence_fires(ph->seq, piece->after) && ph->seq->step[piece->after].at_once;
}

void phases_add_machine_bounds(struct phases *ph, const struct phase_point *point, int e, int k)
{
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    const bool first = k == 0 && e == piece->first;
    const bool last = k == ph->n_point - 1 && e == piece->first + piece->n_element - 1 && piece->after >= 0;
    const int made = last ? ph->seq->step[piece->after].transition : -1;
    if (phases_is_instant(ph, ph->piece_of[e])) {
        if (last)
            bound_instant(ph, point, made);
        return;
    }
    for (int i = 0; i < ph->sys->n_transition; i++)
        if (waits(ph->sys, i, point->machine) && (first || !ph->sys->transition[i].commanded))
            phases_transition_row(ph, i, i == made ? 0 : -INFINITY, 0, i == made ? "happens" : "waits", point);
}

bool phases_waits(const struct phases *ph, const struct phase_point *point, int k)
{
    return !phases_is_instant(ph, ph->piece_of[point->element]) && waits(ph->sys, k, point->machine)
           && !ph->sys->transition[k].commanded;
}

/* --- Where a mode begins ------------------------------------------------------------------------------------- */

/* What jumps where piece k begins: velocities at impacts, what is reset. */
static bool jumps_at(const struct phases *ph, int k, expr e)
{
    const struct model *model = ph->sys->model;
    const int j = ph->piece[k].before;
    bool reached = phases_jump_reaches(ph, k, e);
    for (int i = 0; i < ph->sys->n_a && j >= 0 && ph->at.impact[j] >= 0; i++)
        reached = reached || expr_depends(ph->sys->g, e, 1, &model->x_sym[model->mechanics.v_index[i]]);
    return reached;
}

/* Is transition i to be looked at where piece k begins? Not where it was before, or where the condition that has
 * just been met says all about it. */
static bool is_new(const struct phases *ph, int k, int i)
{
    const struct phase_system *sys = ph->sys;
    const int j = ph->piece[k].before, made = j >= 0 ? ph->seq->step[j].transition : -1;
    const bool entered = made >= 0 && sys->transition[made].machine == sys->transition[i].machine;
    if (!entered)
        return jumps_at(ph, k, sys->transition[i].model->when);
    return ph->seq->step[j].at_once || !phase_system_implies(sys, made, i);
}

static void add_entry(struct phases *ph, int k)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_piece *piece = &ph->piece[k];
    const unsigned char *state = sequence_mode(ph->seq, piece->mode);
    const struct phase_point point = { .y = phases_left(ph, piece->first), .first = -1, .contact = state,
                                       .machine = state + sys->n_contact + sys->n_switch, .interval = piece->interval,
                                       .element = piece->first };
    bool filled = false;
    for (int i = 0; i < sys->n_transition; i++) {
        if (!waits(sys, i, point.machine) || sys->transition[i].commanded)
            continue;
        const expr when = sys->transition[i].model->when;
        if (k ? !is_new(ph, k, i) : !phases_is_free_at_start(ph, when) && !phases_jump_reaches(ph, 0, when))
            continue;
        if (!filled)
            phases_fill(ph, ph->state, &point);
        filled = true;
        phases_transition_row(ph, i, -INFINITY, 0, "waits", &point);
    }
}

/* --- Time in a state ----------------------------------------------------------------------------------------- */

/* The event at which machine m leaves the state that it has after event j; n_event: it stays. */
static int end_of_state(const struct phases *ph, int m, int j)
{
    int end = j + 1;
    while (end < ph->seq->n_event
           && !(sequence_fires(ph->seq, end) && ph->sys->transition[ph->seq->step[end].transition].machine == m))
        end++;
    return end;
}

/* From event j to event `end` it takes as long as transition k says, or at most that; what has passed before the
 * start counts. */
static void add_limit(struct phases *ph, int k, int j, int end)
{
    const struct model_transition *one = ph->sys->transition[k].model;
    const bool made = end < ph->seq->n_event && ph->seq->step[end].transition == k;
    const double since = j < 0 ? ph->sys->model->switching.machine[ph->sys->transition[k].machine].since : 0;
    const double left = one->after - since;
    const char *name = arena_printf(&ph->mem, "%s time in its state", one->name);
    const struct mpcc_label label = { name, one->pos, one->path, 0, 0, -1 };
    phases_add_duration(ph, j, end, made ? left : -INFINITY, left, label);
}

static void add_limits(struct phases *ph, int m, int j)
{
    const unsigned char *machine = sequence_mode(ph->seq, j + 1) + ph->sys->n_contact + ph->sys->n_switch;
    int first, end;
    phase_system_transitions(ph->sys, m, &first, &end);
    for (int k = first; k < end; k++)
        if (ph->sys->transition[k].model->when == EXPR_NONE && leaves(ph->sys, k, machine))
            add_limit(ph, k, j, end_of_state(ph, m, j));
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

void phases_add_machines(struct phases *ph)
{
    const struct sequence *seq = ph->seq;
    for (int k = 0; k < ph->n_piece && ph->sys->n_machine; k++) {
        const struct phase_piece *piece = &ph->piece[k];
        const bool begins = k == 0 || piece->before >= 0 || ph->at.reset[k] >= 0;
        if (phases_is_instant(ph, k))
            program_set_bounds(ph->prog, piece->length, 0, 0);
        else if (begins)
            add_entry(ph, k);
    }
    for (int m = 0; m < ph->sys->n_machine; m++) {
        add_limits(ph, m, -1);
        for (int j = 0; j < seq->n_event; j++)
            if (sequence_fires(seq, j) && ph->sys->transition[seq->step[j].transition].machine == m)
                add_limits(ph, m, j);
    }
}
