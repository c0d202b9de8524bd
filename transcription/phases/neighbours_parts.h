/* transcription/phases/neighbours_parts.h - what the moves of neighbours.h share: those of events in time and over
 * the grid, and those that change states (neighbours_states.c, neighbours_crossings.c, neighbours_sides.c)
 */
#ifndef COCP_TRANSCRIPTION_PHASES_NEIGHBOURS_PARTS_H
#define COCP_TRANSCRIPTION_PHASES_NEIGHBOURS_PARTS_H

#include "transcription/phases/finish.h"

struct neighbours;

struct finder {
    const struct finish *finish;
    const struct phases *ph;
    const struct sequence *seq;
    double near;                    /* s */
    double H;                       /* of a control interval, on the average */
    double *grid;                   /* [n_interval + 1] */
    double *start, *t;              /* [n_piece + 1], [n_event] */
    int *edge;                      /* [n_event] at the end (1) or the start (-1) of its interval, without length */
    struct neighbours *out;
};

/* Takes over seq and t; drops what is no sequence. */
void neighbours_add(struct finder *at, double priority, struct sequence *seq, double *t, const char *what, int j);

/* The time of a place in units of intervals. */
double neighbours_time(const struct finder *at, double place);

/* The times of the events, with room for extra more; free() them. */
double *neighbours_times(const struct finder *at, int extra);

/* Two events at one time, of which one is a transition, the other way round; all changes of the order of transitions. */
void neighbours_exchange(struct finder *at, int j);
void neighbours_orders(struct finder *at);

/* Sliding that comes back; slip in space that turns or stands; rest at the ends of the horizon; the friction of impact j;
 * the cone in piece k. */
void neighbours_passages(struct finder *at);
void neighbours_stops(struct finder *at);
void neighbours_rests(struct finder *at);
void neighbours_impacts(struct finder *at, int j);
void neighbours_cones(struct finder *at, int k);

/* Contacts that close and stay closed to the end. */
void neighbours_releases(struct finder *at);

/* Switching functions that are 0 at the end, or graze their surface; rounds of relays. Of a solution. */
void neighbours_crossings(struct finder *at);

/* Sides of the user's complementarity (neighbours_sides.c). */
void neighbours_sides(struct finder *at);

#endif
