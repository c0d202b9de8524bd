/* cli/commands/scenarios.h - `cocp solve` of a spec with scenarios: one plan for all of them */
#ifndef COCP_CLI_COMMANDS_SCENARIOS_H
#define COCP_CLI_COMMANDS_SCENARIOS_H

#include "cli/problem.h"
#include "transcription/ensemble/ensemble.h"

/* The problems of the scenarios: the spec again, each with its own numbers laid over it. */
struct scenario_problems {
    struct arena mem;
    struct scenarios list;          /* n = 0: the spec asks for none */
    struct problem *problem;        /* [n] */
    struct model **model;           /* [n] theirs */
    const char **name;              /* [n] "mu = 0.25" */
};

/* Reads them; every mistake is in diag. scenario_problems_free afterwards, whatever came back. */
enum status scenario_problems_read(const struct cli_args *args, struct problem *problem,
                                   struct scenario_problems *out, struct diag *diag);
void scenario_problems_free(struct scenario_problems *problems);

/* Solves, tells what was found on stderr and writes the result. Where the spec as written has no solution, that
 * stays in *found, to be written as that of any other solve: then it has a transcription. */
enum status scenarios_solve(const struct cli_args *args, struct problem *problem, const struct solve_task *task,
                            struct scenario_problems *problems, struct solve_result *found, struct diag *diag);

#endif
