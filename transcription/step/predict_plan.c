#include "transcription/step/predict_plan.h"

#include "transcription/program/project.h"
#include "transcription/step/recipe.h"

#include <math.h>
#include <string.h>

struct contact_plan *plan_at(const struct prediction *it, const struct plan *plan, int j, int c)
{
    return &plan->contact[j * it->n_c + c];
}

/* --- Places -------------------------------------------------------------------------------------------------- */

const struct dcs_contact *plan_contact(const struct prediction *it, int c)
{
    return &it->tr->dcs->contact[c];
}

enum dcs_friction plan_law(const struct transcription *tr, int c)
{
    return tr->dcs->contact[c].friction;
}

bool plan_is_untold(const struct transcription *tr, int c)
{
    return plan_law(tr, c) == DCS_POLYHEDRAL || plan_law(tr, c) == DCS_CONIC_PAPER;
}

bool plan_has_friction(const struct prediction *it, int c)
{
    return plan_law(it->tr, c) == DCS_SCALAR || plan_law(it->tr, c) == DCS_CONE;
}

/* Sides of the law: pairs of slip and what is left of the cone. */
static int plan_sides(const struct prediction *it, int c)
{
    return plan_law(it->tr, c) == DCS_SCALAR ? 2 : plan_law(it->tr, c) == DCS_CONE;
}

const struct dcs_pair *plan_side(const struct prediction *it, int c, int side)
{
    return &it->tr->dcs->pair[plan_contact(it, c)->first_pair + 1 + side];
}

int plan_gap(const struct prediction *it, int j, int k, int c)
{
    return tr_lam(it->tr, j, k, plan_contact(it, c)->gap);
}

int plan_slip(const struct prediction *it, int j, int k, int c, int side)
{
    return tr_lam(it->tr, j, k, plan_side(it, c, side)->lam);
}

int plan_force(const struct prediction *it, int j, int k, int c)
{
    return tr_sel(it->tr, j, k) + plan_contact(it, c)->force;
}

static int plan_cone(const struct prediction *it, int j, int k, int c, int side)
{
    return tr_sel(it->tr, j, k) + plan_side(it, c, side)->sel;
}

/* --- A plan as an active set --------------------------------------------------------------------------------- */

static void fix(struct prediction *it, int var, double value)
{
    hold_at(&it->hold, it->tr, var, value);
    it->w[var] = value;
}

static void fix_slip(struct prediction *it, int j, int k, int c, enum motion motion)
{
    if (plan_law(it->tr, c) == DCS_CONE) {
        for (int q = 0; q < it->tr->model->contacts.contact[c].n_t && motion == STICKS; q++)
            fix(it, tr_lam(it->tr, j, k, plan_contact(it, c)->slip[q]), 0);
        if (motion == STICKS)
            fix(it, plan_slip(it, j, k, c, 0), 0);
        return;
    }
    if (motion == STICKS || motion == BACKWARD)
        fix(it, plan_slip(it, j, k, c, 0), 0);
    if (motion == STICKS || motion == FORWARD)
        fix(it, plan_slip(it, j, k, c, 1), 0);
}

/* No force, or no impulse: sel is the first of them all. */
static void fix_no_force(struct prediction *it, int sel, int c)
{
    int first, end;
    dcs_sel_of(it->tr->dcs, c, &first, &end);
    for (int i = first; i < end; i++)
        fix(it, sel + i, 0);
}

/* Friction in the exact cone has no slope where there is no force: the equations are solved from a force of one
 * that opposes the slip. sel: the first component of forces or impulses. */
static void start_friction(struct prediction *it, int j, int k, int sel, int c)
{
    const struct dcs_contact *contact = plan_contact(it, c);
    const double *v_t = &it->slip[SLIP_MAX * c], speed = slip_size(v_t), mu = it->tr->model->contacts.contact[c].mu;
    if (plan_law(it->tr, c) != DCS_CONE || speed == 0)
        return;
    it->w[sel + contact->force] = 1;
    it->w[plan_slip(it, j, k, c, 0)] = speed;
    for (int q = 0; q < it->tr->model->contacts.contact[c].n_t; q++) {
        it->w[sel + contact->force_t[q]] = -mu * v_t[q] / speed;
        it->w[tr_lam(it->tr, j, k, contact->slip[q])] = v_t[q];
    }
}

static void fix_element(struct prediction *it, const struct plan *plan, int j, int c)
{
    const struct transcription *tr = it->tr;
    const enum motion motion = plan_at(it, plan, j, c)->motion;
    for (int k = 1; k <= tr->n_point; k++) {
        if (motion != OPEN)
            fix(it, plan_gap(it, j, k, c), 0);
        if (plan_has_friction(it, c))
            fix_slip(it, j, k, c, motion);
        if (!tr_is_stage(tr, k))
            continue;
        if (motion == OPEN)
            fix_no_force(it, tr_sel(tr, j, k), c);
        else if (motion == FORWARD && it->w[plan_force(it, j, k, c)] < PUSHES)
            start_friction(it, j, k, tr_sel(tr, j, k), c);
        for (int side = 0; side < plan_sides(it, c); side++)
            if (motion == (side ? BACKWARD : FORWARD))
                fix(it, plan_cone(it, j, k, c, side), 0);
    }
    if (plan_has_friction(it, c))
        fix_slip(it, j, 0, c, motion);
}

/* Where a motion ends by itself its multiplier has come to zero at the end, if a stage is there. */
static void fix_end(struct prediction *it, const struct plan *plan, int j, int c)
{
    const struct transcription *tr = it->tr;
    const enum motion motion = plan_at(it, plan, j, c)->motion, next = plan_at(it, plan, j + 1, c)->motion;
    const int k = tr_right(tr);
    if (!plan_at(it, plan, j, c)->ends)
        return;
    if (motion == FORWARD || motion == BACKWARD)
        fix(it, plan_slip(it, j, k, c, motion == BACKWARD), 0);
    else if (tr_is_stage(tr, k) && next == OPEN)
        fix(it, plan_force(it, j, k, c), 0);
    else if (tr_is_stage(tr, k) && motion == STICKS)
        fix(it, plan_cone(it, j, k, c, next == BACKWARD), 0);
}

static void fix_junction(struct prediction *it, const struct plan *plan, int j, int c)
{
    const struct contact_plan *at = plan_at(it, plan, j, c);
    const int impulse = tr_impulse(it->tr, j);
    if (!at->impact) {
        fix_no_force(it, impulse, c);
        return;
    }
    if (at->slip == FORWARD)
        start_friction(it, j, 0, impulse, c);
    fix(it, plan_gap(it, j, 0, c), 0);
    for (int side = 0; side < 2; side++)
        fix(it, tr_part(it->tr, j, c, side), 0);
    for (int side = 0; side < plan_sides(it, c); side++)
        if (at->slip == (side ? BACKWARD : FORWARD))
            fix(it, impulse + plan_side(it, c, side)->sel, 0);
    if (plan_has_friction(it, c))
        fix_slip(it, j, 0, c, at->slip);
}

/* --- Judging ------------------------------------------------------------------------------------------------- */

/* Differences of two parts are told by the equations, their sum is not: the smaller one is zero. */
static void split_again(struct prediction *it, int plus, int minus)
{
    const double difference = it->w[plus] - it->w[minus];
    const bool free = program_lb(it->tr->prog, plus) < program_ub(it->tr->prog, plus)
                      && program_lb(it->tr->prog, minus) < program_ub(it->tr->prog, minus);
    if (!free)
        return;
    it->w[plus] = fmax(difference, 0);
    it->w[minus] = fmax(-difference, 0);
}

/* Friction in the exact cone: where no force says how fast the slip is, it is as fast as the slip velocity. Below
 * zero it tells that the slip has turned around. */
static void raise_speed(struct prediction *it, int j, int k, int c)
{
    const struct transcription *tr = it->tr;
    double v_t[SLIP_MAX] = { 0 };
    for (int q = 0; q < tr->model->contacts.contact[c].n_t; q++)
        v_t[q] = it->w[tr_lam(tr, j, k, plan_contact(it, c)->slip[q])];
    double *speed = &it->w[plan_slip(it, j, k, c, 0)];
    const bool acts = tr_is_stage(tr, k) && it->w[plan_force(it, j, k, c)] > PUSHES;
    if (program_lb(tr->prog, plan_slip(it, j, k, c, 0)) < program_ub(tr->prog, plan_slip(it, j, k, c, 0)) && !acts)
        *speed = slip_size(v_t);
}

/* Polyhedral friction without a force: slips against the directions and the speed may grow together. */
static void raise_slips(struct prediction *it, int j, int k, int c)
{
    const struct dcs_contact *contact = plan_contact(it, c);
    double least = 0;
    for (int p = contact->first_pair + 1; p < contact->end_pair; p++)
        least = fmin(least, it->w[tr_lam(it->tr, j, k, it->tr->dcs->pair[p].lam)]);
    for (int p = contact->first_pair + 1; p < contact->end_pair; p++)
        it->w[tr_lam(it->tr, j, k, it->tr->dcs->pair[p].lam)] -= least;
}

static void tidy(struct prediction *it)
{
    const struct transcription *tr = it->tr;
    for (int j = 0; j < it->n_e; j++)
        for (int c = 0; c < it->n_c; c++) {
            split_again(it, tr_part(tr, j, c, 0), tr_part(tr, j, c, 1));
            for (int k = 0; k <= tr->n_point && plan_law(tr, c) == DCS_SCALAR; k++)
                split_again(it, plan_slip(it, j, k, c, 0), plan_slip(it, j, k, c, 1));
            for (int k = 0; k <= tr->n_point && plan_law(tr, c) == DCS_CONE; k++)
                raise_speed(it, j, k, c);
            for (int k = 0; k <= tr->n_point && plan_is_untold(tr, c); k++)
                raise_slips(it, j, k, c);
        }
}

/* While a plan is projected, indicators of step equilibration follow their rows as they are, not as the
 * homotopy has them, saturated. */
static void set_indicator_rows(struct prediction *it, bool raw)
{
    const struct transcription *tr = it->tr;
    const double saturated = raw ? INFINITY : 0, as_it_is = raw ? 0 : INFINITY;
    for (int j = 0; j < it->n_e && tr->dh; j++)
        if (tr->dh[j] >= 0) {
            program_set_row_bounds(tr->prog, tr->indicator.row[j], -saturated, saturated);
            program_set_row_bounds(tr->prog, tr->indicator.raw_row[j], -as_it_is, as_it_is);
            program_set_bounds(tr->prog, tr->indicator.raw_var[j], -saturated, saturated);
        }
}

/* The indicators of step equilibration, after slips have been split anew. */
static void tell_indicators(struct prediction *it)
{
    const struct transcription *tr = it->tr;
    const struct nlp *nlp = &tr->mpcc.nlp;
    double *g = arena_alloc(&it->mem, (size_t)nlp->n_g, sizeof *g);
    if (!nlp->eval_g(nlp->user, it->w, true, g))
        return;
    for (int j = 0; j < it->n_e; j++)
        if (tr->dh[j] >= 0) {
            it->w[tr->indicator.var[j]] += g[tr->indicator.row[j]];
            it->w[tr->indicator.raw_var[j]] = 0;
        }
}

static void note_flaw(struct flaw *flaw, const struct flaw *found)
{
    if (flaw->what == FLAW_NONE || found->j < flaw->j || (found->j == flaw->j && found->t < flaw->t))
        *flaw = *found;
}

/* The variable at point k in which the flaw would show, or -1 if there is none. */
static int watched(const struct prediction *it, enum flaw_kind what, int j, int k, int c, int side)
{
    switch (what) {
    case FLAW_GAP:
        return plan_gap(it, j, k, c);
    case FLAW_SLIP:
        return plan_slip(it, j, k, c, side);
    case FLAW_FORCE:
        return tr_is_stage(it->tr, k) ? plan_force(it, j, k, c) : -1;
    default:
        return tr_is_stage(it->tr, k) ? plan_cone(it, j, k, c, side) : -1;
    }
}

/* The first wrong sign over element j, and the time at which the values before and there cross zero. */
static void look_along(const struct prediction *it, int j, int c, enum flaw_kind what, int side, struct flaw *flaw)
{
    double before = NAN, t_before = 0;
    for (int k = 0; k <= it->tr->n_point; k++) {
        const int var = watched(it, what, j, k, c, side);
        if (var < 0)
            continue;
        const double value = it->w[var], t = tr_c(it->tr, k) * it->w[it->tr->h[j]];
        if (value < -WRONG && k > 0) {
            const double crossing = before > 0 ? t_before + (t - t_before) * before / (before - value) : t_before;
            const struct flaw found = { j, k, c, what, isnan(before) ? 0.5 * t : crossing, false };
            note_flaw(flaw, &found);
            return;
        }
        before = value;
        t_before = t;
    }
}

static void look_at_contact(const struct prediction *it, const struct plan *plan, int j, int c, struct flaw *flaw)
{
    const enum motion motion = plan_at(it, plan, j, c)->motion;
    if (motion == OPEN) {
        look_along(it, j, c, FLAW_GAP, 0, flaw);
        return;
    }
    look_along(it, j, c, FLAW_FORCE, 0, flaw);
    for (int side = 0; side < plan_sides(it, c) && motion == STICKS; side++)
        look_along(it, j, c, side ? FLAW_UPPER : FLAW_LOWER, side, flaw);
    if (motion == FORWARD || motion == BACKWARD)
        look_along(it, j, c, FLAW_SLIP, motion == BACKWARD, flaw);
}

/* Are impulses in their cones, and do they oppose the slip after them? */
static bool impact_is_right(const struct prediction *it, int j, int c)
{
    const int impulse = tr_impulse(it->tr, j);
    bool right = it->w[impulse + plan_contact(it, c)->force] >= -WRONG;
    for (int side = 0; side < plan_sides(it, c); side++)
        right = right && it->w[impulse + plan_side(it, c, side)->sel] >= -WRONG
                && it->w[plan_slip(it, j, 0, c, side)] >= -WRONG;
    return right;
}

static struct flaw find_flaw(struct prediction *it, const struct plan *plan)
{
    struct flaw flaw = { 0, 0, 0, FLAW_NONE, 0, false };
    for (int j = 0; j < it->n_e; j++)
        for (int c = 0; c < it->n_c; c++)
            if (plan_at(it, plan, j, c)->impact && !impact_is_right(it, j, c))
                return (struct flaw){ j, 0, c, FLAW_OTHER, 0, false };
    for (int j = 0; j < it->n_e; j++)
        if (it->w[it->tr->h[j]] < 0)
            return (struct flaw){ j, 0, 0, FLAW_OTHER, 0, false };
    for (int j = 0; j < it->n_e; j++)
        for (int c = 0; c < it->n_c; c++)
            look_at_contact(it, plan, j, c, &flaw);
    return flaw;
}

/* The element after the last event takes the rest; with exact equilibration all that come after it share that. */
static void fix_length(struct prediction *it, const struct plan *plan, int j)
{
    const struct transcription *tr = it->tr;
    it->w[tr->h[j]] = plan->h[j];
    if (plan->n_event > 0 && j <= plan->n_event)
        return;
    if (!tr->dh)
        fix(it, tr->h[j], plan->h[j]);
    else if (j > 0)
        fix(it, tr->dh[j], 0);
}

struct flaw plan_judge(struct prediction *it, const struct plan *plan)
{
    const struct flaw other = { 0, 0, 0, FLAW_OTHER, 0, false };
    memcpy(it->w, plan->start, (size_t)it->tr->mpcc.nlp.n_w * sizeof *it->w);
    for (int j = 0; j < it->n_e; j++) {
        fix_length(it, plan, j);
        for (int c = 0; c < it->n_c; c++) {
            fix_element(it, plan, j, c);
            fix_junction(it, plan, j, c);
            if (j + 1 < it->n_e)
                fix_end(it, plan, j, c);
        }
    }
    it->n_projection++;
    set_indicator_rows(it, true);
    const bool solved = project_on_rows(&it->tr->mpcc.nlp, it->w, it->iterations);
    set_indicator_rows(it, false);
    if (solved)
        tidy(it);                               /* knows by their bounds what is held */
    if (solved && it->tr->dh)
        tell_indicators(it);
    hold_release(&it->hold, it->tr);
    if (!solved)
        return other;
    const struct flaw flaw = find_flaw(it, plan);
    return flaw.what != FLAW_NONE || hold_is_exact(it->tr, it->w) ? flaw : other;
}
