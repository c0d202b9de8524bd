#!/bin/sh
# Controls with values whose starts cost something, which stay on and off for a least time, and machines that are commanded
# so: what is found costs no more than the best of all orders on the grid, which starts_by_enumeration has by closed forms,
# and what it says it costs. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
enumeration=$(cd "$(dirname "$0")" && pwd)/starts_by_enumeration
work_apart

# best NAME PROBLEM SPEC: solved and replayed, no dearer than the best order on the grid
best() {
    exits 0 "$1" solve -q "$3" -o it.h5 --force
    objective it.h5 >found
    "$enumeration" "$2" >wanted 2>err
    awk 'NR == FNR { found = $1; n++; next } { exit !(n == 1 && found <= $1*(1 + 1e-6)) }' found wanted
    report "$1: no order on the grid costs less" $?
    exits 0 "$1: replayed" verify -q it.h5
}

# costs NAME PROBLEM: what its values cost at the times that they have
costs() {
    "$enumeration" "$2" it.h5 >wanted 2>err
    like "$(cat wanted)" it.h5 "$1: by closed forms it costs as much"
}

furnace() {     # furnace INTERVALS KEYS
    cat <<END
cocp: 1
name: furnace
time: {unit: min, horizon: 240, intervals: $1, elements: 1}
states: {T: {initial: 19}}
controls: {on: {values: [0, 1], guess: 0.5, $2}}
dynamics: {type: ode, rhs: {T: (5 + 30*on - T)/60}}
cost: {running: {gas: 0.05*on, comfort: 0.05*(T - 20 - 2*sin(2*pi*t/240))^2}}
END
}

furnace 12 'start_cost: 2' >starts.yaml
best "starts that cost something" furnace_starts starts.yaml
costs "starts that cost something" furnace_starts

furnace 24 'start_cost: 2, min_on: 30, min_off: 40' >stays.yaml
best "least stays" furnace_stays stays.yaml
costs "least stays" furnace_stays
exits 0 "a replay" verify it.h5
says err "judges stays on" '^  stays of on on +0\.0e\+00 '
says err "and off" '^  stays of on off +0\.0e\+00 '
/usr/bin/python3 - >out 2>err <<END
import h5py
with h5py.File("it.h5") as file:
    start, on, end = file["grid/t_interval"][:], file["grid/u"][:, 0] > 0.5, file["grid/t_end"][-1]
runs = []
for a, b, value in zip(start, [*start[1:], end], on):
    if runs and runs[-1][2] == value:
        runs[-1][1] = b
    else:
        runs.append([a, b, value])
whole = runs[0 if runs[0][2] else 1:-1]
assert len(whole) > 2 and all(b - a > (30 if value else 40) - 1e-5 for a, b, value in whole), runs
END
report "they are as long" $?
exits 0 "its own solution is a guess" solve stays.yaml --guess it.h5 -o again.h5
says err "starts are told" 'on: 3 starts, which cost 6'
says out "it is found again" 'iter=0 '

furnace 24 'most: 2' >few.yaml
best "few starts" furnace_few few.yaml
costs "few starts" furnace_few

cat >speeds.yaml <<END
cocp: 1
name: speeds
time: {unit: h, horizon: 12, intervals: 12, elements: 1}
states: {level: {initial: 1, final: [1, 3], bounds: [0.3, 3]}}
controls: {s: {values: [0, 1, 2], start_cost: 0.6, min_on: 2, guess: 1}}
dynamics: {type: ode, rhs: {level: 0.5*s - 0.5 - 0.2*sin(pi*t/6)}}
cost: {running: {power: (1 + 0.8*sin(pi*t/12 + 2))*(0.4*s + 0.3*s^2)}}
END
best "three values" speeds speeds.yaml
costs "three values" speeds

# What switches beside the values: thresholds that are passed, a relay.
cat >comfort.yaml <<END
cocp: 1
name: comfort
time: {horizon: 40, intervals: 8, elements: 1}
states: {T: {initial: 68.5}, miss: {initial: 0}}
controls: {on: {values: [0, 1], guess: 1, start_cost: 4}}
dynamics: {type: ode, rhs: {T: (40 + 60*on - T)/120, miss: "max(0, T - 70) + max(0, 68 - T)"}}
cost: {terminal: {miss: miss}}
END
best "thresholds" comfort comfort.yaml
costs "thresholds" comfort
comfort=$(objective it.h5)

cat >call.yaml <<END
cocp: 1
name: call
time: {horizon: 40, intervals: 8, elements: 1}
states: {T: {initial: 68.5}, miss: {initial: 0}, starts: {initial: 0}}
controls: {call: {bounds: [0, 1], guess: 1}}
machines:
  heater:
    start: off
    states: {on: {on: 1}, off: {}}
    transitions:
      lit: {from: off, to: on, when: call >= 0.5, reset: {starts: starts + 1}}
      out: {from: on, to: off, when: call <= 0.5}
dynamics: {type: ode, rhs: {T: (40 + 60*on - T)/120, miss: "max(0, T - 70) + max(0, 68 - T)", starts: 0}}
cost: {terminal: {miss: miss, starts: 4*starts}}
discretization: {control_grid: free}
END
best "a machine that is commanded so" comfort call.yaml
like "$comfort" it.h5 "costs as much"

cat >relay.yaml <<END
cocp: 1
name: relay
time: {unit: h, horizon: 6, intervals: 12, elements: 1}
states: {T: {units: K, initial: 4}, used: {initial: 0}}
controls: {boost: {values: [0, 1], start_cost: 0.3, guess: 0.3}}
hysteresis: {cooler: {of: T, on_at: 6, off_at: 3}}
dynamics: {type: ode, rhs: {T: 2 - 4*cooler - 1.5*boost, used: "3*cooler + boost*if(t < 3, 0.4, 2)"}}
cost: {terminal: {used: used, cold: 0.2*T}}
END
best "beside a relay" relay relay.yaml
costs "beside a relay" relay

cat >pump.yaml <<END
cocp: 1
name: pump
time: {unit: min, horizon: 180, intervals: 12, elements: 1}
states: {T: {initial: 20.5}, bill: {initial: 0}, miss: {initial: 0}}
controls: {call: {bounds: [0, 1], guess: 0}}
machines:
  pump:
    start: off
    states: {off: {}, run: {on: 1}, on: {on: 1}, rest: {}}
    transitions:
      start: {from: off, to: run, when: call >= 0.5, reset: {bill: bill + 1.5}}
      warm:  {from: run, to: on, after: 44.9}
      stop:  {from: on, to: rest, when: call <= 0.5}
      ready: {from: rest, to: off, after: 29.9}
dynamics: {type: ode, rhs: {T: (5 + 25*on - T)/180, bill: "on*if(t < 120, 0.01, if(t < 240, 0.04, 0.02))", miss: 0.02*(T - 20.5)^2}}
cost: {terminal: {bill: bill, miss: miss}}
END
best "a machine with least stays" heat_pump pump.yaml

# On already before the horizon: that is no start, and nothing keeps that stay from ending at once.
furnace 12 'start_cost: 20, min_on: 60, initial: 1' >before.yaml
exits 0 "on before the horizon" solve before.yaml -o before.h5
says err "goes on" 'on: 1, 0 from .*, 1 from .*, 0 from .*, 1 from '
says err "which is no start" 'on: 2 starts, which cost 40'
exits 0 "--resolved" check --resolved before.yaml
says out "has what starts take" 'start_cost: 20, min_on: 60, min_off: 0, initial: 1'
cp out resolved.yaml
exits 0 "and can be solved again" solve -q resolved.yaml -o resolved.h5
like "$(objective before.h5)" resolved.h5 "with the same result"

exits 0 "without its search" solve -q starts.yaml --set 'finish.without=[value-orders, grid-motions]' -o off.h5
exits 0 "what is rounded is a solution" verify -q off.h5

echo "1..$n"
[ "$failures" -eq 0 ]
