#!/bin/sh
# Every item of the papers by scripts/papers --all: commands, numbers beside the papers', pictures. An item is right if each of
# its rows is the paper's within the tolerance that it states, or differs for a reason that is told. TAP, the time after it.
#
#   ACCEPTANCE_KEEP=FOLDER      results, pictures and papers.md stay there
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
COCP=$(realpath "${COCP:-build/cocp}")
export COCP
papers=$(cd "$(dirname "$0")/../../scripts" && pwd)/papers
if [ -n "$ACCEPTANCE_KEEP" ]; then
    dir=$ACCEPTANCE_KEEP/papers
    mkdir -p "$dir" || exit 1
else
    dir=$(mktemp -d) || exit 1
    trap 'rm -rf "$dir"' EXIT
fi

"$papers" --all -o "$dir" >"$dir/out" 2>"$dir/err"
code=$?
while read -r line; do
    case $line in
        "ok - "*|"not ok - "*) n=$((n + 1)); echo "${line%% - *} $n - ${line#* - }" ;;
        *) echo "# $line" ;;
    esac
done <"$dir/out"
n=$((n + 1))
[ $code -eq 0 ] && echo "ok $n - no row is wrong" || echo "not ok $n - exit status $code: $(tail -n 1 "$dir/err")"
echo "1..$n"
[ $code -eq 0 ]
