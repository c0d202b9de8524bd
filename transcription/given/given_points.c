/* What /trajectory and /grid of a result file show, on the times of the model. */
#include "transcription/given/given.h"

#include "core/base/mem.h"
#include "core/output/columns.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EMPTY 1e-9                  /* of the horizon: shorter stretches tell nothing */

/* The columns of /trajectory. */
struct columns {
    int n;
    const double *t;
    const int *element, *side;
    const unsigned char *is_physical;
    const double **x;               /* [n_x] of the model's states; NULL: not in the file */
};

static const double *doubles(const struct result *file, const char *path, const char *name, int n)
{
    const struct result_data *data = result_data_of(file, path, name);
    return data && data->d && data->n == n ? data->d : NULL;
}

static bool find_columns(const struct phase_system *sys, const struct result *file, struct arena *mem,
                         struct columns *out)
{
    const struct result_data *t = result_data_of(file, "/trajectory", "t");
    const struct result_data *element = result_data_of(file, "/trajectory", "element");
    const struct result_data *side = result_data_of(file, "/trajectory", "side");
    const struct result_data *physical = result_data_of(file, "/trajectory", "is_physical");
    if (!t || !element || !side || !physical || t->n < 2)
        return false;
    const int n = t->n;
    if (!t->d || !element->i || !side->i || !physical->flag || element->n != n || side->n != n || physical->n != n)
        return false;
    *out = (struct columns){ n, t->d, element->i, side->i, physical->flag, NULL };
    out->x = arena_alloc(mem, (size_t)sys->model->n_x, sizeof *out->x);
    for (int i = 0; i < sys->model->n_x; i++)
        out->x[i] = doubles(file, "/trajectory", sys->model->x[i].name, n);
    return true;
}

static void read_y(const struct phase_system *sys, const struct columns *col, int point, double tau, double *y)
{
    const struct model *model = sys->model;
    for (int i = 0; i < model->n_x; i++)
        y[i] = col->x[i] ? col->x[i][point] : guess_of_variable(&model->x[i]);
    if (sys->dcs->clock >= 0)
        y[sys->dcs->clock] = tau;
}

static double tau_of(const struct given_times *times, double t)
{
    return (t - times->from) * times->stretch;
}

/* --- Controls ------------------------------------------------------------------------------------------------ */

/* Control k in the file at time t: of the control interval, or of the points before it; NAN if it has none. */
static double control_at(const struct result *file, const char *name, double t)
{
    const struct result_data *start = result_data_of(file, "/grid", "t_interval"),
                             *u = result_data_of(file, "/grid", "u");
    const struct result_data *list = result_data_of(file, "/grid", "control");
    const struct result_data *time = result_data_of(file, "/trajectory", "t");
    const double *point = time ? doubles(file, "/trajectory", name, time->n) : NULL;
    for (int k = 0; list && list->text && u && u->d && start && start->d && u->n == start->n * list->n && k < list->n; k++) {
        if (strcmp(list->text[k], name) != 0)
            continue;
        int i = 0;
        while (i + 1 < start->n && start->d[i + 1] <= t) i++;
        return u->d[i * list->n + k];
    }
    int i = 0;
    while (point && i + 1 < time->n && time->d[i + 1] <= t) i++;
    return point ? point[i] : NAN;
}

static double *read_parameters(const struct phase_system *sys, const struct guess *guess, struct arena *mem)
{
    const struct model *model = sys->model;
    double *p = arena_alloc(mem, (size_t)model->n_p, sizeof *p);
    model_p_guess(model, p);
    for (int k = 0; k < model->n_p; k++)
        if (!isnan(guess->p[k]))
            p[k] = guess->p[k];
    return p;
}

static double *read_controls(const struct phase_system *sys, const struct guess *guess,
                             const struct given_times *times, struct arena *mem)
{
    const struct model *model = sys->model;
    const int N = model->time.n_intervals;
    double *u = arena_alloc(mem, (size_t)(N * model->n_u), sizeof *u);
    double *grid = arena_alloc(mem, (size_t)N + 1, sizeof *grid);
    model_grid(model, times->horizon, read_parameters(sys, guess, mem), grid);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < model->n_u; k++) {
            const double middle = times->from + 0.5 * (grid[i] + grid[i + 1]) / times->stretch;
            const double value = control_at(guess->file, model->u[k].name, middle);
            u[i * model->n_u + k] = isnan(value) ? guess_of_variable(&model->u[k]) : value;
        }
    return u;
}

/* --- Stretches ----------------------------------------------------------------------------------------------- */

struct reader {
    const struct phase_system *sys;
    const struct columns *col;
    const struct given_times *times;
    struct arena *mem;
    const double *grid;             /* [n_interval + 1] */
};

/* y at tau on the line between points a and b. */
static void between(const struct reader *at, int a, int b, double tau, double *y)
{
    const double ta = tau_of(at->times, at->col->t[a]), tb = tau_of(at->times, at->col->t[b]);
    const double part = tb > ta ? (tau - ta) / (tb - ta) : 0;
    const int n_y = at->sys->n_y;
    double *other = arena_alloc(at->mem, (size_t)n_y, sizeof *other);
    read_y(at->sys, at->col, a, tau, y);
    read_y(at->sys, at->col, b, tau, other);
    for (int i = 0; i < n_y; i++)
        y[i] += part * (other[i] - y[i]);
}

/* Points [first, end) of the file, cut to the horizon; false if nothing of them is left. */
static bool read_stretch(const struct reader *at, int first, int end, struct stretch *out)
{
    const int n_y = at->sys->n_y;
    const double H = at->times->horizon;
    const double start = tau_of(at->times, at->col->t[first]), stop = tau_of(at->times, at->col->t[end - 1]);
    const double t0 = fmax(start, 0), t1 = fmin(stop, H);
    if (!(t1 - t0 > EMPTY * H))
        return false;
    double *t = arena_alloc(at->mem, (size_t)(end - first) + 2, sizeof *t);
    double *y = arena_alloc(at->mem, (size_t)((end - first + 2) * n_y), sizeof *y);
    int n = 0;
    for (int k = first; k < end; k++) {
        const double tau = tau_of(at->times, at->col->t[k]);
        if (k > first && tau > t0 && n == 0) {                  /* enters the horizon */
            between(at, k - 1, k, t0, y);
            t[n++] = t0;
        }
        if (tau >= t0 && tau <= t1) {
            read_y(at->sys, at->col, k, tau, y + n * n_y);
            t[n++] = tau;
        } else if (tau > t1) {                                  /* and leaves it */
            between(at, k - 1, k, t1, y + n * n_y);
            t[n++] = t1;
            break;
        }
    }
    const int interval = model_grid_inside(at->sys->model->time.n_intervals, at->grid, 0.5 * (t0 + t1));
    *out = (struct stretch){ t0, t1, interval, n, t, y };
    return true;
}

/* The last state up to the end. */
static struct stretch hold(const struct reader *at, const struct stretch *last)
{
    const int n_y = at->sys->n_y;
    const double H = at->times->horizon;
    double *t = arena_alloc(at->mem, 2, sizeof *t), *y = arena_alloc(at->mem, 2 * (size_t)n_y, sizeof *y);
    t[0] = last->t_end;
    t[1] = H;
    for (int k = 0; k < 2; k++) {
        memcpy(y + k * n_y, last->y + (last->n - 1) * n_y, (size_t)n_y * sizeof *y);
        if (at->sys->dcs->clock >= 0)
            y[k * n_y + at->sys->dcs->clock] = t[k];
    }
    return (struct stretch){ t[0], H, at->sys->model->time.n_intervals - 1, 2, t, y };
}

/* The physical points alone, in place of all. */
static void drop_frozen(struct columns *col, int n_x, struct arena *mem)
{
    double *t = arena_alloc(mem, (size_t)col->n, sizeof *t);
    int *element = arena_alloc(mem, (size_t)col->n, sizeof *element),
        *side = arena_alloc(mem, (size_t)col->n, sizeof *side);
    int n = 0;
    for (int i = 0; i < n_x; i++) {
        double *x = arena_alloc(mem, (size_t)col->n, sizeof *x);
        for (int k = n = 0; k < col->n && col->x[i]; k++)
            if (col->is_physical[k])
                x[n++] = col->x[i][k];
        col->x[i] = col->x[i] ? x : NULL;
    }
    for (int k = n = 0; k < col->n; k++)
        if (col->is_physical[k]) {
            t[n] = col->t[k];
            element[n] = col->element[k];
            side[n++] = col->side[k];
        }
    *col = (struct columns){ n, t, element, side, col->is_physical, col->x };
}

struct stretches given_stretches(const struct phase_system *sys, const struct guess *guess,
                                 const struct given_times *times, struct arena *mem)
{
    struct columns col;
    struct stretches out = { .horizon = times->horizon, .equidistant = true };
    if (!find_columns(sys, guess->file, mem, &col))
        return out;
    drop_frozen(&col, sys->model->n_x, mem);
    double *grid = arena_alloc(mem, (size_t)sys->model->time.n_intervals + 1, sizeof *grid);
    model_grid(sys->model, times->horizon, read_parameters(sys, guess, mem), grid);
    const struct reader at = { sys, &col, times, mem, grid };
    struct stretch *list = arena_alloc(mem, (size_t)col.n + 1, sizeof *list);
    for (int first = 0, end; first < col.n; first = end) {
        for (end = first + 1; end < col.n && col.element[end] == col.element[first] && col.side[end] != 1;) end++;
        const int left = first > 0 && col.side[first] != 1 ? first - 1 : first;         /* the end before begins it */
        out.n += read_stretch(&at, left, end, &list[out.n]);
    }
    if (out.n && list[out.n - 1].t_end < (1 - EMPTY) * times->horizon) {
        list[out.n] = hold(&at, &list[out.n - 1]);
        out.n++;
    }
    const double band = result_get_double(result_find(guess->file, "/solver"), "dead_band");
    out.dead_band = isnan(band) ? 0 : band;
    out.stretch = list;
    out.u = read_controls(sys, guess, times, mem);
    out.p = read_parameters(sys, guess, mem);
    return out;
}

/* --- Transitions --------------------------------------------------------------------------------------------- */

static int find_transition(const struct phase_system *sys, const char *name)
{
    for (int k = 0; k < sys->n_transition; k++)
        if (strcmp(sys->transition[k].model->name, name) == 0)
            return k;
    return -1;
}

/* Was the condition of transition k met before the state x [n_x] of the file, in which it is made? */
static bool was_met(const struct phase_system *sys, const struct guess *guess, int k, double tau, const double *x,
                    const double *p)
{
    const struct result_data *name = result_data_of(guess->file, "/grid", "state");
    const expr when = sys->transition[k].model->when;
    if (sys->transition[k].commanded)
        return true;
    double *y = mem_alloc((size_t)sys->n_y, sizeof *y);
    bool met = when != EXPR_NONE && name && name->text;
    for (int i = 0; i < sys->model->n_x && met; i++) {
        int place = 0;
        while (place < name->n && strcmp(name->text[place], sys->model->x[i].name) != 0) place++;
        y[i] = place < name->n ? x[place] : guess_of_variable(&sys->model->x[i]);
    }
    if (sys->dcs->clock >= 0)
        y[sys->dcs->clock] = tau;
    met = met && phase_system_value(sys, when, y, p) > MET_BEFORE;
    free(y);
    return met;
}

void given_transitions(const struct phase_system *sys, const struct guess *guess, const struct given_times *times,
                       struct arena *mem, struct stretches *to)
{
    const struct result_data *t = result_data_of(guess->file, "/events", "t"),
                             *kind = result_data_of(guess->file, "/events", "kind");
    const struct result_data *name = result_data_of(guess->file, "/events", "name");
    const struct result_data *x = result_data_of(guess->file, "/events", "x_minus");
    if (sys->n_machine == 0 || !t || !t->d || !kind || !kind->text || !name || !name->text || !x || !x->d
        || kind->n != t->n || name->n != t->n || t->n == 0 || x->n % t->n != 0)
        return;
    struct stretch_step *made = arena_alloc(mem, (size_t)t->n, sizeof *made);
    for (int j = 0; j < t->n; j++) {
        const double tau = tau_of(times, t->d[j]);
        const int k = strcmp(kind->text[j], "transition") == 0 ? find_transition(sys, name->text[j]) : -1;
        if (k < 0 || tau < -EMPTY * times->horizon || tau > (1 - EMPTY) * times->horizon)
            continue;
        const bool met = was_met(sys, guess, k, tau, x->d + (size_t)j * (size_t)(x->n / t->n), to->p);
        made[to->n_step++] = (struct stretch_step){ tau, { k, met } };
    }
    to->made = made;
}

/* --- Time steps ---------------------------------------------------------------------------------------------- */

bool given_time_steps(const struct phase_system *sys, const struct guess *guess, const struct given_times *times,
                      struct arena *mem, struct time_steps *out)
{
    const char *method = result_get_text(result_find(guess->file, "/"), "method");
    struct columns col;
    if (!method || !sys->n_contact
        || (strcmp(method, "time-stepping") != 0 && strcmp(method, "moreau") != 0
            && strcmp(method, "stewart-trinkle") != 0)
        || !find_columns(sys, guess->file, mem, &col))
        return false;
    double *t = arena_alloc(mem, (size_t)col.n + 1, sizeof *t);
    double *y = arena_alloc(mem, (size_t)((col.n + 1) * sys->n_y), sizeof *y);
    double *force = arena_alloc(mem, (size_t)((col.n + 1) * sys->n_contact), sizeof *force);
    int n = 0;
    for (int k = 0; k < col.n; k++) {
        const double tau = tau_of(times, col.t[k]);
        const bool ends = k == 0 || k + 1 == col.n || col.element[k + 1] != col.element[k];
        if (!ends || tau < -EMPTY * times->horizon || tau > (1 + EMPTY) * times->horizon)
            continue;
        t[n] = n ? tau : 0;
        read_y(sys, &col, k, t[n], y + n * sys->n_y);
        for (int c = 0; c < sys->n_contact; c++) {
            const double *lambda = doubles(guess->file, "/trajectory",
                                           columns_contact_name(sys->contact[c].model, "lambda", 0, mem), col.n);
            force[n * sys->n_contact + c] = lambda && n ? lambda[k] : 0;
        }
        n++;
    }
    if (n > 1 && t[n - 1] < (1 - EMPTY) * times->horizon) {     /* the last state up to the end */
        t[n] = times->horizon;
        memcpy(y + n * sys->n_y, y + (n - 1) * sys->n_y, (size_t)sys->n_y * sizeof *y);
        memcpy(force + n * sys->n_contact, force + (n - 1) * sys->n_contact,
               (size_t)sys->n_contact * sizeof *force);
        n++;
    }
    *out = (struct time_steps){ n - 1, t, y, force, read_controls(sys, guess, times, mem), read_parameters(sys, guess, mem),
                                 NULL };
    return n > 1;
}
