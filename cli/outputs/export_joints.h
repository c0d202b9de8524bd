/* cli/outputs/export_joints.h - `cocp export FILE.h5 --joints`: the motion of a robot's joints, for other
 * programs */
#ifndef COCP_CLI_OUTPUTS_EXPORT_JOINTS_H
#define COCP_CLI_OUTPUTS_EXPORT_JOINTS_H

#include "cli/args.h"
#include "core/results/results.h"

/* As args->joints says: csv, ros (trajectory_msgs/JointTrajectory in YAML) or mujoco (npz). */
enum status export_joints(const struct cli_args *args, struct diag *diag);

/* Warns of what its command did not solve: numbers are exported all the same, and nobody should take them for a
 * solution. */
void export_tell_unsolved(const char *path, const struct result *result, struct diag *diag);

#endif
