#!/bin/sh
# Friction under given loads. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# From 1 m/s with mu g = 4.905: rest after 0.2038736 s, 0.1019368 m along the line, 0.6 and 0.8 of it by components.
cat >slide.yaml <<'END'
cocp: 1
name: slide
parameters: {g: 9.81, m: 2, mu: 0.5}
time: {horizon: 0.5}
states:
  x: {initial: 0}
  y: {initial: 0}
  v: {initial: 0.6}
  w: {initial: 0.8}
dynamics: {type: mechanical, coordinates: {x: v, y: w}, mass: {diag: [m, m]}}
friction: {base: {slip: [v, w], load: m*g, coefficient: mu}}
END
exits 0 "friction in the plane" simulate slide.yaml
exits 0 "show" show slide.h5
says out "stops it" '0\.203874 +0\.203874 +stick +base'
says out "after its way along x" '^  x +0 +0\.0611621 '
says out "and along y" '^  y +0 +0\.0815494 '
says out "the force is opposite to the velocity" '^  base_lambda_t1 +N +-5\.886 '
says out "of the size of the cone" '^  base_lambda_t2 +N +-7\.848 '
if grep -q seat out; then false; else true; fi
report "the seat is not among the states" $?
exits 0 "it verifies" verify slide.h5
exits 0 "by FESD-J" simulate slide.yaml --method fesd-j --set simulate.steps=20 -o fesd_j.h5
exits 0 "show" show fesd_j.h5
says out "it stops at the same place" '^  x +0 +0\.06116'

# slip twice as large: twice the friction, 0.8^2/(4 mu g) = 0.0326198
exits 0 "anisotropic friction" simulate slide.yaml --set 'friction.base.slip=[v, 2*w]' --set states.v.initial=0 -o twice.h5
exits 0 "show" show twice.h5
says out "half the way" '^  y +0 +0\.0326198 '

# 1 m with 10 N against 4 N: a = 6 up, 14 down, T^2 = 2 (6 + 14)/(6 14)
awk '/^ *```yaml/ {on = 1; next} /^ *```/ {on = 0} on' "$problems/../docs/friction.md" >rub.yaml
exits 0 "the shortest time against friction" solve rub.yaml --set friction.floor.load=10 --verify
says out "is that of two accelerations" 'objective=0\.6900655'
exits 0 "it can be tracked" track rub.yaml --set friction.floor.load=10 -o track.h5
exits 0 "the resolved spec" check --resolved rub.yaml
cp out again.yaml
exits 0 "reads back" check again.yaml
says out "with the same states" 'states 4, controls 1, contacts 1'
exits 0 "steps of it" check rub.yaml --set discretization.method=time-stepping
says out "have pairs of its two sides in 10 steps, and none of the seat" 'time-stepping, .* pairs 20$'

# An elastic hit of 1 kg on 2 kg at rest under friction: 2/3 m/s, (2/3)^2/(2 mu g) = 0.0755087 m
cat >hit.yaml <<'END'
cocp: 1
name: hit
parameters: {g: 9.81, mu: 0.3}
time: {horizon: 1}
states: {a: {initial: 0}, b: {initial: 0.5}, va: {initial: 1}, vb: {initial: 0}}
dynamics: {type: mechanical, coordinates: {a: va, b: vb}, mass: {diag: [1, 2]}}
contacts: {meet: {gap: b - a - 0.1, restitution: 1}}
friction: {floor: {slip: vb, load: 2*g, coefficient: mu}}
END
exits 0 "friction has no part in an impact" simulate hit.yaml
exits 0 "show" show hit.h5
says out "it slides on as momentum says" '^  b +0\.5 +0\.575509 '
exits 0 "and verifies" verify hit.h5

# Coefficients 0.2 and 0.4: along y alone 0.8^2/(2 0.4 g) = 0.0815494; the result has forces in N, not those of weighted slip.
exits 0 "an ellipse" simulate slide.yaml --set 'friction.base.coefficient=[0.2, 0.4]' --set states.v.initial=0 -o ellipse.h5
exits 0 "show" show ellipse.h5
says out "the way of the second coefficient" '^  y +0 +0\.0815494 '
says out "and its force" '^  base_lambda_t2 +N +-7\.848 '
exits 0 "it verifies" verify ellipse.h5
exits 0 "its derivatives" check slide.yaml --set 'friction.base.coefficient=[0.2, 0.4]'

# A disc that rolls with 0.6 m/s, slower by arm g/(r (1 + J/(m r^2))) = 1/3 m/s^2: rest after 1.8 s and 0.54 m
cat >wheel.yaml <<'END'
cocp: 1
name: wheel
time: {horizon: 2.1, intervals: 3, elements: 2}
states: {x: {initial: 0}, z: {initial: 0.1}, th: {initial: 0}, v: {initial: 0.6}, vz: {initial: 0}, w: {initial: 6}}
dynamics: {type: mechanical, coordinates: {x: v, z: vz, th: w}, mass: {diag: [2, 2, 0.01]}, force: {z: -20}}
contacts: {floor: {gap: z - 0.1, slip: v - 0.1*w, friction: 0.2}}
friction: {roll: {slip: w, load: floor.lambda_n, coefficient: 0.005}}
simulate: {steps: 210}
END
for method in event fesd-j moreau stewart-trinkle time-stepping; do
    exits 0 "rolling by $method" simulate wheel.yaml --method $method -o wheel_$method.h5
    exits 0 "show" show wheel_$method.h5
    says out "comes to rest" '^  x +0 +0\.5[34]'
done
exits 0 "it verifies" verify wheel_event.h5
exits 0 "the resolved spec of a ball" check --resolved "$problems/rolling_ball.yaml"
says out "has its coefficients" 'friction: "mu", drilling: 0\.0004, rolling: 0\.000286'
cp out ball.yaml
exits 0 "reads back" check --resolved ball.yaml
[ "$(grep -v "^#" out)" = "$(grep -v "^#" ball.yaml)" ]
report "to the same" $?

echo "1..$n"
[ "$failures" -eq 0 ]
