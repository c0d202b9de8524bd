#!/bin/sh
# Kinds of controls, by every command that takes them. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

cat >line.yaml <<'END'
cocp: 1
name: line
time: {horizon: 1, intervals: 4, elements: 1}
states:
  x: {initial: 0, final: 1}
  v: {initial: 0, final: 0}
controls:
  u: {bounds: [-10, 10], hold: linear, units: N}
dynamics: {type: ode, rhs: {x: v, v: u}}
cost: {running: {effort: u^2}}
END

# least 6 - 12 t: the control starts at 6 and ends at -6
exits 0 "a control that is continuous" solve line.yaml --verify
says out "has its best line" 'objective=12 '
exits 0 "show" show line.h5
says out "has it among the controls" '^  u +N +6 +-6 '
says out "and its slope" '^  u_rate +N/s +-12 +-12 '
exits 0 "check --resolved" check --resolved line.yaml
says out "has the control as it was given" '^  u: .*hold: linear, rate: \[-inf, inf\]'
cp out again.yaml
exits 0 "and can be solved again" solve again.yaml
says out "with the same result" 'objective=12 '
exits 0 "a simulation starts where the plan does" simulate line.yaml --controls line.h5 -o replay.h5
exits 0 "and ends" show replay.h5
says out "as the plan" '^  x +0 +1 '
exits 0 "it verifies" verify replay.h5
printf 't,u\n0,6\n1,-6\n' >u.csv
exits 0 "a table of its values" simulate line.yaml --controls u.csv -o table.h5
exits 0 "is joined by lines" show table.h5
says out "to the same end" '^  x +0 +1 '
exits 0 "an expression of time" simulate line.yaml --set 'simulate.controls={u: 6 - 12*t}' -o expression.h5
exits 0 "is followed" show expression.h5
says out "to the same end" '^  x +0 +1 '
exits 0 "and verifies" verify expression.h5
exits 0 "the plan is tracked" track line.yaml -o track.h5
sed 's/, hold: linear//; s/line/stairs/' line.yaml >stairs.yaml
exits 0 "constant in each interval" solve stairs.yaml
says out "it costs more" 'objective=12\.8 '
exits 0 "its solution is a guess for lines" solve line.yaml --guess stairs.h5 -o from_stairs.h5
says out "that leads to the best" 'objective=12 '
exits 3 "controls of another kind" simulate stairs.yaml --controls line.h5 -o mixed.h5
says err "are no controls" 'none of its controls is one of the spec'

# Controls with values. Rest to rest over 1 with 1 up and 1 down: 2 s; 2 up and 1 down: sqrt 3 s.
cat >onoff.yaml <<'END'
cocp: 1
name: onoff
time: {horizon: {min: 0.5, max: 9, guess: 3}, intervals: 5, elements: 1}
states:
  x: {initial: 0, final: 1}
  v: {initial: 0, final: 0}
controls:
  u: {values: [1, -1]}
dynamics: {type: ode, rhs: {x: v, v: u}}
cost: {terminal: {time: t}}
END
exits 0 "a control with two values" solve onoff.yaml --verify
says out "switches between its intervals" 'objective=2 '
says err "and that is told" 'controls switched between their values: 1 switch, objective 2; that of the relaxation'
exits 0 "its solution as a guess" solve onoff.yaml --guess onoff.h5 -o again.h5
says out "takes no iterations" 'objective=2 .* iter=0 '
exits 0 "other values" solve onoff.yaml --set 'controls.u.values=[2, -1]' -o other.h5
says out "another time" 'objective=1\.7320508 '
exits 60 "the raw solution of a method" solve onoff.yaml --set finish=off -o raw.h5
says err "is relaxed" 'u is .*, it must be one of -1, 1 '
exits 3 "it cannot be tracked" track onoff.yaml -o none.h5
says err "and why" 'its intervals have no fixed length'
exits 0 "the plan is simulated" simulate onoff.yaml --controls onoff.h5 --set time.horizon=2 -o simulated.h5
exits 0 "and verified" verify simulated.h5

# least fuel in 3 s with -1, 0, 1: on for t, off, back for t with t (3 - t) = 1: 3 - sqrt 5 s of burning
exits 0 "three values" solve onoff.yaml --set 'controls.u.values=[-1, 0, 1]' --set time.horizon=3 --set time.intervals=10 \
    --set 'cost={running: {fuel: u^2}}' -o fuel.h5
says out "bang, off, bang" 'objective=0\.7639320'
cat >burns.yaml <<'END'
cocp: 1
name: burns
time: {horizon: {min: 1, max: 20, guess: 6}, intervals: 9, elements: 1}
states:
  clock: {initial: 0, guess: 3}
  r:     {initial: 1, final: 2, bounds: [0.5, 4], guess: 1.5}
  theta: {initial: 0}
  v_r:   {initial: 0, final: 0}
  v_t:   {initial: 1, final: 1/sqrt(2), bounds: [0.1, 3]}
controls:
  burn: {values: [0, 1], guess: 0.05}
  a_r:  {bounds: [-1, 1]}
  a_t:  {bounds: [-1, 1], guess: 0.5}
dynamics:
  type: ode
  rhs:
    clock: 1 - burn
    r:     (1 - burn)*v_r
    theta: (1 - burn)*v_t/r
    v_r:   (1 - burn)*(v_t^2/r - 1/r^2) + burn*a_r
    v_t:   -(1 - burn)*v_r*v_t/r + burn*a_t
constraints:
  unit: {expr: a_r^2 + a_t^2 <= 1, at: intervals}
cost: {running: {impulses: burn}}
END
exits 0 "runs that lose their length" solve burns.yaml
says out "are left out" 'objective=0\.284457'
exits 0 "show" show burns.h5
says out "half an ellipse lies between two burns" '^  theta +0 +3\.14159 '
exits 0 "on a system that switches" solve "$problems/turbo_car.yaml" --set 'controls.u={values: [-5, 0, 5]}' -o turbo.h5
says out "they do no worse than what is relaxed" 'objective=13\.33333'

# Three gears with torques that fall with the speed of the engine, over 100 m: always that which pulls most, 7.496165 s by
# small steps. Runs of the gears in between shrink to nothing, and their program creeps.
cat >gears.yaml <<'END'
cocp: 1
name: gears
time: {horizon: {min: 3, max: 30, guess: 12}, intervals: 10, elements: 2}
states:
  s: {initial: 0, final: 100}
  v: {bounds: [0, 40], initial: 0}
controls:
  i: {values: [12, 8, 5]}
  a: {bounds: [-1, 1], guess: 0.5}
dynamics: {type: ode, rhs: {s: v, v: 0.5*a*i*(1 - (i*v/180)^2) - 6e-4*v^2}}
constraints: {revs: i*v <= 180}
cost: {terminal: {time: t}}
END
for intervals in 8 10; do
    exits 0 "gears on $intervals intervals" solve gears.yaml --set time.intervals=$intervals --force
    says out "change where the next one pulls more" 'objective=7\.49616'
done

# Impulses. A block of 2 kg on a floor is to slide 0.6 m: J = m sqrt(2 mu g d) = 2 sqrt(3.6), J^2 = 14.4.
cat >push.yaml <<'END'
cocp: 1
name: push
parameters: {m: 2, mu: 0.3, g: 10}
time: {horizon: 2, intervals: 10, elements: 2}
states: {x: {initial: 0, final: 0.6}, z: {initial: 0}, v: {initial: 0}, w: {initial: 0}}
controls:
  J: {units: N s, bounds: [0, 10], guess: 2, impulsive: {at: [0.4 s]}}
dynamics:
  type: mechanical
  coordinates: {x: v, z: w}
  mass: {diag: [m, m]}
  force: {x: J, z: -m*g}
contacts: {floor: {gap: z, tangent: x, friction: mu}}
cost: {impulses: {effort: J^2}}
END
exits 0 "an impulse at a contact" solve push.yaml --verify
says out "ends sticking" 'objective=14\.4 '
says err "with its sequence" 'floor: sticks 0\.4 s, slips forward 0\.6325 s, sticks'
exits 0 "show" show push.h5
says out "has it among the events" '^ +0\.4 +0\.4 +impulse +J '
exits 0 "time-stepping takes it" solve push.yaml --set discretization.method=time-stepping -o fixed.h5
exits 0 "it is simulated as the guess says" simulate push.yaml -o guess.h5
exits 0 "show" show guess.h5
says out "which stops after v^2/(2 mu g)" '^  x +0 +0\.166667 '
exits 0 "and as the solution says" simulate push.yaml --controls push.h5 -o as.h5
exits 0 "show" show as.h5
says out "which reaches the goal" '^  x +0 +0\.6 '
printf 't,J\n0,\n0.4,3\n1,\n' >J.csv
exits 0 "and as a table says" simulate push.yaml --controls J.csv -o table.h5
exits 0 "show" show table.h5
says out "1.5 m/s" '^  x +0 +0\.375 '
printf 't,J\n0,\n0.5,3\n' >late.csv
exits 3 "not at another time" simulate push.yaml --controls late.csv -o none.h5
says err "and that is said" 'late.csv:3:1: error: J acts at t = 0\.4 next, not at 0\.5'
printf 't,J\n0,1\n0.4,3\n' >two.csv
exits 3 "not twice" simulate push.yaml --controls two.csv -o none.h5
exits 3 "time-freezing has no impulses" solve push.yaml --set discretization.method=time-freezing -o none.h5
exits 3 "nor have steps of a scheme" simulate push.yaml --method fesd-j -o none.h5
exits 0 "they are tracked" track push.yaml -o tracked.h5
says out "as they were planned" 'objective=14\.4 planned=14\.4 '
exits 3 "not with a horizon that recedes" track push.yaml --set track.horizon=receding -o none.h5
says err "and why" 'their times would move along'
exits 0 "check --resolved" check --resolved push.yaml
cp out resolved.yaml
exits 0 "reads back" check --resolved resolved.yaml
grep -v '^#' out >one
grep -v '^#' resolved.yaml >two
cmp -s one two
report "to the same" $?

# A converter whose coil runs empty between pulses: with its switch half on the diode conducts all along, with pulses it does not.
# The average of the states under them is no better than that of a switch that may be anything in between.
cat >buck.yaml <<'END'
cocp: 1
parameters: {Vin: 12, L: 1e-3, C: 1e-4, R: 10, v_ref: 5}
time: {horizon: 0.005, intervals: 12}
states: {i: {units: A, initial: 0, bounds: [-1, 10]}, v: {units: V, initial: 0, bounds: [-20, 20]}}
controls: {s: {values: [0, 1], guess: 0.5}}
dynamics: {type: ode, rhs: {i: (s*Vin - v)/L, v: (i - v/R)/C}}
projection: {diode: {gap: i}}
cost: {running: {off: 1000*(v - v_ref)^2}, terminal: {end: 10*(v - v_ref)^2}}
END
exits 0 "a converter in few pulses" solve buck.yaml --verify -o buck.h5
says out "is verified" '^verified buck '
says err "the diode blocks between them" 'found: +diode: is open [0-9.]+ s, is closed'
relaxed=$(sed -n 's|.*that of the relaxation is \([0-9.]*\).*|\1|p' err)
awk -v relaxed="$relaxed" '/^solved/ { sub(/.*objective=/, ""); sub(/ .*/, ""); found = $0 }
                           END { exit !(relaxed > 0 && found > 0.999*relaxed && found < 1.25*relaxed) }' out
report "nearly as good as anything in between" $?

echo "1..$n"
[ "$failures" -eq 0 ]
