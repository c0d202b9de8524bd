/* core/impact/settings.h - the block `impact` of the spec; README.md "The spec" */
#ifndef COCP_CORE_IMPACT_SETTINGS_H
#define COCP_CORE_IMPACT_SETTINGS_H

#include "core/spec/settings.h"

enum impact_sampling { SAMPLE_SOBOL, SAMPLE_RANDOM };

enum impact_restitution { RESTITUTION_POISSON, RESTITUTION_NONE };

/* Bits of `compare`: laws whose outcomes are laid beside the set. */
enum { COMPARE_ANITESCU_POTRA = 1, COMPARE_SEQUENTIAL = 2, COMPARE_COMPLIANT = 4 };

struct impact_settings {
    double h;                       /* largest normal impulse of a step, N s; NAN: not given */
    int max_steps, samples;
    int sampling;                   /* enum impact_sampling */
    int seed;                       /* of random numbers */
    int restitution;                /* enum impact_restitution */
    bool corners;                   /* adds samples with every entry 0 or h */
    double eps;                     /* of SVI Algorithm 2: distance from the set that a sample may have */
    double gap_tol;                 /* contacts whose gap is at most this take part, m */
    uint64_t compare;               /* COMPARE_ bits */
};

extern const struct setting_table impact_table;

#endif
