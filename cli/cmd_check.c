#include "cli/commands.h"
#include "cli/problem.h"
#include "transcription/program/check.h"
#include "transcription/start/guess.h"

#include <math.h>
#include <stdlib.h>

#define DERIVATIVE_TOL 1e-6         /* central differences are good for about 1e-9, relative to a row's terms */

/* What the checks came to. */
struct findings {
    bool is_discretized;            /* a method that is built was given */
    int n_w, n_g, n_pair;
    struct derivative_check derivatives;
};

/* The grid of the problem, or one step of a simulation where the spec has no control intervals. */
static struct transcription_task make_task(const struct problem *problem)
{
    const struct model *model = problem->model;
    const bool optimize = model->n_intervals > 0;
    const double dead_band = problem->discretization.dead_band;
    return (struct transcription_task){
        .grid = {.n_interval = optimize ? model->n_intervals : 1, .elements = model->elements,
                 .horizon = model->horizon},
        .optimize = optimize,
        .end = optimize ? END_ON_GRID : END_OF_NUMERICAL_TIME,
        .dead_band = isfinite(dead_band) ? dead_band : 0,
    };
}

/* Is everything finite at the guess? If not, names the expression and its inputs. */
static enum status check_guess(struct transcription *tr, struct diag *diag)
{
    struct mpcc_label label;
    struct srcpos pos;
    char text[512];
    if (!program_trace(tr->prog, tr->mpcc.w0, &label, &pos, text, sizeof text))
        return STATUS_OK;
    return diag_error(diag, pos, label.path, "at the guess, in %s: %s", label.name, text);
}

static enum status check_derivatives(const struct transcription *tr, struct findings *findings, struct diag *diag)
{
    const struct mpcc *mpcc = &tr->mpcc;
    const struct derivative_check check = derivative_check(&mpcc->nlp, mpcc->w0, 3, 1);
    findings->derivatives = check;
    if (!check.finite)                  /* near the guess, not at it: a domain ends there, which is no mistake */
        return STATUS_OK;
    if (!(check.grad <= DERIVATIVE_TOL && check.jac <= DERIVATIVE_TOL && check.hess <= DERIVATIVE_TOL))
        return diag_fail(diag, STATUS_NUMERIC, "derivatives and central differences differ: gradient %.1e, "
                         "Jacobian %.1e (%s), Hessian %.1e (%s)", check.grad, check.jac,
                         check.jac_row >= 0 ? mpcc->row[check.jac_row].name : "", check.hess,
                         check.hess_var >= 0 ? mpcc->var[check.hess_var].name : "");
    return STATUS_OK;
}

static enum status check_discretized(struct problem *problem, struct findings *findings, struct diag *diag)
{
    const int method = problem->discretization.method;
    if (method == METHOD_UNSET)      /* nothing to discretize with */
        return STATUS_OK;
    struct transcription *tr = NULL;
    const struct transcription_task task = make_task(problem);
    enum status st = transcription_create(problem->model, &problem->discretization, &task, &tr, diag);
    if (st == STATUS_OK) {
        struct guess *guess = guess_from_waypoints(problem->model);
        tr_apply_guess(tr, guess, false);
        guess_free(guess);
        findings->is_discretized = true;
        findings->n_w = tr->mpcc.nlp.n_w;
        findings->n_g = tr->mpcc.nlp.n_g;
        findings->n_pair = tr->mpcc.n_pair;
        st = check_guess(tr, diag);
    }
    if (st == STATUS_OK)
        st = check_derivatives(tr, findings, diag);
    transcription_free(tr);
    return st;
}

static const char *type_text(enum model_type type)
{
    switch (type) {
    case MODEL_ODE:        return "ode";
    case MODEL_MECHANICAL: return "mechanical";
    case MODEL_PIECEWISE:  return "piecewise";
    }
    return "";
}

static void print_findings(const struct cli_args *args, const struct problem *problem,
                           const struct findings *findings)
{
    const struct model *model = problem->model;
    const struct derivative_check *d = &findings->derivatives;
    printf("%s: no findings\n", args->input[0]);
    printf("  model        %s, states %d, controls %d, contacts %d, constraints %d\n", type_text(model->type),
           model->n_x, model->n_u, model->n_contact, model->n_constraint);
    if (!findings->is_discretized)
        return;
    printf("  program      %s, variables %d, constraints %d, pairs %d\n",
           method_name((enum method)problem->discretization.method), findings->n_w, findings->n_g, findings->n_pair);
    if (d->finite)
        printf("  derivatives  off central differences by %.1e (gradient), %.1e (Jacobian), %.1e (Hessian)\n", d->grad,
               d->jac, d->hess);
    else
        printf("  derivatives  not compared: values near the guess are not finite\n");
}

static void print_resolved(const struct problem *problem)
{
    char *text = problem_resolved(problem);
    fputs(text, stdout);
    free(text);
}

enum status cmd_check(const struct cli_args *args, struct diag *diag)
{
    struct problem problem;
    struct findings findings = {.is_discretized = false};
    enum status st = problem_read(args, MODEL_FOR_CHECK, &problem, diag);
    if (st == STATUS_OK && args->resolved)
        print_resolved(&problem);
    else if (st == STATUS_OK)
        st = check_discretized(&problem, &findings, diag);
    if (st == STATUS_OK && !args->resolved && args->verbosity >= 0)
        print_findings(args, &problem, &findings);
    problem_free(&problem);
    return st;
}
