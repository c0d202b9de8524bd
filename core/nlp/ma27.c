#include "core/nlp/ma27.h"

#if __has_include(<HSLLoader.h>)

#include <HSLLoader.h>

bool ma27_replaceable(void)
{
    return true;
}

void ma27_replace(ma27_analyse *analyse, ma27_factorize *factorize, ma27_solve *solve, ma27_defaults *defaults)
{
    LSL_setMA27(analyse, factorize, solve, defaults);
}

#else

/* Ipopt::Ma27TSolverInterface::SetFunctions, static, as the C++ ABI of Linux spells it with its types; NULL where
 * IPOPT has none. */
void set_functions(ma27_analyse *, ma27_factorize *, ma27_solve *, ma27_defaults *)
__asm__("_ZN5Ipopt20Ma27TSolverInterface12SetFunctionsE"
        "PFvPiS1_PKiS3_S1_S1_S1_S1_S1_S1_S1_PdS1_S4_E"
        "PFvS1_S1_S3_S3_S4_S1_S1_S1_S1_S1_S1_S1_S1_S4_S1_E"
        "PFvS1_S4_S1_S1_S1_S4_S1_S4_S1_S1_S1_S1_E"
        "PFvS1_S4_E") __attribute__((weak));

bool ma27_replaceable(void)
{
    return set_functions != 0;
}

void ma27_replace(ma27_analyse *analyse, ma27_factorize *factorize, ma27_solve *solve, ma27_defaults *defaults)
{
    set_functions(analyse, factorize, solve, defaults);
}

#endif
