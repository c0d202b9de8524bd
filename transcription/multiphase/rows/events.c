/* What happens between modes: impacts, and what a jump of the controls sets off (phases.md "Events"). */
#include "transcription/multiphase/rows/rows.h"

#include "core/base/mem.h"
#include "transcription/multiphase/rows/bounces.h"
#include "transcription/sequence/couple.h"
#include "transcription/sequence/recipe.h"

#include <math.h>

/* --- Impacts ------------------------------------------------------------------------------------------------- */

static void add_momentum(struct phases *ph, const struct phase_point *point)
{
    const struct phase_system *sys = ph->sys;
    for (int i = 0; i < sys->n_a; i++) {
        const struct dcs_var *v = &sys->dcs->y[sys->model->mechanics.v_index[i]];
        const char *name = arena_printf(&ph->mem, "impact, %s", v->name);
        const int row = program_row(ph->prog, 0, 0, phases_label(name, v->path, v->pos, point));
        block_out(ph->shock, sys->out.momentum + i, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    }
}

/* In space: friction that is smoothed, as motion.c has it. */
static void add_smooth_impulse(struct phases *ph, const struct phase_point *point, int c)
{
    const struct phase_outputs *out = &ph->sys->out;
    for (int k = 0; k < ph->sys->contact[c].n_t; k++)
        phases_subject_row(ph, ph->shock, out->impact_smooth_dir + SLIP_MAX * c + k, 0, 0, c,
                           "direction of the impulse", point);
    phases_subject_row(ph, ph->shock, out->impact_smooth_speed + c, 0, 0, c, "slip after the impact", point);
}

/* In space: slip goes on after the impact, or stops in the direction of the impulse. */
static void add_slip_impulse(struct phases *ph, const struct phase_point *point, int c, bool stops)
{
    const struct phase_outputs *out = &ph->sys->out;
    for (int k = 0; k < ph->sys->contact[c].n_t && !stops; k++)
        phases_subject_row(ph, ph->shock, out->slip_plus + SLIP_MAX * c + k, 0, 0, c, "slip after the impact",
                           point);
    if (stops)
        program_set_bounds(ph->prog, point->first + point->layout->speed[c], 0, 0);
    phases_subject_row(ph, ph->shock, out->impact_unit + c, 0, 0, c, "direction of the impulse", point);
}

/* Friction of an impact by the state of its impulse; after: the state of the mode that follows. */
static void add_impact_friction(struct phases *ph, const struct phase_point *point, int j, int c, int after)
{
    const struct phase_outputs *out = &ph->sys->out;
    const int state = point->contact[c], n_t = ph->sys->contact[c].n_t, v_t = out->v_t_plus + SLIP_MAX * c;
    const bool stops = state == PHASE_STICK || after == PHASE_STICK;
    if (stops && state != PHASE_CLOSED)
        phases_rest_rows(ph, ph->shock, v_t, &ph->implied.hit[j * ph->sys->n_contact + c], c,
                         "slip after the impact", point);
    for (int side = 0; side < phase_sides(n_t) && state == PHASE_STICK && n_t == 1; side++)
        phases_subject_row(ph, ph->shock, out->impact_cone + 2 * c + side, 0, INFINITY, c, "cone of the impulse",
                           point);
    if (state == PHASE_STICK && n_t > 1)
        phases_subject_row(ph, ph->shock, out->impact_unit + c, -INFINITY, 0, c, "cone of the impulse", point);
    if ((state == PHASE_FORWARD || state == PHASE_BACKWARD) && !stops)
        phases_subject_row(ph, ph->shock, v_t, state == PHASE_FORWARD ? 0 : -INFINITY, state == PHASE_FORWARD ? INFINITY : 0,
                           c, "slip after the impact", point);
    if (state == PHASE_SLIP && ph->grid.width > 0)
        add_smooth_impulse(ph, point, c);
    else if (state == PHASE_SLIP)
        add_slip_impulse(ph, point, c, stops);
}

/* The last impact of many that shrink: the contact rests after it, however fast it was, if no flight is left to
 * follow. */
static void add_last_bounce(struct phases *ph, const struct phase_point *point, int j, int c)
{
    const struct phase_outputs *out = &ph->sys->out;
    const struct model_contact *model = ph->sys->contact[c].model;
    const char *name = arena_printf(&ph->mem, "%s last bounce", model->name);
    phases_subject_row(ph, ph->shock, out->newton + c, -INFINITY, 0, c, "approach before rest", point);
    phases_subject_row(ph, ph->shock, out->v_n_plus + c, 0, 0, c, "rest after the impact", point);
    phases_add_duration(ph, bounces_before(ph->seq, j, c), j, -INFINITY, bounces_last_flight(model->e),
                        phases_label(name, model->path, model->pos, point));
}

/* A contact that was open obeys Newton's law; one that rebounds can stay closed only if it touched down at rest,
 * or is at the end of many bounces. */
static void add_impact_law(struct phases *ph, const struct phase_point *point, int j, int c, int before, int after)
{
    const struct phase_outputs *out = &ph->sys->out;
    const bool opened = before == PHASE_OPEN, rebounds = opened && ph->sys->contact[c].model->e > 0;
    if (rebounds && after != PHASE_OPEN && bounces_end(ph->seq, j, c)) {
        add_last_bounce(ph, point, j, c);
        return;
    }
    phases_subject_row(ph, ph->shock, (opened ? out->newton : out->v_n_plus) + c, 0, 0, c, "impact law", point);
    if (rebounds && after != PHASE_OPEN)
        phases_subject_row(ph, ph->shock, out->v_n_plus + c, 0, 0, c, "rest after the impact", point);
}

static void stop_contact(struct phases *ph, const struct phase_point *point, int c)
{
    for (int k = 0; k < ph->sys->contact[c].n_t; k++)
        phases_subject_row(ph, ph->shock, ph->sys->out.v_t_plus + SLIP_MAX * c + k, 0, 0, c,
                           "slip after the impact", point);
}

static void stop_switch(struct phases *ph, const struct phase_point *impact, int l)
{
    const struct phase_point point = { .y = phases_left(ph, impact->element), .first = -1, .contact = impact->contact,
                                       .machine = impact->machine, .interval = impact->interval,
                                       .element = impact->element };
    phases_fill(ph, ph->state, &point);
    phases_subject_row(ph, ph->state, ph->sys->out.c + l, 0, 0, ph->sys->n_contact + l, "after the impact", &point);
}

/* What sticks or slides after an impact that reaches it is at rest then. */
static void add_rest_after(struct phases *ph, const struct phase_point *point, int j)
{
    const struct phase_system *sys = ph->sys;
    const unsigned char *after = sequence_mode(ph->seq, j + 1);
    struct couple *couple = NULL;
    for (int c = 0; c < sys->n_contact; c++)
        if (phases_carried(ph, j, c) == CARRIED_SLIPS && after[c] == PHASE_STICK)
            stop_contact(ph, point, c);
    for (int l = 0; l < sys->n_switch; l++) {
        if (after[sys->n_contact + l] != PHASE_SLIDING || !sys->sw[l].jumps)
            continue;
        if (!couple)
            couple = couple_create(sys, ph->guess.end);
        if (couple_reaches_switch(couple, point->contact, l))
            stop_switch(ph, point, l);
    }
    couple_free(couple);
}

/* One that was closed stays so; one that opens may not be pushed in. */
static void add_impact(struct phases *ph, int j)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_point point = phases_impact_point(ph, j);
    const unsigned char *before = sequence_mode(ph->seq, j), *after = sequence_mode(ph->seq, j + 1);
    phases_fill(ph, ph->shock, &point);
    add_momentum(ph, &point);
    for (int c = 0; c < sys->n_contact; c++) {
        if (point.contact[c] != PHASE_OPEN) {
            add_impact_law(ph, &point, j, c, before[c], after[c]);
            if (sys->contact[c].n_t)
                add_impact_friction(ph, &point, j, c, after[c]);
        } else if (before[c] != PHASE_OPEN && after[c] == PHASE_OPEN
                   && model_has_contact(sys->model, c, point.interval)) {
            phases_subject_row(ph, ph->shock, sys->out.v_n_plus + c, 0, INFINITY, c, "opens at the impact", &point);
        }
    }
    add_rest_after(ph, &point, j);
}

/* --- Right after an event ------------------------------------------------------------------------------------ */

/* What hangs on the forces right after event j: an output of the motion, and its bounds. */
struct onset { int out, subject; double lb, ub; const char *what; };

/* Controls jump at event j, or signals, or the curvature of a ground. */
static bool forces_jump(const struct sequence *seq, int j)
{
    return sequence_is_on_grid(seq, j) || sequence_fires(seq, j) || sequence_turns(seq, j);
}

/* Does contact c leave a face whose normal does not go on around its end? That says
 * that it opens, no force does. */
static bool runs_off(const struct phases *ph, int j, int c)
{
    return !ph->sys->contact[c].model->turns && sequence_contact_turns(ph->seq, j, c);
}

/* Does the spec make a jump at event j that reaches an output of the state? Then that, not its rate,
 * says what follows (resets.c). */
static bool is_thrown(const struct phases *ph, int j, int out)
{
    int k = 0;
    while (ph->piece[k].before != j) k++;
    return phases_jump_is_given(ph, k) && phases_jump_reaches(ph, k, ph->sys->state[out]);
}

static void onset_of_contact(const struct phases *ph, int j, int c, struct onset *list, int *n)
{
    const struct phase_system *sys = ph->sys;
    const int before = sequence_mode(ph->seq, j)[c], after = sequence_mode(ph->seq, j + 1)[c];
    const int hit = sequence_hit(ph->seq, j)[c];
    const bool grid = forces_jump(ph->seq, j), impact = sequence_has_impact(ph->seq, j);
    const bool leaves = phase_is_closed(before) && after == PHASE_OPEN && !impact
                        && !is_thrown(ph, j, sys->out.v_n + c) && !runs_off(ph, j, c);
    if (!model_has_contact(sys->model, c, sequence_interval(ph->seq, j)))
        return;                     /* let go */
    const bool rests =
        hit != PHASE_OPEN && after == PHASE_OPEN && (before != PHASE_OPEN || sys->contact[c].model->e <= 0);
    if (rests || (leaves && (grid || (before == PHASE_STICK && sys->contact[c].n_t))))
        list[(*n)++] =
            (struct onset){ sys->out.gap_rate2 + c, c, 0, grid || rests ? INFINITY : 0, "gap'' at lift-off" };
    if (!grid || hit != PHASE_OPEN || !phase_slips(after) || before == after || !phase_is_closed(before)
        || is_thrown(ph, j, sys->out.v_t + SLIP_MAX * c))
        return;
    if (after == PHASE_SLIP)
        list[(*n)++] = (struct onset){ -1, c, 0, 0, NULL };     /* the point alone: its rows say it all */
    else
        list[(*n)++] = (struct onset){ sys->out.v_t_rate + SLIP_MAX * c, c, after == PHASE_FORWARD ? 0 : -INFINITY,
                                       after == PHASE_FORWARD ? INFINITY : 0, "v_t' where slip begins" };
}

static void onset_of_switch(const struct phases *ph, int j, int l, struct onset *list, int *n)
{
    const struct phase_system *sys = ph->sys;
    const int subject = sys->n_contact + l, after = sequence_mode(ph->seq, j + 1)[subject];
    const bool leaves = sequence_mode(ph->seq, j)[subject] == PHASE_SLIDING && after != PHASE_SLIDING;
    if (!leaves || sys->sw[l].own || !forces_jump(ph->seq, j) || is_thrown(ph, j, sys->out.c + l))
        return;
    const bool up = after == PHASE_POSITIVE;
    list[(*n)++] = (struct onset){ sys->out.c_rate + l, subject, up ? 0 : -INFINITY, up ? INFINITY : 0,
                                   "rate where sliding ends" };
}

static void add_instant(struct phases *ph, const struct phase_piece *piece, const struct onset *list, int n)
{
    const int j = piece->before;
    const unsigned char *state = sequence_mode(ph->seq, j + 1);
    const int first = phases_add_block(ph, &ph->layout[j + 1], false, piece->interval, piece->first, 0);
    const struct phase_point point = { .y = phases_left(ph, piece->first), .first = first, .layout = &ph->layout[j + 1],
                                       .contact = state, .sw = state + ph->sys->n_contact,
                                       .machine = state + ph->sys->n_contact + ph->sys->n_switch,
                                       .patch = sequence_patch(ph->seq, j + 1), .turns = sequence_turns(ph->seq, j),
                                       .interval = piece->interval, .element = piece->first, .stage = 0 };
    if (ph->n_instant == ph->cap_instant) {
        ph->cap_instant = ph->cap_instant ? 2 * ph->cap_instant : 16;
        ph->instant = mem_resize(ph->instant, (size_t)ph->cap_instant, sizeof *ph->instant);
    }
    struct phase_instant *instant = &ph->instant[ph->n_instant++];
    phases_fill(ph, ph->motion, &point);
    phases_fill(ph, ph->state, &point);
    phases_add_mode_rows(ph, &point, j + 1, sequence_mode(ph->seq, j));
    const int row = program_n_row(ph->prog);
    for (int k = 0; k < n; k++)
        if (list[k].out >= 0)
            phases_subject_row(ph, ph->motion, list[k].out, list[k].lb, list[k].ub, list[k].subject, list[k].what,
                               &point);
    *instant = (struct phase_instant){ piece->first, first, row, program_n_row(ph->prog) };
}

void phases_add_events(struct phases *ph)
{
    const struct phase_system *sys = ph->sys;
    struct onset *list = arena_alloc(&ph->mem, (size_t)(2 * sys->n_contact + sys->n_switch), sizeof *list);
    phases_add_start(ph);
    for (int k = 0; k < ph->n_piece; k++) {
        const int j = ph->piece[k].before;
        if (j < 0)
            continue;
        int n = 0;
        if (ph->at.impact[j] >= 0)
            add_impact(ph, j);
        for (int c = 0; c < sys->n_contact; c++)
            onset_of_contact(ph, j, c, list, &n);
        for (int l = 0; l < sys->n_switch; l++)
            onset_of_switch(ph, j, l, list, &n);
        if (n)
            add_instant(ph, &ph->piece[k], list, n);
    }
}
