/* core/simulation/jump_parts.h - what jump.c and jump_many.c share; private to them */
#ifndef COCP_CORE_SIMULATION_JUMP_PARTS_H
#define COCP_CORE_SIMULATION_JUMP_PARTS_H

#include "core/simulation/angles.h"
#include "core/simulation/jump.h"

#define JUMP_TOL 1e-9               /* of velocities and impulses, relative to the largest */

/* What a contact does in an impact. A released one may still carry the impulse of its expansion. */
enum role {
    RELEASED = 0,
    RELEASED_STICK,
    RELEASED_FORWARD,
    RELEASED_BACKWARD,
    HELD_STICK,
    HELD_FORWARD,
    HELD_BACKWARD,
    N_ROLES
};

struct jump {                       /* one problem: u = u_free + G r, r_n = r_0 + rho */
    struct arena mem;
    const struct sim_impact *in;
    int m;                          /* contacts; components are 3 * c + (0, 1, 2) */
    struct dense dense;
    double *W;                      /* [n_q * 3 m] M^-1 J */
    double *G;                      /* [3 m * 3 m] */
    double *u_free, *target, *r_0;  /* [3 m], [m], [m] */
    double *A, *b, *z;
    int *unknown;                   /* [3 m] component of unknown k */
    double *r, *u;                  /* [3 m] of the last combination */
    double *d, *angle;              /* [2 m] directions of slip; [m] angles of those that are looked for */
    enum role *role;
    const bool *is_fixed;           /* [m] contacts whose direction of slip is given; NULL: none */
    const double *fixed;            /* [2 m] these directions */
    double scale_u, scale_r;
};

bool role_is_held(enum role role);
bool jump_has_friction(const struct jump *jump, int c);
/* Does contact c slip in a given direction whatever its force? */
bool jump_is_fixed(const struct jump *jump, int c);
/* Is the direction of slip of contact c, in space, to be found? */
bool jump_turns(const struct jump *jump, int c);

/* Impulses r and velocities u of the present roles; guessing directions from the velocity before. */
bool jump_try_combination(struct jump *jump);
/* The same with the directions that stand in angle and d. */
bool jump_try_directions(struct jump *jump, int n_angle);

/* Roles for many contacts by Lemke's method; false if it finds none. */
bool jump_solve_lemke(struct jump *jump);
/* r and u by sweeps of proximal points; false if they do not settle. */
bool jump_solve_sweeps(struct jump *jump);

#endif
