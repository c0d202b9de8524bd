#include "transcription/step/runner.h"

#include "core/base/clock.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

double runner_time_tol(const struct runner *run)
{
    return TIME_TOL * fmax(1, run->sim->model->time.horizon);
}

void runner_say(const struct runner *run, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (run->sim->on_note)
        run->sim->on_note(run->sim->user, text);
}

double runner_seconds_left(const struct runner *run)
{
    return run->sim->max_seconds - (clock_seconds() - run->start);
}

bool runner_is_interrupted(const struct runner *run)
{
    return run->sim->interrupt && *run->sim->interrupt;
}

bool runner_must_stop(const struct runner *run)
{
    return runner_is_interrupted(run) || runner_seconds_left(run) <= 0;
}
