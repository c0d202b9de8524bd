#include "core/base/withhold.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int count_quotes(const char *text)
{
    int n = 0;
    for (; *text; text++) n += *text == '"';
    return n;
}

static bool ends_with(const char *text, size_t n, const char *word)
{
    const size_t length = strlen(word);
    return n >= length && memcmp(text + n - length, word, length) == 0;
}

/* Does the quote that begins there, n characters long, stand in fmt as it is? */
static bool is_own(const char *fmt, const char *quote, size_t n)
{
    for (const char *at = fmt; (at = strchr(at, '"')); at++)
        if (strncmp(at, quote, n) == 0)
            return true;
    return false;
}

/* Where one quote is text, all that follows it may be. */
void withhold_quotes(const char *fmt, const char *text, char *out, size_t size)
{
    const bool is_sure = count_quotes(fmt) == count_quotes(text);
    size_t n = 0;
    *out = '\0';
    for (const char *open; (open = strchr(text, '"')) && n < size; ) {
        const char *close = strchr(open + 1, '"');
        const size_t before = (size_t)(open - text), length = close ? (size_t)(close - open) + 1 : 0;
        const bool stays = is_sure && close && (ends_with(text, before, "key ") || ends_with(text, before, "mean ")
                                                || is_own(fmt, open, length));
        n += (size_t)snprintf(out + n, size - n, "%.*s", (int)(stays ? before + length : before), text);
        if (!stays && n < size)
            n += (size_t)snprintf(out + n, size - n, "\"...\"");
        if (!is_sure || !close)
            return;
        text = close + 1;
    }
    if (n < size)
        (void)snprintf(out + n, size - n, "%s", text);
}
