#define _GNU_SOURCE                     /* fopencookie, uselocale, SIGEV_THREAD */

#include "library/run.h"

#include "cli/commands.h"
#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/output/head.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct cocp_run {
    struct diag *diag;
    enum status status;
    int exit_code;
    char *output;                       /* of stdout */
    struct result *found;
};

const char *cocp_version(void)
{
    return COCP_VERSION;
}

/* --- Alone --------------------------------------------------------------------------------------------------- */

static pthread_mutex_t alone = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static bool is_inside;                  /* is somebody alone? The next three are of that thread */
static pthread_t insider;
static locale_t plain, before;

/* A child has the thread that called fork and no other. Whoever was alone in another thread is not there, and
 * never will leave; the thread itself, in the child, still is inside. */
static void in_child(void)
{
    const bool stays = is_inside && pthread_equal(insider, pthread_self());
    alone = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    is_inside = stays;
    if (stays)
        (void)pthread_mutex_lock(&alone);
}

static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, in_child);
}

bool library_enter(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, watch_forks);
    if (pthread_mutex_lock(&alone) != 0)
        return false;
    insider = pthread_self();
    is_inside = true;
    if (!plain)
        plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    before = plain ? uselocale(plain) : (locale_t)0;
    return true;
}

void library_leave(void)
{
    if (before)
        (void)uselocale(before);
    is_inside = false;
    pthread_mutex_unlock(&alone);
}

/* --- The log, line by line ----------------------------------------------------------------------------------- */

struct log {
    const struct cocp_call *call;
    char *line;                         /* [n] begun, not ended */
    int n;
};

static void end_line(struct log *log)
{
    log->line = mem_grow(log->line, log->n, 1, 1);
    log->line[log->n] = 0;
    log->n = 0;
    log->call->log(log->call->user, log->line);
}

static ssize_t log_bytes(void *cookie, const char *bytes, size_t n)
{
    struct log *log = cookie;
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == '\n') {
            end_line(log);
            continue;
        }
        log->line = mem_grow(log->line, log->n, 1, 1);
        log->line[log->n++] = bytes[i];
    }
    return (ssize_t)n;
}

static FILE *log_open(struct log *log)
{
    FILE *out = log->call && log->call->log ? fopencookie(log, "w", (cookie_io_functions_t){ .write = log_bytes })
                                            : fopen("/dev/null", "w");
    if (out)
        setvbuf(out, NULL, _IOLBF, 0);
    return out;
}

static void log_close(struct log *log, FILE *out)
{
    (void)fclose(out);
    if (log->n > 0)
        end_line(log);
    free(log->line);
}

/* --- The ends of --------------------------------------------------------------------------------------------- */

static void out_of_time(union sigval number)
{
    stop_ask(number.sival_int);
}

/* number: what is noted at the end, SIGALRM or SIGXCPU. */
static bool timer_begin(clockid_t clock, int number, double seconds, timer_t *timer)
{
    struct sigevent event = { .sigev_notify = SIGEV_THREAD, .sigev_value = { .sival_int = number } };
    event.sigev_notify_function = out_of_time;
    const struct itimerspec in = { .it_value = { (time_t)seconds, (long)(1e9 * fmod(seconds, 1)) } };
    return seconds < 1e9 && timer_create(clock, &event, timer) == 0
           && timer_settime(*timer, 0, &in, NULL) == 0;
}

/* --- A command ----------------------------------------------------------------------------------------------- */

typedef enum status command(const struct cli_args *args, struct diag *diag);

/* Those whose results stay in memory. */
static command *command_of(const struct cli_args *args)
{
    switch (args->command) {
    case CLI_SOLVE:    return cmd_solve;
    case CLI_SIMULATE: return cmd_simulate;
    case CLI_VERIFY:   return cmd_verify;
    case CLI_IMPACT:   return cmd_impact;
    case CLI_CERTIFY:  return args->n_sweep ? NULL : cmd_certify;
    case CLI_BOUND:    return args->check ? NULL : cmd_bound;
    case CLI_TRACK:    return cmd_track;
    case CLI_CHECK:    return cmd_check;
    default:           return NULL;
    }
}

static void run_command(struct cocp_run *run, const struct cocp_call *call, struct cli_args *args)
{
    size_t size = 0;
    timer_t timer, cpu_timer;
    struct log log = { .call = call };
    struct cli_call inside = { .text = call ? call->text : NULL, .guess = call && call->guess ? call->guess->tree : NULL,
                               .subject = call && call->subject ? call->subject->tree : NULL };
    command *execute = command_of(args);
    /* cppcheck-suppress autoVariables; until it has run */
    args->call = &inside;
    args->out = open_memstream(&run->output, &size);
    args->err = log_open(&log);
    if (!execute)
        run->status = diag_fail(run->diag, STATUS_USAGE,
                                "the library runs solve, simulate, verify, impact, certify, bound, "
                                "track and check; the program has the rest");
    else if (!args->out || !args->err)
        run->status = diag_fail(run->diag, STATUS_IO, "no streams for what is said");
    else {
        stop_limit_cpu(args->max_cpu);
        const bool is_timed = timer_begin(CLOCK_MONOTONIC, SIGALRM, args->max_time, &timer);
        const bool is_cpu_timed = timer_begin(CLOCK_PROCESS_CPUTIME_ID, SIGXCPU, args->max_cpu, &cpu_timer);
        run->status = execute(args, run->diag);
        if (is_timed)
            timer_delete(timer);
        if (is_cpu_timed)
            timer_delete(cpu_timer);
    }
    if (args->err)
        log_close(&log, args->err);
    if (args->out)
        (void)fclose(args->out);
    run->found = inside.found;
    args->call = NULL;
}

/* Options that the program answers by itself, whatever else there is. */
static enum status check_words(const struct cli_args *args, struct diag *diag)
{
    if (args->help || args->version)
        return diag_fail(diag, STATUS_USAGE, "--%s is of the program; the library has cocp.h and cocp_version()",
                         args->help ? "help" : "version");
    return STATUS_OK;
}

/* word [n + 1] as main gets them. */
static void run_words(struct cocp_run *run, int n, char **word, const struct cocp_call *call)
{
    struct cli_args args;
    stop_forget();
    run->status = args_parse(n + 1, word, &args, run->diag);
    if (run->status == STATUS_OK)
        run->status = check_words(&args, run->diag);
    if (run->status == STATUS_OK)
        run_command(run, call, &args);
    args_free(&args);
}

/* Words that are there: how many, -1 if one is not. */
static int count_words(int n, const char *const *words)
{
    for (int i = 0; i < n; i++)
        if (!words || !words[i])
            return -1;
    return n;
}

struct cocp_run *cocp_run(int n, const char *const *words, const struct cocp_call *call)
{
    struct cocp_run *run = mem_alloc(1, sizeof *run);
    const int n_word = count_words(n, words);
    run->diag = diag_create();
    if (n_word < 0) {
        run->status = diag_fail(run->diag, STATUS_USAGE, "cocp_run wants its n = %d words, none of them NULL", n);
    } else if (!library_enter()) {
        run->status = diag_fail(run->diag, STATUS_USAGE, "a run is going on in this thread: what it calls to tell its log "
                                "cannot run another");
    } else {
        char **word = mem_alloc((size_t)n_word + 2, sizeof *word);
        word[0] = mem_copy_text("cocp");
        for (int i = 0; i < n_word; i++)
            word[i + 1] = mem_copy_text(words[i]);
        run_words(run, n_word, word, call);
        library_leave();
        for (int i = 0; i <= n_word; i++)
            free(word[i]);
        free(word);
    }
    run->exit_code = status_exit_code(run->status);
    return run;
}

void cocp_run_free(struct cocp_run *run)
{
    if (!run)
        return;
    diag_free(run->diag);
    result_free(run->found);
    free(run->output);
    free(run);
}

void cocp_stop(void)
{
    stop_ask(SIGINT);
}

/* --- What came of it ----------------------------------------------------------------------------------------- */

const char *cocp_run_status(const struct cocp_run *run)
{
    return status_text(run ? run->status : STATUS_USAGE);
}

int cocp_run_exit_code(const struct cocp_run *run)
{
    return run ? run->exit_code : status_exit_code(STATUS_USAGE);
}

const char *cocp_run_output(const struct cocp_run *run)
{
    return run && run->output ? run->output : "";
}

struct cocp_result *cocp_run_result(struct cocp_run *run)
{
    struct result *found = run ? run->found : NULL;
    if (run)
        run->found = NULL;
    return library_result(found, run ? diag_read_files(run->diag) : NULL);
}

bool cocp_run_message(struct cocp_run *run, int i, struct cocp_message *message)
{
    static const char *const levels[] = { [DIAG_ERROR] = "error", [DIAG_WARNING] = "warning", [DIAG_NOTE] = "note" };
    const char *line = run && message && i >= 0 ? diag_line(run->diag, i) : NULL;
    if (!line)
        return false;
    const struct srcpos pos = diag_pos(run->diag, i);
    *message = (struct cocp_message){ levels[diag_level_of(run->diag, i)], pos.file, pos.line, pos.col,
                                      diag_text(run->diag, i), line };
    return true;
}
