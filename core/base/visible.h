/* core/base/visible.h - texts of others on a terminal: they may not move its cursor, nor begin lines
 *
 * Shown as \x1b, byte by byte: control characters of ASCII and of Latin-1 (U+0080 to U+009F), what turns the
 * direction of writing (U+202A to U+202E, U+2066 to U+2069), line and paragraph separators (U+2028, U+2029), and
 * bytes that are no UTF-8. All else stays.
 */
#ifndef COCP_CORE_BASE_VISIBLE_H
#define COCP_CORE_BASE_VISIBLE_H

#include "core/base/arena.h"

#include <stdio.h>

/* The text so that it can be shown in one line: in the arena, or the text itself where nothing is to be changed. */
const char *visible_text(struct arena *mem, const char *text);

/* Prints it so. */
void visible_print(const char *text, FILE *out);

/* Prints a text of several lines: newlines and tabs stay. */
void visible_print_lines(const char *text, FILE *out);

#endif
