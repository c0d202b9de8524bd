#!/bin/sh
# Projected systems, feet without mass, and phases that end by a condition. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# --- Sets ---
exits 0 "a slider with play" solve "$problems/play.yaml" --verify -o play.h5
says out "takes the effort of 2.75 m in 2.2 s" 'objective=3\.4375 '
says out "and is verified" '^verified play'
says err "in words" 'lower: is open 0\.2 s, is closed 0\.8 s, is open 1\.2 s'
exits 0 "from its solution" solve "$problems/play.yaml" --guess play.h5 -o again.h5
says out "it is there at once" ' iter=0 '
exits 0 "with its sensitivity" solve "$problems/play.yaml" --sensitivity --force -o play.h5
exits 0 "tracked" track "$problems/play.yaml" -o track.h5
exits 0 "under given controls" simulate "$problems/play.yaml" -o loop.h5

# The stop at r: while the slider rests the gap of either end follows the rod, else it goes with the rod.
/usr/bin/python3 -c '
import h5py, numpy as np
f = h5py.File("loop.h5")["trajectory"]
rod, y = f["rod"][:], f["slider"][:]
assert abs(f["lower_gap"] - (y - rod + 0.25)).max() < 1e-12 and abs(rod - np.sin(3*f["t"][:])).max() < 1e-11
for gap, force, sign in (f["lower_gap"], f["lower_lambda"], 1), (f["upper_gap"], f["upper_lambda"], -1):
    closed = force[:] > 1e-9
    assert abs(gap[:][closed]).max() < 1e-12 and abs(force[:] - sign*3*np.cos(3*f["t"][:]))[closed].max() < 1e-9
assert f["lower_lambda"][:].min() > -1e-12' >out 2>err
report "no force where a gap is open, the rate of the rod where it is closed" $?

cat >push.yaml <<'END'
cocp: 1
name: push
time: {horizon: 2, intervals: 8, elements: 2}
states:
  x: {initial: 0}
  y: {initial: 1}
controls: {u: {bounds: [-3, 3]}}
dynamics: {type: ode, rhs: {x: u, y: 0}}
projection: {touch: {gap: y - x - 0.5, mobility: {x: 0, y: 0.5}}}
cost: {terminal: {far: -y}}
constraints: {soft: touch.lambda <= 2, there: {expr: "x <= 2", at: final}}
END
# 0.5 m as fast as it likes, then with lambda <= 2: at most 1 m/s to 2 m, y = 2.5
exits 0 "a bound on a reaction" solve push.yaml --verify
says out "is kept" 'objective=-2\.5 '
exits 0 "check" check push.yaml
says out "has the derivatives of a landing" 'contacts +of a landing'
exits 0 "the resolved spec" check --resolved push.yaml
cp out resolved.yaml
says out "has the block" '^projection:'
exits 0 "reads back" check resolved.yaml
for method in fesd time-stepping; do
    exits 0 "by $method" solve push.yaml --set discretization.method=$method -o by.h5 --force
    says out "it is the same" 'objective=-2\.5 '
done
exits 0 "discs in honey" solve "$problems/pushed_discs.yaml" --verify -o discs.h5
says out "are brought to their places" '^verified pushed_discs'

# The way of a slider with play behind a rod that goes as sin(3 t)/2, in closed form: its play is found.
cat >fit.yaml <<'END'
cocp: 1
name: fit
parameters: {r: {value: 0.2, optimize: [0.05, 0.5]}}
time: {horizon: 2.5, intervals: 10, elements: 2}
states: {rod: {initial: 0}, slider: {initial: 0}}
dynamics: {type: ode, rhs: {rod: 1.5*cos(3*t), slider: 0}}
projection:
  lower: {gap: slider - (rod - r), mobility: {rod: 0}}
  upper: {gap: rod + r - slider, mobility: {rod: 0}}
data:
  table: {t: [0.4, 0.5, 0.8, 1.2, 1.5, 2, 2.3], s: [0.216020, 0.248747, 0.25, 0.028740, -0.238765, -0.25, 0.039220]}
  columns: {slider: s}
  sigma: {slider: 0.01}
END
exits 0 "a fit" solve fit.yaml --verify
says err "finds the play" 'r = 0\.2500 \+-'
says out "and is verified" '^verified fit'

# One push for three gaps: x = 10 (2 - 0.5)/(10 + 1/2), the mean of x^2/2 + 10 (x + d - 2)^2.
cat >common.yaml <<'END'
cocp: 1
name: common
parameters: {d: 0.5}
time: {horizon: 2, intervals: 8, elements: 2}
states: {x: {initial: 0}, y: {initial: 1}}
controls: {u: {bounds: [-3, 3]}}
dynamics: {type: ode, rhs: {x: u, y: 0}}
projection: {touch: {gap: y - x - d, mobility: {x: 0}}}
cost: {running: {effort: u^2}, terminal: {there: 10*(y - 2)^2}}
scenarios: {vary: {parameters.d: [0.4, 0.5, 0.6]}}
END
exits 0 "one plan for several sets" solve common.yaml --verify
says out "costs what it has to" 'objective=1\.138095'
says out "and is verified" '^verified common'
exits 0 "many sets" sweep common.yaml -o sets --sweep parameters.d=0.4,0.6 -- --scenarios 0
says out "are solved" 'points=2 solved=2'

# A machine turns it round after 2 s, one of which it spends at the wall.
cat >turned.yaml <<'END'
cocp: 1
name: turned
time: {horizon: 4}
states: {x: {initial: 1}}
machines:
  gear:
    start: down
    states: {down: {s: -1}, up: {s: 1}}
    transitions: {turn: {from: down, to: up, after: 2}}
dynamics: {type: ode, rhs: {x: s}}
projection: {wall: {gap: x}}
END
exits 0 "with a machine" simulate turned.yaml
/usr/bin/python3 -c '
import h5py
x = h5py.File("turned.h5")["trajectory"]
assert abs(x["x"][-1] - 2) < 1e-12 and x["s"][0] == -1 and x["s"][-1] == 1' >out 2>err
report "results have its signal" $?

# --- Feet without mass ---
exits 0 "a hopper on a foot without mass" solve "$problems/springy_hopper.yaml" --verify -o hopper.h5
says out "is verified" '^verified springy_hopper'
says err "in hops" 'foot: is open .* is closed .* is open .* is closed .* is open'
exits 0 "show" show hopper.h5
if grep -q impact out; then false; else true; fi
report "without an impact" $?

cat >mixed.yaml <<'END'
cocp: 1
name: mixed
parameters: {m: 1, d: 5, g: 9.81}
time: {horizon: 1.2, intervals: 8, elements: 3}
states:
  x:  {initial: 0}
  z:  {initial: 0.3}
  vx: {initial: 1}
  vz: {initial: 0}
  y:  {initial: 0.5}
controls: {u: {bounds: [-5, 5]}}
dynamics:
  type: mechanical
  coordinates: {x: vx, z: vz}
  mass: {diag: [m, m]}
  force: {x: u, z: -m*g}
  rhs: {y: 0}
contacts: {floor: {gap: z, tangent: x, friction: 0.1}}
projection: {plunger: {gap: y - x, mobility: {y: 1/d}}}
cost: {running: {effort: 0.01*u^2}, terminal: {goal: 100*(y - 1)^2 + vx^2}}
END
exits 0 "beside contacts" solve mixed.yaml --verify
says out "by time-freezing, verified" '^verified mixed'
exits 3 "fesd-j" check mixed.yaml --set discretization.method=fesd-j
says err "says who takes it" 'projection.plunger: method fesd-j takes no projection beside contacts; time-freezing does'
exits 3 "impact" impact mixed.yaml
says err "refuses it" 'projection.plunger: impact and certify are about bodies'
exits 3 "Moreau's steps" simulate mixed.yaml --method moreau -o no.h5
says err "refuse it" 'event does'

# --- Phases that end by a condition ---
# The spring-mass runner by an integration of its own: the angle that leads back to the same height.
cat >slip.py <<'END'
import sys
from math import cos, sin, sqrt
import h5py
import numpy as np

g, m, k, l, v, z = 9.81, 80, 20000, 1, 5, 1

def rate(y):
    r = sqrt(y[0]**2 + y[1]**2)
    return np.array([y[2], y[3], k/m*(l/r - 1)*y[0], k/m*(l/r - 1)*y[1] - g])

def step(y, h):                         # Runge and Kutta's; 2e-4 s leave errors of 1e-10
    a = rate(y)
    b = rate(y + h/2*a)
    c = rate(y + h/2*b)
    return y + h/6*(a + 2*b + 2*c + rate(y + h*c))

def bisect(f, lo, hi, tol):
    below = f(lo) < 0
    while hi - lo > tol:
        middle = (lo + hi)/2
        lo, hi = (middle, hi) if (f(middle) < 0) == below else (lo, middle)
    return (lo + hi)/2

def stance(attack):
    """Duration and state at lift-off, relative to the foot."""
    h, n = 2e-4, 1
    before = np.array([-l*cos(attack), l*sin(attack), v, -sqrt(2*g*(z - l*sin(attack)))])
    y = step(before, h)
    while y[0]**2 + y[1]**2 < l**2:
        before, y, n = y, step(y, h), n + 1
    part = bisect(lambda part: np.hypot(*step(before, part)[:2]) - l, 0, h, 1e-16)
    return (n - 1)*h + part, step(before, part)

def height(attack):
    end = stance(attack)[1]
    return end[1] + end[3]**2/(2*g)

want = bisect(lambda attack: height(attack) - z, 1.1, 1.2, 1e-10)
f = h5py.File(sys.argv[1])
got, length = f["parameters/attack"][()], f["parameters/stance_length"][()]
print(got, want, length, stance(want)[0])
assert abs(got - want) < 1e-7 and abs(length - stance(want)[0]) < 1e-7
assert abs(f["trajectory/vx"][-1] - v) < 1e-6
END
exits 0 "a runner on a spring" solve "$problems/slip_runner.yaml" --verify -o slip.h5
says out "is verified" '^verified slip_runner'
/usr/bin/python3 slip.py slip.h5 >out 2>err
report "finds the angle of attack of an integration of its own, and its energy again" $?

# The same runner as a machine, on the page about springs.
awk '/^ *```yaml/ {on = 1; next} /^ *```/ {on = 0} on' "$problems/../docs/springs.md" >run.yaml
exits 0 "step after step" simulate run.yaml
/usr/bin/python3 -c '
import h5py, numpy as np
e = h5py.File("run.h5")["events"]
z = e["x_plus"][:, 1][e["name"].asstr()[:] == "leg_is.turns"]
part = (z[2:] - z[1:-1])/(z[1:-1] - z[:-2])
print(part)
assert len(z) == 11 and abs(part - 0.785).max() < 0.005' >out 2>err
report "what is off the gait shrinks by a fifth" $?
exits 0 "its gait, with when the leg lands to be found" solve run.yaml --set 'time={horizon: {min: 0.2, max: 0.6}, intervals: 3}' \
    --set 'parameters.attack={value: 1.18, optimize: [1, 1.4]}' \
    --set 'constraints={apex: {expr: vz == 0, at: final}, again: {expr: final(z) == initial(z), at: boundary}, far: {expr: x >= 1.5, at: final}}' \
    -o gait.h5
exits 0 "show" show gait.h5
says out "is the same" 'attack +1\.15963 +optimized'

# From 1 m: 0.5 m down, half of it up with a start of 3 m/s.
cat >drop.yaml <<'END'
cocp: 1
name: drop
parameters: {g: 9.81}
states:
  z: {initial: 1}
  v: {initial: 0}
phases:
  fall: {length: {min: 0.01, max: 1, guess: 0.2}, intervals: 2, until: z <= 0.5}
  rise: {length: {min: 0.01, max: 1, guess: 0.2}, intervals: 2, until: v <= 0, start: {v: 3}}
  rest: {length: 0.1, intervals: 1, start: {v: 0}, dynamics: {force: {z: 0}}}
dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -g}}
END
exits 0 "a simulation" simulate drop.yaml
/usr/bin/python3 -c '
import h5py, numpy as np
f = h5py.File("drop.h5")
t = [np.sqrt(2*0.5/9.81), 3/9.81]
assert abs(f["parameters/fall_length"][()] - t[0]) < 1e-12 and abs(f["parameters/rise_length"][()] - t[1]) < 1e-12
assert abs(f["trajectory/z"][-1] - 0.5 - 4.5/9.81) < 1e-11 and abs(f["trajectory/t"][-1] - sum(t) - 0.1) < 1e-12' >out 2>err
report "has the lengths that the conditions give" $?
exits 0 "and is verified" verify drop.h5
exits 0 "solve" solve drop.yaml --verify -o solved.h5
says out "finds the same" '^verified drop'

# It falls from three heights; where it comes down it goes on for 0.5 s: u = (100 - 50 t)/51 of the mean time t of the falls.
cat >fall.yaml <<'END'
cocp: 1
name: fall
parameters: {g: 9.81, h: 1}
states: {z: {initial: h}, v: {initial: 0}, x: {initial: 0}}
controls: {u: {bounds: [-3, 3]}}
phases:
  fall: {length: {min: 0.1, max: 2, guess: 0.6}, intervals: 3, until: z <= 0, controls: []}
  roll: {length: 0.5, intervals: 3, start: {v: 0}, dynamics: {rhs: {z: 0, v: 0, x: u}}, cost: {running: {effort: u^2}}}
dynamics: {type: ode, rhs: {z: v, v: -g, x: 0.5}}
cost: {terminal: {goal: 100*(x - 1)^2}}
scenarios: {vary: {parameters.h: [0.5, 1, 2]}}
END
exits 0 "one plan for falls from several heights" solve fall.yaml --verify
says out "is verified" '^verified fall'
/usr/bin/python3 -c '
import h5py, numpy as np
f = h5py.File("fall.h5")
t = np.sqrt(2*np.array([0.5, 1, 2])/9.81)
assert all(abs(f[f"scenarios/{k}/parameters/fall_length"][()] - t[k]) < 1e-9 for k in range(3))
assert abs(f["grid/u"][-1, 0] - (100 - 50*t.mean())/51) < 1e-7' >out 2>err
report "each falls as long as it takes, and all go on alike" $?
exits 0 "many heights" sweep fall.yaml -o heights --sweep parameters.h=0.5,2 -- --scenarios 0
says out "are solved" 'points=2 solved=2'
exits 3 "tracked" track fall.yaml --set scenarios.number=0
says err "it is refused" 'phases: are not tracked'
exits 3 "a condition that is never met" simulate drop.yaml --set 'phases.fall.until=z <= -9' -o no.h5
says err "is named" 'phases.fall: does not end by its condition within 1 s'
exits 3 "one that holds at once" simulate drop.yaml --set 'phases.rise.until=v >= 1' -o no.h5
says err "is named" 'phases.rise: ends where it begins, at t = 0\.31'
exits 3 "a length without a bound" simulate drop.yaml --set phases.fall.length.max=inf -o no.h5
says err "is asked for one" 'length'
exits 3 "samples" simulate drop.yaml --samples 3 --perturb z=0.1 -o no.h5
says err "are refused" 'without --samples, or with machines'

echo "1..$n"
[ "$failures" -eq 0 ]
