/* core/nlp/solve.c - nlp_solve: the settings as options of IPOPT, and what IPOPT cannot be asked */
#define _POSIX_C_SOURCE 200809L

#include "core/nlp/nlp.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/kkt/kkt.h"
#include "core/nlp/ipopt.h"
#include "core/nlp/linear_solver.h"
#include "core/nlp/mumps.h"
#include "core/nlp/options.h"
#include "core/nlp/scaled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WARM_PUSH 1e-12             /* warm starts stay where they are */
#define UNBOUNDED_BELOW (-1e15)     /* an objective that has run away */
#define FIXED_TOL 1e-8              /* violation allowed where every variable is fixed */

/* --- Options ------------------------------------------------------------------------------------------------ */

static void set_pushes(struct ipopt *ipopt, const struct nlp_settings *settings)
{
    const double push = settings->push;
    ipopt_set_number(ipopt, "bound_push", push);
    ipopt_set_number(ipopt, "bound_frac", fmin(push, 0.5));
    ipopt_set_number(ipopt, "slack_bound_push", push);
    ipopt_set_number(ipopt, "slack_bound_frac", fmin(push, 0.5));
    if (!settings->warm_duals)
        return;
    const double warm = settings->warm_push > 0 ? settings->warm_push : WARM_PUSH;
    ipopt_set_word(ipopt, "warm_start_init_point", "yes");
    ipopt_set_number(ipopt, "warm_start_bound_push", warm);
    ipopt_set_number(ipopt, "warm_start_bound_frac", fmin(warm, 0.5));
    ipopt_set_number(ipopt, "warm_start_slack_bound_push", warm);
    ipopt_set_number(ipopt, "warm_start_slack_bound_frac", fmin(warm, 0.5));
    ipopt_set_number(ipopt, "warm_start_mult_bound_push", warm);
}

static void set_own_options(struct ipopt *ipopt, const struct nlp_settings *settings)
{
    ipopt_set_word(ipopt, "sb", "yes");
    ipopt_set_int(ipopt, "print_level", settings->print_level);
    ipopt_set_word(ipopt, "option_file_name", "");      /* else ipopt.opt of the working directory is read */
    ipopt_set_int(ipopt, "mumps_pivot_order", MUMPS_AMD);       /* mumps.h says why */
    ipopt_set_int(ipopt, "mumps_permuting_scaling", 0);     /* its permutation delays pivots */
    ipopt_set_number(ipopt, "tol", settings->tol);
    ipopt_set_number(ipopt, "dual_inf_tol", settings->dual_inf_tol);
    ipopt_set_number(ipopt, "constr_viol_tol", settings->constr_viol_tol);
    ipopt_set_number(ipopt, "compl_inf_tol", settings->compl_inf_tol);
    ipopt_set_number(ipopt, "acceptable_tol", settings->acceptable_tol);
    ipopt_set_number(ipopt, "bound_relax_factor", 0.0); /* violation is judged by the bounds as given */
    ipopt_set_int(ipopt, "max_iter", settings->max_iter);
    ipopt_set_word(ipopt, "mu_strategy", settings->monotone ? "monotone" : "adaptive");
    if (!settings->monotone)
        ipopt_set_word(ipopt, "mu_oracle", "quality-function");
    if (settings->mu_init > 0.0)
        ipopt_set_number(ipopt, "mu_init", settings->mu_init);
    if (settings->mu_target > 0.0)
        ipopt_set_number(ipopt, "mu_target", settings->mu_target);
    set_pushes(ipopt, settings);
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
static bool set_linear_solver(struct ipopt *ipopt, const struct nlp_settings *settings)
{
    const char *word = linear_solver_word(settings);
    const bool is_auto = strcmp(word, "auto") == 0, own = is_auto && linear_solver_available();
    ipopt_set_word(ipopt, "linear_solver", own ? "ma27" : is_auto ? "mumps" : word);
    if (own) {
        ipopt_set_word(ipopt, "linear_system_scaling", "none");
        ipopt_set_number(ipopt, "ma27_pivtol", KKT_THRESHOLD);
    }
    return own;
}

static enum status set_user_options(struct ipopt *ipopt, const struct nlp_settings *settings, struct diag *diag)
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
            ipopt_set_word(ipopt, option->name, value.word);
        else if (value.type == OPTION_INT)
            ipopt_set_int(ipopt, option->name, value.i);
        else
            ipopt_set_number(ipopt, option->name, value.x);
    }
    return st;
}

/* --- Solve -------------------------------------------------------------------------------------------------- */

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

struct nlp_memory { struct linear_solver *linear; };

struct nlp_memory *nlp_memory_create(void)
{
    struct nlp_memory *memory = mem_alloc(1, sizeof *memory);
    memory->linear = linear_solver_create();
    return memory;
}

void nlp_memory_free(struct nlp_memory *memory)
{
    if (!memory)
        return;
    linear_solver_free(memory->linear);
    free(memory);
}

/* A user who says how many iterations there may be has them. */
static int patience_of(const struct nlp_settings *settings)
{
    int patience = settings->patience;
    for (int k = 0; k < settings->n_option; k++)
        if (strcmp(settings->option[k].name, "max_iter") == 0)
            patience = 0;
    return patience;
}

/* With IPOPT's log on stderr, and core/kkt where it is wanted. */
static void run_ipopt(struct ipopt *ipopt, const struct nlp *nlp, const struct nlp_settings *settings,
                      struct nlp_point *point, nlp_monitor *monitor, void *monitor_user, double deadline,
                      struct nlp_info *info)
{
    struct nlp_memory *memory = settings->memory ? settings->memory : nlp_memory_create();
    const bool own = set_linear_solver(ipopt, settings);
    if (own)
        linear_solver_begin(memory->linear, linear_system_size(nlp), nlp->n_g);
    const int saved = settings->print_level > 0 ? divert_stdout() : -1;
    ipopt_solve(ipopt, point, monitor, monitor_user, deadline, patience_of(settings), info);
    restore_stdout(saved);
    if (own)
        info->linear = linear_solver_end(memory->linear);
    info->linear.entries = (double)info->iterations * (nlp->jac.nnz + nlp->hess.nnz);
    if (!settings->memory)
        nlp_memory_free(memory);
    if (info->outcome != NLP_SOLVED && info->f < UNBOUNDED_BELOW)
        info->outcome = NLP_UNBOUNDED;          /* IPOPT itself would go on to 1e20 in w */
}

static enum status solve_plain(const struct nlp *nlp, const struct nlp_settings *settings, struct nlp_point *point,
                               nlp_monitor *monitor, void *monitor_user, struct nlp_info *info, struct diag *diag)
{
    const double start = clock_seconds();
    *info = (struct nlp_info){ .outcome = NLP_REFUSED };
    struct ipopt *ipopt = ipopt_create(nlp);
    if (!ipopt)
        return diag_fail(diag, STATUS_INTERNAL, "IPOPT refused the sizes of the problem");
    set_own_options(ipopt, settings);
    const enum status st = set_user_options(ipopt, settings, diag);
    const int n_free = nlp->n_w - count_fixed(nlp->lbw, nlp->ubw, nlp->n_w);
    const int n_equal = count_fixed(nlp->lbg, nlp->ubg, nlp->n_g);
    if (st == STATUS_OK && n_free == 0)
        solve_fixed(nlp, point, info);
    else if (st == STATUS_OK && n_free < n_equal)
        diag_add(diag, DIAG_NOTE, STATUS_INFEASIBLE, (struct srcpos){ 0 }, NULL,
                 "%d equations for %d free variables: the problem is over-determined", n_equal, n_free);
    else if (st == STATUS_OK)
        run_ipopt(ipopt, nlp, settings, point, monitor, monitor_user, start + settings->max_seconds, info);
    ipopt_free(ipopt);
    info->seconds = clock_seconds() - start;
    return st;
}

/* What a monitor sees of a run in other units: the cost is that of the program. */
struct watched { nlp_monitor *monitor; void *user; double f; };

static bool watch_scaled(void *user, int iteration, double f, double violation, double dual_inf, double mu)
{
    const struct watched *watched = user;
    return watched->monitor(watched->user, iteration, watched->f * f, violation, dual_inf, mu);
}

enum status nlp_solve(const struct nlp *nlp, const struct nlp_settings *settings, struct nlp_point *point,
                      nlp_monitor *monitor, void *monitor_user, struct nlp_info *info, struct diag *diag)
{
    if (!nlp->sizes)
        return solve_plain(nlp, settings, point, monitor, monitor_user, info, diag);
    struct scaled *scaled = scaled_create(nlp);
    struct watched watched = { monitor, monitor_user, nlp->sizes->f };
    scaled_enter(scaled, point);
    const enum status st =
        solve_plain(scaled_nlp(scaled), settings, point, monitor ? watch_scaled : NULL, &watched, info, diag);
    scaled_leave(scaled, point);
    info->f *= nlp->sizes->f;
    scaled_free(scaled);
    return st;
}

/* --- Of runs ------------------------------------------------------------------------------------------------- */

const char *nlp_outcome_text(enum nlp_outcome outcome)
{
    switch (outcome) {
    case NLP_SOLVED:             return "solved";
    case NLP_ACCEPTABLE:         return "acceptable";
    case NLP_INFEASIBLE:         return "infeasible";
    case NLP_SMALL_STEP:         return "small step";
    case NLP_UNBOUNDED:          return "unbounded";
    case NLP_ITERATIONS:         return "iteration limit";
    case NLP_TIME:               return "time limit";
    case NLP_RESTORATION_FAILED: return "restoration failed";
    case NLP_NUMERIC:            return "numerical failure";
    case NLP_INTERRUPTED:        return "interrupted";
    case NLP_REFUSED:            return "refused";
    }
    return "unknown";
}

void nlp_add_linear_work(struct nlp_linear_work *sum, const struct nlp_linear_work *work)
{
    sum->entries += work->entries;
    sum->n_own += work->n_own;
    sum->n_mumps += work->n_mumps;
    sum->n_broken += work->n_broken;
    sum->n_inexact += work->n_inexact;
    sum->n_stopped += work->n_stopped;
    sum->n_solve += work->n_solve;
    sum->analyse_seconds += work->analyse_seconds;
    sum->factorize_seconds += work->factorize_seconds;
    sum->solve_seconds += work->solve_seconds;
}
