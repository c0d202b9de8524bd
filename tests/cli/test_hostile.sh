#!/bin/sh
# Inputs that mean harm: pipes, devices, names with control characters.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

cat >mass.yaml <<'END'
cocp: 1
name: mass
time: {horizon: 1, intervals: 2, elements: 1}
states: {x: {initial: 0}}
controls: {u: {bounds: [-1, 1], guess: 1}}
dynamics: {type: ode, rhs: {x: u}}
cost: {terminal: {goal: (x - 1)^2}}
END
mkfifo pipe pipe.h5 pipe.csv

# A pipe nobody writes to would keep a reader for good.
within() {      # within CODE NAME ARGUMENTS...: as exits, and at once
    wanted=$1 name=$2
    shift 2
    timeout 5 "$cocp" "$@" >out 2>err
    code=$?
    [ "$code" -eq "$wanted" ]
    report "$name" $?
}
within 4 "a pipe for a spec" check pipe
says err "is refused for what it is" 'pipe: .*cannot read it: not a regular file'
within 4 "for a result" show pipe.h5
says err "is refused for what it is" 'pipe\.h5: not a regular file'
within 4 "for a guess" solve -q mass.yaml --guess pipe.h5
within 4 "for controls of a result" simulate -q mass.yaml --controls pipe.h5
within 4 "for a table of controls" simulate -q mass.yaml --controls pipe.csv
says err "is refused for what it is" 'pipe\.csv: not a regular file'
within 4 "for an exported file" export pipe.h5
within 4 "for a solution to verify" verify pipe.h5
within 4 "for an event" impact -q mass.yaml --from pipe.h5@1
within 4 "a device for a spec" check /dev/zero
within 4 "a device for controls" simulate -q mass.yaml --controls /dev/zero
within 4 "a folder for a spec" check .
within 4 "a pipe to write to" solve -q mass.yaml -o pipe.h5

# Whatever a spec or a file says, it begins no line of its own and moves no cursor.
printf '%s\n' 'cocp: 1' 'name: "a\nsolved forged objective=0\e[2K\x9b31m"' >forged.yaml
sed 1,2d mass.yaml | sed 's/initial: 0}/initial: 0, units: "m\\n\\e[1Aforged"}/' >>forged.yaml
exits 0 "a name of two lines" solve forged.yaml -o forged.h5
says out "is one line" '^solved a\\x0asolved forged objective=0\\x1b\[2K\\xc2\\x9b31m '
[ "$(wc -l <out)" -eq 1 ]
report "on stdout" $?
says_nothing_raw() {
    ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" out err
    report "$1" $?
}
says_nothing_raw "without control characters"
exits 0 "shown" show forged.h5
says_nothing_raw "neither"
! grep -q '^solved forged' out && ! grep -q '^forged' out
report "nor lines of its own" $?
exits 0 "its trajectory" show --group trajectory forged.h5
says_nothing_raw "neither"
exits 0 "as JSON" solve -q --json forged.yaml -o forged.h5
says out "escaped as JSON does" '"name": "a\\u000asolved forged objective=0\\u001b\[2K\\u009b31m"'
exits 0 "verified" verify forged.h5
says_nothing_raw "neither"
printf 'cocp: 1\n"\\e[31mred": 1\n' >red.yaml
exits 3 "a key that nobody knows" check red.yaml
says_nothing_raw "is shown escaped"
exits 4 "a file of such a name" show "$(printf 'no\033[31m.h5')"
says err "is, too" 'no\\x1b\[31m\.h5'

# What unfolds to 2^200 terms is read as it is written, and whoever is in a hurry is not kept.
{
    sed '/^cost/d' mass.yaml
    echo 'define:'
    echo '  d0: x'
    for k in $(seq 200); do echo "  d$k: d$((k - 1))*d$((k - 1)) + min(d$((k - 1)), $k)"; done
    echo 'constraints: {c: {expr: d200 <= 1, at: final}}'
} >long_chain.yaml
within 3 "a chain of 200 defines" check long_chain.yaml
says err "is told what is wrong with it" 'min is not smooth'
sed -i 's/ + min(.*//' long_chain.yaml
within 0 "of products" check long_chain.yaml
sed 's/^time/sizes: {N: 300000}\nparameters: {"p[i=1..N]": 0.1*i}\ntime/' mass.yaml >many.yaml
within 40 "check without time" check many.yaml --max-time 0.05
says err "says that it was stopped" '^cocp: stopped before it had come to an end$'
within 40 "without CPU time" check many.yaml --max-cpu 0.05

echo "1..$n"
[ "$failures" -eq 0 ]
