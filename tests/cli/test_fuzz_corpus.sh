#!/bin/sh
# What the fuzzers have found worth keeping: each target takes its corpus, and the program what libhdf5 cannot take.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
corpus=$(cd "$(dirname "$0")/../fuzz/corpus" && pwd)
judge=$(cd "$(dirname "$0")/../fuzz" && pwd)/judge_results
replays=${REPLAYS:-$PWD/build/release/tests/fuzz}
work_apart

for target in result handover csv robot; do
    "$replays/fuzz_$target.replay" "$corpus/$target"/* >out 2>err
    report "$target" $?
done
COCP=$cocp "$judge" "$corpus/crashes"/* >out 2>err
report "files that crash libhdf5 do not crash the program" $?

echo "1..$n"
[ "$failures" -eq 0 ]
