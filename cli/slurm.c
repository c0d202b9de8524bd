#define _POSIX_C_SOURCE 200809L

#include "cli/slurm.h"

#include "core/base/mem.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_TASKS = 1000 };              /* Slurm's MaxArraySize is 1001 unless it was set */

/* --- This command line, for a part of the points -------------------------------------------------------------- */

/* The word in quotes, unless a shell takes it as it is. */
static const char *quoted(struct arena *mem, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
    if (*word && strspn(word, plain) == strlen(word))
        return word;
    const char *text = "'";
    for (; *word; word++)
        text = *word == '\'' ? arena_printf(mem, "%s'\\''", text) : arena_printf(mem, "%s%c", text, *word);
    return arena_printf(mem, "%s'", text);
}

/* How many words to leave out here: of --list and --slurm one, of options with a value that too. */
static int n_left_out(const char *word)
{
    static const char *const flag[] = { "--list", "--slurm" }, *const valued[] = { "--sbatch-options", "--tasks" };
    for (int i = 0; i < 2; i++) {
        const size_t n = strlen(valued[i]);
        if (strcmp(word, flag[i]) == 0 || (strncmp(word, valued[i], n) == 0 && word[n] == '='))
            return 1;
        if (strcmp(word, valued[i]) == 0)
            return 2;
    }
    return 0;
}

/* The program by its full name, then the words of this command with `extra` before a "--". */
static const char *command_with(const struct cli_args *args, const char *extra, struct arena *mem)
{
    char program[PATH_MAX] = "cocp";
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n > 0)
        program[n] = '\0';
    const char *text = quoted(mem, program);
    bool is_added = false;
    for (int i = 1; i < args->n_word; i++) {
        const bool ends_options = strcmp(args->word[i], "--") == 0;
        const int skip = is_added ? 0 : n_left_out(args->word[i]);
        if (ends_options && !is_added) {
            text = arena_printf(mem, "%s %s", text, extra);
            is_added = true;
        }
        if (skip == 0)
            text = arena_printf(mem, "%s %s", text, quoted(mem, args->word[i]));
        i += skip > 1 ? skip - 1 : 0;
    }
    return is_added ? text : arena_printf(mem, "%s %s", text, extra);
}

void slurm_list(const struct cli_args *args, int n_points)
{
    struct arena mem = { NULL };
    static const char mark[] = "@PART@";
    const char *command = command_with(args, arena_printf(&mem, "--chunk %s/%d", mark, n_points), &mem);
    const char *at = strstr(command, mark);
    for (int k = 0; k < n_points && at; k++)
        printf("%.*s%d%s\n", (int)(at - command), command, k, at + strlen(mark));
    arena_free(&mem);
}

/* --- Slurm ---------------------------------------------------------------------------------------------------- */

/* The words of text, at blanks, appended. */
static void add_words(const char ***list, int *n, const char *text, struct arena *mem)
{
    char *rest = text ? arena_copy_text(mem, text) : NULL, *next = NULL;
    for (char *word = rest ? strtok_r(rest, " \t\n", &next) : NULL; word; word = strtok_r(NULL, " \t\n", &next)) {
        *list = mem_grow(*list, *n, 1, sizeof **list);
        (*list)[(*n)++] = word;
    }
}

static void add_word(const char ***list, int *n, const char *word)
{
    *list = mem_grow(*list, *n, 1, sizeof **list);
    (*list)[(*n)++] = word;
}

/* Runs sbatch; what it prints, to the first end of a line or `;`, is the number of the job: into id [40]. */
static enum status sbatch(const char **word, char id[40], struct diag *diag)
{
    int fd[2], wait_status = 0;
    if (pipe(fd) != 0)
        return diag_fail(diag, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(fd[1], STDOUT_FILENO);
        close(fd[0]);
        close(fd[1]);
        execvp(word[0], (char *const *)word);
        (void)fprintf(stderr, "%s: %s\n", word[0], strerror(errno));
        _exit(127);
    }
    close(fd[1]);
    FILE *out = pid > 0 ? fdopen(fd[0], "r") : NULL;
    id[0] = '\0';
    if (out && !fgets(id, 40, out))
        id[0] = '\0';
    if (out)
        fclose(out);
    else
        close(fd[0]);
    id[strcspn(id, ";\n")] = '\0';
    if (pid < 0 || waitpid(pid, &wait_status, 0) != pid || wait_status != 0 || !id[0])
        return diag_fail(diag, STATUS_IO, "sbatch did not take the job; is Slurm installed here, and running?");
    return STATUS_OK;
}

/* Submits `command` with options first; id [40] of the job. */
static enum status submit(const struct cli_args *args, const char *first, const char *log, const char *command,
                          struct arena *mem, char id[40], struct diag *diag)
{
    const char **word = NULL;
    int n = 0;
    add_word(&word, &n, "sbatch");
    add_word(&word, &n, "--parsable");
    add_words(&word, &n, first, mem);
    add_word(&word, &n, arena_printf(mem, "--output=%s", log));
    add_words(&word, &n, args->sbatch_options, mem);
    add_word(&word, &n, arena_printf(mem, "--wrap=exec %s", command));
    add_word(&word, &n, NULL);
    const enum status st = sbatch(word, id, diag);
    free(word);
    return st;
}

enum status slurm_submit(const struct cli_args *args, int n_points, struct diag *diag)
{
    struct arena mem = { NULL };
    char array[40], gather[40];
    const int most = args->tasks > 0 ? args->tasks : MAX_TASKS, n = n_points < most ? n_points : most;
    const char *jobs = args->jobs > 0 ? "" : " --jobs ${SLURM_CPUS_PER_TASK:-1}";
    const char *folder = arena_printf(&mem, "%s/slurm", args->out_path);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        arena_free(&mem);
        return diag_fail(diag, STATUS_IO, "cannot make a folder for the logs in %s: %s", args->out_path,
                         strerror(errno));
    }
    enum status st =
        submit(args, arena_printf(&mem, "--job-name=cocp-sweep --requeue --array=0-%d", n - 1),
               arena_printf(&mem, "%s/%%A_%%a.log", folder),
               command_with(args, arena_printf(&mem, "--chunk $SLURM_ARRAY_TASK_ID/%d%s", n, jobs), &mem), &mem,
               array, diag);
    if (st == STATUS_OK)
        st = submit(args, arena_printf(&mem, "--job-name=cocp-gather --requeue --dependency=afterany:%s", array),
                    arena_printf(&mem, "%s/%%j.log", folder), command_with(args, *jobs ? jobs + 1 : "", &mem), &mem,
                    gather, diag);
    if (st == STATUS_OK)
        printf("submitted %d points as job array %s of %d tasks, job %s gathers into %s/table.csv\n", n_points,
               array, n, gather, args->out_path);
    arena_free(&mem);
    return st;
}
