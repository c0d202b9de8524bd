#define _POSIX_C_SOURCE 200809L

#include "cli/progress.h"

#include "core/base/stop.h"
#include "core/base/visible.h"

#include <stdlib.h>
#include <unistd.h>

#define ERASE_LINE "\r\033[K"

void progress_init(struct progress *progress, FILE *out, int verbosity)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    const bool is_terminal = isatty(fileno(out)) && term && *term && !(term[0] == 'd' && term[1] == 'u');
    *progress = (struct progress){
        .out = out, .verbosity = verbosity,
        .live = is_terminal && verbosity < 2,           /* -vv: IPOPT writes in between */
        .color = is_terminal && !(no_color && *no_color),
    };
}

static void print_header(struct progress *progress)
{
    if (!progress->has_header)
        fprintf(progress->out, "%s%4s %9s %9s %9s %14s %6s %8s  %s%s\n", progress->color ? "\033[1m" : "", "step",
                "sigma", "comp", "viol", "objective", "iter", "time", "outcome", progress->color ? "\033[0m" : "");
    progress->has_header = true;
}

void progress_end(struct progress *progress)
{
    if (progress->has_live_row)
        fputs(ERASE_LINE, progress->out);
    progress->has_live_row = false;
    fflush(progress->out);
}

void progress_note(void *user, const char *text)
{
    struct progress *progress = user;
    if (progress->verbosity < 0)
        return;
    progress_end(progress);
    visible_print(text, progress->out);
    fputc('\n', progress->out);
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
    if (progress->verbosity < 0)
        return;
    progress_end(progress);
    print_header(progress);
    fprintf(progress->out, "%4d %9.1e %9.1e %9.1e %14.7g %6d %7.2fs  %s%s%s%s\n", index + 1, step->sigma,
            step->complementarity, step->infeasibility, step->objective, step->iterations, step->wall_time,
            color_of(progress, step->outcome), nlp_outcome_text(step->outcome), progress->color ? "\033[0m" : "",
            step->is_polish ? ", crossover" : "");
    fflush(progress->out);
    progress->step = index + 1;
}

bool progress_iteration(void *user, int iteration, double f, double violation, double dual_inf, double mu)
{
    struct progress *progress = user;
    if (iteration > 0)
        stop_keep();
    const bool is_shown = progress->verbosity >= 1 || progress->live;
    if (progress->verbosity < 0 || progress->verbosity > 1 || !is_shown || (!progress->live && iteration % 50 != 0))
        return true;
    print_header(progress);
    fprintf(progress->out, "%s%4d %9s %9s %9.1e %14.7g %6d %8s  dual infeasibility %.1e, barrier %.1e%s",
            progress->live ? ERASE_LINE : "", progress->step + 1, "", "", violation, f, iteration, "", dual_inf, mu,
            progress->live ? "" : "\n");
    fflush(progress->out);
    progress->has_live_row = progress->live;
    return true;
}
