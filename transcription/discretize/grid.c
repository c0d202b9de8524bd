/* Variables of the grid, and the rows that tie element lengths, clock and horizon together:
 * fesd.md 6, time_freezing.md 8. */
#include "transcription/discretize/parts.h"

#include "transcription/discretize/initial.h"
#include "transcription/discretize/horizon.h"

#include <math.h>

static const struct srcpos nowhere = { NULL, 0, 0 };

static int add_var(struct transcription *tr, const struct dcs_var *var, double guess, int j, int k)
{
    return program_var(tr->prog, var->lb, var->ub, guess,
                       tr_label(tr, var->name, var->path, var->pos, j < 0 ? 0 : -1, j, k));
}

static void fix(struct transcription *tr, int var, double lb, double ub)
{
    program_set_bounds(tr->prog, var, lb, ub);
    program_set_guess(tr->prog, var, program_guess(tr->prog)[var]);
}

/* Optimized parameters and a free horizon. */
static void add_globals(struct transcription *tr)
{
    const struct model *model = tr->model;
    const bool fixed = !tr->task.optimize;
    tr->p = program_n_var(tr->prog);
    for (int k = 0; k < model->n_p; k++) {
        const struct model_param *param = &model->param[model->p_param[k]];
        program_var(tr->prog, fixed ? param->value : param->lb, fixed ? param->value : param->ub, param->value,
                    tr_label(tr, param->name, param->path, param->pos, -1, -1, -1));
    }
    tr->T = -1;
    if (model->time.horizon_free) {
        const double T = fixed ? model->time.horizon : tr->task.grid.horizon;  /* a step is shorter than it */
        tr->T = program_var(tr->prog, fixed ? T : model->time.horizon_min, fixed ? T : model->time.horizon_max, T,
                            tr_label(tr, "horizon", "time.horizon", model->time.horizon_pos, -1, -1, -1));
    }
}

/* Bounds of a state where the horizon begins. */
static void initial_bounds(const struct transcription *tr, int i, double *lb, double *ub, double *guess)
{
    const struct model_var *x = &tr->model->x[i];
    const bool fixed = x->initial.kind == END_FIXED, range = x->initial.kind == END_RANGE;
    *lb = fixed ? x->initial.lo : range ? fmax(x->lb, x->initial.lo) : x->lb;
    *ub = fixed ? x->initial.lo : range ? fmin(x->ub, x->initial.hi) : x->ub;
    *guess = isnan(x->guess) || fixed ? x->initial.lo : x->guess;
    if (!isfinite(*guess))
        *guess = 0;
    *guess = fmin(fmax(*guess, *lb), *ub);
}

static void add_initial_point(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    bool fixed = true;
    tr->y0 = program_n_var(tr->prog);
    for (int i = 0; i < dcs->n_y; i++) {
        double lb = 0, ub = 0, guess = 0;                       /* the clock starts at 0 */
        if (i != dcs->clock)
            initial_bounds(tr, i, &lb, &ub, &guess);
        fixed = fixed && lb == ub;
        program_var(tr->prog, lb, ub, guess, tr_label(tr, dcs->y[i].name, dcs->y[i].path, dcs->y[i].pos, 0, 0, 0));
    }
    tr->lam0 = program_n_var(tr->prog);
    for (int i = 0; i < dcs->n_lam; i++) {
        struct dcs_var lam = dcs->lam[i];
        if (!tr->switching || lam.jumps)
            lam.lb = lam.ub = 0;                                /* nothing there asks for it */
        add_var(tr, &lam, lam.lb == lam.ub ? lam.lb : lam.guess, 0, 0);
    }
    for (int c = 0; c < tr->model->contacts.n_contact && tr->switching && dcs->kind == DCS_FORCES; c++)
        if (!tr_has_contact(tr, c, 0))
            fix(tr, tr->lam0 + dcs->contact[c].gap, -INFINITY, INFINITY);
    tr->sel0 = -1;
    tr->start_is_free = tr->switching && (!fixed || dcs_lam_varies(dcs));
    if (tr->start_is_free && !dcs->impacts) {
        tr->sel0 = program_n_var(tr->prog);
        for (int i = 0; i < dcs->n_sel; i++)
            add_var(tr, &dcs->sel[i], dcs->sel[i].guess, 0, 0);
    }
}

/* FESD-J, in a step of a simulation: are elements of any length harmless? The homotopies that pyramids of friction
 * need would take forces in tiny elements for impulses; what predict.h solves is not led astray. */
static bool may_be_tiny(const struct transcription *tr)
{
    bool pyramid = tr->settings->friction_form == FRICTION_CONIC_PAPER;
    for (int c = 0; c < tr->model->contacts.n_contact; c++)
        pyramid = pyramid
                  || (tr->model->contacts.contact[c].n_t == 2
                      && tr->settings->friction_form == FRICTION_POLYHEDRAL);
    return tr->junctions && !tr->task.optimize && !pyramid;
}

/* The longest element, of its nominal length. A jump of time-freezing may take up nearly all of its interval,
 * however many elements that has: time_freezing.md 7. */
static double longest(const struct transcription *tr, int j)
{
    const int i = tr->interval_of[j],
              n = (i + 1 < tr->n_interval ? tr->first[i + 1] : tr->n_element) - tr->first[i];
    const double gamma = discretization_gamma_h(tr->settings);
    return tr->dcs->freezes && isnan(tr->settings->gamma_h) ? fmax(n, 1 + gamma) : 1 + gamma;
}

/* Element length: free within gamma_h around its nominal value, which moves with a free horizon. */
static void add_length(struct transcription *tr, int j)
{
    const double gamma = discretization_gamma_h(tr->settings), h0 = tr->h0[j];
    const struct tr_length length = tr_length(tr, tr->interval_of[j]);
    double lb = (1 - gamma) * h0, ub = longest(tr, j) * h0;
    const bool moves = length.var != PROGRAM_ONE;
    if (moves) {
        const double nominal = tr_nominal_length(tr, tr->interval_of[j]) / length.coef;
        lb *= program_lb(tr->prog, length.var) / nominal;
        ub *= program_ub(tr->prog, length.var) / nominal;
    }
    if (!tr->switching) {
        lb = moves ? 0 : h0;
        ub = moves ? INFINITY : h0;
    }
    if (tr->task.end == END_OF_PHYSICAL_TIME || may_be_tiny(tr)) {
        lb = 0;                                 /* an event may be anywhere */
        ub = INFINITY;
    }
    tr->h[j] = program_var(tr->prog, lb, ub, h0, tr_label(tr, "element length", "time", nowhere, -1, j, -1));
}

/* A contact that is not there: no force, and a gap of any sign but where it is to be there next. Of
 * planar slip one part is enough. */
static void switch_off(struct transcription *tr, int c, int j, int k)
{
    const struct dcs_contact *contact = &tr->dcs->contact[c];
    const bool ends = k == tr_right(tr) && j + 1 < tr->n_element && tr_has_contact(tr, c, j + 1);
    int first, end;
    dcs_sel_of(tr->dcs, c, &first, &end);
    for (int i = first; i < end && tr_is_stage(tr, k); i++)
        fix(tr, tr_sel(tr, j, k) + i, 0, 0);
    if (ends && tr->reset[j + 1] < 0)
        return;
    fix(tr, tr_lam(tr, j, k, contact->gap), -INFINITY, INFINITY);
    if (contact->friction == DCS_SCALAR) {
        fix(tr, tr_lam(tr, j, k, tr->dcs->pair[contact->first_pair + 1].lam), -INFINITY, INFINITY);
        fix(tr, tr_lam(tr, j, k, tr->dcs->pair[contact->first_pair + 2].lam), 0, 0);
    }
}

/* Open as the user says: no force; closed: no gap, and no slip of it. */
static void prescribe(struct transcription *tr, int c, int j, int k, bool open)
{
    const struct dcs_contact *contact = &tr->dcs->contact[c];
    int first, end;
    dcs_sel_of(tr->dcs, c, &first, &end);
    for (int i = first; i < end && tr_is_stage(tr, k) && open; i++)
        fix(tr, tr_sel(tr, j, k) + i, 0, 0);
    for (int i = contact->first_pair; i < contact->end_pair && !open; i++)
        fix(tr, tr_lam(tr, j, k, tr->dcs->pair[i].lam), 0, 0);
}

/* What phases by the user say of contacts at a point. */
static void apply_phases(struct transcription *tr, int j, int k)
{
    for (int c = 0; c < tr->model->contacts.n_contact && tr->dcs->kind == DCS_FORCES; c++) {
        const enum contact_role is = model_contact_in(tr->model, c, tr->interval_of[j]);
        if (is == CONTACT_ABSENT)
            switch_off(tr, c, j, k);
        else if (is != CONTACT_THERE)
            prescribe(tr, c, j, k, is == CONTACT_OPEN);
    }
}

/* y and lam of every point, of stages sel, z and of explicit schemes the rates. */
static void add_point(struct transcription *tr, int j, int k)
{
    const struct dcs *dcs = tr->dcs;
    tr->point[j * (tr->n_point + 1) + k] = program_n_var(tr->prog);
    for (int i = 0; i < dcs->n_y; i++) {
        struct dcs_var var = dcs->y[i];
        if (!tr->task.optimize) {
            var.lb = -INFINITY;
            var.ub = INFINITY;
        }
        add_var(tr, &var, program_guess(tr->prog)[tr->y0 + i], j, k);
    }
    for (int i = 0; i < dcs->n_lam; i++) {
        struct dcs_var var = dcs->lam[i];
        for (int b = 0; b < dcs->n_band; b++)
            if (dcs->band[b] == i) {
                var.lb = -tr->task.dead_band;
                var.ub = tr->task.dead_band;
            }
        if (!tr_is_stage(tr, k) && !tr->switching)
            var.lb = var.ub = 0;                                /* nothing there asks for it */
        add_var(tr, &var, var.guess, j, k);
    }
    if (!tr_is_stage(tr, k)) {
        apply_phases(tr, j, k);
        return;
    }
    for (int i = 0; i < dcs->n_sel; i++)
        add_var(tr, &dcs->sel[i], dcs->sel[i].guess, j, k);
    apply_phases(tr, j, k);
    for (int i = 0; i < dcs->n_z; i++)
        add_var(tr, &dcs->z[i], dcs->z[i].guess, j, k);
    for (int i = 0; i < dcs->n_y && !tr->rk->A_inv; i++) {
        const struct dcs_var rate = { dcs->F[i].name, dcs->F[i].path, dcs->F[i].pos, EXPR_NONE, -INFINITY, INFINITY, 0, false };
        add_var(tr, &rate, 0, j, k);
    }
}

static void add_interval(struct transcription *tr, int i)
{
    const struct model *model = tr->model;
    tr->u[i] = program_n_var(tr->prog);
    for (int k = 0; k < model->n_u; k++) {
        const struct model_var *u = &model->u[k];
        const double guess = isnan(u->guess) ? 0 : u->guess;
        double lb = guess, ub = guess;
        if (tr->task.optimize)
            model_control_bounds(model, k, i, &lb, &ub);
        program_var(tr->prog, lb, ub, fmin(fmax(guess, lb), ub), tr_label(tr, u->name, u->path, u->pos, i, -1, -1));
    }
    tr->s[i] = -1;
    if (tr->dcs->freezes && tr->task.optimize) {
        const double *range = tr->settings->speed_of_time.val;
        const double slowest = model->time.horizon_free ? range[0] * model->time.horizon_min / tr->task.grid.horizon
                                                        : range[0];
        tr->s[i] = program_var(tr->prog, slowest, range[1], 1,
                               tr_label(tr, "speed of time", "discretization.speed_of_time", nowhere, i, -1, -1));
    }
    for (int j = tr->first[i]; j < tr->first[i] + tr->elements[i]; j++) {
        add_length(tr, j);
        if (tr->reset[j] >= 0)
            tr_add_reset_variables(tr, j);
        if (tr_has_junction(tr, j))
            tr_add_junction_variables(tr, j);
        for (int k = 1; k <= tr->n_point; k++)
            add_point(tr, j, k);
    }
}

/* Nominal values of the clock, where there is one. */
static void guess_clock(struct transcription *tr)
{
    const int clock = tr->dcs->clock;
    if (clock < 0)
        return;
    double t = 0, *w0 = program_guess(tr->prog);
    for (int j = 0; j < tr->n_element; j++) {
        for (int k = 1; k <= tr->n_point; k++)
            w0[tr_y(tr, j, k, clock)] = t + tr_c(tr, k) * tr->h0[j];
        t += tr->h0[j];
    }
}

void tr_add_variables(struct transcription *tr)
{
    const size_t n_i = (size_t)tr->n_interval, n_e = (size_t)tr->n_element;
    tr->u = arena_alloc(&tr->mem, n_i, sizeof(int));
    tr->s = arena_alloc(&tr->mem, n_i, sizeof(int));
    tr->h = arena_alloc(&tr->mem, n_e, sizeof(int));
    tr->point = arena_alloc(&tr->mem, n_e * (size_t)(tr->n_point + 1), sizeof(int));
    add_globals(tr);
    add_initial_point(tr);
    for (int i = 0; i < tr->n_interval; i++)
        add_interval(tr, i);
    if (tr->reset[tr->n_element] >= 0)
        tr_add_reset_variables(tr, tr->n_element);
    if (tr_has_junction(tr, tr->n_element))
        tr_add_junction_variables(tr, tr->n_element);
    guess_clock(tr);
    bool fixed = !tr->start_is_free;
    for (int i = 0; i < tr->model->n_x; i++)
        fixed = fixed && program_lb(tr->prog, tr->y0 + i) == program_ub(tr->prog, tr->y0 + i);
    if (fixed)                                                  /* multipliers of the initial point */
        tr_set_initial(tr, &program_guess(tr->prog)[tr->y0], 0);
}

/* --- Rows ---------------------------------------------------------------------------------------------------- */

/* sum of element lengths [first, end) = part of that of an interval. */
static void add_length_row(struct transcription *tr, int first, int end, double part, int interval)
{
    const struct tr_length length = tr_length(tr, interval);
    const bool moves = length.var != PROGRAM_ONE;
    const double sum = moves ? 0 : part * length.coef;
    const struct mpcc_label label = tr_label(tr, "grid: element lengths add up", "time", nowhere, interval, -1, -1);
    const int row = program_row(tr->prog, sum, sum, label);
    for (int j = first; j < end; j++)
        program_linear(tr->prog, row, tr->h[j], 1);
    if (moves)
        program_linear(tr->prog, row, length.var, -part * length.coef);
}

/* Physical time at the end of an interval = fraction * horizon; of a step, t_end. */
static int add_clock_row(struct transcription *tr, int interval, double fraction)
{
    const int j = tr->first[interval] + tr->elements[interval] - 1;
    const bool is_step = tr->task.end == END_OF_PHYSICAL_TIME, is_free = tr->T >= 0 && !is_step;
    const double t = is_step ? tr->task.t_end : is_free ? 0 : fraction * tr->task.grid.horizon;
    const int row = program_row(tr->prog, t, t, tr_label(tr, "clock", "time", nowhere, -1, j, tr_right(tr)));
    program_linear(tr->prog, row, tr_y(tr, j, tr_right(tr), tr->dcs->clock), 1);
    if (is_free)
        program_linear(tr->prog, row, tr->T, -fraction);
    return row;
}

void tr_add_grid_rows(struct transcription *tr)
{
    const int N = tr->n_interval;
    const bool equidistant = tr->settings->control_grid == CONTROL_GRID_EQUIDISTANT;
    tr->rows.clock = arena_alloc(&tr->mem, (size_t)N, sizeof(int));
    for (int i = 0; i < N; i++)
        tr->rows.clock[i] = -1;
    if (model_lengths_add_up(tr->model))
        horizon_add_row(tr->prog, tr->model, tr->T, tr->p,
                        tr_label(tr, "grid: phases add up", "phases", nowhere, -1, -1, -1));
    if (!tr->switching) {                       /* elements are fixed, or keep their shares of a horizon that moves */
        for (int j = 0; j < tr->n_element; j++)
            if (tr_length(tr, tr->interval_of[j]).var != PROGRAM_ONE)
                add_length_row(tr, j, j + 1, 1.0 / tr->elements[tr->interval_of[j]], tr->interval_of[j]);
        return;
    }
    if (tr->task.end != END_OF_PHYSICAL_TIME) {
        for (int i = 0; i < N && equidistant; i++)
            add_length_row(tr, tr->first[i], tr->first[i] + tr->elements[i], 1, i);
        if (!equidistant)
            add_length_row(tr, 0, tr->n_element, N, N - 1);
    }
    if (!tr->dcs->freezes || tr->task.end == END_OF_NUMERICAL_TIME)
        return;
    for (int i = equidistant ? 0 : N - 1; i < N; i++)
        tr->rows.clock[i] = add_clock_row(tr, i, (i + 1.0) / N);
}
