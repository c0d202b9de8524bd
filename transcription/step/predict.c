#include "transcription/step/predict.h"

#include "transcription/discretize/initial.h"
#include "transcription/discretize/recipe.h"
#include "transcription/step/predict_plan.h"
#include "transcription/step/recipe.h"

#include <math.h>
#include <string.h>

static bool takes(const struct transcription *tr)
{
    const double *w0 = tr->mpcc.w0;
    for (int c = 0; c < tr->model->contacts.n_contact; c++)
        if (plan_is_untold(tr, c) && (w0[tr_lam(tr, 0, 0, tr->dcs->contact[c].gap)] <= GAP_CLOSED
                                       || tr->settings->friction_form == FRICTION_CONIC_PAPER))
            return false;
    return tr->settings->impact_form == IMPACT_SPLIT && tr->model->contacts.n_contact > 0;
}

/* --- Plans --------------------------------------------------------------------------------------------------- */

static struct plan plan_copy(struct prediction *it, const struct plan *from)
{
    struct plan plan = *from;
    plan.contact = arena_copy(&it->mem, from->contact, (size_t)it->n_e * (size_t)it->n_c, sizeof *plan.contact);
    plan.h = arena_copy(&it->mem, from->h, (size_t)it->n_e, sizeof *plan.h);
    return plan;
}

static void set_motion(struct prediction *it, struct plan *plan, int j, int c, enum motion motion)
{
    for (int k = j; k < it->n_e; k++)
        plan_at(it, plan, k, c)->motion = motion;
}

/* Slip velocity where a point has the multipliers lam [n_lam]; in the exact cone its size. */
static double slip_of(const struct prediction *it, int c, const double *lam)
{
    if (!plan_has_friction(it, c))
        return 0;
    const double forward = lam[plan_side(it, c, 0)->lam];
    return plan_law(it->tr, c) == DCS_CONE ? forward : forward - lam[plan_side(it, c, 1)->lam];
}

/* What a closed contact does at slip velocity v_t. */
static enum motion motion_at(const struct prediction *it, int c, double v_t)
{
    if (!plan_has_friction(it, c))
        return SLIDES;
    if (!(fabs(v_t) > AT_REST))
        return STICKS;
    return v_t > 0 || plan_law(it->tr, c) == DCS_CONE ? FORWARD : BACKWARD;
}

/* What a contact may do next, likeliest first; returns how many. v_t: its slip velocity there. */
static int candidates(const struct prediction *it, int c, double v_t, enum motion out[3])
{
    out[0] = motion_at(it, c, v_t);
    out[1] = out[0] == STICKS ? FORWARD : STICKS;
    out[2] = out[0] == BACKWARD ? FORWARD : BACKWARD;
    return out[0] == SLIDES ? 1 : plan_law(it->tr, c) == DCS_CONE ? 2 : 3;
}

static bool search(struct prediction *it, const struct plan *plan);

/* Ends element j, the last one before which events were, at time t of the step; those after it share the rest. */
static void end_element(struct prediction *it, struct plan *plan, int j, double t)
{
    double before = 0, total = 0;
    for (int k = 0; k < it->n_e; k++)
        total += it->w[it->tr->h[k]];
    for (int k = 0; k < j; k++)
        before += plan->h[k] = it->w[it->tr->h[k]];
    plan->h[j] = fmax(t - before, 0);
    for (int k = j + 1; k < it->n_e; k++)
        plan->h[k] = (total - before - plan->h[j]) / (it->n_e - j - 1);
    plan->n_event++;
}

/* Time of the flaw since the start of the step. */
static double time_of(const struct prediction *it, const struct flaw *flaw)
{
    double t = flaw->t;
    for (int k = 0; k < flaw->j; k++)
        t += it->w[it->tr->h[k]];
    return t;
}

static void remember_slip(struct prediction *it, int j, int k, int c)
{
    for (int q = 0; q < it->tr->model->contacts.contact[c].n_t && plan_law(it->tr, c) == DCS_CONE; q++)
        it->slip[SLIP_MAX * c + q] = it->w[tr_lam(it->tr, j, k, plan_contact(it, c)->slip[q])];
}

/* A contact at rest begins to slip against the force that held it; sel: the first of the forces or impulses. */
static void slip_against(struct prediction *it, int sel, int c)
{
    double force[SLIP_MAX] = { 0 };
    if (plan_law(it->tr, c) != DCS_CONE || slip_size(&it->slip[SLIP_MAX * c]) > AT_REST)
        return;
    for (int q = 0; q < it->tr->model->contacts.contact[c].n_t; q++)
        force[q] = it->w[sel + plan_contact(it, c)->force_t[q]];
    const double size = slip_size(force);
    for (int q = 0; q < SLIP_MAX && size > 0; q++)
        it->slip[SLIP_MAX * c + q] = -SLIP_BEGINS * force[q] / size;
}

/* A gap closes at junction j: with what friction, and what then. Contacts that were closed share in the impact. */
static bool search_impact(struct prediction *it, const struct plan *base, int j, int c, double v_t)
{
    enum motion now[3], then[3];
    const bool bounces = it->tr->model->contacts.contact[c].e > 0;
    const int n = candidates(it, c, v_t, now), n_closed = candidates(it, c, v_t, then);
    const int n_then = !bounces ? n_closed : it->may_rest ? 1 + n_closed : 1;
    for (int shared = 1; shared >= 0; shared--)
        for (int p = 0; p < n; p++)
            for (int q = 0; q < n_then; q++) {
                struct plan plan = plan_copy(it, base);
                bool others = false;
                plan_at(it, &plan, j, c)->impact = true;
                plan_at(it, &plan, j, c)->slip = now[p];
                set_motion(it, &plan, j, c, bounces && q == 0 ? OPEN : then[(p + q - bounces) % n_closed]);
                for (int o = 0; o < it->n_c; o++) {
                    struct contact_plan *other = plan_at(it, &plan, j, o);
                    if (o == c || other->motion == OPEN)
                        continue;
                    others = true;
                    other->impact = shared;
                    other->slip = other->motion;
                }
                if ((shared || others || j == 0) && search(it, &plan))
                    return true;
                if (now[p] == STICKS)
                    slip_against(it, tr_impulse(it->tr, j), c);
                if (it->n_projection > MAX_PROJECTIONS)
                    return false;
            }
    return false;
}

/* Where the equations of a slip in the exact cone that turns around at junction j are solved from: the solution
 * that goes on has a negative speed and the force of before, there. */
static const double *turned_around(struct prediction *it, const struct plan *base, int j, int c)
{
    double *start = arena_copy(&it->mem, base->start, (size_t)it->tr->mpcc.nlp.n_w, sizeof *start);
    for (int l = j; l < it->n_e; l++)
        for (int k = 1; k <= it->tr->n_point; k++) {
            start[plan_slip(it, l, k, c, 0)] = fabs(start[plan_slip(it, l, k, c, 0)]);
            for (int q = 0; q < it->tr->model->contacts.contact[c].n_t && tr_is_stage(it->tr, k); q++) {
                const int force = tr_sel(it->tr, l, k) + plan_contact(it, c)->force_t[q];
                start[force] = -start[force];
            }
        }
    return start;
}

/* A motion becomes one of the others from element j on; `ends`: by itself, at the end of the element before. */
static bool search_change(struct prediction *it, const struct plan *base, int j, int c, const enum motion *next,
                          int n, bool ends)
{
    for (int k = 0; k < n && it->n_projection <= MAX_PROJECTIONS; k++) {
        struct plan plan = plan_copy(it, base);
        if (!ends && next[k] == plan_at(it, base, j, c)->motion)
            continue;                           /* the plan that has just shown the flaw */
        set_motion(it, &plan, j, c, next[k]);
        if (ends)
            plan_at(it, &plan, j - 1, c)->ends = true;
        if (ends && plan_law(it->tr, c) == DCS_CONE && next[k] == FORWARD
            && plan_at(it, base, j - 1, c)->motion == FORWARD)
            plan.start = turned_around(it, base, j, c);
        if (search(it, &plan))
            return true;
    }
    return false;
}

/* What may follow where the flaw shows; returns how many. */
static int ways_out(const struct prediction *it, const struct flaw *flaw, enum motion motion, enum motion out[2])
{
    switch (flaw->what) {
    case FLAW_FORCE:
        out[0] = OPEN;
        return 1;
    case FLAW_LOWER:
        out[0] = FORWARD;
        return 1;
    case FLAW_UPPER:
        out[0] = BACKWARD;
        return 1;
    case FLAW_SLIP:
        out[0] = STICKS;
        out[1] = motion == FORWARD && plan_law(it->tr, flaw->c) == DCS_SCALAR ? BACKWARD : FORWARD;
        return 2;
    default:
        return 0;
    }
}

/* Slip in the exact cone that comes to rest has no solution that goes on, so that no sign tells: the stop is looked
 * for in the middle of what is left of the step. */
static void suspect_stop(struct prediction *it, const struct plan *plan, struct flaw *flaw)
{
    const int j = plan->n_event;
    for (int c = 0; c < it->n_c; c++)
        if (plan_law(it->tr, c) == DCS_CONE && plan_at(it, plan, j, c)->motion == FORWARD) {
            *flaw = (struct flaw){ j, 2, c, FLAW_SLIP, 0.5 * plan->h[j], true };
            for (int k = 0; k < it->n_e; k++)
                it->w[it->tr->h[k]] = plan->h[k];
            return;
        }
}

/* The elements after the last event share what is left of the step in equal parts, now that its time is known. */
static void even_out(struct prediction *it, const struct plan *plan)
{
    const int first = plan->n_event;            /* element after the last event */
    const size_t n_w = (size_t)it->tr->mpcc.nlp.n_w;
    if (first == 0 || first + 1 >= it->n_e)
        return;
    double *found = arena_copy(&it->mem, it->w, n_w, sizeof *found), left = 0;
    struct plan even = plan_copy(it, plan);
    even.start = found;
    for (int j = 0; j < it->n_e; j++) {
        even.h[j] = found[it->tr->h[j]];
        left += j < first ? 0 : even.h[j];
    }
    for (int j = first; j < it->n_e; j++)
        even.h[j] = left / (it->n_e - first);
    if (plan_judge(it, &even).what != FLAW_NONE)
        memcpy(it->w, found, n_w * sizeof *found);
}

/* Solves the plan, and where it shows a flaw the plans that mend it, depth first. */
static bool search(struct prediction *it, const struct plan *plan)
{
    struct flaw flaw = plan_judge(it, plan);
    if (flaw.what == FLAW_NONE) {
        even_out(it, plan);
        return true;
    }
    if (flaw.what == FLAW_OTHER)
        suspect_stop(it, plan, &flaw);
    const int last = plan->n_event;             /* element after the last event */
    if (flaw.what == FLAW_OTHER || flaw.j < last || it->n_projection > MAX_PROJECTIONS)
        return false;
    struct plan longer = plan_copy(it, plan);
    if (!flaw.suspected)
        longer.start = arena_copy(&it->mem, it->w, (size_t)it->tr->mpcc.nlp.n_w, sizeof(double));
    end_element(it, &longer, last, time_of(it, &flaw));
    const double v_t = slip_of(it, flaw.c, &it->w[tr_lam(it->tr, flaw.j, flaw.k, 0)]);
    for (int c = 0; c < it->n_c && !flaw.suspected; c++)
        remember_slip(it, flaw.j, flaw.k, c);
    if (flaw.what == FLAW_LOWER)
        slip_against(it, tr_sel(it->tr, flaw.j, flaw.k), flaw.c);
    enum motion out[2];
    const int n = ways_out(it, &flaw, plan_at(it, plan, flaw.j, flaw.c)->motion, out);
    const bool from_start = flaw.what != FLAW_GAP && flaw.j == last && flaw.k == 1;
    if (from_start && search_change(it, plan, last, flaw.c, out, n, false))
        return true;
    if (last + 1 >= it->n_e || it->n_projection > MAX_PROJECTIONS)
        return false;
    if (flaw.what == FLAW_GAP && it->first_hit.what == FLAW_NONE) {
        it->first_hit = flaw;
        it->hit_plan = longer;
    }
    if (flaw.what == FLAW_GAP && plan_is_untold(it->tr, flaw.c))
        return false;
    if (flaw.what == FLAW_GAP)
        return search_impact(it, &longer, last + 1, flaw.c, v_t);
    return search_change(it, &longer, last + 1, flaw.c, out, n, true);
}

/* --- The step ------------------------------------------------------------------------------------------------ */

/* The guess of tr: up to the impact as solved, then closed, with an impulse that takes away the normal velocity
 * as if all masses were one. */
static void place_impact(struct prediction *it)
{
    struct transcription *tr = it->tr;
    const struct flaw *hit = &it->first_hit;
    const struct model_contact *contact = &tr->model->contacts.contact[hit->c];
    const struct model *model = tr->model;
    const int first = it->hit_plan.n_event;
    double *w0 = program_guess(tr->prog), *x = arena_alloc(&it->mem, (size_t)model->n_x, sizeof *x);
    double *J = arena_alloc(&it->mem, (size_t)model->mechanics.n_q, sizeof *J), JJ = 0;
    memcpy(w0, it->hit_plan.start, (size_t)tr->mpcc.nlp.n_w * sizeof *w0);
    tr_get_y(tr, w0, hit->j, hit->k, model->n_x, x);
    const double v_n = tr_value_at(tr, contact->v_n, hit->j, hit->k);
    for (int i = 0; i < model->mechanics.n_q; i++) {
        J[i] = tr_value_at(tr, contact->J_n[i], hit->j, hit->k);
        JJ += J[i] * J[i];
    }
    for (int i = 0; i < model->mechanics.n_q; i++)
        x[model->mechanics.v_index[i]] -= (1 + contact->e) * v_n / JJ * J[i];
    for (int j = 0; j < it->n_e; j++)
        w0[tr->h[j]] = it->hit_plan.h[j];
    for (int j = first; j < it->n_e; j++)
        for (int k = j == first ? 0 : 1; k <= tr->n_point; k++) {
            for (int i = 0; i < model->n_x; i++)
                w0[tr_y(tr, j, k, i)] = x[i];
            w0[plan_gap(it, j, k, hit->c)] = 0;
            if (tr_is_stage(tr, k))
                w0[plan_force(it, j, k, hit->c)] = contact->e > 0 ? 0 : 1;
        }
    w0[tr_impulse(tr, first) + plan_contact(it, hit->c)->force] = fabs((1 + contact->e) * v_n / JJ);
    for (int side = 0; side < 2; side++)
        w0[tr_part(tr, first, hit->c, side)] = 0;
}

/* What contact c did before: from lam and sel of the last stage, or from the state alone. */
static enum motion motion_before(const struct prediction *it, int c, const double *lam, const double *sel)
{
    const double *w0 = it->tr->mpcc.w0;
    if (w0[plan_gap(it, 0, 0, c)] > GAP_CLOSED)
        return OPEN;
    if (sel && sel[plan_contact(it, c)->force] <= PUSHES)
        return OPEN;
    return motion_at(it, c, lam ? slip_of(it, c, lam) : 0);
}

/* Is the first junction free for an impact of contact c (junction.c holds it where nothing hits)? */
static bool may_hit_at_start(const struct prediction *it, int c)
{
    const int impulse = tr_impulse(it->tr, 0) + plan_contact(it, c)->force;
    return program_lb(it->tr->prog, impulse) < program_ub(it->tr->prog, impulse);
}

static bool search_step(struct prediction *it, struct plan *plan)
{
    for (int c = 0; c < it->n_c; c++)
        if (may_hit_at_start(it, c) && it->w[tr_part(it->tr, 0, c, 1)] > AT_REST)
            return search_impact(it, plan, 0, c, 0);
    return search(it, plan);
}

enum prediction_outcome tr_predict(struct transcription *tr, const double *lam, const double *sel, bool may_rest,
                                   double *w, int *iterations)
{
    if (!tr->junctions || !takes(tr))
        return PREDICTION_NONE;
    const size_t n_w = (size_t)tr->mpcc.nlp.n_w;
    struct prediction it = { .tr = tr, .n_c = tr->model->contacts.n_contact, .n_e = tr->n_element,
                             .iterations = iterations,
                         .may_rest = may_rest && tr_is_stage(tr, tr_right(tr)) };
    it.w = arena_alloc(&it.mem, n_w, sizeof *it.w);
    it.hold = hold_create(&it.mem, tr);
    memcpy(it.w, tr->mpcc.w0, n_w * sizeof *w);
    it.slip = arena_alloc(&it.mem, SLIP_MAX * (size_t)it.n_c, sizeof *it.slip);
    for (int c = 0; c < it.n_c && lam; c++)
        for (int q = 0; q < SLIP_MAX && plan_law(tr, c) == DCS_CONE && tr->dcs->contact[c].slip[q] >= 0; q++)
            it.slip[SLIP_MAX * c + q] = lam[tr->dcs->contact[c].slip[q]];
    struct plan plan = { .contact = arena_alloc(&it.mem, (size_t)it.n_e * (size_t)it.n_c, sizeof *plan.contact),
                         .h = tr->h0, .start = tr->mpcc.w0 };
    for (int c = 0; c < it.n_c; c++)
        set_motion(&it, &plan, 0, c, motion_before(&it, c, lam, sel));
    const bool found = search_step(&it, &plan);
    if (found)
        memcpy(w, it.w, n_w * sizeof *w);
    const bool placed = !found && it.first_hit.what == FLAW_GAP;
    if (placed)
        place_impact(&it);
    arena_free(&it.mem);
    return found ? PREDICTION_SOLVED : placed ? PREDICTION_PLACED : PREDICTION_NONE;
}
