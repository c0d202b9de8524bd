/* What stands where: pieces and elements of a sequence, the variables of the program, and the lengths of pieces. */
#include "transcription/multiphase/layout/phases.h"

#include "transcription/discretize/horizon.h"

#include <math.h>

/* --- Pieces -------------------------------------------------------------------------------------------------- */

/* Are there ends for all pieces, and no more? */
static bool ends_fit(const struct phases *ph)
{
    int n = ph->n_interval, n_last = 0;
    for (int j = 0; j < ph->seq->n_event; j++)
        n += !sequence_is_on_grid(ph->seq, j);
    for (int e = 0; e < ph->grid.n_end; e++)
        n_last += ph->grid.end[e] == 1;
    return ph->grid.n_end > 0 && n_last == n && ph->grid.end[ph->grid.n_end - 1] == 1;
}

/* Elements of the next piece. */
static int count_elements(const struct phases *ph)
{
    int e = ph->n_element;
    if (ph->grid.n_end == 0)
        return ph->grid.elements;
    while (ph->grid.end[e] != 1) e++;
    return e + 1 - ph->n_element;
}

static struct phase_piece *add_piece(struct phases *ph, int interval, int mode, int before)
{
    struct phase_piece *piece = &ph->piece[ph->n_piece++];
    *piece = (struct phase_piece){ .interval = interval, .mode = mode, .before = before, .after = -1,
                                   .first = ph->n_element, .n_element = count_elements(ph), .length = -1 };
    ph->n_element += piece->n_element;
    return piece;
}

/* The pieces of interval i, whose first event is *j. */
static void lay_out_interval(struct phases *ph, int i, int *j)
{
    const struct sequence *seq = ph->seq;
    int before = -1;
    if (*j < seq->n_event && seq->place[*j] == 2 * i)
        before = (*j)++;
    struct phase_piece *piece = add_piece(ph, i, *j, before);
    while (*j < seq->n_event && seq->place[*j] == 2 * i + 1) {
        piece->after = *j;
        piece->ends_inside = true;
        ++*j;
        piece = add_piece(ph, i, *j, *j - 1);
    }
    if (*j < seq->n_event && seq->place[*j] == 2 * i + 2)
        piece->after = *j;
}

/* --- Unknowns of a mode -------------------------------------------------------------------------------------- */

static int take(struct phase_layout *layout, int n)
{
    layout->n += n;
    return layout->n - n;
}

static void allocate_layout(struct phases *ph, struct phase_layout *layout)
{
    const size_t n_c = (size_t)ph->sys->n_contact, n_s = (size_t)ph->sys->n_switch;
    layout->lambda_n = arena_alloc(&ph->mem, n_c, sizeof(int));
    layout->lambda_t = arena_alloc(&ph->mem, n_c, sizeof(int));
    layout->dir = arena_alloc(&ph->mem, n_c, sizeof(int));
    layout->speed = arena_alloc(&ph->mem, n_c, sizeof(int));
    layout->alpha = arena_alloc(&ph->mem, n_s, sizeof(int));
    for (size_t c = 0; c < n_c; c++)
        layout->lambda_n[c] = layout->lambda_t[c] = layout->dir[c] = layout->speed[c] = -1;
    for (size_t l = 0; l < n_s; l++)
        layout->alpha[l] = -1;
}

/* state [n_contact] of contacts; of switches [n_switch], NULL of an impact. In space an impulse that sticks has its
 * place in the cone as unknowns, |dir| <= 1, in place of its friction: that keeps the program regular where it is 0
 * (phases.md "No interior"). */
static void lay_out_unknowns(struct phases *ph, struct phase_layout *layout, const unsigned char *contact,
                             const unsigned char *sw)
{
    allocate_layout(ph, layout);
    layout->n = ph->sys->n_a;
    for (int c = 0; c < ph->sys->n_contact; c++) {
        const int n_t = ph->sys->contact[c].n_t;
        if (contact[c] != PHASE_OPEN)
            layout->lambda_n[c] = take(layout, 1);
        const bool has_place = contact[c] == PHASE_STICK && n_t > 1 && !sw;
        if (contact[c] == PHASE_STICK && !has_place)
            layout->lambda_t[c] = take(layout, n_t);
        if (contact[c] == PHASE_SLIP || has_place)
            layout->dir[c] = take(layout, n_t);
        if (contact[c] == PHASE_SLIP)
            layout->speed[c] = take(layout, 1);
    }
    for (int l = 0; l < ph->sys->n_switch && sw; l++)
        if (sw[l] == PHASE_SLIDING)
            layout->alpha[l] = take(layout, 1);
}

static void lay_out_elements(struct phases *ph)
{
    const size_t n = (size_t)ph->n_element;
    ph->piece_of = arena_alloc(&ph->mem, n, sizeof(int));
    ph->from = arena_alloc(&ph->mem, n, sizeof(double));
    ph->part = arena_alloc(&ph->mem, n, sizeof(double));
    for (int k = 0; k < ph->n_piece; k++)
        for (int e = ph->piece[k].first, i = 0; i < ph->piece[k].n_element; e++, i++) {
            const double equal = 1.0 / ph->piece[k].n_element;
            ph->piece_of[e] = k;
            ph->from[e] = ph->grid.n_end == 0 ? i * equal : i ? ph->grid.end[e - 1] : 0;
            ph->part[e] = ph->grid.n_end == 0 ? equal : ph->grid.end[e] - ph->from[e];
        }
}

void phases_lay_out(struct phases *ph)
{
    const struct sequence *seq = ph->seq;
    const size_t n_event = (size_t)seq->n_event;
    ph->n_interval = ph->sys->model->time.n_intervals;
    ph->piece = arena_alloc(&ph->mem, (size_t)ph->n_interval + n_event, sizeof *ph->piece);
    int j = 0;
    ph->grid.n_end = ends_fit(ph) ? ph->grid.n_end : 0;
    for (int i = 0; i < ph->n_interval; i++)
        lay_out_interval(ph, i, &j);
    lay_out_elements(ph);
    ph->layout = arena_alloc(&ph->mem, n_event + 1, sizeof *ph->layout);
    ph->hit = arena_alloc(&ph->mem, n_event, sizeof *ph->hit);
    for (j = 0; j <= seq->n_event; j++)
        lay_out_unknowns(ph, &ph->layout[j], sequence_mode(seq, j), sequence_mode(seq, j) + seq->n_contact);
    for (j = 0; j < seq->n_event; j++)
        if (sequence_has_impact(seq, j))
            lay_out_unknowns(ph, &ph->hit[j], sequence_hit(seq, j), NULL);
}

/* --- Variables ----------------------------------------------------------------------------------------------- */

static struct mpcc_label place_of(const char *name, int interval, int element, int stage)
{
    const struct srcpos nowhere = { NULL, 0, 0 };
    return (struct mpcc_label){ name, nowhere, NULL, interval, element, stage };
}

static void add_globals(struct phases *ph)
{
    const struct model *model = ph->sys->model;
    ph->at.p = program_n_var(ph->prog);
    for (int k = 0; k < model->n_p; k++) {
        const struct model_param *param = &model->param[model->p_param[k]];
        program_var(ph->prog, param->lb, param->ub, param->value,
                    (struct mpcc_label){ param->name, param->pos, param->path, -1, -1, -1 });
    }
    ph->at.T = -1;
    ph->guess.horizon = model->time.horizon;
    if (model->time.horizon_free)
        ph->at.T = program_var(ph->prog, model->time.horizon_min, model->time.horizon_max, model->time.horizon,
                            (struct mpcc_label){ "horizon", model->time.horizon_pos, "time.horizon", -1, -1, -1 });
}

/* Bounds of a state where the horizon begins; the clock starts at 0. */
static void add_initial_state(struct phases *ph)
{
    const struct dcs *dcs = ph->sys->dcs;
    ph->at.y0 = program_n_var(ph->prog);
    for (int i = 0; i < ph->sys->n_y; i++) {
        double lb = 0, ub = 0;
        if (i != dcs->clock) {
            const struct model_var *x = &ph->sys->model->x[i];
            const bool given = x->initial.kind == END_FIXED || x->initial.kind == END_RANGE;
            lb = given && x->initial.kind == END_RANGE ? fmax(x->lb, x->initial.lo) : given ? x->initial.lo : x->lb;
            ub = given && x->initial.kind == END_RANGE ? fmin(x->ub, x->initial.hi) : given ? x->initial.hi : x->ub;
        }
        program_var(ph->prog, lb, ub, 0,
                    (struct mpcc_label){ dcs->y[i].name, dcs->y[i].pos, dcs->y[i].path, 0, 0, 0 });
    }
}

/* What stands at place i of a block, in words. */
static const char *name_of_unknown(struct phases *ph, const struct phase_layout *layout, bool impact, int i)
{
    const struct phase_system *sys = ph->sys;
    const char *of = impact ? "impulse" : "force";
    if (i < sys->n_a)
        return arena_printf(&ph->mem, impact ? "%s after the impact" : "rate of %s",
                            sys->dcs->y[sys->model->mechanics.v_index[i]].name);
    for (int c = 0; c < sys->n_contact; c++) {
        const char *contact = phase_subject_name(sys, c);
        if (i == layout->lambda_n[c])
            return arena_printf(&ph->mem, "%s normal %s", contact, of);
        if (layout->lambda_t[c] >= 0 && i >= layout->lambda_t[c] && i < layout->lambda_t[c] + sys->contact[c].n_t)
            return arena_printf(&ph->mem, "%s friction %s", contact, of);
        if (layout->dir[c] >= 0 && i >= layout->dir[c] && i < layout->dir[c] + sys->contact[c].n_t)
            return arena_printf(&ph->mem, "%s direction of %s", contact, impact ? "the impulse" : "slip");
        if (i == layout->speed[c])
            return arena_printf(&ph->mem, "%s speed of slip", contact);
    }
    for (int l = 0; l < sys->n_switch; l++)
        if (i == layout->alpha[l])
            return arena_printf(&ph->mem, "step of %s", phase_subject_name(sys, sys->n_contact + l));
    return "unknown";
}

/* The unknowns of a mode or an impact: accelerations or velocities, forces or impulses, alpha. */
int phases_add_block(struct phases *ph, const struct phase_layout *layout, bool impact, int interval, int element,
                     int k)
{
    const struct phase_system *sys = ph->sys;
    const int first = program_n_var(ph->prog);
    for (int i = 0; i < layout->n; i++)
        program_var(ph->prog, -INFINITY, INFINITY, 0,
                    place_of(name_of_unknown(ph, layout, impact, i), interval, element, k));
    for (int i = 0; i < sys->n_a && impact; i++) {
        const struct dcs_var *v = &sys->dcs->y[sys->model->mechanics.v_index[i]];
        program_set_bounds(ph->prog, first + i, v->lb, v->ub);
    }
    for (int c = 0; c < sys->n_contact; c++) {
        if (layout->lambda_n[c] >= 0)
            program_set_bounds(ph->prog, first + layout->lambda_n[c], 0, INFINITY);
        if (layout->speed[c] >= 0)
            program_set_bounds(ph->prog, first + layout->speed[c], 0, INFINITY);
    }
    for (int l = 0; l < sys->n_switch; l++)
        if (layout->alpha[l] >= 0)
            program_set_bounds(ph->prog, first + layout->alpha[l], sys->sw[l].wall ? -INFINITY : 0, 1);
    return first;
}

static void add_stage(struct phases *ph, int e, int k)
{
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    const struct dcs *dcs = ph->sys->dcs;
    const unsigned char *mode = sequence_mode(ph->seq, piece->mode);
    ph->at.stage[e * ph->n_point + k] = program_n_var(ph->prog);
    for (int i = 0; i < ph->sys->n_y; i++) {
        double lb, ub;
        phase_system_bounds(ph->sys, mode, mode + ph->sys->n_contact, piece->interval, i, &lb, &ub);
        ph->at.stage_y[(e * ph->n_point + k) * ph->sys->n_y + i] = program_var(
            ph->prog, lb, ub, 0,
            (struct mpcc_label){ dcs->y[i].name, dcs->y[i].pos, dcs->y[i].path, piece->interval, e, k + 1 });
    }
    phases_add_block(ph, &ph->layout[piece->mode], false, piece->interval, e, k + 1);
}

/* The left boundary is the right end before; after an impact velocities are its own. */
static void find_left(struct phases *ph, int e, const struct phase_piece *piece)
{
    const int n_y = ph->sys->n_y, k = piece && e == piece->first ? (int)(piece - ph->piece) : -1;
    const int jump = e == ph->n_element ? ph->at.reset[ph->n_piece] : k >= 0 ? ph->at.reset[k] : -1;
    int *left = &ph->at.left[e * n_y];
    for (int i = 0; i < n_y; i++)
        left[i] = jump >= 0                   ? jump + i
                  : e == 0                    ? ph->at.y0 + i
                                              : ph->at.stage[e * ph->n_point - 1] + i;
    for (int i = 0; i < n_y && k >= 0; i++)
        ph->at.before[k * n_y + i] = left[i];
    if (!piece || k < 0 || piece->before < 0 || ph->at.impact[piece->before] < 0)
        return;
    for (int i = 0; i < ph->sys->n_a; i++)
        left[ph->sys->model->mechanics.v_index[i]] = ph->at.impact[piece->before] + i;
}

static void add_jump(struct phases *ph, int k)
{
    const struct dcs *dcs = ph->sys->dcs;
    const struct phase_piece *piece = &ph->piece[k < ph->n_piece ? k : k - 1];
    ph->at.reset[k] = program_n_var(ph->prog);
    for (int i = 0; i < ph->sys->n_y; i++)
        program_var(ph->prog, dcs->y[i].lb, dcs->y[i].ub, 0,
                    (struct mpcc_label){ dcs->y[i].name, dcs->y[i].pos, dcs->y[i].path, piece->interval,
                                         piece->first, 0 });
}

static void add_piece_variables(struct phases *ph, const struct phase_piece *piece)
{
    const int j = piece->before;
    if (phases_jump(ph, (int)(piece - ph->piece)).n > 0)
        add_jump(ph, (int)(piece - ph->piece));
    if (j >= 0 && ph->hit[j].n)
        ph->at.impact[j] = phases_add_block(ph, &ph->hit[j], true, piece->interval, piece->first, 0);
    for (int e = piece->first; e < piece->first + piece->n_element; e++) {
        find_left(ph, e, piece);
        for (int k = 0; k < ph->n_point; k++)
            add_stage(ph, e, k);
    }
}

static int add_length(struct phases *ph, int interval, int element)
{
    const double T = ph->sys->model->time.horizon_free ? ph->sys->model->time.horizon_max
                                                       : ph->sys->model->time.horizon;
    return program_var(ph->prog, 0, T, ph->guess.horizon / ph->n_interval,
                       place_of("length of a piece", interval, element, -1));
}

static void add_control(struct phases *ph, int c, int i)
{
    const struct model *model = ph->sys->model;
    const struct model_var *u = &model->u[c];
    const double value = ph->grid.value ? ph->grid.value[i * model->n_u + c] : NAN;
    double lb, ub;
    model_control_bounds(model, c, i, &lb, &ub);
    if (!isnan(value))
        lb = ub = value;
    program_var(ph->prog, lb, ub, lb == ub ? lb : 0, (struct mpcc_label){ u->name, u->pos, u->path, i, -1, -1 });
}

void phases_add_variables(struct phases *ph)
{
    const struct model *model = ph->sys->model;
    const size_t n_e = (size_t)ph->n_element, n_y = (size_t)ph->sys->n_y;
    ph->at.u = arena_alloc(&ph->mem, (size_t)ph->n_interval, sizeof(int));
    ph->at.stage = arena_alloc(&ph->mem, n_e * (size_t)ph->n_point, sizeof(int));
    ph->at.stage_y = arena_alloc(&ph->mem, n_e * (size_t)ph->n_point * n_y, sizeof(int));
    ph->at.left = arena_alloc(&ph->mem, (n_e + 1) * n_y, sizeof(int));
    ph->at.before = arena_alloc(&ph->mem, (size_t)ph->n_piece * n_y, sizeof(int));
    ph->at.reset = arena_alloc(&ph->mem, (size_t)ph->n_piece + 1, sizeof(int));
    for (int k = 0; k <= ph->n_piece; k++)
        ph->at.reset[k] = -1;
    ph->at.impact = arena_alloc(&ph->mem, (size_t)ph->seq->n_event, sizeof(int));
    for (int j = 0; j < ph->seq->n_event; j++)
        ph->at.impact[j] = -1;
    add_globals(ph);
    add_initial_state(ph);
    ph->at.start_y = arena_alloc(&ph->mem, n_y, sizeof(int));
    for (int i = 0; i < ph->sys->n_y; i++)
        ph->at.start_y[i] = ph->at.y0 + i;
    for (int k = 0; k < ph->n_piece; k++) {
        struct phase_piece *piece = &ph->piece[k];
        const int i = piece->interval;
        if (k == 0 || ph->piece[k - 1].interval != i) {
            ph->at.u[i] = program_n_var(ph->prog);
            for (int c = 0; c < model->n_u; c++)
                add_control(ph, c, i);
        }
        const bool alone = (k == 0 || ph->piece[k - 1].interval != i)
                           && (k + 1 == ph->n_piece || ph->piece[k + 1].interval != i);
        const struct phases_length length = phases_interval(ph, i);
        const bool known = alone && !ph->grid.free_intervals;
        piece->length = known ? length.var : add_length(ph, i, piece->first);
        piece->coef = known ? length.coef : 1;
        add_piece_variables(ph, piece);
    }
    if (phases_jump(ph, ph->n_piece).n > 0)
        add_jump(ph, ph->n_piece);
    find_left(ph, ph->n_element, NULL);
}

/* --- Lengths ------------------------------------------------------------------------------------------------- */

struct phases_length phases_interval(const struct phases *ph, int i)
{
    const struct model_interval interval = model_interval(ph->sys->model, i);
    if (interval.p == LENGTH_OF_HORIZON)
        return (struct phases_length){ ph->at.T,
                                       ph->at.T >= 0 ? interval.part : interval.part * ph->guess.horizon };
    return (struct phases_length){ interval.p < 0 ? -1 : ph->at.p + interval.p, interval.part };
}

/* Lengths of pieces [first, end) add up to that of n intervals. */
static void add_sum(struct phases *ph, int first, int end, int n)
{
    const struct phase_piece *piece = &ph->piece[first];
    const struct phases_length length = phases_interval(ph, piece->interval);
    const double sum = length.var >= 0 ? 0 : n * length.coef;
    const int row =
        program_row(ph->prog, sum, sum, place_of("grid: pieces add up", piece->interval, piece->first, -1));
    for (int k = first; k < end; k++)
        program_linear(ph->prog, row, ph->piece[k].length, 1);
    if (length.var >= 0)
        program_linear(ph->prog, row, length.var, -n * length.coef);
}

static bool has_same_values(const struct phases *ph, int i)
{
    const int n_u = ph->sys->model->n_u;
    const double *value = ph->grid.value + i * n_u;
    for (int k = 0; k < n_u; k++)
        if (!isnan(value[k]) && value[k] != value[k + n_u])
            return false;
    return true;
}

/* Intervals beside each other in which controls have the same values: equally long, as nothing else would tell. */
static void add_equal_lengths(struct phases *ph)
{
    for (int k = 0; k < ph->n_piece; k++) {
        const int i = ph->piece[k].interval;
        if ((k > 0 && ph->piece[k - 1].interval == i) || i + 1 == ph->n_interval || !has_same_values(ph, i))
            continue;
        const int row = program_row(ph->prog, 0, 0, place_of("grid: equal lengths", i, ph->piece[k].first, -1));
        for (int j = k; j < ph->n_piece && ph->piece[j].interval <= i + 1; j++)
            program_linear(ph->prog, row, ph->piece[j].length, ph->piece[j].interval == i ? 1 : -1);
    }
}

void phases_add_lengths(struct phases *ph)
{
    if (model_lengths_add_up(ph->sys->model))
        horizon_add_row(ph->prog, ph->sys->model, ph->at.T, ph->at.p, place_of("grid: phases add up", -1, -1, -1));
    if (ph->grid.free_intervals) {
        add_sum(ph, 0, ph->n_piece, ph->n_interval);
        if (ph->grid.value)
            add_equal_lengths(ph);
        return;
    }
    for (int k = 0, end; k < ph->n_piece; k = end) {
        for (end = k + 1; end < ph->n_piece && ph->piece[end].interval == ph->piece[k].interval;) end++;
        if (end > k + 1)
            add_sum(ph, k, end, 1);
    }
}
