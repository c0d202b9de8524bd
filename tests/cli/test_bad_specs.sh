#!/bin/bash
# Every spec of tests/specs/bad is refused in the words and at the place its first lines expect:
#   # expect: LINE:COL: path: beginning of the message
#   # run: solve          the command, where it is not `check`
# with exit status 3 and nothing on stdout. Every spec of tests/specs/odd is let through, and warned of or told about:
#   # expect: LINE:COL: warning: path: beginning of the message
# COCP is the program; TAP on stdout, then `N passed, N failed`.
cocp=$(realpath "${COCP:-build/cocp}")
specs=$(cd "$(dirname "$0")/../specs" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

# wrong SPEC: says what is wrong with cocp's answer to it, nothing if all is as expected.
wrong() {
    local spec=$1 command code line
    command=$(sed -n 's/^# run: //p' "$spec")
    timeout 60 "$cocp" "${command:-check}" "$spec" >out 2>err
    code=$?
    [ "$code" -eq 3 ] || echo "exit status $code, not 3"
    [ ! -s out ] || echo "output on stdout"
    grep -q '^# expect: ' "$spec" || echo "no expectation"
    while IFS= read -r line; do
        expected "$line" || echo "not said: $line"
    done < <(LC_ALL=C sed -n 's/^# expect: //p' "$spec")
}

# unsaid SPEC: what cocp check does not say of a spec that it lets through.
unsaid() {
    "$cocp" check "$1" >out 2>err || echo "is refused"
    while IFS= read -r line; do
        grep -qF -- ":$line" err || echo "not said: $line"
    done < <(sed -n 's/^# expect: //p' "$1" | grep . || echo "no expectation")
}

# expected LINE:COL:MESSAGE: is there an error line that begins so, after the name of the file?
expected() {
    local place message
    place=$(cut -d: -f1,2 <<<"$1")
    message=$(cut -d: -f3- <<<"$1")
    grep -qF -- ":$place: error:$message" err
}

for spec in "$specs"/bad/*.yaml "$specs"/odd/*.yaml; do
    name=$(basename "$spec" .yaml)
    case $spec in
        */bad/*) answer=$(wrong "$spec") ;;
        *) answer=$(unsaid "$spec") ;;
    esac
    if [ -z "$answer" ]; then
        passed=$((passed + 1))
        echo "ok $((passed + failed)) - $name"
    else
        failed=$((failed + 1))
        echo "not ok $((passed + failed)) - $name"
        { echo "$answer"; cat err; } | sed 's/^/# /'
    fi
done
echo "1..$((passed + failed))"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
