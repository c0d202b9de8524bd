#!/bin/sh
# A little of what `make torture` does with specs in which one thing is changed: every refusal has a place, and what `check`
# lets through `solve` does not refuse. The mutants of a seed are the same each time.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
mutate=$(cd "$(dirname "$0")/../torture" && pwd)/mutate
work_apart
python3 -c 'import yaml' 2>/dev/null || { echo "1..0 # skipped: wants python3 with yaml"; exit 0; }

COCP=$cocp "$mutate" --mutants 250 --seed 1 --seconds 0.1 "$problems"/*.yaml >out 2>err
report "250 mutants of the problems" $?
sed -n 's/^/| /; $p' out

echo "1..$n"
[ "$failures" -eq 0 ]
