#include "core/base/visible.h"

#include <stdbool.h>
#include <string.h>

/* Bytes of the UTF-8 character that begins at text; 0: none does. Forms that are longer than need be are left to
 * terminals: they make no control characters below. */
static int length_of(const unsigned char *text)
{
    const int n = text[0] < 0x80 ? 1 : text[0] < 0xC2 ? 0 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : text[0] < 0xF5 ? 4 : 0;
    for (int k = 1; k < n; k++)
        if ((text[k] & 0xC0) != 0x80)
            return 0;
    return n;
}

static bool is_control(const unsigned char *c, int n)
{
    if (n == 1)
        return c[0] < 0x20 || c[0] == 0x7F;
    if (n == 2)
        return c[0] == 0xC2 && c[1] < 0xA0;
    const bool general = n == 3 && c[0] == 0xE2 && c[1] == 0x80, isolate = n == 3 && c[0] == 0xE2 && c[1] == 0x81;
    return (general && c[2] >= 0xA8 && c[2] <= 0xAE) || (isolate && c[2] >= 0xA6 && c[2] <= 0xA9);
}

/* Bytes at the start of text that may be shown as they are; 0: the first byte (of *hidden) may not. */
static int shown_length(const char *text, int *hidden)
{
    const unsigned char *c = (const unsigned char *)text;
    const int n = length_of(c);
    *hidden = n ? n : 1;
    return n && !is_control(c, n) ? n : 0;
}

static void print(const char *text, const char *kept, FILE *out)
{
    while (*text) {
        int hidden;
        const int n = strchr(kept, *text) ? 1 : shown_length(text, &hidden);
        if (n > 0)
            fwrite(text, 1, (size_t)n, out);
        for (int k = 0; n == 0 && k < hidden; k++)
            fprintf(out, "\\x%02x", (unsigned)(unsigned char)text[k]);
        text += n > 0 ? n : hidden;
    }
}

void visible_print(const char *text, FILE *out)
{
    print(text, "", out);
}

void visible_print_lines(const char *text, FILE *out)
{
    print(text, "\n\t", out);
}

const char *visible_text(struct arena *mem, const char *text)
{
    const char *rest = text;
    int hidden, n;
    while (*rest && (n = shown_length(rest, &hidden)) > 0)
        rest += n;
    if (!*rest)
        return text;
    char *shown = arena_alloc(mem, 4 * strlen(text) + 1, 1), *to = shown;
    for (rest = text; *rest; rest += n > 0 ? n : hidden) {
        n = shown_length(rest, &hidden);
        if (n > 0)
            to = (char *)memcpy(to, rest, (size_t)n) + n;
        for (int k = 0; n == 0 && k < hidden; k++)
            to += snprintf(to, 5, "\\x%02x", (unsigned)(unsigned char)rest[k]);
    }
    *to = '\0';
    return shown;
}
