/* core/base/rounded.h - formulas in words for people: numbers in six significant digits
 *
 * Names of switches are formulas with all digits of their parameters. By those names files and programs find them
 * again: what is rounded here is shown, and never read.
 */
#ifndef COCP_CORE_BASE_ROUNDED_H
#define COCP_CORE_BASE_ROUNDED_H

#include "core/base/arena.h"

/* The text with its numbers rounded: in the arena, or the text itself where none has more digits. */
const char *rounded_text(struct arena *mem, const char *text);

#endif
