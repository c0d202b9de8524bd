/* tests/fuzz/replay.c - runs a fuzz target once on each file that is named: the corpus, in `make test` */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
    enum { MOST = 1 << 22 };
    static uint8_t bytes[MOST];
    FILE *in = fopen(path, "rb");
    if (!in)
        return 1;
    const size_t n = fread(bytes, 1, MOST, in);
    fclose(in);
    uint8_t *exact = malloc(n ? n : 1);                     /* so that the sanitizers see an overrun */
    for (size_t k = 0; exact && k < n; k++)
        exact[k] = bytes[k];
    LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int k = 1; k < argc; k++)
        failed |= replay(argv[k]);
    printf("%d files\n", argc - 1);
    return failed;
}
