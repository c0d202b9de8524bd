/* core/stability/falsify.h - motions that grow: evidence against stability
 *
 * Zero-order dynamics from event to event (impacts, ends of slip, touch-downs), from random small perturbations.
 * They are invariant under (gaps, velocities, time) -> (s^2, s, s), so that a motion whose size
 *   max(|v|, sqrt(gap_1), sqrt(gap_2))
 * has grown by FALSIFY_GROWTH keeps growing as far as anybody can see: inverse chatter, a slip that never ends.
 * Where several modes or orders of impacts are possible, chance decides.
 *
 * Units   those of body.h.
 * Errors  none; a motion that settles, or outlasts max_events, is no evidence of anything.
 */
#ifndef COCP_CORE_STABILITY_FALSIFY_H
#define COCP_CORE_STABILITY_FALSIFY_H

#include "core/base/arena.h"
#include "core/stability/body.h"

#include <stdint.h>

#define FALSIFY_GROWTH 1e3

struct falsify_event {              /* the state after it */
    double t, X, gap[2], v[3], size;
    const char *what;               /* "start", "impact", "touch-down", "slip ends", "goes on forever" */
    int contact;                    /* of an impact; -1: both or none */
};

struct falsify_settings { int n_run, max_events; uint64_t seed; };

struct falsify_result {
    bool grows;
    double factor;                  /* largest size over that of the start; INFINITY: a mode without end */
    int n_event;
    struct falsify_event *event;    /* [n_event] of the run that grew, in mem; NULL if none did */
};

/* 200 motions of at most 3000 events. */
struct falsify_settings falsify_defaults(uint64_t seed);

void falsify(const struct body *body, const struct falsify_settings *settings, struct arena *mem,
             struct falsify_result *out);

/* The events of one motion, whatever becomes of it. */
void falsify_trace(const struct body *body, uint64_t seed, int max_events, struct arena *mem,
                   struct falsify_result *out);

#endif
