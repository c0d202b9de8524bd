#!/bin/sh
# Compares with Siconos where it is installed (Debian: libsiconos-numerics-dev); nothing else needs it.
#
#   make && tests/bench/siconos.sh
#
#   SICONOS=FOLDER       where it is, if not in /usr: the parent of include and lib
set -eu
cd "$(dirname "$0")/../.."
prefix=${SICONOS:-/usr}
include=$prefix/include/siconos/numerics
if [ ! -f "$include/LCP_Solvers.h" ]; then
    echo "siconos.sh: no $include/LCP_Solvers.h; apt-get install libsiconos-numerics-dev, or set SICONOS" >&2
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

libs=$(find "$prefix/lib" -name 'libsiconos_numerics.so' -exec dirname {} \; | head -1)
blas=$(find "$prefix/lib" -name 'libopenblas.so.0' -exec dirname {} \; | head -1)
${CC:-cc} -O2 -g -std=c11 -I. -isystem "$prefix/include/siconos" -isystem "$include" tests/bench/siconos/lcp.c \
    build/release/libcocp.a -L"$libs" -lsiconos_numerics ${blas:+"-L$blas"} -Wl,--allow-shlib-undefined -lm \
    -o "$folder/lcp"
dpkg-query -W -f '${Package} ${Version}\n' libsiconos-numerics7 2>/dev/null || echo "Siconos of $prefix"
LD_LIBRARY_PATH="$libs${blas:+:$blas}" OPENBLAS_NUM_THREADS=1 "$folder/lcp"
