/* core/simulation/flow.h - the vector field of one mode: accelerations with the forces and steps that hold it
 *
 *   unknown   lambda_n of closed contacts, lambda_t of sticking ones, alpha of switches that slide
 *   such that d/dt v_n = 0 (HYB, fcontconst1), lambda_t = -mu lambda_n direction in slip (fcontconst2),
 *             d/dt v_t = 0 in stick (fcontconst3), d/dt c = 0 while sliding (Filippov), c = 0 of a pair whose H is 0
 *
 * Linear in the unknowns but for products of alpha and what forces of pairs do, for which Newton's method takes a few rounds. Where contacts
 * are redundant (two feet of one rigid body, both sticking) accelerations are unique and forces are not:
 * tangential ones then share the load in proportion to what each contact can bear, mu lambda_n, so that a body
 * held by several contacts sticks until all of them together give way.
 *
 * Shapes  force [CONTACT_ROWS * n_c]: normal, tangential; alpha [n_s]; dx [n_x].
 * Errors  FLOW_ codes.
 */
#ifndef COCP_CORE_SIMULATION_FLOW_H
#define COCP_CORE_SIMULATION_FLOW_H

#include "core/contact/dense.h"
#include "core/simulation/simulation.h"
#include "core/simulation/system.h"

struct mode {
    enum sim_mode *of;              /* [n_subject] contacts, switches, then states of machines: their numbers; then corners
                                     * of grounds: on which side of each a closed contact is */
    double *direction;              /* [SLIP_MAX * n_c] of spatial slip: |1|, the side that v_t counts as positive on */
    const double *u;                /* [n_u] controls; borrowed */
};

#define FLOW_NO_DIRECTION 1e-12     /* m/s: spatial slip that is no more than this has the direction that the mode says */

enum flow_outcome {
    FLOW_OK,
    FLOW_NO_SOLUTION,               /* no forces hold the mode */
    FLOW_NAN,                       /* the model has no finite value here */
    FLOW_MASS                       /* M is not positive definite */
};

struct flow {
    struct system *sys;
    struct dense dense;
    double *L;                      /* [n_q * n_q] factor of M */
    double *factored;               /* [n_q * n_q] the M that it is of, if is_factored */
    bool is_factored;
    double *free;                   /* [n_x] x' without forces of contacts and steps */
    long at_free;                   /* evaluation of the dynamics that L and free are of */
    /* Of contacts at the state of the last evaluation, as far as asked for; rows as of J, R = CONTACT_ROWS. */
    double *W, *G;                  /* [n_q * R n_c] M^-1 J, [(R n_c)^2] J'W */
    bool *has_W, *has_G;            /* [R n_c], [(R n_c)^2] */
    double *wanted;                 /* [n_q * R n_c] scratch: rows that are put through L together */
    int *wanted_row;                /* [R n_c] which they are */
    long at_dynamics, at_contacts;  /* evaluations that they are of */
    const double *held_direction;   /* [SLIP_MAX * n_c] slip in space is taken to go there, borrowed; NULL: where v_t does */
    double *A, *b, *z, *weight;     /* of the unknowns */
    double *other, *from;           /* a second solution, where there are many; what they are measured from */
    double *column;                 /* [n_x * n_unknowns] change of x' by each unknown */
    int n_unknown;                  /* how many there were in the last evaluation */
    int *kind, *subject;            /* [n_unknowns] what it is and of which contact or switch */
    double *row, *row_rhs;          /* [n_unknowns * n_x] */
    double *along;                  /* [SLIP_MAX * n_unknowns] of a normal force: the friction against it, mu times the direction */
    double *scratch;                /* [n_x] */
    /* Of the last evaluation. */
    double *dx, *force, *alpha;
    double scale_a, scale_f;        /* sizes of contact accelerations and of forces, for tolerances; at least 1 */
    bool is_redundant;
    long n_eval;
};

void flow_init(struct flow *flow, struct arena *mem, struct system *sys);

bool mode_is_closed(enum sim_mode mode);
void mode_init(struct mode *mode, struct arena *mem, const struct system *sys);
void mode_copy(struct mode *to, const struct mode *from, const struct system *sys);

/* x' = flow->dx, forces and steps at (t, x). */
enum flow_outcome flow_eval(struct flow *flow, const struct mode *mode, double t, const double *x);

/* The direction that friction of contact c in slip is against: +-1 in the plane, the unit vector of v_t (on the
 * side of mode->direction) in space. */
void flow_direction(const struct flow *flow, const struct mode *mode, int c, const struct contact_at *at,
                    double d[SLIP_MAX]);

/* After flow_eval: by what x' changes per unit that component k of the direction of friction of contact c changes,
 * which slips in space; dx [n_x]. False where forces are not unique or switches slide. */
bool flow_turn(struct flow *flow, int c, int k, double *dx);

/* After flow_eval: d/dt of v_n and v_t of contact c, and d/dt of switching function k. */
void flow_contact_acceleration(const struct flow *flow, int c, double a[CONTACT_ROWS]);
double flow_switch_rate(const struct flow *flow, int k);

/* Moves x onto the constraints of the mode: gap = 0, v_n = 0, v_t = 0 in stick, c = 0 while sliding. With
 * least_slip > 0 also to v_t = least_slip direction where slip in space is slower than that, in m/s. */
void flow_project(struct flow *flow, const struct mode *mode, double t, double *x, double least_slip);

/* Puts (t, x, u of the mode, alpha as far as the mode fixes it) into the system's inputs. */
void flow_set_inputs(struct flow *flow, const struct mode *mode, double t, const double *x);

#endif
