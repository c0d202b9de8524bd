#!/bin/sh
# What `scripts/release cut` does to a copy of the tree's version, changes and notes of upgrading. TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
work_apart

command -v git >/dev/null || { echo "1..0 # skipped: no git"; exit 0; }
mkdir -p scripts docs core/output
cp "$root/scripts/release" "$root/scripts/steps.sh" scripts/
cp "$root/core/output/head.h" core/output/
printf '# Changes\n\n## Unreleased\n- Robots.\n\n## 0.8.0 (2026-01-01)\n- Feet.\n' >CHANGELOG.md
printf '# Upgrading\n\n## To 0.9.0\n* Nothing.\n' >docs/upgrading.md
git init -q .
git add .
cp CHANGELOG.md before

for version in 0.9 0.9.0a; do
    scripts/release cut "$version" >out 2>err
    [ $? -eq 2 ] && grep -q 'a version is like' err && cmp before CHANGELOG.md
    report "$version is no version" $?
done
scripts/release cut 0.9.1 >out 2>err
[ $? -eq 1 ] && grep -q 'under "## To 0.9.1"' err && cmp before CHANGELOG.md
report "a version without notes of upgrading is not cut" $?

scripts/release cut 0.9.0 >out 2>err
report "one with them is" $?
grep -q 'COCP_VERSION "0.9.0"' core/output/head.h && grep -q 'CHANGELOG.md' out
report "the tree says that it is this version" $?
[ "$(grep -cE "^## 0.9.0 \($(date -u +%Y)-[0-9]{2}-[0-9]{2}\)$" CHANGELOG.md)" -eq 1 ] && ! grep -q Unreleased CHANGELOG.md &&
    grep -q '^## 0.8.0 (2026-01-01)$' CHANGELOG.md
report "the changes so far are those of this version, from today" $?
scripts/release cut 0.9.0 >out 2>err
[ $? -eq 1 ] && grep -q 'no section Unreleased' err
report "twice is once too often" $?

echo "1..$n"
[ "$failures" -eq 0 ]
