#define _POSIX_C_SOURCE 200809L

#include "core/nlp/nlp.h"

#include "core/base/mem.h"
#include "core/kkt/kkt.h"
#include "core/nlp/linear_solver.h"
#include "core/nlp/mumps.h"
#include "core/nlp/options.h"

#include <IpStdCInterface.h>
#include <IpoptConfig.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IPOPT_INFINITY 2e19         /* beyond nlp_upper_bound_inf = 1e19 */
#define WARM_PUSH 1e-12             /* warm starts stay where they are */
#define UNBOUNDED_BELOW (-1e15)     /* an objective that has run away */
#define FIXED_TOL 1e-8              /* violation allowed where every variable is fixed */

/* One call of nlp_solve, as the callbacks see it. */
struct ipopt_run {
    const struct nlp *nlp;
    nlp_monitor *monitor;
    void *monitor_user;
    double start, deadline;         /* on nlp_wall_time's clock */
    struct nlp_info *info;
    bool stale;                     /* the last callback failed, or there was none: its point is not cached */
    bool out_of_time;
};

/* --- Callbacks ---------------------------------------------------------------------------------------------- */

/* Should the callback treat w as new? IPOPT calls a point old even if its evaluation has failed. */
static bool is_new(struct ipopt_run *run, Bool new_x)
{
    return new_x || run->stale;
}

static Bool finish_eval(struct ipopt_run *run, bool ok, double start)
{
    run->stale = !ok;
    run->info->eval_seconds += nlp_wall_time() - start;
    return ok ? TRUE : FALSE;
}

static Bool call_f(Index n, Number *x, Bool new_x, Number *f, UserDataPtr user)
{
    (void)n;
    struct ipopt_run *run = user;
    const double start = nlp_wall_time();
    run->info->n_eval_f++;
    const bool ok = run->nlp->eval_f(run->nlp->user, x, is_new(run, new_x), f);
    return finish_eval(run, ok && isfinite(*f), start);
}

static Bool call_grad(Index n, Number *x, Bool new_x, Number *grad, UserDataPtr user)
{
    (void)n;
    struct ipopt_run *run = user;
    const double start = nlp_wall_time();
    return finish_eval(run, run->nlp->eval_grad(run->nlp->user, x, is_new(run, new_x), grad), start);
}

static Bool call_g(Index n, Number *x, Bool new_x, Index m, Number *g, UserDataPtr user)
{
    (void)n;
    (void)m;
    struct ipopt_run *run = user;
    const double start = nlp_wall_time();
    run->info->n_eval_g++;
    return finish_eval(run, run->nlp->eval_g(run->nlp->user, x, is_new(run, new_x), g), start);
}

/* The triplets in the order of the columns, so that values need no sorting. */
static void list_triplets(const struct sparse *pattern, Index *row, Index *col)
{
    for (int j = 0; j < pattern->n_cols; j++)
        for (int k = pattern->colptr[j]; k < pattern->colptr[j + 1]; k++) {
            row[k] = pattern->rowind[k];
            col[k] = j;
        }
}

static Bool call_jac(Index n, Number *x, Bool new_x, Index m, Index nnz, Index *row, Index *col, Number *val,
                     UserDataPtr user)
{
    (void)n;
    (void)m;
    (void)nnz;
    struct ipopt_run *run = user;
    if (!val) {
        list_triplets(&run->nlp->jac, row, col);
        return TRUE;
    }
    const double start = nlp_wall_time();
    run->info->n_eval_jac++;
    return finish_eval(run, run->nlp->eval_jac(run->nlp->user, x, is_new(run, new_x), val), start);
}

static Bool call_hess(Index n, Number *x, Bool new_x, Number obj_factor, Index m, Number *lambda, Bool new_lambda,
                      Index nnz, Index *row, Index *col, Number *val, UserDataPtr user)
{
    (void)n;
    (void)m;
    (void)new_lambda;
    (void)nnz;
    struct ipopt_run *run = user;
    if (!val) {
        list_triplets(&run->nlp->hess, row, col);
        return TRUE;
    }
    const double start = nlp_wall_time();
    run->info->n_eval_hess++;
    const bool ok = run->nlp->eval_hess(run->nlp->user, x, is_new(run, new_x), obj_factor, lambda, val);
    return finish_eval(run, ok, start);
}

static Bool call_monitor(Index alg_mod, Index iteration, Number f, Number inf_pr, Number inf_du, Number mu,
                         Number d_norm, Number regularization, Number alpha_du, Number alpha_pr, Index ls_trials,
                         UserDataPtr user)
{
    (void)alg_mod;
    (void)d_norm;
    (void)regularization;
    (void)alpha_du;
    (void)alpha_pr;
    (void)ls_trials;
    struct ipopt_run *run = user;
    run->info->iterations = iteration;
    run->info->violation = inf_pr;
    run->info->dual_infeasibility = inf_du;
    run->out_of_time = nlp_wall_time() > run->deadline;
    if (run->out_of_time)
        return FALSE;
    return !run->monitor || run->monitor(run->monitor_user, iteration, f, inf_pr, inf_du, mu) ? TRUE : FALSE;
}

/* --- Options ------------------------------------------------------------------------------------------------ */

static void set_word(IpoptProblem problem, const char *name, const char *word)
{
    AddIpoptStrOption(problem, (char *)name, (char *)word);     /* the C interface forgot its const */
}

static void set_number(IpoptProblem problem, const char *name, double x)
{
    if (!isnan(x))
        AddIpoptNumOption(problem, (char *)name, x);
}

static void set_int(IpoptProblem problem, const char *name, int i)
{
    AddIpoptIntOption(problem, (char *)name, i);
}

static void set_pushes(IpoptProblem problem, const struct nlp_settings *settings)
{
    const double push = settings->push;
    set_number(problem, "bound_push", push);
    set_number(problem, "bound_frac", fmin(push, 0.5));
    set_number(problem, "slack_bound_push", push);
    set_number(problem, "slack_bound_frac", fmin(push, 0.5));
    if (!settings->warm_duals)
        return;
    set_word(problem, "warm_start_init_point", "yes");
    set_number(problem, "warm_start_bound_push", WARM_PUSH);
    set_number(problem, "warm_start_bound_frac", WARM_PUSH);
    set_number(problem, "warm_start_slack_bound_push", WARM_PUSH);
    set_number(problem, "warm_start_slack_bound_frac", WARM_PUSH);
    set_number(problem, "warm_start_mult_bound_push", WARM_PUSH);
}

static void set_own_options(IpoptProblem problem, const struct nlp_settings *settings)
{
    set_word(problem, "sb", "yes");
    set_int(problem, "print_level", settings->print_level);
    set_word(problem, "option_file_name", "");      /* else ipopt.opt of the working directory is read */
    set_int(problem, "mumps_pivot_order", MUMPS_AMD);       /* mumps.h says why */
    set_int(problem, "mumps_permuting_scaling", 0);     /* its permutation delays pivots */
    set_number(problem, "tol", settings->tol);
    set_number(problem, "dual_inf_tol", settings->dual_inf_tol);
    set_number(problem, "constr_viol_tol", settings->constr_viol_tol);
    set_number(problem, "compl_inf_tol", settings->compl_inf_tol);
    set_number(problem, "acceptable_tol", settings->acceptable_tol);
    set_number(problem, "bound_relax_factor", 0.0); /* violation is judged by the bounds as given */
    set_int(problem, "max_iter", settings->max_iter);
    set_word(problem, "mu_strategy", settings->monotone ? "monotone" : "adaptive");
    if (!settings->monotone)
        set_word(problem, "mu_oracle", "quality-function");
    if (settings->mu_init > 0.0)
        set_number(problem, "mu_init", settings->mu_init);
    set_pushes(problem, settings);
}

/* The user's word, or auto. */
static const char *linear_solver_word(const struct nlp_settings *settings)
{
    const char *word = "auto";
    for (int k = 0; k < settings->n_option; k++)
        if (strcmp(settings->option[k].name, "linear_solver") == 0)
            word = settings->option[k].value;
    return word;
}

/* core/kkt where it is wanted and IPOPT takes it, as MA27; else MUMPS or what the user names. */
static bool set_linear_solver(IpoptProblem problem, const struct nlp_settings *settings)
{
    const char *word = linear_solver_word(settings);
    const bool is_auto = strcmp(word, "auto") == 0, own = is_auto && linear_solver_available();
    set_word(problem, "linear_solver", own ? "ma27" : is_auto ? "mumps" : word);
    if (own) {
        set_word(problem, "linear_system_scaling", "none");
        set_number(problem, "ma27_pivtol", KKT_THRESHOLD);
    }
    return own;
}

static enum status set_user_options(IpoptProblem problem, const struct nlp_settings *settings, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int k = 0; k < settings->n_option; k++) {
        const struct nlp_option *option = &settings->option[k];
        struct option_value value;
        if (option_read(option, (struct srcpos){ 0 }, "solver.ipopt", &value, diag) != STATUS_OK)
            st = STATUS_USAGE;
        else if (strcmp(option->name, "linear_solver") == 0)
            continue;                           /* set_linear_solver's */
        else if (value.type == OPTION_WORD)
            set_word(problem, option->name, value.word);
        else if (value.type == OPTION_INT)
            set_int(problem, option->name, value.i);
        else
            set_number(problem, option->name, value.x);
    }
    return st;
}

/* --- Solve -------------------------------------------------------------------------------------------------- */

static double *ipopt_bounds(const double *bound, int n)
{
    double *out = mem_alloc((size_t)n, sizeof *out);
    for (int i = 0; i < n; i++)
        out[i] = fmin(IPOPT_INFINITY, fmax(-IPOPT_INFINITY, bound[i]));
    return out;
}

static IpoptProblem create_problem(const struct nlp *nlp)
{
    double *lbw = ipopt_bounds(nlp->lbw, nlp->n_w), *ubw = ipopt_bounds(nlp->ubw, nlp->n_w);
    double *lbg = ipopt_bounds(nlp->lbg, nlp->n_g), *ubg = ipopt_bounds(nlp->ubg, nlp->n_g);
    IpoptProblem problem = CreateIpoptProblem(nlp->n_w, lbw, ubw, nlp->n_g, lbg, ubg, nlp->jac.nnz, nlp->hess.nnz,
                                              0, call_f, call_g, call_grad, call_jac, call_hess);
    free(lbw);
    free(ubw);
    free(lbg);
    free(ubg);
    if (problem)
        SetIntermediateCallback(problem, call_monitor);
    return problem;
}

static enum nlp_outcome outcome_of(int status, bool out_of_time)
{
    switch (status) {
    case Solve_Succeeded:
    case Feasible_Point_Found:               return NLP_SOLVED;
    case Solved_To_Acceptable_Level:         return NLP_ACCEPTABLE;
    case Infeasible_Problem_Detected:        return NLP_INFEASIBLE;
    case Search_Direction_Becomes_Too_Small: return NLP_SMALL_STEP;
    case Diverging_Iterates:                 return NLP_UNBOUNDED;
    case User_Requested_Stop:                return out_of_time ? NLP_TIME : NLP_INTERRUPTED;
    case Maximum_Iterations_Exceeded:        return NLP_ITERATIONS;
    case Restoration_Failed:                 return NLP_RESTORATION_FAILED;
    case Maximum_CpuTime_Exceeded:
    case -5:                                 return NLP_TIME;       /* maximum wall time, from 3.14 on */
    case Not_Enough_Degrees_Of_Freedom:
    case Invalid_Problem_Definition:
    case Invalid_Option:                     return NLP_REFUSED;
    default:                                 return NLP_NUMERIC;
    }
}

static int count_fixed(const double *lower, const double *upper, int n)
{
    int fixed = 0;
    for (int i = 0; i < n; i++)
        fixed += lower[i] == upper[i];
    return fixed;
}

/* Nothing to optimize: the only point is feasible or it is not. IPOPT does not take such problems. */
static void solve_fixed(const struct nlp *nlp, struct nlp_point *point, struct nlp_info *info)
{
    double *g = mem_alloc((size_t)nlp->n_g, sizeof *g);
    for (int i = 0; i < nlp->n_w; i++)
        point->w[i] = nlp->lbw[i];
    bool ok = nlp->eval_f(nlp->user, point->w, true, &info->f);
    ok = nlp->eval_g(nlp->user, point->w, false, g) && ok;
    for (int i = 0; ok && i < nlp->n_g; i++)
        info->violation = fmax(info->violation, fmax(nlp->lbg[i] - g[i], g[i] - nlp->ubg[i]));
    free(g);
    info->outcome = !ok ? NLP_NUMERIC : info->violation <= FIXED_TOL ? NLP_SOLVED : NLP_INFEASIBLE;
}

/* IPOPT logs to stdout, which belongs to results: while it runs, stdout is stderr. Returns what to restore. */
static int divert_stdout(void)
{
    fflush(stdout);
    const int saved = dup(STDOUT_FILENO);
    if (saved >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        close(saved);
        return -1;
    }
    return saved;
}

static void restore_stdout(int saved)
{
    if (saved < 0)
        return;
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
}

/* Rows of IPOPT's linear system: free variables, slacks of inequalities, multipliers of all constraints. */
static int linear_system_size(const struct nlp *nlp)
{
    const int n_free = nlp->n_w - count_fixed(nlp->lbw, nlp->ubw, nlp->n_w);
    const int n_equal = count_fixed(nlp->lbg, nlp->ubg, nlp->n_g);
    return n_free + (nlp->n_g - n_equal) + nlp->n_g;
}

static void run_ipopt(IpoptProblem problem, struct ipopt_run *run, const struct nlp_settings *settings,
                      struct nlp_point *point)
{
    struct nlp_info *info = run->info;
    struct linear_solver *own = NULL;
    if (set_linear_solver(problem, settings))
        own = linear_solver_begin(linear_system_size(run->nlp), run->nlp->n_g);
    const int saved = settings->print_level > 0 ? divert_stdout() : -1;
    info->solver_status = (int)IpoptSolve(problem, point->w, NULL, &info->f, point->lambda, point->z_lower,
                                          point->z_upper, run);
    restore_stdout(saved);
    if (own)
        info->linear = linear_solver_end(own);
    info->outcome = outcome_of(info->solver_status, run->out_of_time);
    if (info->outcome != NLP_SOLVED && info->f < UNBOUNDED_BELOW)
        info->outcome = NLP_UNBOUNDED;          /* IPOPT itself would go on to 1e20 in w */
}

enum status nlp_solve(const struct nlp *nlp, const struct nlp_settings *settings, struct nlp_point *point,
                      nlp_monitor *monitor, void *monitor_user, struct nlp_info *info, struct diag *diag)
{
    const double start = nlp_wall_time();
    struct ipopt_run run = { .nlp = nlp, .monitor = monitor, .monitor_user = monitor_user, .start = start,
                             .deadline = start + settings->max_seconds, .info = info, .stale = true };
    *info = (struct nlp_info){ .outcome = NLP_REFUSED };
    IpoptProblem problem = create_problem(nlp);
    if (!problem)
        return diag_fail(diag, STATUS_INTERNAL, "IPOPT refused the sizes of the problem");
    set_own_options(problem, settings);
    const enum status st = set_user_options(problem, settings, diag);
    const int n_free = nlp->n_w - count_fixed(nlp->lbw, nlp->ubw, nlp->n_w);
    const int n_equal = count_fixed(nlp->lbg, nlp->ubg, nlp->n_g);
    if (st == STATUS_OK && n_free == 0)
        solve_fixed(nlp, point, info);
    else if (st == STATUS_OK && n_free < n_equal)
        diag_add(diag, DIAG_NOTE, STATUS_INFEASIBLE, (struct srcpos){ 0 }, NULL,
                 "%d equations for %d free variables: the problem is over-determined", n_equal, n_free);
    else if (st == STATUS_OK)
        run_ipopt(problem, &run, settings, point);
    FreeIpoptProblem(problem);
    info->seconds = nlp_wall_time() - start;
    return st;
}

void nlp_add_linear_work(struct nlp_linear_work *sum, const struct nlp_linear_work *work)
{
    sum->n_own += work->n_own;
    sum->n_mumps += work->n_mumps;
    sum->n_stopped += work->n_stopped;
    sum->n_solve += work->n_solve;
    sum->analyse_seconds += work->analyse_seconds;
    sum->factorize_seconds += work->factorize_seconds;
    sum->solve_seconds += work->solve_seconds;
}

const char *nlp_solver_version(void)
{
    return linear_solver_available() ? "IPOPT " IPOPT_VERSION ", linear solver core/kkt"
                                     : "IPOPT " IPOPT_VERSION ", linear solver MUMPS";
}
