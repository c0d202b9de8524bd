#!/bin/sh
# solver.scale: the same problem in other units has the same solution, on the same way. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

cat >crane.yaml <<'END'
cocp: 1
name: crane
parameters: {L: 1, S: 1, g: 9.81*L/S^2, l: 2*L}     # L units of length are a metre, S units of time a second
time: {horizon: {min: 1*S, max: 20*S, guess: 6*S}, intervals: 20, elements: 1}
states:
  x:     {initial: 0, final: 4*L}
  v:     {initial: 0, final: 0}
  phi:   {initial: 0, final: 0}
  omega: {initial: 0, final: 0, scale: 0.25/S}
controls:
  a: {bounds: [-2*L/S^2, 2*L/S^2], rate: [-4*L/S^3, 4*L/S^3], initial: 0, final: 0}
dynamics: {type: ode, rhs: {x: v, v: a, phi: omega, omega: "-(g*sin(phi) + a*cos(phi))/l"}}
cost:
  running:  {gentle: 1e-3*a_rate^2/(L^2/S^6)/S}
  terminal: {time: t/S}
END

exits 0 "without scales" solve crane.yaml --set solver.scale=off -o off.h5
says out "it is solved" 'objective=4\.0302'
exits 0 "with scales" solve crane.yaml --set solver.scale=auto -o auto.h5
says out "it has the same solution" 'objective=4\.0302'
iterations=$(sed -n 's/.* iter=\([0-9]*\) .*/\1/p' out)
for unit in L=1024 L=0.0009765625 S=0.0009765625; do
    exits 0 "in other units, $unit" solve crane.yaml --set solver.scale=auto --set "parameters.$unit" -o unit.h5
    says out "it is the same, by the same steps" "objective=4\\.0302.* iter=$iterations "
    exits 0 "and right in these units" verify unit.h5
done
exits 0 "multipliers" show auto.h5 --json
cp out auto.json
exits 0 "of the other" show off.h5 --json
cp out off.json
multiplier() { tr '{' '\n' <"$1" | sed -n 's/.*"name": "final value of x".*"multiplier": \([-0-9.e+]*\).*/\1/p' | head -n 1; }
awk -v a="$(multiplier auto.json)" -v b="$(multiplier off.json)" 'BEGIN { exit !(a != 0 && (a - b)^2 <= 1e-8*b^2) }'
report "are in the units of the spec" $?

# A heart and its vessels: flows of 1500 beside pressures of 75. No start leads to a solution as written; 7.7052 is that of a
# single shooting made apart.
exits 0 "what wants scales" solve "$problems/../tests/study/problems/windkessel.yaml" --verify -o heart.h5
says err "is solved with them once nothing else has led anywhere" 'once more with scaled variables'
says out "as by shooting" '^solved windkessel objective=7\.7052'

exits 0 "check" check crane.yaml --set solver.scale=auto
says out "shows the scales" '^  scales +x 4, ~v 0\.[0-9]+, ~phi 0\.[0-9]+, omega 0\.25, a 2, a_rate 4, horizon 8; cost .*, rows .* to '
exits 0 "check --resolved" check --resolved crane.yaml --set solver.scale=auto
says out "has them as they were given" '^  omega: .*scale: 0\.25'
exits 0 "and without" check crane.yaml
! grep -q scales out
report "there are none" $?

# What is far from 1, or from another state, is warned of, unless the spec says how it is to be scaled.
far() {         # far Z V: an output of check for states of these sizes
    cat >far.yaml <<END
cocp: 1
name: far
time: {horizon: 1, intervals: 4}
states: {z: {initial: $1, final: 0, bounds: [-1e9, 1e9]}, v: {initial: $2}}
controls: {u: {}}
dynamics: {type: ode, rhs: {z: v, v: u}}
cost: {running: {effort: u^2}}
END
    exits 0 "states of $1 and $2" check far.yaml
}
far 1e6 0
says err "a micrometre for a metre is warned of" \
    'far\.yaml:4:[0-9]+: warning: states\.z: is about 1e\+06: numbers so far from 1 .*solver: \{scale: auto\}'
far 200 -1e-3
says err "numbers far apart are" 'warning: states\.z: is about 2e\+02, and states\.v about 0\.001: so far apart'
far 2 1e-6
says err "what is tiny is" 'warning: states\.z: is about 2, and states\.v about 1e-06: so far apart'
far 200 0.1
! grep -q 'warning: .*scale' err
report "sensible numbers are not, however wide their bounds" $?
far 1e6 0
exits 0 "with scales" check far.yaml --set solver.scale=auto
! grep -q 'warning: .*scale' err
report "nothing is warned of" $?
exits 0 "without them, as the spec wants it" check far.yaml --set solver.scale=off
! grep -q 'warning: .*scale' err
report "neither" $?

# The same problem in other units: the quicker ones of tests/acceptance/units.
COCP=$cocp ACCEPTANCE_ONLY="double_integrator oscillator turbo fastest" "$problems/../tests/acceptance/test_units.sh" >units.log
cp units.log out
report "four problems in five units each are as cheap" "$(grep -c '^not ok' units.log)"
[ "$(grep -c '^ok' units.log)" -eq 60 ]
report "all of them were solved" $?

echo "1..$n"
[ "$failures" -eq 0 ]
