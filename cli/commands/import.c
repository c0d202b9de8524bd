/* cli/cmd_import.c - from the file of a robot to a spec to start from */
#define _XOPEN_SOURCE 700                       /* realpath */

#include "cli/commands.h"
#include "core/base/mem.h"
#include "core/robot/stance.h"
#include "core/spec/robot_names.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct import {
    const char *file;                           /* as the spec names it */
    char name[60];                              /* of the robot and the spec */
    const char *base;                           /* word for the spec; NULL: as in the file */
    struct robot *robot;
    struct robot_names names;
    struct robot_stance stance;
    struct arena mem;
    FILE *out;
};

/* --- The base ------------------------------------------------------------------------------------------------ */

/* The root, if there is one alone and nothing moves it yet; -1. */
static int free_root(const struct robot *robot)
{
    int n;
    const int root = robot_root(robot, &n);
    return n == 1 && robot->body[root].joint.type == ROBOT_FIXED ? root : -1;
}

/* Does it go on legs? Two chains or more of joints on the root, none of which is a single joint, or no joint at
 * all. */
static bool looks_afloat(const struct robot *robot, int root)
{
    int chains = 0, joints = 0;
    for (int b = 0; b < robot->n_body; b++) {
        joints += b != root;
        if (robot->body[b].parent != root)
            continue;
        for (int k = b + 1; k < robot->n_body; k++)
            if (robot->body[k].parent == b) {
                chains++;
                break;
            }
    }
    return joints == 0 || chains >= 2;
}

/* What the command line says, else a guess. */
static enum status choose_base(struct import *im, const char *given, struct diag *diag)
{
    const int root = free_root(im->robot);
    enum robot_joint_type type;
    if (given && !robot_base_type(given, &type))
        return diag_fail(diag, STATUS_USAGE, "--base wants floating, fixed or planar, got \"%s\"", given);
    if (given && root < 0)
        return diag_fail(diag, STATUS_USAGE, "%s says itself how its root is on the world: leave --base out",
                         im->robot->file);
    if (root < 0)
        return STATUS_OK;
    im->base = given ? given : looks_afloat(im->robot, root) ? "floating" : "fixed";
    if (robot_base_type(im->base, &type))
        im->robot->body[root].joint.type = type;
    return STATUS_OK;
}

/* --- The spec ------------------------------------------------------------------------------------------------ */

/* To as many digits as are printed, and a nanometre into the ground rather than above it: feet touch. */
static double height_above(double lowest)
{
    return floor(-lowest * 1e9 - 0.5) / 1e9;
}

static void print_posture(const struct import *im)
{
    const char *between = "    posture: {";
    for (int b = 0; b < im->robot->n_body; b++) {
        const struct robot_joint *joint = &im->robot->body[b].joint;
        const double q = im->stance.q[b];
        if (!robot_joint_has_axis(joint->type) || joint->mimic >= 0 || q == 0)
            continue;
        fprintf(im->out, "%s%s: %.12g", between, im->names.joint[b], q);
        between = ", ";
    }
    if (between[0] == ',')
        fputs("}\n", im->out);
}

/* Dry friction of many joints is many switches, and few files say it of what was measured. */
static void print_dry_friction(const struct import *im)
{
    int n = 0;
    for (int b = 0; b < im->robot->n_body; b++)
        n += im->robot->body[b].joint.friction > 0;
    if (n > 0)
        fprintf(im->out,
                "    dry_friction: none                  # that of %d joint%s in the file, each a switch: file "
                "takes it\n",
                n, n == 1 ? "" : "s");
}

static void print_robot(const struct import *im)
{
    fprintf(im->out, "robots:\n  %s:\n    file: \"", im->name);
    for (const char *c = im->file; *c; c++)
        fprintf(im->out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    fputs("\"\n", im->out);
    if (im->base)
        fprintf(im->out, "    base: %s%s\n", im->base, "                          # or floating, fixed, planar");
    if (im->stance.n_foot && height_above(im->stance.lowest) != 0)
        fprintf(im->out, "    at: [0, 0, %.12g]                       # so that the feet are on the ground\n",
                height_above(im->stance.lowest));
    print_dry_friction(im);
    print_posture(im);
}

/* The frame that is there, or BODY_contact, BODY_contact2, ... */
static const char *foot_name(struct import *im, int k)
{
    const struct robot_foot *foot = &im->stance.foot[k];
    int number = 1, n = 0;
    if (foot->frame >= 0)
        return im->names.frame[foot->frame];
    for (int i = 0; i < im->stance.n_foot; i++) {
        n += im->stance.foot[i].body == foot->body;
        number += i < k && im->stance.foot[i].body == foot->body;
    }
    return n == 1 ? arena_printf(&im->mem, "%s_contact", im->names.body[foot->body])
                  : arena_printf(&im->mem, "%s_contact%d", im->names.body[foot->body], number);
}

/* Those that are no frames. */
static void print_points(struct import *im)
{
    int last = -1;
    for (int k = 0; k < im->stance.n_foot; k++) {
        const struct robot_foot *foot = &im->stance.foot[k];
        if (foot->frame >= 0)
            continue;
        if (last < 0)
            fputs("\nbodies:                                     # beside those of the file: points that may "
                  "touch the ground\n",
                  im->out);
        if (foot->body != last)
            fprintf(im->out, "  %s:\n    points:\n", im->names.body[foot->body]);
        last = foot->body;
        fprintf(im->out, "      %s: [%.10g, %.10g, %.10g]\n", foot_name(im, k), foot->at[0] + 0.0,
                foot->at[1] + 0.0, foot->at[2] + 0.0);
    }
}

/* Rounded as it is printed: no -0. */
static double in_mN(double force)
{
    return round(1000 * force) / 1000 + 0.0;
}

static void print_feet(struct import *im)
{
    if (im->stance.n_foot == 0)
        return;
    print_points(im);
    fputs("contacts:                                   # with the plane z = 0; `ground:` makes it another one\n",
          im->out);
    for (int k = 0; k < im->stance.n_foot; k++) {
        const struct robot_foot *foot = &im->stance.foot[k];
        fprintf(im->out, "  %s: {point: %s, ", foot_name(im, k), foot_name(im, k));
        if (foot->radius > 0)
            fprintf(im->out, "radius: %.10g, ", foot->radius);
        if (isnan(foot->friction))
            fputs("friction: mu}", im->out);
        else
            fprintf(im->out, "friction: %.10g}", foot->friction);
        const double *force = im->stance.force ? im->stance.force + (ptrdiff_t)(3 * k) : NULL;
        if (force)
            fprintf(im->out, "   # bears %.3f N, along x and y %.3f and %.3f", force[2], in_mN(force[0]),
                    in_mN(force[1]));
        fputs("\n", im->out);
    }
}

static bool is_driven(const struct robot_joint *joint)
{
    return joint->has_actuator && joint->mimic < 0 && robot_joint_has_axis(joint->type);
}

static bool holds(const struct import *im)
{
    for (int b = 0; b < im->robot->n_body; b++) {
        const struct robot_joint *joint = &im->robot->body[b].joint;
        const double torque = im->stance.torque[b];
        if (is_driven(joint) && (torque < joint->effort[0] || torque > joint->effort[1]))
            return false;
    }
    return im->stance.left < 1e-6;
}

/* What joints hold the posture with, within their limits: the guess of all control intervals and of simulations.
 */
static void print_torques(struct import *im)
{
    bool first = true;
    for (int b = 0; b < im->robot->n_body; b++) {
        const struct robot_joint *joint = &im->robot->body[b].joint;
        const double wanted = im->stance.torque[b];
        const double torque = fmin(fmax(wanted, joint->effort[0]), joint->effort[1]);
        if (!is_driven(joint) || fabs(torque) < 1e-9 * im->stance.weight)
            continue;
        if (first)
            fprintf(im->out, "controls:                                   # %s\n",
                    holds(im) ? "these hold the posture: the solver and simulations start from them"
                              : "these come nearest to holding the posture");
        first = false;
        fprintf(im->out, "  %s_tau: {guess: %.10g}%s\n", im->names.joint[b], torque,
                torque != wanted ? arena_printf(&im->mem, "   # its limit: it would take %.4g", wanted) : "");
    }
    if (first && !holds(im))
        fputs("# Nothing that the file drives holds this posture: a simulation starts to move.\n", im->out);
}

static void print_goal(const struct import *im)
{
    const char *between = "    effort: {squares: {", *example = NULL;
    for (int b = im->robot->n_body - 1; b >= 0; b--)
        if (robot_joint_has_axis(im->robot->body[b].joint.type) && im->robot->body[b].joint.mimic < 0)
            example = im->names.joint[b];
    fputs("\n# The goal: what is to be reached, as final values of states, with bounds or costs of your "
          "own.\n#\n# states:\n",
          im->out);
    for (int b = 0; b < im->robot->n_body; b++)
        if (im->robot->body[b].joint.type == ROBOT_FREE)
            fprintf(im->out, "#   %s_x: {final: 0.3}\n", im->names.joint[b]);
    if (example)
        fprintf(im->out, "#   %s: {final: 0.2}\n#   %s_v: {final: 0}\n", example, example);
    fputs("cost:\n  running:\n", im->out);
    for (int b = 0; b < im->robot->n_body; b++) {
        if (!is_driven(&im->robot->body[b].joint))
            continue;
        fprintf(im->out, "%s%s_tau: 1", between, im->names.joint[b]);
        between = ", ";
    }
    fputs(between[0] == ',' ? "}}\n" : "    none: 0                                 # nothing is driven\n",
          im->out);
}

/* A bar from each end of the tree to the root, of a twenty-fifth of the robot's reach. */
static void print_links(struct import *im)
{
    bool first = true;
    for (int b = 0; b < im->robot->n_body; b++) {
        bool is_end = im->robot->body[b].parent >= 0;
        for (int k = b + 1; k < im->robot->n_body; k++)
            is_end = is_end && im->robot->body[k].parent != b;
        if (!is_end)
            continue;
        fprintf(im->out, "%s    to_%s: {radius: %.2g, points: [", first ? "  links:\n" : "", im->names.body[b],
                im->stance.size / 25);
        first = false;
        for (int k = 0; k < im->stance.n_foot; k++)
            if (im->stance.foot[k].body == b && (k == 0 || im->stance.foot[k - 1].body != b))
                fprintf(im->out, "%s, ", foot_name(im, k));
        for (int k = b; k >= 0; k = im->robot->body[k].parent)
            fprintf(im->out, "%s%s", im->names.body[k], im->robot->body[k].parent >= 0 ? ", " : "]}\n");
    }
}

static void print_drawing(struct import *im)
{
    fputs("\ndraw:\n", im->out);
    print_links(im);
    fputs("  circles:\n", im->out);
    for (int b = 0; b < im->robot->n_body; b++)
        if (im->robot->body[b].parent < 0)
            fprintf(im->out, "    %s: {at: %s, radius: %.2g}\n", im->names.body[b], im->names.body[b],
                    im->stance.size / 10);
    for (int k = 0; k < im->stance.n_foot; k++)
        fprintf(im->out, "    %s: {at: %s, radius: %.10g}\n", foot_name(im, k), foot_name(im, k),
                im->stance.foot[k].radius > 0 ? im->stance.foot[k].radius : 0.01);
    if (im->stance.n_foot)
        fputs("  forces:\n", im->out);
    for (int k = 0; k < im->stance.n_foot; k++)
        fprintf(im->out, "    %s: {at: %s, contact: %s}\n", foot_name(im, k), foot_name(im, k), foot_name(im, k));
}

static void print_spec(struct import *im)
{
    fprintf(im->out, "cocp: 1\nname: %s\ndescription: A start for a robot from its file; fill in the goal\n",
            im->name);
    print_robot(im);
    fputs("time: {horizon: 1, intervals: 10}\n", im->out);
    for (int k = 0; k < im->stance.n_foot; k++)
        if (isnan(im->stance.foot[k].friction)) {
            fprintf(im->out,
                    "parameters: {mu: %g}                       # friction of the feet: the file says none\n",
                    robot_usual_friction);
            break;
        }
    print_feet(im);
    print_torques(im);
    print_goal(im);
    print_drawing(im);
}

/* --- Files --------------------------------------------------------------------------------------------------- */

/* The name of the file without its folder and ending, as a spec can have it. */
static void name_of_file(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *begin = slash ? slash + 1 : path;
    size_t n = strcspn(begin, ".");
    if (n == 0 || isdigit((unsigned char)*begin))
        (void)snprintf(name, size, "robot_%.*s", (int)(n < size - 8 ? n : size - 8), begin);
    else
        (void)snprintf(name, size, "%.*s", (int)n, begin);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
}

/* Paths in a spec are seen from its folder: elsewhere only a path from the root is sure to lead there. */
static const char *seen_from(struct import *im, const char *path, const char *spec)
{
    if (*path == '/' || !spec || !strchr(spec, '/'))
        return path;
    char *whole = realpath(path, NULL);
    const char *out = whole ? arena_copy_text(&im->mem, whole) : path;
    free(whole);
    return out;
}

/* Writes to a file that must be new, so that no work of the user is lost. */
static enum status write_new(struct import *im, const char *path, struct diag *diag)
{
    im->out = fopen(path, "wx");
    if (!im->out)
        return diag_fail(diag, STATUS_IO, "cannot create %s: %s", path, strerror(errno));
    print_spec(im);
    const bool failed = ferror(im->out) != 0;
    if (fclose(im->out) != 0 || failed)
        return diag_fail(diag, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
    return STATUS_OK;
}

static enum status write_spec(struct import *im, const struct cli_args *args, struct diag *diag)
{
    if (!args->out_path) {
        im->out = args->out;
        print_spec(im);
        return STATUS_OK;
    }
    const enum status st = write_new(im, args->out_path, diag);
    if (st == STATUS_OK && args->verbosity >= 0)
        fprintf(args->out,
                "%s: %d bodies, %d contacts; fill in the goal, then run cocp check %s and cocp solve %s\n",
                args->out_path, im->robot->n_body, im->stance.n_foot, args->out_path, args->out_path);
    return st;
}

enum status cmd_import(const struct cli_args *args, struct diag *diag)
{
    struct import im = { .robot = NULL };
    enum status st = robot_read(args->input[0], (struct srcpos){ NULL, 0, 0 }, &im.robot, diag);
    if (st != STATUS_OK)
        return st;
    im.file = seen_from(&im, args->input[0], args->out_path);
    name_of_file(args->input[0], im.name, sizeof im.name);
    robot_lump(im.robot);
    im.names = robot_names_of(im.robot, "", &im.mem);
    st = choose_base(&im, args->base, diag);
    if (st == STATUS_OK) {
        im.stance = robot_stand(im.robot);
        st = write_spec(&im, args, diag);
    }
    robot_stance_free(&im.stance);
    robot_free(im.robot);
    arena_free(&im.mem);
    return st;
}
