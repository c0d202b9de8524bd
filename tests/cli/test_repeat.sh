#!/bin/sh
# Entries with indices, and specs that include files. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# Two equal links swing together with (g/l) (2 - sqrt 2) as the square of their frequency, the lower one sqrt 2 as far.
period=$(/usr/bin/python3 -c 'import math; print(2*math.pi/math.sqrt(9.81/0.5*(2 - math.sqrt(2))))')
exits 0 "a chain of two links swings" simulate "$problems/chain.yaml" --set sizes.N=2 --set parameters.d=0 \
    --set parameters.floor=-9 --set time.horizon="$period" --set states.phi_1.initial=1e-4 \
    --set states.phi_2.initial=1.4142135623730951e-4 -o two.h5
/usr/bin/python3 -c '
import h5py
u = h5py.File("two.h5")["uniform"]
assert abs(u["phi_1"][-1]/1e-4 - 1) < 1e-6 and abs(u["phi_2"][-1]/1.4142135623730951e-4 - 1) < 1e-6
assert abs(u["z_2"][0] + 1) < 1e-7 and "phi_3" not in u' >out 2>err
report "and is back after its period" $?

exits 0 "the shipped chain verifies after its fall" simulate "$problems/chain.yaml" -o chain.h5
exits 0 "with ten contacts" verify chain.h5

mkdir -p parts/deep
cat >parts/robot.yaml <<'END'
include: deep/numbers.yaml
states:
  x: {initial: 0, units: m}
  v: {initial: 1, units: m/s}
dynamics: {type: ode, rhs: {x: v, v: -k*x}}
END
echo 'parameters: {k: 4, b: 7}' >parts/deep/numbers.yaml
cat >mine.yaml <<'END'
cocp: 1
include: [parts/robot.yaml]
time: {horizon: pi/2}
parameters: {b: 8}
states:
  v: {initial: 2}
END
exits 0 "a spec that includes files" simulate mine.yaml
exits 0 "what it says itself counts, the rest is theirs" check mine.yaml --resolved
says out "a number of its own" 'b: {value: 8,'
says out "a number of the file within the file" 'k: {value: 4,'
says out "half a record" 'v: {units: "m/s",.*initial: 2,'
rm -r parts
exits 0 "its result stands for itself" verify mine.h5
/usr/bin/python3 -c '
import h5py
f = h5py.File("mine.h5")
assert abs(f["uniform/x"][-1]) < 1e-9 and abs(f["uniform/v"][-1] + 2) < 1e-9' >out 2>err
report "and is right: half a period" $?

exits 3 "a file that is not there" check mine.yaml
says err "said where" 'mine.yaml:2:11: error: include.0: cannot read "parts/robot.yaml"'
mkdir parts
printf 'include: ../mine.yaml\n' >parts/robot.yaml
exits 3 "a circle" check mine.yaml
printf 'states:\n  x: {initial: 0\n' >parts/robot.yaml
exits 3 "a mistake in an included file" check mine.yaml
says err "is said with its line" 'parts/robot.yaml:3:1: error:'

echo "1..$n"
[ "$failures" -eq 0 ]
