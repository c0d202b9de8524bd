/* tests/unit/assertions.h - cmocka with what it needs, and comparisons of numbers that print them
 *
 * A comparison that fails names both expressions and prints their values; NaN is near nothing.
 */
#ifndef COCP_TESTS_UNIT_ASSERTIONS_H
#define COCP_TESTS_UNIT_ASSERTIONS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline void near_or_fail(double got, double want, double tol, const char *what, const char *file, int line)
{
    if (fabs(got - want) <= tol)
        return;
    print_error("%s: got %.17g, want %.17g: off by %.3g, allowed %.3g\n", what, got, want, fabs(got - want), tol);
    _fail(file, line);
}

/* |got - want| <= tol */
#define assert_near(got, want, tol) near_or_fail((got), (want), (tol), #got " near " #want, __FILE__, __LINE__)

#endif
