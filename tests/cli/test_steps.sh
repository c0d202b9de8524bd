#!/bin/sh
# steps over time: by control intervals and by switches, from the spec and from CSVs. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# The least cost of price u^2 with the integral of u equal to 1 is 1 / (sum of length / price).
cat >dear.yaml <<'END'
cocp: 1
time: {horizon: 3, intervals: 6}
states: {x: {initial: 0, final: 1}}
controls: {u: {bounds: [0, 10]}}
define: {price: {through: {0 s: 1, 0.7 s: 4, 1.9 s: 2}, by: steps}}
dynamics: {type: ode, rhs: {x: u}}
cost: {running: {bill: price*u^2}}
END
solves 0.6451612903225806 "jumps inside intervals" dear.yaml
solves 0.6451612903225806 "jumps where intervals begin" dear.yaml --set time.intervals=30
solves 0.6451612903225806 "by FESD-J" dear.yaml --set discretization.method=fesd-j

# T / S with S = 0.25/1 + 0.35/4 + 0.4/2, and 0.5 for each second: sqrt(2/S).
solves 1.9289712886816484 "parts of a free horizon" dear.yaml --set 'time.horizon={min: 0.2, max: 4, guess: 3}' \
    --set 'define.price={through: {0: 1, 0.25: 4, 0.6: 2}, by: steps}' --set 'cost.terminal.t=0.5*t'

# x' = u/price at one u for all of T: T / (0.7 + 1.2/4 + (T - 1.9)/2)^2, least at the longest, T = 4.
solves 0.9518143961927424 "times in a free horizon" dear.yaml --set time.intervals=1 --set dynamics.rhs.x=u/price \
    --set 'cost.running.bill=u^2' --set 'time.horizon={min: 2.5, max: 4, guess: 3}'
exits 3 "no such price in a cost" solve -q dear.yaml --set 'time.horizon={min: 2.5, max: 4, guess: 3}'
says err "with a way out" "dear.yaml:7:24: error: cost.running.bill: .*let a state of its own grow by it"

# Cheapest first: 0.7 at 1, 0.3 at 2.
cat >valve.yaml <<'END'
cocp: 1
time: {horizon: 3, intervals: 4}
states: {x: {initial: 0, final: [1, inf]}, paid: {initial: 0}}
controls: {u: {values: [0, 1]}}
define: {price: {through: {0 s: 1, 0.7 s: 4, 1.9 s: 2}, by: steps}}
dynamics: {type: ode, rhs: {x: u, paid: price*u}}
cost: {terminal: {bill: paid}}
END
solves 1.3 "beside a valve" valve.yaml

# Two controls, each of one phase: 1 / (a^2/1 + b^2/2), a and b the integrals of 1/price.
sed 's/^time.*/phases: {a: {length: 1, intervals: 1}, b: {length: 2, intervals: 1}}/; s/x: u}/x: u\/price}/; s/price\*u^2/u^2/' dear.yaml >phases.yaml
solves 1.1099549080818591 "with phases" phases.yaml

# A limit that jumps: u = 0.2 in the first second, the rest by then.
sed 's/price: .*/most: {through: {0: 0.2, 0.3333333333: 5}, by: steps, output: true}}/; s/price\*u^2/u^2/' dear.yaml >limit.yaml
echo 'constraints: {slow: u <= most}' >>limit.yaml
solves 0.36 "a limit" limit.yaml

# 0.7 + 1.2*4 + 1.1*2, whatever simulates.
for how in event fesd time-stepping; do
    exits 0 "simulated by $how" simulate -q dear.yaml --method $how -o s.h5 --force --set dynamics.rhs.x=price*u \
        --set 'simulate={steps: 4, controls: {u: 1}}'
    "$cocp" export s.h5 --group uniform >out 2>err
    awk -F, 'NR > 1 {x = $2} END {exit !((x - 7.7)^2 < 1e-20)}' out
    report "$how ends on the jumps" $?
done
printf 't,u,price\n0,1,50\n1,1,60\n' >u.csv
exits 0 "a table of controls" simulate -q dear.yaml --controls u.csv -o s.h5 --force --set dynamics.rhs.x=price*u
"$cocp" export s.h5 --group uniform >out 2>err
awk -F, 'NR > 1 {x = $2} END {exit !((x - 7.7)^2 < 1e-20)}' out
report "does not say what the spec says" $?

# Tracked with no disturbance it is the plan, and made anew it knows the prices to come.
exits 0 "tracked" track dear.yaml --set time.intervals=30 -o t.h5
says out "as planned" "objective=0.6451612[0-9]* planned=0.6451612"
exits 3 "jumps inside intervals are not tracked" track dear.yaml -o t.h5 --force
says err "where that is" "dear.yaml:5:10: error: define.price: is tracked in a fixed horizon"
exits 0 "solved once more" solve -q dear.yaml -o it.h5 --force
exits 3 "no bound" bound dear.yaml it.h5
says err "as it says" "dear.yaml:5:10: error: define.price: bounds do not know steps"

# From a file: the optimum of the linear program by SciPy's linprog. Then the result needs no file.
cp "$problems"/heat_store.yaml "$problems"/heat_store_prices.csv .
exits 0 "the heat store" solve -q heat_store.yaml -o store.h5
like 1.8805852162373113 store.h5 "as by linprog"
exits 4 "its prices are not written over" solve -q heat_store.yaml -o heat_store_prices.csv --force
says err "as it says" "heat_store_prices.csv would be written over"
rm heat_store_prices.csv
exits 0 "without its file" verify -q store.h5
exits 3 "a file that is not there" check heat_store.yaml
says err "is named" "heat_store.yaml:20:27: error: define.price.through.file: cannot read .*heat_store_prices.csv"

# Lines from a file are those of the spec: the integral of a line from 0 to 2 and back.
printf 'when,y\n0,0\n1,2\n2,0\n' >line.csv
sed 's/price: .*/y: {through: {file: line.csv, time: when}}}/; s/x: u}/x: y}/; s/price\*u^2/u^2/; s/, final: 1//; s/horizon: 3/horizon: 2/' dear.yaml >line.yaml
exits 0 "a line from a file" simulate -q line.yaml -o s.h5 --force
"$cocp" export s.h5 --group uniform >out 2>err
awk -F, 'NR > 1 {x = $2} END {exit !((x - 2)^2 < 1e-16)}' out
report "is that of its points" $?

# Mistakes, each with its place.
printf 't,a\n0,1\n0.5,x\n' >word.csv
printf 't,a\n0,1\n0,2\n' >twice.csv
printf 't,a\n-1,1\n0,2\n' >early.csv
wrong() {       # wrong NAME DEFINE PATTERN
    sed "s/price: .*/$2}/; s/running: {bill: price.*/terminal: {z: ${4-1}}}/" dear.yaml >wrong.yaml
    exits 3 "$1" check wrong.yaml
    says err "$1: where and why" "$3"
}
wrong "no number" 'a: {through: {file: word.csv}, by: steps}' 'word.csv:3:5: error: expected a number'
wrong "times twice" 'a: {through: {file: twice.csv}, by: steps}' 'twice.csv:3:1: error: times must ascend'
wrong "too early" 'a: {through: {file: early.csv}}' 'early.csv:2:1: error: the horizon begins at 0 s'
wrong "no column" 'a: {through: {file: word.csv, value: b}, by: steps}' 'wrong.yaml:5:47: error: define.a.through.value: there is no column "b"'
wrong "no column of times" 'b: {through: {file: u.csv}, by: steps}' 'wrong.yaml:5:30: error: define.b.through.file: there is no column "b" in u.csv.*write "time" and "value"'
wrong "a wrong key" 'a: {through: {file: word.csv, tim: t}, by: steps}' 'wrong.yaml:5:40: error: define.a.through: unknown key "tim" \(did you mean "time"'
wrong "a wrong word" 'a: {through: {0: 1}, by: step}' 'wrong.yaml:5:35: error: define.a.by: unknown word "step" \(did you mean "steps"'
wrong "not in a terminal cost" 'price: {through: {0: 1, 0.5: 2}, by: steps}' 'wrong.yaml:7:22: error: cost.terminal.z: .*may not depend on the steps price' price
exits 3 "too few intervals" check dear.yaml --set time.intervals=2
says err "too few intervals: how many" 'dear.yaml:5:17: error: define.price: what jumps at given times cuts the horizon into 3 parts.*time.intervals is 2'
exits 3 "no control" check dear.yaml --set simulate.controls.price=1
says err "no control: what it is" 'simulate.controls.price: is no control: "define" says what it is'

echo "1..$n"
[ "$failures" -eq 0 ]
