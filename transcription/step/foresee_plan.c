#include "transcription/step/foresee_plan.h"

#include "core/base/mem.h"
#include "transcription/program/project.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT 1e-12                 /* largest product of a solution */
#define SHARP 1e-9                  /* and its largest violation */
#define WRONG 1e-10                 /* a sign is wrong below -WRONG */

/* --- Places -------------------------------------------------------------------------------------------------- */

const struct dcs_contact *plan_contact(const struct seer *seer, int c)
{
    return &seer->tr->dcs->contact[c];
}

enum law plan_law(const struct transcription *tr, int c)
{
    const struct dcs_contact *contact = &tr->dcs->contact[c];
    const int n = contact->end_pair - contact->first_pair;
    if (n == 1)
        return FRICTIONLESS;
    if (contact->force_t[0] >= 0)
        return contact->slip[0] >= 0 ? CONE : OTHER;
    return n == 3 && tr->model->contact[c].n_t == 1 ? SCALAR : OTHER;
}

bool plan_has_friction(const struct seer *seer, int c)
{
    return plan_law(seer->tr, c) == SCALAR || plan_law(seer->tr, c) == CONE;
}

/* Sides of the law: pairs of slip and what is left of the cone. */
int plan_sides(const struct seer *seer, int c)
{
    return plan_law(seer->tr, c) == SCALAR ? 2 : plan_law(seer->tr, c) == CONE;
}

const struct dcs_pair *plan_side(const struct seer *seer, int c, int side)
{
    return &seer->tr->dcs->pair[plan_contact(seer, c)->first_pair + 1 + side];
}

int plan_gap(const struct seer *seer, int e, int k, int c)
{
    return tr_lam(seer->tr, e, k, plan_contact(seer, c)->gap);
}

int plan_slip(const struct seer *seer, int e, int k, int c, int side)
{
    return tr_lam(seer->tr, e, k, plan_side(seer, c, side)->lam);
}

int plan_force(const struct seer *seer, int e, int k, int c)
{
    return tr_sel(seer->tr, e, k) + plan_contact(seer, c)->force;
}

int plan_cone(const struct seer *seer, int e, int k, int c, int side)
{
    return tr_sel(seer->tr, e, k) + plan_side(seer, c, side)->sel;
}

/* --- A plan as an active set --------------------------------------------------------------------------------- */

static void fix(struct seer *seer, int var, double value)
{
    struct fixed *fixed = &seer->fixed;
    fixed->var[fixed->n] = var;
    fixed->lb[fixed->n] = program_lb(seer->tr->prog, var);
    fixed->ub[fixed->n++] = program_ub(seer->tr->prog, var);
    program_set_bounds(seer->tr->prog, var, value, value);
    seer->w[var] = value;
}

static void release(struct seer *seer)
{
    struct fixed *fixed = &seer->fixed;
    for (int i = fixed->n - 1; i >= 0; i--)
        program_set_bounds(seer->tr->prog, fixed->var[i], fixed->lb[i], fixed->ub[i]);
    fixed->n = 0;
}

static void fix_slip(struct seer *seer, int e, int k, int c, enum motion motion)
{
    if (plan_law(seer->tr, c) == CONE) {
        for (int q = 0; q < seer->tr->model->contact[c].n_t && motion == STICKS; q++)
            fix(seer, tr_lam(seer->tr, e, k, plan_contact(seer, c)->slip[q]), 0);
        if (motion == STICKS)
            fix(seer, plan_slip(seer, e, k, c, 0), 0);
        return;
    }
    if (motion == STICKS || motion == BACKWARD)
        fix(seer, plan_slip(seer, e, k, c, 0), 0);
    if (motion == STICKS || motion == FORWARD)
        fix(seer, plan_slip(seer, e, k, c, 1), 0);
}

/* No force, or no impulse: sel is the first of them all. */
static void fix_no_force(struct seer *seer, int sel, int c)
{
    int first, end;
    dcs_sel_of(seer->tr->dcs, c, &first, &end);
    for (int i = first; i < end; i++)
        fix(seer, sel + i, 0);
}

/* Friction in the exact cone has no slope where there is no force: the equations are solved from a force of one that
 * opposes the slip. sel: the first component of forces or impulses. */
static void start_friction(struct seer *seer, int e, int k, int sel, int c)
{
    const struct dcs_contact *contact = plan_contact(seer, c);
    const double *v_t = &seer->slip[2 * c], speed = hypot(v_t[0], v_t[1]), mu = seer->tr->model->contact[c].mu;
    if (plan_law(seer->tr, c) != CONE || speed == 0)
        return;
    seer->w[sel + contact->force] = 1;
    seer->w[plan_slip(seer, e, k, c, 0)] = speed;
    for (int q = 0; q < seer->tr->model->contact[c].n_t; q++) {
        seer->w[sel + contact->force_t[q]] = -mu * v_t[q] / speed;
        seer->w[tr_lam(seer->tr, e, k, contact->slip[q])] = v_t[q];
    }
}

static void fix_element(struct seer *seer, const struct plan *plan, int e, int c)
{
    const struct transcription *tr = seer->tr;
    const enum motion motion = plan->motion[e * seer->n_c + c];
    for (int k = 1; k <= tr->n_point; k++) {
        if (motion != OPEN)
            fix(seer, plan_gap(seer, e, k, c), 0);
        if (plan_has_friction(seer, c))
            fix_slip(seer, e, k, c, motion);
        if (!tr_is_stage(tr, k))
            continue;
        if (motion == OPEN)
            fix_no_force(seer, tr_sel(tr, e, k), c);
        else if (motion == FORWARD && seer->w[plan_force(seer, e, k, c)] < PLAN_PUSHES)
            start_friction(seer, e, k, tr_sel(tr, e, k), c);
        for (int side = 0; side < plan_sides(seer, c); side++)
            if (motion == (side ? BACKWARD : FORWARD))
                fix(seer, plan_cone(seer, e, k, c, side), 0);
    }
    if (plan_has_friction(seer, c))
        fix_slip(seer, e, 0, c, motion);
}

/* Where a motion ends by itself its multiplier has come to zero at the end, if a stage is there. */
static void fix_end(struct seer *seer, const struct plan *plan, int e, int c)
{
    const struct transcription *tr = seer->tr;
    const enum motion motion = plan->motion[e * seer->n_c + c], next = plan->motion[(e + 1) * seer->n_c + c];
    const int k = tr_right(tr);
    if (!plan->ends[e * seer->n_c + c])
        return;
    if (motion == FORWARD || motion == BACKWARD)
        fix(seer, plan_slip(seer, e, k, c, motion == BACKWARD), 0);
    else if (tr_is_stage(tr, k) && next == OPEN)
        fix(seer, plan_force(seer, e, k, c), 0);
    else if (tr_is_stage(tr, k) && motion == STICKS)
        fix(seer, plan_cone(seer, e, k, c, next == BACKWARD), 0);
}

static void fix_junction(struct seer *seer, const struct plan *plan, int e, int c)
{
    const int at = e * seer->n_c + c, impulse = tr_impulse(seer->tr, e);
    if (!plan->impact[at]) {
        fix_no_force(seer, impulse, c);
        return;
    }
    if (plan->slip[at] == FORWARD)
        start_friction(seer, e, 0, impulse, c);
    fix(seer, plan_gap(seer, e, 0, c), 0);
    for (int side = 0; side < 2; side++)
        fix(seer, tr_part(seer->tr, e, c, side), 0);
    for (int side = 0; side < plan_sides(seer, c); side++)
        if (plan->slip[at] == (side ? BACKWARD : FORWARD))
            fix(seer, impulse + plan_side(seer, c, side)->sel, 0);
    if (plan_has_friction(seer, c))
        fix_slip(seer, e, 0, c, plan->slip[at]);
}

/* --- Judging ------------------------------------------------------------------------------------------------- */

/* Differences of two parts are told by the equations, their sum is not: the smaller one is zero. */
static void split_again(struct seer *seer, int plus, int minus)
{
    const double difference = seer->w[plus] - seer->w[minus];
    const bool free = program_lb(seer->tr->prog, plus) < program_ub(seer->tr->prog, plus)
                      && program_lb(seer->tr->prog, minus) < program_ub(seer->tr->prog, minus);
    if (!free)
        return;
    seer->w[plus] = fmax(difference, 0);
    seer->w[minus] = fmax(-difference, 0);
}

/* Friction in the exact cone: where no force says how fast the slip is, it is as fast as the slip velocity. Below zero
 * it tells that the slip has turned around. */
static void raise_speed(struct seer *seer, int e, int k, int c)
{
    const struct transcription *tr = seer->tr;
    double v_t[2] = { 0, 0 };
    for (int q = 0; q < tr->model->contact[c].n_t; q++)
        v_t[q] = seer->w[tr_lam(tr, e, k, plan_contact(seer, c)->slip[q])];
    double *speed = &seer->w[plan_slip(seer, e, k, c, 0)];
    const bool acts = tr_is_stage(tr, k) && seer->w[plan_force(seer, e, k, c)] > PLAN_PUSHES;
    if (program_lb(tr->prog, plan_slip(seer, e, k, c, 0)) < program_ub(tr->prog, plan_slip(seer, e, k, c, 0)) && !acts)
        *speed = hypot(v_t[0], v_t[1]);
}

/* Polyhedral friction without a force: slips against the directions and the speed may grow together. */
static void raise_slips(struct seer *seer, int e, int k, int c)
{
    const struct dcs_contact *contact = plan_contact(seer, c);
    double least = 0;
    for (int p = contact->first_pair + 1; p < contact->end_pair; p++)
        least = fmin(least, seer->w[tr_lam(seer->tr, e, k, seer->tr->dcs->pair[p].lam)]);
    for (int p = contact->first_pair + 1; p < contact->end_pair; p++)
        seer->w[tr_lam(seer->tr, e, k, seer->tr->dcs->pair[p].lam)] -= least;
}

static void tidy(struct seer *seer)
{
    const struct transcription *tr = seer->tr;
    for (int e = 0; e < seer->n_e; e++)
        for (int c = 0; c < seer->n_c; c++) {
            split_again(seer, tr_part(tr, e, c, 0), tr_part(tr, e, c, 1));
            for (int k = 0; k <= tr->n_point && plan_law(tr, c) == SCALAR; k++)
                split_again(seer, plan_slip(seer, e, k, c, 0), plan_slip(seer, e, k, c, 1));
            for (int k = 0; k <= tr->n_point && plan_law(tr, c) == CONE; k++)
                raise_speed(seer, e, k, c);
            for (int k = 0; k <= tr->n_point && plan_law(tr, c) == OTHER; k++)
                raise_slips(seer, e, k, c);
        }
}

/* Values before (at the left of the element, or NAN) and at point k, as the time at which they cross zero. */
static double crossing(const struct seer *seer, int e, int k, double before, double t_before, double value)
{
    const struct transcription *tr = seer->tr;
    const double h = seer->w[tr->h[e]], t = (tr_is_stage(tr, k) ? tr->rk->c[k - 1] : 1) * h;
    if (isnan(before))
        return 0.5 * t;
    return before > 0 ? t_before + (t - t_before) * before / (before - value) : t_before;
}

static void note_flaw(struct flaw *flaw, const struct flaw *found)
{
    if (flaw->what == FLAW_NONE || found->e < flaw->e || (found->e == flaw->e && found->t < flaw->t))
        *flaw = *found;
}

/* The first wrong sign of one variable per point over element e: its left value, if it has one, then the points. */
static void look_along(const struct seer *seer, int e, int c, enum flaw_kind what, const int *var, int first,
                       struct flaw *flaw)
{
    const struct transcription *tr = seer->tr;
    double before = NAN, t_before = 0;
    for (int k = first; k <= tr->n_point; k++) {
        if (var[k] < 0)
            continue;
        const double value = seer->w[var[k]];
        if (value < -WRONG && k > 0) {
            const struct flaw found = { e, k, c, what, crossing(seer, e, k, before, t_before, value), false };
            note_flaw(flaw, &found);
            return;
        }
        before = value;
        t_before = k == 0 ? 0 : (tr_is_stage(tr, k) ? tr->rk->c[k - 1] : 1) * seer->w[tr->h[e]];
    }
}

static void look_at_contact(const struct seer *seer, const struct plan *plan, int e, int c, int *var, struct flaw *flaw)
{
    const struct transcription *tr = seer->tr;
    const enum motion motion = plan->motion[e * seer->n_c + c];
    if (motion == OPEN) {
        for (int k = 0; k <= tr->n_point; k++)
            var[k] = plan_gap(seer, e, k, c);
        look_along(seer, e, c, FLAW_GAP, var, 0, flaw);
        return;
    }
    for (int k = 1; k <= tr->n_point; k++)
        var[k] = tr_is_stage(tr, k) ? plan_force(seer, e, k, c) : -1;
    look_along(seer, e, c, FLAW_FORCE, var, 1, flaw);
    for (int side = 0; side < plan_sides(seer, c) && motion == STICKS; side++) {
        for (int k = 1; k <= tr->n_point; k++)
            var[k] = tr_is_stage(tr, k) ? plan_cone(seer, e, k, c, side) : -1;
        look_along(seer, e, c, side ? FLAW_UPPER : FLAW_LOWER, var, 1, flaw);
    }
    if (motion == FORWARD || motion == BACKWARD) {
        for (int k = 0; k <= tr->n_point; k++)
            var[k] = plan_slip(seer, e, k, c, motion == BACKWARD);
        look_along(seer, e, c, FLAW_SLIP, var, 0, flaw);
    }
}

/* Are impulses in their cones, and do they oppose the slip after them? */
static bool impact_is_right(const struct seer *seer, int e, int c)
{
    const int impulse = tr_impulse(seer->tr, e);
    bool right = seer->w[impulse + plan_contact(seer, c)->force] >= -WRONG;
    for (int side = 0; side < plan_sides(seer, c); side++)
        right = right && seer->w[impulse + plan_side(seer, c, side)->sel] >= -WRONG
                && seer->w[plan_slip(seer, e, 0, c, side)] >= -WRONG;
    return right;
}

static struct flaw find_flaw(struct seer *seer, const struct plan *plan)
{
    struct flaw flaw = { 0, 0, 0, FLAW_NONE, 0, false };
    for (int e = 0; e < seer->n_e; e++)
        for (int c = 0; c < seer->n_c; c++)
            if (plan->impact[e * seer->n_c + c] && !impact_is_right(seer, e, c))
                return (struct flaw){ e, 0, c, FLAW_OTHER, 0, false };
    for (int e = 0; e < seer->n_e; e++)
        if (seer->w[seer->tr->h[e]] < 0)
            return (struct flaw){ e, 0, 0, FLAW_OTHER, 0, false };
    int *var = mem_alloc((size_t)seer->tr->n_point + 1, sizeof *var);
    for (int e = 0; e < seer->n_e; e++)
        for (int c = 0; c < seer->n_c; c++)
            look_at_contact(seer, plan, e, c, var, &flaw);
    free(var);
    return flaw;
}

/* Solves the plan's equations; FLAW_NONE if the original system holds, FLAW_OTHER if no sign tells what is wrong. */
struct flaw plan_judge(struct seer *seer, const struct plan *plan)
{
    const struct mpcc *mpcc = &seer->tr->mpcc;
    const struct flaw other = { 0, 0, 0, FLAW_OTHER, 0, false };
    memcpy(seer->w, plan->start, (size_t)mpcc->nlp.n_w * sizeof *seer->w);
    for (int e = 0; e < seer->n_e; e++) {
        seer->w[seer->tr->h[e]] = plan->h[e];
        if (plan->n_event == 0 || e > plan->n_event)            /* the one after the last event takes the rest */
            fix(seer, seer->tr->h[e], plan->h[e]);
        for (int c = 0; c < seer->n_c; c++) {
            fix_element(seer, plan, e, c);
            fix_junction(seer, plan, e, c);
            if (e + 1 < seer->n_e)
                fix_end(seer, plan, e, c);
        }
    }
    seer->n_projection++;
    const bool solved = project_on_rows(&mpcc->nlp, mpcc->nlp.lbw, mpcc->nlp.ubw, seer->w, seer->iterations);
    if (solved)
        tidy(seer);
    release(seer);
    if (!solved)
        return other;
    const struct flaw flaw = find_flaw(seer, plan);
    if (flaw.what != FLAW_NONE)
        return flaw;
    const bool holds = mpcc_violation(mpcc, seer->w, NULL) <= SHARP
                       && mpcc_complementarity(mpcc, seer->w, NULL) <= EXACT;
    return holds ? flaw : other;
}
