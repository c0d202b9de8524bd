#include "core/nlp/ipopt.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/nlp/linear_solver.h"
#include "core/nlp/stall.h"

#include <IpStdCInterface.h>
#include <IpoptConfig.h>

#include <math.h>
#include <stdlib.h>

#define IPOPT_INFINITY 2e19         /* beyond nlp_upper_bound_inf = 1e19 */

struct ipopt {
    IpoptProblem problem;
    const struct nlp *nlp;
    nlp_monitor *monitor;
    void *monitor_user;
    double deadline;                /* on the clock of clock_seconds */
    struct nlp_info *info;
    bool stale;                     /* the last callback failed, or there was none: its point is not cached */
    bool out_of_time;
    struct stall stall;
    bool stalled;
};

/* --- Callbacks ---------------------------------------------------------------------------------------------- */

/* Should the callback treat w as new? IPOPT calls a point old even if its evaluation has failed. */
static bool is_new(struct ipopt *ipopt, Bool new_x)
{
    return new_x || ipopt->stale;
}

static Bool finish_eval(struct ipopt *ipopt, bool ok, double start)
{
    ipopt->stale = !ok;
    ipopt->info->eval_seconds += clock_seconds() - start;
    return ok ? TRUE : FALSE;
}

static Bool call_f(int n, double *x, Bool new_x, double *f, UserDataPtr user)
{
    (void)n;
    struct ipopt *ipopt = user;
    const double start = clock_seconds();
    ipopt->info->n_eval_f++;
    const bool ok = ipopt->nlp->eval_f(ipopt->nlp->user, x, is_new(ipopt, new_x), f);
    return finish_eval(ipopt, ok && isfinite(*f), start);
}

static Bool call_grad(int n, double *x, Bool new_x, double *grad, UserDataPtr user)
{
    (void)n;
    struct ipopt *ipopt = user;
    const double start = clock_seconds();
    return finish_eval(ipopt, ipopt->nlp->eval_grad(ipopt->nlp->user, x, is_new(ipopt, new_x), grad), start);
}

static Bool call_g(int n, double *x, Bool new_x, int m, double *g, UserDataPtr user)
{
    (void)n, (void)m;
    struct ipopt *ipopt = user;
    const double start = clock_seconds();
    ipopt->info->n_eval_g++;
    return finish_eval(ipopt, ipopt->nlp->eval_g(ipopt->nlp->user, x, is_new(ipopt, new_x), g), start);
}

/* The triplets in the order of the columns, so that values need no sorting. */
static void list_triplets(const struct sparse *pattern, int *row, int *col)
{
    for (int j = 0; j < pattern->n_cols; j++)
        for (int k = pattern->colptr[j]; k < pattern->colptr[j + 1]; k++) {
            row[k] = pattern->rowind[k];
            col[k] = j;
        }
}

static Bool call_jac(int n, double *x, Bool new_x, int m, int nnz, int *row, int *col, double *val,
                     UserDataPtr user)
{
    (void)n, (void)m, (void)nnz;
    struct ipopt *ipopt = user;
    if (!val) {
        list_triplets(&ipopt->nlp->jac, row, col);
        return TRUE;
    }
    const double start = clock_seconds();
    ipopt->info->n_eval_jac++;
    return finish_eval(ipopt, ipopt->nlp->eval_jac(ipopt->nlp->user, x, is_new(ipopt, new_x), val), start);
}

static Bool call_hess(int n, double *x, Bool new_x, double obj_factor, int m, double *lambda, Bool new_lambda,
                      int nnz, int *row, int *col, double *val, UserDataPtr user)
{
    (void)n, (void)m, (void)new_lambda, (void)nnz;
    struct ipopt *ipopt = user;
    if (!val) {
        list_triplets(&ipopt->nlp->hess, row, col);
        return TRUE;
    }
    const double start = clock_seconds();
    ipopt->info->n_eval_hess++;
    const bool ok = ipopt->nlp->eval_hess(ipopt->nlp->user, x, is_new(ipopt, new_x), obj_factor, lambda, val);
    return finish_eval(ipopt, ok, start);
}

static Bool call_monitor(int alg_mod, int iteration, double f, double inf_pr, double inf_du, double mu,
                         double d_norm, double regularization, double alpha_du, double alpha_pr, int ls_trials,
                         UserDataPtr user)
{
    (void)alg_mod, (void)d_norm, (void)regularization, (void)alpha_du, (void)alpha_pr, (void)ls_trials;
    struct ipopt *ipopt = user;
    ipopt->info->iterations = iteration;
    ipopt->info->violation = inf_pr;
    ipopt->info->dual_infeasibility = inf_du;
    ipopt->out_of_time = clock_seconds() > ipopt->deadline;
    ipopt->stalled = stall_watch(&ipopt->stall, iteration, inf_pr) || linear_solver_is_swamped();
    if (ipopt->out_of_time || ipopt->stalled || stop_asked())
        return FALSE;
    return !ipopt->monitor || ipopt->monitor(ipopt->monitor_user, iteration, f, inf_pr, inf_du, mu) ? TRUE : FALSE;
}

/* --- Options: the C interface forgot its const --------------------------------------------------------------- */

bool ipopt_set_word(struct ipopt *ipopt, const char *name, const char *word)
{
    return AddIpoptStrOption(ipopt->problem, (char *)name, (char *)word);
}

bool ipopt_set_number(struct ipopt *ipopt, const char *name, double x)
{
    return isnan(x) || AddIpoptNumOption(ipopt->problem, (char *)name, x);
}

bool ipopt_set_int(struct ipopt *ipopt, const char *name, int i)
{
    return AddIpoptIntOption(ipopt->problem, (char *)name, i);
}

/* --- A run --------------------------------------------------------------------------------------------------- */

static double *ipopt_bounds(struct arena *mem, const double *bound, int n)
{
    double *out = arena_alloc(mem, (size_t)n, sizeof *out);
    for (int i = 0; i < n; i++)
        out[i] = fmin(IPOPT_INFINITY, fmax(-IPOPT_INFINITY, bound[i]));
    return out;
}

struct ipopt *ipopt_create(const struct nlp *nlp)
{
    struct ipopt *ipopt = mem_alloc(1, sizeof *ipopt);
    struct arena mem = { NULL };
    ipopt->nlp = nlp;
    ipopt->problem = CreateIpoptProblem(
        nlp->n_w, ipopt_bounds(&mem, nlp->lbw, nlp->n_w), ipopt_bounds(&mem, nlp->ubw, nlp->n_w), nlp->n_g,
        ipopt_bounds(&mem, nlp->lbg, nlp->n_g), ipopt_bounds(&mem, nlp->ubg, nlp->n_g), nlp->jac.nnz,
        nlp->hess.nnz, 0, call_f, call_g, call_grad, call_jac, call_hess);
    arena_free(&mem);
    if (!ipopt->problem) {
        free(ipopt);
        return NULL;
    }
    SetIntermediateCallback(ipopt->problem, call_monitor);
    return ipopt;
}

void ipopt_free(struct ipopt *ipopt)
{
    if (!ipopt)
        return;
    FreeIpoptProblem(ipopt->problem);
    free(ipopt);
}

/* Of a run that was stopped in its callback. */
static enum nlp_outcome outcome_of_stop(const struct ipopt *ipopt)
{
    return ipopt->out_of_time ? NLP_TIME : ipopt->stalled ? NLP_ITERATIONS : NLP_INTERRUPTED;
}

static enum nlp_outcome outcome_of(const struct ipopt *ipopt, int status)
{
    switch (status) {
    case Solve_Succeeded:
    case Feasible_Point_Found:               return NLP_SOLVED;
    case Solved_To_Acceptable_Level:         return NLP_ACCEPTABLE;
    case Infeasible_Problem_Detected:        return NLP_INFEASIBLE;
    case Search_Direction_Becomes_Too_Small: return NLP_SMALL_STEP;
    case Diverging_Iterates:                 return NLP_UNBOUNDED;
    case User_Requested_Stop:                return outcome_of_stop(ipopt);
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

void ipopt_solve(struct ipopt *ipopt, struct nlp_point *point, nlp_monitor *monitor, void *monitor_user,
                 double deadline, int patience, struct nlp_info *info)
{
    ipopt->monitor = monitor;
    ipopt->monitor_user = monitor_user;
    ipopt->deadline = deadline;
    ipopt->info = info;
    ipopt->stale = true;
    ipopt->out_of_time = ipopt->stalled = false;
    ipopt->stall = stall_begin(patience);
    info->solver_status = (int)IpoptSolve(ipopt->problem, point->w, NULL, &info->f, point->lambda, point->z_lower,
                                          point->z_upper, ipopt);
    info->outcome = outcome_of(ipopt, info->solver_status);
    if (stop_asked() && info->outcome != NLP_SOLVED)        /* whatever it made of a factorization that was cut short */
        info->outcome = NLP_INTERRUPTED;
}

const char *nlp_solver_version(void)
{
    return linear_solver_available() ? "IPOPT " IPOPT_VERSION ", linear solver core/kkt"
                                     : "IPOPT " IPOPT_VERSION ", linear solver MUMPS";
}
