#!/bin/sh
# What `check` warns of: units that do not fit together, roots of what changes its sign, constraints that contradict each other. No problem
# that ships has any. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
work_apart

cat >units.yaml <<'END'
cocp: 1
parameters:
  k: {value: 2, units: N/m}
  c: {value: 1, units: N s/m}
  m: {value: 3, units: kg}
time: {horizon: 1, intervals: 4}
states:
  x: {units: m, initial: 1}
  v: {units: m/s, initial: 3}
  fuel: {units: kg, initial: 1}
controls: {F: {units: N, bounds: [0, 1]}}
dynamics:
  type: ode
  rhs: {x: v, v: (F - k*x - c*x)/m, fuel: -v}
constraints:
  apart: x <= v
  turned: sin(x) >= 0
  weighted: 2*x <= v
END
exits 0 "warnings are no errors" check units.yaml
says out "but counted" 'units\.yaml: 4 warnings'
says err "a sum" 'units\.yaml:14:18: warning: dynamics\.rhs\.v: units disagree: .* m kg s\^-2, and in m kg s\^-1'
says err "a rate" 'units\.yaml:14:43: warning: dynamics\.rhs\.fuel: .*the rate is in m s\^-1, the state per second in kg s\^-1'
says err "two sides" 'units\.yaml:16:10: warning: constraints\.apart: .* m, and in m s\^-1'
says err "a function" 'units\.yaml:17:11: warning: constraints\.turned: .*the argument of a function is in m, and should be in 1'

cat >cart.yaml <<'END'
cocp: 1
parameters: {m: {value: 3, units: kg}, k: {value: 2, units: N}}
time: {horizon: 1, intervals: 4}
states: {x: {units: m, initial: 1}, v: {units: m, initial: 0}}
dynamics: {type: mechanical, coordinates: {x: v}, mass: {diag: [m]}, force: {x: -k}}
END
exits 0 "a position and its velocity" check cart.yaml
says err "in the same unit" 'cart\.yaml:5:47: warning: dynamics\.coordinates\.x: .*the velocity is in m, the position per second in m s\^-1'
says err "a force" 'cart\.yaml:5:81: warning: dynamics\.force\.x: .*the force is in m kg s\^-2, mass times acceleration in m kg s\^-1'

cat >road.yaml <<'END'
cocp: 1
parameters: {m: {value: 900, units: kg}, tau: {value: 5, units: min}}
time: {horizon: 60, intervals: 4}
states: {x: {units: km, initial: 0}, v: {units: m/s, initial: 0}, w: {units: m/s, initial: 0}}
controls: {F: {units: N, bounds: [0, 1]}}
dynamics: {type: ode, rhs: {x: v, v: F/m, w: (v - w)/tau}}
END
exits 0 "metres for kilometres" check road.yaml
says err "are a rate that has lost a factor" 'road\.yaml:6:32: warning: .*the rate is in m s\^-1, the state per second in 1000 m s\^-1'
says err "and so are minutes beside seconds" 'road\.yaml:6:46: warning: .*the rate is in 0\.01667 m s\^-2, the state per second in m s\^-2'
says out "nothing else" 'road\.yaml: 2 warnings'

cat >hours.yaml <<'END'
cocp: 1
parameters: {k: {value: 0.3, units: 1/h}, y: {value: 2, units: g/g}}
time: {horizon: 24, intervals: 4}
states: {sugar: {units: g/l, initial: 9}, cells: {units: g/l, initial: 1}}
dynamics: {type: ode, rhs: {sugar: -k*cells*y, cells: k*cells}}
END
exits 0 "rates that are all in hours" check hours.yaml
says out "are those of a time in hours" 'hours\.yaml: no findings'

# --- The unit of time is the spec's ---
sed 's/horizon: 24/unit: h, &/' hours.yaml >given.yaml
exits 0 "hours that are given" check given.yaml
says out "fit rates per hour" 'given\.yaml: no findings'
sed 's/horizon: 24/unit: min, &/' hours.yaml >minutes.yaml
exits 0 "minutes do not" check minutes.yaml
says err "and each rate is told of" 'minutes\.yaml:5:[0-9]+: warning: .*sugar: .*the state per min in'
says err "the second one, too" 'minutes\.yaml:5:[0-9]+: warning: .*cells: .*the state per min in'

# A tank of 1 m^3 that is filled to 2 in 2 h by 0.5 m^3/h: the least of the sum of squares, 2 * 0.25.
cat >tank.yaml <<'END'
cocp: 1
name: tank
time: {unit: h, horizon: 2, intervals: 8}
states: {V: {units: m^3, initial: 1, final: 2}}
controls: {q: {units: m^3/h, bounds: [0, 2], guess: 1}}
dynamics: {type: ode, rhs: {V: q*step(V)}}
cost: {running: {gentle: q^2}}
constraints: {half: {expr: V >= 1.5, at: 60 min}}
track: {period: 2}
END
exits 0 "a tank is filled" solve tank.yaml -o tank.h5
says out "at its optimum" 'objective=0\.5 '
says err "in hours" '^found: .* 2 h$'
exits 0 "shown" show tank.h5
says out "with them" '^ *horizon +2 h$'
exits 0 "verified" verify tank.h5
says err "with them" ' at t = [0-9.]+ h; the tolerance'
exits 0 "tracked" track tank.yaml -o tracked.h5
exits 0 "replanned with the solve's own time" track tank.yaml --set track.delay=solve -o tracked.h5
cp tank.h5 guess.h5
exits 0 "and planned from what was found" solve tank.yaml --guess guess.h5 -o tank.h5
exits 0 "its page" report tank.h5 -o tank.html
cp tank.html out
says out "has them" '"t_units": "h"'
exits 0 "its axis" show tank.h5 --group uniform
says out "is in hours" '^ *t +axis of 501, in h$'

# A ball in milliseconds: 9.81e-6 m/ms^2 from 0.2 m, 201.93 ms to the floor; forces are kg m/ms^2.
cat >ball.yaml <<'END'
cocp: 1
name: ball
time: {unit: ms, horizon: 400}
states: {z: {units: m, initial: 0.2}, v: {units: m/ms, initial: 0}}
dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [2]}, force: {z: -2*9.81e-6}}
contacts: {floor: {gap: z, restitution: 0.5}}
END
exits 0 "a ball falls" simulate ball.yaml -o ball.h5
exits 0 "shown" show ball.h5
says out "in milliseconds" '^ *horizon +400 ms$'
says out "its events" '^Events \(t in ms\)$'
says out "its forces" '^ *floor_lambda_n +kg m/ms\^2 '
says out "its speeds" '^ *floor_v_n +m/ms '
exits 0 "its page" report ball.h5 -o ball.html
cp ball.html out
says out "has its impulses" '"impulse_units": "kg m/ms"'

# A unit that nobody knows is a label, but says nothing of how long a re-solve takes.
sed 's/unit: h/unit: shift/; s/60 min/1 shift/; s/h, bounds/shift, bounds/' tank.yaml >shifts.yaml
exits 0 "a tank is filled in two shifts" solve shifts.yaml -o shifts.h5
says err "which are named" '^found: .* 2 shift$'
exits 3 "and not replanned in them" track shifts.yaml --set track.delay=solve
says err "without a number" 'track\.delay: nobody knows how many shift a re-solve takes'

for spec in "$problems"/*.yaml "$root"/cli/templates/*.yaml "$root"/tests/study/problems/*.yaml; do
    "$cocp" check "$spec" 2>&1 | grep "units disagree" >>warned
done
cp warned err
[ ! -s warned ]
report "nothing is wrong with problems that ship" $?

# --- Roots of what changes its sign: a warning, and a form that is solved ---
cat >tanks.yaml <<'END'
cocp: 1
name: tanks
time: {horizon: 100, intervals: 1}
states: {a: {initial: 0.1}, b: {initial: 0.3}}
dynamics: {type: ode, rhs: {a: 0.01 - 0.1*sign(a - b)*sqrt(2*abs(a - b)), b: 0.1*sign(a - b)*sqrt(2*abs(a - b))}}
END
exits 0 "the flow between two tanks" check tanks.yaml
says err "has an infinite slope" 'tanks\.yaml:5:[0-9]+: warning: sqrt\(2\*abs\(a - b\)\) has an infinite slope where a - b is 0'
sed 's|sign(a - b)\*sqrt(2\*abs(a - b))|1.4142*(a - b)/((a - b)^2 + 1e-6)^0.25|g' tanks.yaml >smooth.yaml
exits 0 "as the warning says" check smooth.yaml
says out "it has none" '^smooth\.yaml: no findings'
exits 0 "and is simulated" simulate -q smooth.yaml -o smooth.h5

# --- What is not linear in a switch: on its surface no mean of both sides ---
# y is held at 0 with a step of 1/2: sign(y)^2 is 0 there, and 1 on both sides; abs(y)^2 is 0 whatever the step.
cat >means.yaml <<'END'
cocp: 1
name: means
time: {horizon: 1, intervals: 4}
states: {y: {initial: 0}, a: {initial: 0}, b: {initial: 0}, c: {initial: 0}}
dynamics:
  type: ode
  rhs:
    y: -sign(y)
    a: sign(y)^2
    b: if(y > 0, 2, 1)*abs(y)^2
    c: exp(sign(y) - 1)
END
exits 0 "a square of a sign" check means.yaml
says err "means no mean of both sides" 'means\.yaml:9:[0-9]+: warning: a rate is not linear in the step of y: where that slides'
says err "nor does a power" 'means\.yaml:11:[0-9]+: warning: a rate is not linear'
! grep -Eq 'means\.yaml:(8|10):' err
report "what is linear, or smooth on the surface, does" $?
sed 's|sign(y)^2|if(y > 0, 1, 1)|; s|exp(sign(y) - 1)|if(y > 0, 1, exp(-2))|' means.yaml >linear.yaml
exits 0 "as the warning says" check linear.yaml
says out "there is none" '^linear\.yaml: no findings'

# --- Constraints that cannot hold together: a warning with both places ---
cat >apart.yaml <<'END'
cocp: 1
name: apart
time: {horizon: 1, intervals: 4}
states: {x: {initial: 0, final: [0.5, 1]}, v: {initial: 0}}
controls: {u: {bounds: [-9, 9]}}
dynamics: {type: ode, rhs: {x: v, v: u}}
cost: {running: {effort: u^2}}
constraints:
  fast: {expr: v >= 2, at: final}
  slow: {expr: v <= 1.4, at: final}
  back: {expr: -v >= -1, at: final}
  far:  {expr: x >= 1.5, at: final}
  near: {expr: x <= 0.5, at: 0.5}
END
exits 0 "constraints that contradict each other" check apart.yaml
says err "are named" 'apart\.yaml:10:[0-9]+: warning: constraints\.slow: cannot hold together with constraints\.fast in line 9: v is to be at least 2 and at most 1\.4 there'
says err "with their negatives" 'apart\.yaml:11:[0-9]+: warning: constraints\.back: cannot hold together with constraints\.fast in line 9'
says err "and final values" 'apart\.yaml:12:[0-9]+: warning: constraints\.far: cannot hold together with states\.x in line 4'
says out "those at other places can" 'apart\.yaml: 3 warnings'

echo "1..$n"
[ "$failures" -eq 0 ]
