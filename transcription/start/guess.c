#include "transcription/start/guess.h"

#include "core/base/mem.h"
#include "core/model/kinematics.h"
#include "transcription/discretize/initial.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING_LEFT 1e-9           /* of the horizon */
#define TWO_PI 6.283185307179586

enum { GUESS_MAX_POINTS = 1 << 20 };    /* of a file; times 2,000 variables they still have a number */

static struct guess *guess_create(const struct model *model, int n)
{
    struct guess *guess = mem_alloc(1, sizeof *guess);
    guess->n = n;
    guess->horizon = NAN;
    guess->fraction = arena_alloc(&guess->mem, (size_t)n, sizeof(double));
    guess->x = arena_nan(&guess->mem, n * model->n_x);
    guess->u = arena_nan(&guess->mem, n * model->n_u);
    guess->p = arena_nan(&guess->mem, model->n_p);
    return guess;
}

void guess_free(struct guess *guess)
{
    if (!guess)
        return;
    arena_free(&guess->mem);
    result_free(guess->owned);
    free(guess);
}

/* --- From a file --------------------------------------------------------------------------------------------- */

static void copy_columns(struct guess *guess, const struct model *model, const struct result_group *group)
{
    for (int i = 0; i < model->n_x + model->n_u; i++) {
        const bool is_state = i < model->n_x;
        const char *name = is_state ? model->x[i].name : model->u[i - model->n_x].name;
        const struct result_data *data = result_data_find(group, name);
        if (!data || !data->d || data->n != guess->n)
            continue;
        for (int k = 0; k < guess->n; k++) {
            if (is_state)
                guess->x[k * model->n_x + i] = data->d[k];
            else
                guess->u[k * model->n_u + i - model->n_x] = data->d[k];
        }
    }
}

static void copy_parameters(struct guess *guess, const struct model *model, const struct result *result)
{
    for (int k = 0; k < model->n_p; k++) {
        const struct result_data *data =
            result_data_of(result, "/parameters", model->param[model->p_param[k]].name);
        if (data && data->d && data->n == 1)
            guess->p[k] = data->d[0];
    }
}

/* Splits "FILE@T", T NAN where there is none; a file of that very name has no T. */
static const char *split_time(struct arena *mem, const char *path, double *from)
{
    const char *at = strrchr(path, '@');
    char *end = NULL;
    *from = at ? strtod(at + 1, &end) : 0;
    if (at && end != at + 1 && *end == 0 && isfinite(*from))
        return arena_printf(mem, "%.*s", (int)(at - path), path);
    *from = NAN;
    return path;
}

/* One line for all states that are not in the file. */
static void note_missing(const struct model *model, const struct guess *guess, const char *path, struct diag *diag)
{
    struct arena mem = { NULL };
    const char *list = "";
    for (int i = 0; i < model->n_x; i++)
        if (isnan(guess->x[i]))
            list = arena_printf(&mem, "%s%s%s", list, *list ? ", " : "", model->x[i].name);
    if (*list)
        diag_add(diag, DIAG_NOTE, STATUS_OK, (struct srcpos){ 0 }, NULL,
                 "%s does not have %s: from the spec's own guess", path, list);
    arena_free(&mem);
}

enum status guess_from_result(const struct model *model, const struct result *result, const char *name, double from,
                              struct guess **out, struct diag *diag)
{
    const struct result_group *group = result_find(result, "/uniform");
    const int axis = result_axis_find(group, "t");
    const double *t = axis >= 0 ? group->axis[axis]->values : NULL;
    const int n = t ? group->axis[axis]->n : 0;
    const bool is_shifted = !isnan(from);
    *out = NULL;
    if (!t || n < 2 || n > GUESS_MAX_POINTS || !(t[n - 1] > t[0]))
        return diag_fail(diag, STATUS_IO, "%s: holds no trajectory to start from (group /uniform)", name);
    if (is_shifted && !(from >= t[0] && t[n - 1] - from > NOTHING_LEFT * (t[n - 1] - t[0])))
        return diag_fail(diag, STATUS_IO, "%s@%.9g: the time must lie in [%g, %g), where the trajectory is", name,
                         from, t[0], t[n - 1]);
    struct guess *guess = *out = guess_create(model, n);
    guess->file = result;
    guess->is_shifted = is_shifted;
    guess->from = is_shifted ? from : t[0];
    guess->rest = t[n - 1] - guess->from;
    guess->horizon = is_shifted && !model->time.horizon_free ? model->time.horizon : guess->rest;
    for (int k = 0; k < n; k++)
        guess->fraction[k] = (t[k] - guess->from) / guess->horizon;
    copy_columns(guess, model, group);
    copy_parameters(guess, model, result);
    note_missing(model, guess, name, diag);
    return STATUS_OK;
}

enum status guess_from_file(const struct model *model, const char *path, struct guess **out, struct diag *diag)
{
    struct result *result = NULL;
    struct arena mem = { NULL };
    double from;
    *out = NULL;
    const char *file = split_time(&mem, path, &from);
    enum status st = result_read(file, &result, diag);
    if (st == STATUS_OK)
        st = guess_from_result(model, result, file, from, out, diag);
    if (*out)
        (*out)->owned = result;
    else
        result_free(result);
    arena_free(&mem);
    return st;
}

/* --- From waypoints ------------------------------------------------------------------------------------------ */

struct guess *guess_from_waypoints(const struct model *model)
{
    if (!model->guess.n_waypoint)
        return NULL;
    const int n = model->guess.n_waypoint;
    struct guess *guess = guess_create(model, n + 2);           /* the ends, where they are fixed */
    guess->fraction[n + 1] = 1;
    for (int k = 0; k < n; k++) {
        const struct model_waypoint *way = &model->guess.waypoint[k];
        guess->fraction[k + 1] = way->fraction;
        for (int i = 0; i < way->n; i++) {
            const int var = way->var[i];
            if (var < model->n_x)
                guess->x[(k + 1) * model->n_x + var] = way->val[i];
            else
                guess->u[(k + 1) * model->n_u + var - model->n_x] = way->val[i];
        }
    }
    for (int i = 0; i < model->n_x; i++) {
        bool named = false;
        for (int k = 1; k <= n; k++)
            named = named || !isnan(guess->x[k * model->n_x + i]);
        if (named && model->x[i].initial.kind == END_FIXED && guess->fraction[1] > 0)
            guess->x[i] = model->x[i].initial.lo;
        if (named && model->x[i].final.kind == END_FIXED && guess->fraction[n] < 1)
            guess->x[(n + 1) * model->n_x + i] = model->x[i].final.lo;
    }
    return guess;
}

/* --- With room for more -------------------------------------------------------------------------------------- */

static void copy_point(const struct model *model, const struct guess *from, int k, struct guess *to, int place)
{
    const size_t n_x = (size_t)model->n_x, n_u = (size_t)model->n_u;
    memcpy(to->x + (size_t)place * n_x, from->x + (size_t)k * n_x, n_x * sizeof *to->x);
    memcpy(to->u + (size_t)place * n_u, from->u + (size_t)k * n_u, n_u * sizeof *to->u);
    to->fraction[place] = from->fraction[k];
}

struct guess *guess_with_room(const struct model *model, const struct guess *from, int n, const double *fraction,
                              int *place)
{
    const int n_from = from ? from->n : 0, all = n + n_from;
    struct guess *guess = guess_create(model, all);
    guess->force = arena_nan(&guess->mem, all * model->contacts.n_contact * (1 + SLIP_MAX));
    for (int k = 0, own = 0, other = 0; k < all; k++) {
        if (other >= n_from || (own < n && fraction[own] < from->fraction[other])) {
            guess->fraction[k] = fraction[own];
            place[own++] = k;
        } else
            copy_point(model, from, other++, guess, k);
    }
    return guess;
}

/* --- Into a program ------------------------------------------------------------------------------------------ */

/* Linear between the samples of column i (of n_col) that are given, constant outside them; NAN if none is. */
static double interpolate(const struct guess *guess, const double *val, int n_col, int i, double fraction)
{
    int before = -1, after = -1;
    for (int k = 0; k < guess->n; k++) {
        if (isnan(val[k * n_col + i]))
            continue;
        if (guess->fraction[k] <= fraction)
            before = k;
        else if (after < 0)
            after = k;
    }
    if (before < 0 && after < 0)
        return NAN;
    if (before < 0 || after < 0)
        return val[(before < 0 ? after : before) * n_col + i];
    const double part = (fraction - guess->fraction[before]) / (guess->fraction[after] - guess->fraction[before]);
    return (1 - part) * val[before * n_col + i] + part * val[after * n_col + i];
}

double guess_of_variable(const struct model_var *x)
{
    if (!isnan(x->guess))
        return x->guess;
    return x->initial.kind == END_FIXED || x->initial.kind == END_RANGE ? x->initial.lo : 0;
}

double tr_fraction(const struct transcription *tr, int j, int k)
{
    double t = 0, T = 0;
    if (j < 0)
        return 0;
    for (int l = 0; l < tr->n_element; l++) {
        T += tr->h0[l];
        if (l < j)
            t += tr->h0[l];
    }
    return (t + tr_c(tr, k) * tr->h0[j]) / T;
}

void guess_state(const struct model *model, const struct guess *guess, double fraction, double *x)
{
    for (int i = 0; i < model->n_x; i++) {
        const double value = guess ? interpolate(guess, guess->x, model->n_x, i, fraction) : NAN;
        x[i] = isnan(value) ? guess_of_variable(&model->x[i]) : value;
    }
    kinematics_normalize(model, x);
}

static void guess_point(struct transcription *tr, const struct guess *guess, int j, int k)
{
    const struct model *model = tr->model;
    double *x = mem_alloc((size_t)model->n_x, sizeof *x);
    guess_state(model, guess, tr_fraction(tr, j, k), x);
    for (int i = 0; i < model->n_x; i++)
        program_set_guess(tr->prog, tr_y(tr, j, k, i), x[i]);
    free(x);
}

/* Forces of contact c, normal and along its tangents, and what they leave of its cone, into sel. */
static void guess_contact(const struct transcription *tr, int c, const double *force, double *sel)
{
    const struct dcs *dcs = tr->dcs;
    const struct dcs_contact *contact = &dcs->contact[c];
    const struct dcs_pair *pair = &dcs->pair[contact->first_pair];
    const double cone = tr->model->contacts.contact[c].mu * force[0];
    sel[contact->force] = force[0];
    if (contact->friction == DCS_SCALAR) {
        sel[pair[1].sel] = cone + force[1];
        sel[pair[2].sel] = cone - force[1];
    } else if (contact->friction == DCS_POLYHEDRAL) {
        const int n = contact->end_pair - contact->first_pair - 2;
        double left = cone;
        for (int k = 0; k < n; k++) {           /* what lies along a direction: the whole force, of four */
            const double turn = TWO_PI * k / n, along = force[1] * cos(turn) + force[2] * sin(turn);
            sel[pair[1 + k].sel] = fmax(along, 0);
            left -= fmax(along, 0);
        }
        sel[pair[1 + n].sel] = fmax(left, 0);
    }
}

static void guess_forces(struct transcription *tr, const struct guess *guess)
{
    enum { EACH = 1 + SLIP_MAX };
    const int n_contact = tr->model->contacts.n_contact;
    double *w0 = program_guess(tr->prog), force[EACH];
    for (int j = 0; j < tr->n_element; j++)
        for (int k = 1; k <= tr->n_point; k++)
            for (int c = 0; c < n_contact && tr_is_stage(tr, k); c++) {
                for (int i = 0; i < EACH; i++)
                    force[i] =
                        interpolate(guess, guess->force, n_contact * EACH, c * EACH + i, tr_fraction(tr, j, k));
                if (!isnan(force[0]))
                    guess_contact(tr, c, force, &w0[tr_sel(tr, j, k)]);
            }
}

/* lam and sel at every point as the states there say. */
static void make_consistent(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    double *w0 = program_guess(tr->prog);
    double *lam = mem_alloc((size_t)dcs->n_lam, sizeof *lam), *sel = mem_alloc((size_t)dcs->n_sel, sizeof *sel);
    const double T = tr->T >= 0 ? w0[tr->T] : tr->task.grid.horizon;
    for (int j = 0; j < tr->n_element; j++)
        for (int k = 1; k <= tr->n_point; k++) {
            dcs_lam_at(dcs, &w0[tr_y(tr, j, k, 0)], &w0[tr->p], T, lam, sel);
            for (int i = 0; i < dcs->n_lam; i++)
                program_set_guess(tr->prog, tr_lam(tr, j, k, i), lam[i]);
            for (int i = 0; i < dcs->n_sel && tr_is_stage(tr, k); i++)
                program_set_guess(tr->prog, tr_sel(tr, j, k) + i, sel[i]);
        }
    free(lam);
    free(sel);
}

/* Lengths, horizon and clock go with the guesses of lengths of phases, or between impulses. */
static void stretch_phases(struct transcription *tr)
{
    const double *w0 = program_guess(tr->prog);
    double t = 0;
    for (int i = 0; i < tr->n_interval; i++) {
        const struct tr_length length = tr_length(tr, i);
        const double h = length.coef * (length.var == PROGRAM_ONE ? 1 : w0[length.var]) / tr->elements[i];
        for (int j = tr->first[i]; j < tr->first[i] + tr->elements[i]; j++) {
            program_set_guess(tr->prog, tr->h[j], h);
            if (j < tr->n_element && tr->reset[j] >= 0 && tr->dcs->clock >= 0)
                program_set_guess(tr->prog, tr_y(tr, j, 0, tr->dcs->clock), t);
            for (int k = 1; k <= tr->n_point && tr->dcs->clock >= 0; k++)
                program_set_guess(tr->prog, tr_y(tr, j, k, tr->dcs->clock), t + h * tr_c(tr, k));
            t += h;
        }
    }
    if (tr->T >= 0)
        program_set_guess(tr->prog, tr->T, t);
}

/* Lengths, speed of time and clock go with a free horizon's guess. */
static void stretch_time(struct transcription *tr)
{
    double *w0 = program_guess(tr->prog);
    const double T = w0[tr->T], stretch = T / tr->task.grid.horizon;
    for (int i = 0; i < tr->n_interval; i++)
        if (tr->s[i] >= 0)
            program_set_guess(tr->prog, tr->s[i], stretch);
    for (int j = 0; j < tr->n_element; j++) {
        if (!tr->dcs->freezes)
            program_set_guess(tr->prog, tr->h[j], stretch * tr->h0[j]);
        for (int k = 1; k <= tr->n_point && tr->dcs->clock >= 0; k++)
            program_set_guess(tr->prog, tr_y(tr, j, k, tr->dcs->clock), T * tr_fraction(tr, j, k));
    }
}

void tr_apply_guess(struct transcription *tr, const struct guess *guess, bool consistent)
{
    const struct model *model = tr->model;
    for (int k = 0; k < model->n_p && guess; k++)
        program_set_guess(tr->prog, tr->p + k, guess->p[k]);
    if (tr->T >= 0 && guess)
        program_set_guess(tr->prog, tr->T, guess->horizon);
    if (tr->task.optimize && model_lengths_add_up(model))
        stretch_phases(tr);
    else if (tr->T >= 0 && tr->task.optimize)
        stretch_time(tr);
    guess_point(tr, guess, -1, tr_right(tr));
    for (int j = 0; j < tr->n_element; j++)
        for (int k = 1; k <= tr->n_point; k++)
            guess_point(tr, guess, j, k);
    for (int i = 0; i < tr->n_interval && guess; i++) {
        const double middle = 0.5 * (tr_fraction(tr, tr->first[i], 0)
                                     + tr_fraction(tr, tr->first[i] + tr->elements[i] - 1, tr_right(tr)));
        for (int k = 0; k < model->n_u; k++)
            program_set_guess(tr->prog, tr->u[i] + k, interpolate(guess, guess->u, model->n_u, k, middle));
    }
    if (guess && guess->force && tr->dcs->kind == DCS_FORCES)
        guess_forces(tr, guess);
    if (consistent && tr->dcs->kind != DCS_FORCES)
        make_consistent(tr);
    tr_guess_junctions(tr);
    tr_find_sizes(tr);
}
