/* transcription/system/dcs.h - a nonsmooth system as a dynamic complementarity system
 *
 *   E(y) y' = F(y, sel, z, u, p)                       differential states y
 *   0 = cont(y, lam, [sel])                            wherever lam lives: at stages and element boundaries
 *   0 = stage(y, lam, sel, z, u, p)                    at stages only
 *   0 <= lam_i  _|_  offset + coef sel_j >= 0          pairs
 *
 * lam are continuous functions of time, sel are not: that is all that FESD needs to know (fesd.md 4). The
 * builders make this of a model: Filippov systems in step or Stewart form (B), time-freezing (C), and contact
 * forces, for FESD-J (fesd_j.md) and for fixed-grid time-stepping (fesd_j.md 10).
 * With FESD-J velocities jump at impacts, and with
 * them what depends on velocities: these components are marked, and have a value of their own at the left boundary
 * of each element (junction.c). y is the model's state, then the clock where anything depends on time; with
 * time-freezing y' is the derivative by numerical time.
 * Ownership  a dcs works in a fork of the model, whose graph goes with it; its arrays live in its arena.
 */
#ifndef COCP_TRANSCRIPTION_SYSTEM_DCS_H
#define COCP_TRANSCRIPTION_SYSTEM_DCS_H

#include "core/model/model.h"

struct dcs_var {                    /* a component of y, sel, lam or z */
    const char *name;               /* for reports: "foot gap, open side" */
    const char *path;               /* spec path or NULL */
    struct srcpos pos;
    expr sym;
    double lb, ub, guess;
    bool jumps;                     /* y, lam: at impacts */
};

struct dcs_row {
    const char *name, *path;
    struct srcpos pos;
    expr e;
    bool at_least;                  /* cont: e >= 0 in place of e = 0 */
    bool jumps;                     /* cont: of components that jump */
};

struct dcs_pair {
    int lam, sel;
    double coef, offset;
    bool sel_is_lam;                /* `sel` is a place in lam: two continuous sides, as in fesd_j.md (6) */
};

enum dcs_kind { DCS_STEP, DCS_STEWART, DCS_FORCES };

struct dcs_switch {                 /* a switching function c: step at alpha, or a factor of Stewart's g */
    const char *name, *path;
    struct srcpos pos;
    expr c;
    int sel, lam_p, lam_n;          /* step form: places of alpha, max(c, 0), max(-c, 0) */
    int contact;                    /* of time-freezing: contact index, or -1 */
    const struct model_hysteresis *relay;       /* one whose c depends on its own step and never slides; NULL: none */
    const struct model_projection *wall;        /* one that is never negative, with 1 - alpha >= 0 unbounded; NULL: none */
};

struct dcs_stewart_group {          /* mode m = 0..2^n_switch-1: bit l of m set means c_l > 0 */
    int n_switch;
    const int *sw;                  /* [n_switch] into switches */
    int sel, lam, mu;               /* first of theta and of lambda; place of mu in lam */
};

/* Which of the laws of contact_forces.c says how a contact's friction and slip go together. */
enum dcs_friction { DCS_FRICTIONLESS, DCS_SCALAR, DCS_POLYHEDRAL, DCS_CONE, DCS_CONIC_PAPER };

struct dcs_contact {                /* contact forces: aux / rate, where time runs; their integral is the impulse */
    expr aux_n, aux_t[SLIP_MAX];          /* of y, sel, z, p; N in numerical time */
    int gap, force;                 /* DCS_FORCES: places of the gap in lam and of lambda_n in sel */
    enum dcs_friction friction;     /* DCS_FORCES */
    int first_pair, end_pair;       /* DCS_FORCES: its pairs, that of the gap first */
    int slip[SLIP_MAX], force_t[SLIP_MAX];      /* cone form: places of v_t in lam and of lambda_t in sel; else -1 */
};

struct dcs {
    struct arena mem;
    struct model *model;            /* owned fork; names of switches live in its memory */
    struct expr_graph *g;
    enum dcs_kind kind;
    int n_y, n_sel, n_lam, n_z;
    struct dcs_var *y, *sel, *lam, *z;
    int clock;                      /* place of physical time in y, or -1 */
    expr rate;                      /* dt/dt_num: a constant 1, or what time-freezing makes of it */
    bool freezes;                   /* rate is not constant */

    struct dcs_row *F;              /* [n_y] */
    bool *massive;                  /* [n_y] row has M; else E is the identity there */
    expr *E;                        /* [n_y * n_y] by rows E[row * n_y + col]; used in massive rows */
    bool E_is_constant;
    int n_cont, n_stage;
    struct dcs_row *cont, *stage;
    int n_pair;
    struct dcs_pair *pair;
    int n_band, *band;              /* places in lam of dead-band shifts: c - shift in place of c, time_freezing.md 11 */
    int n_switch;
    struct dcs_switch *sw;
    expr *condition;                /* [n_conditional of the model] what they are in steps: 1 where the constraint holds */
    int n_group;
    struct dcs_stewart_group *group;
    struct dcs_contact *contact;    /* [model->n_contact], when forces are modelled; else NULL */
    bool impacts;                   /* FESD-J: there are junctions */
};

void dcs_free(struct dcs *dcs);

/* lam at a point without one: the values that solve cont and complementarity at y (fesd.md 4, initial point; of
 * contact forces the gap, what jumps is 0). y [n_y], p [n_p], T: values; lam [n_lam]. Step form also gives sel
 * [n_sel] (alpha at 0, 1/2, 1). */
void dcs_lam_at(const struct dcs *dcs, const double *y, const double *p, double T, double *lam, double *sel);

/* DCS_FORCES: components [*first, *end) of sel belong to contact c. */
void dcs_sel_of(const struct dcs *dcs, int c, int *first, int *end);

/* Does any switching function depend on optimized parameters, the free horizon or its own force? Then lam
 * at a fixed y is not given. */
bool dcs_lam_varies(const struct dcs *dcs);

/* name with a suffix, in the arena. */
const char *dcs_name(struct dcs *dcs, const char *name, const char *suffix);

#endif
