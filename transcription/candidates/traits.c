#include "transcription/candidates/traits.h"

#include "transcription/method/method.h"
#include "transcription/multiphase/multiphase.h"
#include "transcription/proposals/cross_entropy.h"
#include "transcription/proposals/fit_search.h"
#include "transcription/proposals/gait.h"
#include "transcription/sequence/sliding.h"
#include "transcription/start/coarse.h"
#include "transcription/start/presolve.h"

/* --- Contacts ------------------------------------------------------------------------------------------------ */

static bool rebounds(const struct model *model)
{
    for (int c = 0; c < model->contacts.n_contact; c++)
        if (model->contacts.contact[c].e > 0)
            return true;
    return false;
}

static bool slips_in_space(const struct model *model)
{
    for (int c = 0; c < model->contacts.n_contact; c++)
        if (model->contacts.contact[c].n_t > 1 && model->contacts.contact[c].mu > 0)
            return true;
    return false;
}

static bool has_corners(const struct model *model)
{
    for (int c = 0; c < model->contacts.n_contact; c++)
        if (model->contacts.contact[c].n_corner > 0)
            return true;
    return false;
}

/* --- What is asked for --------------------------------------------------------------------------------------- */

static bool is_cycle(const struct model *model)
{
    for (int k = 0; k < model->constraints.n_constraint; k++)
        if (model->constraints.constraint[k].at == 0)
            return true;
    return false;
}

/* --- What takes it ------------------------------------------------------------------------------------------- */

static bool steps_fit(const struct solve_task *task)
{
    struct discretization settings = *task->discretization;
    settings.method = METHOD_TIME_STEPPING;
    struct diag *silent = diag_create();
    const bool fits = task->model->contacts.n_contact > 0 && task->model->contacts.n_contact <= COARSE_MAX_CONTACTS
                      && method_check(task->model, &settings, silent) == STATUS_OK;
    diag_free(silent);
    return fits;
}

static bool rough_fits(const struct solve_task *task)
{
    struct discretization settings = *task->discretization;
    settings.method = METHOD_TIME_FREEZING;
    if (task->model->time.n_phase || task->model->impulses.n_impulse || slips_in_space(task->model))
        return false;
    const enum method method = task->discretization->method;
    return (method == METHOD_AUTO || method == METHOD_TIME_FREEZING || method == METHOD_FESD_J)
           && presolve_fits(task->model, &settings);
}

static bool may_be_set_free(const struct solve_task *task)
{
    const struct model *model = task->model;
    return task->discretization->control_grid != CONTROL_GRID_FREE && !model->time.n_phase
           && !model->time.n_interior_time && !model->time.n_steps;
}

/* --- All of them --------------------------------------------------------------------------------------------- */

static unsigned only(bool has, enum trait trait)
{
    return has ? (unsigned)trait : 0;
}

static unsigned traits_of_model(const struct model *model)
{
    return only(model->contacts.n_contact > 0, TRAIT_CONTACTS) | only(model->switching.n_hysteresis > 0,
                                                                      TRAIT_RELAYS)
           | only(model->switching.n_machine > 0, TRAIT_MACHINES) | only(model->time.prescribes, TRAIT_PRESCRIBED)
           | only(model_has_until(model), TRAIT_UNTIL) | only(model_has_values(model), TRAIT_VALUES)
           | only(model->n_u == 0 && model->n_p > 0, TRAIT_ONLY_PARAMETERS)
           | only(phases_has_path(model), TRAIT_PATH)
           | only(cross_entropy_has_goal(model), TRAIT_AIM) | only(is_cycle(model), TRAIT_CYCLE)
           | only(rebounds(model), TRAIT_REBOUNDS) | only(slips_in_space(model), TRAIT_SPACE_SLIP)
           | only(has_corners(model), TRAIT_CORNERS);
}

unsigned traits_of(const struct solve_task *task, const struct phase_system *sys)
{
    const struct model *model = task->model;
    unsigned traits = traits_of_model(model);
    const bool contacts = traits & TRAIT_CONTACTS, bounces = traits & TRAIT_REBOUNDS;
    const bool wants_motions = bounces || (contacts && method_has_switches(model));
    const bool steps = steps_fit(task), gait = gait_fits(sys) && !bounces;
    traits |= only(sys->n_switch > 0, TRAIT_SWITCHES);
    traits |= only(wants_motions, TRAIT_MOTION_FIRST);
    traits |= only(contacts && !(traits & TRAIT_RELAYS) && (wants_motions || !steps), TRAIT_ONLY_MOTION_KNOWS);
    traits |= only(steps, TRAIT_STEPS) | only(gait, TRAIT_GAIT);
    traits |= only(contacts && (gait || (traits & TRAIT_PATH)) && gait_flies(sys), TRAIT_FLIES);
    traits |= only(rough_fits(task), TRAIT_ROUGH) | only(may_be_set_free(task), TRAIT_GRID);
    traits |= only(fit_search_fits(model) && sys->n_switch + sys->n_contact + sys->n_machine > 0 && !task->once,
                   TRAIT_FIT);
    traits |= only(cross_entropy_fits(model) && !sliding_depends_on_controls(sys), TRAIT_AIMED);
    return traits;
}
