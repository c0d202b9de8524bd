/* core/robot/reader.h - what the readers of the formats share; for the sources of this folder alone
 *
 * Errors  every function reports to r->diag and sets r->st; reading carries on, until there are too many of them.
 */
#ifndef COCP_CORE_ROBOT_READER_H
#define COCP_CORE_ROBOT_READER_H

#include "core/robot/robot.h"
#include "core/robot/xml.h"

enum { READER_MAX_ERRORS = 20, READER_MAX_WARNINGS = 100 };

struct robot_reader {
    struct robot *robot;
    struct arena *mem;                          /* the robot's */
    struct diag *diag;
    enum status st;
    int n_error;
    int n_element;                              /* of all files */
    int n_warned;
    const char *warned[READER_MAX_WARNINGS];    /* what has been warned of: once is enough */
};

enum status robot_error(struct robot_reader *r, struct srcpos pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A warning of something that the file has and nobody takes; of each text one, at its first place. */
void robot_warn(struct robot_reader *r, struct srcpos pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool robot_gives_up(const struct robot_reader *r);

/* The root of a further file, `what` in words, which is named at pos; NULL after an error. */
struct xml_element *robot_read_xml(struct robot_reader *r, const char *path, const char *what, struct srcpos pos);

/* n numbers of a text, separated by blanks, at most n_max; -1 after an error: something is no number, is not finite
 * (where `finite`), or there are fewer than n_min or more than n_max. `name` is for the message. */
int robot_numbers_of(struct robot_reader *r, struct srcpos pos, const char *name, const char *text, bool finite,
                     int n_min, int n_max, double *out);
/* The same of an attribute; 0 where it is absent. out keeps what it has then, and after an error. */
int robot_numbers(struct robot_reader *r, const struct xml_element *element, const char *name, int n_min, int n_max,
                  double *out);
/* One number; false: absent or wrong. robot_limit: it may be infinite. */
bool robot_number(struct robot_reader *r, const struct xml_element *element, const char *name, double *out);
bool robot_limit(struct robot_reader *r, const struct xml_element *element, const char *name, double *out);
/* An attribute that must be there; NULL after an error. */
const char *robot_need(struct robot_reader *r, const struct xml_element *element, const char *name);

/* New ones at the end of the robot's lists; NULL (reported): there are too many. A body starts on a fixed joint,
 * without mass and limits. */
struct robot_body *robot_add_body(struct robot_reader *r, const char *name, struct srcpos pos);
struct robot_frame *robot_add_frame(struct robot_reader *r, const char *name, struct srcpos pos, int body);
struct robot_shape *robot_add_shape(struct robot_reader *r, const char *name, struct srcpos pos, int body);
void robot_init_joint(struct robot_joint *joint);

/* Makes an axis one of length 1; an error where it has no length. */
void robot_unit(struct robot_reader *r, struct srcpos pos, double axis[3]);

/* Refuses a negative mass; warns of an inertia that no body has: many files have some, and whether a robot moves
 * is seen when all that is rigid is one. */
void robot_check_inertia(struct robot_reader *r, struct srcpos pos, const struct inertia *inertia);
/* Fixes joints at the ends of the tree that move no mass, with a warning. */
void robot_fix_idle_ends(struct robot_reader *r);

/* Joints that follow one that follows another one follow the last; an error where they go round in a circle. */
void robot_follow_mimics(struct robot_reader *r);

/* The formats: fill r->robot from the root element. */
void robot_read_urdf(struct robot_reader *r, struct xml_element *root);
void robot_read_mjcf(struct robot_reader *r, struct xml_element *root);

#endif
