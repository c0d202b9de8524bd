/* core/robot/mjcf.h - what the files that read an MJCF share; for the sources of this folder alone
 *
 * As mujoco.readthedocs.io, chapter "XML reference", describes the format. In the order of reading: mjcf.c puts
 * included files in, reads <compiler> and <option>; mjcf_defaults.c finds what an attribute is when its element
 * does not say; mjcf_turn.c reads orientations; mjcf_bodies.c the tree with its joints and sites; mjcf_geoms.c
 * shapes and their masses; mjcf_forces.c actuators and equations between joints;
 * mjcf_loops.c those that close loops.
 */
#ifndef COCP_CORE_ROBOT_MJCF_H
#define COCP_CORE_ROBOT_MJCF_H

#include "core/robot/reader.h"

/* <default class="..."> */
struct mjcf_class {
    const char *name;
    int parent;                                 /* -1: of none */
    const struct xml_element *element;
};

enum mjcf_from_geoms { MJCF_NEVER, MJCF_ALWAYS, MJCF_WHERE_MISSING };

struct mjcf {
    struct robot_reader *r;
    const char *folder;                         /* of the main file, ending with /; or "" */
    const struct xml_element *root;
    int n_class;
    struct mjcf_class *class;                   /* [n_class]; 0 is the class of all, if there is any */
    bool degrees, auto_limits, balance;         /* <compiler> */
    char euler[4];
    enum mjcf_from_geoms from_geoms;
    double group[2], least_mass, least_inertia, total_mass;
    int n_unnamed;
};

/* Which defaults an element without a class of its own has, and where what it holds is. */
struct mjcf_place {
    int body;                                   /* -1: the world */
    const char *class;                          /* of childclass; NULL: none */
    struct pose at;                             /* of the frame that elements stand in, in the body's */
};

/* mjcf_defaults.c */
void mjcf_read_defaults(struct mjcf *m);
/* The attribute of an element, or what its class says; NULL: neither. `own`: it is the element's. */
const char *mjcf_get(struct mjcf *m, const struct xml_element *element, const char *class, const char *name,
                     bool *own);
/* As robot_numbers, robot_number. */
int mjcf_numbers(struct mjcf *m, const struct xml_element *element, const char *class, const char *name, int n_min,
                 int n_max, double *out);
bool mjcf_number(struct mjcf *m, const struct xml_element *element, const char *class, const char *name,
                 double *out);
/* true, false or auto: -1. */
int mjcf_flag(struct mjcf *m, const struct xml_element *element, const char *class, const char *name, int initial);
/* Is an interval in force: its own flag, or that it is given? */
bool mjcf_is_limited(struct mjcf *m, const struct xml_element *element, const char *class, const char *flag,
                     const char *range);

/* mjcf_turn.c: pos and the orientation in whatever form, in the frame of the place. */
struct pose mjcf_pose(struct mjcf *m, const struct xml_element *element, const struct mjcf_place *place);
double mjcf_angle(const struct mjcf *m, double given);                  /* in rad */

/* mjcf_bodies.c */
void mjcf_read_world(struct mjcf *m, const struct xml_element *world);

/* mjcf_geoms.c: adds the shape; its mass and inertia, in the frame of the body, to *sum where that is not NULL. */
void mjcf_read_geom(struct mjcf *m, const struct xml_element *geom, const struct mjcf_place *place,
                    struct inertia *sum);

/* mjcf_forces.c */
void mjcf_read_actuators(struct mjcf *m, const struct xml_element *actuators);
void mjcf_read_equations(struct mjcf *m, const struct xml_element *equality);

/* mjcf_loops.c: <connect> and <weld>. */
void mjcf_read_loop(struct mjcf *m, const struct xml_element *equation);

#endif
