/* The program that a file's solution solved, and its solution again: values and multipliers
 * of all variables and rows. */
#include "transcription/given/given.h"

#include "core/base/mem.h"
#include "transcription/finish/better.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GIVEN_SOLVED 1e-8           /* error of its conditions, scaled as IPOPT's, below which a given point is a solution */

/* --- Reading ------------------------------------------------------------------------------------------------- */

static const int *ints(const struct result *file, const char *path, const char *name, int n)
{
    const struct result_data *data = result_data_of(file, path, name);
    return data && data->n == n ? data->i : NULL;
}

/* The grid of the program and the points between its stages that it was held at. */
static bool read_grid(const struct result *file, struct given_program *out)
{
    const struct result_group *group = result_find(file, "/phases");
    const int n = result_axis_size(file, "/phases", "check");
    const int *element = n > 0 ? ints(file, "/phases", "check_element", n) : NULL;
    const double *part = n > 0 ? result_doubles_of(file, "/phases", "check_part", n) : NULL;
    const int *contact = n > 0 ? ints(file, "/phases", "check_contact", n) : NULL;
    const double *clear = n > 0 ? result_doubles_of(file, "/phases", "check_clear", n) : NULL;
    const int n_end = result_axis_size(file, "/phases", "element");
    out->grid.end = n_end > 0 ? result_doubles_of(file, "/phases", "element_end", n_end) : NULL;
    out->grid.n_end = out->grid.end ? n_end : 0;
    out->grid.stages = result_get_int(group, "stages", 0);
    out->grid.elements = result_get_int(group, "elements", 0);
    out->grid.yield = fmax(result_get_double(group, "slip_yield"), 0);   /* NAN: 0 */
    const char *scheme = result_get_text(group, "scheme");
    out->grid.scheme = scheme && strcmp(scheme, rk_name(RK_GAUSS_LEGENDRE)) == 0 ? RK_GAUSS_LEGENDRE : RK_RADAU_IIA;
    if (out->grid.stages < 1 || out->grid.elements < 1 || (n > 0 && (!element || !part)))
        return false;
    out->grid.n_check = n > 0 ? n : 0;
    out->check = mem_alloc((size_t)out->grid.n_check, sizeof *out->check);
    for (int k = 0; k < out->grid.n_check; k++)
        out->check[k] = (struct phase_check){ element[k], part[k], contact ? contact[k] : -1, clear ? clear[k] : 0 };
    out->grid.check = out->check;
    return true;
}

struct given_program given_program_read(const struct result *file)
{
    struct given_program read = { .n_w = 0 }, *out = &read;
    static const char *const rows = "/grid/rows", *const variables = "/grid/variables";
    const struct result_data *name = result_data_of(file, "/residuals", "name");
    const int n_w = result_axis_size(file, variables, "variable"), n_g = result_axis_size(file, rows, "row");
    if (n_w < 1 || n_g < 1 || !name || !name->text || !read_grid(file, out))
        return read;
    out->name = name->text;
    out->w_name = ints(file, variables, "constraint", n_w);
    out->w_interval = ints(file, variables, "interval", n_w);
    out->w_element = ints(file, variables, "element", n_w);
    out->w_stage = ints(file, variables, "stage", n_w);
    out->g_name = ints(file, rows, "constraint", n_g);
    out->g_interval = ints(file, rows, "interval", n_g);
    out->g_element = ints(file, rows, "element", n_g);
    out->g_stage = ints(file, rows, "stage", n_g);
    out->w = result_doubles_of(file, variables, "value", n_w);
    out->z = result_doubles_of(file, variables, "multiplier", n_w);
    out->lambda = result_doubles_of(file, rows, "multiplier", n_g);
    if (out->w_name && out->w_interval && out->w_element && out->w_stage && out->g_name && out->g_interval
        && out->g_element && out->g_stage && out->w && out->z && out->lambda) {
        out->n_w = n_w;
        out->n_g = n_g;
    }
    return read;
}

/* --- The same program again ---------------------------------------------------------------------------------- */

struct given_start { double objective, violation; };            /* before the first iteration */

static bool same_labels(const struct given_program *program, const struct mpcc_label *label, int n, const int *name,
                        const int *interval, const int *element, const int *stage)
{
    for (int k = 0; k < n; k++)
        if (label[k].interval != interval[k] || label[k].element != element[k] || label[k].stage != stage[k]
            || strcmp(label[k].name, program->name[name[k]]) != 0)
            return false;
    return true;
}

static bool is_same_program(const struct given_program *program, const struct mpcc *mpcc)
{
    return program->n_w == mpcc->nlp.n_w && program->n_g == mpcc->nlp.n_g
           && same_labels(program, mpcc->var, mpcc->nlp.n_w, program->w_name, program->w_interval,
                          program->w_element, program->w_stage)
           && same_labels(program, mpcc->row, mpcc->nlp.n_g, program->g_name, program->g_interval,
                          program->g_element, program->g_stage);
}

/* Is a point with this objective and violation worth less than the one it started from? */
static bool is_worse(const struct finish *out, const struct given_start *start)
{
    return start->violation <= FINISH_VIOLATION_OK
           && (!out->solved || above(out->objective, start->objective, margins.same));
}

static void set_point(const struct given_program *program, struct finish *out)
{
    finish_set_point(out, program->w, program->lambda, program->z);
}

/* The scale of errors that are made of multipliers, as IPOPT's: their mean, at least 100, in hundreds. */
static double scale_of(const struct given_program *program)
{
    double sum = 0;
    for (int k = 0; k < program->n_g; k++)
        sum += fabs(program->lambda[k]);
    for (int k = 0; k < program->n_w; k++)
        sum += fabs(program->z[k]);
    return fmax(100, sum / (program->n_g + program->n_w)) / 100;
}

/* A multiplier (of an upper bound positive) times the slack of its bound. */
static double product(double multiplier, double value, double lower, double upper)
{
    const double slack = multiplier > 0 ? upper - value : value - lower;
    return multiplier == 0 || lower == upper ? 0 : fabs(multiplier) * fmax(slack, 0);
}

/* Are the conditions of a solution met at the file's point, to the tolerance of the solver? Then the problem is the
 * one that it solved, and there is nothing to do: even a barrier as small as that of the end moves degenerate
 * solutions. */
static bool solves_already(const struct finish *out, const struct given_program *program)
{
    const struct nlp *nlp = &out->ph->mpcc.nlp;
    struct arena mem = { NULL };
    double *gradient = arena_alloc(&mem, (size_t)nlp->n_w, sizeof *gradient),
           error = mpcc_violation(&out->ph->mpcc, out->w);
    double *jac = arena_alloc(&mem, (size_t)nlp->jac.nnz, sizeof *jac),
           *g = arena_alloc(&mem, (size_t)nlp->n_g, sizeof *g);
    const bool known = nlp->eval_grad(nlp->user, out->w, true, gradient)
                       && nlp->eval_jac(nlp->user, out->w, false, jac) && nlp->eval_g(nlp->user, out->w, false, g);
    const double scale = scale_of(program);
    for (int k = 0; k < nlp->n_w && known; k++) {
        double dual = gradient[k] + program->z[k];
        for (int e = nlp->jac.colptr[k]; e < nlp->jac.colptr[k + 1]; e++)
            dual += jac[e] * program->lambda[nlp->jac.rowind[e]];
        error = fmax(error, fabs(dual) / scale);
        error = fmax(error, product(program->z[k], out->w[k], nlp->lbw[k], nlp->ubw[k]) / scale);
    }
    for (int k = 0; k < nlp->n_g && known; k++)
        error = fmax(error, product(program->lambda[k], g[k], nlp->lbg[k], nlp->ubg[k]) / scale);
    arena_free(&mem);
    return known && error <= GIVEN_SOLVED && phases_final_error(out->ph, out->w) <= FINAL_MISSED;
}

/* From the file's point; then, with a larger barrier and without its multipliers. What is worse than the
 * point itself does not count. */
static enum status solve_from_point(const struct finish_task *task, const struct given_program *program,
                                    const struct given_start *start, struct finish *out, struct diag *diag)
{
    enum status st = finish_run(task, FINISH_SAME, GIVEN_MAX_ITER, out, diag);
    if (st == STATUS_OK && (!out->solved || is_worse(out, start))) {
        set_point(program, out);
        st = finish_run(task, FINISH_WARM, FINISH_MAX_ITER, out, diag);
    }
    return st;
}

enum status given_solve(const struct finish_task *task, const struct given *given, bool *is_kept,
                        struct finish *out, struct diag *diag)
{
    const struct given_program *program = &given->program;
    struct finish_task again = *task;
    *out = (struct finish){ .objective = NAN, .violation = INFINITY };
    *is_kept = false;
    if (program->n_w == 0)
        return STATUS_OK;
    again.grid = program->grid;
    again.grid.free_intervals = task->grid.free_intervals;
    again.grid.value = task->grid.value;
    enum status st = finish_build(&again, given->found.seq, given->found.samples, out, diag);
    if (st != STATUS_OK || !is_same_program(program, &out->ph->mpcc)) {
        finish_free(out);
        return st;
    }
    set_point(program, out);
    const struct given_start start = { program_cost(out->ph->prog, out->w), mpcc_violation(&out->ph->mpcc, out->w) };
    if (solves_already(out, program)) {
        out->solved = true;
        out->outcome = NLP_SOLVED;
        out->objective = start.objective;
        out->violation = start.violation;
        return st;
    }
    st = solve_from_point(&again, program, &start, out, diag);
    if (st != STATUS_OK || !is_worse(out, &start))
        return st;
    set_point(program, out);
    out->solved = *is_kept = true;
    out->objective = start.objective;
    out->violation = start.violation;
    return st;
}
