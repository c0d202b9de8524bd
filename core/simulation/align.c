#include "core/simulation/align.h"

#include <math.h>
#include <string.h>

void align_init(struct align *align, struct arena *mem, struct flow *flow)
{
    const size_t n_c = (size_t)flow->sys->n_c;
    *align = (struct align){ .flow = flow };
    align->contact = arena_alloc(mem, n_c, sizeof(int));
    align->slip = arena_alloc(mem, n_c, sizeof *align->slip);
    align->a = arena_alloc(mem, SLIP_MAX * n_c, sizeof(double));
}

void align_list(struct align *align, const struct mode *mode, double slow)
{
    const struct system *sys = align->flow->sys;
    align->n = 0;
    for (int c = 0; c < sys->n_c; c++) {
        const struct contact_at at = system_contact(sys, c);
        if (mode->of[c] == SIM_FORWARD && sys->model->contacts.contact[c].n_t > 1 && system_has_friction(sys, c)
            && slip_size(at.v_t) <= fmax(slow, FLOW_NO_DIRECTION))
            align->contact[align->n++] = c;
    }
}

bool align_has(const struct align *align, int c)
{
    for (int k = 0; k < align->n; k++)
        if (align->contact[k] == c)
            return true;
    return false;
}

struct finding { struct align *align; const struct mode *mode; double t; const double *x; };

static bool find_slip(void *user)
{
    const struct finding *finding = user;
    const struct align *align = finding->align;
    if (flow_eval(align->flow, finding->mode, finding->t, finding->x) != FLOW_OK)
        return false;
    system_eval_contacts(align->flow->sys);
    for (int k = 0; k < align->n; k++) {
        double a[CONTACT_ROWS];
        flow_contact_acceleration(align->flow, align->contact[k], a);
        memcpy(&align->a[SLIP_MAX * k], a + 1, SLIP_MAX * sizeof *a);
    }
    return true;
}

bool align_find(struct align *align, struct mode *mode, double t, const double *x, int start, double tol)
{
    struct finding finding = { align, mode, t, x };
    for (int k = 0; k < align->n; k++) {
        const int c = align->contact[k];
        double *d = &mode->direction[SLIP_MAX * c], first[SLIP_MAX] = { 1 };
        align->slip[k] = slip_start(align->flow->sys->model->contacts.contact[c].n_t, start == 0 ? d : first, start,
                                    d, &align->a[SLIP_MAX * k]);
    }
    if (start + 1 == ALIGN_STARTS && !directions_relax(align->n, align->slip, find_slip, &finding))
        return false;
    return directions_solve(&align->flow->dense, align->n, align->slip, find_slip, &finding, tol);
}
