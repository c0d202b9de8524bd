/* core/output/settings.h - the block `output` of the spec: what every command's result is written with */
#ifndef COCP_CORE_OUTPUT_SETTINGS_H
#define COCP_CORE_OUTPUT_SETTINGS_H

#include "core/spec/settings.h"

struct output_settings {
    int points;                     /* of /uniform */
};

extern const struct setting_table output_table;

#endif
