#include "core/output/run.h"

#include "core/base/mem.h"
#include "core/base/pi.h"
#include "core/output/modes.h"
#include "core/output/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_INSIDE = 4 };         /* points of /trajectory between the ends of a smooth piece */

/* --- Points of the event-driven simulation ------------------------------------------------------------------- */

struct scratch { double *x, *u, *force, *signal; };

static struct scratch scratch_create(const struct model *model, struct arena *mem)
{
    return (struct scratch){ arena_alloc(mem, (size_t)model->n_x, sizeof(double)),
                             arena_alloc(mem, (size_t)model->n_u, sizeof(double)),
                             arena_alloc(mem, (size_t)model_n_force(model), sizeof(double)),
                             arena_alloc(mem, (size_t)columns_n_signal(model), sizeof(double)) };
}

static void add_point(const struct output_run *run, int piece, double t, int side, const struct scratch *at,
                      struct trajectory *to)
{
    sim_eval_x(run->sim, piece, t, at->x);
    sim_eval_u(run->sim, piece, t, at->u);
    sim_eval_forces(run->sim, piece, t, at->force);
    sim_eval_signals(run->sim, piece, at->signal);
    trajectory_add(to, (struct trajectory_place){ t, piece, side }, at->x, at->u, at->force, at->signal);
}

/* Does something happen at t? Events ascend; *next moves on with t. */
static bool has_event(const struct sim *sim, double t, int *next)
{
    while (*next < sim_n_events(sim) && sim_event_at(sim, *next)->t < t)
        ++*next;
    return *next < sim_n_events(sim) && sim_event_at(sim, *next)->t == t;
}

/* Do controls jump where piece k begins? */
static bool controls_jump(const struct output_run *run, int k, const struct scratch *at)
{
    const int n_u = run->model->n_u;
    const double t = k < sim_n_pieces(run->sim) ? sim_piece_at(run->sim, k).t_start : 0;
    if (k == 0 || k >= sim_n_pieces(run->sim) || n_u == 0)
        return false;
    double *before = mem_alloc((size_t)n_u, sizeof *before);
    bool jumps = false;
    sim_eval_u(run->sim, k - 1, t, before);
    sim_eval_u(run->sim, k, t, at->u);
    for (int i = 0; i < n_u; i++)
        jumps = jumps || fabs(at->u[i] - before[i]) > 1e-9 * fmax(1, fabs(before[i]));
    free(before);
    return jumps;
}

/* Of a jump at an end of the run, which no piece has. */
static void add_end(const struct output_run *run, int piece, double t, int side, const double *x,
                    const struct scratch *at, struct trajectory *to)
{
    sim_eval_u(run->sim, piece, t, at->u);
    sim_eval_forces(run->sim, piece, t, at->force);
    sim_eval_signals(run->sim, piece, at->signal);
    trajectory_add(to, (struct trajectory_place){ t, piece, side }, x, at->u, at->force, at->signal);
}

/* Every piece with a few points inside; both limits where something happens. */
void output_run_add_pieces(const struct output_run *run, struct trajectory *to)
{
    struct arena mem = { NULL };
    const struct scratch at = scratch_create(run->model, &mem);
    const double *before = sim_x_before(run->sim), *after = sim_x_after(run->sim);
    const int n = sim_n_pieces(run->sim);
    int next = 0;
    bool jumps = true;
    if (before && n > 0)
        add_end(run, 0, sim_t_start(run->sim), -1, before, &at, to);
    for (int k = 0; k < n; k++) {
        const struct sim_piece piece = sim_piece_at(run->sim, k);
        const double length = piece.t_end - piece.t_start;
        if (jumps || has_event(run->sim, piece.t_start, &next))
            add_point(run, k, piece.t_start, k == 0 && !before ? 0 : 1, &at, to);
        double inside[POINTS_INSIDE];
        for (int i = 0; i < POINTS_INSIDE; i++)
            inside[i] = piece.t_start + length * (i + 1) / (POINTS_INSIDE + 1);
        sim_look_ahead(run->sim, k, POINTS_INSIDE, inside);
        for (int i = 0; i < POINTS_INSIDE; i++)
            add_point(run, k, inside[i], 0, &at, to);
        jumps = controls_jump(run, k + 1, &at);
        add_point(run, k, piece.t_end, jumps || has_event(run->sim, piece.t_end, &next) ? -1 : 0, &at, to);
    }
    if (after && n > 0)
        add_end(run, n - 1, sim_t_end(run->sim), 1, after, &at, to);
    arena_free(&mem);
}

static void add_times_of_pieces(const struct output_run *run, const struct output_times *times,
                                struct trajectory *to)
{
    struct arena mem = { NULL };
    const struct scratch at = scratch_create(run->model, &mem);
    const double end = sim_t_end(run->sim);
    for (int k = 0; k < times->n && sim_n_pieces(run->sim) > 0 && times->t[k] <= end * (1 + 1e-12); k++)
        add_point(run, sim_find_piece(run->sim, times->t[k], 1), times->t[k], 0, &at, to);
    arena_free(&mem);
}

/* --- Points of a time-stepping scheme ------------------------------------------------------------------------ */

/* Mean force over step k. */
static void mean_force(const struct stepping *steps, int k, double *force)
{
    const size_t n = CONTACT_ROWS * (size_t)steps->n_contact;
    for (size_t i = 0; i < n; i++)
        force[i] = steps->impulse[(size_t)k * n + i] / (steps->t[k + 1] - steps->t[k]);
}

/* The ends of the steps, which know no relays and machines; forces are those of the step that ends there. */
static void add_steps(const struct output_run *run, struct trajectory *to)
{
    const struct stepping *steps = run->steps;
    const size_t n_x = (size_t)run->model->n_x, n_u = (size_t)run->model->n_u;
    double *force = mem_alloc(CONTACT_ROWS * (size_t)steps->n_contact, sizeof *force);
    for (int k = 0; k <= steps->n; k++) {
        if (k > 0)
            mean_force(steps, k - 1, force);
        trajectory_add(to, (struct trajectory_place){ steps->t[k], k > 0 ? k - 1 : 0, 0 },
                       steps->x + (size_t)k * n_x, steps->u + (size_t)k * n_u, force, NULL);
    }
    free(force);
}

/* Linear between steps. */
static void add_times_of_steps(const struct output_run *run, const struct output_times *times,
                               struct trajectory *to)
{
    const struct stepping *steps = run->steps;
    const size_t n_x = (size_t)run->model->n_x, n_u = (size_t)run->model->n_u;
    double *x = mem_alloc(n_x, sizeof *x),
           *force = mem_alloc(CONTACT_ROWS * (size_t)steps->n_contact, sizeof *force);
    int step = 0;
    for (int k = 0; k < times->n && steps->n > 0; k++) {
        const double t = times->t[k];
        while (step + 1 < steps->n && steps->t[step + 1] <= t)
            step++;
        const double *from = steps->x + (size_t)step * n_x;
        const double h = steps->t[step + 1] - steps->t[step], part = (t - steps->t[step]) / h;
        if (part > 1 + 1e-9)
            break;
        for (size_t i = 0; i < n_x; i++)
            x[i] = (1 - part) * from[i] + part * from[n_x + i];
        mean_force(steps, step, force);
        trajectory_add(to, (struct trajectory_place){ t, step, 0 }, x, steps->u + (size_t)step * n_u, force, NULL);
    }
    free(x);
    free(force);
}

/* --- /trajectory and /uniform -------------------------------------------------------------------------------- */

static struct layout layout_of(const struct output_run *run, struct result *result)
{
    return (struct layout){ result, run->model, run->sim ? LAYOUT_PIECES : LAYOUT_STEPS, run->p, false };
}

static struct trajectory empty_trajectory(const struct output_run *run)
{
    /* the event-driven simulation has put the values of expressions in the controls' place */
    return trajectory_create(run->model, run->p, run->sim ? NULL : run->u_expr);
}

void output_run_add_times(const struct output_run *run, const struct output_times *times, struct trajectory *to)
{
    if (run->sim)
        add_times_of_pieces(run, times, to);
    else
        add_times_of_steps(run, times, to);
}

void output_run_write_uniform(const struct output_run *run, const char *path, int n, struct result *result)
{
    const double start = run->sim ? sim_t_start(run->sim) : run->steps->t[0];
    const double end = run->sim ? sim_t_end(run->sim) : run->steps->t[run->steps->n];
    const struct layout to = layout_of(run, result);
    struct trajectory found = empty_trajectory(run);
    double *t = mem_alloc((size_t)n, sizeof *t);
    for (int k = 0; k < n; k++)
        t[k] = start + (end - start) * k / (n - 1);
    output_run_add_times(run, &(struct output_times){ n, t }, &found);
    if (found.points.n > 1)
        layout_uniform(&to, path, found.points.n, t, found.points.column);
    free(t);
    trajectory_free(&found);
}

static void write_trajectory(const struct output_run *run, const struct layout *to)
{
    struct trajectory found = empty_trajectory(run);
    if (run->sim)
        output_run_add_pieces(run, &found);
    else
        add_steps(run, &found);
    layout_trajectory(to, &found.points);
    trajectory_free(&found);
}

/* --- /grid --------------------------------------------------------------------------------------------------- */

static int n_elements(const struct output_run *run)
{
    return run->sim ? sim_n_pieces(run->sim) : run->steps->n;
}

static struct layout_element element_at(const struct output_run *run, int k)
{
    const struct sim_piece piece = run->sim ? sim_piece_at(run->sim, k)
                                            : (struct sim_piece){ run->steps->t[k], run->steps->t[k + 1], NULL };
    return (struct layout_element){ .h = piece.t_end - piece.t_start, .t_start = piece.t_start,
                                    .t_end = piece.t_end };
}

/* Impulses of the contacts at the start of each piece: [n * CONTACT_ROWS n_contact]. */
static const double *impulses_of_pieces(const struct output_run *run, struct arena *mem)
{
    const size_t n_c = (size_t)run->model->contacts.n_contact;
    double *impulse = arena_alloc(mem, CONTACT_ROWS * n_c * (size_t)sim_n_pieces(run->sim), sizeof *impulse);
    for (int k = 0; k < sim_n_events(run->sim); k++) {
        const struct sim_event *event = sim_event_at(run->sim, k);
        if (event->subject >= run->model->contacts.n_contact)
            continue;
        double *to =
            impulse
            + CONTACT_ROWS * ((size_t)sim_find_piece(run->sim, event->t, 1) * n_c + (size_t)event->subject);
        for (int q = 0; q < CONTACT_ROWS; q++)
            to[q] += event->impulse[q];
    }
    return impulse;
}

/* States at both ends of each piece: [n * 2 n_x]. */
static const double *ends_of_pieces(const struct output_run *run, struct arena *mem)
{
    const int n = sim_n_pieces(run->sim);
    const size_t n_x = (size_t)run->model->n_x;
    double *x = arena_alloc(mem, 2 * n_x * (size_t)n, sizeof *x);
    for (int k = 0; k < n; k++) {
        const struct sim_piece piece = sim_piece_at(run->sim, k);
        sim_eval_x(run->sim, k, piece.t_start, x + 2 * n_x * (size_t)k);
        sim_eval_x(run->sim, k, piece.t_end, x + 2 * n_x * (size_t)k + n_x);
    }
    return x;
}

/* States and forces of each piece at points through which its polynomial is known: c_k = (1 - cos(k pi/n))/2,
 * Chebyshev's, whose first one is the start. */
static void set_stages(const struct output_run *run, struct layout_grid *grid, struct arena *mem)
{
    const size_t n = (size_t)sim_n_pieces(run->sim), n_x = (size_t)run->model->n_x,
                 n_c = (size_t)run->model->contacts.n_contact;
    double *c = arena_alloc(mem, SIM_DEGREE, sizeof *c), *x = arena_alloc(mem, n * SIM_DEGREE * n_x, sizeof *x);
    double *force = arena_alloc(mem, n * SIM_DEGREE * CONTACT_ROWS * n_c, sizeof *force);
    const struct scratch at = scratch_create(run->model, mem);
    for (int i = 0; i < SIM_DEGREE; i++)
        c[i] = i + 1 < SIM_DEGREE ? 0.5 * (1 - cos((i + 1) * PI / SIM_DEGREE)) : 1;
    for (size_t k = 0; k < n; k++) {
        const struct sim_piece piece = sim_piece_at(run->sim, (int)k);
        double t[SIM_DEGREE];
        for (int i = 0; i < SIM_DEGREE; i++)
            t[i] = piece.t_start + c[i] * (piece.t_end - piece.t_start);
        sim_look_ahead(run->sim, (int)k, SIM_DEGREE, t);
        for (size_t i = 0, to = k * SIM_DEGREE; i < SIM_DEGREE; i++, to++) {
            sim_eval_x(run->sim, (int)k, t[i], x + to * n_x);
            sim_eval_forces(run->sim, (int)k, t[i], at.force);
            memcpy(force + to * CONTACT_ROWS * n_c, at.force, CONTACT_ROWS * n_c * sizeof *force);
        }
    }
    grid->n_stage = SIM_DEGREE;
    grid->c = c;
    grid->x_stage = (struct result_rows){ x, SIM_DEGREE * n_x * sizeof *x, (int)n };
    grid->force = force;
}

/* The rows of controls as they were given, or one row of guesses. */
static void set_given_controls(const struct output_run *run, struct layout_grid *grid, struct arena *mem)
{
    const struct sim_controls rows = run->sim ? sim_rows(run->sim) : run->controls, *given = &rows;
    const int n = given->n > 0 ? given->n : 1, n_u = run->model->n_u;
    double *t = arena_alloc(mem, (size_t)n, sizeof *t), *u = arena_alloc(mem, (size_t)n * (size_t)n_u, sizeof *u);
    for (int k = 0; k < n; k++) {
        t[k] = given->n > 0 ? given->t[k] : 0;
        for (int i = 0; i < n_u; i++) {
            const double value = given->n > 0 ? given->u[(size_t)k * (size_t)n_u + (size_t)i] : NAN;
            const double guess = run->model->u[i].guess;
            u[(size_t)k * (size_t)n_u + (size_t)i] = !isnan(value) ? value : isnan(guess) ? 0 : guess;
        }
    }
    grid->n_interval = n;
    grid->t_interval = t;
    grid->u = u;
}

/* The rows of controls that the steps went through, equal ones in a row as one. */
static void set_controls_of_steps(const struct output_run *run, struct layout_grid *grid, struct arena *mem)
{
    const struct stepping *steps = run->steps;
    const size_t row = (size_t)run->model->n_u, size = row * sizeof(double);
    double *t = arena_alloc(mem, (size_t)steps->n, sizeof *t),
           *u = arena_alloc(mem, (size_t)steps->n * row, sizeof *u);
    size_t n = 0;
    for (int k = 0; k < steps->n; k++) {
        const double *now = steps->u + (size_t)k * row;
        if (n > 0 && memcmp(now, u + (n - 1) * row, size) == 0)
            continue;
        t[n] = steps->t[k];
        memcpy(u + n++ * row, now, size);
    }
    grid->n_interval = (int)n;
    grid->t_interval = n > 0 ? t : NULL;
    grid->u = u;
}

/* In the layout that --controls reads; not where there are none, or an expression varies within intervals. */
static bool has_constant_controls(const struct output_run *run)
{
    bool varies = run->model->n_u == 0;
    for (int k = 0; k < run->model->n_u; k++)
        varies = varies || (run->u_expr && run->u_expr[k] != EXPR_NONE);
    return !varies;
}

static void write_grid(const struct output_run *run, const struct layout *to)
{
    struct arena mem = { NULL };
    const int n = n_elements(run);
    const size_t n_x = (size_t)run->model->n_x, stride = (run->sim ? 2 : 1) * n_x * sizeof(double);
    const double *x = run->sim ? ends_of_pieces(run, &mem) : run->steps->x;
    struct layout_element *element = arena_alloc(&mem, (size_t)n, sizeof *element);
    for (int k = 0; k < n; k++)
        element[k] = element_at(run, k);
    struct layout_grid grid = {
        .n = n, .element = { element, sizeof *element, n }, .x_start = { x, stride, n },
        .x_end = { x + n_x, stride, n }, .impulse = run->sim ? impulses_of_pieces(run, &mem) : run->steps->impulse
    };
    if (run->sim)
        set_stages(run, &grid, &mem);
    if (has_constant_controls(run) && run->sim)
        set_given_controls(run, &grid, &mem);
    else if (has_constant_controls(run))
        set_controls_of_steps(run, &grid, &mem);
    layout_grid(to, &grid);
    arena_free(&mem);
}

/* --- /events ------------------------------------------------------------------------------------------------- */

int output_run_n_events(const struct output_run *run)
{
    int n = 0;
    if (run->sim)
        return sim_n_events(run->sim);
    free(stepping_events(run->steps, &n));
    return n;
}

static void write_events(const struct output_run *run, const struct layout *to)
{
    struct arena mem = { NULL };
    int n = run->sim ? sim_n_events(run->sim) : 0;
    struct sim_event *found = run->sim ? NULL : stepping_events(run->steps, &n);
    const size_t n_x = (size_t)run->model->n_x;
    struct layout_event *event = arena_alloc(&mem, (size_t)n, sizeof *event);
    double *x = arena_alloc(&mem, 2 * n_x * (size_t)n, sizeof *x);
    for (int k = 0; k < n; k++) {
        const struct sim_event *from = run->sim ? sim_event_at(run->sim, k) : &found[k];
        event[k] = (struct layout_event){
            .t = from->t, .t_num = from->t, .element = -1, .kind = sim_kind_text(from->kind),
            .name = run->sim ? sim_subject_name(run->sim, from->subject)
                             : run->model->contacts.contact[from->subject].name
        };
        memcpy(event[k].impulse, from->impulse, sizeof from->impulse);
        memcpy(x + 2 * n_x * (size_t)k, from->x_minus, n_x * sizeof *x);
        memcpy(x + 2 * n_x * (size_t)k + n_x, from->x_plus, n_x * sizeof *x);
    }
    layout_events(to, n, event, x);
    free(found);
    arena_free(&mem);
}

void output_run_write(const struct output_run *run, int n_uniform, struct result *result)
{
    const struct layout to = layout_of(run, result);
    if (!run->sim || sim_n_pieces(run->sim) > 0) {
        write_trajectory(run, &to);
        output_run_write_uniform(run, "/uniform", n_uniform, result);
        write_grid(run, &to);
    }
    write_events(run, &to);
    if (run->sim && sim_n_pieces(run->sim) > 0)
        modes_write(run->sim, result);
    scene_write(run->model, run->p, result);
}
