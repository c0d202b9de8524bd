/* cli/outputs/shown.h - the head of a result as `cocp show` prints it, and the lines that it is made of
 *
 *   Hopper: solved (exit status 0)
 *     file             hopper.h5
 *     objective        6.6809394
 *
 * Texts may be the file's own words: control characters are escaped (visible.h). All of it goes to stdout.
 */
#ifndef COCP_CLI_OUTPUTS_SHOWN_H
#define COCP_CLI_OUTPUTS_SHOWN_H

#include "core/results/results.h"

/* "  label   text", the label as wide as that. */
void shown_label(const char *label, int width, const char *text);
/* The same with the width of the head; nothing for NULL or "", and for NAN. */
void shown_text(const char *label, const char *text);
void shown_number(const char *label, double value, const char *note);

/* What the file `path` holds, how good it is and who made it; its horizon and its grid. */
void shown_head(const struct result *result, const char *path);

#endif
