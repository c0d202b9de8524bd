#include "core/mpcc/recipe.h"

#include <math.h>

struct homotopy_recipe homotopy_recipe_default(void)
{
    return (struct homotopy_recipe){            /* mpcc.md 5 */
        .sigma_0 = 1.0, .slope = 0.3, .tol_min = 1e-8, .tol_max = 1e-2, .dual_inf_tol = NAN, .sigma_early = 0.03,
        .max_iter_early = 800, .max_iter = 300, .monotone = true, .push_first = NAN, .push = 1e-4,
        .sigma_polish = 1e-5
    };
}

struct homotopy_recipe homotopy_recipe_fesd_j(void)
{
    return (struct homotopy_recipe){            /* mpcc.md 5, FESD-J */
        .sigma_0 = 1e-2, .slope = 0.1, .tol_min = 1e-8, .tol_max = 1e-8, .dual_inf_tol = 1e-6,
        .sigma_early = INFINITY, .max_iter_early = 500, .max_iter = 500, .monotone = true,
        .push_first = 1e-3, .push = 1e-3, .sigma_polish = 1e-4
    };
}
