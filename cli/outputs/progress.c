#define _POSIX_C_SOURCE 200809L

#include "cli/outputs/progress.h"

#include "cli/ticker.h"
#include "core/base/clock.h"
#include "core/base/stop.h"
#include "core/base/visible.h"

#include <stdlib.h>

void progress_init(struct progress *progress, const struct cli_args *args, bool brief)
{
    const char *no_color = getenv("NO_COLOR");
    *progress = (struct progress){
        .out = args->err, .verbosity = args->verbosity, .brief = brief && args->verbosity < 1, .ticker = args->ticker,
        .start = clock_seconds(), .max_seconds = args->max_time, .color = ticker_is_terminal(args->err) && !(no_color && *no_color)
    };
}

static void print_header(struct progress *progress)
{
    if (!progress->has_header)
        fprintf(progress->out, "%s%4s %9s %9s %9s %14s %6s %8s  %s%s\n", progress->color ? "\033[1m" : "", "step",
                "sigma", "comp", "viol", "objective", "iter", "time", "outcome", progress->color ? "\033[0m" : "");
    progress->has_header = true;
}

/* The text with the time, unless `silent`; it is what the live line says from now on. */
static void say(struct progress *progress, const char *text, bool silent)
{
    struct arena mem = { NULL };
    char time[60];
    const char *shown = visible_text(&mem, text);
    (void)snprintf(progress->what, sizeof progress->what, "%s", shown);
    ticker_set(progress->ticker, shown);
    if (!silent) {
        ticker_clear(progress->ticker);
        fprintf(progress->out, "%s  [%s]\n", shown, ticker_time(progress->start, progress->max_seconds, time));
        fflush(progress->out);
    }
    arena_free(&mem);
}

void progress_headline(void *user, const char *text)
{
    struct progress *progress = user;
    if (progress->verbosity >= 0)
        say(progress, text, false);
}

void progress_note(void *user, const char *text)
{
    struct progress *progress = user;
    if (progress->verbosity >= 0)
        say(progress, text, progress->brief);
}

static const char *color_of(const struct progress *progress, enum nlp_outcome outcome)
{
    if (!progress->color)
        return "";
    return outcome == NLP_SOLVED || outcome == NLP_ACCEPTABLE ? "\033[32m" : "\033[33m";
}

void progress_step(void *user, const struct homotopy_step *step, int index)
{
    struct progress *progress = user;
    progress->step = index + 1;
    if (progress->verbosity < 0 || progress->brief)
        return;
    ticker_clear(progress->ticker);
    print_header(progress);
    fprintf(progress->out, "%4d %9.1e %9.1e %9.1e %14.7g %6d %7.2fs  %s%s%s%s\n", index + 1, step->sigma,
            step->complementarity, step->infeasibility, step->objective, step->iterations, step->wall_time,
            color_of(progress, step->outcome), nlp_outcome_text(step->outcome), progress->color ? "\033[0m" : "",
            step->is_polish ? ", crossover" : "");
    fflush(progress->out);
}

/* With -v a row now and then, where no live line tells of it. */
static bool has_row(const struct progress *progress, int iteration)
{
    return progress->verbosity == 1 && !progress->ticker && iteration % 50 == 0;
}

bool progress_iteration(void *user, int iteration, double f, double violation, double dual_inf, double mu)
{
    struct progress *progress = user;
    char text[400];
    if (iteration > 0)
        stop_keep();
    (void)snprintf(text, sizeof text, "%s%sstep %d, iteration %d, objective %.7g, violation %.1e", progress->what,
                   *progress->what ? ", " : "", progress->step + 1, iteration, f, violation);
    ticker_set(progress->ticker, text);
    if (!has_row(progress, iteration))
        return true;
    print_header(progress);
    fprintf(progress->out, "%4d %9s %9s %9.1e %14.7g %6d %8s  dual infeasibility %.1e, barrier %.1e\n",
            progress->step + 1, "", "", violation, f, iteration, "", dual_inf, mu);
    fflush(progress->out);
    return true;
}
