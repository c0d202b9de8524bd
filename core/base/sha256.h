/* core/base/sha256.h - SHA-256, FIPS 180-4: a digest of bytes that come one piece after the other
 *
 * Limits  fewer than 2^61 bytes.
 */
#ifndef COCP_CORE_BASE_SHA256_H
#define COCP_CORE_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BLOCK = 64, SHA256_ROOM = 65 };       /* bytes of a block; of the digest in hexadecimal, with its end */

struct sha256 {
    uint32_t H[8];
    uint64_t size;                      /* bytes so far */
    unsigned char block[SHA256_BLOCK];  /* the last of them that are no whole block */
};

void sha256_begin(struct sha256 *sha);
void sha256_add(struct sha256 *sha, const void *data, size_t size);
void sha256_end(struct sha256 *sha, char out[SHA256_ROOM]);

/* All at once. */
void sha256_text(const void *data, size_t size, char out[SHA256_ROOM]);

#endif
