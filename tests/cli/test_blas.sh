#!/bin/sh
# Whatever BLAS the machine has, programs use the reference one that they bring along: round-off leads nonconvex problems to
# other optima (docs/measured.md). Here the machine's is one that ends every program that calls it.
# COCP is the program; TAP on stdout.
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart
only_release "lets libraries be loaded before its own"

cat >other_blas.c <<'END'
#include <stdlib.h>
#define ENDS(name) void name(void); void name(void) { _Exit(99); }
ENDS(ddot_) ENDS(daxpy_) ENDS(dnrm2_) ENDS(dasum_) ENDS(dscal_) ENDS(dcopy_) ENDS(idamax_)
ENDS(dgemm_) ENDS(dgemv_) ENDS(dtrsm_) ENDS(dgetrf_) ENDS(dgelsy_)
END
cat >calls_blas.c <<'END'
double ddot_(const int *n, const double *x, const int *step_x, const double *y, const int *step_y);
int main(void)
{
    const int n = 2, step = 1;
    const double x[2] = { 3, 4 };
    return ddot_(&n, x, &step, x, &step) == 25 ? 0 : 1;
}
END
${CC:-cc} -shared -fPIC -o other_blas.so other_blas.c 2>err && ${CC:-cc} -o calls_blas calls_blas.c -lblas 2>>err
report "another BLAS is built" $?
./calls_blas && ! LD_PRELOAD=./other_blas.so ./calls_blas
report "and is what a program without its own would call" $?

exits 0 "a solve" solve -q "$problems/pushing.yaml" -o usual.h5
usual=$(sed 's/ time=.*//' out)
LD_PRELOAD=./other_blas.so "$cocp" solve -q "$problems/pushing.yaml" -o other.h5 >out 2>err
[ $? -eq 0 ] && [ "$(sed 's/ time=.*//' out)" = "$usual" ]
report "does not call it, nor do the libraries that it calls" $?
exits 0 "by MUMPS" solve -q "$problems/ivp.yaml" --set solver.ipopt.linear_solver=mumps -o usual.h5 --force
LD_PRELOAD=./other_blas.so "$cocp" solve -q "$problems/ivp.yaml" --set solver.ipopt.linear_solver=mumps -o other.h5 --force >out 2>err
report "likewise" $?

echo "1..$n"
exit "$failures"
