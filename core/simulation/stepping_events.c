/* The events of a time-stepping run, read from its impulses and slip speeds. */
#include "core/simulation/stepping.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STICK_TOL 1e-9              /* m/s; what complementarity leaves of a speed that it sets to zero */

struct event_list { const struct stepping *run; struct sim_event *event; int n; };

/* What contact c does in step k after `before`; one that is touched without a force goes on as before. */
static enum sim_mode mode_of(const struct stepping *run, int k, int c, enum sim_mode before)
{
    const double *v = run->v + 3 * (k * run->n_contact + c);
    if (!(run->impulse[3 * (k * run->n_contact + c)] > 0))
        return v[0] <= STICK_TOL ? before : SIM_OPEN;
    if (hypot(v[1], v[2]) <= STICK_TOL)
        return SIM_STICKS;
    return v[2] == 0 && v[1] < 0 ? SIM_BACKWARD : SIM_FORWARD;
}

static void add(struct event_list *list, int k, int c, enum sim_kind kind)
{
    const struct stepping *run = list->run;
    list->event = mem_grow(list->event, list->n, 1, sizeof *list->event);
    struct sim_event *event = &list->event[list->n++];
    *event = (struct sim_event){ .t = run->t[k + 1], .kind = kind, .subject = c,
                                 .x_minus = run->x + (size_t)k * (size_t)run->n_x,
                                 .x_plus = run->x + (size_t)(k + 1) * (size_t)run->n_x };
    if (kind == SIM_IMPACT)
        memcpy(event->impulse, run->impulse + 3 * (k * run->n_contact + c), sizeof event->impulse);
}

/* The event that a change of mode is; a contact that was closed for a single step has bounced. */
static void compare(struct event_list *list, int k, int c, enum sim_mode before, enum sim_mode now, int n_closed)
{
    if (now == before)
        return;
    if (before == SIM_OPEN)
        add(list, k, c, SIM_IMPACT);
    else if (now == SIM_OPEN && n_closed > 1)
        add(list, k, c, SIM_LIFTOFF);
    else if (now == SIM_STICKS)
        add(list, k, c, SIM_STICK);
    else if (now != SIM_OPEN)
        add(list, k, c, before == SIM_STICKS ? SIM_SLIP : SIM_REVERSAL);
}

struct sim_event *stepping_events(const struct stepping *run, int *n)
{
    struct event_list list = { .run = run };
    enum sim_mode *mode = mem_alloc((size_t)run->n_contact, sizeof *mode);
    int *n_closed = mem_alloc((size_t)run->n_contact, sizeof *n_closed);        /* steps up to now */
    for (int k = 0; k < run->n; k++)
        for (int c = 0; c < run->n_contact; c++) {
            const enum sim_mode now = mode_of(run, k, c, k > 0 ? mode[c] : SIM_OPEN);
            if (k > 0)
                compare(&list, k, c, mode[c], now, n_closed[c]);
            n_closed[c] = now == SIM_OPEN ? 0 : n_closed[c] + 1;
            mode[c] = now;
        }
    free(mode);
    free(n_closed);
    *n = list.n;
    return list.event;
}
