#!/bin/sh
# Bodies on joints, command by command: what joints declare, what the spec says beside, solutions, sizes that nobody means.
# COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

cat >leg.yaml <<'END'
cocp: 1
name: leg
time: {horizon: 1, intervals: 10}
states:
  knee: {initial: 0.6, final: 0, bounds: [-1, 1]}
  hip_v: {final: 0}
controls: {hip_tau: {hold: linear}}
bodies:
  "thigh": {joint: {name: hip, type: revolute, axis: [0, 1, 0], limits: [0.2, 2], speed: 20, effort: 30, actuate: true}, mass: 2,
            center: [0, 0, -0.1], inertia: [0.01, 0.01, 0.002]}
  shank: {parent: thigh, joint: {name: knee, type: revolute, at: [0, 0, -0.2], axis: [0, 1, 0], limits: [-2, 2], effort: 10,
          actuate: true}, mass: 1, center: [0, 0, -0.1], inertia: [0.005, 0.005, 0.001], points: {toe: [0, 0, -0.2]}}
constraints: {high: {expr: toe.z >= -0.41}}
cost: {running: {effort: hip_tau^2 + knee_tau^2}}
END
exits 0 "what joints declare" check --resolved leg.yaml
cp out resolved.yaml
says resolved.yaml "starts at the nearest limit" 'hip: {units: "rad", bounds: \[0.2, 2\], initial: 0.2, final: free'
says resolved.yaml "has the bounds of the spec in place of limits" 'knee: {units: "rad", bounds: \[-1, 1\], initial: 0.6, final: 0'
says resolved.yaml "has bounds of speed, and rests at first" 'hip_v: {units: "rad/s", bounds: \[-20, 20\], initial: 0, final: 0'
says resolved.yaml "has a control of each drive" 'knee_tau: {units: "N m", bounds: \[-10, 10\]'
says resolved.yaml "that is held as the spec says" 'hip_tau: {units: "N m", bounds: \[-30, 30\], hold: linear'
exits 0 "is solved" solve -q leg.yaml -o leg.h5
cp out first
exits 0 "is what a replay finds" verify -q leg.h5
exits 0 "prints itself as the same problem" solve -q resolved.yaml -o resolved.h5
sed 's/ time=.*//' first >first.head
sed 's/ time=.*//' out >out.head
cmp -s first.head out.head
report "with the same solution" $?
exits 0 "takes values by --set" check --resolved leg.yaml --set states.hip.initial=0.7
says out "of states that only the joint declares" 'hip: .*initial: 0.7'

# Forces of drives in a simulation; without dynamics a tree falls.
sed '/^controls/d; /^states/,/^  hip_v/d' leg.yaml >falls.yaml
exits 0 "a tree falls" simulate -q falls.yaml -o falls.h5
exits 0 "or is driven" simulate -q falls.yaml --set 'simulate.controls={hip_tau: 3*sin(t)}' -o driven.h5

# Legs written once: names of joints with indices.
cat >legs.yaml <<'END'
cocp: 1
name: legs
time: {horizon: 0.2}
states: {base_z: {initial: 1}, "hip[i=1..4]": {initial: 0.1*i}}
bodies:
  base: {joint: free, mass: 5, inertia: [0.05, 0.1, 0.12]}
  "leg[i=1..4]": {parent: base, joint: {name: "hip[i]", type: revolute, axis: [0, 1, 0], at: [0.1*i, 0, 0]}, mass: 0.5,
                  center: [0, 0, -0.1], inertia: [0.002, 0.002, 0.0002], points: {"foot[i]": [0, 0, -0.2]}}
define: {height: {expr: base.com.z - foot_2.z, output: true}}
END
exits 0 "legs are written once" simulate -q legs.yaml

# --- Bounces, by time-freezing ----------------------------------------------------------------------------------------
cat >tap.yaml <<'END_OF_SPEC'
cocp: 1
time: {horizon: 1, intervals: 2}
states: {turn: {initial: 0.2}, bend: {initial: 0.5}, box: {initial: 0.9}}
bodies:
  box: {joint: {type: prismatic, axis: [1, 0, 0]}, mass: 1}
  arm: {joint: {name: turn, type: revolute, axis: [0, 1, 0], actuate: true}, mass: 1, center: [0, 0, 0.3]}
  forearm:
    parent: arm
    joint: {name: bend, type: revolute, at: [0, 0, 0.5], axis: [0, 1, 0], actuate: true}
    mass: 1
    center: [0, 0, 0.3]
    points: {tip: [0, 0, 0.5]}
contacts: {hand: {gap: box.x - tip.x, restitution: 0.3}}
cost: {running: {effort: turn_tau^2 + bend_tau^2}}
discretization: {method: time-freezing}
END_OF_SPEC
exits 0 "an arm whose masses are coupled may bounce" check tap.yaml
says out "with derivatives at its guess" 'off central differences by [0-9.]+e-'

# --- Sizes ---------------------------------------------------------------------------------------------------------
# chain N TYPE: N bodies, each on the one before.
chain() {
    awk -v n="$1" -v type="$2" 'BEGIN {
        print "cocp: 1\ntime: {horizon: 1}\nbodies:\n  b0: {joint: {type: prismatic, axis: [0, 0, 1]}, mass: 1}"
        for (k = 1; k < n; k++)
            printf "  b%d: {parent: b%d, joint: {type: %s}, mass: 1}\n", k, k - 1, type
    }'
}
chain 10000 fixed >fixed.yaml
exits 0 "ten thousand fixed bodies" check fixed.yaml
chain 10000 'revolute, axis: [0, 1, 0]' >long.yaml
exits 3 "ten thousand links" check long.yaml
says err "are too many" 'these joints have 10000 degrees of freedom: no more than 1000'
chain 500 'revolute, axis: [0, 1, 0]' >chain.yaml
exits 3 "five hundred in a chain" check chain.yaml
says err "too" 'has 125250 entries to be written out'
chain 10000 'revolute, axis: [0, 1, 0]' | awk '/^  b/ && !/b0:/ { sub(/type:/, "mimic: b0, type:"); } { sub(/b0, type: r/, "b1, type: r") } 1' |
    sed 's/^  b1: {parent: b0, joint: {mimic: b1, /  b1: {parent: b0, joint: {/' >follow.yaml
exits 3 "ten thousand that follow one" check follow.yaml
says err "are too many, too" 'entries to be written out'

echo "1..$n"
[ "$failures" -eq 0 ]
