#include "transcription/phases/checks.h"

#include "core/base/mem.h"
#include "transcription/phases/patches.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Inequalities of a point between stages -------------------------------------------------------------------- */

/* lb <= out <= ub; source: an output of the state function, of transition `subject` where that is CHECK_WHEN, a constraint
 * or a component of y or of the unknowns. */
enum check_kind { CHECK_STATE, CHECK_WHEN, CHECK_CONSTRAINT, CHECK_Y, CHECK_UNKNOWN };
struct inequality { enum check_kind kind; int index; double lb, ub; int subject; const char *what; };

static void list(struct inequality *to, int *n, struct inequality one)
{
    to[(*n)++] = one;
}

/* Sides of its corners. */
static void list_patch(const struct phases *ph, const struct phase_point *point, int c, struct inequality *to, int *n)
{
    const struct phase_contact *contact = &ph->sys->contact[c];
    for (int k = 0; k < contact->model->n_corner && point->patch[c]; k++) {
        const int sign = patches_sign(contact, point->patch[c], k);
        if (sign != 0)
            list(to, n, (struct inequality){ CHECK_STATE, ph->sys->out.corner + contact->corner + k, sign > 0 ? 0 : -INFINITY,
                                             sign > 0 ? INFINITY : 0, c, "face or corner" });
    }
}

static void list_contact(const struct phases *ph, const struct phase_point *point, int c, struct inequality *to, int *n)
{
    const struct phase_outputs *out = &ph->sys->out;
    const int state = point->contact[c], n_t = ph->sys->contact[c].n_t;
    if (!model_has_contact(ph->sys->model, c, point->interval))
        return;
    if (state == PHASE_OPEN) {
        list(to, n, (struct inequality){ CHECK_STATE, out->gap + c, 0, INFINITY, c, "gap" });
        return;
    }
    list(to, n, (struct inequality){ CHECK_UNKNOWN, point->layout->lambda_n[c], 0, INFINITY, c, "normal force" });
    for (int side = 0; side < phase_sides(n_t) && state == PHASE_STICK; side++)
        list(to, n, (struct inequality){ CHECK_STATE, out->cone + 2 * c + side, 0, INFINITY, c, "friction cone" });
    if (state == PHASE_FORWARD)
        list(to, n, (struct inequality){ CHECK_STATE, out->v_t + SLIP_MAX * c, 0, INFINITY, c, "slip velocity" });
    if (state == PHASE_BACKWARD)
        list(to, n, (struct inequality){ CHECK_STATE, out->v_t + SLIP_MAX * c, -INFINITY, 0, c, "slip velocity" });
    list_patch(ph, point, c, to, n);
}

/* The side of a complementarity that is not 0. */
static void list_side(const struct phases *ph, int pair, int subject, enum pair_side side, struct inequality *to, int *n)
{
    const bool any_sign = side == SIDE_H && ph->sys->pair[pair].model->any_sign;
    if (!any_sign && ph->sys->pair[pair].side[side].kind != PAIR_SIDE_CONSTANT)
        list(to, n, (struct inequality){ CHECK_STATE, ph->sys->out.side + 2 * pair + (int)side, 0, INFINITY, subject,
                                         side == SIDE_G ? "G" : "H" });
}

static void list_switch(const struct phases *ph, const struct phase_point *point, int l, struct inequality *to, int *n)
{
    const int subject = ph->sys->n_contact + l, c = ph->sys->out.c + l, pair = ph->sys->sw[l].pair;
    if (pair >= 0)
        list_side(ph, pair, subject, phases_zero_side(point->sw[l]) == SIDE_G ? SIDE_H : SIDE_G, to, n);
    else if (point->sw[l] == PHASE_SLIDING)
        list(to, n, (struct inequality){ CHECK_UNKNOWN, point->layout->alpha[l], ph->sys->sw[l].wall ? -INFINITY : 0, 1, subject,
                                        ph->sys->sw[l].wall ? "reaction" : "step" });
    else if (point->sw[l] == PHASE_POSITIVE)
        list(to, n, (struct inequality){ CHECK_STATE, c, 0, INFINITY, subject, "sign" });
    else
        list(to, n, (struct inequality){ CHECK_STATE, c, -INFINITY, 0, subject, "sign" });
}

static int most_inequalities(const struct phases *ph)
{
    return 3 * ph->sys->n_contact + ph->sys->n_corner + ph->sys->n_switch + ph->sys->n_transition + ph->sys->n_y + ph->sys->model->n_constraint;
}

/* The gap of its open contact, the cone of one that sticks, the sign of its switch. */
static void keep_clear(const struct phases *ph, const struct phase_check *check, struct inequality *one, int n)
{
    const int i_sw = check->subject - ph->sys->n_contact, gap = ph->sys->out.gap + check->subject;
    const int cone = ph->sys->out.cone + 2 * check->subject;
    for (int i = 0; i < n; i++) {
        if (one[i].subject != check->subject || one[i].kind != CHECK_STATE)
            continue;
        if (i_sw >= 0 && one[i].lb < 0)
            one[i].ub = -check->clear;
        else if (i_sw >= 0 || one[i].index == gap || one[i].index == cone || one[i].index == cone + 1)
            one[i].lb = check->clear;
    }
}

/* All of the element's mode and of the user; returns how many. */
static int list_inequalities(const struct phases *ph, const struct phase_point *point, struct inequality *to)
{
    const struct model *model = ph->sys->model;
    int n = 0;
    for (int c = 0; c < ph->sys->n_contact; c++)
        list_contact(ph, point, c, to, &n);
    for (int l = 0; l < ph->sys->n_switch; l++)
        list_switch(ph, point, l, to, &n);
    for (int k = 0; k < ph->sys->n_transition; k++)
        if (phases_waits(ph, point, k))
            list(to, &n, (struct inequality){ CHECK_WHEN, ph->sys->out.when + k, -INFINITY, 0, k, "waits" });
    for (int i = 0; i < model->n_x; i++)
        if (isfinite(model->x[i].lb) || isfinite(model->x[i].ub))
            list(to, &n, (struct inequality){ CHECK_Y, i, model->x[i].lb, model->x[i].ub, -1, model->x[i].name });
    for (int k = 0; k < model->n_constraint; k++) {
        const struct model_constraint *one = &model->constraint[k];
        const bool here = one->end == 0 || (point->interval >= one->first && point->interval < one->end);
        if (here && one->at & AT_STAGES && one->lb < one->ub)
            list(to, &n, (struct inequality){ CHECK_CONSTRAINT, k, one->lb, one->ub, -1, one->name });
    }
    return n;
}

/* --- Rows ------------------------------------------------------------------------------------------------------ */

/* A component of y or of the unknowns, as a linear row. */
static void add_linear(struct phases *ph, int row, const struct phase_point *point, const struct inequality *one, double c)
{
    double y[16], unknown[16];                  /* rk.h: at most 9 stages */
    rk_weights(ph->rk, c, y, unknown);
    if (one->kind == CHECK_Y)
        program_linear(ph->prog, row, phases_left(ph, point->element)[one->index], y[0]);
    for (int k = 1; k <= ph->grid.stages; k++) {
        const struct phase_point stage = phases_stage_point(ph, point->element, k - 1);
        if (one->kind == CHECK_Y)
            program_linear(ph->prog, row, stage.y[one->index], y[k]);
        else
            program_linear(ph->prog, row, stage.first + one->index, unknown[k]);
    }
}

static void add_inequality(struct phases *ph, struct program_block *constraints, const struct phase_point *point,
                           const struct inequality *one, double c)
{
    if (one->kind == CHECK_STATE) {
        phases_subject_row(ph, ph->state, one->index, one->lb, one->ub, one->subject, one->what, point);
        return;
    }
    if (one->kind == CHECK_WHEN) {
        phases_transition_row(ph, one->subject, one->lb, one->ub, one->what, point);
        return;
    }
    const struct srcpos nowhere = { NULL, 0, 0 };
    const struct model_constraint *user = one->kind == CHECK_CONSTRAINT ? &ph->sys->model->constraint[one->index] : NULL;
    const struct mpcc_label label = phases_label(one->what, user ? user->path : NULL, user ? user->pos : nowhere, point);
    const int row = program_row(ph->prog, one->lb, one->ub, label);
    if (user)
        block_out(constraints, one->index, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    else
        add_linear(ph, row, point, one, c);
}

static expr *constraint_expressions(const struct phases *ph)
{
    const struct model *model = ph->sys->model;
    expr *e = mem_alloc((size_t)model->n_constraint, sizeof *e);
    for (int k = 0; k < model->n_constraint; k++)
        e[k] = model->constraint[k].at ? model->constraint[k].e : expr_const(ph->sys->g, 0);
    return e;
}

/* A file may say anything. */
static bool is_of_program(const struct phases *ph, const struct phase_check *check)
{
    return check->element >= 0 && check->element < ph->n_element && check->subject < ph->sys->n_contact + ph->sys->n_switch
           && isfinite(check->c) && isfinite(check->clear);
}

static bool is_approach(const struct phases *ph, const struct phase_check *check)
{
    return check->subject >= 0 && check->subject < ph->sys->n_contact && check->c == 1;
}

static void add_approach(struct phases *ph, const struct phase_check *check)
{
    const struct phase_point point = phases_stage_point(ph, check->element, ph->n_point - 1);
    phases_fill(ph, ph->state, &point);
    phases_subject_row(ph, ph->state, ph->sys->out.v_n + check->subject, -INFINITY, -check->clear, check->subject,
                       "approach where it closes", &point);
}

void phases_add_checks(struct phases *ph)
{
    if (ph->grid.n_check == 0)
        return;
    expr *e = constraint_expressions(ph);
    struct program_block *constraints
        = program_block(ph->prog, phase_system_function(ph->sys, ph->sys->model->n_constraint, e));
    struct inequality *one = mem_alloc((size_t)most_inequalities(ph), sizeof *one);
    for (int k = 0; k < ph->grid.n_check; k++) {
        const struct phase_check *check = &ph->grid.check[k];
        if (!is_of_program(ph, check))
            continue;
        if (is_approach(ph, check)) {
            add_approach(ph, check);
            continue;
        }
        struct phase_point point = phases_stage_point(ph, check->element, 0);
        point.stage = -1;
        phases_fill_between(ph, ph->state, &point, check->c);
        phases_fill_between(ph, constraints, &point, check->c);
        const int n = list_inequalities(ph, &point, one);
        if (check->subject >= 0)
            keep_clear(ph, check, one, n);
        for (int i = 0; i < n; i++)
            add_inequality(ph, constraints, &point, &one[i], check->c);
    }
    free(e);
    free(one);
}

/* --- Looking for violations ------------------------------------------------------------------------------------ */

struct looker {
    const struct phases *ph;
    const double *w;
    struct arena mem;
    struct tape *state, *constraint;
    double *slot, *state_out, *constraint_out, *work;
    double *largest;                /* [n_contact + n_switch] margins: gaps, and how far switching functions get */
    struct inequality *one;
    double *most, *where;           /* of each: its worst violation in an element, and where */
    struct check_worst worst;       /* of all elements */
};

static struct looker looker_create(const struct phases *ph, const double *w)
{
    const struct phase_system *sys = ph->sys;
    struct looker at = { .ph = ph, .w = w };
    const int n_constraint = sys->model->n_constraint;
    expr *e = constraint_expressions(ph);
    at.state = tape_create(sys->g, sys->n_slot, sys->slot, sys->out.n_state, sys->state);
    at.constraint = tape_create(sys->g, sys->n_slot, sys->slot, n_constraint, e);
    free(e);
    const size_t a = tape_work_size(at.state), b = tape_work_size(at.constraint);
    at.work = arena_alloc(&at.mem, a > b ? a : b, sizeof(double));
    at.slot = arena_alloc(&at.mem, (size_t)sys->n_slot, sizeof(double));
    at.state_out = arena_alloc(&at.mem, (size_t)sys->out.n_state, sizeof(double));
    at.constraint_out = arena_alloc(&at.mem, (size_t)n_constraint, sizeof(double));
    at.most = arena_alloc(&at.mem, (size_t)most_inequalities(ph), sizeof *at.most);
    at.where = arena_alloc(&at.mem, (size_t)most_inequalities(ph), sizeof *at.where);
    at.largest = arena_alloc(&at.mem, (size_t)(sys->n_contact + sys->n_switch), sizeof(double));
    at.one = arena_alloc(&at.mem, (size_t)most_inequalities(ph), sizeof *at.one);
    return at;
}

static void looker_free(struct looker *at)
{
    tape_free(at->state);
    tape_free(at->constraint);
    arena_free(&at->mem);
}

/* The polynomials at part c of an element; unknown [layout n]. */
static void evaluate(struct looker *at, const struct phase_point *point, double c, double *unknown)
{
    const struct phases *ph = at->ph;
    const struct phase_system *sys = ph->sys;
    double wy[16], wu[16], *slot = at->slot;
    rk_weights(ph->rk, c, wy, wu);
    memset(slot, 0, (size_t)sys->n_slot * sizeof *slot);
    memset(unknown, 0, (size_t)point->layout->n * sizeof *unknown);
    for (int k = 0; k <= ph->grid.stages; k++) {
        const struct phase_point stage = phases_stage_point(ph, point->element, k ? k - 1 : 0);
        const int *y = k ? stage.y : phases_left(ph, point->element);
        for (int i = 0; i < sys->n_y; i++)
            slot[sys->y + i] += wy[k] * at->w[y[i]];
        for (int i = 0; i < point->layout->n && k; i++)
            unknown[i] += wu[k] * at->w[stage.first + i];
    }
    for (int i = 0; i < sys->n_contact; i++) {
        if (point->layout->lambda_n[i] >= 0)
            slot[sys->contact[i].lambda_n] = unknown[point->layout->lambda_n[i]];
        for (int k = 0; k < sys->contact[i].n_t && point->layout->lambda_t[i] >= 0; k++)
            slot[sys->contact[i].lambda_t + k] = unknown[point->layout->lambda_t[i] + k];
    }
    for (int l = 0; l < sys->n_switch; l++)
        slot[sys->sw[l].alpha] = point->layout->alpha[l] >= 0 ? unknown[point->layout->alpha[l]]
                                                              : point->sw[l] == PHASE_POSITIVE;
    for (int k = 0; k < sys->model->n_u; k++)
        slot[sys->u + k] = at->w[ph->u[point->interval] + k];
    for (int k = 0; k < sys->model->n_p; k++)
        slot[sys->p + k] = at->w[ph->p + k];
    if (sys->T >= 0)
        slot[sys->T] = at->w[ph->T];
    phase_system_signals(sys, point->machine, slot + sys->signal);
    phases_set_patches(sys, point, slot);
    tape_eval(at->state, 1, slot, 1, at->state_out, 1, at->work);
    tape_eval(at->constraint, 1, slot, 1, at->constraint_out, 1, at->work);
}

/* Relative to the bound that is broken; where that is zero to the value, at least 1. */
static double violation_of(const struct looker *at, const struct inequality *one, const double *unknown)
{
    const bool is_state = one->kind == CHECK_STATE || one->kind == CHECK_WHEN;
    const double value = is_state                        ? at->state_out[one->index]
                         : one->kind == CHECK_CONSTRAINT ? at->constraint_out[one->index]
                         : one->kind == CHECK_Y          ? at->slot[at->ph->sys->y + one->index]
                                                         : unknown[one->index];
    const double bound = one->lb - value > value - one->ub ? one->lb : one->ub;
    const double scale = bound != 0 && isfinite(bound) ? fmax(CHECK_FLOOR, fabs(bound)) : fmax(1, fabs(value));
    return fmax(one->lb - value, value - one->ub) / scale;
}

static double violation_at(struct looker *at, const struct phase_point *point, const struct inequality *one, double c,
                           double *unknown)
{
    evaluate(at, point, c, unknown);
    return violation_of(at, one, unknown);
}

/* The worst place of an inequality beside the one of the grid where it is worst, by golden sections. */
static double worst_near(struct looker *at, const struct phase_point *point, const struct inequality *one,
                         double *unknown, double *where)
{
    const double ratio = (sqrt(5) - 1) / 2;
    double a = *where - 1.0 / CHECK_POINTS, b = *where + 1.0 / CHECK_POINTS;
    double c = b - ratio * (b - a), d = a + ratio * (b - a);
    double at_c = violation_at(at, point, one, c, unknown), at_d = violation_at(at, point, one, d, unknown);
    for (int k = 0; k < CHECK_SECTIONS; k++)
        if (at_c > at_d) {
            b = d;
            d = c;
            at_d = at_c;
            c = b - ratio * (b - a);
            at_c = violation_at(at, point, one, c, unknown);
        } else {
            a = c;
            c = d;
            at_c = at_d;
            d = a + ratio * (b - a);
            at_d = violation_at(at, point, one, d, unknown);
        }
    *where = at_c > at_d ? c : d;
    return fmax(at_c, at_d);
}

struct checks {
    int n;
    struct phase_check *check;
    bool only_asked;                /* none for what a replay judges */
};

static void append(struct checks *to, const struct phase_check *one)
{
    to->check = mem_grow(to->check, to->n, 1, sizeof *to->check);
    to->check[to->n++] = *one;
}

static void add_check(struct checks *to, const struct phase_check *one)
{
    for (int k = 0; k < to->n; k++)
        if (to->check[k].element == one->element && to->check[k].subject == one->subject
            && fabs(to->check[k].c - one->c) < CHECK_APART)
            return;
    append(to, one);
}

/* Does a replay judge it? Not of the user's complementarities, which have more to say. */
static bool is_replayed(const struct phase_system *sys, const struct inequality *one)
{
    const int l = one->subject - sys->n_contact;
    return (one->kind == CHECK_STATE || one->kind == CHECK_UNKNOWN) && l >= 0 && l < sys->n_switch && sys->sw[l].pair < 0;
}

/* Part c of an element. */
static double time_of(const struct looker *at, int e, double c)
{
    const struct phases *ph = at->ph;
    const int piece = ph->piece_of[e];
    double *start = mem_alloc((size_t)ph->n_piece + 1, sizeof *start), *event = mem_alloc((size_t)ph->seq->n_event, sizeof *event);
    phases_times(ph, at->w, start, event);
    double t = start[piece] + c * phases_element_length(ph, at->w, e);
    for (int k = ph->piece[piece].first; k < e; k++)
        t += phases_element_length(ph, at->w, k);
    free(start);
    free(event);
    return t;
}

/* An inequality of an element is broken by `broken` there, at part c. */
static void note_broken(struct looker *at, int e, const struct inequality *one, double c, double broken)
{
    const struct phase_system *sys = at->ph->sys;
    struct check_worst *worst = &at->worst;
    worst->all = fmax(worst->all, broken);
    if (is_replayed(sys, one) || !(broken > worst->asked))
        return;
    const bool has_subject = one->subject >= 0 && one->kind != CHECK_WHEN;
    const char *of = has_subject ? phase_subject_name(sys, one->subject) : one->kind == CHECK_Y ? "a bound of" : "";
    worst->asked = broken;
    (void)snprintf(worst->what, sizeof worst->what, "%.40s%s%.40s at t = %.4g s", of, *of ? " " : "", one->what,
                   time_of(at, e, c));
}

/* Looks inside element e; adds the worst place of each inequality that is violated there. */
static void look_inside(struct looker *at, int e, double *unknown, struct checks *to)
{
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    const int n = list_inequalities(at->ph, &point, at->one);
    for (int i = 0; i < n; i++)
        at->most[i] = -INFINITY;
    for (int k = 1; k < CHECK_POINTS; k++) {
        const double c = (double)k / CHECK_POINTS;
        evaluate(at, &point, c, unknown);
        for (int i = 0; i < n; i++) {
            const double violation = violation_of(at, &at->one[i], unknown);
            if (!(violation <= at->most[i])) {
                at->most[i] = violation;
                at->where[i] = c;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        if (!(at->most[i] <= -CHECK_NEAR))
            at->most[i] = fmax(at->most[i], worst_near(at, &point, &at->one[i], unknown, &at->where[i]));
        if (!(at->most[i] <= CHECK_TOL) && !(to->only_asked && is_replayed(at->ph->sys, &at->one[i])))
            add_check(to, &(struct phase_check){ e, at->where[i], -1, 0 });
        note_broken(at, e, &at->one[i], at->where[i], at->most[i]);
    }
}

/* --- Gaps that only just do not touch, signs that are only just kept ---------------------------------------------- */

/* Of an open contact its gap, of a switch beside its surface how far it is from that; at part c of an element. */
static double margin_at(struct looker *at, const struct phase_point *point, int i, double c, double *unknown)
{
    const struct phase_system *sys = at->ph->sys;
    const int l = i - sys->n_contact;
    evaluate(at, point, c, unknown);
    return l < 0 ? at->state_out[sys->out.gap + i]
                 : point->sw[l] == PHASE_POSITIVE ? at->state_out[sys->out.c + l] : -at->state_out[sys->out.c + l];
}

/* May it graze there? */
static bool has_margin(const struct phases *ph, const struct phase_point *point, int i)
{
    const int l = i - ph->sys->n_contact;
    if (l < 0)
        return model_has_contact(ph->sys->model, i, point->interval) && point->contact[i] == PHASE_OPEN;
    return ph->sys->sw[l].pair < 0 && point->sw[l] != PHASE_SLIDING;
}

/* Is subject i, with a margin in element e, at its surface where the element begins or ends? */
static bool touches_at(const struct phases *ph, int e, int i, bool end)
{
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    const int j = end ? piece->after : piece->before, edge = end ? piece->first + piece->n_element - 1 : piece->first;
    if (e != edge || j < 0)
        return e == 0 && !end;                  /* what the start fixes is not to be moved */
    const int beside = sequence_mode(ph->seq, end ? j + 1 : j)[i];
    return i < ph->sys->n_contact ? sequence_hit(ph->seq, j)[i] != PHASE_OPEN || beside != PHASE_OPEN
                                  : beside != sequence_mode(ph->seq, end ? j : j + 1)[i];
}

/* Where the margin of subject i is lowest in element e, touching apart, and what ends the horizon closer than clear: the
 * vertex of a parabola through three points, of which the outer ones may lie beside the element. */
static double find_lowest(struct looker *at, int e, int i, double clear, double *unknown, double *where)
{
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    const bool ends_closed = touches_at(at->ph, e, i, true)
                             || (e == at->ph->n_element - 1 && margin_at(at, &point, i, 1, unknown) < clear);
    const int first = touches_at(at->ph, e, i, false) ? 1 : 0, last = ends_closed ? CHECK_POINTS - 1 : CHECK_POINTS;
    const double step = 1.0 / CHECK_POINTS;
    double before = margin_at(at, &point, i, (first - 1) * step, unknown), now = margin_at(at, &point, i, first * step, unknown);
    double lowest = INFINITY;
    for (int k = first; k <= last; k++) {
        const double after = margin_at(at, &point, i, (k + 1) * step, unknown);
        if (now <= before && now < after && now < lowest) {
            *where = fmin(fmax(k * step + 0.5 * step * (before - after) / (before - 2 * now + after), 0), 1);
            lowest = margin_at(at, &point, i, *where, unknown);
        }
        before = now;
        now = after;
    }
    return lowest;
}

/* Adds a check where an open contact, or a switch, comes nearer than its clearance, though it is well apart at an end of the
 * element. */
static void find_grazing(struct looker *at, int e, double *unknown, struct checks *to)
{
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    const int n = at->ph->sys->n_contact + (to->only_asked ? 0 : at->ph->sys->n_switch);
    for (int i = 0; i < n; i++) {
        const double clear = CLEARANCE * fmin(1, at->largest[i]);
        double c = 0;
        if (!has_margin(at->ph, &point, i) || find_lowest(at, e, i, clear, unknown, &c) > 0.5 * clear
            || fmax(margin_at(at, &point, i, 0, unknown), margin_at(at, &point, i, 1, unknown)) < WELL_OPEN * clear)
            continue;
        add_check(to, &(struct phase_check){ e, c, i, clear });
    }
}

/* --- Contacts that close ---------------------------------------------------------------------------------------- */

/* Adds a check where a contact comes up from below as it closes: between stages it dived, by less than one can see. */
static void find_dives(struct looker *at, int e, double *unknown, struct checks *to)
{
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    for (int i = 0; i < at->ph->sys->n_contact; i++) {
        if (point.contact[i] != PHASE_OPEN || !touches_at(at->ph, e, i, true))
            continue;
        evaluate(at, &point, 1, unknown);
        const double v_n = at->state_out[at->ph->sys->out.v_n + i];
        if (v_n > CHECK_TOL)
            add_check(to, &(struct phase_check){ e, 1, i, 0 });
        const struct inequality closes = { .kind = CHECK_STATE, .subject = i, .what = "approach where it closes" };
        note_broken(at, e, &closes, 1, v_n);
    }
}

/* Does contact i close at the end of element e with an impact? */
static bool hits_at_end(const struct phases *ph, int e, int i)
{
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    return e == piece->first + piece->n_element - 1 && piece->after >= 0
           && sequence_mode(ph->seq, piece->mode)[i] == PHASE_OPEN && sequence_hit(ph->seq, piece->after)[i] != PHASE_OPEN;
}

/* v_n of contact i at part c of element e. */
static double approach(struct looker *at, int e, int i, double c, double *unknown)
{
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    evaluate(at, &point, c, unknown);
    return at->state_out[at->ph->sys->out.v_n + i];
}

static double fastest(struct looker *at, int i, double *unknown)
{
    double most = 0;
    for (int e = 0; e < at->ph->n_element; e++)
        most = fmax(most, fmax(fabs(approach(at, e, i, 0, unknown)), fabs(approach(at, e, i, 1, unknown))));
    return most;
}

/* Keeps contact i clear of an edge at part c of element e, 0 or 1; one that is kept already takes that over. */
static void hold(struct checks *to, int e, double c, int i, double clear)
{
    for (int k = 0; k < to->n; k++)
        if (to->check[k].element == e && to->check[k].subject == i && to->check[k].c == c) {
            to->check[k].clear = fmax(to->check[k].clear, clear);
            return;
        }
    add_check(to, &(struct phase_check){ e, c, i, clear });
}

/* Does contact i, in the plane, begin to stick where element e begins? */
static bool begins_to_stick(const struct phases *ph, int e, int i)
{
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    return e == piece->first && piece->before >= 0 && ph->sys->contact[i].n_t == 1
           && sequence_mode(ph->seq, piece->mode)[i] == PHASE_STICK
           && sequence_mode(ph->seq, piece->before)[i] != PHASE_STICK;
}

static void hold_impact(struct looker *at, int e, int i, double least, double *unknown, struct checks *to)
{
    if (hits_at_end(at->ph, e, i) && approach(at, e, i, 1, unknown) > -least)
        hold(to, e, 1, i, least);
}

/* The sides of the cone are mu lambda_n -+ lambda_t: half their sum is its width. */
static void hold_stick(struct looker *at, int e, int i, double *unknown, struct checks *to)
{
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    if (!begins_to_stick(at->ph, e, i))
        return;
    evaluate(at, &point, 0, unknown);
    const double *side = at->state_out + at->ph->sys->out.cone + 2 * i, least = FIRM_STICK * 0.5 * (side[0] + side[1]);
    if (least > 0 && fmin(side[0], side[1]) < least)
        hold(to, e, 0, i, least);
}

/* A switch that stays beside its surface all through an element, nearer than CLEARANCE and a little, is on either side of it
 * in a replay: it is held off the surface where the element begins and ends, but where it comes from there or goes there. */
static void hold_side(struct looker *at, int e, int i, double *unknown, struct checks *to)
{
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    const double clear = SIDE_CLEAR * fmin(1, at->largest[i]);
    if (!has_margin(at->ph, &point, i))
        return;
    for (int k = 0; k <= 2; k++)
        if (margin_at(at, &point, i, 0.5 * k, unknown) >= clear)
            return;
    for (int end = 0; end <= 1; end++)
        if (!touches_at(at->ph, e, i, end))
            hold(to, e, end, i, 2 * clear);
}

static void measure_margins(struct looker *at, double *unknown)
{
    for (int e = 0; e < at->ph->n_element; e++) {
        const struct phase_point point = phases_stage_point(at->ph, e, 0);
        for (int i = 0; i < at->ph->sys->n_contact + at->ph->sys->n_switch; i++)
            if (i < at->ph->sys->n_contact || has_margin(at->ph, &point, i))
                at->largest[i] = fmax(at->largest[i], margin_at(at, &point, i, 1, unknown));
    }
}

static double *alloc_unknowns(const struct phases *ph)
{
    int most = 1;
    for (int j = 0; j <= ph->seq->n_event; j++)
        most = ph->layout[j].n > most ? ph->layout[j].n : most;
    return mem_alloc((size_t)most, sizeof(double));
}

/* Appends to what there is. */
static void find_all(const struct phases *ph, const double *w, struct checks *to, struct check_worst *worst)
{
    struct looker at = looker_create(ph, w);
    double *unknown = alloc_unknowns(ph);
    measure_margins(&at, unknown);
    for (int e = 0; e < ph->n_element; e++) {
        look_inside(&at, e, unknown, to);
        find_grazing(&at, e, unknown, to);
        find_dives(&at, e, unknown, to);
    }
    *worst = at.worst;
    free(unknown);
    looker_free(&at);
}

int checks_find(const struct phases *ph, const double *w, int n, struct phase_check **check, struct check_worst *worst)
{
    struct checks to = { .n = n, .check = *check };
    find_all(ph, w, &to, worst);
    *check = to.check;
    return to.n;
}

int checks_find_edges(const struct phases *ph, const double *w, const bool *interval, int n, struct phase_check **check)
{
    struct looker at = looker_create(ph, w);
    struct checks to = { .n = n, .check = *check };
    double *unknown = alloc_unknowns(ph);
    measure_margins(&at, unknown);
    for (int e = 0; e < ph->n_element; e++)
        for (int i = ph->sys->n_contact; i < ph->sys->n_contact + ph->sys->n_switch; i++)
            if (interval[ph->piece[ph->piece_of[e]].interval])
                hold_side(&at, e, i, unknown, &to);
    for (int i = 0; i < ph->sys->n_contact; i++) {
        const double least = SOFT_LANDING * fastest(&at, i, unknown);
        for (int e = 0; e < ph->n_element; e++)
            if (interval[ph->piece[ph->piece_of[e]].interval]) {
                hold_impact(&at, e, i, least, unknown, &to);
                hold_stick(&at, e, i, unknown, &to);
            }
    }
    free(unknown);
    looker_free(&at);
    *check = to.check;
    return to.n;
}

/* --- Enforcing ------------------------------------------------------------------------------------------------- */

/* The best with checks; true if it has a solution, which replaces it. */
static bool solve_with(const struct finish_task *task, const struct checks *with, struct finish *best, enum status *st,
                       struct diag *diag)
{
    struct finish_task again = *task;
    struct finish one;
    again.grid = best->ph->grid;
    again.grid.n_check = with->n;
    again.grid.check = with->check;
    *st = finish_checked(&again, best, FINISH_MAX_ITER, &one, diag);
    const bool solved = one.solved;
    finish_free(solved ? best : &one);
    if (solved)
        *best = one;
    return solved;
}

/* Where all of them have no solution, what a replay judges is left to that. */
enum status checks_enforce(const struct finish_task *task, struct finish *best, struct check_worst *worst, struct diag *diag)
{
    struct checks to = { .n = 0 };
    enum status st = STATUS_OK;
    for (int k = 0; k < best->ph->grid.n_check; k++)        /* those that it was solved with stay */
        append(&to, &best->ph->grid.check[k]);
    int done = to.n;
    find_all(best->ph, best->w, &to, worst);
    for (int round = 0; round < CHECK_ROUNDS && to.n > done && st == STATUS_OK && !finish_must_stop(task); round++) {
        if (round >= CHECK_FIRM && worst->all <= CHECK_ENOUGH)
            break;
        if (solve_with(task, &to, best, &st, diag))
            done = to.n;
        else if (to.only_asked)
            break;
        else
            to.only_asked = true;
        to.n = done;
        find_all(best->ph, best->w, &to, worst);
    }
    free(to.check);
    return st;
}
