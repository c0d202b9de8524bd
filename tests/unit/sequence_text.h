/* tests/unit/sequence_text.h - asserts of sequences as text */
#ifndef COCP_TESTS_UNIT_SEQUENCE_TEXT_H
#define COCP_TESTS_UNIT_SEQUENCE_TEXT_H

#include "tests/unit/assertions.h"
#include "transcription/sequence/sequence.h"

#include <stdlib.h>

static inline void assert_text(const struct sequence *seq, const char *want)
{
    char *text = sequence_text(seq);
    assert_string_equal(text, want);
    free(text);
}

#endif
