#include "core/base/sha256.h"

#include <stdio.h>
#include <string.h>

/* FIPS 180-4, 4.2.2: first 32 bits of the fractional parts of the cube roots of the first 64 primes */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* FIPS 180-4, 6.2.2: one block of 64 bytes */
static void add_block(uint32_t H[8], const unsigned char *block)
{
    uint32_t W[64], s[8];
    for (int t = 0; t < 16; t++)
        W[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        const uint32_t a = W[t - 15], b = W[t - 2];
        W[t] = (rotr(b, 17) ^ rotr(b, 19) ^ b >> 10) + W[t - 7] + (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) + W[t - 16];
    }
    memcpy(s, H, sizeof s);
    for (int t = 0; t < 64; t++) {
        const uint32_t a = s[0], e = s[4];
        const uint32_t T1 =
            s[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + K[t] + W[t];
        const uint32_t T2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += T1;
        s[0] = T1 + T2;
    }
    for (int i = 0; i < 8; i++) H[i] += s[i];
}

void sha256_begin(struct sha256 *sha)
{
    *sha = (struct sha256){ .H = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,          /* 5.3.3 */
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } };
}

void sha256_add(struct sha256 *sha, const void *data, size_t size)
{
    const unsigned char *byte = data;
    while (size > 0) {
        const size_t held = (size_t)(sha->size % SHA256_BLOCK), room = SHA256_BLOCK - held;
        const size_t n = size < room ? size : room;
        memcpy(sha->block + held, byte, n);
        sha->size += n;
        byte += n;
        size -= n;
        if (n == room)
            add_block(sha->H, sha->block);
    }
}

void sha256_end(struct sha256 *sha, char out[SHA256_ROOM])
{
    const uint64_t bits = sha->size * 8;        /* 5.1.1: a 1 bit, zeros, the length in bits in 8 bytes */
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[7 - i] = (unsigned char)(bits >> 8 * i & 0xff);
    sha256_add(sha, "\x80", 1);
    while (sha->size % SHA256_BLOCK != SHA256_BLOCK - sizeof length)
        sha256_add(sha, "", 1);
    sha256_add(sha, length, sizeof length);
    for (int i = 0; i < 8; i++)
        (void)snprintf(out + 8 * i, 9, "%08x", (unsigned)sha->H[i]);
}

void sha256_text(const void *data, size_t size, char out[SHA256_ROOM])
{
    struct sha256 sha;
    sha256_begin(&sha);
    sha256_add(&sha, data, size);
    sha256_end(&sha, out);
}
