#include "transcription/proposals/gait.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "transcription/sequence/recipe.h"
#include "transcription/start/guess.h"
#include "transcription/start/initial_state.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRM 0.1                    /* how easily what is wished to move gives way to feet, beside what is not: with 0.01 and 0.3
                                     * as well, but for a few gaits */
#define STEP 0.3                    /* of any position: a longer step is beyond what a linearization says */
#define STRAIGHT 1e-3               /* of the largest singular value: a straight leg reaches no farther */
#define ROUND 1e-6                  /* of an interval */

enum { POINTS = 10 };               /* of a control interval at which the motion is drawn */

struct drawing {
    const struct phase_system *sys;
    const struct model *model;
    struct arena mem;
    struct pointfun *feet;          /* of the slots: for each foot gap, J_n, J_t */
    int n_foot, *foot;              /* contacts: of a shape with corners, or on a ground of several pieces, all of them */
    bool flies;                     /* it begins with a flight */
    bool *stands;                   /* [n_stance * n_foot] on which of these each stance is */
    double *slot, *out, *work;
    double *grid;                   /* [n_interval + 1] s */
    double *ease;                   /* [n_q] how easily a position gives way to feet */
    int n;                          /* points after the first one, */
    double *t, *wish, *y;           /* their times, and [(n + 1) * n_y] */
    double *A, *b;
    int *pivot;
};

static double *point(const struct drawing *at, double *of, int k)
{
    return of + (ptrdiff_t)k * at->sys->n_y;
}

/* --- What is wished -------------------------------------------------------------------------------------------- */

/* Where terminal costs are least: one step of Newton's method for each state alone, exact for squares. */
static void goal_of_costs(const struct phase_system *sys, double *y)
{
    const struct model *model = sys->model;
    const int n = model->n_x;
    const expr cost = model_terminal_cost(model, sys->g);
    expr *slope = mem_alloc((size_t)n, sizeof *slope);
    double *step = mem_alloc((size_t)n, sizeof *step), *p = mem_alloc((size_t)model->n_p, sizeof *p);
    expr T = expr_const(sys->g, model->time.horizon), rate;
    model_p_guess(model, p);
    expr_gradient(sys->g, cost, n, model->x_sym, slope);
    for (int i = 0; i < n; i++) {
        expr_gradient(sys->g, slope[i], 1, &model->x_sym[i], &rate);
        expr both[2] = { slope[i], rate };
        expr_substitute(sys->g, 2, both, 1, &model->T_sym, &T, both);
        const double bend = phase_system_value(sys, both[1], y, p);
        step[i] = bend > 0 ? -phase_system_value(sys, both[0], y, p) / bend : 0;
    }
    for (int i = 0; i < n; i++)
        if (isfinite(step[i]))
            y[i] += step[i];
    free(slope);
    free(step);
    free(p);
}

/* A running cost's reference of state i, or EXPR_NONE. */
static expr reference_of(const struct model *model, int i)
{
    for (int k = 0; k < model->costs.n_reference; k++)
        if (strcmp(model->costs.reference[k].name, model->x[i].name) == 0)
            return model->costs.reference[k].e;
    return EXPR_NONE;
}

static double reference_at(const struct drawing *at, expr e, double t)
{
    const expr sym[2] = { at->model->t_sym, at->model->T_sym };
    const double value[2] = { t, at->model->time.horizon };
    return expr_eval(at->sys->g, e, at->model->time.horizon_free ? 2 : 1, sym, value);
}

static bool is_of_time(const struct drawing *at, expr e)
{
    return e != EXPR_NONE && !expr_depends(at->sys->g, e, at->model->n_x, at->model->x_sym)
           && !expr_depends(at->sys->g, e, at->model->n_u, at->model->u_sym)
           && !expr_depends(at->sys->g, e, at->model->n_p, at->model->p_sym);
}

static double within(const struct model_var *x, double value)
{
    return fmin(fmax(value, x->lb), x->ub);
}

/* y [n_y]: the guess at the start, with its feet where they are asked to be; p [n_p]. */
static void start_of(const struct model *model, const double *p, double *y)
{
    for (int i = 0; i < model->n_x; i++)
        y[i] = guess_of_variable(&model->x[i]);
    (void)initial_state_meet(model, p, y);
}

/* y [n_y], where costs want the end: its fixed values, and moved onto what is asked there. */
static void end_of(const struct model *model, const double *p, double *y)
{
    for (int i = 0; i < model->n_x; i++)
        y[i] = model->x[i].final.kind == END_FIXED ? model->x[i].final.lo : within(&model->x[i], y[i]);
    (void)final_state_meet(model, p, y);
}

/* Straight lines from the start to given final values, or to where terminal costs are least;
 * references where there are any. */
static void wish(struct drawing *at)
{
    const struct model *model = at->model;
    const int n_y = at->sys->n_y;
    double *from = arena_alloc(&at->mem, (size_t)n_y, sizeof *from);
    double *to = arena_alloc(&at->mem, (size_t)n_y, sizeof *to);
    start_of(model, at->slot + at->sys->p, from);
    memcpy(to, from, (size_t)model->n_x * sizeof *to);
    goal_of_costs(at->sys, to);
    end_of(model, at->slot + at->sys->p, to);
    for (int i = 0; i < model->n_x; i++) {
        const struct model_var *x = &model->x[i];
        const expr e = reference_of(model, i);
        const bool refers = is_of_time(at, e);
        for (int k = 0; k <= at->n; k++) {
            const double part = at->t[k] / at->t[at->n];
            point(at, at->wish, k)[i] = refers ? within(x, reference_at(at, e, at->t[k]))
                                               : (1 - part) * from[i] + part * to[i];
        }
        for (int j = 0; j < model->mechanics.n_q; j++)
            if (model->mechanics.q_index[j] == i)
                at->ease[j] = refers || to[i] != from[i] ? FIRM : 1;
    }
    for (int i = 0; i < model->n_x; i++)
        point(at, at->wish, 0)[i] = from[i];
    for (int k = 0; k <= at->n && at->sys->dcs->clock >= 0; k++)
        point(at, at->wish, k)[at->sys->dcs->clock] = at->t[k];
}

/* --- Feet ------------------------------------------------------------------------------------------------------ */

static int rows_of(const struct drawing *at, int f)
{
    return at->sys->contact[at->foot[f]].n_t;
}

static void create_feet(struct drawing *at)
{
    const int n_q = at->model->mechanics.n_q;
    int n = 0;
    expr *e = arena_alloc(&at->mem, (size_t)(at->n_foot * (1 + n_q * (1 + SLIP_MAX))), sizeof *e);
    for (int f = 0; f < at->n_foot; f++) {
        const struct model_contact *contact = at->sys->contact[at->foot[f]].model;
        e[n++] = contact->gap;
        for (int i = 0; i < n_q; i++)
            e[n++] = contact->J_n[i];
        for (int i = 0; i < n_q * rows_of(at, f); i++)
            e[n++] = contact->J_t[i];
    }
    at->feet = phase_system_function(at->sys, n, e);
    const int most = n_q + at->n_foot * (1 + SLIP_MAX);
    at->slot = arena_alloc(&at->mem, (size_t)at->sys->n_slot, sizeof(double));
    at->out = arena_alloc(&at->mem, (size_t)n, sizeof(double));
    at->work = arena_alloc(&at->mem, tape_work_size(at->feet->value), sizeof(double));
    at->A = arena_alloc(&at->mem, (size_t)(most * n_q), sizeof(double));
    at->b = arena_alloc(&at->mem, (size_t)most, sizeof(double));
    at->pivot = arena_alloc(&at->mem, (size_t)n_q, sizeof(int));
}

/* Gaps at y with their derivatives. */
static void eval_feet(struct drawing *at, const double *y)
{
    memcpy(at->slot + at->sys->y, y, (size_t)at->sys->n_y * sizeof(double));
    tape_eval(at->feet->value, 1, at->slot, 1, at->out, 1, at->work);
}

/* What feet are to do: have this gap, or at least this; and not to slip on the way from `before`, NULL: they may.
 * on [n_foot]: those it is asked of; NULL: all. */
struct stand { double gap; bool at_least; const double *before; const bool *on; };

/* Rows of the correction d, in units of what gives way: A = J sqrt(ease), b. How many. */
static int fill_rows(struct drawing *at, const struct stand *want, const double *y, int ld)
{
    const struct model *model = at->model;
    const double *out = at->out;
    int n = 0;
    for (int f = 0; f < at->n_foot; f++) {
        const int n_t = rows_of(at, f);
        const double gap = *out++;
        const bool free_row = want->at_least && gap >= want->gap, asked = !want->on || want->on[f];
        for (int r = 0; r < 1 + n_t; r++, out += model->mechanics.n_q) {
            if (!asked || (r ? !want->before : free_row))
                continue;
            at->b[n] = r ? 0 : want->gap - gap;
            for (int i = 0; i < model->mechanics.n_q; i++) {
                const int q = model->mechanics.q_index[i];
                at->A[n + i * ld] = out[i] * sqrt(at->ease[i]);
                at->b[n] -= r ? out[i] * (y[q] - want->before[q]) : 0;
            }
            n++;
        }
    }
    return n;
}

/* The shortest change of positions that has the feet do so; steps that are too far for a linearization are cut. */
static void place_feet(struct drawing *at, const struct stand *want, double *y)
{
    enum { STEPS = 8 };
    const struct model *model = at->model;
    const int n_q = model->mechanics.n_q, ld = n_q + at->n_foot * (1 + SLIP_MAX);
    for (int step = 0; step < STEPS; step++) {
        eval_feet(at, y);
        const int n = fill_rows(at, want, y, ld);
        int rank = 0;
        double most = 0;
        memset(at->pivot, 0, (size_t)n_q * sizeof *at->pivot);
        if (n == 0)
            return;
        if (LAPACKE_dgelsy(LAPACK_COL_MAJOR, n, n_q, 1, at->A, ld, at->b, ld, at->pivot, STRAIGHT, &rank) != 0)
            return;
        for (int i = 0; i < n_q; i++)
            most = fmax(most, fabs(at->b[i] *= sqrt(at->ease[i])));
        const double part = most > STEP ? STEP / most : 1;
        for (int i = 0; i < n_q; i++) {
            double *q = &y[model->mechanics.q_index[i]];
            *q = within(&model->x[model->mechanics.q_index[i]], *q + part * at->b[i]);
        }
    }
}

/* --- The motion ------------------------------------------------------------------------------------------------ */

/* From point k - dir on to point k, feet where they are. */
static void stand_on(struct drawing *at, const bool *on, int k, int dir)
{
    const double *before = point(at, at->y, k - dir);
    const double *then = point(at, at->wish, k - dir), *now = point(at, at->wish, k);
    double *y = point(at, at->y, k);
    for (int i = 0; i < at->model->mechanics.n_q; i++) {
        const int q = at->model->mechanics.q_index[i];
        y[q] = before[q] + now[q] - then[q];
    }
    place_feet(at, &(struct stand){ 0, false, before, on }, y);
}

/* Points first to last: a stance on these feet, from its middle to both sides. */
static void draw_stance(struct drawing *at, const bool *on, int first, int last)
{
    const int middle = first == 0 ? 0 : last == at->n ? at->n : (first + last) / 2;
    if (middle > 0)
        place_feet(at, &(struct stand){ 0, false, NULL, on }, point(at, at->y, middle));
    for (int k = middle + 1; k <= last; k++)
        stand_on(at, on, k, 1);
    for (int k = middle - 1; k >= first; k--)
        stand_on(at, on, k, -1);
}

/* Between the last point of a stance and the first one of the next, or the end. */
static void draw_flight(struct drawing *at, int before, int after)
{
    const bool lands = after <= at->n;
    const double end = lands ? at->t[after] : at->t[at->n];
    for (int k = before + 1; k < after && k <= at->n; k++) {
        const double part = lands ? (at->t[k] - at->t[before]) / (end - at->t[before]) : 0;
        double *y = point(at, at->y, k);
        for (int i = 0; i < at->model->mechanics.n_q; i++) {
            const int q = at->model->mechanics.q_index[i];
            const double left = point(at, at->y, before)[q] - point(at, at->wish, before)[q];
            const double right = lands ? point(at, at->y, after)[q] - point(at, at->wish, after)[q] : left;
            y[q] = point(at, at->wish, k)[q] + (1 - part) * left + part * right;
        }
        const double gap = GAIT_RISE * (at->t[k] - at->t[before]) * (end - at->t[k]);
        place_feet(at, &(struct stand){ gap, true, NULL, NULL }, y);
    }
}

static void set_velocities(struct drawing *at)
{
    const struct model *model = at->model;
    for (int k = 1; k <= at->n; k++) {
        const int next = k < at->n ? k + 1 : k;
        for (int i = 0; i < model->mechanics.n_q; i++) {
            const int q = model->mechanics.q_index[i];
            point(at, at->y, k)[model->mechanics.v_index[i]] = (point(at, at->y, next)[q]
                                                                - point(at, at->y, k - 1)[q])
                                                     / (at->t[next] - at->t[k - 1]);
        }
    }
}

static void draw(struct drawing *at, const struct sequence *seq, const double *t_event)
{
    const size_t size = (size_t)(at->n + 1) * (size_t)at->sys->n_y;
    int *first = arena_alloc(&at->mem, (size_t)seq->n_event + 2, sizeof *first);        /* points of modes */
    memcpy(at->y, at->wish, size * sizeof(double));
    for (int j = 1; j <= seq->n_event; j++)
        for (first[j] = first[j - 1]; at->t[first[j]] < t_event[j - 1]; first[j]++) {}
    first[seq->n_event + 1] = at->n + 1;
    for (int j = at->flies; j <= seq->n_event; j += 2)
        draw_stance(at, at->stands + j / 2 * at->n_foot, first[j], first[j + 1] - 1);
    for (int j = !at->flies; j <= seq->n_event; j += 2)
        draw_flight(at, j > 0 ? first[j] - 1 : 0, first[j + 1]);
    set_velocities(at);
}

/* --- The sequence ---------------------------------------------------------------------------------------------- */

/* Time of a place among the control intervals, 0 to n_interval. */
static double time_of(const struct drawing *at, double place)
{
    const int i = (int)fmin(floor(place), at->model->time.n_intervals - 1);
    return at->grid[i] + (place - i) * (at->grid[i + 1] - at->grid[i]);
}

static int closed_state(const struct drawing *at, int f)
{
    return rows_of(at, f) > 0 ? PHASE_STICK : PHASE_CLOSED;
}

static bool is_same_foot(const struct drawing *at, int f, int g)
{
    return strcmp(at->sys->contact[at->foot[f]].model->family, at->sys->contact[at->foot[g]].model->family) == 0;
}

/* gap [n_foot] where point k is wished. */
static void wished_gaps(struct drawing *at, int k, double *gap)
{
    eval_feet(at, point(at, at->wish, k));
    const double *out = at->out;
    for (int f = 0; f < at->n_foot; f++) {
        gap[f] = *out;
        out += 1 + at->model->mechanics.n_q * (1 + rows_of(at, f));
    }
}

/* With which corners, on which pieces of the ground, each foot stands where point k is wished: those that are
 * nearest, or deepest in it. */
static void choose_pieces(struct drawing *at, int k, bool *stands)
{
    double *gap = arena_alloc(&at->mem, (size_t)at->n_foot, sizeof *gap);
    wished_gaps(at, k, gap);
    for (int f = 0; f < at->n_foot; f++) {
        stands[f] = true;
        for (int g = 0; g < at->n_foot; g++)
            stands[f] = stands[f] && (!is_same_foot(at, f, g) || gap[f] <= gap[g] + NEARLY_CLOSED);
    }
}

/* Do the feet stand where the end is wished? */
static bool ends_standing(struct drawing *at)
{
    double *gap = arena_alloc(&at->mem, (size_t)at->n_foot, sizeof *gap);
    bool *stands = arena_alloc(&at->mem, (size_t)at->n_foot, sizeof *stands), all = true;
    wished_gaps(at, at->n, gap);
    choose_pieces(at, at->n, stands);
    for (int f = 0; f < at->n_foot; f++)
        all = all && (!stands[f] || fabs(gap[f]) <= NEARLY_CLOSED);
    return all;
}

/* The mode of a stance or a flight, and what an impact leaves. */
static void set_feet(const struct drawing *at, unsigned char *mode, const bool *stands)
{
    for (int f = 0; f < at->n_foot; f++)
        mode[at->foot[f]] = (unsigned char)(stands && stands[f] ? closed_state(at, f) : PHASE_OPEN);
}

/* Lift-offs on grid points, landings inside intervals; t_event [2 n_flight]. */
static struct sequence *lay_out(struct drawing *at, const struct gait *gait, double *t_event)
{
    const struct phase_system *sys = at->sys;
    struct sequence *seq = sequence_create(sys->n_contact, sys->n_switch, sys->n_machine);
    const int n = gait->n_flight, n_stance = n - 1 + !at->flies + ends_standing(at),
              n_interval = at->model->time.n_intervals;
    const double landing = at->flies ? fmin(gait->landing / at->model->time.horizon, 1) * n_interval : 0;
    const double left = n_interval - landing, part = landing > 0 && n == 1 ? 1 : gait->stance;
    const double stance = part * left / fmax(n_stance, 1),
                 flight = (1 - part) * left / fmax(landing > 0 ? n - 1 : n, 1);
    double place = 0;
    at->stands = arena_alloc(&at->mem, (size_t)(fmax(n_stance, 1) * at->n_foot), sizeof *at->stands);
    choose_pieces(at, 0, at->stands);
    set_feet(at, sequence_mode(seq, 0), at->flies ? NULL : at->stands);
    for (int j = 0; j < n + n_stance - 1; j++) {
        const bool opens = j % 2 == at->flies;
        place += opens ? stance : j == 0 && landing > 0 ? landing : flight;
        const double on = opens ? fmax(round(place), j ? floor(place - stance) + 1 : 1) : place;
        sequence_insert(seq, j, opens ? 2 * (int)on : 2 * (int)floor(on) + 1);
        t_event[j] = time_of(at, on);
        bool *stands = opens ? NULL : at->stands + (j + 1) / 2 * at->n_foot;
        if (stands)
            choose_pieces(at, j + 2 < n + n_stance - 1 ? (int)round((place + stance / 2) * POINTS) : at->n, stands);
        set_feet(at, sequence_mode(seq, j + 1), stands);
        set_feet(at, sequence_hit(seq, j), stands);
    }
    return seq;
}

/* --- The whole ------------------------------------------------------------------------------------------------- */

/* Contacts that are closed at y, and others of the same shape; foot [n_contact] may be NULL. */
static int find_closed(const struct phase_system *sys, const double *y, const double *p, int *foot)
{
    int n = 0;
    for (int c = 0; c < sys->n_contact; c++) {
        bool is = false;
        for (int k = 0; k < sys->n_contact && !is; k++)
            is = strcmp(sys->contact[c].model->family, sys->contact[k].model->family) == 0
                 && fabs(phase_system_value(sys, sys->contact[k].model->gap, y, p)) <= NEARLY_CLOSED;
        if (is && foot)
            foot[n] = c;
        n += is;
    }
    return n;
}

/* The feet are what is closed at the start; where nothing is, what is closed at the end, and it comes flying. */
static int find_feet(const struct phase_system *sys, int *foot, bool *flies)
{
    const struct model *model = sys->model;
    double *y = mem_alloc((size_t)sys->n_y, sizeof *y), *p = mem_alloc((size_t)model->n_p, sizeof *p);
    model_p_guess(model, p);
    start_of(model, p, y);
    int n = find_closed(sys, y, p, foot);
    *flies = n == 0;
    if (*flies) {
        end_of(model, p, y);
        n = find_closed(sys, y, p, foot);
    }
    free(y);
    free(p);
    return n;
}

bool gait_fits(const struct phase_system *sys)
{
    const struct model *model = sys->model;
    bool flies;
    for (int c = 0; c < sys->n_contact; c++)
        if (sys->contact[c].model->moves)
            return false;
    return model->mechanics.n_q > 0 && model->mechanics.n_q == model->mechanics.n_position && sys->n_switch == 0
           && sys->n_machine == 0
           && model->time.n_phase == 0 && model->impulses.n_impulse == 0 && find_feet(sys, NULL, &flies) > 0;
}

bool gait_flies(const struct phase_system *sys)
{
    bool flies;
    (void)find_feet(sys, NULL, &flies);
    return flies;
}

int gait_most_flights(const struct phase_system *sys, double stance)
{
    const int n = sys->model->time.n_intervals;
    return (int)fmin(floor((1 - stance) * n + ROUND), floor(stance * n + ROUND) - 1);
}

static void fill_samples(const struct drawing *at, const struct extract *out)
{
    const size_t n_y = (size_t)at->sys->n_y;
    int mode = 0;
    for (int k = 0; k <= at->n; k++) {
        while (mode < out->seq->n_event && out->samples->t_event[mode] <= at->t[k]) mode++;
        memcpy(samples_add(out->samples, at->t[k], mode), point(at, at->y, k), n_y * sizeof(double));
    }
}

struct extract gait_draw(const struct phase_system *sys, const struct gait *gait)
{
    const struct model *model = sys->model;
    struct drawing at = { .sys = sys, .model = model, .n = POINTS * model->time.n_intervals };
    const size_t n_point = (size_t)at.n + 1, n_y = (size_t)sys->n_y;
    double *t_event = arena_alloc(&at.mem, (size_t)(2 * gait->n_flight) + 1, sizeof *t_event);
    at.foot = arena_alloc(&at.mem, (size_t)sys->n_contact, sizeof *at.foot);
    at.n_foot = find_feet(sys, at.foot, &at.flies);
    at.grid = arena_alloc(&at.mem, (size_t)model->time.n_intervals + 1, sizeof *at.grid);
    at.ease = arena_alloc(&at.mem, (size_t)model->mechanics.n_q, sizeof *at.ease);
    at.t = arena_alloc(&at.mem, n_point, sizeof *at.t);
    at.wish = arena_alloc(&at.mem, n_point * n_y, sizeof *at.wish);
    at.y = arena_alloc(&at.mem, n_point * n_y, sizeof *at.y);
    create_feet(&at);
    model_p_guess(model, at.slot + sys->p);
    if (sys->T >= 0)
        at.slot[sys->T] = model->time.horizon;
    model_grid(model, model->time.horizon, at.slot + sys->p, at.grid);
    for (int k = 0; k <= at.n; k++)
        at.t[k] = time_of(&at, (double)k / POINTS);
    wish(&at);
    struct extract out = { lay_out(&at, gait, t_event), NULL, 0 };
    draw(&at, out.seq, t_event);
    out.samples = samples_create(sys, out.seq->n_event);
    memcpy(out.samples->t_event, t_event, (size_t)out.seq->n_event * sizeof *t_event);
    for (int i = 0; i < model->time.n_intervals * model->n_u; i++)
        out.samples->u[i] = within(&model->u[i % model->n_u], guess_of_variable(&model->u[i % model->n_u]));
    fill_samples(&at, &out);
    extract_patches(sys, &out, 0);
    pointfun_free(at.feet);
    arena_free(&at.mem);
    return out;
}
