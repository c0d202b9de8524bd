/* core/mpcc/recipe.h - every number that homotopies and crossovers are made with: value,
 * unit, why, from which trial */
#ifndef COCP_CORE_MPCC_RECIPE_H
#define COCP_CORE_MPCC_RECIPE_H

#include "core/nlp/nlp.h"

/* --- What counts as solved, by the hard problem (mpcc.h) ------------------------------------------------------ */
#define HOMOTOPY_VIOLATION_OK 1e-8          /* hard violation of a solution, absolute, as mpcc_violation */
#define HOMOTOPY_VIOLATION_ACCEPTABLE 1e-6
#define HOMOTOPY_COMP_ACCEPTABLE 100.0      /* complementarity of an acceptable point, in units of comp_tol */
#define SAME_OBJECTIVE 1e-5         /* relative: solutions as good as each other; the more complementary one wins */

/* --- One NLP of the homotopy (mpcc.md 5) ------------------------------------------------------------------ */
#define SIGMA_EQUAL 1e-9            /* relative: two sigmas that are the same but for rounding */
#define TOL_OF_SIGMA 0.1            /* NLP tolerance in units of sigma, clamped by the recipe */
#define TOL_CONSTRAINTS 1e-4        /* loosest violation of an NLP: a later one starts there */
#define MU_MIN 1e-9                 /* barrier parameters at the start of an NLP */
#define MU_MAX 0.1
#define MU_RETRY 1e-2               /* at least this when an NLP is tried again (mpcc.md 4) */
#define SLACK_COMP 10.0             /* a capped NLP still counts if its products are within this factor of sigma */
#define SUPERLINEAR 1.5             /* exponent of sigma (mpcc.md 4) */
enum { HOMOTOPY_PATIENCE = 250 };   /* iterations of an NLP that has stalled (core/nlp/stall.h), as at its cap then. With 200
                                     * monoped_holes takes 9,701 iterations in all, with this 8,079, without 9,180 */

/* Following the path (mpcc.md 5). */
#define PATH_PUSH 0.1               /* of mu: from bounds at a warm start, at most PATH_MAX_PUSH: more destroys it */
#define PATH_MAX_PUSH 1e-3
#define PATH_DUAL_TOL 1e3           /* redundant rows leave multipliers unbounded; the next sigma wants none of them */
enum {
    PATH_ITER = 60,                 /* of a warm start that works: most take 2 to 20 */
    PATH_COLD_ITER = 150,
    PATH_MAX_CAPPED = 2             /* NLPs in a row at their cap: a saddle (the discs from a symmetric guess) */
};

/* How to solve the NLPs of a method; mpcc.md 5. */
struct homotopy_recipe {
    double sigma_0, slope;          /* where the settings say auto */
    double tol_min, tol_max;        /* NLP tolerance: 0.1 sigma, clamped into this */
    double dual_inf_tol;            /* NAN: IPOPT's */
    double sigma_early;             /* steps with sigma >= this need no accuracy: a cap there is no failure */
    int max_iter_early, max_iter;   /* caps of the iterations of one NLP */
    bool monotone;                  /* barrier: monotone with mu_init from sigma, or adaptive */
    double push_first, push;        /* of the first and the later NLPs from bounds; NAN: IPOPT's 1e-2 */
    double sigma_polish;            /* first crossover at or below this sigma; 0: never */
    double mu_of_sigma;             /* following the path: each NLP is one barrier problem, mu this much of sigma, from
                                     * the primal and dual solution of the one before; 0: solved to its tolerance */
    double path_from;               /* the path is followed at and below this sigma only */
};

struct homotopy_recipe homotopy_recipe_default(void);       /* time-freezing, fesd, time-stepping: mpcc.md 5 */
struct homotopy_recipe homotopy_recipe_fesd_j(void);        /* mpcc.md 5: expects a good guess */
/* mpcc.md 5: a look at the solution in few iterations. */
struct homotopy_recipe homotopy_recipe_path(double mu_of_sigma);
bool homotopy_recipe_follows(const struct homotopy_recipe *recipe, double sigma);   /* the path there? */

/* How the NLP of sigma is to be solved: from the guess, from the solution of the sigma before, or again from a
 * point that is none. Time, options and the log are the run's. */
enum homotopy_start { HOMOTOPY_GUESS, HOMOTOPY_SOLUTION, HOMOTOPY_POINT };
struct nlp_settings homotopy_nlp_settings(const struct homotopy_recipe *recipe, double sigma,
                                          enum homotopy_start start);

/* --- What follows a failure (mpcc.md 4) ---------------------------------------------------------------------- */
enum { MAX_BACK_OFF = 3 };          /* times that sigma goes back geometrically */
enum { MAX_INFEASIBLE = 2 };        /* NLPs in a row */

/* --- Crossovers (mpcc.md 6) -------------------------------------------------------------------------------- */
#define POLISH_AMBIGUITY 0.1        /* smaller side over larger one up to which a group is decided */
#define POLISH_LESS_AMBIGUITY 1e-2  /* of a second crossover after an infeasible one: fix what is very clear */
#define POLISH_DECIDE_ALL 1.0       /* nothing is ambiguous */
#define POLISH_EVERY 0.1            /* factor of sigma between two crossovers: a decade */
#define POLISH_LAST_SIGMA 1e-2      /* a run that got this far deserves a last crossover */
#define POLISH_KEPT_SIGMA 1e-8      /* of product rows that stay */
#define NEARLY_FEASIBLE 1e-3        /* violation of a crossover that a last feasibility step may mend */
#define SMALL_MEND 1e-3             /* relative change of the objective that it may cost */
#define MUCH_DEARER 0.02            /* relative objective that says a crossover went astray */
#define TINY_OBJECTIVE 1e-6         /* below it nothing is relative */
#define EARLY_END 10.0              /* in units of the tightest tolerance: sigma of an NLP that may end the run */

/* The NLP of a crossover for the cost, and of one for the nearest feasible point. */
#define POLISH_TOL 1e-9
#define POLISH_DUAL_TOL 1e-6        /* redundant rows leave multipliers unbounded: no more is to be had */
#define POLISH_COST_MU 1e-4
#define POLISH_COST_PUSH 1e-5
#define POLISH_NEAR_MU 1e-9         /* next to no barrier: the point is good already */
#define POLISH_NEAR_PUSH 1e-9
enum { POLISH_COST_ITER = 300, POLISH_NEAR_ITER = 50 };

/* After some iterations a point that is feasible and as good as redundant rows let it be ends the crossover. */
enum { POLISH_PATIENCE = 100 };
#define POLISH_GOOD_VIOLATION 5e-9
#define POLISH_GOOD_MU 1e-5
#define POLISH_GOOD_DUAL 0.1

/* --- Relaxed pairs (mpcc.md 2) -------------------------------------------------------------------------------- */
#define ELASTIC_MAX 10.0            /* bound of the elastic variables, and where they start */
#define ELASTIC_START 1.0
#define SIDE_IS_ZERO 1e-12          /* rounding of a side at its bounds, such as 1 - alpha: terms are of order 1 */

#endif
