/* transcription/step/predict_plan.h - a guess of what contacts do in a step, as equations and what they say of it
 *
 * Private to predict.c, which looks for the plan, and predict_plan.c, which solves and judges one.
 *
 * Shapes  elements j < n_e, contacts c < n_c of them, contacts fastest; w [n_w] of the step's program.
 * Units   of the spec; h and t in s.
 * Errors  none: what a plan does not solve is a flaw of it.
 */
#ifndef COCP_TRANSCRIPTION_STEP_PREDICT_PLAN_H
#define COCP_TRANSCRIPTION_STEP_PREDICT_PLAN_H

#include "transcription/step/hold.h"

enum motion { OPEN, SLIDES, STICKS, FORWARD, BACKWARD };        /* SLIDES: closed, without friction; of friction in
                                                                 * the exact cone FORWARD is any slip */

/* What a contact does in an element and at the junction on its left. */
struct contact_plan {
    enum motion motion;
    bool impact;
    enum motion slip;               /* friction of the impulse */
    bool ends;                      /* its motion comes to its bound at the end of the element */
};

struct plan {                       /* a guess */
    int n_event;
    struct contact_plan *contact;   /* [n_element * n_contact], see plan_at */
    double *h;                      /* [n_element] */
    const double *start;            /* [n_w] where its equations are solved from: the solution that showed the flaw */
};

/* The first wrong sign of a solution. */
enum flaw_kind { FLAW_NONE, FLAW_GAP, FLAW_FORCE, FLAW_LOWER, FLAW_UPPER, FLAW_SLIP, FLAW_OTHER };

struct flaw {
    int j, k, c;                    /* element, point, contact */
    enum flaw_kind what;
    double t;                       /* since the start of the element */
    bool suspected;                 /* no sign tells, but it is the likeliest cause */
};

struct prediction {
    struct transcription *tr;
    struct arena mem;
    struct hold hold;
    double *w;                      /* [n_w] */
    double *slip;                   /* [2 n_c] slip velocity of each contact where it was last looked at */
    int n_c, n_e, n_projection;
    int *iterations;
    bool may_rest;                   /* bounces may end at once */
    struct flaw first_hit;          /* the first gap found to close, and the plan that ends its element there */
    struct plan hit_plan;
};

/* What contact c does in element j of the plan. */
struct contact_plan *plan_at(const struct prediction *it, const struct plan *plan, int j, int c);

/* The law of friction of contact c. */
enum dcs_friction plan_law(const struct transcription *tr, int c);
/* Is that one that plans cannot tell? */
bool plan_is_untold(const struct transcription *tr, int c);
/* Does contact c have friction that plans can tell? */
bool plan_has_friction(const struct prediction *it, int c);
/* Contact c in the system; one of its pairs of slip and what is left of the cone, by side. */
const struct dcs_contact *plan_contact(const struct prediction *it, int c);
const struct dcs_pair *plan_side(const struct prediction *it, int c, int side);

/* Variables of contact c at point k of element j. */
int plan_gap(const struct prediction *it, int j, int k, int c);
int plan_slip(const struct prediction *it, int j, int k, int c, int side);
int plan_force(const struct prediction *it, int j, int k, int c);

/* Solves the plan's equations; the solution is left in it->w. FLAW_NONE if the original system holds, FLAW_OTHER if
 * no sign tells what is wrong. */
struct flaw plan_judge(struct prediction *it, const struct plan *plan);

#endif
