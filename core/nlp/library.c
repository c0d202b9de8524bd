#define _POSIX_C_SOURCE 200809L
#include "core/nlp/library.h"

#include "core/base/arena.h"
#include "core/base/mem.h"
#include "core/nlp/ipopt.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- A program of one variable: the least x^2 between -1 and 1 ---------------------------------------------- */

static bool eval_f(void *user, const double *x, bool new_x, double *f)
{
    (void)user, (void)new_x;
    *f = x[0] * x[0];
    return true;
}

static bool eval_grad(void *user, const double *x, bool new_x, double *grad)
{
    (void)user, (void)new_x;
    grad[0] = 2 * x[0];
    return true;
}

/* Constraints, and their derivatives. */
static bool eval_none(void *user, const double *x, bool new_x, double *out)
{
    (void)user, (void)x, (void)new_x, (void)out;
    return true;
}

static bool eval_hess(void *user, const double *x, bool new_x, double factor, const double *lambda, double *val)
{
    (void)user, (void)x, (void)new_x, (void)lambda;
    val[0] = 2 * factor;
    return true;
}

static struct ipopt *create_problem(void)
{
    static const double lower = -1, upper = 1;
    static int colptr[2] = { 0, 1 }, rowind[1] = { 0 }, no_entry[2] = { 0, 0 };
    static const struct nlp parabola = {
        .n_w = 1, .lbw = &lower, .ubw = &upper, .jac = { 0, 1, 0, no_entry, NULL },
        .hess = { 1, 1, 1, colptr, rowind }, .eval_f = eval_f, .eval_grad = eval_grad, .eval_g = eval_none,
        .eval_jac = eval_none, .eval_hess = eval_hess
    };
    return ipopt_create(&parabola);
}

static bool solves(struct ipopt *ipopt)
{
    double x = 0.5;
    struct nlp_point point = { .w = &x };
    struct nlp_info info = { 0 };
    ipopt_solve(ipopt, &point, NULL, NULL, INFINITY, 0, &info);
    return info.outcome == NLP_SOLVED;
}

/* --- Children ------------------------------------------------------------------------------------------------ */

/* What a child does; its stdout is a pipe to us, its stderr nowhere. True: success. */
typedef bool child_task(const void *data);

/* Until the other end is closed; NULL if there is nothing. */
static char *read_all(int from)
{
    char *text = NULL, part[4096];
    int n = 0;
    for (ssize_t size; (size = read(from, part, sizeof part)) != 0;) {
        if (size < 0 && errno != EINTR)
            break;
        if (size < 0)
            continue;
        text = mem_grow(text, n, (int)size + 1, 1);
        memcpy(text + n, part, (size_t)size);
        n += (int)size;
        text[n] = '\0';
    }
    return text;
}

/* Runs it; *text, if wanted, is what it printed. False if it failed, or ended the process. */
static bool run_child(child_task *task, const void *data, char **text)
{
    int end[2], how = 1;
    if (pipe(end) != 0)
        return false;
    (void)fflush(NULL);                         /* or the child would print it once more */
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0 || dup2(end[1], STDOUT_FILENO) < 0)
            _exit(1);
        const bool ok = task(data);
        (void)fflush(stdout);
        _exit(ok ? 0 : 1);
    }
    (void)close(end[1]);
    char *got = child > 0 ? read_all(end[0]) : NULL;
    (void)close(end[0]);
    while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    if (text)
        *text = got;
    else
        free(got);
    return child > 0 && WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

static bool print_documentation(const void *data)
{
    (void)data;
    struct ipopt *ipopt = create_problem();
    ipopt_set_word(ipopt, "print_advanced_options", "yes");         /* from 3.14 on */
    ipopt_set_word(ipopt, "print_options_documentation", "yes");
    return solves(ipopt);
}

struct choice { const char *name, *word; };

static bool try_word(const void *data)
{
    const struct choice *choice = data;
    struct ipopt *ipopt = create_problem();
    ipopt_set_word(ipopt, choice->name, choice->word);
    return solves(ipopt);
}

/* One letter for each option: does the library take a number in its range as an integer? */
static bool print_types(const void *data)
{
    const struct library *library = data;
    struct ipopt *ipopt = create_problem();
    char *types = mem_alloc((size_t)library->n + 1, 1);
    for (int k = 0; k < library->n; k++) {
        const struct library_option *option = &library->option[k];
        const double inside = isfinite(option->min) ? option->min + option->open_min
                              : isfinite(option->max) ? option->max - option->open_max : 0;
        types[k] = option->type != OPTION_WORD && ipopt_set_int(ipopt, option->name, (int)inside) ? 'i' : 'n';
    }
    printf("\n@%s\n", types);
    return true;
}

/* --- Its documentation read ---------------------------------------------------------------------------------- */

/* Of what the library has: the agreement of nlp.h (constant derivatives, bounds that are none, scaling, the end
 * of a run), what prints or writes files by itself, what looks for code at a moment when it ends the process, and
 * MA27, whose door linear_solver.h takes. */
static bool is_reserved(const char *name)
{
    static const char *const names[] = {
        "option_file_name", "output_file", "sb", "suppress_all_output", "hessian_constant", "jac_c_constant",
        "jac_d_constant", "grad_f_constant", "nlp_lower_bound_inf", "nlp_upper_bound_inf", "num_linear_variables",
        "replace_bounds", "skip_finalize_solution_call", "warm_start_entire_iterate", "warm_start_same_structure",
        "max_cpu_time", "max_wall_time", "pardiso_msglvl", "mumps_mpi_communicator", "user-scaling"
    };
    static const char *const parts[] = { "print", "derivative_test", "dependency_detect", "dump", "write_matrix",
                                         "ma27" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (strstr(name, parts[k]))
            return true;
    return false;
}

/* Words that choose code which may not be there. */
static bool chooses_code(const char *name)
{
    return strcmp(name, "linear_solver") == 0 || strcmp(name, "linear_system_scaling") == 0
           || strcmp(name, "nlp_scaling_method") == 0;
}

/* "0 <= (          5) <  +inf": bounds of a number. */
static bool read_range(const char *at, struct library_option *out)
{
    char low[32], high[32], below[4], above[4];
    if (sscanf(at, " %31s %3[<=] (%*[^)]) %3[<=] %31s", low, below, above, high) != 4)
        return false;
    out->min = strtod(low, NULL);
    out->max = strtod(high, NULL);
    out->open_min = isfinite(out->min) && strcmp(below, "<") == 0;
    out->open_max = isfinite(out->max) && strcmp(above, "<") == 0;
    out->type = OPTION_NUMBER;
    return true;
}

/* A line that begins an option: its name at the left, then a range or ("the default"). */
static bool read_option(const char *line, struct arena *mem, struct library_option *out)
{
    size_t n = 0;
    while (isalnum((unsigned char)line[n]) || line[n] == '_')
        n++;
    const char *rest = line + n + strspn(line + n, " ");
    *out = (struct library_option){ .type = OPTION_WORD };
    if (n == 0 || !islower((unsigned char)line[0]) || !(strncmp(rest, "(\"", 2) == 0 || read_range(rest, out)))
        return false;
    out->name = arena_printf(mem, "%.*s", (int)n, line);
    return true;
}

/* A line "    - word     [what it does]" behind an option; a star stands for any text. */
static void read_word(const char *line, struct arena *mem, struct library_option *option)
{
    char word[64];
    if (option->type != OPTION_WORD || sscanf(line, "    - %63s", word) != 1 || strcmp(word, "*") == 0
        || is_reserved(word))
        return;
    const struct choice choice = { option->name, word };
    if (!chooses_code(option->name) || run_child(try_word, &choice, NULL))
        option->words =
            option->words ? arena_printf(mem, "%s %s", option->words, word) : arena_copy_text(mem, word);
}

static void read_documentation(char *text, struct arena *mem, struct library *out)
{
    struct library_option option, ignored = { 0 }, *last = &ignored;
    for (char *line = text, *end; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (strncmp(line, "    - ", 6) == 0)
            read_word(line, mem, last);
        if (!read_option(line, mem, &option))
            continue;
        last = &ignored;
        if (is_reserved(option.name))
            continue;
        out->option = mem_grow(out->option, out->n, 1, sizeof *out->option);
        last = &out->option[out->n++];
        *last = option;
        if (strcmp(option.name, "linear_solver") == 0)
            last->words = "auto";               /* our own word, of nlp.h */
    }
}

static void read_types(struct library *library)
{
    char *text = NULL;
    const bool ok = run_child(print_types, library, &text);
    const char *types = ok && text ? strrchr(text, '@') : NULL;
    for (int k = 0; types && k < library->n; k++)
        if (types[k + 1] == 'i')
            library->option[k].type = OPTION_INT;
    free(text);
}

/* --- Once ---------------------------------------------------------------------------------------------------- */

static struct library the_library;              /* written once, by ask */
static struct arena the_memory;                 /* its texts */

static void ask(void)
{
    char *text = NULL;
    if (run_child(print_documentation, NULL, &text) && text)
        read_documentation(text, &the_memory, &the_library);
    free(text);
    read_types(&the_library);
}

const struct library *library_get(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, ask);
    return &the_library;
}
