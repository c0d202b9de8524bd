#include "core/replay/replay_parts.h"

#include "core/base/mem.h"
#include "core/base/rounded.h"
#include "core/model/kinematics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOW_EVENT 50               /* windows */
#define ON_SURFACE 1e-6             /* of its largest value: a switching function that is zero */

/* --- Scales -------------------------------------------------------------------------------------------------- */

static double scale_of_state(const struct replay *r, int i)
{
    const struct model_var *x = &r->model->x[i];
    double scale = fmin(r->settings->floor, x->ub > x->lb ? x->ub - x->lb : INFINITY);
    for (int k = 0; k < r->solution->n_point; k++)
        scale = fmax(scale, fabs(r->solution->point[k].x[i]));
    return scale;
}

void replay_add_force(struct replay *r, const double *a, bool sizes, double *to)
{
    for (int c = 0; c < r->model->contacts.n_contact; c++) {
        const struct contact_at at = contact_functions_at(&r->contacts, c);
        const double *J = at.J_n;                               /* its columns follow each other */
        for (int i = 0; i < r->model->mechanics.n_q; i++)
            for (int q = 0; q < CONTACT_ROWS; q++) {
                const double term = J[i + q * r->model->mechanics.n_q] * a[CONTACT_ROWS * c + q];
                to[i] += sizes ? fabs(term) : term;
            }
    }
}

/* Adds what reactions do: by coordinates a force, then by states the rate; or the size of its terms. */
static void add_reactions(struct replay *r, const double *force, bool sizes, double *to)
{
    const int n = r->model->mechanics.n_q + r->model->n_x;
    for (int k = 0; k < r->model->switching.n_projection; k++)
        for (int i = 0; i < n; i++) {
            const double term = r->reactions.out[k * n + i]
                                * force[CONTACT_ROWS * r->model->contacts.n_contact + k];
            to[i] += sizes ? fabs(term) : term;
        }
}

void replay_eval_contacts(struct replay *r, double t, const double *x)
{
    inputs_set(&r->contacts.f.inputs, t, x, NULL);
    contact_functions_eval(&r->contacts);
    if (r->model->switching.n_projection)
        (void)function_eval(&r->reactions, t, x, NULL);
}

static void raise_force_scale(struct replay *r, const double *force)
{
    const int n = r->model->mechanics.n_q + r->model->n_x;
    memset(r->dq, 0, (size_t)n * sizeof *r->dq);
    replay_add_force(r, force, true, r->dq);
    add_reactions(r, force, true, r->dq);
    for (int i = 0; i < n; i++)
        r->force_scale[i] = fmax(r->force_scale[i], r->dq[i]);
}

void replay_set_scales(struct replay *r)
{
    for (int i = 0; i < r->model->n_x; i++)
        r->scale[i] = scale_of_state(r, i);
    for (int i = 0; i < r->model->mechanics.n_q + r->model->n_x; i++)
        r->force_scale[i] = r->settings->floor;
    for (int k = 0; k < r->solution->n_point && model_n_force(r->model) > 0; k++) {
        replay_eval_contacts(r, r->solution->point[k].t, r->solution->point[k].x);
        raise_force_scale(r, r->solution->point[k].force);
    }
}

/* --- States -------------------------------------------------------------------------------------------------- */

struct difference replay_difference(const struct replay *r, const double *a, const double *b)
{
    struct difference largest = { 0, 0 };
    for (int i = 0; i < r->model->n_x; i++) {
        const double error = fabs(a[i] - b[i]) / r->scale[i];
        if (!(error <= largest.size))
            largest = (struct difference){ isnan(error) ? INFINITY : error, i };
    }
    return largest;
}

static struct difference nearer(struct difference a, struct difference b)
{
    return b.size < a.size ? b : a;
}

struct difference replay_error_at(struct replay *r, const struct sim *sim, double t, const double *x)
{
    const double window = replay_window(r->solution);
    sim_eval(sim, t, -1, r->x);
    sim_eval(sim, t, 1, r->y);
    struct difference error = nearer(replay_difference(r, r->x, x), replay_difference(r, r->y, x));
    for (int k = 0; k < sim_n_events(sim); k++) {
        const struct sim_event *event = sim_event_at(sim, k);
        if (fabs(event->t - t) > window)
            continue;
        error = nearer(error, replay_difference(r, event->x_minus, x));
        error = nearer(error, replay_difference(r, event->x_plus, x));
    }
    return error;
}

/* --- Forces -------------------------------------------------------------------------------------------------- */

/* Slip in space that is next to rest where the simulation slips has no direction of its own there: what velocities
 * may be off by, which are judged as states, turns it. Nor has its friction, nor have the forces that answer it: of
 * another foot that sticks. */
static bool has_no_direction(struct replay *r, const struct sim *sim, int piece, double t)
{
    bool any = false;
    sim_eval_contacts(sim, piece, t, r->contact);
    for (int c = 0; c < r->model->contacts.n_contact && !any; c++) {
        const struct contact_at at = contact_functions_at(&r->contacts, c);
        const enum sim_mode mode = sim_piece_at(sim, piece).mode[c];
        double off[SLIP_MAX] = { 0 };
        for (int i = 0; i < r->model->contacts.contact[c].n_t; i++)
            off[i] = at.v_t[i] - r->contact[c].v_t[i];
        any = r->model->contacts.contact[c].n_t > 1 && (mode == SIM_FORWARD || mode == SIM_BACKWARD)
              && slip_size(at.v_t) <= fmax(REPLAY_STILL, slip_size(off) / (FORCE_SLACK * r->settings->tol_others));
    }
    return any;
}

/* Error of the point's forces against those of one piece of the simulation at t, by what they do together: to
 * coordinates, and where n is more than these, by reactions to states. Contacts are evaluated at the point. */
static struct difference force_error_in(struct replay *r, const struct sim *sim, int piece, double t, int n,
                                        const struct replay_point *point)
{
    struct difference largest = { 0, 0 };
    const int n_q = r->model->mechanics.n_q;
    if (has_no_direction(r, sim, piece, t))
        return largest;
    sim_eval_forces(sim, piece, t, r->change);
    for (int k = 0; k < model_n_force(r->model); k++)
        r->change[k] = point->force[k] - r->change[k];
    memset(r->dq, 0, (size_t)n * sizeof *r->dq);
    replay_add_force(r, r->change, false, r->dq);
    if (n > n_q)
        add_reactions(r, r->change, false, r->dq);
    for (int i = 0; i < n; i++) {
        const double error = fabs(r->dq[i]) / r->force_scale[i];
        if (!(error <= largest.size))
            largest = (struct difference){ isnan(error) ? INFINITY : error, i };
    }
    return largest;
}

/* Elements of next to no length have no reactions: those are rates, and nothing but rounding there. */
static bool is_in_empty_element(const struct replay *r, int k)
{
    const struct replay_solution *solution = r->solution;
    const double none = 1e-9 * replay_last(solution)->t;
    const int element = solution->point[k].element;
    int first = k, last = k;
    while (first > 0 && solution->point[first - 1].element >= element) first--;
    while (last + 1 < solution->n_point && solution->point[last + 1].element <= element) last++;
    return first > 0 && solution->point[last].t - solution->point[first - 1].t < none;
}

static struct difference force_error_at(struct replay *r, const struct sim *sim, double t, int n,
                                        const struct replay_point *point)
{
    const int left = sim_find_piece(sim, t, -1), right = sim_find_piece(sim, t, 1);
    const struct difference error = force_error_in(r, sim, left, t, n, point);
    return right == left ? error : nearer(error, force_error_in(r, sim, right, t, n, point));
}

/* Boundaries of elements that are no stages show the force of the stage beside them: the times of the points before
 * and after count too, and those of events nearby. */
static struct difference force_error(struct replay *r, const struct sim *sim, int k)
{
    const struct replay_solution *solution = r->solution;
    const double window = replay_window(solution), enough = r->settings->tol_others;
    const struct replay_point *point = &solution->point[k];
    const int n = r->model->mechanics.n_q
                  + (r->model->switching.n_projection == 0 || is_in_empty_element(r, k) ? 0 : r->model->n_x);
    replay_eval_contacts(r, point->t, point->x);
    struct difference error = force_error_at(r, sim, point->t, n, point);
    for (int j = k - 1; j <= k + 1 && error.size > enough; j++)
        if (j >= 0 && j < solution->n_point)
            error = nearer(error, force_error_at(r, sim, solution->point[j].t, n, point));
    for (int j = 0; j < sim_n_events(sim) && error.size > enough; j++)
        if (fabs(sim_event_at(sim, j)->t - point->t) <= window)
            error = nearer(error, force_error_at(r, sim, sim_event_at(sim, j)->t, n, point));
    return error;
}

/* --- Events -------------------------------------------------------------------------------------------------- */

static bool has_event(const struct sim *sim, const char *kind, const struct replay_event *event, double window)
{
    for (int k = 0; k < sim_n_events(sim); k++) {
        const struct sim_event *other = sim_event_at(sim, k);
        if (fabs(other->t - event->t) <= window && strcmp(sim_kind_text(other->kind), kind) == 0
            && strcmp(sim_subject_name(sim, other->subject), event->name) == 0)
            return true;
    }
    return false;
}

static bool has_impact(const struct sim *sim, double t, double window)
{
    for (int k = 0; k < sim_n_events(sim); k++)
        if (sim_event_at(sim, k)->kind == SIM_IMPACT && fabs(sim_event_at(sim, k)->t - t) <= window)
            return true;
    return false;
}

/* What contacts do at t, or where the simulation begins or ends: r->contact. The mode of contact c there. */
static int contact_mode_at(struct replay *r, const struct sim *sim, int c, double t)
{
    const int piece = sim_find_piece(sim, fmin(fmax(t, sim_t_start(sim)), sim_t_end(sim)), 1);
    sim_eval_contacts(sim, piece, t, r->contact);
    return sim_piece_at(sim, piece).mode[c];
}

/* Is contact c closed and still at t? */
static bool is_still(struct replay *r, const struct sim *sim, int c, double t)
{
    return contact_mode_at(r, sim, c, t) != SIM_OPEN && slip_size(r->contact[c].v_t) <= REPLAY_STILL;
}

/* Does contact c touch at t, and bear nothing? What slides under no load does, and
 * open or closed is a word then. */
static bool touches_freely(struct replay *r, const struct sim *sim, int c, double t)
{
    const bool bears = contact_mode_at(r, sim, c, t) != SIM_OPEN && r->contact[c].lambda_n > REPLAY_NO_LOAD;
    return !bears && fabs(r->contact[c].gap) <= REPLAY_TOUCHES;
}

/* A change of friction, or a lift-off, that changes no motion is a word alone: one that an impact at
 * this time brings about, one of a contact that is still before and after it, its force on the cone,
 * where sticking and slipping are the same, and one of a contact that bears nothing afterwards. Which;
 * NULL: it is more than that. */
static const char *word_of(struct replay *r, const struct sim *sim, const struct replay_event *event, double window)
{
    const bool lifts = replay_is(event, SIM_LIFTOFF);
    if (!lifts && !replay_is(event, SIM_STICK) && !replay_is(event, SIM_SLIP) && !replay_is(event, SIM_REVERSAL))
        return NULL;
    for (int c = 0; c < r->model->contacts.n_contact && sim_n_pieces(sim) > 0; c++) {
        if (strcmp(r->model->contacts.contact[c].name, event->name) != 0)
            continue;
        if (!lifts && is_still(r, sim, c, event->t - window) && is_still(r, sim, c, event->t + window))
            return "the contact is still before and after it";
        if (touches_freely(r, sim, c, event->t + window))
            return "the contact bears nothing after it";
    }
    return !lifts && has_impact(sim, event->t, window) ? "part of the impact at this time" : NULL;
}

/* Of which switch is the event? -1: of none. */
static int switch_of(const struct replay *r, const struct sim *sim, const struct replay_event *event)
{
    for (int l = 0; l < sim_n_switch(sim); l++)
        if (strcmp(sim_subject_name(sim, r->model->contacts.n_contact + l), event->name) == 0)
            return l;
    return -1;
}

/* A switching function that comes to its surface with no speed of its own and is left there, or starts from there:
 * whether it slides on it or stands beside it, by rounding, is a word alone. What that does to states is compared
 * with them. */
static bool rests_on_surface(const struct replay *r, const struct sim *sim, const struct replay_event *event,
                             double window)
{
    const bool comes = replay_is(event, SIM_SLIDING);
    const int l = comes || replay_is(event, SIM_LEAVING) ? switch_of(r, sim, event) : -1;
    if (l < 0 || sim_n_pieces(sim) == 0)
        return false;
    double *c = mem_alloc((size_t)sim_n_switch(sim), sizeof *c), largest = 0;
    for (int k = 0; k < sim_n_pieces(sim); k++) {
        sim_eval_switches(sim, k, sim_piece_at(sim, k).t_end, c);
        largest = fmax(largest, fabs(c[l]));
    }
    const double t = fmin(fmax(event->t + (comes ? window : -window), sim_t_start(sim)), sim_t_end(sim));
    sim_eval_switches(sim, sim_find_piece(sim, t, 1), t, c);
    const bool rests = fabs(c[l]) <= ON_SURFACE * largest;
    free(c);
    return rests;
}

/* Rest, or sliding on a surface, that has ended again within the window has no length, nor has its end: a motion
 * that passes by next to it is the same. */
static bool has_no_length(const struct replay *r, const struct replay_event *event, double window)
{
    const bool begins = replay_is(event, SIM_STICK) || replay_is(event, SIM_SLIDING);
    const bool rests = replay_is(event, SIM_STICK) || replay_is(event, SIM_SLIP);
    if (!begins && !replay_is(event, SIM_SLIP) && !replay_is(event, SIM_LEAVING))
        return false;
    const enum sim_kind kind = begins ? (rests ? SIM_SLIP : SIM_LEAVING) : (rests ? SIM_STICK : SIM_SLIDING);
    for (int k = 0; k < r->solution->n_event; k++) {
        const struct replay_event *other = &r->solution->event[k];
        const double length = begins ? other->t - event->t : event->t - other->t;
        if (length >= 0 && length <= window && replay_is(other, kind) && strcmp(other->name, event->name) == 0)
            return true;
    }
    return false;
}

static const char happens[] = "it happens";

/* How the simulation meets the event: it happens, or why it need not, as where a short rest takes the place of what
 * passes through at once; NULL: not at all. Where a switch or a slip comes to zero slowly its time is badly
 * conditioned. */
static const char *met_as(struct replay *r, const struct sim *sim, const struct replay_event *event, double window)
{
    if (has_event(sim, event->kind, event, replay_is(event, SIM_IMPACT) ? window : SLOW_EVENT * window))
        return happens;
    const char *word = word_of(r, sim, event, window);
    if (word)
        return word;
    if (rests_on_surface(r, sim, event, window))
        return "at rest on its surface, sliding or beside it";
    if (has_no_length(r, event, window))
        return "what it begins or ends has no length";
    const bool slides = replay_is(event, SIM_CROSSING) && has_event(sim, sim_kind_text(SIM_SLIDING), event, window)
                        && has_event(sim, sim_kind_text(SIM_LEAVING), event, window);
    const bool rests = replay_is(event, SIM_REVERSAL) && (has_event(sim, sim_kind_text(SIM_STICK), event, window)
                                                      || has_event(sim, sim_kind_text(SIM_SLIP), event, window));
    return slides ? "the replay slides there for a moment" : rests ? "the replay rests there for a moment" : NULL;
}

/* A change of mode at the very end changes nothing, and whether a simulation comes to
 * it is a matter of rounding. */
static bool is_at_the_end(const struct replay_solution *solution, const struct replay_event *event)
{
    const double end = replay_last(solution)->t;
    return event->t >= end - 1e-9 * fmax(1, end) && !replay_is(event, SIM_IMPACT);
}

/* A simulation of a part may begin or end with the event, and then not show it. */
static void meet_events(struct replay *r, const struct sim *sim, struct comparison *to)
{
    const struct replay_solution *solution = r->solution;
    const double window = replay_window(solution), t_start = sim_t_start(sim), t_end = sim_t_end(sim);
    const bool is_part = t_start > solution->point[0].t || t_end < replay_last(solution)->t;
    for (int k = 0; k < solution->n_event; k++) {
        const struct replay_event *event = &solution->event[k];
        const double t = event->t;
        if (t < t_start - window || t > t_end + window || to->met[k] == happens)
            continue;
        const char *as = met_as(r, sim, event, window);
        if (as != happens && is_at_the_end(solution, event))
            as = "at the very end, where it moves nothing";
        else if (!as && is_part && (fabs(t - t_start) <= window || fabs(t - t_end) <= window))
            as = "where a part that is replayed begins or ends";
        if (as && (!to->met[k] || as == happens))
            to->met[k] = as;
    }
}

/* --- One simulation ------------------------------------------------------------------------------------------ */

void replay_comparison_init(struct replay *r, struct comparison *to)
{
    *to = (struct comparison){ .met = arena_alloc(&r->mem, (size_t)r->solution->n_event, sizeof *to->met) };
}

static void compare_state(struct replay *r, const struct sim *sim, double t, const double *x, struct comparison *to)
{
    const struct difference error = replay_error_at(r, sim, t, x);
    if (error.size > to->state) {
        to->state = error.size;
        to->i_state = error.state;
        to->t_state = t;
    }
}

void replay_compare(struct replay *r, const struct sim *sim, int first, int last, struct comparison *to)
{
    const struct replay_solution *solution = r->solution;
    for (int k = first; k <= last && solution->point[k].t <= sim_t_end(sim); k++) {
        const struct replay_point *point = &solution->point[k];
        const bool is_over = k == 0 && point->side < 0;         /* before a jump right at the start, which no piece shows */
        compare_state(r, sim, point->t, point->x, to);
        if (model_n_force(r->model) == 0 || sim_n_pieces(sim) == 0 || is_over)
            continue;
        const struct difference force = force_error(r, sim, k);
        if (force.size > to->force) {
            to->force = force.size;
            to->i_force = force.state;
            to->t_force = point->t;
        }
    }
    for (int k = 0; k < solution->n_event; k++) {
        const struct replay_event *event = &solution->event[k];
        const bool is_inside = event->t >= solution->point[first].t && event->t <= solution->point[last].t;
        if (!is_inside || !event->x_minus || !event->x_plus)
            continue;
        compare_state(r, sim, event->t, event->x_minus, to);
        compare_state(r, sim, event->t, event->x_plus, to);
    }
    meet_events(r, sim, to);
    if (r->model->costs.n_running)
        to->cost += replay_integrate(&r->running, r->model->costs.n_running, sim, solution->point[last].t,
                                     &to->cost_size);
}

/* --- Findings ------------------------------------------------------------------------------------------------ */

static void judge_states(struct replay *r, const struct comparison *found)
{
    struct findings *to = &r->report->findings;
    const double tol = r->settings->tol_others;
    const char *where = arena_printf(&to->mem, "%s at t = %.6g %s", r->model->x[found->i_state].name,
                                     found->t_state, r->model->time.unit);
    findings_add(to, &(struct finding){
                         "worst in between", found->state, tol, where,
                         arena_printf(&to->mem, "%s is off by %.2g at t = %.6g, the tolerance is %g",
                                      r->model->x[found->i_state].name, found->state, found->t_state, tol) });
}

static void judge_forces(struct replay *r, const struct comparison *found)
{
    struct findings *to = &r->report->findings;
    const double tol = FORCE_SLACK * r->settings->tol_others;
    const int n_q = r->model->mechanics.n_q;
    if (model_n_force(r->model) == 0)
        return;
    const char *name = found->i_force < n_q ? kinematics_name(r->model, found->i_force)
                                            : r->model->x[found->i_force - n_q].name;
    findings_add(to, &(struct finding){
        "contact forces", found->force, tol, arena_printf(&to->mem, "along %s at t = %.6g %s", name, found->t_force,
                                                        r->model->time.unit),
        arena_printf(&to->mem, "contact forces along %s are off by %.2g at t = %.6g, the tolerance is %g", name,
                     found->force, found->t_force, tol) });
}

static void judge_events(struct replay *r, const struct comparison *found)
{
    struct findings *to = &r->report->findings;
    const struct replay_event *missed = NULL;
    int n = 0;
    for (int k = r->solution->n_event - 1; k >= 0; k--) {
        r->report->event_unjudged[k] = found->met[k] == happens ? NULL : found->met[k];
        if (!found->met[k]) {
            missed = &r->solution->event[k];
            n++;
        }
    }
    const char *name = missed ? rounded_text(&to->mem, missed->name) : NULL, *unit = r->model->time.unit;
    findings_add(
        to,
        &(struct finding){
            "events not met", n, 0,
            missed ? arena_printf(&to->mem, "%s of %s at t = %.6g %s", missed->kind, name, missed->t, unit) : NULL,
            missed ? arena_printf(&to->mem, "%s of %s at t = %.6g does not happen within %.2g %s of it",
                                  missed->kind, name, missed->t, replay_window(r->solution), unit)
                   : NULL });
}

void replay_judge_comparison(struct replay *r, const struct comparison *found)
{
    judge_states(r, found);
    judge_forces(r, found);
    judge_events(r, found);
    if (found == &r->whole)
        replay_judge_unknown_impacts(r);
    replay_judge_objective(r, found);
}
