#define _DEFAULT_SOURCE                 /* TIOCGWINSZ */

#include "cli/ticker.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/visible.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define ERASE_LINE "\r\033[K"

enum { LONGEST = 400, NARROWEST = 20, USUAL_WIDTH = 80 };
static const double FIRST_SECONDS = 2;          /* what is over by then needs no line */
static const long PERIOD_NS = 250000000;

struct ticker {
    FILE *out;
    double start, max_seconds;
    pthread_t thread;
    pthread_mutex_t lock;               /* of all below, and of the terminal */
    pthread_cond_t end;
    bool is_over, is_drawn;
    char what[LONGEST];
};

const char *ticker_time(double start, double max_seconds, char text[60])
{
    const double seconds = clock_seconds() - start;
    if (isfinite(max_seconds))
        (void)snprintf(text, 60, "%.1f s of %g s (%.0f %%)", seconds, max_seconds, 100 * seconds / max_seconds);
    else
        (void)snprintf(text, 60, "%.1f s", seconds);
    return text;
}

bool ticker_is_terminal(FILE *out)
{
    const char *term = getenv("TERM");
    return isatty(fileno(out)) && term && *term && strcmp(term, "dumb") != 0;
}

static int width_of(FILE *out)
{
    struct winsize size = { .ws_col = 0 };
    const bool known = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return !known ? USUAL_WIDTH : size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
}

/* What does not fit goes from the end of the activity: a line that wraps could not be erased. */
static void draw(struct ticker *ticker)
{
    char time[60];
    ticker_time(ticker->start, ticker->max_seconds, time);
    const int room = width_of(ticker->out) - (int)strlen(time) - 4, length = (int)strlen(ticker->what);
    fprintf(ticker->out, ERASE_LINE "%.*s   %s", room > length ? length : room > 0 ? room : 0, ticker->what, time);
    fflush(ticker->out);
    ticker->is_drawn = true;
}

static void clear(struct ticker *ticker)
{
    if (ticker->is_drawn)
        fputs(ERASE_LINE, ticker->out);
    fflush(ticker->out);
    ticker->is_drawn = false;
}

static void *tick(void *user)
{
    struct ticker *ticker = user;
    pthread_mutex_lock(&ticker->lock);
    while (!ticker->is_over) {
        struct timespec next;
        (void)clock_gettime(CLOCK_REALTIME, &next);
        next.tv_nsec += PERIOD_NS;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        (void)pthread_cond_timedwait(&ticker->end, &ticker->lock, &next);
        if (!ticker->is_over && clock_seconds() - ticker->start >= FIRST_SECONDS)
            draw(ticker);
    }
    pthread_mutex_unlock(&ticker->lock);
    return NULL;
}

/* Signals are the main thread's: whatever it waits for ends then. */
static bool start_thread(struct ticker *ticker)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&ticker->thread, NULL, tick, ticker) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

struct ticker *ticker_create(FILE *out, int verbosity, const char *what, double max_seconds)
{
    if (verbosity < 0 || verbosity > 1 || !ticker_is_terminal(out))
        return NULL;
    struct ticker *ticker = mem_alloc(1, sizeof *ticker);
    ticker->out = out;
    ticker->start = clock_seconds();
    ticker->max_seconds = max_seconds;
    pthread_mutex_init(&ticker->lock, NULL);
    pthread_cond_init(&ticker->end, NULL);
    ticker_set(ticker, what);
    if (start_thread(ticker))
        return ticker;
    free(ticker);
    return NULL;
}

void ticker_end(struct ticker *ticker)
{
    if (!ticker)
        return;
    pthread_mutex_lock(&ticker->lock);
    ticker->is_over = true;
    clear(ticker);
    pthread_cond_signal(&ticker->end);
    pthread_mutex_unlock(&ticker->lock);
}

void ticker_free(struct ticker *ticker)
{
    if (!ticker)
        return;
    ticker_end(ticker);
    pthread_join(ticker->thread, NULL);
    pthread_cond_destroy(&ticker->end);
    pthread_mutex_destroy(&ticker->lock);
    free(ticker);
}

void ticker_set(struct ticker *ticker, const char *what)
{
    if (!ticker)
        return;
    struct arena mem = { NULL };
    pthread_mutex_lock(&ticker->lock);
    (void)snprintf(ticker->what, sizeof ticker->what, "%s", visible_text(&mem, what));
    pthread_mutex_unlock(&ticker->lock);
    arena_free(&mem);
}

void ticker_clear(struct ticker *ticker)
{
    if (!ticker)
        return;
    pthread_mutex_lock(&ticker->lock);
    clear(ticker);
    pthread_mutex_unlock(&ticker->lock);
}
