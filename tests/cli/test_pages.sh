#!/bin/sh
# The examples of README.md and docs/ are run as they stand: a spec is what a block of yaml with `cocp: 1` says, and the
# commands are those that follow it in the same page, beside the problems that ship. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
work_apart

mkdir bin
ln -s "$cocp" bin/cocp
PATH=$dir/bin:$PATH
for page in "$root"/docs/*.md; do
    mkdir "$(basename "$page" .md)"
    cd "$(basename "$page" .md)" || exit 1
    ln -s "$problems" problems
    awk '/^ *```yaml/ {on = 1; next} /^ *```/ {on = 0} on && /^cocp: 1/ {k++} on {print >("spec" k)}' "$page"
    for spec in spec*; do
        name=$(sed -n 's/^name: //p' "$spec" 2>/dev/null)
        [ -z "$name" ] || cp "$spec" "$name.yaml"
    done
    awk '/^ *```sh/ {on = 1; next} /^ *```/ {on = 0} on {sub(/^ +/, ""); print}' "$page" >commands
    while IFS= read -r command; do
        timeout "${TEST_SECONDS:-300}" sh -c "$command -q" >../out 2>../err </dev/null
        report "$(basename "$page"): $command" $?
    done <commands
    cd ..
done

# Resting for 0.2 s, then sliding for s = 1.8 s in m = 9 intervals: 4 s + 12/(s^3 (1 - 1/m^2)) = 7.2 + 2.083333.
exits 0 "coming_from.md: the block" show coming_from/block.h5
says out "has the effort that the page says" 'objective +9\.283333'

awk '/^```yaml/ {on = 1; next} /^```/ {on = 0} on' "$root/README.md" >skipper.yaml
exits 0 "README: the spec in one page" check skipper.yaml

broken=""
for page in "$root"/README.md "$root"/docs/*.md "$root"/problems/README.md; do
    for link in $(grep -oE '\]\([^)#:]+\)' "$page" | sed 's/^](//; s/)$//'); do
        [ -e "$(dirname "$page")/$link" ] || broken="$broken $(basename "$page"):$link"
    done
done
[ -z "$broken" ]
report "links lead somewhere: $broken" $?

# A small tree: what it cites of its note is there, or is told of.
for place in Makefile cli core problems scripts tests transcription docs; do mkdir -p "cited/$place"; done
cp "$root/scripts/citations" cited/scripts
note=notes"."md                  # apart: these lines are no citations
: >cited/README.md
printf '# Notes\n\n## 1. First\n\n## Second\n' >"cited/docs/$note"
printf '/* %s 1, "Second" */\n' "$note" >cited/core/a.c
cited/scripts/citations >out 2>err
report "citations: those that lead somewhere are passed" $?
printf '/* %s 1, 7 and "Third" */\n' "$note" >cited/core/a.c
! cited/scripts/citations >out 2>err
report "citations: those that lead nowhere are refused" $?
says out "names the section" "core/a.c:1: $note has no 7"
says out "names the title" "core/a.c:1: $note has no \"Third\""

echo "1..$n"
[ "$failures" -eq 0 ]
