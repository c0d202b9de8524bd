/* Fits: parameters searched by simulations (proposals/fit_search.h). The sequence of the best is proposed, from its
 * motion; the next ones where its program has no solution that is as good. */
#include "transcription/generators/generator.h"

#include "transcription/candidates/solve_candidate.h"
#include "transcription/proposals/fit_search.h"

#define AS_GOOD 1.02                /* times the misfit of a simulation: the program, which is coarser, has kept it, */
#define AS_GOOD_BY 1.0              /* or by one squared sigma: of what fits exactly */
enum { PROPOSALS = 4 };

/* Has the program kept what the best simulation has found? */
static bool is_kept(const struct discovery *at, const struct fit_search *search)
{
    return pool_has_solution(&at->pool)
           && at->pool.found[0].objective <= AS_GOOD * fit_search_misfit(search, 0) + AS_GOOD_BY;
}

/* Its sequence, on the grid of the settings at once, as its solution is near; else as any other. */
static enum status solve(struct discovery *at, const struct extract *from, bool is_best)
{
    if (candidate_is_near(at, from))
        return STATUS_OK;
    return candidate_solve(at, &(struct candidate){ .from = *from, .repair = is_best });
}

static enum status run(struct discovery *at)
{
    const struct simulated_limits limits = discovery_limits(at);
    discovery_begin(at, "simulations over the box of parameters");
    struct fit_search *search = fit_search_run(at->task->model, discovery_seed(at), &limits);
    enum status st = STATUS_OK;
    if (fit_search_n(search) > 0)
        solve_headline(at->task, "%d simulations over the box of parameters: the least misfit is %.4g",
                       fit_search_n_simulations(search), fit_search_misfit(search, 0));
    for (int k = 0; k < fit_search_n(search) && k < PROPOSALS && st == STATUS_OK && !at->fit_is_kept
                    && !discovery_must_stop(at);
         k++) {
        const struct simulated_limits left = discovery_limits(at);
        struct sim *sim = fit_search_motion(search, k, &left);
        struct extract from;
        if (sim && extract_simulation(at->out->sys, sim, &from)) {
            discovery_begin(at, "sequence of the simulation with misfit %.4g", fit_search_misfit(search, k));
            st = solve(at, &from, k == 0);
            extract_free(&from);
        }
        sim_free(sim);
        at->fit_is_kept = is_kept(at, search);
    }
    fit_search_free(search);
    return st;
}

const struct generator by_fit_simulations = { .is = BY_FIT, .run = run };
