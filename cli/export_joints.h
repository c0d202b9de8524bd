/* cli/export_joints.h - `cocp export FILE.h5 --joints`: the motion of a robot's joints, for other programs */
#ifndef COCP_CLI_EXPORT_JOINTS_H
#define COCP_CLI_EXPORT_JOINTS_H

#include "cli/args.h"

/* As args->joints says: csv, ros (trajectory_msgs/JointTrajectory in YAML) or mujoco (npz). */
enum status export_joints(const struct cli_args *args, struct diag *diag);

#endif
