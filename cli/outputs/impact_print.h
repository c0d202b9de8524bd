/* cli/outputs/impact_print.h - what `impact` says on stdout */
#ifndef COCP_CLI_OUTPUTS_IMPACT_PRINT_H
#define COCP_CLI_OUTPUTS_IMPACT_PRINT_H

#include "cli/args.h"
#include "core/output/impacts.h"

/* The summary line and the tables; as one JSON object with args->json. */
void impact_print(const struct cli_args *args, const struct impact_found *found);

#endif
