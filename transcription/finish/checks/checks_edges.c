#include "transcription/finish/checks/between.h"
#include "transcription/finish/checks/checks.h"
#include "transcription/finish/checks/checks_list.h"

#include <math.h>

#define SIDE_CLEAR 1e-5             /* of a switch's largest margin: one that stays nearer all through an element, where a
                                     * replay is off, is kept twice as far away */
#define SOFT_LANDING 1e-3           /* of a gap's fastest motion: no softer impact where a replay is off. With a gap off by d it
                                     * misses those below sqrt(2 d a), a its acceleration; monoped 1e-2 m/s for 1e-6 m */
#define FIRM_STICK 1e-3             /* of the cone's width, likewise: forces at the start of an element are those of a polynomial */

/* Does contact i close at the end of element e with an impact? */
static bool hits_at_end(const struct phases *ph, int e, int i)
{
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    return e == piece->first + piece->n_element - 1 && piece->after >= 0
           && sequence_mode(ph->seq, piece->mode)[i] == PHASE_OPEN
           && sequence_hit(ph->seq, piece->after)[i] != PHASE_OPEN;
}

/* v_n of contact i at part c of element e. */
static double approach(struct between *at, int e, int i, double c)
{
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    between_evaluate(at, &point, c);
    return at->state_out[at->ph->sys->out.v_n + i];
}

static double fastest(struct between *at, int i)
{
    double most = 0;
    for (int e = 0; e < at->ph->n_element; e++)
        most = fmax(most, fmax(fabs(approach(at, e, i, 0)), fabs(approach(at, e, i, 1))));
    return most;
}

/* Keeps contact i clear of an edge at part c of element e, 0 or 1; one that is kept already takes that over. */
static void hold(struct checks *to, int e, double c, int i, double clear)
{
    for (int k = 0; k < to->n; k++)
        if (to->check[k].element == e && to->check[k].subject == i && to->check[k].c == c) {
            to->check[k].clear = fmax(to->check[k].clear, clear);
            return;
        }
    checks_add(to, &(struct phase_check){ e, c, i, clear });
}

/* Does contact i, in the plane, begin to stick where element e begins? */
static bool begins_to_stick(const struct phases *ph, int e, int i)
{
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    return e == piece->first && piece->before >= 0 && ph->sys->contact[i].n_t == 1
           && sequence_mode(ph->seq, piece->mode)[i] == PHASE_STICK
           && sequence_mode(ph->seq, piece->before)[i] != PHASE_STICK;
}

static void hold_impact(struct between *at, int e, int i, double least, struct checks *to)
{
    if (hits_at_end(at->ph, e, i) && approach(at, e, i, 1) > -least)
        hold(to, e, 1, i, least);
}

/* The sides of the cone are mu lambda_n -+ lambda_t: half their sum is its width. */
static void hold_stick(struct between *at, int e, int i, struct checks *to)
{
    const struct phase_point point = phases_stage_point(at->ph, e, 0);
    if (!begins_to_stick(at->ph, e, i))
        return;
    between_evaluate(at, &point, 0);
    const double *side = at->state_out + at->ph->sys->out.cone + 2 * i,
                 least = FIRM_STICK * 0.5 * (side[0] + side[1]);
    if (least > 0 && fmin(side[0], side[1]) < least)
        hold(to, e, 0, i, least);
}

/* A switch that comes to its surface and turns back, or stays beside it, is on either side of it
 * in a replay: wherever it is nearer than CLEARANCE and a little it is held off, but where it
 * comes from there or goes there. */
static void hold_side(struct between *at, int e, int i, struct checks *to)
{
    const struct phases *ph = at->ph;
    const struct phase_point point = phases_stage_point(ph, e, 0);
    const double clear = SIDE_CLEAR * fmin(1, at->largest[i]);
    if (!between_has_margin(ph, &point, i))
        return;
    for (int k = 0; k <= ph->n_point; k++) {
        const double c = k > 0 ? ph->c[k - 1] : 0;
        const bool is_event =
            (c <= 0 && between_touches(ph, e, i, false)) || (c >= 1 && between_touches(ph, e, i, true));
        if (!is_event && between_margin(at, &point, i, c) < clear)
            hold(to, e, c, i, 2 * clear);
    }
}

/* A relay that a replay finds beyond its threshold, by however little, stays there: wherever it comes next to
 * that it is held off, at stages too, but where it switches. */
static void hold_relay(struct between *at, int e, int i, struct checks *to)
{
    const struct phases *ph = at->ph;
    const struct phase_point point = phases_stage_point(ph, e, 0);
    const double clear = SIDE_CLEAR * fmin(1, at->largest[i]);
    if (between_touches(ph, e, i, false) || between_touches(ph, e, i, true))
        return;
    for (int k = 0; k < ph->n_point; k++)
        if (between_margin(at, &point, i, ph->c[k]) < clear)
            hold(to, e, ph->c[k], i, 2 * clear);
}

static bool is_relay(const struct phase_system *sys, int i)
{
    const struct phase_switch *sw = &sys->sw[i - sys->n_contact];
    return sw->pair < 0 && sw->sw->relay;
}

int checks_find_edges(const struct phases *ph, const double *w, const bool *interval, int n,
                      struct phase_check **check)
{
    struct between at = between_create(ph, w);
    struct checks to = { .n = n, .check = *check };
    for (int e = 0; e < ph->n_element; e++)
        for (int i = ph->sys->n_contact; i < ph->sys->n_contact + ph->sys->n_switch; i++)
            if (is_relay(ph->sys, i))
                hold_relay(&at, e, i, &to);
            else if (interval[ph->piece[ph->piece_of[e]].interval])
                hold_side(&at, e, i, &to);
    for (int i = 0; i < ph->sys->n_contact; i++) {
        const double least = SOFT_LANDING * fastest(&at, i);
        for (int e = 0; e < ph->n_element; e++)
            if (interval[ph->piece[ph->piece_of[e]].interval]) {
                hold_impact(&at, e, i, least, &to);
                hold_stick(&at, e, i, &to);
            }
    }
    between_free(&at);
    *check = to.check;
    return to.n;
}
