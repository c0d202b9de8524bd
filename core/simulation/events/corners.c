/* Corners of grounds: which face or corner a contact touches.
 *
 * A closed contact keeps to it until an event: the disc that rolls onto an edge turns about it from then on, and
 * the point that comes to the end of its face meets the next one, which it leaves at once. On a corner, where
 * both sides touch, it is on the one to which it goes.
 */
#include "core/simulation/events/run.h"

#include <math.h>

static const double ON_CORNER = 1e-10;      /* m */

/* Of a corner at the present state. */
static enum sim_mode side_of(const struct sim *sim, int k)
{
    const struct system *sys = sim->sys;
    const double c = sys->corner.f.out[k], rate = sys->corner.f.out[sys->corner.n + k];
    const enum sim_mode held = sim->mode.of[system_corner(sys, k)];
    if (held != SIM_OPEN && fabs(c) <= ON_CORNER) {
        if (fabs(rate) > SELECT_REST)
            return rate > 0 ? SIM_POSITIVE : SIM_NEGATIVE;
        if (k != sim->turned)
            return held;
        return held == SIM_POSITIVE ? SIM_NEGATIVE : SIM_POSITIVE;
    }
    return c >= 0 ? SIM_POSITIVE : SIM_NEGATIVE;
}

void corners_settle(struct sim *sim)
{
    struct system *sys = sim->sys;
    if (sys->corner.n == 0)
        return;
    flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
    system_eval_contacts(sys);
    for (int k = 0; k < sys->corner.n; k++)
        sim->mode.of[system_corner(sys, k)] = side_of(sim, k);
    sim->turned = -1;
}
