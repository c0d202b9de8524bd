#define _POSIX_C_SOURCE 200809L

#include "cli/interrupt.h"

#include <string.h>

/* The one mutable global of the program: a signal handler has no other way to tell. */
static volatile sig_atomic_t received;

static void remember(int number)
{
    received = number;
}

void interrupt_install(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    action.sa_flags = (int)SA_RESETHAND;    /* the second signal is not caught */
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

const volatile sig_atomic_t *interrupt_flag(void)
{
    return &received;
}
