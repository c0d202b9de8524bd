#define _POSIX_C_SOURCE 200809L

#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/outputs/line.h"
#include "cli/outputs/sweep_chart.h"
#include "cli/problem.h"
#include "cli/slurm.h"
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/model/model.h"
#include "core/results/table.h"
#include "core/sweep/folder.h"
#include "core/sweep/gather.h"
#include "core/sweep/job.h"
#include "core/sweep/run.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a point can do, and how its command takes it. */
struct command { const char *name; bool of_result, takes_guess; enum status answer; /* that it may end with, too */ };

static const struct command commands[] = {
    { "solve", false, true, STATUS_OK }, { "simulate", false, false, STATUS_OK }, { "impact", false, false, STATUS_OK },
    { "certify", false, false, STATUS_UNVERIFIED }, { "verify", true, false, STATUS_OK }
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

struct plan {
    const struct cli_args *args;
    struct spec *spec;
    struct sweep_points points;
    struct sweep_command command;
    const char **option;            /* [command.n_option] */
    struct sweep_run run;
    struct arena mem;
};

/* --- What is asked ------------------------------------------------------------------------------------------- */

static void add_option(struct plan *plan, const char *word)
{
    plan->option = mem_grow(plan->option, plan->command.n_option, 1, sizeof *plan->option);
    plan->option[plan->command.n_option++] = word;
}

static enum status read_command(struct plan *plan, struct diag *diag)
{
    const struct cli_args *args = plan->args;
    const char *name = args->run ? args->run : "solve";
    const struct command *command = NULL;
    for (int i = 0; i < N_COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            command = &commands[i];
    const bool several = model_has_experiments(spec_root(plan->spec));
    if (!command)
        return diag_fail(diag, STATUS_USAGE, "--run wants solve, simulate, impact, certify or verify, got \"%s\"",
                         name);
    if (several && command->of_result)
        return diag_fail(diag, STATUS_USAGE, "a point has a result of each experiment: verify them as they are solved, cocp "
                         "sweep ... -- --verify");
    plan->command = (struct sweep_command){
        .program = "/proc/self/exe", .name = command->name,
        .takes_guess = command->takes_guess && !several,       /* experiments find their own */
        .spec = command->of_result ? NULL : args->input[0],
        .answer = command->answer == STATUS_OK ? 0 : status_exit_code(command->answer)
    };
    for (int i = 0; i < args->n_override && !command->of_result; i++) {
        add_option(plan, "--set");
        add_option(plan, arena_printf(&plan->mem, "%s=%s", args->override[i].path, args->override[i].value));
    }
    if (strcmp(command->name, "certify") == 0) {        /* charts show which levels prove it */
        add_option(plan, "--set");
        add_option(plan, "certify.each_level=true");
    }
    if (command->takes_guess) {                 /* the points share the cores */
        add_option(plan, "--jobs");
        add_option(plan, "1");
    }
    for (int i = 0; i < args->n_passed; i++) add_option(plan, args->passed[i]);
    plan->command.option = plan->option;
    return STATUS_OK;
}

static enum status read_points(struct plan *plan, struct diag *diag)
{
    const struct cli_args *args = plan->args;
    const struct sweep_request request = {
        .n_axis = args->n_sweep, .axis = args->sweep, .n_random = args->n_random, .n_perturb = args->n_perturb,
        .perturb = args->perturb, .table = args->from, .seed = args->seed, .root = spec_root(plan->spec)
    };
    return sweep_points_read(&request, &plan->points, diag);
}

/* I/N */
static bool read_part(const char *text, long *i, long *n)
{
    char *end;
    *i = strtol(text, &end, 10);
    if (end == text || *end != '/')
        return false;
    text = end + 1;
    *n = strtol(text, &end, 10);
    return end != text && !*end && *i >= 0 && *i < *n && *n <= SWEEP_MAX_POINTS;
}

/* --chunk: its share of the points. */
static enum status read_chunk(struct plan *plan, struct diag *diag)
{
    long i = 0, n = 1;
    const char *text = plan->args->chunk;
    if (text && !read_part(text, &i, &n))
        return diag_fail(diag, STATUS_USAGE, "--chunk wants I/N with I from 0 to N - 1, got \"%s\"", text);
    plan->run.first = (int)(plan->points.n * i / n);
    plan->run.last = (int)(plan->points.n * (i + 1) / n);
    return STATUS_OK;
}

static int n_cores(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 1024 ? 1024 : (int)n;
}

/* --- What is in the folder ------------------------------------------------------------------------------------ */

/* Of all values at all points, so that a table whose values have changed is told apart (FNV-1a). */
static uint64_t fingerprint(const struct sweep_points *points)
{
    char text[SWEEP_VALUE_SIZE];
    uint64_t hash = 14695981039346656037u;
    for (int k = 0; k < points->n; k++)
        for (int i = 0; i < points->n_path; i++)
            for (const char *at = sweep_points_value(points, k, i, text); *at; at++)
                hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    return hash;
}

static void print_texts(const char *key, int n, const char *const *text, FILE *out)
{
    fprintf(out, " \"%s\": [", key);
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "", out);
        print_json_text(text[i], out);
    }
    fputs("]", out);
}

/* sweep.json: whatever differs makes another sweep. */
static void print_sweep(const struct plan *plan, FILE *out)
{
    const struct sweep_points *points = &plan->points;
    fputs("{\"spec\": ", out);
    print_json_text(plan->args->input[0], out);
    fprintf(out, ",\n \"spec_sha256\": \"%s\",\n \"set\": {", spec_sha256(plan->spec));
    for (int i = 0; i < plan->args->n_override; i++) {
        fputs(i ? ", " : "", out);
        print_json_text(plan->args->override[i].path, out);
        fputs(": ", out);
        print_json_text(plan->args->override[i].value, out);
    }
    fprintf(out, "},\n \"points\": %d,\n \"draws\": %d,\n \"values\": \"%016llx\",\n", points->n, points->n_random,
            (unsigned long long)fingerprint(points));
    print_texts("paths", points->n_path, points->path, out);
    fputs(",\n \"shape\": [", out);
    for (int i = 0; i < points->n_axis && !(points->is_table && i > 0); i++)
        fprintf(out, "%s%d", i ? ", " : "", points->axis[i].n);
    fputs("]}\n", out);
}

/* solve.json and the like */
static void print_options(const struct plan *plan, FILE *out)
{
    fputs("{", out);
    print_texts("options", plan->args->n_passed, plan->args->passed, out);
    fputs("}\n", out);
}

static enum status open_file(const struct plan *plan, const char *name, void (*print)(const struct plan *, FILE *),
                             struct diag *diag)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        return diag_fail(diag, STATUS_IO, "cannot write %s/%s", plan->args->out_path, name);
    print(plan, out);
    fclose(out);
    const enum status st = sweep_folder_open(plan->args->out_path, name, text, plan->args->force, diag);
    free(text);
    return st;
}

static enum status open_folder(const struct plan *plan, struct diag *diag)
{
    char name[40];
    (void)snprintf(name, sizeof name, "%s.json", plan->command.name);
    const enum status st = open_file(plan, "sweep.json", print_sweep, diag);
    return st == STATUS_OK ? open_file(plan, name, print_options, diag) : st;
}

/* --- What is printed ------------------------------------------------------------------------------------------- */

struct told { const struct plan *plan; double start, told; bool live, has_line; };

/* sweep_run.progress */
static void tell(void *user, const struct sweep_counts *counts, int n_done_now)
{
    struct told *told = user;
    const double now = clock_seconds(), elapsed = now - told->start;
    const int n = told->plan->run.last - told->plan->run.first, n_left = counts->missing + counts->running;
    if (told->plan->args->verbosity < 0 || (!told->live && now - told->told < 10))
        return;
    told->told = now;
    fprintf(stderr, "%s%d of %d points: %d solved, %d failed, %d at work, %.0f s", told->live ? "\r" : "",
            n - n_left, n, counts->solved, counts->failed, counts->running, elapsed);
    if (n_done_now > 0 && n_left > 0)
        fprintf(stderr, ", about %.0f s to go", elapsed * n_left / n_done_now);
    fputs(told->live ? "\033[K" : "\n", stderr);
    told->has_line = told->live;
}

static void print_line(const struct plan *plan, enum status st, const struct sweep_counts *counts, double seconds)
{
    const struct line line = { stdout, plan->args->json };
    const char *file = plan->args->input[0], *slash = strrchr(file, '/');
    line_begin(&line, NULL, status_text(st), st, slash ? slash + 1 : file);
    line_count(&line, "points", plan->run.last - plan->run.first);
    line_count(&line, "solved", counts->solved);
    line_count(&line, "failed", counts->failed);
    line_count(&line, "running", counts->running);
    line_count(&line, "missing", counts->missing);
    if (!isnan(seconds))
        line_number(&line, "time", "%.2f", seconds);
    line_end(&line, plan->args->out_path);
}

static enum status status_of(const struct sweep_counts *counts)
{
    if (counts->missing + counts->running > 0)
        return STATUS_LIMIT;
    return counts->failed > 0 ? STATUS_NUMERIC : STATUS_OK;
}

/* --- What it reads --------------------------------------------------------------------------------------------- */

/* Is what stands at the path a file, as in data.file and simulate.controls? */
static bool is_of_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".file") == 0 || strcmp(dot, ".controls") == 0);
}

/* What the points read is what the sweep reads: the files of the spec, of its values, and of their options. */
static void note_files(const struct plan *plan, struct diag *diag)
{
    const struct cli_args *args = plan->args;
    const struct sweep_points *points = &plan->points;
    struct arena mem = { NULL };
    char text[SWEEP_VALUE_SIZE];
    output_file_note_words(args, diag);
    problem_note_files(args, plan->spec, diag);
    for (int i = 0; i < points->n_path; i++)
        for (int k = 0; k < points->n && is_of_file(points->path[i]); k++) {
            const char *value = sweep_points_value(points, k, i, text);
            output_file_note(value, "a file of its points", diag);
            output_file_note(problem_path_beside(args, value, &mem), "a file of its points", diag);
        }
    for (int i = 0; i < args->n_passed; i++) {
        const char *value = strchr(args->passed[i], '=');
        output_file_note(args->passed[i], "a file of its points", diag);
        output_file_note(value ? value + 1 : NULL, "a file of its points", diag);
    }
    arena_free(&mem);
}

/* --- What it can do -------------------------------------------------------------------------------------------- */

/* --status */
static enum status show_status(const struct plan *plan)
{
    enum { N_SHOWN = 20 };
    int failed[N_SHOWN];
    char path[SWEEP_PATH_SIZE];
    struct sweep_counts counts;
    sweep_count(&plan->run, &counts, N_SHOWN, failed);
    for (int i = 0; i < counts.failed && i < N_SHOWN && plan->args->verbosity >= 0; i++)
        fprintf(stderr, "failed: point %d, %s\n", failed[i], sweep_job_path(&plan->run, failed[i], "log", path));
    if (counts.failed > N_SHOWN && plan->args->verbosity >= 0)
        fprintf(stderr, "and %d more, see status in table.csv\n", counts.failed - N_SHOWN);
    print_line(plan, status_of(&counts), &counts, NAN);
    return STATUS_OK;
}

static enum status run(struct plan *plan, struct diag *diag)
{
    struct sweep_counts counts = { .solved = 0 };
    struct told told = { .plan = plan, .start = clock_seconds(), .live = isatty(STDERR_FILENO) != 0 };
    told.told = told.start;
    plan->run.progress = tell;
    plan->run.user = &told;
    enum status st = sweep_run(&plan->run, &counts, diag);
    if (told.has_line)
        fputs("\n", stderr);
    if (st != STATUS_OK && st != STATUS_LIMIT && st != STATUS_INTERRUPTED)
        return st;
    if (!plan->args->chunk) {
        const enum status gathered =
            sweep_gather_write(plan->args->out_path, plan->command.name, plan->points.n, diag);
        if (gathered != STATUS_OK)
            return gathered;
        const bool is_chart = strcmp(plan->command.name, "certify") == 0 && sweep_has_chart(&plan->points);
        const enum status charted = is_chart ? sweep_chart_write(plan->args, &plan->points, diag) : STATUS_OK;
        if (charted != STATUS_OK)
            return charted;
    }
    st = st == STATUS_OK ? status_of(&counts) : st;
    print_line(plan, st, &counts, clock_seconds() - told.start);
    return st;
}

static enum status act(struct plan *plan, struct diag *diag)
{
    const struct cli_args *args = plan->args;
    enum status st = STATUS_OK;
    note_files(plan, diag);
    if (args->list)
        slurm_list(args, plan->points.n);
    else if (args->status)
        st = show_status(plan);
    else if ((st = sweep_spare(&plan->run, diag)) == STATUS_OK && (st = open_folder(plan, diag)) == STATUS_OK)
        st = args->slurm ? slurm_submit(args, plan->points.n, diag) : run(plan, diag);
    return st;
}

static enum status read_plan(struct plan *plan, struct diag *diag)
{
    const struct cli_args *args = plan->args;
    enum status st = spec_read_file(args->input[0], args->n_override, args->override, &plan->spec, diag);
    if (st == STATUS_OK)    st = read_command(plan, diag);
    if (st == STATUS_OK)    st = read_points(plan, diag);
    if (st == STATUS_OK)    st = read_chunk(plan, diag);
    plan->run.points = &plan->points;
    plan->run.command = &plan->command;
    plan->run.folder = args->out_path;
    plan->run.jobs = args->jobs > 0 ? args->jobs : n_cores();
    plan->run.retries = args->retries;
    plan->run.again = args->again;
    plan->run.point_seconds = args->point_time;
    plan->run.point_cpu = args->point_cpu;
    plan->run.point_bytes = args->point_memory * 1048576;
    return st;
}

enum status cmd_sweep(const struct cli_args *args, struct diag *diag)
{
    struct plan plan = { .args = args };
    enum status st = read_plan(&plan, diag);
    if (st == STATUS_OK)
        st = act(&plan, diag);
    sweep_points_free(&plan.points);
    spec_free(plan.spec);
    free(plan.option);
    arena_free(&plan.mem);
    return st;
}
