#!/bin/sh
# track: plans made anew on the way, against a plant from event to event. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

field() {       # field KEY: its number in the summary line in out
    sed -n "s/.* $1=\([^ ]*\).*/\1/p" out
}

near() {        # near A B TOL: relative
    awk -v a="$1" -v b="$2" -v tol="$3" 'BEGIN { exit !(a != "" && (a - b) ^ 2 <= (tol * b) ^ 2) }'
}

# --- The tail of an optimal motion is optimal: without errors the closed loop is the open one ---
exits 0 "cart-pole, exact" track -q "$problems/cart_pole.yaml" -o c.h5
near "$(field objective)" "$(field planned)" 1e-5
report "costs what was planned" $?
[ "$(field resolves)" -eq 19 ] && [ "$(field failed)" -eq 0 ]
report "a re-solve for each interval, none fails" $?
"$cocp" export c.h5 --group plans >out 2>err
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
         { n++; if ($at["t"] - 0.25 * (n - 1) > 1e-9 || $at["used"] != 1) bad = 1 } END { exit bad || n != 20 }' out
report "plans are on the grid" $?
exits 0 "pushing, whose end is given" track -q "$problems/pushing.yaml" -o p.h5
near "$(field objective)" "$(field planned)" 1e-5 && awk -v miss="$(field miss)" 'BEGIN { exit !(miss < 1e-6) }'
report "costs what was planned and ends there" $?

# --- Machines: a plan goes on from the states that they are in, and from how long they have been in them ---
exits 0 "the gears of a car" track -q "$problems/gearbox.yaml" -o g.h5
near "$(field objective)" 11.861151 1e-6
report "take what they take in closed form (cases.md)" $?
cat >filler.yaml <<'EOF'
cocp: 1
name: filler
parameters: {rest: 1, leak: 0}
time: {horizon: 6, intervals: 12}
states: {level: {bounds: [0, 3], initial: 0.5, final: 1.2}, drawn: {initial: 0}}
controls: {u: {bounds: [0, 0.6], guess: 0.3}}
machines:
  pump:
    start: off
    states: {off: {}, runs: {inflow: 1}, rest: {}}
    transitions:
      low:  {from: off,  to: runs, when: level <= 0.3}
      full: {from: runs, to: rest, when: level >= 2}
      done: {from: rest, to: off,  after: rest}
dynamics: {type: ode, rhs: {level: inflow - u - leak, drawn: u}}
cost: {terminal: {most: -drawn}, running: {calm: 0.01*u^2}}
EOF
exits 0 "a pump that rests for a second, measured twice in it" track -q filler.yaml -o f.h5
near "$(field objective)" "$(field planned)" 1e-6 && [ "$(field failed)" -eq 0 ]
report "draws what was planned" $?
"$cocp" export f.h5 --group events >out 2>err
awk -F, '/pump\.full/ { full = $1 } /pump\.done/ { done = $1 } END { d = done - full - 1; exit !(full > 0 && d * d < 1e-20) }' out
report "after a second of rest" $?
exits 0 "one whose tank leaks" track -q filler.yaml --plant parameters.leak=0.02 -o l.h5
awk -v failed="$(field failed)" -v miss="$(field miss)" 'BEGIN { exit !(failed == 0 && miss < 0.02) }'
report "is filled as planned all the same" $?
exits 3 "a plant with another machine" track -q filler.yaml --plant 'machines.pump.states.more={inflow: 2}' -o never.h5
says err "is refused" 'the plant must have the states, controls, parameters and machines of the spec'

exits 0 "the least time of turbo_car" track -q "$problems/turbo_car.yaml" -o t.h5
near "$(field objective)" 13.3333333 1e-5
report "is 13 1/3 s again (cases.md)" $?
exits 0 "times that are asked for" track -q "$problems/posts.yaml" -o q.h5
near "$(field objective)" 0.76341 1e-4
report "stay where they are (cases.md)" $?
cat >hop.yaml <<'END'
cocp: 1
time: {horizon: 1, intervals: 15}
states: {x: {initial: 0, final: 0}, v: {initial: 0, final: 0}}
controls: {u: {bounds: [-50, 50]}}
dynamics: {type: ode, rhs: {x: v, v: u}}
constraints: {top: {expr: x >= 1, at: 0.5}}
cost: {running: {effort: u^2}}
END
exits 0 "a time within an interval" track -q hop.yaml -o q.h5
near "$(field objective)" "$(field planned)" 1e-5
report "stays where it is" $?
cat >belt.yaml <<'END'
cocp: 1
parameters: {g: 9.81, mu: 0.3}
time: {horizon: 1, intervals: 10}
states: {x: {initial: 0}, z: {initial: 0.02}, vx: {initial: 0, final: 0.5}, vz: {initial: 0}}
controls: {u: {bounds: [-10, 10]}}
dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: u, z: -g}}
contacts: {belt: {gap: z - 0.02*cos(6*t), slip: vx - t, friction: mu}}
cost: {running: {effort: u^2 + x^2}}
END
exits 0 "a belt that gets faster and shakes" track -q belt.yaml -o q.h5
near "$(field objective)" "$(field planned)" 1e-5 && awk -v miss="$(field miss)" 'BEGIN { exit !(miss < 1e-6) }'
report "moves as in the plan" $?
exits 3 "with a receding horizon" track "$problems/posts.yaml" --set track.horizon=receding -o never.h5
says err "they would not" 'its times would move along'
sed 's/, optimize: \[5, 200\]//' "$problems/crawler.yaml" >crawler.yaml
exits 0 "a gait that ends as it began" track -q crawler.yaml -o q.h5
near "$(field objective)" "$(field planned)" 1e-3
report "ends as the whole began" $?

# --- Another plant ---
exits 0 "5 % more friction" track -q "$problems/cart_pole.yaml" --plant parameters.F=2.1 -o f.h5
[ "$(field failed)" -eq 0 ] && near "$(field objective)" "$(field planned)" 0.1
report "costs 10 % at most" $?
"$cocp" export f.h5 --group uniform >out 2>err
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next } { th = $at["th"]; p = $at["p"] }
         END { exit !((th - 3.14159) ^ 2 < 0.0025 && p ^ 2 < 0.0025) }' out
report "the pole is up, the cart at its place" $?

# --- Noise and disturbances: by seed ---
# Of a plan in which dry friction holds the cart for a while, when kicks say that it moves.
kicks='track.disturbance={v: 0.02, w: 0.02}' blur='track.noise={p: 0.002, th: 0.002}'
exits 0 "kicks and blur" track -q "$problems/cart_pole.yaml" --set "$kicks" --set "$blur" -o n.h5
[ "$(field failed)" -eq 0 ] && near "$(field objective)" "$(field planned)" 0.05
report "no re-solve fails, at 5 % more" $?
first=$(field objective)
exits 0 "the same seed" track -q "$problems/cart_pole.yaml" --set "$kicks" --set "$blur" --seed 1 -o n1.h5
[ "$first" = "$(field objective)" ]
report "gives the same" $?
exits 0 "another seed" track -q "$problems/cart_pole.yaml" --set "$kicks" --set "$blur" --seed 2 -o n2.h5
[ "$first" != "$(field objective)" ] && [ "$(field failed)" -eq 0 ]
report "gives something else, without a failure" $?

# --- Feedback in place of re-solves: no time for any of them ---
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && a + 0 < b + 0) }'; }
exits 0 "re-solves that all fail" track -q "$problems/cart_pole.yaml" --plant parameters.F=2.1 --set track.max_solve=1e-9 -o f.h5
[ "$(field failed)" -eq 19 ] && near "$(field objective)" "$(field planned)" 0.1
report "feedback stands in for them" $?
"$cocp" export f.h5 --group plans >out 2>err
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next } { n += $at["feedback"] } END { exit n != 19 }' out
report "each is marked" $?
exits 0 "show" show f.h5
says out "counts them" 'feedback corrected the last plan 19 times'
exits 0 "without feedback" track -q "$problems/cart_pole.yaml" --plant parameters.F=2.1 --set track.max_solve=1e-9 \
    --set track.feedback=off -o f.h5
near "$(field objective)" "$(field planned)" 10
report "the pole falls" $((! $?))
exits 0 "a delay" track -q "$problems/cart_pole.yaml" --plant parameters.F=2.1 --set track.delay=0.04 -o f.h5
delayed=$(field objective)
exits 0 "a delay without feedback" track -q "$problems/cart_pole.yaml" --plant parameters.F=2.1 --set track.delay=0.04 \
    --set track.feedback=off -o f.h5
below "$delayed" "$(field objective)"
report "costs more" $?
exits 0 "a box on a table that is more slippery" track -q "$problems/pushing.yaml" --plant parameters.mu=0.19 \
    --set track.max_solve=1e-9 -o f.h5
below "$(field miss)" 0.05
report "is pushed to its place by feedback alone" $?

# --- The end of a push: a box that is too fast for the table of the model cannot be stopped any more ---
slippery="-q $problems/pushing.yaml --plant parameters.mu=0.2 --force"
# shellcheck disable=SC2086
exits 60 "out of reach" track $slippery -o s.h5
missed=$(field miss)
[ "$(field failed)" -eq 0 ]
report "it comes as near as can be" $?
"$cocp" export s.h5 --group plans >out 2>err
says out "and says so" ',acceptable,1,0,.*final values cannot be reached from there: the plan comes as near as it can'
# shellcheck disable=SC2086
exits 60 "or fails" track $slippery --set track.soften=off -o s.h5
[ "$(field failed)" -eq 1 ] && below "$missed" "$(field miss)"
report "and comes less near" $?

# --- On a bound: noise puts what is measured beyond it, by 0.02 at most, from where no control leads back at once ---
cat >wall.yaml <<'END'
cocp: 1
time: {horizon: 1, intervals: 10}
states: {x: {bounds: [0.2, 2], initial: 0.5}, v: {initial: 0}}
controls: {u: {bounds: [-5, 5]}}
dynamics: {type: ode, rhs: {x: v, v: u}}
cost: {running: {near: 10*x^2, effort: 0.1*u^2}}
track: {horizon: receding, steps: 20, noise: {x: 0.02}}
END
sed 's/bounds: \[0.2, 2\], //; /^cost/i constraints: {wall: x >= 0.2}' wall.yaml >path.yaml
for spec in wall path; do
    exits 0 "noise at a limit ($spec)" track -q $spec.yaml --seed 3 -o w.h5
    [ "$(field failed)" -eq 0 ]
    report "no re-solve fails" $?
    "$cocp" export w.h5 --group plans >out 2>err
    says out "some break it as little as can be" ',acceptable,1,0,.*constraints along the path cannot be kept from there: the plan comes as near as it can'
    "$cocp" export w.h5 --group uniform >out 2>err
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next } $at["x"] < 0.18 { bad = 1 } END { exit bad }' out
    report "it is broken by no more than the noise" $?
    exits 0 "all of them hard" track -q $spec.yaml --seed 3 --set track.soften=off -o w.h5 --force
    [ "$(field failed)" -gt 0 ]
    report "some fail" $?
done
exits 0 "no time for any" track -q wall.yaml --set track.max_solve=1e-9 -o w.h5 --force
"$cocp" export w.h5 --group plans >out 2>err
says out "is told" ',limit,0,.*no time was left'

# --- A reference that is longer than the horizon, and keeps its last value ---
cat >ramp.yaml <<'END'
cocp: 1
time: {horizon: 1, intervals: 10}
states: {x: {initial: 0}, v: {initial: 0}}
controls: {u: }
define: {x_ref: {through: {0 s: 0, 2 s: 1, 4 s: 0}, by: linear}}
dynamics: {type: ode, rhs: {x: v, v: u}}
cost: {running: {near: 10*(x - x_ref)^2, effort: 0.001*u^2}}
track: {horizon: receding, steps: 60}
END
exits 0 "a reference in seconds" track -q ramp.yaml -o r.h5
"$cocp" export r.h5 --group uniform >out 2>err
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
         { t = $at["t"]; ref = t < 2 ? t/2 : t < 4 ? 2 - t/2 : 0; off = $at["x"] - ref; if (off^2 > 0.0025) bad = 1 }
         END { exit bad || t < 5.9 }' out
report "is followed all along, its last value to the end" $?

# --- Impulses ---
# Nine burns to a place beside a station, in the rotating frame (Clohessy and Wiltshire). What is left of the best plan is best.
cat >dock.yaml <<'END'
cocp: 1
name: dock
parameters: {n: 1}
time: {horizon: 4, intervals: 8, elements: 1}
states:
  x:  {initial: 1, final: 0}
  y:  {initial: -2, final: 0}
  vx: {initial: 0, final: 0}
  vy: {initial: 0, final: 0}
controls:
  dv_x: {bounds: [-10, 10], impulsive: {at: [intervals, final]}}
  dv_y: {bounds: [-10, 10], impulsive: {with: dv_x}}
dynamics:
  type: ode
  rhs: {x: vx, y: vy, vx: 3*n^2*x + 2*n*vy + dv_x, vy: -2*n*vx + dv_y}
cost: {impulses: {fuel: dv_x^2 + dv_y^2}}
END
exits 0 "burns" track dock.yaml -o dock.h5
says out "cost what was planned" '^solved dock objective=(2\.91346[0-9]*) planned=\1 miss=[0-9.]+e-1[0-9] resolves=7 failed=0 '
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    /usr/bin/python3 -c '
import h5py, numpy as np
A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [3, 0, 0, 2], [0, 0, -2, 0]])
P, term, B = np.eye(4), np.eye(4), np.eye(4)[:, 2:]
for k in range(1, 40):                                                  # exp(A/2)
    term = term @ A/(2*k)
    P = P + term
G = np.hstack([np.linalg.matrix_power(P, 8 - k) @ B for k in range(9)])     # what each burn is worth at the end
dv = np.linalg.lstsq(G, -np.linalg.matrix_power(P, 8) @ [1, -2, 0, 0], rcond=None)[0]
f = h5py.File("dock.h5")
e, x = f["events"], f["trajectory"]
jump = (e["x_plus"][:] - e["x_minus"][:])[::2, 2:]
print(jump.ravel() - dv, dv @ dv)
assert abs(jump.ravel() - dv).max() < 1e-7 and abs(f.attrs["objective"] - dv @ dv) < 1e-7
t, n = np.unique(x["t"][:], return_counts=True)
assert np.allclose(t[n == 2], np.arange(9)/2) and n.max() == 2 and (np.diff(x["t"][:]) >= 0).all()' >out 2>err
    report "are those of least squares, each a jump of the motion" $?
else
    report "# SKIP no h5py" 0
fi
for delay in 0.1 0.6 solve; do
    exits 0 "late by $delay" track dock.yaml --set track.delay=$delay -o late.h5
    says out "it costs the same" '^solved dock objective=2\.91346'
done
exits 0 "in another orbit" track dock.yaml --plant parameters.n=1.02 -o other.h5
nearer=$(field miss)
exits 60 "without re-solves" track dock.yaml --plant parameters.n=1.02 --set track.max_solve=1e-9 -o open.h5
below "$nearer" "$(field miss)" && [ "$(field failed)" -eq 7 ]
report "it comes less near" $?
exits 0 "every second one, as lengths" track dock.yaml --set track.period=2 --set 'cost.impulses={fuel: "sqrt(dv_x^2 + dv_y^2)"}' -o two.h5
near "$(field objective)" "$(field planned)" 1e-6
report "costs what was planned" $?

cat >kicks.yaml <<'END'
cocp: 1
name: kicks
parameters: {m: 1, M: 2, l: 0.5}
time: {horizon: 2, intervals: 8, elements: 1}
states:
  x: {initial: 0, final: 1}
  a: {initial: 0, final: 0}
  v: {initial: 0, final: 0}
  w: {initial: 0, final: 0}
controls: {J: {bounds: [-20, 20], impulsive: {at: intervals}}, u: {bounds: [-20, 20]}}
dynamics:
  type: mechanical
  coordinates: {x: v, a: w}
  kinetic: 0.5*(M + m)*ddt(x)^2 + m*l*cos(a)*ddt(x)*ddt(a) + 0.5*m*l^2*ddt(a)^2
  potential: -9.81*m*l*cos(a)
  force: {x: J + u}
cost: {impulses: {effort: J^2}, running: {push: u^2}}
END
exits 0 "kicks and pushes" track kicks.yaml -o kicks.h5
near "$(field objective)" "$(field planned)" 1e-6
report "cost what was planned" $?
exits 0 "of a heavier cart" track kicks.yaml --plant parameters.M=2.05 -o heavy.h5
exits 3 "impulses that no interval begins with" track "$problems/rendezvous.yaml" -o never.h5
says err "are refused with what to give" 'impulses are tracked at times at which control intervals of one length begin'

# --- Words and mistakes ---
exits 0 "show" show n.h5
says out "says how often it was solved" 'solved once at the start, then 19 times on the way, 0 of them without'
says out "and how long that took" 're-solve took .* in the median'
exits 3 "an unknown state" track "$problems/cart_pole.yaml" --set 'track.noise={thh: 1}' -o never.h5
says err "is named" 'track\.noise\.thh: no state is called "thh" \(did you mean "th"\?\)'
exits 3 "an unknown parameter of the plant" track "$problems/cart_pole.yaml" --plant parameters.G=1 -o never.h5
exits 3 "relays" track "$problems/turbo_relay.yaml" -o never.h5
says err "are refused where they stand" 'turbo_relay\.yaml:[0-9]+:[0-9]+: error: hysteresis\.turbo'
exits 0 "settings are known" check --resolved "$problems/cart_pole.yaml" --set track.horizon=receding
says out "with their defaults" 'horizon: receding'
exits 0 "explain" explain track.disturbance
says out "explains" 'jumps by a number'

# --- Stopped, it keeps what there is ---
exits 40 "the end of --max-time" track -q "$problems/hopper.yaml" --set track.horizon=receding --set track.steps=100000 \
    --max-time 6 -o i.h5
says out "is a limit" '^limit hopper'
exits 0 "that can be shown" show i.h5

echo "1..$n"
[ "$failures" -eq 0 ]
