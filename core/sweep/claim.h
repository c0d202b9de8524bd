/* core/sweep/claim.h - a point is worked at by one process at a time, on any machine that sees the folder
 *
 * A claim is a file that only one process can create (O_EXCL); it names host, process and when that started, and
 * its time of change is renewed while the work goes on. A claim is void if its process is gone (same host) or if
 * it was not renewed for CLAIM_SECONDS by the clock of the file system (another host); whoever finds it so takes
 * it over. Two that take over at once would both work: results are renamed into place whole, so that this costs
 * time and nothing else.
 */
#ifndef COCP_CORE_SWEEP_CLAIM_H
#define COCP_CORE_SWEEP_CLAIM_H

#include <stdbool.h>

enum { CLAIM_SECONDS = 120, CLAIM_RENEW_SECONDS = 20 };

/* True: the claim is ours now. False: another process is at it, or the file cannot be written. */
bool claim_take(const char *path);
void claim_renew(const char *path);
void claim_drop(const char *path);

/* Is there a claim that is not void? */
bool claim_is_held(const char *path);

#endif
