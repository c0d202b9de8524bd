/* core/results/trust.h - what a file by others may make a reader do
 *
 * A file says how much it holds, and where. It is believed as far as its own bytes go: deflate packs 1032 bytes
 * into one at best, so whoever declares more than that has made it up, and what lies in other files stays there.
 */
#ifndef COCP_CORE_RESULTS_TRUST_H
#define COCP_CORE_RESULTS_TRUST_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

enum { TRUST_MAX_GROUPS = 4096, TRUST_FACTOR = 1100, TRUST_FREE = 1 << 24 };

struct trust {
    size_t left;                    /* bytes of values that may still be read */
    size_t text_left;               /* of strings of variable length, which are not packed: as many as the file has */
    int n_group;
    unsigned long group[TRUST_MAX_GROUPS][2];       /* those that were read, by their address */
};

/* Of a file of that many bytes: TRUST_FACTOR times as many may be read, and TRUST_FREE beyond. */
void trust_init(struct trust *trust, size_t file_bytes);

/* Bytes that may still be read, on a file of any declared size. */
size_t trust_limit(size_t file_bytes);

/* Takes count * size bytes off what is left; false: that would be more. */
bool trust_take(struct trust *trust, size_t count, size_t size);

/* Do the values lie in the file itself? To be asked before anything else: even the size of a virtual dataset opens
 * files. */
bool trust_place(hid_t set);

/* Is what the values take in the file enough for `bytes` of them? */
bool trust_storage(hid_t set, size_t bytes);

/* False for a group that was read before: links in a circle, or made to look like many. */
bool trust_group(struct trust *trust, hid_t group);

/* A transfer property list that allocates strings of variable length as long as there may be more; H5Pclose it. */
hid_t trust_strings(struct trust *trust);

#endif
