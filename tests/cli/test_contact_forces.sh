#!/bin/sh
# Costs and constraints of contact forces and impulses. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# A mass falls 1 m with a thrust p: impulse^2 = 2 (g - p). impulse <= 2: p = g - 2; cost p^2 + w impulse^2: p = w.
cat >land.yaml <<'END'
cocp: 1
name: land
parameters: {g: 9.81, p: {value: 5, optimize: [0, 9.7]}}
time: {horizon: 2, intervals: 4, elements: 2}
states:
  z: {initial: 1}
  v: {initial: 0}
dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: p - g}}
contacts: {foot: {gap: z}}
cost: {terminal: {effort: p^2}}
constraints: {soft: foot.impulse_n <= 2}
END
exits 0 "derivatives are compared in the program of a landing" check land.yaml
says out "and said" 'of a landing: off central differences by [0-9.]+e-1'
exits 0 "a bound on an impulse" solve land.yaml --verify
says out "is met" 'objective=60\.9961 '
exits 0 "the result" show land.h5
says out "has the thrust it takes" '^  p +7\.81 '
exits 0 "a cost of impacts" solve land.yaml --set constraints=null --set 'cost.impacts.hard=3*foot.impulse_n^2' --verify -o soft.h5
says out "is added up" 'objective=49\.86 '
says err "and found again by the replay" 'objective +[0-9.e+-]+ +49\.86 by quadrature'
exits 0 "both bounds" solve land.yaml --set 'constraints.soft=1 <= foot.impulse_n <= 2' -o both.h5
exits 60 "without the finish" solve land.yaml --set finish=off -o raw.h5
says err "the bound is broken" 'soft is 4\.429.*, it must be at most 2'
exits 0 "a bound on the gap" solve land.yaml --set 'constraints={low: foot.gap <= 1}' -o gap.h5

# m = 2, mu = 0.5: within 4/5 of the cone and 30 N on the floor a push of 12 N
awk '/^ *```yaml/ {on = 1; next} /^ *```/ {on = 0} on' "$problems/../docs/contact_forces.md" >hold.yaml
exits 0 "a margin to the cone" solve hold.yaml --verify
says out "holds" 'objective=-12 '
# 0.01 (lambda_n^2 + lambda_t^2) - push, press = 0, push = 0.8 mu lambda_n: 0.01 (19.62^2 + 7.848^2) - 7.848
exits 0 "a cost of forces" solve hold.yaml --set 'constraints.floor=foot.lambda_n <= 25' \
    --set 'cost.running.pressure=0.01*(foot.lambda_n^2 + foot.lambda_t^2)' --verify -o pressure.h5
says out "is integrated" 'objective=-3\.382645 '
exits 0 "force and impulse at their bounds" solve "$problems/soft_landing.yaml" --verify -o soft_landing.h5
exits 0 "show" show soft_landing.h5
says out "the impulse" 'impact +foot +0\.2 '
says out "the force" '^  foot_lambda_n +N .* 20 '

# Gaps and velocities at one time: of a fall from 1 m, at 0.3 s z = 0.55855 and v = -2.943, at half of it z = 0.8896375
cat >fall.yaml <<'END'
cocp: 1
name: fall
time: {horizon: 0.3, intervals: 3}
states: {z: {initial: 1}, v: {initial: 0}}
dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -9.81}}
contacts: {foot: {gap: z}}
cost:
  terminal: {near: foot.gap, slow: foot.v_n^2}
  sampled: {half: {expr: foot.gap, at: 0.5}}
END
exits 0 "costs of gaps at times" solve fall.yaml --verify
says out "are those of the fall" 'objective=10\.109437 '
says out "and of its replay" '^verified fall'

# A rod stands on its left end and falls on its right one: both impulses are charged, that of the end which stands, too. The replay
# finds it in the jump of momentum.
cat >rod.yaml <<'END'
cocp: 1
name: rod
parameters: {g: 9.81, m: 1, J: 0.02, a: 0.3}
time: {horizon: 0.6, intervals: 6, elements: 2}
states:
  x:  {initial: 0}
  z:  {initial: a*sin(0.4)}
  th: {initial: 0.4}
  vx: {initial: 0}
  vz: {initial: 0}
  w:  {initial: 0}
controls: {u: {bounds: [-0.5, 0.5]}}
dynamics:
  type: mechanical
  coordinates: {x: vx, z: vz, th: w}
  mass: {diag: [m, m, J]}
  force: {z: -m*g, th: u}
contacts:
  left:  {gap: z - a*sin(th), tangent: x - a*cos(th), friction: 0.4}
  right: {gap: z + a*sin(th), tangent: x + a*cos(th), friction: 0.4}
cost:
  running: {effort: u^2}
  impacts: {left: left.impulse_n^2, right: right.impulse_n^2}
END
exits 0 "impulses of a foot that stands" solve -q rod.yaml --verify
says out "are charged by solve and replay alike" '^verified rod .* dobj=([0-9.]+e-(0[6-9]|1[0-9])|0\.0e\+00) '

echo "1..$n"
[ "$failures" -eq 0 ]
