#include "core/impact/sampled_law.h"

#include "core/impact/sample.h"

#include <math.h>
#include <stdio.h>

/* A simulation cannot leave a sample out: it gets this many steps before it fails. */
enum { MAX_STEPS = 100000 };

/* A budget that never runs out, relative to the impulse that would stop the fastest contact. */
static const double plenty = 1e6;

/* What the sample leaves of an approach, less than IMPACT_TOL, all at once: the simulation wants none. */
static bool close_rest(const struct impact_step *step, struct impact_step_work *work, double *v, double *impulse)
{
    const struct impact_system *system = step->system;
    double u[IMPACT_MAX_ROWS], u_plus[IMPACT_MAX_ROWS], lambda[IMPACT_MAX_ROWS], budget[IMPACT_MAX_CONTACTS];
    impact_contact_velocity(system, v, u);
    const double stopping = impact_stopping_impulse(system, u);
    if (stopping <= 0)
        return true;
    for (int c = 0; c < system->n_contact; c++)
        budget[c] = plenty * stopping;
    if (!impact_step_solve(step, work, u, budget, 0, 0, 0, lambda, u_plus))
        return false;
    impact_apply(system, lambda, v);
    for (int r = 0; r < system->n_row; r++)
        impulse[r] += lambda[r];
    return true;
}

/* One sample from v; impulse [n_row]. */
static enum status draw(struct sampled_law *law, const struct impact_system *system, const double *v_minus,
                        double *v, double *impulse, char *why, size_t why_size)
{
    struct impact_settings settings = *law->settings;
    struct impact_step *step = impact_step_create(system);
    struct impact_step_work *work = impact_step_work_create(step);
    struct impact_sampler sampler;
    double u[IMPACT_MAX_ROWS];
    enum status st = STATUS_OK;
    impact_contact_velocity(system, v_minus, u);
    if (isnan(settings.h))
        settings.h = impact_stopping_impulse(system, u);
    settings.max_steps = MAX_STEPS;
    if (law->n_impacts > 0)
        settings.seed = (int)(draw_bits((uint64_t)settings.seed, (uint64_t)law->n_impacts, 0) >> 33);
    law->n_impacts++;
    impact_sampler_init(&sampler, step, v_minus, &settings);
    const struct impact_sample sample =
        impact_sample_run(&sampler, work, false, (uint64_t)law->run, v, impulse, NULL);
    if (!sample.solved || !close_rest(step, work, v, impulse)) {
        st = STATUS_NUMERIC;
        (void)snprintf(why, why_size, "a step of the sampled impact has no solution");
    } else if (!sample.terminated) {
        st = STATUS_LIMIT;
        (void)snprintf(why, why_size, "the sampled impact has not ended after %d steps: raise impact.h",
                       MAX_STEPS);
    }
    impact_step_work_free(work);
    impact_step_free(step);
    return st;
}

static enum status sample_impact(struct sampled_law *law, const struct jump_impact *impact, double *v_plus,
                                 double *impulse, char *why, size_t why_size)
{
    struct arena mem = { NULL };
    struct impact_system system;
    struct diag *diag = diag_create();
    double lambda[IMPACT_MAX_ROWS];
    enum status st = impact_system_init(&system, &mem, impact, law->n_dir_3d, diag);
    if (st == STATUS_OK)
        st = draw(law, &system, impact->v_minus, v_plus, lambda, why, why_size);
    else
        (void)snprintf(why, why_size, "%s", diag_line(diag, 0));
    for (int c = 0; c < impact->n_c && st == STATUS_OK; c++)
        for (int i = 0; i < CONTACT_ROWS; i++)
            impulse[CONTACT_ROWS * c + i] = i <= system.contact[c].n_t ? lambda[system.contact[c].row + i] : 0;
    diag_free(diag);
    arena_free(&mem);
    return st;
}

enum status sampled_law_apply(void *user, const struct jump_impact *impact, double *v_plus, double *impulse,
                              char *why, size_t why_size)
{
    struct sampled_law *law = user;
    struct jump_info info;
    if (impact->n_c > 1)
        return sample_impact(law, impact, v_plus, impulse, why, why_size);
    return jump_solve(law->restitution, impact, v_plus, impulse, &info, why, why_size);
}
