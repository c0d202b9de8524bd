#!/bin/sh
# Complementarity by the user: found, finished, verified, told and refused. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# With one meeting after k of 20 intervals of 0.1 s the cost is 0.25/(0.1 k) + 0.26/(2 - 0.1 k): least, 0.51, for k = 10.
awk '/^ *```yaml/ {on = 1; next} /^ *```/ {on = 0} on' "$problems/../docs/complementarity.md" >finger.yaml
exits 0 "a finger pushes a box" solve finger.yaml --verify
says out "as cheaply as can be" 'objective=0\.51 '
says err "it says which side is 0" 'push: G is 0 for 1 s, H is 0 for 1 s'
says out "it is verified" '^verified finger'
exits 0 "show" show finger.h5
says out "the sides are in the result" '^  push_H +0\.5 +0 '
says out "and rows by their names" '^  push H +complementarity\.push '
exits 0 "the checks of a replay" verify finger.h5
says err "name both signs" 'complementarity\.push\.G '
says err "and the product" 'complementarity\.push, G\*H '

exits 0 "the method alone" solve finger.yaml --set finish=off -o raw.h5
says out "has the same optimum" 'objective=0\.51 '
exits 0 "and is verified" verify -q raw.h5
exits 0 "a solve from it" solve finger.yaml --guess raw.h5 -o again.h5
says out "ends where it began" 'objective=0\.51 '
exits 0 "one start and its neighbours" solve finger.yaml --set finish.starts=1 -o neighbours.h5
says out "come to the optimum, too" 'objective=0\.51 '

exits 0 "derivatives" check finger.yaml
says out "are right, sides included" 'pairs 60'
exits 0 "the resolved spec" check --resolved finger.yaml
says out "has the block" '^    H: box - finger'
sed '/^# /d' out >resolved.yaml
exits 0 "reads back" check --resolved resolved.yaml
sed '/^# /d' out >again.yaml
cmp -s resolved.yaml again.yaml
report "as the same" $?

# With intervals of any length it meets after t1 = 2/(1 + sqrt(1.04)), for (1 + sqrt(1.04))^2/8.
exits 0 "intervals of any length" solve finger.yaml --set discretization.control_grid=free -o free.h5
says out "have the true optimum" 'objective=0\.5099509'
# From anywhere it starts behind the box and pushes for 2 s: 0.26/2.
exits 0 "a free start" solve finger.yaml --set 'states.finger.initial=[-1, 2]' -o start.h5
says out "is at the box" 'objective=0\.13 '
# Half the drag from 0.75 m on: no constant speed follows through that, so that it is passed where an interval ends.
sed 's/box: f\/c/box: "if(box < 0.75, f\/c, 2*f\/c)"/' finger.yaml >oil.yaml
exits 0 "drag that switches" solve oil.yaml --verify
says out "is verified" '^verified finger'

# A box with mass speeds up, which a finger of constant speed cannot follow; one whose speed changes can.
sed 's/^  rhs: .*/  rhs: {box: w, w: f - c*w, finger: v}/; s/^  finger: {units.*/&\n  w: {units: m\/s, initial: 0}/; s/intervals: 20/intervals: 10/' \
    finger.yaml >mass.yaml
"$cocp" solve mass.yaml -o mass.h5 >out 2>err
[ $? -ne 0 ]
report "what no control can hold at 0 is not solved" $?
says err "is named" 'mass\.yaml:17:9: push H.* at t = '
exits 0 "a continuous control can" solve mass.yaml --set controls.v.hold=linear -o mass.h5

exits 20 "a force that is never 0" solve finger.yaml --set 'controls.f.bounds=[0.5, 3]' -o none.h5
says err "fails with the name, time and line" 'finger\.yaml:16:9: push.* at t = '

sed 's/^complementarity:/constraints:\n  apart: box - finger >= 0/; s/push: {G.*/push: (box - finger)*f <= 1e-3/' finger.yaml >by_hand.yaml
exits 0 "a product by hand" check by_hand.yaml
says err "is noticed" 'by_hand\.yaml:17:9: warning: constraints\.push: .*complementarity: \{push: \{G: "f", H: "box - finger"\}\}'
exits 0 "one of a factor that may be negative" check by_hand.yaml --set 'controls.f.bounds=[-1, 10]'
if grep -q warning err; then false; else true; fi
report "is none" $?

exits 3 "one plan for several drags" solve finger.yaml --set 'scenarios={vary: {parameters.c: [1.9, 2, 2.1]}}' -o plan.h5
says err "is refused" 'complementarity\.push: a side that common controls hold at 0 in one scenario'

# No inertia, one finger: four faces of which one bears a force.
exits 0 "push_box" solve "$problems/push_box.yaml" --verify
says out "is verified" '^verified push_box'
says err "one face after the other" 'one_face: H is 0 .* G is 0'
exits 0 "the leg without mass" solve "$problems/massless_leg.yaml" --verify
says out "is verified" '^verified massless_leg'

echo "1..$n"
[ "$failures" -eq 0 ]
