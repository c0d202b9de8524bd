#include "transcription/judge/numerical_time.h"

#include "core/base/mem.h"
#include "core/model/read/read.h"
#include "core/output/columns.h"
#include "transcription/judge/stored_parts.h"
#include "transcription/method/rk.h"
#include "transcription/method/settings.h"
#include "transcription/record/record.h"

#include <math.h>
#include <stdlib.h>

struct times {                      /* of the file; borrowed */
    int n, n_element, n_interval;
    const double *t, *t_num, *rate; /* [n] */
    const int *element, *stage;
    const unsigned char *is_physical;
    const double *h, *t_start, *t_end, *t_num_start;        /* [n_element] */
    const double *t_interval, *speed;                       /* [n_interval] */
    const double **force;           /* [n_contact] [n] normal forces; owned */
};

/* --- What the file has ---------------------------------------------------------------------------------------- */

/* False: something is missing, or has another length. */
static bool find_times(const struct solution_file *file, struct times *at, struct arena *mem)
{
    const struct result *result = file->result;
    const struct result_data *rate = result_data_of(result, "/trajectory", "dt_dt_num");
    const struct result_data *element = result_data_of(result, "/trajectory", "element");
    const struct result_data *stage = result_data_of(result, "/trajectory", "stage");
    const struct result_data *physical = result_data_of(result, "/trajectory", "is_physical");
    const int n = at->n = rate->n, n_e = at->n_element = result_axis_size(result, "/grid", "element");
    at->n_interval = result_axis_size(result, "/grid", "interval");
    at->rate = rate->d;
    at->t = result_doubles_of(result, "/trajectory", "t", n);
    at->t_num = result_doubles_of(result, "/trajectory", "t_num", n);
    at->h = result_doubles_of(result, "/grid", "h", n_e);
    at->t_start = result_doubles_of(result, "/grid", "t_start", n_e);
    at->t_end = result_doubles_of(result, "/grid", "t_end", n_e);
    at->t_num_start = result_doubles_of(result, "/grid", "t_num_start", n_e);
    at->t_interval = result_doubles_of(result, "/grid", "t_interval", at->n_interval);
    at->speed = result_doubles_of(result, "/grid", "speed_of_time", at->n_interval);
    if (!element || !element->i || !stage || !stage->i || !physical || !physical->flag)
        return false;
    at->element = element->i;
    at->stage = stage->i;
    at->is_physical = physical->flag;
    bool whole = element->n == n && stage->n == n && physical->n == n;
    at->force = arena_alloc(mem, (size_t)file->model->contacts.n_contact, sizeof *at->force);
    for (int c = 0; c < file->model->contacts.n_contact; c++) {
        const char *name = columns_contact_name(&file->model->contacts.contact[c], "lambda", 0, mem);
        at->force[c] = result_doubles_of(result, "/trajectory", name, n);
        whole = whole && at->force[c];
    }
    return whole && at->rate && at->t && at->t_num && at->h && at->t_start && at->t_end && at->t_num_start
           && at->t_interval && at->speed;
}

/* --- Stages and elements -------------------------------------------------------------------------------------- */

/* The scheme of the settings, if its nodes are those of the file; NULL: another one. rk_free afterwards. */
static struct rk *scheme_of(const struct solution_file *file, const struct discretization *settings,
                            struct diag *silent)
{
    const struct result_data *c = result_data_of(file->result, "/grid", "c");
    struct rk *rk = NULL;
    if (!c || !c->d || rk_create((enum rk_family)settings->scheme, c->n, &rk, silent) != STATUS_OK)
        return NULL;
    for (int k = 0; k < c->n; k++)
        if (fabs(c->d[k] - rk->c[k]) > 1e-9) {
            rk_free(rk);
            return NULL;
        }
    return rk;
}

static void judge_elements(const struct times *at, const struct rk *rk, double horizon, struct off *worst)
{
    double *passed = mem_alloc((size_t)at->n_element, sizeof *passed);      /* physical time, by the rates */
    for (int e = 0; e < at->n_element; e++)
        passed[e] = 0;
    for (int k = 0; k < at->n; k++) {
        const int e = at->element[k], stage = at->stage[k];
        if (stage < 0 || stage >= rk->s || e < 0 || e >= at->n_element)
            continue;
        passed[e] += at->h[e] * rk->b[stage] * at->rate[k];
        off_raise(worst, fabs(at->t_num_start[e] + rk->c[stage] * at->h[e] - at->t_num[k]) / horizon, at->t[k],
                  "the numerical time of a stage");
    }
    for (int e = 0; e < at->n_element; e++)
        off_raise(worst, fabs(at->t_end[e] - at->t_start[e] - passed[e]) / horizon, at->t_start[e],
                  "dt_dt_num, summed over an element,");
    free(passed);
}

/* --- Speeds of time ------------------------------------------------------------------------------------------- */

/* Does (5) with (7) hold as it stands? */
static bool has_products(const struct model *model, const struct discretization *settings)
{
    bool has = settings->form == FORM_STEP || model->contacts.n_contact == 1;
    for (int c = 0; c < model->contacts.n_contact; c++)
        has = has && !(model->contacts.contact[c].e > 0);
    return has;
}

static int interval_at(const struct times *at, double t)
{
    int i = 0;
    while (i + 1 < at->n_interval && at->t_interval[i + 1] <= t)
        i++;
    return i;
}

static void judge_speeds(const struct times *at, const struct model *model, double a_n, struct off *worst)
{
    for (int k = 0; k < at->n && at->n_interval > 0; k++) {
        const int e = at->element[k];
        if (!at->is_physical[k] || at->stage[k] < 0 || e < 0 || e >= at->n_element)
            continue;
        const double theta = at->rate[k] / at->speed[interval_at(at, 0.5 * (at->t_start[e] + at->t_end[e]))];
        double free = 1;
        for (int c = 0; c < model->contacts.n_contact; c++)
            free *= 1 - theta * at->force[c][k] / a_n;
        if (!(theta <= RECORD_FROZEN))
            off_raise(worst, fabs(free - theta), at->t[k], "the speed of time");
    }
}

/* --- The whole ------------------------------------------------------------------------------------------------ */

static void judge(const struct solution_file *file, const struct times *at, double horizon, struct off *worst)
{
    struct diag *silent = diag_create();
    struct discretization settings = { 0 };
    const struct setting_eval eval = model_eval(file->model);
    const struct spec_node *block = spec_get(spec_root(file->spec), discretization_table.block);
    if (discretization_read(block, &eval, &settings, silent) == STATUS_OK) {
        struct rk *rk = scheme_of(file, &settings, silent);
        if (rk)
            judge_elements(at, rk, horizon, worst);
        rk_free(rk);
        if (has_products(file->model, &settings))
            judge_speeds(at, file->model, settings.a_n, worst);
    }
    discretization_free(&settings);
    diag_free(silent);
}

void numerical_time_judge(const struct solution_file *file, double tol, struct findings *to)
{
    struct times at = { .n = 0 };
    struct off worst = { .figure = 0 };
    struct arena mem = { NULL };
    if (!result_data_of(file->result, "/trajectory", "dt_dt_num"))
        return;
    if (!find_times(file, &at, &mem))
        off_raise(&worst, INFINITY, 0, "what goes with dt_dt_num, or the speed of time,");
    else
        judge(file, &at, fmax(fabs(file->model->time.horizon), 1e-12), &worst);
    const char *place = arena_printf(&mem, "%s at t = %.6g %s", worst.name ? worst.name : "", worst.t,
                                     file->model->time.unit);
    findings_add(to, &(struct finding){
        "numerical time", worst.figure, tol, worst.figure > 0 ? place : NULL,
        arena_printf(&mem, "%s is off by %.2g: it is not what follows from the clock and the contact forces", place,
                     worst.figure) });
    arena_free(&mem);
}
