#!/bin/sh
# Smooth problems with one sequence that have several solutions: other starts find the better one, stop where two
# agree, and are not made of convex programs. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# A disc off the straight way, and a guess that goes the longer way round. The cost of a way of length d in a second is
# d^2 at least: 2.09267^2 = 4.37927 below the disc, two tangents and an arc, 2.48747^2 = 6.18751 above it; with twelve
# controls a little more.
cat >around.yaml <<'END'
cocp: 1
name: around
time: {horizon: 1, intervals: 12}
states: {x: {initial: 0, final: 2}, y: {initial: 0, final: 0}}
controls: {u: {bounds: [-20, 20]}, v: {bounds: [-20, 20]}}
dynamics: {type: ode, rhs: {x: u, y: v}}
cost: {running: {effort: u^2 + v^2}}
constraints: {disc: {expr: (x - 1)^2 + (y - 0.2)^2 >= 0.25, at: path}}
guess: {waypoints: {0.5: {x: 1, y: 0.9}}}
END
between() {     # between LEAST MOST FILE.h5 NAME: the objective
    objective "$3" >out
    awk -v least="$1" -v most="$2" 'END {exit !(NR == 1 && $1 >= least && $1 <= most)}' out
    report "$4" $?
}
exits 0 "around a disc" solve around.yaml -o around.h5
says err "detours are told of" 'the sequence once more, from detour 2 of at most 8: a solution with 0 events, objective 4\.39'
says err "and what agrees" 'detour [3-8] of at most 8: it leads to the best solution again'
between 4.37927 4.41 around.h5 "it goes the shorter way"
exits 0 "a replay agrees" verify -q around.h5
exits 0 "without other starts" solve around.yaml --set 'finish.without=[other-starts]' -o longer.h5
between 6.18751 6.25 longer.h5 "it goes the way of its guess"

# A crank and a rod whose end is held in a guide by two contacts: the guess turns it the dear way.
cat >crank.yaml <<'END'
cocp: 1
name: crank
parameters: {m: 0.8, l: 0.25, L: 0.7, g: 9.81}
time: {horizon: 1.6, intervals: 14}
states: {a: {initial: 0, final: 3.141592653589793, bounds: [-7, 7]}, b: {initial: 0, bounds: [-1.5, 1.5]}, wa: {initial: 0, final: 0}, wb: {initial: 0}}
controls: {u: {bounds: [-8, 8]}}
define: {x1: l*cos(a), z1: l*sin(a), x2: l*cos(a) + L*cos(b), z2: l*sin(a) + L*sin(b)}
dynamics:
  type: mechanical
  coordinates: {a: wa, b: wb}
  kinetic: 0.5*m*(ddt(x1)^2 + ddt(z1)^2 + ddt(x2)^2 + ddt(z2)^2)
  potential: m*g*(z1 + z2)
  force: {a: u}
contacts: {low: {gap: z2}, high: {gap: -z2}}
cost: {running: {effort: u^2}}
END
exits 0 "a crank" solve crank.yaml -o crank.h5
between 3.2 3.34 crank.h5 "is better than 4.033, which its guess leads to"
exits 0 "a replay agrees" verify -q crank.h5
for seed in 2 3; do
    exits 0 "with other detours, $seed" solve crank.yaml --set homotopy.seed=$seed -o other.h5 --force
    between 3.2 3.53 other.h5 "it is better, too"
done

# min of the integral of a^2 over a metre in a second, at rest at both ends: one quadratic program.
cat >convex.yaml <<'END'
cocp: 1
name: convex
time: {horizon: 1, intervals: 10}
states: {x: {initial: 0, final: 1}, v: {initial: 0, final: 0}}
controls: {a: {}}
dynamics: {type: ode, rhs: {x: v, v: a}}
cost: {running: {effort: a^2}}
END
exits 0 "a convex problem" solve -v convex.yaml -o convex.h5
says err "has no other starts" 'the program of its sequence is convex: no other starts'
! grep -q detour err
report "and none is made" $?

echo "1..$n"
[ "$failures" -eq 0 ]
