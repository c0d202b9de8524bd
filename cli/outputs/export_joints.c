#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "cli/outputs/export_joints.h"

#include "core/model/read/read.h"
#include "core/output/joints.h"
#include "core/results/npz.h"
#include "core/results/save.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- CSV ----------------------------------------------------------------------------------------------------- */

static void print_names(int n, const char *const *name, FILE *out)
{
    for (int i = 0; i < n; i++)
        fprintf(out, ",%s", name[i]);
}

static void print_values(int n, const double *value, FILE *out)
{
    for (int i = 0; i < n; i++)
        fprintf(out, ",%.17g", value[i]);
}

static void print_csv(const struct joint_motion *motion, FILE *out)
{
    fputs("t", out);
    print_names(motion->n_q, motion->q_name, out);
    print_names(motion->n_v, motion->v_name, out);
    print_names(motion->n_tau, motion->tau_name, out);
    for (int k = 0; k < motion->n_t; k++) {
        fprintf(out, "\n%.17g", motion->t[k]);
        print_values(motion->n_q, motion->q + (size_t)k * (size_t)motion->n_q, out);
        print_values(motion->n_v, motion->v + (size_t)k * (size_t)motion->n_v, out);
        print_values(motion->n_tau, motion->tau + (size_t)k * (size_t)motion->n_tau, out);
    }
    fputs("\n", out);
}

/* --- ROS ----------------------------------------------------------------------------------------------------- */

/* `key: [values]` of the joints that follow no other one; row: the columns of one time, `at` which is whose (-1:
 * 0). */
static void print_list(const struct joint_motion *motion, const char *key, const double *row, const int *at,
                       FILE *out)
{
    const char *between = "";
    fprintf(out, "%s: [", key);
    for (int j = 0; j < motion->n_joint; j++) {
        if (motion->follows[j])
            continue;
        fprintf(out, "%s%.17g", between, at[j] >= 0 ? row[at[j]] + 0.0 : 0.0);
        between = ", ";
    }
    fputs("]\n", out);
}

static void print_time(double t, FILE *out)
{
    const long long nano = llround(t * 1e9), one = 1000000000;
    fprintf(out, "  time_from_start: {sec: %lld, nanosec: %lld}\n", nano / one, nano % one);
}

static void print_ros(const struct joint_motion *motion, FILE *out)
{
    const char *between = "";
    fputs("header: {stamp: {sec: 0, nanosec: 0}, frame_id: \"\"}\njoint_names: [", out);
    for (int j = 0; j < motion->n_joint; j++) {
        if (motion->follows[j])
            continue;
        fprintf(out, "%s%s", between, motion->joint_name[j]);
        between = ", ";
    }
    fputs("]\npoints:\n", out);
    for (int k = 0; k < motion->n_t; k++) {
        const size_t row = (size_t)k, n_v = (size_t)motion->n_v;
        print_list(motion, "- positions", motion->q + row * (size_t)motion->n_q, motion->joint_q, out);
        print_list(motion, "  velocities", motion->v + row * n_v, motion->joint_v, out);
        if (motion->a)
            print_list(motion, "  accelerations", motion->a + row * n_v, motion->joint_v, out);
        else
            fputs("  accelerations: []\n", out);
        if (motion->n_tau)
            print_list(motion, "  effort", motion->tau + row * (size_t)motion->n_tau, motion->joint_tau, out);
        else
            fputs("  effort: []\n", out);
        print_time(motion->t[k] - motion->t[0], out);
    }
}

static bool has_own_joint(const struct joint_motion *motion)
{
    for (int j = 0; j < motion->n_joint; j++)
        if (!motion->follows[j])
            return true;
    return false;
}

/* --- Files --------------------------------------------------------------------------------------------------- */

static enum status write_mujoco(const struct joint_motion *motion, const char *path, struct diag *diag)
{
    const struct npz_array array[] = {
        { .name = "time", .rows = motion->n_t, .columns = -1, .d = motion->t },
        { .name = "qpos", .rows = motion->n_t, .columns = motion->n_q, .d = motion->q },
        { .name = "qvel", .rows = motion->n_t, .columns = motion->n_v, .d = motion->v },
        { .name = "ctrl", .rows = motion->n_t, .columns = motion->n_tau, .d = motion->tau },
        { .name = "qpos_names", .rows = motion->n_q, .columns = -1, .text = motion->q_name },
        { .name = "qvel_names", .rows = motion->n_v, .columns = -1, .text = motion->v_name },
        { .name = "ctrl_names", .rows = motion->n_tau, .columns = -1, .text = motion->tau_name },
    };
    return npz_write(path, sizeof array / sizeof array[0], array, diag);
}

static enum status write_text(const struct joint_motion *motion, const struct cli_args *args, bool to_file,
                              struct diag *diag)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = to_file ? open_memstream(&text, &n) : stdout;
    if (!out)
        return diag_fail(diag, STATUS_IO, "cannot write %s: no memory", args->out_path);
    if (strcmp(args->joints, "ros") == 0)
        print_ros(motion, out);
    else
        print_csv(motion, out);
    if (!to_file)
        return STATUS_OK;
    (void)fclose(out);
    const enum status st = save_bytes(args->out_path, text, n, diag);
    free(text);
    return st;
}

static enum status write_motion(const struct joint_motion *motion, const struct cli_args *args, bool to_file,
                                struct diag *diag)
{
    if (strcmp(args->joints, "mujoco") == 0)
        return write_mujoco(motion, args->out_path, diag);
    if (strcmp(args->joints, "ros") == 0 && !has_own_joint(motion))
        return diag_fail(diag, STATUS_IO, "%s has no joints with one axis: a JointTrajectory has no others",
                         args->input[0]);
    return write_text(motion, args, to_file, diag);
}

/* The model of the spec that the result holds; it names no files. */
static enum status read_model(const struct result *result, const char *path, struct spec **spec,
                              struct model **model, struct diag *diag)
{
    const struct result_data *text = result_data_of(result, "/spec", "resolved");
    struct arena mem = { NULL };
    if (!text || !text->text || text->n < 1)
        return diag_fail(diag, STATUS_IO, "%s holds no spec: --joints wants to know which states are joints",
                         path);
    enum status st = spec_read_stored(arena_printf(&mem, "%s:/spec/resolved", path), text->text[0], spec, diag);
    if (st == STATUS_OK)
        st = model_read(*spec, MODEL_FOR_SIMULATE, model, diag);
    arena_free(&mem);
    return st;
}

void export_tell_unsolved(const char *path, const struct result *result, struct diag *diag)
{
    const struct result_group *root = result_find(result, "/");
    const char *status = root ? result_get_text(root, "status") : NULL;
    if (status && result_get_int(root, "exit_code", 0) != 0)
        diag_add(diag, DIAG_WARNING, STATUS_OK, (struct srcpos){ 0 }, NULL,
                 "%s holds no solution: its status is %s", path, status);
}

enum status export_joints(const struct cli_args *args, struct diag *diag)
{
    const bool to_file = args->out_path && strcmp(args->out_path, "-") != 0;
    struct result *result = NULL;
    struct spec *spec = NULL;
    struct model *model = NULL;
    struct joint_motion motion = { .n_t = 0 };
    if (args->group)
        return diag_fail(diag, STATUS_USAGE, "--joints exports all joints: leave --group out");
    if (!to_file && strcmp(args->joints, "mujoco") == 0)
        return diag_fail(diag, STATUS_USAGE, "--joints mujoco writes an npz: say where, as -o motion.npz");
    enum status st = result_read(args->input[0], &result, diag);
    if (st == STATUS_OK)
        export_tell_unsolved(args->input[0], result, diag);
    if (st == STATUS_OK)
        st = read_model(result, args->input[0], &spec, &model, diag);
    if (st == STATUS_OK)
        st = joint_motion_read(result, model, args->input[0], &motion, diag);
    if (st == STATUS_OK)
        st = write_motion(&motion, args, to_file, diag);
    joint_motion_free(&motion);
    model_free(model);
    spec_free(spec);
    result_free(result);
    return st;
}
