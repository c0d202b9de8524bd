/* cli/perturb.h - --perturb STATE=SIZE, read for a model */
#ifndef COCP_CLI_PERTURB_H
#define COCP_CLI_PERTURB_H

#include "cli/args.h"
#include "core/output/bundle.h"

/* Do --samples, --perturb and --impacts make sense together, and for the model? *out, [args->n_perturb], is malloc'ed;
 * NULL unless STATUS_OK came back. STATUS_USAGE for a state that is not there or a size that is no number. */
enum status perturb_read(const struct cli_args *args, const struct model *model, struct perturbation **out,
                         struct diag *diag);

#endif
