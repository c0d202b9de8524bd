/* core/contact/combine.h - all combinations of what each of n contacts may do: at[k] in 0 .. n_of[k] - 1
 *
 * Used where a law is solved by trying its modes: impacts (jump.c), the steps of samples (modes.c), the choice of a
 * mode to go on with (select.c).
 */
#ifndef COCP_CORE_CONTACT_COMBINE_H
#define COCP_CORE_CONTACT_COMBINE_H

#include <stdbool.h>

static inline double combine_count(int n, const int *n_of)
{
    double count = 1;
    for (int k = 0; k < n; k++)
        count *= n_of[k];
    return count;
}

/* The next one after at, the first places fastest; false (and all 0 again) after the last. */
static inline bool combine_next(int n, const int *n_of, int *at)
{
    for (int k = 0; k < n; k++) {
        if (++at[k] < n_of[k])
            return true;
        at[k] = 0;
    }
    return false;
}

#endif
