/* transcription/track/settings.h - the block `track` of the spec */
#ifndef COCP_TRANSCRIPTION_TRACK_SETTINGS_H
#define COCP_TRANSCRIPTION_TRACK_SETTINGS_H

#include "core/model/model.h"

enum track_horizon { TRACK_SHRINKING, TRACK_RECEDING };

struct track_settings {
    int period;                     /* control intervals from one re-solve to the next */
    int steps;                      /* re-solves at most; SETTING_AUTO_INT: as long as the horizon */
    int horizon;                    /* enum track_horizon */
    double delay;                   /* s from a measurement to its plan; NAN: what the re-solve took */
    double max_solve;               /* s for one re-solve; INFINITY: no limit */
    int tries;                      /* neighbouring sequences of each re-solve's that are tried */
    bool rediscover;                /* where the last plan's sequence leads nowhere, other discoveries */
    bool feedback;                  /* where there is no new plan, or not yet, the last one's controls follow the state */
    bool soften;                    /* final values that a re-solve cannot reach, limits that it cannot keep, cost what they are missed by */
    double tol;                     /* of final values, relative to a state's scale */
    int seed;
};

extern const struct setting_table track_table;

/* Reads the keys of the table and checks those of `noise` and `disturbance`; block NULL: the defaults. */
enum status track_settings_read(const struct spec_node *block, struct model *model, struct track_settings *out,
                                struct diag *diag);

/* {state: size} of `noise` or `disturbance` into size [n_x], 0 where not given; node may be NULL. */
enum status track_sizes_read(const struct spec_node *node, struct model *model, double *size, struct diag *diag);

/* The leaves of `plant`, {parameters.mu: 0.3} or nested, as overrides of the spec: texts in mem; *n of them. */
enum status track_plant_read(const struct spec_node *node, struct arena *mem, int *n, struct spec_override **out,
                             struct diag *diag);

#endif
