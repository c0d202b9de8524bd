/* core/robot/read.c - from a path to a robot */
#include "core/robot/reader.h"

#include "core/base/mem.h"
#include "core/base/regular.h"

#include <math.h>
#include <string.h>

/* Messages may quote the file once its root element says that it is one of a robot; before that it may be
 * anything. */
static void read_root(struct robot_reader *r, struct xml_element *root)
{
    if (strcmp(root->name, "robot") == 0)
        robot_read_urdf(r, root);
    else if (strcmp(root->name, "mujoco") == 0)
        robot_read_mjcf(r, root);
    else
        robot_error(r, root->pos, "this is no robot: expected <robot> (URDF) or <mujoco> (MJCF)");
    if (r->st == STATUS_OK)
        robot_fix_idle_ends(r);
}

enum status robot_read_stream(FILE *file, const char *path, struct robot **out, struct diag *diag)
{
    struct robot *robot = mem_alloc(1, sizeof *robot);
    struct robot_reader r = { .robot = robot, .mem = &robot->mem, .diag = diag, .st = STATUS_OK };
    struct xml_element *root = NULL;
    robot->file = arena_copy_text(&robot->mem, path);
    robot->gravity[0] = robot->gravity[1] = robot->gravity[2] = NAN;
    r.st = xml_read(file, robot->file, r.mem, &r.n_element, &root, diag);
    if (root)
        read_root(&r, root);
    *out = robot;
    if (r.st != STATUS_OK) {
        robot_free(robot);
        *out = NULL;
    }
    return r.st;
}

enum status robot_read(const char *path, struct srcpos from, struct robot **out, struct diag *diag)
{
    const char *why = NULL;
    FILE *file = regular_open(path, "the file of a robot", diag, &why);
    *out = NULL;
    if (!file && from.line)
        return diag_error(diag, from, NULL, "cannot read \"%s\": %s", path, why);
    if (!file)
        return diag_fail(diag, STATUS_IO, "cannot read %s: %s", path, why);
    const enum status st = robot_read_stream(file, path, out, diag);
    (void)fclose(file);
    return st;
}
