#!/bin/sh
# A little of `make torture`: each command is killed, interrupted, and given a full disk or too little memory.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
torture=$(cd "$(dirname "$0")/../torture" && pwd)/run
[ -z "${FAULTS-}" ] || FAULTS=$(realpath "$FAULTS")
work_apart

memory=6
case "${FAULTS-}" in "") memory=0 ;; esac      # nor do sanitizers live with little
COCP=$cocp FAULTS=${FAULTS-} "$torture" --kills 20 --interrupts 20 --memory "$memory" --faults 1 --edits 0 --only "solve|sweep|export" \
    >out 2>err
report "20 kills, 20 interrupts, calls that fail" $?
sed -n 's/^/| /; 1,4p' out

echo "1..$n"
[ "$failures" -eq 0 ]
