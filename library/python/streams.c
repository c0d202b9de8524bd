/* The streams of a static libhdf5 that is linked into a shared library: compiled for programs, it would get at
 * those of libc in a way that only programs can. */
#include <stdio.h>

extern FILE *wheel_stdin, *wheel_stdout, *wheel_stderr;
FILE *wheel_stdin, *wheel_stdout, *wheel_stderr;

__attribute__((constructor)) static void set_streams(void)
{
    wheel_stdin = stdin;
    wheel_stdout = stdout;
    wheel_stderr = stderr;
}
