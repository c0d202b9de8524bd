/* core/nlp/library.h - what the installed IPOPT says of itself: its options, and which linear solvers work
 *
 * The C interface has no list of options, and what it refuses it prints on stdout; some linear solvers whose code
 * is not installed end the process. So a child process asks: it prints the library's own documentation of its
 * options into a pipe (print_options_documentation), and tries words that stand for code on a program of one
 * variable. That is done once, when the first option is looked at; one child takes about 10 ms.
 *
 * Errors  a library that cannot be asked has no options: then everything is refused.
 */
#ifndef COCP_CORE_NLP_LIBRARY_H
#define COCP_CORE_NLP_LIBRARY_H

#include <stdbool.h>

enum option_type { OPTION_INT, OPTION_NUMBER, OPTION_WORD };

struct library_option {
    const char *name;
    enum option_type type;
    double min, max;                /* of a number; -+INFINITY: none */
    bool open_min, open_max;        /* the bound itself is not allowed */
    const char *words;              /* those that work, separated by blanks; NULL: any text, or a number */
};

struct library {
    int n;
    struct library_option *option;  /* [n] in the library's order, without those of library.c that are reserved */
};

/* The same at each call; nobody frees it. */
const struct library *library_get(void);

#endif
