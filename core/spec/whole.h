/* core/spec/whole.h - whole numbers as texts: indices and sizes of repeated entries; for the sources of this folder
 * alone */
#ifndef COCP_CORE_SPEC_WHOLE_H
#define COCP_CORE_SPEC_WHOLE_H

#include <stdbool.h>
#include <stddef.h>

/* Names that stand for numbers, the last one of a name counts. */
struct whole_names {
    int n;
    const struct whole_name { const char *name; size_t length; long value; } *name;
};

const struct whole_name *whole_find(const struct whole_names *names, const char *text, size_t length);

/* Length of the name that begins here, 0 if none does. */
size_t whole_name_length(const char *text);

/* The value of + - * ( ), numbers and names in text[0 .. n); / only where it leaves no rest. false: *why says
 * what is wrong, `bad` of `n_bad` bytes being the piece of it, if any. */
struct whole_error { const char *why, *bad; int n_bad; };
bool whole_value(const struct whole_names *names, const char *text, size_t n, long *value,
                 struct whole_error *error);

#endif
