/* core/base/withhold.h - messages about a file that a spec includes quote nothing of it but keys
 *
 * Whoever writes a spec names files, and whoever runs it may read what others must not see.
 */
#ifndef COCP_CORE_BASE_WITHHOLD_H
#define COCP_CORE_BASE_WITHHOLD_H

#include <stddef.h>

/* The text that fmt became, without what it quotes: `unknown name "..."`. What fmt quotes itself stays, and what
 * follows the words key and mean: it is a key, or a name that the program proposes. out [size]. */
void withhold_quotes(const char *fmt, const char *text, char *out, size_t size);

#endif
