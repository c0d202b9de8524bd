#include "transcription/solve/generator.h"

enum status generate(struct finishing *at, const struct generator *generator)
{
    struct counting counting;
    if (!counts_begin(finishing_counts(at), generator->is, &counting))
        return STATUS_OK;
    const enum status st = generator->run(at);
    counts_end(&counting);
    return st;
}
