#!/bin/bash
# Infeasible specs: every condition that, relaxed alone, makes one feasible is named, at its place and with the value that would
# do, as the first lines of each spec of tests/specs/infeasible expect:
#   # expect: LINE:COL: path: beginning of the message
#   # likeliest: beginning of the advice          in the last line, of some
# The figures are closed forms, which the specs tell. COCP is the program, INFEASIBLE the folder; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
specs=$(cd "${INFEASIBLE:-$(dirname "$0")/../specs/infeasible}" && pwd) || exit 1
work_apart

# expected LINE:COL:MESSAGE: is there an error line that begins so, after the name of the file?
expected() {
    grep -qF -- ":$(cut -d: -f1,2 <<<"$1"): error:$(cut -d: -f3- <<<"$1")" err
}

for spec in "$specs"/*.yaml; do
    name=$(basename "$spec" .yaml)
    "$cocp" solve "$spec" -o "$name.h5" >out 2>err
    [ $? -eq 20 ]
    report "$name is infeasible" $?
    while IFS= read -r line; do
        expected "$line"
        report "$name: $(cut -d: -f3 <<<"$line") has to give way" $?
    done < <(LC_ALL=C sed -n 's/^# expect: //p' "$spec")
    advice=$(sed -n 's/^# likeliest: //p' "$spec")
    grep -qF -- "  likeliest: $advice" err
    report "$name: the advice fits" $?
    ! grep -q 'dynamics of' err
    report "$name: no equation of the method is named" $?
    first=$(LC_ALL=C sed -n 's/^# expect: \([0-9]*:[0-9]*\): \([^:]*\):.*/\2 (.*:\1)/p' "$spec" | head -1)
    "$cocp" show "$name.h5" >out 2>err
    grep -qE "^  failure .*${first//[()]/.}" out
    report "$name: the result tells it, too" $?
done
# Who stops the diagnosis alone has the verdict of the solve, and what the end of it breaks.
spec=$specs/below.yaml
if [ -e "$spec" ]; then
    "$cocp" solve "$spec" -o stopped.h5 >out 2>err &
    pid=$!
    while kill -0 $pid 2>/dev/null && ! grep -q '^which conditions' err; do
        sleep 0.05
    done
    kill -INT $pid
    wait $pid
    [ $? -eq 20 ]
    report "a diagnosis that is stopped leaves it infeasible" $?
    says err "and a condition is named" 'states\.z\.final: .* -0\.2 m'
    status_is infeasible stopped.h5 "in the file, too"
fi
echo "1..$n"
[ "$failures" -eq 0 ]
