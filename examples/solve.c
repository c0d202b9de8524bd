/* Solves a spec by the library of cocp: cc solve.c $(pkg-config --cflags --libs cocp) -o solve && ./solve SPEC.yaml [mu]
 *
 * With a second argument the parameter mu has that value. Prints the objective, and what happens in words.
 */
#include <cocp.h>
#include <stdio.h>
#include <string.h>

static void print_messages(struct cocp_run *run)
{
    struct cocp_message message;
    for (int i = 0; cocp_run_message(run, i, &message); i++)
        fprintf(stderr, "%s\n", message.whole);
}

/* The place of a group in a result, or -1. */
static int group_named(const struct cocp_result *result, const char *path)
{
    const char *at;
    for (int group = 0; (at = cocp_result_group(result, group)); group++)
        if (strcmp(at, path) == 0)
            return group;
    return -1;
}

static void print_objective(const struct cocp_result *result)
{
    struct cocp_attribute attribute;
    for (int i = 0; cocp_result_attribute(result, group_named(result, "/"), i, &attribute); i++)
        if (strcmp(attribute.name, "objective") == 0)
            printf("objective %.8g\n", attribute.number);
}

static void print_story(const struct cocp_result *result)
{
    struct cocp_dataset data;
    for (int i = 0; cocp_result_dataset(result, group_named(result, "/phases"), i, &data); i++)
        for (int k = 0; strcmp(data.name, "story") == 0 && k < data.n; k++)
            printf("%s\n", ((const char *const *)data.values)[k]);
}

int main(int argc, char **argv)
{
    char setting[80];
    const char *words[] = { "solve", argc > 1 ? argv[1] : "", setting };
    snprintf(setting, sizeof setting, "--set=parameters.mu=%s", argc > 2 ? argv[2] : "");
    struct cocp_run *run = cocp_run(argc > 2 ? 3 : 2, words, NULL);
    struct cocp_result *result = cocp_run_result(run);
    const int code = cocp_run_exit_code(run);
    print_messages(run);
    printf("%s\n", cocp_run_status(run));
    if (result) {
        print_objective(result);
        print_story(result);
    }
    cocp_result_free(result);
    cocp_run_free(run);
    return code;
}
