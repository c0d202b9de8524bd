#!/bin/sh
# Events at the edge of a control interval, and more effort than the default: solve from end to end. COCP is the program;
# TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# costs_no_more NAME ONE.h5 OTHER.h5: the first than the second, but for rounding.
costs_no_more() {
    { objective "$2"; objective "$3"; } >out
    awk 'NR == 1 {one = $1} NR == 2 {other = $1} END {exit !(NR == 2 && one <= other + 1e-7*(other < 0 ? -other : other))}' out
    report "$1" $?
}

# --- A reactor whose rate changes at 980 K -------------------------------------------------------------------------
# Multiple arcs in SciPy 1.10.1 (SLSQP, Runge-Kutta of order 4 with 8 steps per arc, one program for each interval that
# the crossing is in, four starts each) cost 6.138835, 4.911068, 4.092557, 3.608535, 3.644567 and 4.031148 with it in
# intervals 3 to 8: at the end of 3, 4 and 5, at 0.80 of 6, at the start of 7 and 8.
cat >lit.yaml <<'END'
cocp: 1
name: lit
parameters: {tau: {value: 2, units: s}, k1: {value: 1400, units: 1/s}, k2: {value: 70, units: 1/s}, H: {value: 420, units: K m^3/mol}}
time: {horizon: {min: 0.5, max: 15, guess: 5}, intervals: 16, elements: 2}
states:
  c: {units: mol/m^3, initial: 0.95, bounds: [0, 1.2]}
  T: {units: K, initial: 840, bounds: [700, 1300], final: 1030}
controls:
  Tj: {units: K, bounds: [720, 1080], guess: 880}
define:
  rate: {expr: "if(T < 980, k1*exp(-9000/T), k2*exp(-3000/T))*c"}
dynamics: {type: ode, rhs: {c: (1 - c)/tau - rate, T: (880 - T)/tau + H*rate - 0.5*(T - Tj)}}
constraints: {conversion: {expr: c <= 0.25, at: final}}
cost: {terminal: {time: t}}
END
exits 0 "a reactor is lit" solve -q lit.yaml -o lit.h5 --verify
like 3.608535 lit.h5 "in the least time of all intervals"
exits 0 "show" show lit.h5
says out "by way of the middle of one" 'event 0 moved to the middle of interval [0-9]+'
exits 0 "without that move" solve -q lit.yaml -o edge.h5 --set finish.without=event-to-middle
like 6.138835 edge.h5 "it stays at an edge"

# --- From control intervals of free lengths back to the grid -------------------------------------------------------
"$cocp" solve -q lit.yaml -o free.h5 --set discretization.control_grid=free >out 2>err       # verified or not
costs_no_more "with intervals of free lengths it costs no more" free.h5 lit.h5
exits 0 "from there on the grid" solve -v lit.yaml --guess free.h5 -o back.h5
says err "the crossing is where its time falls" '^the given solution: a solution with 1 event, objective 3\.608'
like 3.608535 back.h5 "it is as good as without"

# --- More effort than the default ----------------------------------------------------------------------------------
exits 0 "with more starts" solve -v lit.yaml -o starts.h5 --set finish.starts=7
[ "$(grep -c '^discovery 7 of at most 7, by fixed steps' err)" -gt 0 ]
report "these go on where the default has stopped" $?
[ "$(grep -cE '^discovery [1-5] of at most 7' err)" -eq 0 ]
report "and none is made twice" $?
costs_no_more "it costs no more" starts.h5 lit.h5
exits 0 "with more neighbours" solve -q lit.yaml -o tries.h5 --set finish.tries=100
costs_no_more "it costs no more" tries.h5 lit.h5
exits 0 "a fall" solve -q "$problems/tf_ex5.yaml" -o fall.h5
exits 0 "with more starts" solve -q "$problems/tf_ex5.yaml" -o fall6.h5 --set finish.starts=6 --verify
costs_no_more "costs no more" fall6.h5 fall.h5
exits 0 "a car" solve -q "$problems/turbo_car.yaml" -o car.h5
exits 0 "with more starts" solve -q "$problems/turbo_car.yaml" -o car12.h5 --set finish.starts=12 --verify
costs_no_more "costs no more" car12.h5 car.h5
echo "1..$n"
[ "$failures" -eq 0 ]
