/* transcription/finish/settings.h - the blocks `finish` and `sensitivity` of the spec */
#ifndef COCP_TRANSCRIPTION_FINISH_SETTINGS_H
#define COCP_TRANSCRIPTION_FINISH_SETTINGS_H

#include "core/spec/settings.h"
#include "transcription/mechanisms/mechanisms.h"

enum finish_use { FINISH_OFF, FINISH_ON };
enum finish_scheme { FINISH_SCHEME_AUTO, FINISH_SCHEME_RADAU, FINISH_SCHEME_GAUSS };

struct finish_settings {
    int use;                        /* enum finish_use */
    int scheme;                     /* enum finish_scheme */
    int stages, elements;           /* of the finished solution */
    double tol;                     /* error of a replay by events to be reached with more elements */
    int starts;                     /* discoveries by time-stepping */
    int tries;                      /* neighbouring sequences, in all */
    struct mechanism_set without, only;         /* what the search leaves out; of their kinds the only ones */
};

struct sensitivity_settings { int use; };       /* 0 off, 1 on */

extern const struct setting_table finish_table, sensitivity_table;

/* Reads the block (NULL: defaults). */
enum status finish_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                 struct finish_settings *out, struct diag *diag);

#endif
