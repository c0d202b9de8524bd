#include "transcription/start/presolve.h"

#include "transcription/discretize/initial.h"
#include "transcription/method/method.h"
#include "transcription/start/coarse.h"

bool presolve_fits(const struct model *model, const struct discretization *settings)
{
    if (model->contacts.n_contact == 0 || model->contacts.n_contact > COARSE_MAX_CONTACTS)
        return false;
    if (settings->method == METHOD_FESD_J)
        return true;
    if (settings->method != METHOD_TIME_FREEZING || settings->form != FORM_STEP)
        return false;
    for (int c = 0; c < model->contacts.n_contact; c++)
        if (model->contacts.contact[c].e > 0)
            return false;
    struct discretization steps = *settings;    /* what its switches do is not carried over */
    steps.method = METHOD_TIME_STEPPING;
    struct diag *quiet = diag_create();
    const bool takes = method_check(model, &steps, quiet) == STATUS_OK;
    diag_free(quiet);
    return takes && !method_has_switches(model);
}

void tr_apply_presolve(struct transcription *tr, const struct transcription *from, const double *w)
{
    struct coarse steps = coarse_read(from, w);
    for (int k = 0; k < tr->model->n_p; k++)
        program_set_guess(tr->prog, tr->p + k, w[from->p + k]);
    if (tr->T >= 0)
        program_set_guess(tr->prog, tr->T, w[from->T]);
    for (int i = 0; i < tr->n_interval; i++)
        for (int k = 0; k < tr->model->n_u; k++)
            program_set_guess(tr->prog, tr->u[i] + k, w[from->u[i] + k]);
    if (tr->junctions)
        coarse_write_impacts(&steps, tr);
    else
        coarse_write_phases(&steps, tr);
    tr_guess_user_pairs(tr);
    coarse_free(&steps);
}
