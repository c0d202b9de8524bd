#include "transcription/finish/checks/checks.h"

#include "core/base/mem.h"
#include "transcription/finish/checks/between.h"
#include "transcription/finish/checks/checks_list.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_TOL 1e-6              /* of the bound, or of the value, at least of 1: broken by less is none */
#define CHECK_ENOUGH 1e-5           /* a tenth of finish.tol: monoped_tracking takes 8 rounds of 2 s to 1e-6 */
#define CHECK_NEAR 1e-2             /* an inequality that comes so near is looked at between the parts, too */
#define CLEARANCE 1e-6              /* of a contact's largest gap, at most of 1 m: nearer than half of it, open contacts are
                                     * moved that far away. What grazes is hit in a replay, or not */
#define WELL_OPEN 10                /* clearances: what never gets that far in an element is about to touch, or has just done */
#define FIRM_CONE 1e-3              /* of the square of its width, in space: so far away from its surface is kept what leaves
                                     * a cone between stages. In a replay it begins to slip there, and creeps for ever */
enum {
    CHECK_POINTS = 12,              /* an element is looked at in that many parts */
    CHECK_SECTIONS = 8,             /* golden ones: the worst place to 1e-3 of an element; the rest is of second order */
    CHECK_ROUNDS = 8,               /* programs with more and more checked points */
    CHECK_FIRM = 3                  /* after so many, what is broken by less than CHECK_ENOUGH is left */
};

struct looker {
    struct between at;
    struct checks *to;
    bool only_asked;                /* nothing that a replay judges */
    struct inequality *one;         /* of an element */
    double *most, *where;           /* of each: its worst violation in the element, and where */
    struct check_worst worst;       /* of all elements */
};

static struct looker looker_create(const struct phases *ph, const double *w, struct checks *to, bool only_asked)
{
    struct looker look = { .at = between_create(ph, w), .to = to, .only_asked = only_asked };
    const size_t n = (size_t)inequalities_most(ph);
    look.one = arena_alloc(&look.at.mem, n, sizeof *look.one);
    look.most = arena_alloc(&look.at.mem, n, sizeof *look.most);
    look.where = arena_alloc(&look.at.mem, n, sizeof *look.where);
    return look;
}

/* Does a replay judge it? Not of the user's complementarities, which have more to say. */
static bool is_replayed(const struct phase_system *sys, const struct inequality *one)
{
    const int l = one->subject - sys->n_contact;
    return (one->kind == CHECK_STATE || one->kind == CHECK_UNKNOWN) && l >= 0 && l < sys->n_switch
           && sys->sw[l].pair < 0;
}

/* An inequality of an element is broken by `broken` there, at part c. */
static void note_broken(struct looker *look, int e, const struct inequality *one, double c, double broken)
{
    const struct phase_system *sys = look->at.ph->sys;
    struct check_worst *worst = &look->worst;
    worst->all = fmax(worst->all, broken);
    if (is_replayed(sys, one) || !(broken > worst->asked))
        return;
    const bool has_subject = one->subject >= 0 && one->kind != CHECK_WHEN;
    const char *of = has_subject ? phase_subject_name(sys, one->subject) : one->kind == CHECK_Y ? "a bound of" : "";
    worst->asked = broken;
    (void)snprintf(worst->what, sizeof worst->what, "%.40s%s%.40s at t = %.4g %.9s", of, *of ? " " : "", one->what,
                   between_time(&look->at, e, c), sys->model->time.unit);
}

/* --- Inequalities ---------------------------------------------------------------------------------------------- */

static double violation_at(struct between *at, const struct phase_point *point, const struct inequality *one,
                           double c)
{
    between_evaluate(at, point, c);
    return between_violation(at, one);
}

/* The worst place of an inequality, beside or at the one of the grid where it is worst,
 * `most`, by golden sections. */
static double worst_near(struct between *at, const struct phase_point *point, const struct inequality *one,
                         double most, double *where)
{
    const double ratio = (sqrt(5) - 1) / 2;
    double a = fmax(0, *where - 1.0 / CHECK_POINTS), b = *where + 1.0 / CHECK_POINTS;
    double c = b - ratio * (b - a), d = a + ratio * (b - a);
    double at_c = violation_at(at, point, one, c), at_d = violation_at(at, point, one, d);
    for (int k = 0; k < CHECK_SECTIONS; k++)
        if (at_c > at_d) {
            b = d;
            d = c;
            at_d = at_c;
            c = b - ratio * (b - a);
            at_c = violation_at(at, point, one, c);
        } else {
            a = c;
            c = d;
            at_c = at_d;
            d = a + ratio * (b - a);
            at_d = violation_at(at, point, one, d);
        }
    if (fmax(at_c, at_d) > most)
        *where = at_c > at_d ? c : d;
    return fmax(most, fmax(at_c, at_d));
}

/* The worst of each of the n inequalities of an element on a grid of points; of the user's where it begins, too, as
 * controls may have jumped there. */
static void look_on_grid(struct looker *look, const struct phase_point *point, int n)
{
    for (int i = 0; i < n; i++)
        look->most[i] = -INFINITY;
    for (int k = 0; k < CHECK_POINTS; k++) {
        const double c = (double)k / CHECK_POINTS;
        between_evaluate(&look->at, point, c);
        for (int i = 0; i < n; i++) {
            const double violation = between_violation(&look->at, &look->one[i]);
            if (!(violation <= look->most[i]) && (k > 0 || look->one[i].kind == CHECK_CONSTRAINT)) {
                look->most[i] = violation;
                look->where[i] = c;
            }
        }
    }
}

/* One that is broken at part c of element e, where it has been evaluated. */
static struct phase_check check_of(const struct between *at, const struct inequality *one, int e, double c)
{
    const struct phase_system *sys = at->ph->sys;
    const int subject = one->subject;
    const bool is_cone = one->kind == CHECK_STATE && subject >= 0 && subject < sys->n_contact
                         && one->index == sys->out.cone + 2 * subject && sys->contact[subject].n_t > 1;
    if (!is_cone || c >= 1)
        return (struct phase_check){ e, c, -1, 0 };
    double square = at->state_out[one->index];
    for (int k = 0; k < sys->contact[subject].n_t; k++)
        square += pow(at->slot[sys->contact[subject].lambda_t + k], 2);
    return (struct phase_check){ e, c, subject, FIRM_CONE * fmax(square, 0) };
}

/* Adds the worst place of each inequality that is violated inside element e. */
static void look_inside(struct looker *look, int e)
{
    const struct phases *ph = look->at.ph;
    const struct phase_point point = phases_stage_point(ph, e, 0);
    const int n = inequalities_list(ph, &point, look->one);
    look_on_grid(look, &point, n);
    for (int i = 0; i < n; i++) {
        const struct inequality *one = &look->one[i];
        double *most = &look->most[i], *where = &look->where[i];
        if (!(*most <= -CHECK_NEAR))
            *most = worst_near(&look->at, &point, one, *most, where);
        if (!(*most <= CHECK_TOL) && !(look->only_asked && is_replayed(ph->sys, one))) {
            between_evaluate(&look->at, &point, *where);
            const struct phase_check check = check_of(&look->at, one, e, *where);
            checks_add(look->to, &check);
        }
        note_broken(look, e, one, *where, *most);
    }
}

/* --- Gaps that only just do not touch, signs that are only just kept ----------------------------------------- */

/* Where the margin of subject i is lowest in element e, touching apart, and what ends the horizon closer than
 * clear: the vertex of a parabola through three points, of which the outer ones may lie beside the element. */
static double find_lowest(struct between *at, int e, int i, double clear, double *where)
{
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    const bool ends_closed = between_touches(at->ph, e, i, true)
                             || (e == at->ph->n_element - 1 && between_margin(at, &point, i, 1) < clear);
    const int first = between_touches(at->ph, e, i, false) ? 1 : 0, last = ends_closed ? CHECK_POINTS - 1 : CHECK_POINTS;
    const double step = 1.0 / CHECK_POINTS;
    double before = between_margin(at, &point, i, (first - 1) * step),
           now = between_margin(at, &point, i, first * step);
    double lowest = INFINITY;
    for (int k = first; k <= last; k++) {
        const double after = between_margin(at, &point, i, (k + 1) * step);
        if (now <= before && now < after && now < lowest) {
            *where = fmin(fmax(k * step + 0.5 * step * (before - after) / (before - 2 * now + after), 0), 1);
            lowest = between_margin(at, &point, i, *where);
        }
        before = now;
        now = after;
    }
    return lowest;
}

/* Adds a check where an open contact, or a switch, comes nearer than its clearance, though it is well
 * apart at an end of the element. */
static void look_for_grazing(struct looker *look, int e)
{
    struct between *at = &look->at;
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    const int n = at->ph->sys->n_contact + (look->only_asked ? 0 : at->ph->sys->n_switch);
    for (int i = 0; i < n; i++) {
        const double clear = CLEARANCE * fmin(1, at->largest[i]);
        double c = 0;
        if (!between_has_margin(at->ph, &point, i) || find_lowest(at, e, i, clear, &c) > 0.5 * clear
            || fmax(between_margin(at, &point, i, 0), between_margin(at, &point, i, 1)) < WELL_OPEN * clear)
            continue;
        checks_add(look->to, &(struct phase_check){ e, c, i, clear });
    }
}

/* --- Contacts that close ------------------------------------------------------------------------------------- */

/* Adds a check where a contact comes up from below as it closes: between stages it
 * dived, by less than one can see. */
static void look_for_dives(struct looker *look, int e)
{
    struct between *at = &look->at;
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    for (int i = 0; i < at->ph->sys->n_contact; i++) {
        if (point.contact[i] != PHASE_OPEN || !between_touches(at->ph, e, i, true))
            continue;
        between_evaluate(at, &point, 1);
        const double v_n = at->state_out[at->ph->sys->out.v_n + i];
        if (v_n > CHECK_TOL)
            checks_add(look->to, &(struct phase_check){ e, 1, i, 0 });
        const struct inequality closes = { .kind = CHECK_STATE, .subject = i, .what = "approach where it closes" };
        note_broken(look, e, &closes, 1, v_n);
    }
}

/* --- All of them --------------------------------------------------------------------------------------------- */

/* Appends to what there is. */
static struct check_worst look_everywhere(const struct phases *ph, const double *w, struct checks *to,
                                          bool only_asked)
{
    struct looker look = looker_create(ph, w, to, only_asked);
    for (int e = 0; e < ph->n_element; e++) {
        look_inside(&look, e);
        look_for_grazing(&look, e);
        look_for_dives(&look, e);
    }
    between_free(&look.at);
    return look.worst;
}

int checks_find(const struct phases *ph, const double *w, int n, struct phase_check **check,
                struct check_worst *worst)
{
    struct checks to = { .n = n, .check = *check };
    *worst = look_everywhere(ph, w, &to, false);
    *check = to.check;
    return to.n;
}

/* --- Enforcing ------------------------------------------------------------------------------------------------- */

/* The best with checks; true if it has a solution, which replaces it. */
static bool solve_with(const struct finish_task *task, const struct checks *with, struct finish *best,
                       enum status *st, struct diag *diag)
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
enum status checks_enforce(const struct finish_task *task, struct finish *best, struct check_worst *worst,
                           struct diag *diag)
{
    struct checks to = { .n = 0 };
    enum status st = STATUS_OK;
    for (int k = 0; k < best->ph->grid.n_check; k++)        /* those that it was solved with stay */
        checks_append(&to, &best->ph->grid.check[k]);
    int done = to.n;
    bool only_asked = false;
    *worst = look_everywhere(best->ph, best->w, &to, only_asked);
    for (int round = 0; round < CHECK_ROUNDS && to.n > done && st == STATUS_OK && !finish_must_stop(task); round++) {
        if (round >= CHECK_FIRM && worst->all <= CHECK_ENOUGH)
            break;
        if (solve_with(task, &to, best, &st, diag))
            done = to.n;
        else if (only_asked)
            break;
        else
            only_asked = true;
        to.n = done;
        *worst = look_everywhere(best->ph, best->w, &to, only_asked);
    }
    free(to.check);
    return st;
}
