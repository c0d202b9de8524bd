/* tests/unit/sequence_text.h - sequences as text; of files that define _POSIX_C_SOURCE */
#ifndef COCP_TESTS_UNIT_SEQUENCE_TEXT_H
#define COCP_TESTS_UNIT_SEQUENCE_TEXT_H

#include "tests/unit/assertions.h"
#include "transcription/sequence/sequence.h"

#include <stdio.h>
#include <stdlib.h>

/* As sequence_print has it; free it. */
static inline char *sequence_text(const struct sequence *seq)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    sequence_print(seq, out);
    (void)fclose(out);
    return text;
}

static inline void assert_text(const struct sequence *seq, const char *want)
{
    char *text = sequence_text(seq);
    assert_string_equal(text, want);
    free(text);
}

#endif
