/* The events of a time-stepping run, read from its impulses and slip speeds. */
#include "core/simulation/events/run.h"
#include "core/stepping/stepping.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STICK_TOL 1e-9              /* m/s; what complementarity leaves of a speed that it sets to zero */

struct event_list { const struct stepping *run; struct sim_event *event; int n; };

/* What contact c does in step k after `before`; one that is touched without a force goes on as before. */
static enum sim_mode mode_of(const struct stepping *run, int k, int c, enum sim_mode before)
{
    const double *v = run->v + CONTACT_ROWS * (k * run->n_contact + c);
    if (!(run->impulse[CONTACT_ROWS * (k * run->n_contact + c)] > 0))
        return v[0] <= STICK_TOL ? before : SIM_OPEN;
    if (slip_size(v + 1) <= STICK_TOL)
        return SIM_STICKS;
    return v[2] == 0 && v[3] == 0 && v[1] < 0 ? SIM_BACKWARD : SIM_FORWARD;
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
        memcpy(event->impulse, run->impulse + CONTACT_ROWS * (k * run->n_contact + c), sizeof event->impulse);
}

struct sim_event *stepping_events(const struct stepping *run, int *n)
{
    struct event_list list = { .run = run };
    enum sim_mode *mode = mem_alloc((size_t)run->n_contact, sizeof *mode);
    int *n_closed = mem_alloc((size_t)run->n_contact, sizeof *n_closed);        /* steps up to now */
    for (int k = 0; k < run->n; k++)
        for (int c = 0; c < run->n_contact; c++) {
            const enum sim_mode now = mode_of(run, k, c, k > 0 ? mode[c] : SIM_OPEN);
            const bool has_bounced = now == SIM_OPEN && n_closed[c] <= 1;       /* closed for a single step */
            if (k > 0 && now != mode[c] && !has_bounced)
                add(&list, k, c, run_kind_of_change(mode[c], now));
            n_closed[c] = now == SIM_OPEN ? 0 : n_closed[c] + 1;
            mode[c] = now;
        }
    free(mode);
    free(n_closed);
    *n = list.n;
    return list.event;
}
