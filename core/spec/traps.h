/* core/spec/traps.h - where YAML and mathematics do not get along
 *
 * Expressions are plain YAML text, and some characters of mathematics mean something else to YAML. These functions
 * look at the text around a place and say what happened in words of the spec. Offsets are bytes, marks are 1-based
 * line and column (in characters).
 */
#ifndef COCP_CORE_SPEC_TRAPS_H
#define COCP_CORE_SPEC_TRAPS_H

#include "core/base/diag.h"

#include <stdbool.h>
#include <stddef.h>

struct trap_text { const char *file, *text; size_t size; };

/* Inside { } and [ ] a comma ends a value, also within brackets: of `{vx: atan2(a, b)}` YAML makes the value
 * `atan2(a` and the key `b)`. The end of the whole expression that starts at `start` if a comma has torn it so,
 * else 0. */
size_t trap_torn_end(const struct trap_text *src, size_t start);

/* Where the value itself begins: behind its anchor, blanks, line ends, comments and the | of a block of text.
 * `pos` is the position of `offset`, where all that begins. */
struct srcpos trap_content(const struct trap_text *src, size_t offset, struct srcpos pos, bool anchored,
                           bool block);

/* What libyaml said about a syntax error: at `offset`, in words, and where the construct began. */
struct trap_syntax {
    const char *problem, *context;
    size_t offset;
    struct srcpos pos, context_pos;
    struct srcpos reported;         /* the last mistake reported: the same place is not reported twice */
};

/* Reports the syntax error: what is wrong and what would be right. */
enum status trap_report_syntax(struct diag *diag, const struct trap_text *src, const struct trap_syntax *error);

/* Reports bytes that are no text (not UTF-8, control characters) at a byte offset. */
enum status trap_report_byte(struct diag *diag, const struct trap_text *src, size_t offset);

#endif
