#include "core/nlp/options.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum open_ends { OPEN_NONE, OPEN_MIN, OPEN_MAX, OPEN_BOTH };

struct option_key {
    const char *name;
    enum option_type type;
    double min, max;
    enum open_ends open;
    const char *words;              /* allowed ones, separated by blanks; NULL for numbers */
};

#define YES_NO "no yes"

/* Names, types and ranges as IPOPT 3.11.9 documents them (print_options_documentation). Of the linear solvers
 * only the one that is always compiled in. */
static const struct option_key known_options[] = {
    { "accept_after_max_steps", OPTION_INT, -1, INFINITY, OPEN_NONE, NULL },
    { "accept_every_trial_step", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "acceptable_compl_inf_tol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "acceptable_constr_viol_tol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "acceptable_dual_inf_tol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "acceptable_iter", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "acceptable_obj_change_tol", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "acceptable_tol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "adaptive_mu_globalization", OPTION_WORD, 0, 0, OPEN_NONE,
      "kkt-error obj-constr-filter never-monotone-mode" },
    { "adaptive_mu_kkt_norm_type", OPTION_WORD, 0, 0, OPEN_NONE, "1-norm 2-norm-squared max-norm 2-norm" },
    { "adaptive_mu_kkterror_red_fact", OPTION_NUMBER, 0, 1, OPEN_BOTH, NULL },
    { "adaptive_mu_kkterror_red_iters", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "adaptive_mu_monotone_init_factor", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "adaptive_mu_restore_previous_iterate", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "alpha_for_y", OPTION_WORD, 0, 0, OPEN_NONE,
      "primal bound-mult min max full min-dual-infeas safer-min-dual-infeas primal-and-full dual-and-full "
      "acceptor" },
    { "alpha_for_y_tol", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "alpha_min_frac", OPTION_NUMBER, 0, 1, OPEN_BOTH, NULL },
    { "alpha_red_factor", OPTION_NUMBER, 0, 1, OPEN_BOTH, NULL },
    { "barrier_tol_factor", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "bound_frac", OPTION_NUMBER, 0, 0.5, OPEN_MIN, NULL },
    { "bound_mult_init_method", OPTION_WORD, 0, 0, OPEN_NONE, "constant mu-based" },
    { "bound_mult_init_val", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "bound_mult_reset_threshold", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "bound_push", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "bound_relax_factor", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "check_derivatives_for_naninf", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "compl_inf_tol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "constr_mult_init_max", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "constr_mult_reset_threshold", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "constr_viol_tol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "constraint_violation_norm_type", OPTION_WORD, 0, 0, OPEN_NONE, "1-norm 2-norm max-norm" },
    { "corrector_compl_avrg_red_fact", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "corrector_type", OPTION_WORD, 0, 0, OPEN_NONE, "none affine primal-dual" },
    { "delta", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "diverging_iterates_tol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "dual_inf_tol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "eta_phi", OPTION_NUMBER, 0, 0.5, OPEN_BOTH, NULL },
    { "evaluate_orig_obj_at_resto_trial", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "expect_infeasible_problem", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "expect_infeasible_problem_ctol", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "expect_infeasible_problem_ytol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "fast_step_computation", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "filter_margin_fact", OPTION_NUMBER, 0, 1, OPEN_BOTH, NULL },
    { "filter_max_margin", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "filter_reset_trigger", OPTION_INT, 1, INFINITY, OPEN_NONE, NULL },
    { "findiff_perturbation", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "first_hessian_perturbation", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "fixed_mu_oracle", OPTION_WORD, 0, 0, OPEN_NONE, "probing loqo quality-function average_compl" },
    { "fixed_variable_treatment", OPTION_WORD, 0, 0, OPEN_NONE, "make_parameter make_constraint relax_bounds" },
    { "gamma_phi", OPTION_NUMBER, 0, 1, OPEN_BOTH, NULL },
    { "gamma_theta", OPTION_NUMBER, 0, 1, OPEN_BOTH, NULL },
    { "hessian_approximation", OPTION_WORD, 0, 0, OPEN_NONE, "exact limited-memory" },
    { "hessian_approximation_space", OPTION_WORD, 0, 0, OPEN_NONE, "nonlinear-variables all-variables" },
    { "honor_original_bounds", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "inf_pr_output", OPTION_WORD, 0, 0, OPEN_NONE, "internal original" },
    { "jacobian_approximation", OPTION_WORD, 0, 0, OPEN_NONE, "exact finite-difference-values" },
    { "jacobian_regularization_exponent", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "jacobian_regularization_value", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "kappa_d", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "kappa_sigma", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "kappa_soc", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "least_square_init_duals", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "least_square_init_primal", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "limited_memory_aug_solver", OPTION_WORD, 0, 0, OPEN_NONE, "sherman-morrison extended" },
    { "limited_memory_init_val", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "limited_memory_init_val_max", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "limited_memory_init_val_min", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "limited_memory_initialization", OPTION_WORD, 0, 0, OPEN_NONE,
      "scalar1 scalar2 scalar3 scalar4 constant" },
    { "limited_memory_max_history", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "limited_memory_max_skipping", OPTION_INT, 1, INFINITY, OPEN_NONE, NULL },
    { "limited_memory_special_for_resto", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "limited_memory_update_type", OPTION_WORD, 0, 0, OPEN_NONE, "bfgs sr1" },
    { "line_search_method", OPTION_WORD, 0, 0, OPEN_NONE, "filter cg-penalty penalty" },
    { "linear_scaling_on_demand", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "linear_solver", OPTION_WORD, 0, 0, OPEN_NONE, "auto mumps" },
    { "linear_system_scaling", OPTION_WORD, 0, 0, OPEN_NONE, "none slack-based" },
    { "max_filter_resets", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "max_hessian_perturbation", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "max_iter", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "max_refinement_steps", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "max_resto_iter", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "max_soc", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "max_soft_resto_iters", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "mehrotra_algorithm", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "min_hessian_perturbation", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "min_refinement_steps", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "mu_allow_fast_monotone_decrease", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "mu_init", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "mu_linear_decrease_factor", OPTION_NUMBER, 0, 1, OPEN_BOTH, NULL },
    { "mu_max", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "mu_max_fact", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "mu_min", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "mu_oracle", OPTION_WORD, 0, 0, OPEN_NONE, "probing loqo quality-function" },
    { "mu_strategy", OPTION_WORD, 0, 0, OPEN_NONE, "monotone adaptive" },
    { "mu_superlinear_decrease_power", OPTION_NUMBER, 1, 2, OPEN_BOTH, NULL },
    { "mu_target", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "mumps_dep_tol", OPTION_NUMBER, -INFINITY, INFINITY, OPEN_NONE, NULL },
    { "mumps_mem_percent", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "mumps_permuting_scaling", OPTION_INT, 0, 7, OPEN_NONE, NULL },
    { "mumps_pivot_order", OPTION_INT, 0, 7, OPEN_NONE, NULL },
    { "mumps_pivtol", OPTION_NUMBER, 0, 1, OPEN_NONE, NULL },
    { "mumps_pivtolmax", OPTION_NUMBER, 0, 1, OPEN_NONE, NULL },
    { "mumps_scaling", OPTION_INT, -2, 77, OPEN_NONE, NULL },
    { "neg_curv_test_tol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "nlp_scaling_constr_target_gradient", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "nlp_scaling_max_gradient", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "nlp_scaling_method", OPTION_WORD, 0, 0, OPEN_NONE, "none gradient-based" },
    { "nlp_scaling_min_value", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "nlp_scaling_obj_target_gradient", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "nu_inc", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "nu_init", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "obj_max_inc", OPTION_NUMBER, 1, INFINITY, OPEN_MIN, NULL },
    { "obj_scaling_factor", OPTION_NUMBER, -INFINITY, INFINITY, OPEN_NONE, NULL },
    { "perturb_always_cd", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "perturb_dec_fact", OPTION_NUMBER, 0, 1, OPEN_BOTH, NULL },
    { "perturb_inc_fact", OPTION_NUMBER, 1, INFINITY, OPEN_MIN, NULL },
    { "perturb_inc_fact_first", OPTION_NUMBER, 1, INFINITY, OPEN_MIN, NULL },
    { "point_perturbation_radius", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "quality_function_balancing_term", OPTION_WORD, 0, 0, OPEN_NONE, "none cubic" },
    { "quality_function_centrality", OPTION_WORD, 0, 0, OPEN_NONE, "none log reciprocal cubed-reciprocal" },
    { "quality_function_max_section_steps", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "quality_function_norm_type", OPTION_WORD, 0, 0, OPEN_NONE, "1-norm 2-norm-squared max-norm 2-norm" },
    { "quality_function_section_qf_tol", OPTION_NUMBER, 0, 1, OPEN_MAX, NULL },
    { "quality_function_section_sigma_tol", OPTION_NUMBER, 0, 1, OPEN_MAX, NULL },
    { "recalc_y", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "recalc_y_feas_tol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "required_infeasibility_reduction", OPTION_NUMBER, 0, 1, OPEN_MAX, NULL },
    { "residual_improvement_factor", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "residual_ratio_max", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "residual_ratio_singular", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "resto_failure_feasibility_threshold", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "resto_penalty_parameter", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "resto_proximity_weight", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "rho", OPTION_NUMBER, 0, 1, OPEN_BOTH, NULL },
    { "s_max", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "s_phi", OPTION_NUMBER, 1, INFINITY, OPEN_MIN, NULL },
    { "s_theta", OPTION_NUMBER, 1, INFINITY, OPEN_MIN, NULL },
    { "sigma_max", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "sigma_min", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "skip_corr_if_neg_curv", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "skip_corr_in_monotone_mode", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "slack_bound_frac", OPTION_NUMBER, 0, 0.5, OPEN_MIN, NULL },
    { "slack_bound_push", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "slack_move", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "soft_resto_pderror_reduction_factor", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "start_with_resto", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "tau_min", OPTION_NUMBER, 0, 1, OPEN_BOTH, NULL },
    { "theta_max_fact", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "theta_min_fact", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "tiny_step_tol", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "tiny_step_y_tol", OPTION_NUMBER, 0, INFINITY, OPEN_NONE, NULL },
    { "tol", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "warm_start_bound_frac", OPTION_NUMBER, 0, 0.5, OPEN_MIN, NULL },
    { "warm_start_bound_push", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "warm_start_init_point", OPTION_WORD, 0, 0, OPEN_NONE, YES_NO },
    { "warm_start_mult_bound_push", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "warm_start_mult_init_max", OPTION_NUMBER, -INFINITY, INFINITY, OPEN_NONE, NULL },
    { "warm_start_slack_bound_frac", OPTION_NUMBER, 0, 0.5, OPEN_MIN, NULL },
    { "warm_start_slack_bound_push", OPTION_NUMBER, 0, INFINITY, OPEN_MIN, NULL },
    { "warm_start_target_mu", OPTION_NUMBER, -INFINITY, INFINITY, OPEN_NONE, NULL },
    { "watchdog_shortened_iter_trigger", OPTION_INT, 0, INFINITY, OPEN_NONE, NULL },
    { "watchdog_trial_iter_max", OPTION_INT, 1, INFINITY, OPEN_NONE, NULL },
};

enum { N_KNOWN = sizeof known_options / sizeof known_options[0] };

static const struct option_key *find_option(const char *name)
{
    for (int i = 0; i < N_KNOWN; i++)
        if (strcmp(known_options[i].name, name) == 0)
            return &known_options[i];
    return NULL;
}

static int common_prefix(const char *a, const char *b)
{
    int n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/* The known name that agrees longest from the left: IPOPT's names differ at their ends. */
static const char *nearest_name(const char *name)
{
    const char *best = known_options[0].name;
    for (int i = 1; i < N_KNOWN; i++)
        if (common_prefix(name, known_options[i].name) > common_prefix(name, best))
            best = known_options[i].name;
    return common_prefix(name, best) >= 3 ? best : NULL;
}

static bool has_word(const char *words, const char *word)
{
    const size_t len = strlen(word);
    for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == len && strncmp(at, word, len) == 0)
            return true;
    return false;
}

static bool in_range(const struct option_key *key, double x)
{
    const bool open_min = key->open == OPEN_MIN || key->open == OPEN_BOTH;
    const bool open_max = key->open == OPEN_MAX || key->open == OPEN_BOTH;
    return (open_min ? x > key->min : x >= key->min) && (open_max ? x < key->max : x <= key->max);
}

static bool read_number(const char *text, double *out)
{
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

enum status option_read(const struct nlp_option *option, struct srcpos pos, const char *path,
                        struct option_value *out, struct diag *diag)
{
    const struct option_key *key = find_option(option->name);
    if (!key) {
        const char *near = nearest_name(option->name);
        return diag_add(diag, DIAG_ERROR, STATUS_USAGE, pos, path, "unknown or reserved IPOPT option \"%s\"%s%s%s",
                        option->name, near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
    }
    *out = (struct option_value){ .type = key->type, .word = option->value };
    if (key->type == OPTION_WORD) {
        if (has_word(key->words, option->value))
            return STATUS_OK;
        return diag_add(diag, DIAG_ERROR, STATUS_USAGE, pos, path, "%s must be one of: %s; got \"%s\"", key->name,
                        key->words, option->value);
    }
    if (!read_number(option->value, &out->x))
        return diag_add(diag, DIAG_ERROR, STATUS_USAGE, pos, path, "%s must be a number, got \"%s\"", key->name,
                        option->value);
    if (!in_range(key, out->x))
        return diag_add(diag, DIAG_ERROR, STATUS_USAGE, pos, path, "%s must lie in %c%g, %g%c, got %s", key->name,
                        key->open == OPEN_MIN || key->open == OPEN_BOTH ? '(' : '[', key->min, key->max,
                        key->open == OPEN_MAX || key->open == OPEN_BOTH ? ')' : ']', option->value);
    if (key->type == OPTION_INT && (out->x != floor(out->x) || out->x > INT_MAX))
        return diag_add(diag, DIAG_ERROR, STATUS_USAGE, pos, path, "%s must be a whole number, got \"%s\"",
                        key->name, option->value);
    if (key->type == OPTION_INT)
        out->i = (int)out->x;
    return STATUS_OK;
}
