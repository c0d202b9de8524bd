/* The events of a time-stepping run, read from its impulses and slip speeds. */
#include "core/simulation/stepping.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STICK_TOL 1e-9              /* m/s; what complementarity leaves of a speed that it sets to zero */

struct event_list { const struct stepping *run; struct sim_event *event; int n, cap; };

static enum sim_mode mode_of(const struct stepping *run, int k, int c)
{
    const double *v_t = run->v_t + 2 * (k * run->n_contact + c);
    if (!(run->impulse[3 * (k * run->n_contact + c)] > 0))
        return SIM_OPEN;
    if (hypot(v_t[0], v_t[1]) <= STICK_TOL)
        return SIM_STICKS;
    return v_t[1] == 0 && v_t[0] < 0 ? SIM_BACKWARD : SIM_FORWARD;
}

static void add(struct event_list *list, int k, int c, enum sim_kind kind)
{
    const struct stepping *run = list->run;
    if (list->n == list->cap) {
        list->cap = list->cap ? 2 * list->cap : 16;
        list->event = mem_resize(list->event, (size_t)list->cap, sizeof *list->event);
    }
    struct sim_event *event = &list->event[list->n++];
    *event = (struct sim_event){ .t = run->t[k + 1], .kind = kind, .subject = c,
                                 .x_minus = run->x + (size_t)k * (size_t)run->n_x,
                                 .x_plus = run->x + (size_t)(k + 1) * (size_t)run->n_x };
    if (kind == SIM_IMPACT)
        memcpy(event->impulse, run->impulse + 3 * (k * run->n_contact + c), sizeof event->impulse);
}

/* What contact c does in step k after `before` and, one step earlier, `earlier`. */
static void compare(struct event_list *list, int k, int c, enum sim_mode earlier, enum sim_mode before,
                    enum sim_mode now)
{
    if (now == before)
        return;
    if (before == SIM_OPEN)
        add(list, k, c, SIM_IMPACT);
    else if (now == SIM_OPEN && earlier != SIM_OPEN)
        add(list, k, c, SIM_LIFTOFF);
    else if (now == SIM_STICKS)
        add(list, k, c, SIM_STICK);
    else if (now != SIM_OPEN)
        add(list, k, c, before == SIM_STICKS ? SIM_SLIP : SIM_REVERSAL);
}

struct sim_event *stepping_events(const struct stepping *run, int *n)
{
    struct event_list list = { .run = run };
    for (int k = 1; k < run->n; k++)
        for (int c = 0; c < run->n_contact; c++)
            compare(&list, k, c, k > 1 ? mode_of(run, k - 2, c) : mode_of(run, 0, c), mode_of(run, k - 1, c),
                    mode_of(run, k, c));
    *n = list.n;
    return list.event;
}
