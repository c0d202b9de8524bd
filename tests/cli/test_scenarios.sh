#!/bin/sh
# Plans for several scenarios: solve --scenarios, its result, verify and show. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
judge=$(realpath "$(dirname "$0")/judge_scenarios")
work_apart
uncertain=$problems/pushing_uncertain.yaml

# Equal scenarios: tf_ex5, whose optimum is derived in tests/unit/discretization/test_tf_ex5.c.
exits 0 "three times the same" solve "$problems/tf_ex5.yaml" -o same.h5 \
    --set 'scenarios={vary: {parameters.mu: {values: [0.6, 0.6, 0.6]}}}'
says out "have the optimum of one" '^solved tf_ex5 objective=72\.6392[0-9]* '
says err "each is told" 'mu = 0\.6 +objective 72\.6392[0-9]* +[0-9] events, solved'

exits 0 "a box on tables of uncertain friction" solve "$uncertain" --verify -o plan.h5
says out "all scenarios are verified" '^verified pushing_uncertain '
says err "one by one" '^scenario 2 of pushing_uncertain, replayed by events'
exits 0 "it is told" show plan.h5
says out "what varies" '^ *parameters\.mu +weight +objective +status'
exits 0 "one scenario" show plan.h5 --group scenarios/2/trajectory
exits 0 "as a table" export plan.h5 --group scenarios -o plan.csv
says plan.csv "with the values" '^.*0\.3483710[0-9]*'
exits 0 "the spec as written" solve -q "$uncertain" --scenarios 0 -o nominal.h5
exits 2 "has no scenarios" export nominal.h5 --group scenarios -o none.csv
exits 0 "judged by the simulator alone: the plan" simulate -q "$uncertain" --controls plan.h5 -o simulated.h5
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    /usr/bin/python3 "$judge" "$cocp" "$uncertain" plan.h5 nominal.h5 >out 2>err
    report "costs less in the mean than the plan for one" $?
    /usr/bin/python3 "$judge" --forge plan.h5 forged.h5 >out 2>err
    exits 60 "controls that differ between scenarios are none" verify forged.h5
    says err "it is said" 'controls or their times differ between scenarios'
else
    report "# SKIP no h5py" 0
fi

# Machines: each scenario has its order of transitions. From 30 degrees it is never heated: (10 + 20 exp(-0.8) - 17)^2 = 3.946497,
# whatever the controls are, so that the plan is that of the other one alone, 0.09340135.
cat > heater.yaml <<'EOF'
cocp: 1
name: heater
time: {horizon: 4, intervals: 8}
states: {T: {initial: 18}, e: {initial: 0}}
controls: {u: {bounds: [0, 1], guess: 0.5}}
machines:
  heater:
    states: {off: {}, on: {heat: 1}}
    transitions: {go: {from: off, to: on, when: T <= 17}, stop: {from: on, to: off, when: T >= 19}}
dynamics: {type: ode, rhs: {T: -0.2*(T - 10) + 4*heat*u, e: heat*u}}
cost: {terminal: {warm: (T - 17)^2, gas: 0.1*e}}
scenarios: {vary: {states.T.initial: [18, 30]}}
EOF
exits 0 "a machine in two scenarios" solve heater.yaml --verify -o heater.h5
says out "as good as can be" '^solved heater objective=2\.01994[0-9]* '
says err "one is heated" 'T = 18 +objective 0\.093401[0-9]* +1 event, solved'
says err "the other one is not" 'T = 30 +objective 3\.94649[0-9]* +0 events, solved'
exits 0 "the first one alone" solve heater.yaml --scenarios 0 -o alone.h5
says out "costs as much" '^solved heater objective=0\.093401[0-9]* '

# What is refused, and what to do instead.
exits 3 "no finish" solve "$uncertain" --set finish=off -o none.h5
says err "it is said" 'needs the finish'
exits 3 "sensitivities" solve "$uncertain" --sensitivity -o none.h5
exits 3 "a grid that differs" solve "$uncertain" --set 'time.horizon=1.5 + mu' -o none.h5
says err "where" 'time: differs at mu = '
exits 3 "tracking" track "$uncertain"
says err "what does it" 'scenarios\.number=0'
exits 3 "a number without anything that varies" solve "$problems/pushing.yaml" --scenarios 3
says err "what to write" 'vary: \{parameters\.NAME: \{spread'

# Final values that no common control can meet in all of them.
cat >hard.yaml <<'YAML'
cocp: 1
name: hard
parameters: {b: 1}
time: {horizon: 1, intervals: 4}
states: {q: {initial: 0, final: 1}, v: {initial: 0, final: 0}}
controls: {u: }
dynamics: {type: ode, rhs: {q: v, v: b*u}}
cost: {running: {effort: u^2}}
scenarios: {vary: {parameters.b: [0.9, 1.1]}}
YAML
"$cocp" solve hard.yaml -o hard.h5 >out 2>err
[ $? -ge 20 ]
report "goals that not all can meet" $?
says err "are named" 'charge for final values'
echo "1..$n"
[ "$failures" -eq 0 ]
