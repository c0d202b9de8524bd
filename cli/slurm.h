/* cli/slurm.h - a sweep as commands of its own: one per part, for any scheduler, or a job array of Slurm
 *
 * Part i of N is this very command line with `--chunk i/N`, and without what only concerns the submission.
 * Whoever runs a part, once or twice, in whatever order: points are claimed by their files.
 * Errors  STATUS_IO: sbatch cannot be run or says no.
 */
#ifndef COCP_CLI_SLURM_H
#define COCP_CLI_SLURM_H

#include "cli/args.h"

/* One line per point on stdout, for a shell. */
void slurm_list(const struct cli_args *args, int n_points);

/* Submits the array and, behind it, one job that does what is left, tries failures again and gathers the table;
 * prints the numbers of both jobs. */
enum status slurm_submit(const struct cli_args *args, int n_points, struct diag *diag);

#endif
