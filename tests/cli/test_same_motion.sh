#!/bin/sh
# What solve says of other sequences of a solution's motion, and where it goes on to one. COCP is the program; TAP on
# stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# x' = u below 1 and 3 u above, to X in two intervals: u_1 + u_2 = (X + 2)/3 wherever it crosses. To 4 it crosses between the
# intervals, u = 1; to 2.5 it crosses in the second one with u = 0.75, 1.125. What crosses in the first one has u_1 = 1,
# u_2 = 0.5 and crosses at its end, 1.25: a minimum of that sequence, from which d later costs d less and takes 2 d of time.
cat >faster.yaml <<'SPEC'
cocp: 1
name: faster
time: {horizon: 2, intervals: 2, elements: 2}
parameters: {X: 4}
states: {x: {initial: 0, final: X}}
controls: {u: {bounds: [-5, 5], guess: 3}}
dynamics: {type: ode, rhs: {x: u*(2 + sign(x - 1))}}
cost: {running: {effort: u^2}}
SPEC
exits 0 "a crossing between intervals" solve faster.yaml --verify
says err "is one of either" '; none of the [0-9]+ other sequences of the same motion is better to first order [(]B-stationary[)]; other sequences may be better$'
exits 0 "its phases" show faster.h5 --group phases
says out "say so" 'stationarity +B-stationary'
says out "and of how many pairs" 'biactive +1'
one="finish.without=[neighbours, other-starts, fixed-steps"
exits 0 "a crossing at the end of its interval" solve faster.yaml --set parameters.X=2.5 --set finish.starts=1 --set "$one, descent]"
says err "would rather be later" 'but to first order another sequence of the same motion is better [(]event 0 moved into the interval after it[)]'
says out "but is not" '^solved faster objective=1.25 '
exits 0 "its phases" show faster.h5 --group phases
says out "know how fast it falls" 'descent +0[.](4$|39|40)'
says out "and to where" 'descent_sequence +n 1.5 p'
exits 0 "the same" solve faster.yaml --set parameters.X=2.5 --set finish.starts=1 --set "$one]" --verify
says err "goes there" 'none of the|the one neighbouring sequence that was tried is not better'
says out "to what is better" '^solved faster objective=1.125 '
exits 0 "its moves" show faster.h5
says out "are told" 'then event 0 moved into the interval after it'

echo "1..$n"
[ "$failures" -eq 0 ]
