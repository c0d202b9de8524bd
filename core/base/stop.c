#define _POSIX_C_SOURCE 200809L         /* SIGALRM */

#include "core/base/stop.h"

static volatile sig_atomic_t noted, keeps;

void stop_ask(int number)
{
    if (!noted)
        noted = number;
}

const volatile sig_atomic_t *stop_flag(void)
{
    return &noted;
}

bool stop_asked(void)
{
    return noted != 0;
}

void stop_forget(void)
{
    noted = keeps = 0;
}

void stop_keep(void)
{
    keeps = 1;
}

bool stop_keeps(void)
{
    return keeps != 0;
}
