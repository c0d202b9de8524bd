#include "core/mpcc/recipe.h"

#include <math.h>

struct homotopy_recipe homotopy_recipe_default(void)
{
    return (struct homotopy_recipe){            /* mpcc.md 5 */
        .sigma_0 = 1.0, .slope = 0.3, .tol_min = 1e-8, .tol_max = 1e-2, .dual_inf_tol = NAN, .sigma_early = 0.03,
        .max_iter_early = 800, .max_iter = 300, .monotone = true, .push_first = NAN, .push = 1e-4,
        .sigma_polish = 1e-5, .path_from = INFINITY
    };
}

struct homotopy_recipe homotopy_recipe_path(double mu_of_sigma)
{
    struct homotopy_recipe recipe = homotopy_recipe_default();  /* mpcc.md 5, following the path */
    recipe.mu_of_sigma = mu_of_sigma;
    recipe.max_iter_early = 300;
    return recipe;
}

bool homotopy_recipe_follows(const struct homotopy_recipe *recipe, double sigma)
{
    return recipe->mu_of_sigma > 0 && sigma <= recipe->path_from;
}

struct homotopy_recipe homotopy_recipe_fesd_j(void)
{
    return (struct homotopy_recipe){            /* mpcc.md 5, FESD-J */
        .sigma_0 = 1e-2, .slope = 0.1, .tol_min = 1e-8, .tol_max = 1e-8, .dual_inf_tol = 1e-6,
        .sigma_early = INFINITY, .max_iter_early = 500, .max_iter = 500, .monotone = true,
        .push_first = 1e-3, .push = 1e-3, .sigma_polish = 1e-4
    };
}

/* --- One NLP ------------------------------------------------------------------------------------------------- */

static struct nlp_settings path_settings(const struct homotopy_recipe *recipe, double sigma,
                                         enum homotopy_start start)
{
    const double mu = fmin(fmax(recipe->mu_of_sigma * sigma, MU_MIN), MU_MAX), tol = fmax(mu, recipe->tol_min);
    const double mu_cold = start == HOMOTOPY_GUESS ? MU_MAX : fmin(sigma, MU_MAX);
    const bool warm = start == HOMOTOPY_SOLUTION;
    return (struct nlp_settings){
        .tol = tol, .dual_inf_tol = PATH_DUAL_TOL, .constr_viol_tol = fmin(tol, TOL_CONSTRAINTS),
        .compl_inf_tol = fmax(tol, TOL_CONSTRAINTS), .acceptable_tol = 0.1 * MU_MIN,    /* none but the tolerance */
        .max_iter = start == HOMOTOPY_GUESS ? recipe->max_iter_early : warm ? PATH_ITER : PATH_COLD_ITER,
        .patience = HOMOTOPY_PATIENCE,
        .monotone = true, .mu_init = warm ? mu : fmax(mu, mu_cold), .mu_target = mu,
        .push = start == HOMOTOPY_GUESS ? recipe->push_first : recipe->push,
        .warm_duals = warm, .warm_push = fmin(PATH_MAX_PUSH, PATH_PUSH * mu)
    };
}

struct nlp_settings homotopy_nlp_settings(const struct homotopy_recipe *recipe, double sigma,
                                          enum homotopy_start start)
{
    if (homotopy_recipe_follows(recipe, sigma))
        return path_settings(recipe, sigma, start);
    const bool first = start == HOMOTOPY_GUESS;
    const double tol = fmin(fmax(TOL_OF_SIGMA * sigma, recipe->tol_min), recipe->tol_max);
    const double mu_init = first ? MU_MAX : fmin(fmax(sigma, start == HOMOTOPY_POINT ? MU_RETRY : MU_MIN), MU_MAX);
    return (struct nlp_settings){
        .tol = tol, .dual_inf_tol = recipe->dual_inf_tol, .constr_viol_tol = fmin(tol, TOL_CONSTRAINTS),
        .compl_inf_tol = NAN, .acceptable_tol = NAN,
        .max_iter = sigma >= recipe->sigma_early ? recipe->max_iter_early : recipe->max_iter,
        .patience = HOMOTOPY_PATIENCE,
        .monotone = recipe->monotone, .mu_init = recipe->monotone ? mu_init : NAN,
        .push = first ? recipe->push_first : recipe->push
    };
}
