#include "core/base/mem.h"
#include "transcription/multiphase/rows/inequalities.h"

#include <math.h>
#include <stdlib.h>

/* A component of y or of the unknowns, as a linear row. */
static void add_linear(struct phases *ph, int row, const struct phase_point *point, const struct inequality *one,
                       double c)
{
    double y[16], unknown[16];                  /* rk.h: at most 9 stages */
    rk_weights(ph->rk, c, y, unknown);
    if (one->kind == CHECK_Y)
        program_linear(ph->prog, row, phases_left(ph, point->element)[one->index], y[0]);
    for (int k = 1; k <= ph->grid.stages; k++) {
        const struct phase_point stage = phases_stage_point(ph, point->element, k - 1);
        if (one->kind == CHECK_Y)
            program_linear(ph->prog, row, stage.y[one->index], y[k]);
        else
            program_linear(ph->prog, row, stage.first + one->index, unknown[k]);
    }
}

static void add_inequality(struct phases *ph, struct program_block *constraints, const struct phase_point *point,
                           const struct inequality *one, double c)
{
    if (one->kind == CHECK_STATE) {
        phases_subject_row(ph, ph->state, one->index, one->lb, one->ub, one->subject, one->what, point);
        return;
    }
    if (one->kind == CHECK_WHEN) {
        phases_transition_row(ph, one->subject, one->lb, one->ub, one->what, point);
        return;
    }
    const struct srcpos nowhere = { NULL, 0, 0 };
    const struct model_constraint *user = one->kind == CHECK_CONSTRAINT
                                          ? inequalities_constraint(ph, one->index) : NULL;
    const struct mpcc_label label = phases_label(one->what, user ? user->path : NULL, user ? user->pos : nowhere, point);
    const int row = program_row(ph->prog, one->lb, one->ub, label);
    if (user)
        block_out(constraints, one->index, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    else
        add_linear(ph, row, point, one, c);
}

/* A file may say anything. */
static bool is_of_program(const struct phases *ph, const struct phase_check *check)
{
    return check->element >= 0 && check->element < ph->n_element
           && check->subject < ph->sys->n_contact + ph->sys->n_switch && isfinite(check->c)
           && isfinite(check->clear);
}

static bool is_approach(const struct phases *ph, const struct phase_check *check)
{
    return check->subject >= 0 && check->subject < ph->sys->n_contact && check->c == 1;
}

static void add_approach(struct phases *ph, const struct phase_check *check)
{
    const struct phase_point point = phases_stage_point(ph, check->element, ph->n_point - 1);
    phases_fill(ph, ph->state, &point);
    phases_subject_row(ph, ph->state, ph->sys->out.v_n + check->subject, -INFINITY, -check->clear, check->subject,
                       "approach where it closes", &point);
}

void phases_add_checks(struct phases *ph)
{
    if (ph->grid.n_check == 0)
        return;
    expr *e = inequalities_constraints(ph);
    struct program_block *constraints
        = program_block(ph->prog, phase_system_function(ph->sys, inequalities_n_constraint(ph), e));
    struct inequality *one = mem_alloc((size_t)inequalities_most(ph), sizeof *one);
    for (int k = 0; k < ph->grid.n_check; k++) {
        const struct phase_check *check = &ph->grid.check[k];
        if (!is_of_program(ph, check))
            continue;
        if (is_approach(ph, check)) {
            add_approach(ph, check);
            continue;
        }
        struct phase_point point = phases_stage_point(ph, check->element, 0);
        point.stage = -1;
        phases_fill_between(ph, ph->state, &point, check->c);
        phases_fill_between(ph, constraints, &point, check->c);
        const int n = inequalities_list(ph, &point, one);
        if (check->subject >= 0)
            inequalities_keep_clear(ph, check, one, n);
        for (int i = 0; i < n; i++)
            add_inequality(ph, constraints, &point, &one[i], check->c);
    }
    free(e);
    free(one);
}
