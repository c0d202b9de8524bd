#!/bin/sh
# The pages of the manual are well-formed and name what the program knows. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
work_apart

only_release "has a manual"
pages=$root/build/release

for page in cocp.1 cocp.5; do
    if command -v mandoc >/dev/null; then
        mandoc -T lint -W warning "$pages/$page" >out 2>err
        report "$page has no mistakes" $?
    fi
    if command -v groff >/dev/null && groff -mdoc -T utf8 /dev/null >/dev/null 2>&1; then
        groff -ww -mdoc -T utf8 "$pages/$page" >page 2>out
        [ -s page ] && [ ! -s out ]
        report "groff reads $page without a warning" $?
    fi
done

missing=""
"$cocp" explain | awk '{print $1}' >blocks
while read -r block; do
    grep -qx ".Ss $block" "$pages/cocp.5" || missing="$missing $block"
    for key in $("$cocp" explain "$block" | awk '/^  [a-z_0-9]+  / && !/^  (default|value) / {print $1}'); do
        grep -qx ".It Ic $key" "$pages/cocp.5" || missing="$missing $block.$key"
    done
done <blocks
[ -z "$missing" ]
report "cocp(5) has every key: $missing" $?

missing=""
for command in $("$cocp" --help | awk '/^Commands:/ {on = 1; next} /^$/ {on = 0} on {print $1}'); do
    awk -v begin=".Ss cocp $command" 'index($0, begin) == 1 {on = 1; next} /^\.S/ {on = 0} on' "$pages/cocp.1" >part
    for option in $("$cocp" "$command" --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
        grep -qE -- "^\.It.* Fl $(echo "$option" | cut -c2-)( |$)" part || missing="$missing $command $option"
    done
done
[ -z "$missing" ]
report "cocp(1) has every option of every command: $missing" $?

echo "1..$n"
[ "$failures" -eq 0 ]
