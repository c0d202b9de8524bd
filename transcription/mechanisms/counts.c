#include "transcription/mechanisms/counts.h"

#include "core/base/clock.h"

bool counts_uses(const struct counts *counts, enum mechanism what)
{
    return !counts || mechanism_is_in(&counts->used, what);
}

static int iterations_of(const struct counts *counts)
{
    return *counts->iterations[0] + *counts->iterations[1];
}

bool counts_begin(struct counts *counts, enum mechanism what, struct counting *out)
{
    *out = (struct counting){ .counts = counts, .what = what };
    if (!counts)
        return true;
    if (!counts_uses(counts, what))
        return false;
    counts->of[what].calls++;
    out->before = counts->generator;
    out->iterations = iterations_of(counts);
    out->start = clock_seconds();
    if (mechanisms[what].kind == GENERATOR)
        counts->generator = what;
    return true;
}

void counts_end(const struct counting *one)
{
    struct counts *counts = one->counts;
    if (!counts)
        return;
    counts->of[one->what].iterations += iterations_of(counts) - one->iterations;
    counts->of[one->what].seconds += clock_seconds() - one->start;
    counts->generator = one->before;
}

void counts_candidate(struct counts *counts, enum mechanism what, bool solved, bool best)
{
    if (!counts || what == MECHANISM_NONE)
        return;
    counts->of[what].candidates++;
    counts->of[what].solved += solved;
    counts->of[what].best += best;
}

void counts_known(struct counts *counts, enum mechanism what)
{
    if (counts && what != MECHANISM_NONE)
        counts->of[what].repeated++;
}

void counts_repeated(struct counts *counts)
{
    if (counts)
        counts_known(counts, counts->generator);
}

bool counts_gate(struct counts *counts, enum mechanism gate)
{
    if (!counts_uses(counts, gate))
        return false;
    if (counts)
        counts->of[gate].calls++;
    return true;
}
