#include "core/base/rounded.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 6 };

static bool is_digit(char c)
{
    return isdigit((unsigned char)c);
}

/* Characters of the number that begins at c; 0: none does, or it is part of a name or of the number before. */
static int number_length(const char *text, const char *c)
{
    const bool goes_on = c > text && (isalnum((unsigned char)c[-1]) || c[-1] == '_' || c[-1] == '.');
    char *end = NULL;
    if (goes_on || !(is_digit(*c) || (*c == '.' && is_digit(c[1]))))
        return 0;
    (void)strtod(c, &end);
    return (int)(end - c);
}

/* From the first that is not 0, without those of the exponent. */
static int significant_digits(const char *c, int length)
{
    int n = 0;
    for (int k = 0; k < length && c[k] != 'e' && c[k] != 'E'; k++)
        n += is_digit(c[k]) && (n > 0 || c[k] != '0');
    return n;
}

const char *rounded_text(struct arena *mem, const char *text)
{
    char *shown = arena_alloc(mem, 2 * strlen(text) + 1, 1), *to = shown;   /* of seven characters twelve at most */
    bool any = false;
    for (const char *c = text; *c;) {
        const int n = number_length(text, c), kept = n > 0 ? n : 1;
        char number[32];
        int length = 0;
        if (n > 0 && significant_digits(c, n) > DIGITS)
            length = snprintf(number, sizeof number, "%.*g", DIGITS, strtod(c, NULL));
        any = any || length > 0;
        to = (char *)memcpy(to, length ? number : c, (size_t)(length ? length : kept)) + (length ? length : kept);
        c += kept;
    }
    *to = '\0';
    return any ? shown : text;
}
