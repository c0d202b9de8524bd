/* What is asked of a system: its subjects, functions and values, and what its machines do. */
#include "transcription/sequence/system.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "transcription/sequence/sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int phase_system_n_subject(const struct phase_system *sys)
{
    return sys->n_contact + sys->n_switch + sys->n_machine;
}

const char *phase_subject_name(const struct phase_system *sys, int k)
{
    const int machine = k - sys->n_contact - sys->n_switch;
    if (machine >= 0)
        return sys->model->switching.machine[machine].name;
    return k < sys->n_contact ? sys->contact[k].model->name : sys->sw[k - sys->n_contact].sw->name;
}

/* --- Functions ----------------------------------------------------------------------------------------------- */

expr phase_system_rate(const struct phase_system *sys, expr e)
{
    expr *rate = mem_alloc((size_t)sys->n_y, sizeof *rate);
    for (int i = 0; i < sys->n_y; i++)
        rate[i] = sys->a_of[i] < 0 ? sys->dcs->F[i].e : sys->slot[sys->a + sys->a_of[i]];
    const expr out = expr_directional(sys->g, e, sys->n_y, &sys->slot[sys->y], rate);
    free(rate);
    return out;
}

struct pointfun *phase_system_function(const struct phase_system *sys, int n, const expr *out)
{
    return pointfun_create(sys->g, sys->n_slot, sys->slot, n, out);
}

double phase_system_value(const struct phase_system *sys, expr e, const double *y, const double *p)
{
    const struct model *model = sys->model;
    const int n = sys->n_y + model->n_p;
    expr *sym = mem_alloc((size_t)n, sizeof *sym);
    double *val = mem_alloc((size_t)n, sizeof *val);
    memcpy(sym, &sys->slot[sys->y], (size_t)sys->n_y * sizeof *sym);
    memcpy(val, y, (size_t)sys->n_y * sizeof *val);
    for (int k = 0; k < model->n_p; k++) {
        sym[sys->n_y + k] = model->p_sym[k];
        val[sys->n_y + k] = p[k];
    }
    const double value = expr_eval(sys->g, e, n, sym, val);
    free(sym);
    free(val);
    return value;
}

/* --- Machines ------------------------------------------------------------------------------------------------ */

void phase_system_transitions(const struct phase_system *sys, int m, int *first, int *end)
{
    *first = *end = 0;
    for (int k = 0; k < sys->n_transition && sys->transition[k].machine <= m; k++) {
        *first = sys->transition[k].machine < m ? k + 1 : *first;
        *end = k + 1;
    }
}

/* Is e a number, whatever the state? */
static bool is_number(const struct phase_system *sys, expr e, double *value)
{
    expr *grad = mem_alloc((size_t)sys->n_slot, sizeof *grad);
    double *zero = mem_alloc((size_t)sys->n_slot, sizeof *zero);
    bool is = true;
    expr_gradient(sys->g, e, sys->n_slot, sys->slot, grad);
    for (int i = 0; i < sys->n_slot; i++)
        is = is && expr_is_zero(sys->g, grad[i]);
    *value = is ? expr_eval(sys->g, e, sys->n_slot, sys->slot, zero) : NAN;
    free(grad);
    free(zero);
    return is;
}

bool phase_system_implies(const struct phase_system *sys, int made, int k)
{
    const struct model_transition *from = sys->transition[made].model, *to = sys->transition[k].model;
    double value;
    if (from->when == EXPR_NONE || to->when == EXPR_NONE)
        return false;
    expr *sym = mem_alloc((size_t)from->n_reset, sizeof *sym), after;
    for (int i = 0; i < from->n_reset; i++)
        sym[i] = sys->model->x_sym[from->reset_x[i]];
    expr_substitute(sys->g, 1, &to->when, from->n_reset, sym, from->reset, &after);
    free(sym);
    return (is_number(sys, expr_sub(sys->g, after, from->when), &value)
            || is_number(sys, expr_add(sys->g, after, from->when), &value)) && value <= 0;
}

void phase_system_signals(const struct phase_system *sys, const unsigned char *state, double *signal)
{
    for (int m = 0; m < sys->n_machine; m++) {
        const struct model_machine *machine = &sys->model->switching.machine[m];
        for (int k = 0; k < machine->n_signal; k++)
            signal[machine->first_signal + k] = machine->value[state[m] * machine->n_signal + k];
    }
}

void phase_system_shown_signals(const struct phase_system *sys, const unsigned char *state, double *signal)
{
    const struct model *model = sys->model;
    for (int k = 0; k < model->switching.n_hysteresis; k++) {
        signal[k] = model->switching.hysteresis[k].starts_on;   /* one that nothing depends on */
        for (int l = 0; l < sys->dcs->n_switch; l++)
            if (sys->sw[l].sw->relay == &model->switching.hysteresis[k])
                signal[k] = state[sys->n_contact + l] == PHASE_POSITIVE;
    }
    phase_system_signals(sys, state + sys->n_contact + sys->n_switch, signal + model->switching.n_hysteresis);
}
