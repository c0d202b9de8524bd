#include "transcription/multiphase/layout/phases.h"

#include "core/base/mem.h"
#include "transcription/sequence/patches.h"

#include <stdlib.h>

/* --- Points -------------------------------------------------------------------------------------------------- */

struct phase_point phases_stage_point(const struct phases *ph, int element, int k)
{
    const struct phase_piece *piece = &ph->piece[ph->piece_of[element]];
    const unsigned char *state = sequence_mode(ph->seq, piece->mode);
    return (struct phase_point){
        .y = &ph->at.stage_y[(element * ph->n_point + k) * ph->sys->n_y],
        .first = phases_stage(ph, element, k) + ph->sys->n_y, .layout = &ph->layout[piece->mode],
        .contact = state, .sw = state + ph->sys->n_contact, .machine = state + ph->sys->n_contact + ph->sys->n_switch,
        .patch = sequence_patch(ph->seq, piece->mode), .interval = piece->interval, .element = element, .stage = k + 1
    };
}

struct phase_point phases_boundary_point(const struct phases *ph, int e)
{
    static const unsigned char *const none = NULL;
    const int last = e < ph->n_element ? e : ph->n_element - 1;
    return (struct phase_point){ .y = phases_left(ph, e), .first = -1, .contact = none,
                                 .interval = ph->piece[ph->piece_of[last]].interval, .element = last,
                                 .stage = e < ph->n_element ? 0 : ph->n_point };
}

int phases_piece_after(const struct phases *ph, int event)
{
    int k = 0;
    while (ph->piece[k].before != event) k++;
    return k;
}

/* Before the impact: the end of the element before the piece that it begins, or what a jump there leads to. */
struct phase_point phases_impact_point(const struct phases *ph, int event)
{
    const int k = phases_piece_after(ph, event);
    const struct phase_piece *piece = &ph->piece[k];
    return (struct phase_point){
        .y = &ph->at.before[k * ph->sys->n_y], .first = ph->at.impact[event],
        .layout = &ph->hit[event], .contact = sequence_hit(ph->seq, event),
        .machine = sequence_mode(ph->seq, event) + ph->sys->n_contact + ph->sys->n_switch,
        .patch = sequence_patch(ph->seq, event + 1), .interval = piece->interval,
        .element = piece->first, .stage = 0
    };
}

/* Every fill adds weight times the variables of the point: one point with weight 1, or the stages of an element. */
static void fill_contact(const struct phases *ph, struct program_block *block, const struct phase_point *point,
                         int c, double weight)
{
    const struct phase_contact *contact = &ph->sys->contact[c];
    const struct phase_layout *at = point->layout;
    if (at->lambda_n[c] >= 0)
        block_slot_add(block, contact->lambda_n, point->first + at->lambda_n[c], weight);
    for (int k = 0; k < contact->n_t && at->lambda_t[c] >= 0; k++)
        block_slot_add(block, contact->lambda_t + k, point->first + at->lambda_t[c] + k, weight);
    for (int k = 0; k < contact->n_t && at->dir[c] >= 0; k++)
        block_slot_add(block, contact->dir + k, point->first + at->dir[c] + k, weight);
    if (at->speed[c] >= 0)
        block_slot_add(block, contact->speed, point->first + at->speed[c], weight);
    if (point->contact[c] == PHASE_FORWARD || point->contact[c] == PHASE_BACKWARD)
        block_slot_const(block, contact->dir, point->contact[c] == PHASE_FORWARD ? 1 : -1);
}

static void fill_unknowns(const struct phases *ph, struct program_block *block, const struct phase_point *point,
                          double weight)
{
    const struct phase_system *sys = ph->sys;
    for (int i = 0; i < sys->n_a; i++)
        block_slot_add(block, sys->a + i, point->first + i, weight);
    for (int c = 0; c < sys->n_contact; c++)
        fill_contact(ph, block, point, c, weight);
    for (int l = 0; l < sys->n_switch && point->sw; l++) {
        if (point->layout->alpha[l] >= 0)
            block_slot_add(block, sys->sw[l].alpha, point->first + point->layout->alpha[l], weight);
        else if (point->sw[l] == PHASE_POSITIVE)
            block_slot_const(block, sys->sw[l].alpha, 1);
    }
}

static void fill_y(const struct phases *ph, struct program_block *block, const int *y, double weight)
{
    for (int i = 0; i < ph->sys->n_y; i++)
        block_slot_add(block, ph->sys->y + i, y[i], weight);
}

static void fill_signals(const struct phases *ph, struct program_block *block, const unsigned char *machine)
{
    const int n = ph->sys->model->switching.n_signal;
    double *signal = mem_alloc((size_t)n, sizeof *signal);
    phase_system_signals(ph->sys, machine, signal);
    for (int k = 0; k < n; k++)
        block_slot_const(block, ph->sys->signal + k, signal[k]);
    free(signal);
}

bool phases_holds_patch(const struct phase_point *point, int c)
{
    return point->patch && point->contact && point->patch[c] && (point->contact[c] != PHASE_OPEN || point->turns);
}

void phases_set_patches(const struct phase_system *sys, const struct phase_point *point, double *slot)
{
    for (int c = 0; c < sys->n_contact; c++) {
        const struct phase_contact *contact = &sys->contact[c];
        if (!phases_holds_patch(point, c))
            continue;
        slot[contact->held] = 1;
        for (int k = 0; k < contact->model->n_corner; k++)
            slot[contact->side + k] = patches_side(contact, point->patch[c], k);
    }
}

static void fill_patches(const struct phases *ph, struct program_block *block, const struct phase_point *point)
{
    for (int c = 0; c < ph->sys->n_contact; c++) {
        const struct phase_contact *contact = &ph->sys->contact[c];
        if (!phases_holds_patch(point, c))
            continue;
        block_slot_const(block, contact->held, 1);
        for (int k = 0; k < contact->model->n_corner; k++)
            block_slot_const(block, contact->side + k, patches_side(contact, point->patch[c], k));
    }
}

static void fill_inputs(const struct phases *ph, struct program_block *block, const struct phase_point *point)
{
    const struct phase_system *sys = ph->sys;
    const struct model *model = sys->model;
    fill_patches(ph, block, point);
    if (point->machine && model->switching.n_signal)
        fill_signals(ph, block, point->machine);
    for (int k = 0; k < model->n_u; k++)
        block_slot(block, sys->u + k, ph->at.u[point->interval] + k);
    for (int k = 0; k < model->n_p; k++)
        block_slot(block, sys->p + k, ph->at.p + k);
    if (sys->T >= 0)
        block_slot(block, sys->T, ph->at.T);
    block_slot_const(block, sys->width, ph->grid.width > 0 ? ph->grid.width : 1);       /* 1: of no use, and no division by 0 */
}

void phases_fill(struct phases *ph, struct program_block *block, const struct phase_point *point)
{
    block_point(block);
    fill_y(ph, block, point->y, 1);
    if (point->first >= 0)
        fill_unknowns(ph, block, point, 1);
    fill_inputs(ph, block, point);
}

void phases_fill_between(struct phases *ph, struct program_block *block, const struct phase_point *point, double c)
{
    double y[16] = { 0 }, unknown[16] = { 0 };  /* rk.h: at most 9 stages */
    rk_weights(ph->rk, c, y, unknown);
    block_point(block);
    fill_y(ph, block, phases_left(ph, point->element), y[0]);
    for (int k = 1; k <= ph->grid.stages; k++) {
        const struct phase_point stage = phases_stage_point(ph, point->element, k - 1);
        fill_y(ph, block, stage.y, y[k]);
        fill_unknowns(ph, block, &stage, unknown[k]);
    }
    fill_inputs(ph, block, point);
}

struct mpcc_label phases_label(const char *name, const char *path, struct srcpos pos,
                               const struct phase_point *point)
{
    return (struct mpcc_label){ name, pos, path, point->interval, point->element, point->stage };
}

int phases_subject_row(struct phases *ph, struct program_block *block, int out, double lb, double ub, int subject,
                       const char *what, const struct phase_point *point)
{
    const struct phase_system *sys = ph->sys;
    const char *name = arena_printf(&ph->mem, "%s %s", phase_subject_name(sys, subject), what);
    struct mpcc_label label;
    if (subject < sys->n_contact)
        label = phases_label(name, sys->contact[subject].model->path, sys->contact[subject].model->pos, point);
    else
        label = phases_label(name, sys->sw[subject - sys->n_contact].sw->path,
                             sys->sw[subject - sys->n_contact].sw->pos, point);
    const int row = program_row(ph->prog, lb, ub, label);
    if (out >= 0)
        block_out(block, out, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    return row;
}

/* --- Asking -------------------------------------------------------------------------------------------------- */

int phases_stage(const struct phases *ph, int element, int k)
{
    return ph->at.stage[element * ph->n_point + k];
}

const int *phases_left(const struct phases *ph, int element)
{
    return &ph->at.left[element * ph->sys->n_y];
}

double phases_horizon(const struct phases *ph, const double *w)
{
    return ph->at.T >= 0 ? w[ph->at.T] : ph->guess.horizon;
}

double phases_length(const struct phases *ph, const double *w, int piece)
{
    return ph->piece[piece].coef * (ph->piece[piece].length >= 0 ? w[ph->piece[piece].length] : 1);
}

double phases_element_length(const struct phases *ph, const double *w, int element)
{
    return phases_length(ph, w, ph->piece_of[element]) * ph->part[element];
}

void phases_times(const struct phases *ph, const double *w, double *start, double *event)
{
    double t = 0;
    for (int k = 0; k < ph->n_piece; k++) {
        start[k] = t;
        if (ph->piece[k].before >= 0)
            event[ph->piece[k].before] = t;
        t += phases_length(ph, w, k);
    }
    start[ph->n_piece] = t;
}

const double *phases_mode_guess(const struct phases *ph, int j)
{
    return ph->guess.mode ? ph->guess.mode + j * ph->sys->n_y : ph->guess.end;
}

double phases_value(const double *w, int block, int offset)
{
    return offset >= 0 ? w[block + offset] : 0;
}
